//! A smooth rigid motion through given ones.

use super::RigidMotion;
use supple_mesh::Vec3;

/// A rigid motion on its way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidState {
    /// Where it is.
    pub motion: RigidMotion,
    /// ċ, metres per second.
    pub velocity: Vec3,
    /// How fast it turns, radians per second, about axes of space.
    pub spin: Vec3,
}

/// A rigid motion over time.
#[derive(Clone, Debug)]
pub struct RigidPath {
    times: Vec<f64>,
    states: Vec<RigidState>,
}

impl RigidPath {
    /// The path through motions at ascending times, seconds; `begin` is ċ and the spin it begins with, free when there is
    /// none. `None` when there is no motion, times do not ascend, or a number is not finite.
    #[must_use]
    pub fn through(knots: &[(f64, RigidMotion)], begin: Option<(Vec3, Vec3)>) -> Option<Self> {
        let _ = (knots, begin);
        todo!()
    }

    /// Where it is at any time. Before the first knot and after the last it goes on as it is there.
    #[must_use]
    pub fn at(&self, time: f64) -> RigidState {
        let _ = (time, &self.times, &self.states);
        todo!()
    }
}
