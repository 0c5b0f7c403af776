//! Frames without what is noise of every vertex by itself.
//!
//! Of the displacements of the frames that count, a column each and less their mean, the singular values fall to a floor where
//! noise begins, whose height is that of their median: those above 4/√3 of it, as large matrices of noise have it for a
//! square (Gavish and Donoho, The Optimal Hard Threshold for Singular Values is 4/√3, 2014), are motion. Without noise the floor
//! is far below all that matters.

use super::ModuliProblem;
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par};
use rayon::prelude::*;
use supple_model::{Cancelled, Progress};
use supple_numerics::eigen::symmetric_eigen;

/// Rows multiplied as one task.
const ROWS_PER_TASK: usize = 1024;
/// Singular values below this part of the first are round-off: they are roots of eigenvalues.
const ROUND_OFF: f64 = 1e-7;

/// The frames that count, stretch by stretch, as u₀ + Σ_k a_k(i) s_k.
#[derive(Clone, Debug)]
pub(super) struct Components {
    /// u₀.
    pub mean: Vec<f64>,
    /// s_k, the strongest first: a row of the frames' weights has length 1.
    pub shapes: Vec<Vec<f64>>,
    /// a_k(i), by component.
    pub weights: Vec<Vec<f64>>,
    /// The standard deviation of what was cut off, in every number.
    pub noise: f64,
}

impl Components {
    /// What stands out of the noise of the frames that count.
    pub fn of(problem: &ModuliProblem<'_>, progress: &Progress) -> Result<Self, Cancelled> {
        let chosen: Vec<&[f64]> =
            problem.runs.iter().flat_map(|run| &problem.frames[run.clone()]).map(Vec::as_slice).collect();
        Self::of_frames(&chosen, progress)
    }

    fn of_frames(chosen: &[&[f64]], progress: &Progress) -> Result<Self, Cancelled> {
        let (count, rows) = (chosen.len(), chosen.first().map_or(0, |frame| frame.len()));
        progress.report("separating noise", 0.0)?;
        // A row of all frames after the other, less its mean.
        let mut centred = vec![0.0; rows * count];
        let mut mean = vec![0.0; rows];
        centred.par_chunks_mut(count).zip(&mut mean).enumerate().for_each(|(row, (out, mean))| {
            *mean = chosen.iter().map(|frame| frame[row]).sum::<f64>() / count as f64;
            out.iter_mut().zip(chosen).for_each(|(out, frame)| *out = frame[row] - *mean);
        });
        let grams: Vec<Mat<f64>> = centred
            .par_chunks(ROWS_PER_TASK * count)
            .map(|rows| {
                let block = MatRef::from_row_major_slice(rows, rows.len() / count, count);
                let mut gram = Mat::zeros(count, count);
                matmul(gram.as_mut(), Accum::Replace, block.transpose(), block, 1.0, Par::Seq);
                gram
            })
            .collect();
        progress.report("separating noise", 0.5)?;
        let entry = |i: usize, j: usize| grams.iter().map(|gram| gram[(i.max(j), i.min(j))]).sum::<f64>();
        let gram = Mat::from_fn(count, count, entry);
        let (values, vectors) =
            symmetric_eigen(gram.as_ref()).unwrap_or_else(|| (vec![1.0; count], Mat::identity(count, count)));
        // Descending.
        let sizes: Vec<f64> = values.iter().rev().map(|value| value.max(0.0).sqrt()).collect();
        let (components, noise) = standing_out(&sizes, rows, count);
        let weights: Vec<Vec<f64>> =
            (0..components).map(|k| vectors.col_as_slice(count - 1 - k).to_vec()).collect();
        progress.report("separating noise", 0.7)?;
        let shape = |weights: &Vec<f64>| {
            let of_row = |row: &[f64]| row.iter().zip(weights).map(|(x, a)| x * a).sum::<f64>();
            centred.chunks_exact(count).map(of_row).collect()
        };
        let shapes = weights.par_iter().map(shape).collect();
        Ok(Self { mean, shapes, weights, noise })
    }

    /// The frames.
    pub fn frames(&self) -> Vec<Vec<f64>> {
        let count = self.weights.first().map_or(0, Vec::len);
        let frame = |i: usize| {
            let mut u = self.mean.clone();
            for (shape, weights) in self.shapes.iter().zip(&self.weights) {
                u.iter_mut().zip(shape).for_each(|(u, s)| *u += weights[i] * s);
            }
            u
        };
        (0..count).into_par_iter().map(frame).collect()
    }

    /// The root mean square of the motion.
    pub fn size(&self) -> f64 {
        let square: f64 = self.shapes.iter().flatten().map(|s| s * s).sum();
        let count = self.mean.len() * self.weights.first().map_or(1, Vec::len);
        (square / count.max(1) as f64).sqrt()
    }
}

/// How many singular values, descending, are more than noise of a matrix of this size, and the standard deviation of the noise.
pub(super) fn standing_out(sizes: &[f64], rows: usize, columns: usize) -> (usize, f64) {
    let (longer, shorter) = (rows.max(columns).max(1) as f64, rows.min(columns) as f64);
    let beta = shorter / longer;
    let omega = ((0.56 * beta - 0.95) * beta + 1.82) * beta + 1.43;
    let median = sizes.get(sizes.len() / 2).copied().unwrap_or(0.0);
    let floor = (omega * median).max(ROUND_OFF * sizes.first().copied().unwrap_or(0.0));
    let components = sizes.iter().take_while(|size| **size > floor).count().max(1).min(sizes.len());
    // The threshold of noise 1 and length 1 is λ(β), of which ω(β) is over the median of what noise alone has.
    let lambda =
        (2.0 * (beta + 1.0) + 8.0 * beta / (beta + 1.0 + (beta * beta + 14.0 * beta + 1.0).sqrt())).sqrt();
    (components, median * omega / (lambda * longer.sqrt()))
}
