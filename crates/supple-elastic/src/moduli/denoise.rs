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

/// The frames that count, stretch by stretch, and how many components they are made of.
pub(super) fn denoised(
    problem: &ModuliProblem<'_>,
    progress: &Progress,
) -> Result<(Vec<Vec<f64>>, usize), Cancelled> {
    let chosen: Vec<&[f64]> =
        problem.runs.iter().flat_map(|run| &problem.frames[run.clone()]).map(Vec::as_slice).collect();
    let (count, rows) = (chosen.len(), chosen.first().map_or(0, |frame| frame.len()));
    progress.report("separating noise", 0.0)?;
    // A row of all frames after the other, less its mean.
    let mut centred = vec![0.0; rows * count];
    let mut mean = vec![0.0; rows];
    centred.par_chunks_mut(count).zip(&mut mean).enumerate().for_each(|(row, (out, mean))| {
        *mean = chosen.iter().map(|frame| frame[row]).sum::<f64>() / count as f64;
        out.iter_mut().zip(&chosen).for_each(|(out, frame)| *out = frame[row] - *mean);
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
    let Some((values, vectors)) = symmetric_eigen(gram.as_ref()) else {
        return Ok((chosen.iter().map(|frame| frame.to_vec()).collect(), count));
    };
    // Descending.
    let sizes: Vec<f64> = values.iter().rev().map(|value| value.max(0.0).sqrt()).collect();
    let components = standing_out(&sizes, rows, count);
    let kept = vectors.subcols(count - components, components);
    let mut onto = Mat::zeros(count, count);
    matmul(onto.as_mut(), Accum::Replace, kept, kept.transpose(), 1.0, Par::Seq);
    progress.report("separating noise", 0.7)?;
    let frame = |i: usize| -> Vec<f64> {
        let column = onto.col_as_slice(i);
        let of_row =
            |(row, mean): (&[f64], &f64)| mean + row.iter().zip(column).map(|(x, p)| x * p).sum::<f64>();
        centred.chunks_exact(count).zip(&mean).map(of_row).collect()
    };
    Ok(((0..count).into_par_iter().map(frame).collect(), components))
}

/// How many singular values, descending, are more than noise of a matrix of this size.
pub(super) fn standing_out(sizes: &[f64], rows: usize, columns: usize) -> usize {
    let beta = rows.min(columns) as f64 / rows.max(columns).max(1) as f64;
    let omega = ((0.56 * beta - 0.95) * beta + 1.82) * beta + 1.43;
    let median = sizes.get(sizes.len() / 2).copied().unwrap_or(0.0);
    let floor = (omega * median).max(ROUND_OFF * sizes.first().copied().unwrap_or(0.0));
    sizes.iter().take_while(|size| **size > floor).count().max(1).min(sizes.len())
}
