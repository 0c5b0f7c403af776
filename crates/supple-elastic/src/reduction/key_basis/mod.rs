//! The basis of a control problem: q = q₀ + U z, few coordinates in which a motion from key to key lies
//! (Barbič, da Silva and Popović 2009, §4.3).
//!
//! q₀ is the pose the motion begins in; with q̄₀ = q₀ poses follow each other, and f_i is the load that holds q̄_i. Between
//! two of them lies the *arc* of static poses under loads in between, R(q(α)) = (1 − α) f_i + α f_{i+1}, whose tangents are
//!
//! > K(q̄_i) T⁰ = f_{i+1} − f_i,   K(q̄_{i+1}) T¹ = f_{i+1} − f_i   (Eq. 6).
//!
//! ```text
//! columns: q̄_i − q₀ and fields that are kept whole; tangents; static poses inside arcs; modes;
//!          principal components of recorded poses, without what is there already (Eq. 9)
//! mass-Gram–Schmidt, twice, in this order; what is a combination of columns before is dropped
//! more than the size: mass-PCA of all but keys and kept fields, without what these have
//! turn U until UᵀK(0)U is diagonal
//! ```
//!
//! | symbol | name | shape |
//! |---|---|---|
//! | q₀ | start | 3n |
//! | U | basis | 3 per free vertex × r, UᵀMU = I |
//! | z̄ = UᵀM(q̄ − q₀) | coordinates | r |
//!
//! A body that floats is seen from a frame that moves along, see [`crate::RigidMotion`]: poses are deformations d with
//! NᵀMd = 0, N the rigid motions at rest, and so is every column. Tangents solve K T + M N λ = f_{i+1} − f_i, NᵀMT = 0 (in
//! place of Eq. 7–8, where N is the null space of K: loads that only push or turn have no part in either).

mod error;
mod report;
mod settings;

pub use error::KeyBasisError;
pub use report::{ArcReport, KeyBasisReport, Origin, OriginReport, PoseOfBasis};
pub use settings::{KeyBasisSettings, KeyPose};

use super::Basis;
use crate::{ElasticBody, FreeVertices};
use faer::Mat;
use std::sync::Arc;
use supple_model::Progress;

/// q = q₀ + U z: the poses that a motion between keys is made of.
#[derive(Clone, Debug)]
pub struct KeyBasis {
    start: Arc<[f64]>,
    basis: Arc<Basis>,
    /// M over free coordinates.
    masses: Arc<[f64]>,
}

impl KeyBasis {
    /// The basis of a motion that begins in the pose `start` and meets `keys` in their order, over the vertices of `free`:
    /// the others stay where `start` has them. A body without held vertices floats.
    ///
    /// # Errors
    /// See [`KeyBasisError`].
    ///
    /// # Panics
    /// When `free` is of another body.
    pub fn new(
        body: &Arc<ElasticBody>,
        free: &FreeVertices,
        start: &[f64],
        keys: &[KeyPose<'_>],
        settings: &KeyBasisSettings<'_>,
        progress: &Progress,
    ) -> Result<(Self, KeyBasisReport), KeyBasisError> {
        let _ = (body, free, start, keys, settings, progress);
        todo!()
    }

    /// A basis that was made earlier and kept somewhere: U has three rows per free vertex. `None` when sizes do not fit or
    /// UᵀMU is not the identity.
    #[must_use]
    pub fn from_parts(
        body: &ElasticBody,
        free: &FreeVertices,
        start: &[f64],
        shapes: Mat<f64>,
    ) -> Option<Self> {
        let _ = (body, free, start, shapes);
        todo!()
    }

    /// r, how many coordinates there are.
    #[must_use]
    pub fn coordinates(&self) -> usize {
        self.basis.modes()
    }

    /// q₀.
    #[must_use]
    pub fn start(&self) -> &[f64] {
        &self.start
    }

    /// U.
    #[must_use]
    pub fn basis(&self) -> &Arc<Basis> {
        &self.basis
    }

    /// z = UᵀM(q − q₀) of a pose, three numbers per vertex, and the largest part of q − q₀ on a free vertex that the basis
    /// does not have, metres.
    ///
    /// # Panics
    /// When there are not three numbers per vertex.
    #[must_use]
    pub fn coordinates_of(&self, pose: &[f64]) -> (Vec<f64>, f64) {
        let _ = pose;
        todo!()
    }

    /// ż = UᵀM v of a velocity, three numbers per vertex, and the part of its kinetic energy that the basis does not have,
    /// 0 to 1.
    ///
    /// # Panics
    /// When there are not three numbers per vertex.
    #[must_use]
    pub fn velocity_of(&self, velocity: &[f64]) -> (Vec<f64>, f64) {
        let _ = velocity;
        todo!()
    }

    /// Uᵀ f of a force, three numbers per vertex.
    ///
    /// # Panics
    /// When there are not three numbers per vertex.
    #[must_use]
    pub fn force_of(&self, force: &[f64]) -> Vec<f64> {
        let _ = force;
        todo!()
    }

    /// M U w: the force on every vertex, newtons, that is w in the coordinates and does no work along what the basis does
    /// not have.
    ///
    /// # Panics
    /// When `w` has not an entry per coordinate or `out` not three numbers per vertex.
    pub fn spread_force(&self, w: &[f64], out: &mut [f64]) {
        let _ = (w, out);
        todo!()
    }

    /// Overwrites `out`, three numbers per vertex and state, with q₀ + U z of several states, one after the other.
    ///
    /// # Panics
    /// When `z` has not an entry per coordinate of every state, or `out` not three numbers per vertex of it.
    pub fn poses(&self, z: &[f64], out: &mut [f64]) {
        let _ = (z, out);
        todo!()
    }
}
