//! One part of a motion, solved: the keys that are asked, the least costly motion through them, and that motion at any
//! time.
//!
//! A part of ℓ frames is ⌈ℓ⌉ frames of its kernel, which are as much shorter: kernels begin and end at frames, parts
//! anywhere.

use super::entry::{Ended, Entry, Lost};
use super::figure::Figure;
use super::goal::{Leftover, WarpedGoal};
use super::ground::{Ground, center_at_rest};
use super::linear::LinearGoal;
use super::part::{Asker, Part};
use super::placement::Placement;
use crate::body::Body;
use std::sync::Arc;
use supple_mesh::Vec3;
use supple_model::{Instant, VertexId};
use supple_spacetime::{Goal, KeyState, Order, Path, SparseReport, SparseSolution};

/// A part of a motion that was solved.
pub(super) struct Piece {
    pub body: Arc<Body>,
    pub ground: Arc<Ground>,
    /// How it begins.
    pub entry: Entry,
    /// Frames.
    pub length: f64,
    /// Frames of the kernel.
    pub inner: f64,
    pub path: Path,
    pub keys: Vec<Key>,
    /// All times at which something is asked, poses too; frames from the start, ascending.
    pub times: Vec<f64>,
    /// The whole pose that is given at the end: the displacement from rest.
    pub end_pose: Option<Vec<f64>>,
    pub solution: SparseSolution,
    /// Frames over which what is left of the shape before fades.
    pub fade: f64,
    /// Seconds of the body's own time per frame.
    pub dt: f64,
    pub warps: bool,
}

/// All that is asked at one time.
pub(super) struct Key {
    /// Frames from the start.
    pub at: f64,
    pub goal: KeyGoal,
    /// What was found.
    pub state: (Vec<f64>, Vec<f64>),
}

/// What a key asks for, and how what came of it is seen.
pub(super) enum KeyGoal {
    Warped(Arc<WarpedGoal>),
    Linear(Arc<LinearGoal>),
    /// Asked of the linear motion, which is warped afterwards.
    WarpedAfter {
        asked: Arc<LinearGoal>,
        seen: WarpedGoal,
    },
}

impl KeyGoal {
    /// What is solved for.
    pub fn goal(&self) -> Arc<dyn Goal> {
        match self {
            Self::Warped(goal) => goal.clone(),
            Self::Linear(goal) | Self::WarpedAfter { asked: goal, .. } => goal.clone(),
        }
    }

    pub fn parts(&self) -> &[Part] {
        match self {
            Self::Warped(goal) => goal.parts(),
            Self::Linear(goal) | Self::WarpedAfter { asked: goal, .. } => goal.parts(),
        }
    }

    /// What is read on the motion as it is written.
    pub fn values(&self, state: KeyState<'_>) -> Vec<Vec<Vec3>> {
        match self {
            Self::Warped(goal) => goal.values(state),
            Self::WarpedAfter { seen, .. } => seen.values(state),
            Self::Linear(goal) => goal.values(state),
        }
    }
}

/// What became of a handle or pose at one time.
pub(super) struct PartOutcome {
    pub asker: Asker,
    /// Frames from the start.
    pub at: f64,
    pub of_velocity: bool,
    pub is_hard: bool,
    /// How far it is off, root of the mean square; and how far it was to go.
    pub error: f64,
    pub asked: f64,
}

impl Piece {
    /// What it came to.
    pub fn report(&self) -> &SparseReport {
        &self.solution.report
    }

    pub fn lost(&self) -> Lost {
        self.entry.lost
    }

    pub fn flies(&self) -> bool {
        self.ground.flies
    }

    /// What became of all that was asked.
    pub fn outcomes(&self) -> Vec<PartOutcome> {
        let mut all = Vec::new();
        for key in &self.keys {
            let values = key.goal.values(KeyState { position: &key.state.0, velocity: &key.state.1 });
            for (part, values) in key.goal.parts().iter().zip(values) {
                let (error, asked) = part.measured(&values);
                let of_velocity = part.order == Order::Velocity;
                let (asker, at, is_hard) = (part.asker, key.at, part.is_hard);
                all.push(PartOutcome { asker, at, of_velocity, is_hard, error, asked });
            }
        }
        all
    }

    /// Where keys on positions hold points at a time, and where they were asked to be.
    pub fn marks(&self, at: f64) -> Vec<(Asker, Vec3, Vec3)> {
        let mut all = Vec::new();
        for key in self.keys.iter().filter(|key| (key.at - at).abs() < 0.5) {
            let values = key.goal.values(KeyState { position: &key.state.0, velocity: &key.state.1 });
            for (part, values) in key.goal.parts().iter().zip(values) {
                if part.order == Order::Velocity || (part.relative.is_some() && !self.ground.flies) {
                    continue;
                }
                let errors = part.errors(&values, 1.0);
                let place = self.placement_at(key.at);
                for ((row, value), (error, base)) in
                    part.points.iter().zip(&values).zip(errors.iter().zip(&part.base))
                {
                    let rest: Vec3 =
                        row.iter().map(|(v, share)| self.body.positions()[v.index()] * *share).sum();
                    let lacking: Vec3 = part.directions().map(|d| d * d.dot(error)).sum();
                    let now = rest + value + base;
                    all.push((part.asker, place.place(&now), place.place(&(now - lacking))));
                }
            }
        }
        all
    }

    /// Where the rest shape stands at a time.
    pub fn placement_at(&self, at: f64) -> Placement {
        let mut placement = self.entry.placement;
        if let Some(flight) = &self.entry.flight {
            placement.shift = flight.at(at * self.dt) - placement.turn * center_at_rest(&self.body);
        }
        placement
    }

    /// z and ż at a time.
    fn state(&self, at: f64) -> [Vec<f64>; 2] {
        let at = inner_time(at, self.length, self.inner);
        [Order::Position, Order::Velocity].map(|order| {
            let mut x = vec![0.0; self.ground.basis.modes()];
            self.path.at(at, order, &mut x);
            x
        })
    }

    /// The body at a time, to be read by z and ż.
    fn figure(&self, at: f64) -> Figure<'_> {
        Figure {
            body: &self.body,
            ground: &self.ground,
            warps: self.warps,
            left: leftover(&self.entry, at, self.fade, self.dt),
            carried: self.entry.carried.as_deref(),
        }
    }

    /// Where the vertices are, so many frames from the start.
    pub fn positions(&self, at: f64) -> Vec<Vec3> {
        self.placed(&self.figure(at).displacement(&self.state(at)[0]), at)
    }

    fn placed(&self, u: &[f64], at: f64) -> Vec<Vec3> {
        let place = self.placement_at(at);
        let local = self.body.positions().iter().zip(u.chunks_exact(3));
        local.map(|(X, u)| place.place(&(X + Vec3::from_column_slice(u)))).collect()
    }

    /// The whole body at a time: where its vertices are relative to the rest shape, and how fast they move in the scene, per
    /// second of the body's own time; three numbers each.
    pub fn whole(&self, at: f64) -> [Vec<f64>; 2] {
        let ([z, speed], figure) = (self.state(at), self.figure(at));
        let falling = self.entry.flight.map_or(Vec3::zeros(), |flight| flight.speed_at(at * self.dt));
        let world = |v: &[f64]| (self.entry.placement.turn * Vec3::from_column_slice(v) + falling).data.0[0];
        let velocity = figure.velocity(&z, &speed);
        [figure.displacement(&z), velocity.chunks_exact(3).flat_map(world).collect()]
    }

    /// How it ends.
    pub fn ended(&self) -> Ended {
        let [u, velocities] = self.whole(self.length);
        let placement = self.placement_at(self.length);
        Ended { positions: self.placed(&u, self.length), velocities, placement, sent: self.sent(&placement) }
    }

    /// Where keys at the end send vertices of the body: a whole pose all of them.
    fn sent(&self, placement: &Placement) -> Vec<(VertexId, Vec3)> {
        if let Some(pose) = &self.end_pose {
            return (0..).map(VertexId::new).zip(self.placed(pose, self.length)).collect();
        }
        let mut sent = Vec::new();
        for key in self.keys.iter().filter(|key| key.at == self.length) {
            for part in key.goal.parts() {
                let places =
                    part.order == Order::Position && part.points.len() > 1 && part.asked == [true; 3];
                let seen = part.relative.is_none() || (part.from_center && self.ground.flies);
                if !(places && seen) {
                    continue;
                }
                for (row, by) in part.points.iter().zip(part.aim.targets(1.0)) {
                    if let [(v, _)] = row.as_slice() {
                        sent.push((*v, placement.place(&(self.body.positions()[v.index()] + by))));
                    }
                }
            }
        }
        sent
    }
}

/// A time of a part as its kernel counts it; the end is where the kernel ends, to the bit.
pub(super) fn inner_time(at: f64, length: f64, inner: f64) -> Instant {
    Instant::new(if at >= length { inner } else { (at * inner / length).min(inner) })
}

/// What is left of the shape before, so many frames from the start: it fades smoothly, and does not begin to at once.
pub(super) fn leftover(entry: &Entry, at: f64, fade: f64, dt: f64) -> Option<Leftover> {
    let shape = entry.left.clone()?;
    let s = if fade > 0.0 { at / fade } else { 1.0 };
    if s >= 1.0 {
        return None;
    }
    let share = (1.0 - s) * (1.0 - s) * (1.0 + 2.0 * s);
    Some(Leftover { shape, share, rate: -6.0 * s * (1.0 - s) / (fade * dt) })
}
