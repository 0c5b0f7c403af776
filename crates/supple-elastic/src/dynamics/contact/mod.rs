//! Contact of points of a body with obstacles that do not move.
//!
//! What collides are vertices, or points that ride on several vertices (`point.rs`). Within a step, a point
//! that starts at x₀ has to end in front of a few planes: those of what is near x₀,
//! and those it would enter on its way ([`Obstacle`](supple_mesh::Obstacle) finds both). A step is solved in
//! rounds:
//!
//! ```text
//! planes ← near(x₀), entered(x₀ → where it coasts to)
//! repeat:
//!   let planes, friction and x settle, the planes soft            ../settle.rs
//!   x ← the minimum of Φ with the energy of these planes          touch.rs
//!   add the planes of entered(x₀ → x) that do not hold yet
//!   once: take friction from the normal forces at x
//! until no plane was added and friction stays
//! velocities: obstacles stop, they do not throw back               impulses.rs
//! ```
//!
//! Planes are only added, so rounds end; the few points that a last round still leaves inside are stopped
//! where they entered. A plane is a spring of k = `STIFFNESS` m/h² at a point of mass m: where it bears the
//! weight of N points, it stays N g h²/`STIFFNESS` deep in the obstacle. Linear systems are solved by
//! factorization, which stiff springs do not slow.

mod impulses;
mod point;
mod surroundings;
mod touch;
mod touches;

pub(super) use point::Point;
pub(super) use surroundings::Surroundings;
pub(super) use touch::Touch;
pub(super) use touches::{Contacts, Touches};

use crate::ElasticBody;
use supple_mesh::Vec3;

/// The stiffness of a plane at a point of mass m, in units of m/h².
const STIFFNESS: f64 = 1e5;
/// That of planes while it is found out what they bear.
const SOFT: f64 = 1e2;

/// The body a step is about, and the step's length.
pub(super) struct ContactStep<'a> {
    /// Where the vertices are at rest.
    pub rest: &'a [Vec3],
    pub masses: &'a [f64],
    /// All that may collide.
    pub points: &'a [Point],
    /// h.
    pub seconds: f64,
}

impl<'a> ContactStep<'a> {
    pub fn new(body: &'a ElasticBody, surroundings: Option<&'a Surroundings>, seconds: f64) -> Self {
        let points = surroundings.map_or(&[][..], Surroundings::points);
        Self { rest: body.positions(), masses: body.masses(), points, seconds }
    }

    /// m/h² of a point.
    fn unit(&self, point: usize) -> f64 {
        self.points[point].mass() / (self.seconds * self.seconds)
    }

    /// Where a point is when the vertices are displaced by `u`.
    pub fn position(&self, u: &[f64], point: usize) -> Vec3 {
        self.points[point].position(self.rest, u)
    }
}
