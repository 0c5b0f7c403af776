//! All parts of a motion, one after the other: each begins as the one before ends.

use super::entry::Entry;
use super::moves::Moves;
use super::piece::{Piece, Ready, free_start};
use super::setup::Setup;
use super::stretch::Stretch;
use super::timing::Timing;
use crate::method::error::EditError;
use crate::method::live::Iterate;
use std::sync::Arc;
use supple_mesh::Vec3;
use supple_model::{Clock, Progress};

/// A motion as far as it is known: parts one after the other, and what is before and behind them holds still.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    pub parts: Vec<Moves>,
    pub clock: Clock,
    /// Which step of the solver it is, where it is one on the way.
    pub iterate: Option<Iterate>,
}

impl Shown {
    /// The part at a time, in frames from the first, and the frames since it began.
    pub fn part_at(&self, time: f64) -> (&Moves, f64) {
        let index = self.parts.iter().rposition(|part| part.begin as f64 <= time).unwrap_or(0);
        let part = &self.parts[index];
        (part, (time - part.begin as f64).clamp(0.0, part.frames() as f64))
    }

    /// Where the vertices are at a time, in frames from the first.
    pub fn positions(&self, time: f64) -> Vec<Vec3> {
        let (part, at) = self.part_at(time);
        part.positions(at)
    }

    /// How far they are from rest, three numbers each.
    pub fn displacement(&self, time: f64) -> Vec<f64> {
        let (part, at) = self.part_at(time);
        part.displacement(at)
    }
}

/// A motion that was solved.
pub(super) struct Chain {
    pub pieces: Vec<Arc<Piece>>,
    pub timing: Timing,
    pub shown: Shown,
}

/// A motion that was solved, and what it was solved for.
pub(super) struct Known {
    pub setup: Setup,
    pub stretches: Vec<Stretch>,
    pub chain: Arc<Chain>,
}

impl Known {
    /// How many of the first parts are the same.
    fn same(&self, setup: &Setup, stretches: &[Stretch], timing: Timing) -> usize {
        if !self.setup.is_same(setup) || self.chain.timing != timing {
            return 0;
        }
        self.stretches.iter().zip(stretches).take_while(|(a, b)| a == b).count()
    }
}

/// How a motion begins, and its parts without the pose that says so; and what time their frames take.
pub(super) fn beginning(
    setup: &Setup,
    stretches: &[Stretch],
    progress: &Progress,
) -> Result<(Entry, Vec<Stretch>, Timing), EditError> {
    let mut stretches = stretches.to_vec();
    let [displacement, velocity] = setup.start.clone();
    let mut entry = Entry { displacement, velocity, step: None };
    let first = stretches.first_mut().filter(|_| !free_start(setup));
    let Some(pose) = first.and_then(Stretch::take_start) else {
        let timing = Timing::new(setup, &stretches, &entry, progress)?;
        return Ok((entry, stretches, timing));
    };
    entry.displacement = pose.displacement;
    entry.velocity.fill(0.0);
    let timing = Timing::new(setup, &stretches, &entry, progress)?;
    if let Some(velocity) = pose.velocity {
        // Poses count seconds of the playback.
        entry.velocity = velocity.iter().map(|v| v / (setup.clock.fps * timing.mean)).collect();
    }
    Ok((entry, stretches, timing))
}

/// When the frames of a motion of such parts are.
pub(super) fn clock(setup: &Setup, stretches: &[Stretch]) -> Clock {
    match stretches {
        [first, ..] if first.segment.is_some() => {
            let frames = stretches.iter().map(|stretch| stretch.frames).sum::<usize>() + 1;
            Clock { frames, ..setup.clock }
        }
        _ => setup.clock,
    }
}

impl Chain {
    /// Solves all parts; those that are `known` are taken from there. `look` sees every motion on the way.
    pub fn solve(
        setup: &Setup,
        stretches: &[Stretch],
        known: Option<&Known>,
        progress: &Progress,
        look: &mut dyn FnMut(&Shown),
    ) -> Result<Self, EditError> {
        let (mut entry, own, timing) = beginning(setup, stretches, &progress.part(0.0, 0.1))?;
        let same = known.map_or(0, |known| known.same(setup, stretches, timing));
        let mut pieces: Vec<Arc<Piece>> = Vec::new();
        let mut shown = Shown { parts: Vec::new(), clock: clock(setup, stretches), iterate: None };
        let mut begin = own.first().map_or(0, |stretch| stretch.lead);
        let (count, mut number) = (own.len() as f64, 0);
        for (index, stretch) in own.iter().enumerate() {
            let share = |part: f64| 0.1 + 0.9 * (index as f64 + part) / count;
            let piece = match known.filter(|_| index < same) {
                Some(known) => known.chain.pieces[index].clone(),
                None => {
                    let making = progress.part(share(0.0), share(0.4));
                    let ready = Ready::new(setup, stretch, timing, (&entry, begin), &making)?;
                    let mut watch = |moves: &Moves, objective: f64| {
                        number += 1;
                        let mut so_far =
                            Shown { iterate: Some(Iterate { number, objective }), ..shown.clone() };
                        so_far.parts.push(moves.clone());
                        look(&so_far);
                    };
                    Arc::new(ready.solve(setup, &progress.part(share(0.4), share(1.0)), &mut watch)?)
                }
            };
            entry = piece.ended();
            begin += stretch.frames;
            shown.parts.push(piece.moves.clone());
            pieces.push(piece);
        }
        Ok(Self { pieces, timing, shown })
    }
}
