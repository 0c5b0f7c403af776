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

mod arcs;
mod columns;
mod error;
mod problem;
mod report;
mod settings;
mod tangents;

pub use error::KeyBasisError;
pub use report::{ArcReport, KeyBasisReport, Origin, OriginReport, PoseOfBasis};
pub use settings::{KeyBasisSettings, KeyPose};

use super::Basis;
use super::orthonormal::dot;
use crate::{ElasticBody, FreeVertices};
use arcs::Arcs;
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par};
use problem::Problem;
use std::sync::Arc;
use supple_mesh::Vec3;
use supple_model::Progress;

/// |UᵀMU − I| of a basis that is one.
const ORTHONORMAL: f64 = 1e-9;

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
        let problem = Problem::new(body, free, start, keys, settings)?;
        let arcs = Arcs::find(&problem, settings.samples, &progress.part(0.0, 0.7))?;
        progress.report("the basis", 0.7)?;
        let mut report = KeyBasisReport { arcs: arcs.arcs.clone(), ..KeyBasisReport::default() };
        let shapes = columns::columns(&problem, &arcs, settings, &mut report, &progress.part(0.7, 1.0))?;
        let made = Self::of(free, start, shapes, problem.masses.clone());
        report.orthonormality = made.orthonormality();
        let poses = problem.poses.iter().zip(&arcs.poses).map(|(pose, found)| {
            let (coordinates, residual) = made.coordinates_of(pose);
            PoseOfBasis {
                coordinates,
                residual,
                held_offset: problem.held_offset(pose),
                negative_eigenvalues: found.negative_eigenvalues,
                singular: found.tangents.is_none(),
            }
        });
        report.poses = poses.collect();
        Ok((made, report))
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
        let vertices = body.positions().len();
        let fits = start.len() == 3 * vertices
            && free.body_vertices() == vertices
            && shapes.nrows() == 3 * free.vertices().len()
            && shapes.ncols() > 0;
        if !fits || !start.iter().all(|q| q.is_finite()) {
            return None;
        }
        let made = Self::of(free, start, shapes, problem::masses(body, free));
        (made.orthonormality() < ORTHONORMAL).then_some(made)
    }

    fn of(free: &FreeVertices, start: &[f64], shapes: Mat<f64>, masses: Vec<f64>) -> Self {
        let basis = Arc::new(Basis::new(shapes, free.clone()));
        Self { start: start.into(), basis, masses: masses.into() }
    }

    /// The largest entry of |UᵀMU − I|.
    fn orthonormality(&self) -> f64 {
        let U = self.basis.shapes();
        let scaled = Mat::from_fn(U.nrows(), U.ncols(), |i, k| U[(i, k)] * self.masses[i]);
        let mut product = Mat::<f64>::zeros(U.ncols(), U.ncols());
        matmul(product.as_mut(), Accum::Replace, U.transpose(), scaled.as_ref(), 1.0, Par::Seq);
        product -= Mat::<f64>::identity(U.ncols(), U.ncols());
        product.norm_max()
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
        let offset: Vec<f64> = pose.iter().zip(self.start()).map(|(q, q0)| q - q0).collect();
        let offset = self.gathered(&offset);
        let z = self.along(&offset);
        let left = self.without(&offset, &z);
        (z, left.chunks_exact(3).map(|d| Vec3::from_column_slice(d).norm()).fold(0.0, f64::max))
    }

    /// ż = UᵀM v of a velocity, three numbers per vertex, and the part of its kinetic energy that the basis does not have,
    /// 0 to 1.
    ///
    /// # Panics
    /// When there are not three numbers per vertex.
    #[must_use]
    pub fn velocity_of(&self, velocity: &[f64]) -> (Vec<f64>, f64) {
        let velocity = self.gathered(velocity);
        let z = self.along(&velocity);
        let energy = |v: &[f64]| dot(&self.masses, v, v);
        let (left, whole) = (energy(&self.without(&velocity, &z)), energy(&velocity));
        (z, if whole > 0.0 { left / whole } else { 0.0 })
    }

    /// Uᵀ f of a force, three numbers per vertex.
    ///
    /// # Panics
    /// When there are not three numbers per vertex.
    #[must_use]
    pub fn force_of(&self, force: &[f64]) -> Vec<f64> {
        let force = self.gathered(force);
        let shapes = self.basis.shapes();
        shapes.col_iter().map(|u| u.iter().zip(&force).map(|(u, f)| u * f).sum()).collect()
    }

    /// M U w: the force on every vertex, newtons, that is w in the coordinates and does no work along what the basis does
    /// not have.
    ///
    /// # Panics
    /// When `w` has not an entry per coordinate or `out` not three numbers per vertex.
    pub fn spread_force(&self, w: &[f64], out: &mut [f64]) {
        self.basis.displacement(w, out);
        for (k, v) in self.basis.free().vertices().iter().enumerate() {
            for c in 0..3 {
                out[3 * v.index() + c] *= self.masses[3 * k];
            }
        }
    }

    /// Overwrites `out`, three numbers per vertex and state, with q₀ + U z of several states, one after the other.
    ///
    /// # Panics
    /// When `z` has not an entry per coordinate of every state, or `out` not three numbers per vertex of it.
    pub fn poses(&self, z: &[f64], out: &mut [f64]) {
        let (r, states) = (self.coordinates(), z.len() / self.coordinates());
        assert!(
            z.len() == r * states && out.len() == self.start.len() * states,
            "an entry per coordinate, three numbers per vertex"
        );
        self.basis.displacements(MatRef::from_column_major_slice(z, r, states), out);
        for out in out.chunks_exact_mut(self.start.len()) {
            for (q, q0) in out.iter_mut().zip(&*self.start) {
                *q += q0;
            }
        }
    }

    /// The entries of free vertices.
    fn gathered(&self, full: &[f64]) -> Vec<f64> {
        let mut free = vec![0.0; self.masses.len()];
        self.basis.free().gather(full, &mut free);
        free
    }

    /// UᵀM x.
    fn along(&self, x: &[f64]) -> Vec<f64> {
        let r = 0..self.coordinates();
        r.map(|k| {
            self.basis.shapes().col(k).iter().zip(x).zip(&*self.masses).map(|((u, x), m)| u * x * m).sum()
        })
        .collect()
    }

    /// x − U z.
    fn without(&self, x: &[f64], z: &[f64]) -> Vec<f64> {
        let mut left = x.to_vec();
        for (u, z) in self.basis.shapes().col_iter().zip(z) {
            for (left, u) in left.iter_mut().zip(u.iter()) {
                *left -= u * z;
            }
        }
        left
    }
}
