//! What a controlled motion came to: its poses, its forces, its parts, and how well it keeps its volume beside a spline.

use super::chain::{Chain, Shown};
use super::piece::Piece;
use super::setup::Setup;
use super::spline::Spline;
use super::timing;
use super::volume::Volume;
use crate::method::report::{COST_BY_ITERATION, Inverted, worst};
use crate::method::{Curve, Finding, Findings, Quantity, Report, Value};
use crate::shot::Hold;
use supple_elastic::Origin;
use supple_model::text::number;

/// Losses below this part are not worth a word.
const TOLD: f64 = 0.005;
/// A hard pose that is missed by more than this part of the size is.
const MISSED: f64 = 1e-6;

/// What frames show as they are made.
pub(super) struct Watching<'a> {
    setup: &'a Setup,
    volume: Option<Volume>,
    spline: Spline,
    inverted: Inverted,
    /// The volume of every frame over that at rest, less one; of the spline too.
    changes: [Vec<f64>; 2],
}

impl<'a> Watching<'a> {
    pub fn new(setup: &'a Setup, chain: &Chain) -> Self {
        Self {
            setup,
            volume: Volume::of(&setup.body),
            spline: Spline::through(chain),
            inverted: Inverted::default(),
            changes: [Vec::new(), Vec::new()],
        }
    }

    /// Looks at a frame of the shot, so far from rest.
    pub fn see(&mut self, frame: usize, displacement: &[f64]) {
        self.inverted.see(frame as f64, &self.setup.body, displacement);
        if let Some(volume) = &self.volume {
            self.changes[0].push(volume.change(displacement));
            self.changes[1].push(volume.change(&self.spline.displacement(frame as f64)));
        }
    }

    /// What it all came to.
    pub fn report(self, chain: &Chain) -> Report {
        let pieces = &chain.pieces;
        let status = worst(pieces.iter().map(|piece| piece.solution.report.status));
        let cost = |of: fn(&Piece) -> f64| pieces.iter().map(|piece| of(piece)).sum::<f64>();
        let poses = poses(self.setup, chain);
        let mut report = Report {
            iterations: pieces
                .iter()
                .map(|piece| piece.solution.report.feedback_iterations + piece.solution.report.iterations)
                .sum(),
            stationarity: pieces.iter().map(|piece| piece.solution.report.optimality).fold(0.0, f64::max),
            energy: cost(|piece| piece.solution.report.cost.energy),
            penalty: cost(|piece| piece.solution.report.cost.penalty),
            warnings: warnings(self.setup, chain, &poses),
            ..Report::of_status(status)
        };
        report.findings.push(effort(chain));
        report.findings.push(told_poses(self.setup, chain, &poses));
        report.findings.push(bases(chain));
        report.findings.push(parts(chain));
        let [own, spline] = &self.changes;
        report.findings.push(volume("volume", "change of volume", own, &chain.shown));
        report.findings.push(volume("spline_volume", "that of a Catmull–Rom spline", spline, &chain.shown));
        report.findings.push(self.inverted.told(&self.setup.body, chain.shown.clock));
        report.curves.push(forces(chain));
        report.curves.push(costs(chain));
        report
    }
}

/// What became of a pose.
struct PoseOutcome {
    number: usize,
    segment: Option<usize>,
    /// In frames of the motion, counted from 0.
    frame: usize,
    is_hard: bool,
    /// Roots of means over the mass of what is asked for, metres: how far it is off, and how far it was to go.
    error: f64,
    asked: f64,
    /// The farthest a vertex is off.
    farthest: f64,
}

fn poses(setup: &Setup, chain: &Chain) -> Vec<PoseOutcome> {
    let masses = setup.body.elastic.masses();
    let mut all = Vec::new();
    for piece in &chain.pieces {
        let stretch = &piece.ready.stretch;
        for (frame, pose) in &stretch.poses {
            let there = piece.moves.displacement(*frame as f64);
            let asked = piece.asked(pose, *frame, &there);
            let is_asked = |v: usize| match &pose.vertices {
                None => true,
                Some(vertices) => vertices.binary_search(&supple_model::VertexId::new(v)).is_ok(),
            };
            let (mut mass, mut off, mut way, mut farthest) = (0.0, 0.0, 0.0, 0.0_f64);
            for v in (0..masses.len()).filter(|v| is_asked(*v)) {
                let at = 3 * v..3 * v + 3;
                let square =
                    |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
                let miss = square(&there[at.clone()], &asked[at.clone()]);
                mass += masses[v];
                off += masses[v] * miss;
                way += masses[v] * asked[at].iter().map(|u| u * u).sum::<f64>();
                farthest = farthest.max(miss.sqrt());
            }
            all.push(PoseOutcome {
                number: pose.number,
                segment: stretch.segment,
                frame: piece.ready.begin + frame,
                is_hard: pose.hold == Hold::Hard,
                error: (off / mass).sqrt(),
                asked: (way / mass).sqrt(),
                farthest,
            });
        }
    }
    all
}

fn told_poses(setup: &Setup, chain: &Chain, poses: &[PoseOutcome]) -> Finding {
    let each = poses.iter().map(|pose| {
        let frame = chain.shown.clock.number(pose.frame);
        vec![
            Quantity::count("pose", pose.number),
            Quantity::frame("frame", frame),
            Quantity::maybe("segment", "", pose.segment.map(Value::Count)),
            Quantity::number("error", "m", pose.error),
            Quantity::number("farthest", "m", pose.farthest),
            Quantity::number("relative_error", "", pose.farthest / setup.size),
            Quantity::number("asked", "m", pose.asked),
            Quantity { name: "soft", unit: "", value: Value::Truth(!pose.is_hard) },
        ]
    });
    let lines = poses.iter().map(|pose| {
        let (frame, part) = (chain.shown.clock.number(pose.frame), 100.0 * pose.farthest / setup.size);
        let how = if pose.is_hard { "hard" } else { "soft" };
        format!("{}: frame {frame}, {how}, off by at most {} % of the size", pose.number, number(part))
    });
    Finding {
        key: "poses",
        title: "poses",
        text: Some(lines.collect::<Vec<_>>().join("\n")),
        is_detail: false,
        found: Findings::Several(each.collect()),
    }
}

fn effort(chain: &Chain) -> Finding {
    let effort = chain.pieces.iter().map(|piece| piece.solution.report.effort).fold(0.0, f64::max);
    Finding { key: "effort", title: "effort", text: None, is_detail: true, found: Findings::Alone(effort) }
}

fn bases(chain: &Chain) -> Finding {
    let each = chain.pieces.iter().map(|piece| {
        let made = &piece.ready.made;
        let lost = made.poses.iter().map(|pose| pose.residual).fold(0.0, f64::max);
        vec![
            Quantity::maybe("segment", "", piece.ready.stretch.segment.map(Value::Count)),
            Quantity::count("size", piece.ready.basis.coordinates()),
            Quantity::count("keys", made.taken(Origin::Keys)),
            Quantity::count("tangents", made.taken(Origin::Tangents)),
            Quantity::count("samples", made.taken(Origin::Samples)),
            Quantity::count("modes", made.taken(Origin::Modes)),
            Quantity::count("recorded", made.taken(Origin::Recorded)),
            Quantity::count("kept", made.taken(Origin::Kept)),
            Quantity::count("cut", made.cut),
            Quantity::number("residual", "m", lost),
        ]
    });
    let most = chain.pieces.iter().map(|piece| piece.ready.basis.coordinates()).max().unwrap_or(0);
    Finding {
        key: "basis",
        title: "basis",
        text: Some(format!("{most} shapes")),
        is_detail: true,
        found: Findings::Several(each.collect()),
    }
}

fn parts(chain: &Chain) -> Finding {
    let each = chain.pieces.iter().map(|piece| {
        let report = &piece.solution.report;
        vec![
            Quantity::frame("start", chain.shown.clock.number(piece.ready.begin)),
            Quantity::count("frames", piece.moves.frames()),
            Quantity { name: "status", unit: "", value: Value::Word(report.status.name()) },
            Quantity::count("feedback_iterations", report.feedback_iterations),
            Quantity::count("iterations", report.iterations),
            Quantity::count("rollouts", report.rollouts),
            Quantity::count("gradients", report.gradients),
            Quantity::number("energy", "", report.cost.energy),
            Quantity::number("penalty", "", report.cost.penalty),
            Quantity::number("effort", "", report.effort),
            Quantity::number("lost_velocity", "", piece.ready.lost.velocity),
        ]
    });
    let line = |(k, piece): (usize, &std::sync::Arc<Piece>)| {
        let report = &piece.solution.report;
        let (from, frames) = (chain.shown.clock.number(piece.ready.begin), piece.moves.frames());
        let mut line = format!("{k}: frames {from} to {}, {}", from + frames as i32, report.status.name());
        if piece.ready.lost.velocity >= TOLD {
            line += &format!("\n   loses {:.0} % of the kinetic energy", 100.0 * piece.ready.lost.velocity);
        }
        line
    };
    let lines: Vec<String> = (1..).zip(&chain.pieces).map(line).collect();
    Finding {
        key: "segments",
        title: "segments",
        text: (chain.pieces.len() > 1).then(|| lines.join("\n")),
        is_detail: false,
        found: Findings::Several(each.collect()),
    }
}

/// The frame at which the volume is farthest from that at rest.
fn volume(key: &'static str, title: &'static str, changes: &[f64], shown: &Shown) -> Finding {
    let worst = changes.iter().enumerate().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
    Finding {
        key,
        title,
        text: worst.map(|(frame, change)| {
            format!("{:+.1} % at frame {}", 100.0 * change, shown.clock.number(frame))
        }),
        is_detail: key == "spline_volume",
        found: worst.map_or(Findings::None, |(frame, change)| {
            Findings::One(vec![
                Quantity::number("change", "", *change),
                Quantity::frame("frame", shown.clock.number(frame)),
            ])
        }),
    }
}

/// The size of the control forces, frame by frame, weighed by mass.
fn forces(chain: &Chain) -> Curve {
    let mut values = Vec::new();
    if let Some(piece) = chain.pieces.first() {
        values.resize(piece.ready.begin, 0.0);
    }
    for piece in &chain.pieces {
        let r = piece.ready.basis.coordinates();
        let size = |w: &[f64]| w.iter().map(|w| w * w).sum::<f64>().sqrt();
        values.extend(piece.solution.forces.chunks_exact(r).map(size));
    }
    values.resize(chain.shown.clock.frames, 0.0);
    Curve { key: "control_force", title: "Control force", unit: "N/√kg", values }
}

/// What the motion cost after every step of the solver, one part after the other.
fn costs(chain: &Chain) -> Curve {
    let values = chain.pieces.iter().flat_map(|piece| &piece.costs).copied().collect();
    Curve { key: COST_BY_ITERATION, title: "Cost by iteration", unit: "", values }
}

fn warnings(setup: &Setup, chain: &Chain, poses: &[PoseOutcome]) -> Vec<String> {
    let all: Vec<_> = chain.pieces.iter().map(|piece| (&piece.ready.made, &piece.ready.stretch)).collect();
    let mut warnings: Vec<String> = timing::warning(chain.timing.mean, &all).into_iter().collect();
    let mut buckled: Vec<String> = Vec::new();
    for (made, stretch) in all {
        for ((_, pose), found) in stretch.poses.iter().zip(made.poses.iter().skip(1)) {
            let number = pose.number;
            if found.negative_eigenvalues > 0 {
                buckled.push(number.to_string());
            }
            if found.held_offset > MISSED * setup.size {
                let part = 100.0 * found.held_offset / setup.size;
                warnings.push(format!(
                    "pose {number} has anchored vertices elsewhere, by up to {part:.1} % of the size; they stay where \
                     they are"
                ));
            }
        }
    }
    let (whose, does, its) = match buckled.len() {
        0 | 1 => ("pose", "is", "its load it"),
        _ => ("poses", "are", "their loads they"),
    };
    if !buckled.is_empty() {
        let numbers = buckled.join(", ");
        warnings.push(format!(
            "{whose} {numbers} {does} buckled: without {its} would fall into another shape, and the motion may turn out \
             unexpectedly there"
        ));
    }
    let missed = poses.iter().filter(|pose| pose.is_hard && pose.farthest > 0.01 * setup.size);
    warnings.extend(missed.map(|pose| {
        format!("pose {} is missed by {:.1} % of the size", pose.number, 100.0 * pose.farthest / setup.size)
    }));
    warnings
}
