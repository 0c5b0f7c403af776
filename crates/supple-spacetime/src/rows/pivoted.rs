//! Cholesky factorization with pivoting of a large positive semidefinite matrix, stopped at its numerical rank.
//!
//! Ŝ ≈ L Lᵀ with L n×k. Thousands of contacts on neighbouring vertices and frames ask nearly the same, so k is
//! often far below n, and only the k columns of the pivots are ever computed:
//!
//! ```text
//! d = diag Ŝ, what of each row is not explained yet
//! while max d > tolerance:
//!   candidates: rows with d > τ = max d / 10, up to 128, spread evenly over the groups (frames)
//!   R = Ŝ[:, candidates] − L L[candidates, :]ᵀ
//!   factor R[candidates, candidates] with pivoting down to τ; rejected candidates wait for a later turn
//!   append R[:, accepted] L₁₁⁻ᵀ to L, subtract the squares of its rows from d
//! ```
//!
//! Blocks of columns make it products of matrices; pivots are within a factor of ten of the largest, which keeps
//! L as tame as true pivoting does. Rows are kept in the order of their pivots, so the first k rows of L are
//! triangular, and each block stores only what is below its diagonal.

use faer::linalg::matmul::matmul;
use faer::linalg::triangular_solve::{solve_lower_triangular_in_place, solve_upper_triangular_in_place};
use faer::{Accum, Mat, MatMut, MatRef, Par};
use rayon::prelude::*;
use supple_model::{Cancelled, Progress};

/// Candidates at a time.
const WIDTH: usize = 128;
/// How far below the largest pivot a pivot may be.
const PIVOTING: f64 = 0.1;
/// Rows per task, fixed so that sums do not depend on the number of threads.
const BAND: usize = 512;

/// A symmetric positive semidefinite matrix whose columns are computed when asked for.
pub(super) trait Columns: Sync {
    /// Its diagonal.
    fn diagonal(&self) -> Vec<f64>;
    /// Rows with the same number are best asked for together.
    fn group(&self, row: usize) -> usize;
    /// Overwrites `out`, n×`which.len()`, with some columns.
    fn columns(&self, which: &[usize], out: MatMut<'_, f64>, progress: &Progress) -> Result<(), Cancelled>;
}

/// The factor L.
#[derive(Clone, Debug)]
pub(super) struct Pivoted {
    /// Which row stands where: pivots first.
    pub order: Vec<usize>,
    /// k.
    pub rank: usize,
    blocks: Vec<Block>,
}

/// Some columns of L from their first pivot's row down.
#[derive(Clone, Debug)]
struct Block {
    start: usize,
    L: Mat<f64>,
}

impl Pivoted {
    /// Of a matrix without rows.
    pub fn empty() -> Self {
        Self { order: Vec::new(), rank: 0, blocks: Vec::new() }
    }

    /// Factors `source` until no row has more than `tolerance` left.
    pub fn new(source: &impl Columns, tolerance: f64, progress: &Progress) -> Result<Self, Cancelled> {
        let mut left = source.diagonal();
        let n = left.len();
        let mut factor = Self { order: (0..n).collect(), rank: 0, blocks: Vec::new() };
        if n == 0 {
            // Nothing is said of contacts where there are none.
            return Ok(factor);
        }
        loop {
            // Pivots explained so far are a fair share of the work only at full rank; better than nothing.
            progress.report("preparing contacts", factor.rank as f64 / n as f64)?;
            let k = factor.rank;
            let largest = left[k..].iter().copied().fold(0.0, f64::max);
            if largest <= tolerance {
                return Ok(factor);
            }
            let level = (PIVOTING * largest).max(tolerance);
            let candidates = factor.candidates(source, &left, level);
            let R = factor.residual(source, &candidates, progress)?;
            let (accepted, L11) = pivots(&R, &candidates, k, level);
            if accepted.is_empty() {
                // Rounding in `left` made them look larger than they are.
                for (column, &position) in candidates.iter().enumerate() {
                    left[position] = R[(position - k, column)].clamp(0.0, level);
                }
                continue;
            }
            factor.append(&R, &accepted, &candidates, &L11, &mut left);
        }
    }

    /// Positions with more than `level` left, evenly over the groups.
    fn candidates(&self, source: &impl Columns, left: &[f64], level: f64) -> Vec<usize> {
        let mut rows: Vec<(usize, usize, usize)> = (self.rank..left.len())
            .filter(|&position| left[position] > level)
            .map(|position| (source.group(self.order[position]), self.order[position], position))
            .collect();
        rows.sort_unstable();
        let groups: Vec<_> = rows.chunk_by(|a, b| a.0 == b.0).collect();
        let wanted = (WIDTH * groups.len()).div_ceil(rows.len()).clamp(1, groups.len());
        let chosen: Vec<usize> =
            (0..wanted).flat_map(|g| groups[g * groups.len() / wanted].iter().map(|row| row.2)).collect();
        let count = chosen.len().min(WIDTH);
        (0..count).map(|c| chosen[c * chosen.len() / count]).collect()
    }

    /// Ŝ − LLᵀ for the columns `candidates` (positions) and all rows not yet pivots.
    fn residual(
        &self,
        source: &impl Columns,
        candidates: &[usize],
        progress: &Progress,
    ) -> Result<Mat<f64>, Cancelled> {
        let (n, k) = (self.order.len(), self.rank);
        let which: Vec<usize> = candidates.iter().map(|&position| self.order[position]).collect();
        let mut columns = Mat::zeros(n, which.len());
        source.columns(&which, columns.as_mut(), progress)?;
        let mut R = Mat::zeros(n - k, which.len());
        let order = &self.order;
        R.par_row_chunks_mut(BAND).enumerate().for_each(|(band, mut R)| {
            let from = k + band * BAND;
            for column in 0..R.ncols() {
                for row in 0..R.nrows() {
                    R[(row, column)] = columns[(order[from + row], column)];
                }
            }
        });
        for block in &self.blocks {
            progress.check()?;
            let picked = Mat::from_fn(which.len(), block.L.ncols(), |row, column| {
                block.L[(candidates[row] - block.start, column)]
            });
            R.par_row_chunks_mut(BAND).enumerate().for_each(|(band, R)| {
                let L = block.L.as_ref().subrows(k - block.start + band * BAND, R.nrows());
                matmul(R, Accum::Add, L, picked.as_ref().transpose(), -1.0, Par::Seq);
            });
        }
        Ok(R)
    }

    /// Makes the accepted candidates pivots.
    fn append(
        &mut self,
        R: &Mat<f64>,
        accepted: &[usize],
        candidates: &[usize],
        L11: &Mat<f64>,
        left: &mut [f64],
    ) {
        let k = self.rank;
        let mut L = Mat::from_fn(R.nrows(), accepted.len(), |row, column| R[(row, accepted[column])]);
        L.par_row_chunks_mut(BAND).for_each(|mut L| {
            solve_lower_triangular_in_place(L11.as_ref(), L.as_mut().transpose_mut(), Par::Seq);
        });
        self.blocks.push(Block { start: k, L });
        let mut places: Vec<usize> = accepted.iter().map(|&column| candidates[column]).collect();
        for pivot in 0..places.len() {
            let (to, from) = (k + pivot, places[pivot]);
            self.order.swap(to, from);
            left.swap(to, from);
            for block in &mut self.blocks {
                block.swap(to, from);
            }
            // Whoever stood here has moved away.
            for place in &mut places[pivot + 1..] {
                if *place == to {
                    *place = from;
                }
            }
        }
        self.rank += accepted.len();
        if let Some(Block { L, .. }) = self.blocks.last_mut() {
            // The head is known exactly; what was computed for it has round-off above the diagonal.
            L.as_mut().subrows_mut(0, accepted.len()).copy_from(L11);
            for position in self.rank..left.len() {
                let explained: f64 = L.row(position - k).iter().map(|x| x * x).sum();
                left[position] = (left[position] - explained).max(0.0);
            }
        }
    }

    /// Solves L u = x in place for `x` in the order of positions: its first k rows become u, the others what u
    /// does not explain of them.
    pub fn forward(&self, mut x: MatMut<'_, f64>) {
        for block in &self.blocks {
            let width = block.L.ncols();
            let (mut head, mut rest) =
                x.as_mut().subrows_mut(block.start, block.L.nrows()).split_at_row_mut(width);
            let (triangle, below) = block.L.as_ref().split_at_row(width);
            solve_lower_triangular_in_place(triangle, head.as_mut(), Par::Seq);
            rest.as_mut().par_row_chunks_mut(BAND).enumerate().for_each(|(band, rest)| {
                let below = below.subrows(band * BAND, rest.nrows());
                matmul(rest, Accum::Add, below, head.as_ref(), -1.0, Par::Seq);
            });
        }
    }

    /// Solves Lᵀ x = u in place for the first k rows.
    pub fn backward(&self, mut x: MatMut<'_, f64>) {
        assert_eq!(x.nrows(), self.rank);
        for block in self.blocks.iter().rev() {
            let width = block.L.ncols();
            let (mut head, rest) =
                x.as_mut().subrows_mut(block.start, self.rank - block.start).split_at_row_mut(width);
            let (triangle, below) = block.L.as_ref().split_at_row(width);
            let below = below.subrows(0, rest.nrows());
            subtract_transposed(head.as_mut(), below, rest.as_ref());
            solve_upper_triangular_in_place(triangle.transpose(), head.as_mut(), Par::Seq);
        }
    }
}

impl Block {
    /// Exchanges the rows at two positions.
    fn swap(&mut self, a: usize, b: usize) {
        let (a, b) = (a - self.start, b - self.start);
        for column in 0..self.L.ncols() {
            let kept = self.L[(a, column)];
            self.L[(a, column)] = self.L[(b, column)];
            self.L[(b, column)] = kept;
        }
    }
}

/// x ← x − Lᵀ y, bands of rows in parallel, summed in their order.
fn subtract_transposed(mut x: MatMut<'_, f64>, L: MatRef<'_, f64>, y: MatRef<'_, f64>) {
    let starts: Vec<usize> = (0..L.nrows()).step_by(BAND).collect();
    let product = |&start: &usize| {
        let rows = BAND.min(L.nrows() - start);
        let mut part = Mat::zeros(L.ncols(), y.ncols());
        let (L, y) = (L.subrows(start, rows), y.subrows(start, rows));
        matmul(part.as_mut(), Accum::Replace, L.transpose(), y, 1.0, Par::Seq);
        part
    };
    let parts: Vec<Mat<f64>> = starts.par_iter().map(product).collect();
    for part in &parts {
        x -= part;
    }
}

/// Pivoted Cholesky of the candidates among themselves down to `level`: which columns, and their factor.
fn pivots(R: &Mat<f64>, candidates: &[usize], k: usize, level: f64) -> (Vec<usize>, Mat<f64>) {
    let m = candidates.len();
    let mut columns: Vec<usize> = (0..m).collect();
    let mut left: Vec<f64> = (0..m).map(|c| R[(candidates[c] - k, c)]).collect();
    let mut L = Mat::<f64>::zeros(m, m);
    let mut rank = 0;
    while rank < m {
        let mut best = rank;
        for c in rank + 1..m {
            if left[c] > left[best] {
                best = c;
            }
        }
        if left[best] <= level {
            break;
        }
        columns.swap(rank, best);
        left.swap(rank, best);
        for column in 0..rank {
            let kept = L[(rank, column)];
            L[(rank, column)] = L[(best, column)];
            L[(best, column)] = kept;
        }
        let pivot = left[rank].sqrt();
        L[(rank, rank)] = pivot;
        for row in rank + 1..m {
            let mut x = R[(candidates[columns[row]] - k, columns[rank])];
            for column in 0..rank {
                x -= L[(row, column)] * L[(rank, column)];
            }
            L[(row, rank)] = x / pivot;
            left[row] -= L[(row, rank)] * L[(row, rank)];
        }
        rank += 1;
    }
    columns.truncate(rank);
    (columns, L.submatrix(0, 0, rank, rank).to_owned())
}
