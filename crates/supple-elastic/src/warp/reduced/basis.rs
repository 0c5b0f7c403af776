//! B: the shapes that changes of a body are made of.
//!
//! Columns are orthonormal in the masses of the body, BᵀMB = I, and turned until BᵀLB is diagonal, L the Laplacian of the
//! warp for all three coordinates: what fits the gradients of a change best then needs no solve. They are zero on anchored
//! vertices, and the mean of each over the masses of a floating component is zero, as that of every change is; so L is
//! definite on them.

use super::bends::{bends, pairs_of};
use super::training::{Training, TrainingPair};
use super::{ReducedError, ReducedSettings};
use crate::reduction::orthonormal::{Orthonormal, dot};
use crate::warp::{Warp, WarpedMotion};
use crate::{Basis, FreeVertices};
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par};
use nalgebra::Matrix3;
use rayon::prelude::*;
use supple_model::Progress;
use supple_numerics::eigen::symmetric_eigen;

/// A column is in the basis already when less than this part of it is new.
const SAME: f64 = 1e-9;
/// A field that edits make less of than this part of the one they make most of does not count.
const NEGLIGIBLE: f64 = 1e-5;
/// Vertices or places worked on as one task.
const PER_TASK: usize = 256;

/// B.
#[derive(Debug)]
pub struct ReducedBasis {
    shapes: Basis,
    /// The diagonal of BᵀLB.
    stiffness: Vec<f64>,
}

impl ReducedBasis {
    /// The columns that span some fields, given over the vertices of `free`, three numbers each; those that others span
    /// already are left out. `masses` has one per vertex of the body.
    ///
    /// # Errors
    /// [`ReducedError::NothingMoves`] when nothing is left.
    ///
    /// # Panics
    /// When something is of another body.
    pub fn spanned_by(
        warp: &Warp,
        masses: &[f64],
        free: &FreeVertices,
        fields: MatRef<'_, f64>,
    ) -> Result<Self, ReducedError> {
        assert_eq!(masses.len(), warp.vertices(), "a mass for every vertex");
        let weights = free_masses(masses, free);
        let mut columns = Orthonormal::without(&weights, Vec::new());
        for k in 0..fields.ncols() {
            let field = fields.col(k).iter().copied().collect();
            columns.push(centred(warp, free, field), SAME, 0.0);
        }
        Self::turned(warp, free, columns.matrix())
    }

    /// The shapes that changes of a motion under `training` are made of: the principal components of what modes, and pairs of
    /// the leading ones, do to the body as far as the edits take them; and, where the motion bends, of the changes
    /// themselves. `masses` has one per vertex of the body.
    ///
    /// # Errors
    /// [`ReducedError::NothingMoves`], [`ReducedError::Cancelled`].
    ///
    /// # Panics
    /// When something is of another body.
    pub fn new(
        motion: &WarpedMotion,
        training: &Training,
        masses: &[f64],
        settings: &ReducedSettings,
        progress: &Progress,
    ) -> Result<Self, ReducedError> {
        let (warp, free) = (motion.warp(), motion.basis().free());
        assert_eq!(masses.len(), warp.vertices(), "a mass for every vertex");
        let mut fields = Vec::new();
        let leading = settings.leading.min(training.stations.modes());
        let bends = bends(warp, &training.stations, free, leading, &progress.part(0.0, 0.6))?;
        let pairs = training.pairs();
        let share = |of: &dyn Fn(&[f64]) -> f64| -> f64 {
            let square = |pair: &TrainingPair| {
                of(&pair.z).powi(2) / pair.z.iter().map(|z| z * z).sum::<f64>().max(f64::MIN_POSITIVE)
            };
            (pairs.iter().map(square).sum::<f64>() / pairs.len().max(1) as f64).sqrt()
        };
        for k in 0..training.stations.modes() {
            let mut field: Vec<f64> = motion.basis().shapes().col(k).iter().copied().collect();
            let weight = share(&|z| z[k]);
            field.iter_mut().for_each(|x| *x *= weight);
            fields.push(field);
        }
        for ((i, j), mut field) in pairs_of(leading).into_iter().zip(bends) {
            let weight = share(&|z| if i == j { 0.5 * z[i] * z[i] } else { z[i] * z[j] });
            field.iter_mut().for_each(|x| *x *= weight);
            fields.push(field);
        }
        progress.report("choosing shapes", 0.7)?;
        let weights = free_masses(masses, free);
        let lengths: Vec<f64> = fields.iter().map(|field| dot(&weights, field, field).sqrt()).collect();
        let least = NEGLIGIBLE * lengths.iter().copied().fold(0.0, f64::max);
        let fields: Vec<Vec<f64>> = fields
            .into_iter()
            .zip(lengths)
            .filter(|(_, length)| *length > least)
            .map(|(field, _)| field)
            .collect();
        let made = Self::principal(warp, masses, free, &fields, settings.size)?;
        progress.check()?;
        Ok(made)
    }

    /// The `size` columns that come nearest to some fields, given over the vertices of `free`, in the masses of the body:
    /// their principal components. The longer a field, the more it counts.
    ///
    /// # Errors
    /// [`ReducedError::NothingMoves`] when all are nothing.
    ///
    /// # Panics
    /// When something is of another body.
    pub fn principal(
        warp: &Warp,
        masses: &[f64],
        free: &FreeVertices,
        fields: &[Vec<f64>],
        size: usize,
    ) -> Result<Self, ReducedError> {
        assert_eq!(masses.len(), warp.vertices(), "a mass for every vertex");
        let weights = free_masses(masses, free);
        let fields: Vec<Vec<f64>> = fields.iter().map(|field| centred(warp, free, field.clone())).collect();
        let (components, _) = Orthonormal::without(&weights, Vec::new()).principal(&fields, size, SAME);
        let mut columns = Orthonormal::without(&weights, Vec::new());
        for component in components {
            columns.push(component, SAME, 0.0);
        }
        Self::turned(warp, free, columns.matrix())
    }

    /// Columns turned until BᵀLB is diagonal; the largest number of each is positive.
    pub(super) fn turned(warp: &Warp, free: &FreeVertices, columns: Mat<f64>) -> Result<Self, ReducedError> {
        let h = columns.ncols();
        if h == 0 {
            return Err(ReducedError::NothingMoves);
        }
        let gradients = gradients(warp, &Basis::new(columns.clone(), free.clone()));
        let mut L = Mat::zeros(h, h);
        matmul(L.as_mut(), Accum::Replace, gradients.transpose(), gradients.as_ref(), 1.0, Par::Seq);
        let (stiffness, vectors) = symmetric_eigen(L.as_ref()).ok_or(ReducedError::NothingMoves)?;
        if stiffness.first().is_none_or(|least| *least <= 0.0) {
            return Err(ReducedError::NothingMoves);
        }
        let mut shapes = Mat::zeros(columns.nrows(), h);
        matmul(shapes.as_mut(), Accum::Replace, columns.as_ref(), vectors.as_ref(), 1.0, Par::Seq);
        for k in 0..h {
            let column = shapes.col_as_slice_mut(k);
            let largest = column.iter().fold(0.0_f64, |m, x| if x.abs() > m.abs() { *x } else { m });
            if largest < 0.0 {
                column.iter_mut().for_each(|x| *x = -*x);
            }
        }
        Ok(Self { shapes: Basis::new(shapes, free.clone()), stiffness })
    }

    /// One that was made earlier and kept somewhere: [`Self::shapes`] and [`Self::stiffness`].
    ///
    /// # Panics
    /// When there is not a number for each column.
    #[must_use]
    pub fn from_parts(shapes: Basis, stiffness: Vec<f64>) -> Self {
        assert_eq!(shapes.modes(), stiffness.len(), "a number for each column");
        Self { shapes, stiffness }
    }

    /// h.
    #[must_use]
    pub fn size(&self) -> usize {
        self.stiffness.len()
    }

    /// B over the vertices of the body.
    #[must_use]
    pub fn shapes(&self) -> &Basis {
        &self.shapes
    }

    /// The diagonal of BᵀLB, ascending.
    #[must_use]
    pub fn stiffness(&self) -> &[f64] {
        &self.stiffness
    }

    /// P of some places: h matrices each.
    pub(super) fn pulls(&self, warp: &Warp, places: &[usize]) -> Vec<Matrix3<f64>> {
        let h = self.size();
        let volumes = warp.cells.volumes();
        let mut pulls = vec![Matrix3::zeros(); h * places.len()];
        let mut field = vec![0.0; 3 * warp.vertices()];
        let mut of_column = vec![Matrix3::zeros(); places.len()];
        for k in 0..h {
            self.shapes.column(k, &mut field);
            warp.cells.gradients_at(places, &field, &mut of_column);
            for ((pulls, H), place) in pulls.chunks_exact_mut(h).zip(&of_column).zip(places) {
                pulls[k] = H * (volumes[*place] / self.stiffness[k]);
            }
        }
        pulls
    }
}

/// √V G B of all places: nine rows for each, a column for each of B.
fn gradients(warp: &Warp, basis: &Basis) -> Mat<f64> {
    let volumes = warp.cells.volumes();
    let mut out = Mat::zeros(9 * volumes.len(), basis.modes());
    let mut field = vec![0.0; 3 * warp.vertices()];
    let mut gradients = vec![Matrix3::zeros(); volumes.len()];
    for k in 0..basis.modes() {
        basis.column(k, &mut field);
        warp.cells.gradients(&field, &mut gradients);
        let column = out.col_as_slice_mut(k);
        column.par_chunks_mut(9 * PER_TASK).enumerate().for_each(|(task, out)| {
            let from = task * PER_TASK;
            for ((out, H), volume) in out.chunks_exact_mut(9).zip(&gradients[from..]).zip(&volumes[from..]) {
                let root = volume.sqrt();
                out.iter_mut().zip(H).for_each(|(out, x)| *out = root * x);
            }
        });
    }
    out
}

/// M of the free coordinates.
fn free_masses(masses: &[f64], free: &FreeVertices) -> Vec<f64> {
    free.vertices().iter().flat_map(|v| [masses[v.index()]; 3]).collect()
}

/// A field over free vertices without its mean over each floating component.
fn centred(warp: &Warp, free: &FreeVertices, mut field: Vec<f64>) -> Vec<f64> {
    for part in warp.poisson.floating() {
        let at: Vec<usize> = part.vertices.iter().filter_map(|v| free.index(*v)).collect();
        for c in 0..3 {
            let mean: f64 = at.iter().zip(&part.weights).map(|(k, w)| w * field[3 * k + c]).sum();
            at.iter().for_each(|k| field[3 * k + c] -= mean);
        }
    }
    field
}
