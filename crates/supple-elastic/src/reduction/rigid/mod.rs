//! The rigid motion of a body that floats, apart from its deformation.
//!
//! > y = c + T (x − x̄ + d)
//!
//! x̄ is the centre of mass at rest, c the one of the pose, T the turn that leaves least to the deformation d: it makes
//! Σ m |d|² minimal. Then Σ m d = 0 and Σ m (x − x̄) × d = 0, so that d has no part of a rigid motion at rest.

mod path;

pub use path::{RigidPath, RigidState};

use crate::ElasticBody;
use nalgebra::Matrix3;
use supple_mesh::Vec3;

/// Where a body that floats is, and how it is turned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidMotion {
    /// c, where the centre of mass is.
    pub centre: Vec3,
    /// T, how the body is turned from rest.
    pub turn: Matrix3<f64>,
}

impl RigidMotion {
    /// Where the body is at rest.
    #[must_use]
    pub fn rest(body: &ElasticBody) -> Self {
        let _ = body;
        todo!()
    }

    /// The rigid motion nearest to a displacement, three numbers per vertex, in the mass of the body.
    ///
    /// # Panics
    /// When there are not three numbers per vertex.
    #[must_use]
    pub fn nearest(body: &ElasticBody, displacement: &[f64]) -> Self {
        let _ = (body, displacement);
        todo!()
    }

    /// d of a displacement, three numbers per vertex: what is left when the body is moved back.
    ///
    /// # Panics
    /// When there are not three numbers per vertex.
    #[must_use]
    pub fn apart(&self, body: &ElasticBody, displacement: &[f64]) -> Vec<f64> {
        let _ = (body, displacement);
        todo!()
    }

    /// Overwrites `out` with the displacement of the deformation d under this motion.
    ///
    /// # Panics
    /// When there are not three numbers per vertex.
    pub fn joined(&self, body: &ElasticBody, deformation: &[f64], out: &mut [f64]) {
        let _ = (body, deformation, out);
        todo!()
    }

    /// Forces or other directions, three numbers each, as the body sees them: Tᵀ f.
    #[must_use]
    pub fn directions_apart(&self, directions: &[f64]) -> Vec<f64> {
        let _ = directions;
        todo!()
    }
}
