//! How far a vertex was from everything when it was asked last: until it has gone that far it touches nothing.

use supple_mesh::{Obstacles, Vec3};

/// Rounding in a clearance, as a part of it.
pub(crate) const SLACK: f64 = 1e-9;

/// Where a vertex was when it was asked last, and how far it was from everything.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clear {
    at: Vec3,
    /// Not positive inside of something.
    pub radius: f64,
}

impl Clear {
    /// Nothing is known yet.
    pub fn unknown() -> Self {
        Self { at: Vec3::zeros(), radius: 0.0 }
    }

    /// Asks about x.
    pub fn of(obstacles: &Obstacles, x: &Vec3) -> Self {
        Self { at: *x, radius: obstacles.clearance(x) }
    }

    /// How far x is from everything at least, as far as is known.
    pub fn left(&self, x: &Vec3) -> f64 {
        self.radius * (1.0 - SLACK) - (x - self.at).norm()
    }
}
