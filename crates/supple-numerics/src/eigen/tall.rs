//! Products with tall matrices (as many rows as unknowns, some hundred columns), cut into fixed bands
//! of rows so that they run on any number of threads with the same bits.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatMut, MatRef, Par};
use rayon::prelude::*;

/// Rows a band has; fixed, because sums over bands must not depend on the number of threads.
const BAND: usize = 2048;

/// Where the bands of a product run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Threads {
    /// One after the other on the calling thread, for work that is already parallel outside.
    One,
    /// On the rayon pool.
    All,
}

/// AᵀB.
pub(super) fn transpose_times(a: MatRef<'_, f64>, b: MatRef<'_, f64>, threads: Threads) -> Mat<f64> {
    let bands: Vec<usize> = (0..a.nrows()).step_by(BAND).collect();
    let product = |&start: &usize| {
        let rows = BAND.min(a.nrows() - start);
        let mut part = Mat::zeros(a.ncols(), b.ncols());
        let (a, b) = (a.subrows(start, rows), b.subrows(start, rows));
        matmul(part.as_mut(), Accum::Replace, a.transpose(), b, 1.0, Par::Seq);
        part
    };
    let parts: Vec<Mat<f64>> = match threads {
        Threads::One => bands.iter().map(product).collect(),
        Threads::All => bands.par_iter().map(product).collect(),
    };
    let mut sum = Mat::zeros(a.ncols(), b.ncols());
    for part in &parts {
        sum += part;
    }
    sum
}

/// C ← C·`keep` + factor·A B, where `keep` says whether C counts.
pub(super) fn add_times(
    c: MatMut<'_, f64>,
    keep: Accum,
    factor: f64,
    a: MatRef<'_, f64>,
    b: MatRef<'_, f64>,
    threads: Threads,
) {
    let product = |(band, c): (usize, MatMut<'_, f64>)| {
        let a = a.subrows(band * BAND, c.nrows());
        matmul(c, keep, a, b, factor, Par::Seq);
    };
    match threads {
        Threads::One => matmul(c, keep, a, b, factor, Par::Seq),
        Threads::All => c.par_row_chunks_mut(BAND).enumerate().for_each(product),
    }
}

/// The largest entry of |YᵀY − I|.
pub(super) fn distance_from_orthonormal(y: MatRef<'_, f64>) -> f64 {
    const COLUMNS: usize = 128;
    let starts: Vec<usize> = (0..y.ncols()).step_by(COLUMNS).collect();
    let pairs: Vec<(usize, usize)> =
        starts.iter().flat_map(|&i| starts.iter().filter(move |&&j| j <= i).map(move |&j| (i, j))).collect();
    let largest = |&(i, j): &(usize, usize)| {
        let block = |k: usize| y.subcols(k, COLUMNS.min(y.ncols() - k));
        let mut product = transpose_times(block(i), block(j), Threads::One);
        if i == j {
            product -= Mat::<f64>::identity(product.nrows(), product.ncols());
        }
        product.norm_max()
    };
    pairs.par_iter().map(largest).reduce(|| 0.0, f64::max)
}
