//! The keys of a solved motion for the eye: every time at which something is asked, with what is asked then.
//!
//! | asked | seen |
//! |---|---|
//! | places of points, each or their mean | the vertices they ride on, moved by what the points lack |
//! | the centre of mass | its own place |
//! | parts seen from the centre of mass, in flight | the parts, and where the centre of mass is |
//! | a velocity | where its points are, and how fast they shall move |
//! | the whole body: a hard pose, rest at an end | all vertices |

use super::chain::Chain;
use super::fit;
use super::ground::center_of_mass;
use super::part::{Asker, Part};
use super::piece::{Key, Piece};
use super::setup::Setup;
use super::solving::is_whole;
use super::stretch::{Stretch, StretchEnds, times};
use crate::key_poses::KeyPose;
use crate::method::{Asked, KeyMoment};
use crate::shot::Goal;
use std::collections::BTreeMap;
use supple_mesh::Vec3;
use supple_model::{Instant, VertexId};
use supple_spacetime::{KeyState, Order};

/// At most so many arrows for velocities that are asked point by point.
const ARROWS: usize = 24;

/// All keys of a motion, in their order.
pub(super) fn moments(setup: &Setup, stretches: &[Stretch], chain: &Chain) -> Vec<KeyMoment> {
    let start = f64::from(chain.clock.start.0);
    let mut all = Vec::new();
    for (index, (stretch, piece)) in stretches.iter().zip(&chain.pieces).enumerate() {
        let seen = Seen { setup, stretch, piece };
        for (at, asked) in seen.all(index == 0) {
            let at = at.frames();
            all.push(KeyMoment {
                time: start + chain.begins[index] + at,
                segment: (!setup.shot.edit.segments.is_empty()).then_some(index + 1),
                positions: piece.positions(at).into_iter().map(Into::into).collect(),
                asked,
            });
        }
    }
    all
}

/// A part of a motion, looked at.
struct Seen<'a> {
    setup: &'a Setup,
    stretch: &'a Stretch,
    piece: &'a Piece,
}

impl Seen<'_> {
    /// What is asked, time by time.
    fn all(&self, is_first: bool) -> BTreeMap<Instant, Vec<Asked>> {
        let mut all: BTreeMap<Instant, Vec<Asked>> = BTreeMap::new();
        let piece = self.piece;
        for key in &piece.keys {
            all.entry(Instant::new(key.at)).or_default().extend(self.key(key));
        }
        for pose in self.stretch.poses.iter().filter(|pose| is_whole(pose)) {
            // They were all found inside when it was solved.
            for at in times(&pose.when, piece.length, &self.setup.shot.motion).unwrap_or_default() {
                all.entry(Instant::new(at)).or_default().push(self.pose(pose, at));
            }
        }
        if let StretchEnds::Open { free_start, free_end } = self.stretch.ends {
            let ends = [(is_first && !free_start, 0.0), (!free_end, piece.length)];
            for (_, at) in ends.into_iter().filter(|(is_given, _)| *is_given) {
                all.entry(Instant::new(at)).or_insert_with(|| vec![self.whole(at)]);
            }
        }
        all
    }

    /// The body as it is: it is given there.
    fn whole(&self, at: f64) -> Asked {
        let places = self.piece.positions(at).into_iter().enumerate();
        Asked::Places(places.map(|(v, place)| (VertexId::new(v), place)).collect())
    }

    fn pose(&self, pose: &KeyPose, at: f64) -> Asked {
        let (body, placement) = (&self.piece.body, self.piece.placement_at(at));
        let mut u = pose.displacement.clone();
        if self.piece.flies() {
            fit::about_center(body, &mut u);
        }
        let local = body.positions().iter().zip(u.chunks_exact(3)).enumerate();
        let place = |(v, (X, u)): (usize, (&Vec3, &[f64]))| {
            (VertexId::new(v), placement.place(&(X + Vec3::from_column_slice(u))))
        };
        Asked::Places(local.map(place).collect())
    }

    fn key(&self, key: &Key) -> Vec<Asked> {
        let places = self.piece.positions(key.at);
        let values = key.goal.values(KeyState { position: &key.state.0, velocity: &key.state.1 });
        let mut all = Vec::new();
        for (part, values) in key.goal.parts().iter().zip(values) {
            match part.order {
                Order::Velocity => all.extend(self.velocities(part, key.at, &places)),
                Order::Position => all.push(self.places(part, &values, key.at, &places)),
            }
        }
        let is_seen_from_center = key.goal.parts().iter().any(|part| part.from_center);
        if self.piece.flies() && is_seen_from_center {
            all.push(Asked::Center(mean(&center_of_mass(&self.piece.body), &places)));
        }
        all
    }

    /// Where a part is asked to be: what its points lack is lacked by all that they ride on.
    fn places(&self, part: &Part, values: &[Vec3], at: f64, places: &[Vec3]) -> Asked {
        let placement = self.piece.placement_at(at);
        let rest = self.piece.body.positions();
        let is_between_points = part.relative.is_some() && !self.piece.flies();
        let errors = part.errors(values, 1.0);
        let mut all = Vec::new();
        for (index, row) in part.points.iter().enumerate() {
            let lacking: Vec3 = part.directions().map(|d| d * d.dot(&errors[index])).sum();
            let shown = mean(row, places);
            let goal = match is_between_points {
                true => shown - placement.turn * lacking,
                false => placement.place(&(mean(row, rest) + values[index] + part.base[index] - lacking)),
            };
            if row.len() == places.len() {
                return Asked::Center(goal);
            }
            all.extend(row.iter().map(|(v, _)| (*v, places[v.index()] + goal - shown)));
        }
        Asked::Places(all)
    }

    /// How fast a part is asked to move: all of it alike by a handle, point by point by a pose.
    fn velocities(&self, part: &Part, at: f64, places: &[Vec3]) -> Vec<Asked> {
        let handle = self.stretch.handles.iter().find(|(number, _)| part.asker == Asker::Handle(*number));
        if let Some(Goal::Velocity(velocity)) = handle.map(|(_, handle)| &handle.goal) {
            let points = part.points.iter().zip(&part.shares);
            let at = points.map(|(row, share)| mean(row, places) * *share).sum();
            return vec![Asked::Velocity { at, velocity: (*velocity).into() }];
        }
        let (turn, pace) = (self.piece.placement_at(at).turn, self.setup.pace());
        let falling =
            self.piece.entry.flight.map_or(Vec3::zeros(), |flight| flight.speed_at(at * self.piece.dt));
        let each = part.points.iter().zip(part.aim.targets(1.0));
        let arrow = |(row, own): (&Vec<(VertexId, f64)>, Vec3)| Asked::Velocity {
            at: mean(row, places),
            velocity: (turn * own + falling) * pace,
        };
        each.step_by(part.points.len().div_ceil(ARROWS).max(1)).map(arrow).collect()
    }
}

fn mean(row: &[(VertexId, f64)], places: &[Vec3]) -> Vec3 {
    row.iter().map(|(v, share)| places[v.index()] * *share).sum()
}
