//! The modal coordinates of a motion: those that come nearest to the shape of every frame.
//!
//! Every frame is read as the warp reads its input: components that float are moved back, and rotation vectors go on from
//! frame to frame, past half a turn and more. With its turns and strains y_q at the places, V-weighted as in
//! [`ModalWarp::fitted`],
//!
//! > x̄ = argmin Σ_q V_q |N_q x − y_q|², (Σ V NᵀN) x̄ = Σ V Nᵀ y,
//!
//! of which the matrix is the same for all frames and factored once.

use super::ModalWarp;
use super::element::{Strain, strain_of_polar};
use crate::warp::InputFrame;
use faer::linalg::matmul::matmul;
use faer::linalg::solvers::{Llt, Solve};
use faer::{Accum, Mat, MatRef, Par, Side};
use nalgebra::Matrix3;
use rayon::prelude::*;
use supple_model::{Cancelled, Progress};
use supple_numerics::rotation;

/// Places whose products are one task.
const PLACES_PER_TASK: usize = 512;
/// What is added to the diagonal, as a part of its largest entry: a translation of what floats bends nothing.
const TINY: f64 = 1e-14;

/// How often a number of s counts: turns and off-diagonal strains as a gradient has them, twice.
fn weight(b: usize) -> f64 {
    if (3..6).contains(&b) { 1.0 } else { 2.0 }
}

impl ModalWarp {
    /// The coordinates of every frame, a column each, from displacements of three numbers per vertex in the order of time.
    ///
    /// # Errors
    /// When the caller cancels.
    ///
    /// # Panics
    /// When a frame has not three numbers per vertex.
    pub fn coordinates<'a>(
        &self,
        displacements: impl ExactSizeIterator<Item = &'a [f64]>,
        progress: &Progress,
    ) -> Result<Mat<f64>, Cancelled> {
        let frames = displacements.len();
        let mut right = Mat::zeros(self.modes, frames);
        let mut before: Option<InputFrame> = None;
        for (i, displacement) in displacements.enumerate() {
            progress.report("reading shapes", i as f64 / frames as f64)?;
            let frame = match &before {
                None => self.warp.input(displacement),
                Some(before) => self.warp.input_after(displacement, before),
            };
            let column = self.pulls(&self.strains_of(&frame));
            right.col_mut(i).iter_mut().zip(&column).for_each(|(out, x)| *out = *x);
            before = Some(frame);
        }
        let Some(factor) = self.factor() else { return Ok(Mat::zeros(self.modes, frames)) };
        // Column by column, so that a frame does not depend on how many there are.
        let mut found = Mat::zeros(self.modes, frames);
        for i in 0..frames {
            let x = factor.solve(right.subcols(i, 1));
            found.col_mut(i).iter_mut().zip(x.col(0).iter()).for_each(|(out, x)| *out = *x);
        }
        Ok(found)
    }

    /// y of every place of a frame.
    fn strains_of(&self, frame: &InputFrame) -> Vec<Strain> {
        let mut deformed = vec![Matrix3::zeros(); self.places()];
        self.warp.cells.deformations(frame.seen(), &mut deformed);
        let turns = frame.rotation_vectors();
        let strain = |(F, turn): (&Matrix3<f64>, _)| strain_of_polar(turn, &rotation::exp(turn).tr_mul(F));
        deformed.par_iter().zip(turns).with_min_len(PLACES_PER_TASK).map(strain).collect()
    }

    /// Σ V Nᵀ y.
    fn pulls(&self, strains: &[Strain]) -> Vec<f64> {
        let task = |(task, strains): (usize, &[Strain])| {
            let mut sum = vec![0.0; self.modes];
            for (k, strain) in strains.iter().enumerate() {
                let q = task * PLACES_PER_TASK + k;
                for (b, row) in self.rows(q).chunks_exact(self.stride).enumerate() {
                    let scaled = self.volumes[q] * weight(b) * strain[b];
                    sum.iter_mut().zip(row).for_each(|(sum, n)| *sum += scaled * n);
                }
            }
            sum
        };
        let sums: Vec<Vec<f64>> = strains.par_chunks(PLACES_PER_TASK).enumerate().map(task).collect();
        (0..self.modes).map(|k| sums.iter().map(|sum| sum[k]).sum()).collect()
    }

    /// The factor of Σ V NᵀN.
    fn factor(&self) -> Option<Llt<f64>> {
        let width = 9 * self.stride * PLACES_PER_TASK;
        let task = |(task, rows): (usize, &[f64])| {
            let mut scaled = rows.to_vec();
            for (at, row) in scaled.chunks_exact_mut(self.stride).enumerate() {
                let factor = self.volumes[task * PLACES_PER_TASK + at / 9] * weight(at % 9);
                row.iter_mut().for_each(|n| *n *= factor);
            }
            let matrix =
                |entries| MatRef::from_row_major_slice(entries, rows.len() / self.stride, self.stride);
            let mut sum = Mat::zeros(self.stride, self.stride);
            let scaled: MatRef<'_, f64> = matrix(&scaled[..]);
            matmul(sum.as_mut(), Accum::Replace, matrix(rows).transpose(), scaled, 1.0, Par::Seq);
            sum
        };
        let sums: Vec<Mat<f64>> = self.strains.par_chunks(width).enumerate().map(task).collect();
        let total = |k: usize, l: usize| sums.iter().map(|sum| sum[(k.max(l), k.min(l))]).sum::<f64>();
        let mut H = Mat::from_fn(self.modes, self.modes, total);
        let most = (0..self.modes).map(|k| H[(k, k)]).fold(0.0, f64::max).max(f64::MIN_POSITIVE);
        (0..self.modes).for_each(|k| H[(k, k)] += TINY * most);
        H.llt(Side::Lower).ok()
    }
}
