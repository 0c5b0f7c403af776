//! What a motion made of keys came to: every handle, every segment, and what its frames show.

use super::chain::Chain;
use super::part::Asker;
use super::piece::{PartOutcome, Piece};
use super::setup::Setup;
use crate::method::drag::{HandleKey, Reason};
use crate::method::report::{Inverted, worst};
use crate::method::{Finding, Findings, HandleOutcome, Quantity, Report, Value};
use supple_mesh::{Vec3, displacement};
use supple_model::Status;
use supple_model::text::number;

/// Losses below this part are not worth a word.
const TOLD: f64 = 0.005;

/// What frames show as they are made.
pub(super) struct Watching<'a> {
    setup: &'a Setup,
    inverted: Inverted,
}

impl<'a> Watching<'a> {
    pub fn new(setup: &'a Setup) -> Self {
        Self { setup, inverted: Inverted::default() }
    }

    /// Looks at the body at a time.
    pub fn see(&mut self, time: f64, places: &[Vec3]) {
        let body = &self.setup.body;
        let places: Vec<[f64; 3]> = places.iter().map(|place| (*place).into()).collect();
        self.inverted.see(time, body, &displacement(&places, body.positions()));
    }

    /// What it all came to.
    pub fn report(self, setup: &Setup, chain: &Chain) -> Report {
        let pieces = &chain.pieces;
        let status = worst(pieces.iter().map(|piece| piece.report().status));
        let sum = |of: fn(&supple_spacetime::SparseReport) -> f64| {
            pieces.iter().map(|piece| of(piece.report())).sum()
        };
        let mut report = Report {
            iterations: pieces.iter().map(|piece| piece.report().iterations).sum(),
            stationarity: pieces.iter().map(|piece| piece.report().stationarity).fold(0.0, f64::max),
            energy: sum(|report| report.energy),
            penalty: sum(|report| report.penalty),
            handles: handles(setup, chain),
            ..Report::of_status(status)
        };
        report.findings.push(segments(setup, chain));
        report.findings.push(self.inverted.told(&setup.body, chain.clock));
        report
    }
}

/// Every segment, or the whole motion as one.
fn segments(setup: &Setup, chain: &Chain) -> Finding {
    let start = f64::from(chain.clock.start.0);
    let each = chain.pieces.iter().zip(&chain.begins).zip(&chain.jumps).map(|((piece, begin), jump)| {
        let (report, lost) = (piece.report(), piece.lost());
        vec![
            Quantity::number("start", "frame", start + begin),
            Quantity::number("frames", "frame", piece.length),
            Quantity { name: "flight", unit: "", value: Value::Truth(piece.flies()) },
            Quantity { name: "status", unit: "", value: Value::Word(report.status.name()) },
            Quantity::count("iterations", report.iterations),
            Quantity::number("jump", "", *jump),
            Quantity::number("lost_position", "", lost.position),
            Quantity::number("lost_velocity", "", lost.velocity),
            Quantity::number("lost_spin", "°/s", (lost.spin * setup.pace()).to_degrees()),
            Quantity::number("anchors_off", "", lost.anchors),
        ]
    });
    let lines =
        chain.pieces.iter().zip(&chain.begins).map(|(piece, begin)| line(setup, piece, start + begin));
    let numbered = (1..).zip(lines).map(|(number, line)| format!("{number}: {line}"));
    Finding {
        key: "segments",
        title: "segments",
        text: (chain.pieces.len() > 1).then(|| numbered.collect::<Vec<_>>().join("\n")),
        is_detail: false,
        found: Findings::Several(each.collect()),
    }
}

/// A segment in words: what it is, when, and what went wrong in it.
fn line(setup: &Setup, piece: &Piece, start: f64) -> String {
    let what = if piece.flies() { "flight" } else { "ground" };
    let [from, to, length] = [start, start + piece.length, piece.length].map(number);
    let mut text = format!("{what}, frames {from} to {to} ({length})");
    let (status, lost) = (piece.report().status, piece.lost());
    if status != Status::Settled {
        text += &format!(", {}", status.name());
    }
    let spin = (lost.spin * setup.pace()).to_degrees();
    let losses = [
        (lost.velocity >= TOLD).then(|| format!("{:.0} % of the kinetic energy", 100.0 * lost.velocity)),
        (spin >= 1.0).then(|| format!("{spin:.0}°/s of spin")),
    ];
    let losses: Vec<String> = losses.into_iter().flatten().collect();
    if !losses.is_empty() {
        text += &format!("\n   loses {}", losses.join(" and "));
    }
    if lost.anchors >= TOLD {
        let off = 100.0 * lost.anchors;
        text += &format!(
            "\n   its anchors land out of shape, by {off:.0} % of the size, and stay so; key where they land"
        );
    }
    text
}

/// Every handle, at the time at which it is farthest off.
fn handles(setup: &Setup, chain: &Chain) -> Vec<HandleOutcome> {
    let mut all: Vec<HandleOutcome> = Vec::new();
    for (index, (piece, begin)) in chain.pieces.iter().zip(&chain.begins).enumerate() {
        let outcomes = piece.outcomes();
        for outcome in &outcomes {
            let Asker::Handle(number) = outcome.asker else { continue };
            let segment = (!setup.shot.edit.segments.is_empty()).then_some(index + 1);
            let alone = outcomes.iter().filter(|other| other.is_hard).count() < 2;
            let reason = if alone { Reason::OutOfReach } else { Reason::Contradicts };
            let told = told(setup, chain, (outcome, reason), begin + outcome.at, HandleKey(number), segment);
            match all.iter_mut().find(|known| known.key == told.key) {
                Some(known) if known.error >= told.error => {}
                Some(known) => *known = told,
                None => all.push(told),
            }
        }
    }
    all.sort_by_key(|handle| handle.key);
    all
}

fn told(
    setup: &Setup,
    chain: &Chain,
    (outcome, reason): (&PartOutcome, Reason),
    time: f64,
    key: HandleKey,
    segment: Option<usize>,
) -> HandleOutcome {
    // Velocities are told per second of the playback.
    let scale = if outcome.of_velocity { setup.pace() } else { 1.0 };
    let is_missed = outcome.is_hard && outcome.error > 1e-6 * outcome.asked.max(setup.size);
    HandleOutcome {
        key,
        frame: chain.clock.number(time.round().max(0.0) as usize),
        time: f64::from(chain.clock.start.0) + time,
        segment,
        error: scale * outcome.error,
        rms: scale * outcome.error,
        of_velocity: outcome.of_velocity,
        asked: scale * outcome.asked,
        soft: !outcome.is_hard,
        redundant: false,
        reason: is_missed.then_some(reason),
        over_distance: None,
        plant: None,
    }
}
