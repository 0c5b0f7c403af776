//! All parts of a motion, one after the other: each begins as the one before ends.

use super::entry::Ended;
use super::piece::Piece;
use super::setup::Setup;
use super::stretch::{Span, Stretch};
use crate::method::error::EditError;
use crate::method::keyed::WholeKey;
use crate::shot::{At, Goal, Land, Length, Shot, Site, When};
use std::sync::Arc;
use supple_mesh::Vec3;
use supple_model::{Clock, Progress};

/// A motion that was solved.
pub(super) struct Chain {
    pub pieces: Vec<Arc<Piece>>,
    /// Where each begins, in frames from the first.
    pub begins: Vec<f64>,
    /// How far vertices are apart where two meet, as a part of the size.
    pub jumps: Vec<f64>,
    pub clock: Clock,
    /// How long it is, in frames: a flight that comes last ends between two.
    pub length: f64,
}

/// A motion that was solved, and what it was solved for.
pub(super) struct Known {
    pub setup: Setup,
    pub stretches: Vec<Stretch>,
    pub chain: Arc<Chain>,
}

impl Known {
    /// How many of the first parts are the same.
    fn same(&self, setup: &Setup, stretches: &[Stretch]) -> usize {
        if !self.setup.is_same(setup) || self.stretches.len() != stretches.len() {
            return 0;
        }
        self.stretches.iter().zip(stretches).take_while(|(a, b)| a.is_same(b)).count()
    }
}

impl Chain {
    /// Solves all parts: those that are `known` are taken from there, others begin where they are in `from`, if they are.
    pub fn solve(
        setup: &Setup,
        stretches: &[Stretch],
        (known, from): (Option<&Known>, Option<&Self>),
        progress: &Progress,
    ) -> Result<Self, EditError> {
        let same = known.map_or(0, |known| known.same(setup, stretches));
        let (pieces, begins, jumps) = (Vec::new(), Vec::new(), Vec::new());
        let length = setup.clock.frames.saturating_sub(1) as f64;
        let mut chain = Self { pieces, begins, jumps, clock: setup.clock, length };
        let count = stretches.len();
        let (mut begin, mut ended): (f64, Option<Ended>) = (0.0, None);
        for (index, stretch) in stretches.iter().enumerate() {
            let share = |index: usize| index as f64 / count as f64;
            let progress = progress.part(share(index), share(index + 1));
            let is_last = index + 1 == count;
            // The last one ends at a frame.
            let longer = |length: f64| match stretch.span {
                Span::Frames(_) if is_last => (begin + length - 1e-9).ceil() - begin,
                _ => length,
            };
            let piece = match known.filter(|_| index < same) {
                Some(known) => known.chain.pieces[index].clone(),
                None => {
                    let from = from.and_then(|from| from.pieces.get(index)).map(|piece| &**piece);
                    let which = (stretch, index + 1);
                    Arc::new(Piece::solve(setup, which, ended.as_ref(), longer, from, &progress)?)
                }
            };
            chain.jumps.push(
                ended
                    .as_ref()
                    .map_or(0.0, |ended| apart(&ended.positions, &piece.positions(0.0)) / setup.size),
            );
            chain.begins.push(begin);
            begin += piece.length;
            ended = (!is_last).then(|| piece.ended());
            chain.pieces.push(piece);
        }
        if !setup.shot.edit.segments.is_empty() {
            chain.length = begin;
            chain.clock.frames = (begin + 1e-9).floor() as usize + 1;
        }
        Ok(chain)
    }

    /// The part at a time, in frames from the first, and the frames since it began.
    pub fn piece_at(&self, time: f64) -> (&Piece, f64) {
        let index = self.begins.iter().rposition(|begin| *begin <= time).unwrap_or(0);
        let piece = &self.pieces[index];
        (piece, (time - self.begins[index]).clamp(0.0, piece.length))
    }

    /// The whole body wherever something is asked; in a chain of segments or not.
    pub fn keys(&self, setup: &Setup) -> Vec<WholeKey> {
        let is_chain = !setup.shot.edit.segments.is_empty();
        let parts = self.pieces.iter().zip(&self.begins).enumerate();
        parts
            .flat_map(|(index, (piece, begin))| {
                piece.times.iter().map(move |&at| {
                    let time = f64::from(self.clock.start.0) + begin + at;
                    let when = match is_chain {
                        true if at >= piece.length => When::At(At::End),
                        true => When::At(At::Frames(at)),
                        false => When::at_time(time),
                    };
                    let [u, v] = piece.whole(at);
                    let rest = setup.body.positions().iter().zip(u.chunks_exact(3));
                    let positions = rest.map(|(X, u)| (X + Vec3::from_column_slice(u)).into()).collect();
                    let told = |v: &[f64]| (Vec3::from_column_slice(v) * setup.pace()).into();
                    let velocities = v.chunks_exact(3).map(told).collect();
                    WholeKey { segment: is_chain.then_some(index + 1), when, time, positions, velocities }
                })
            })
            .collect()
    }

    /// Where the vertices are at a time, in frames from the first.
    pub fn positions(&self, time: f64) -> Vec<Vec3> {
        let (piece, at) = self.piece_at(time);
        piece.positions(at)
    }
}

fn apart(a: &[Vec3], b: &[Vec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
}

/// How long the motion of a shot will be, as far as it can be known before it is solved: flights by the velocity that is
/// asked of the centre of mass before them, else a second.
pub fn nominal_lengths(shot: &Shot, center: Vec3) -> Vec<f64> {
    let fps = shot.motion.clock().fps;
    let gravity = Vec3::from(shot.edit.gravity.unwrap_or_default());
    let segments = &shot.edit.segments;
    let length = |(index, segment): (usize, &crate::shot::Segment)| match segment.length {
        Length::Frames(frames) => frames,
        Length::Flight(flight) => {
            let before = index.checked_sub(1).and_then(|before| segments.get(before));
            let asked = before.and_then(|before| {
                before.handles.iter().find_map(|handle| match (&handle.site, &handle.goal, &handle.when) {
                    (Site::CenterOfMass, Goal::Velocity(v), When::At(At::End)) => Some(Vec3::from(*v)),
                    _ => None,
                })
            });
            let Some(speed) = asked.filter(|_| gravity.norm() > 0.0) else { return fps };
            let way = super::flight::Ballistic { from: center, speed, gravity };
            let height = match flight.land {
                Land::Height(height) => height,
                Land::Rest => way.up().dot(&center),
            };
            way.lands(height).map_or(fps, |seconds| seconds * fps)
        }
    };
    segments.iter().enumerate().map(length).collect()
}

/// How many frames that makes.
pub(crate) fn nominal_frames(shot: &Shot, center: Vec3) -> usize {
    if shot.edit.segments.is_empty() {
        return shot.motion.clock().frames;
    }
    let length: f64 = nominal_lengths(shot, center).iter().sum();
    ((length - 1e-9).ceil().max(0.0) as usize).saturating_add(1)
}
