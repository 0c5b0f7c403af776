//! Contact of a body's vertices with obstacles that do not move.
//!
//! Within a step, a vertex that starts at x₀ has to end in front of a few planes: those of what is near x₀,
//! and those it would enter on its way ([`Obstacle`](supple_mesh::Obstacle) finds both). A step is solved in
//! rounds:
//!
//! ```text
//! planes ← near(x₀), entered(x₀ → where it coasts to)
//! repeat:
//!   x ← the minimum of Φ with the energy of these planes          touch.rs
//!   add the planes of entered(x₀ → x) that do not hold yet
//!   take friction from the normal forces at x
//! until no plane was added and friction stays
//! velocities: obstacles stop, they do not throw back               impulses.rs
//! ```
//!
//! Planes are only added, so rounds end; the few vertices that a last round still leaves inside are stopped
//! where they entered. A plane is a spring of k = `STIFFNESS` m/h² at a vertex of mass m: where it bears the
//! weight of N vertices, it stays N g h²/`STIFFNESS` deep in the obstacle. Linear systems are solved by
//! factorization, which stiff springs do not slow.

mod impulses;
mod surroundings;
mod touch;
mod touches;

pub(super) use surroundings::Surroundings;
pub(super) use touch::Touch;
pub(super) use touches::{Contacts, Touches};

use crate::{ElasticBody, FreeVertices};
use supple_mesh::Vec3;
use supple_model::VertexId;

/// The stiffness of a plane at a vertex of mass m, in units of m/h².
const STIFFNESS: f64 = 1e5;

/// The body a step is about, and the step's length.
pub(super) struct ContactStep<'a> {
    pub body: &'a ElasticBody,
    pub free: &'a FreeVertices,
    /// h.
    pub seconds: f64,
}

impl ContactStep<'_> {
    fn position(&self, u: &[f64], vertex: VertexId) -> Vec3 {
        let v = vertex.index();
        self.body.positions()[v] + Vec3::from_column_slice(&u[3 * v..3 * v + 3])
    }
}
