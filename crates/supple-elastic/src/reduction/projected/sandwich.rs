//! UᵀK U and Uᵀf of a sparse K, without anything as large as K U.
//!
//! K is kept as its lower triangle of blocks. With half of every diagonal block, block column j is
//!
//! > Y_j = ½ K_jj U_j + Σ_{i>j} K_ijᵀ U_i,   UᵀK U = S + Sᵀ,   S = Σ_j U_jᵀ Y_j,
//!
//! over rows U_j of three of a vertex. Columns are cut into pieces of fixed length, whose sums are added in their order.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par};
use rayon::prelude::*;
use supple_numerics::simd;
use supple_numerics::sparse::{BlockMatrix, BlockPattern};

/// Block columns that are one task.
const COLUMNS_PER_TASK: usize = 256;

/// U row by row, and where the blocks of K are.
#[derive(Debug)]
pub(super) struct Sandwich {
    r: usize,
    /// Row by row.
    U: Vec<f64>,
    /// Where the values of every block column begin.
    starts: Vec<usize>,
}

impl Sandwich {
    pub fn new(U: MatRef<'_, f64>, pattern: &BlockPattern) -> Self {
        let r = U.ncols();
        let mut rows = vec![0.0; U.nrows() * r];
        for (i, row) in rows.chunks_exact_mut(r).enumerate() {
            for (k, out) in row.iter_mut().enumerate() {
                *out = U[(i, k)];
            }
        }
        let lengths = (0..pattern.block_rows()).map(|j| 9 * pattern.rows(j).len());
        let starts = lengths.scan(0, |next, length| {
            let start = *next;
            *next += length;
            Some(start)
        });
        Self { r, U: rows, starts: starts.collect() }
    }

    /// Overwrites `out`, r×r, with UᵀK U.
    pub fn stiffness(&self, K: &BlockMatrix, out: &mut [f64]) {
        let r = self.r;
        let tasks = self.starts.len().div_ceil(COLUMNS_PER_TASK);
        let parts: Vec<Mat<f64>> = (0..tasks).into_par_iter().map(|task| self.part(K, task)).collect();
        let mut sum = Mat::<f64>::zeros(r, r);
        for part in &parts {
            sum += part;
        }
        for i in 0..r {
            for j in 0..r {
                out[i * r + j] = sum[(i, j)] + sum[(j, i)];
            }
        }
    }

    /// The S of a piece.
    fn part(&self, K: &BlockMatrix, task: usize) -> Mat<f64> {
        let r = self.r;
        let first = task * COLUMNS_PER_TASK;
        let columns = first..(first + COLUMNS_PER_TASK).min(self.starts.len());
        let mut Y = vec![0.0; 3 * columns.len() * r];
        simd::widest(
            #[inline(always)]
            || {
                for (j, Y) in columns.clone().zip(Y.chunks_exact_mut(3 * r)) {
                    self.column(K, j, Y);
                }
            },
        );
        let U = &self.U[3 * first * r..][..Y.len()];
        let (U, Y) = [U, &Y[..]].map(|rows| MatRef::from_row_major_slice(rows, rows.len() / r, r)).into();
        let mut S = Mat::zeros(r, r);
        matmul(S.as_mut(), Accum::Replace, U.transpose(), Y, 1.0, Par::Seq);
        S
    }

    /// Y_j.
    #[inline(always)]
    fn column(&self, K: &BlockMatrix, j: usize, Y: &mut [f64]) {
        let (r, rows) = (self.r, K.pattern().rows(j));
        let height = 3 * rows.len();
        let values = &K.values()[self.starts[j]..][..3 * height];
        for (c, Y) in Y.chunks_exact_mut(r).enumerate() {
            let column = &values[c * height..][..height];
            for (k, (&i, v)) in rows.iter().zip(column.chunks_exact(3)).enumerate() {
                let half = if k == 0 { 0.5 } else { 1.0 };
                let U = &self.U[3 * i * r..][..3 * r];
                let (a, rest) = U.split_at(r);
                let (b, c) = rest.split_at(r);
                let [x, y, z] = [half * v[0], half * v[1], half * v[2]];
                for l in 0..r {
                    Y[l] += (x * a[l] + y * b[l]) + z * c[l];
                }
            }
        }
    }

    /// Overwrites `out` with Uᵀf of a force over free coordinates.
    pub fn force(&self, f: &[f64], out: &mut [f64]) {
        let r = self.r;
        let task = 3 * COLUMNS_PER_TASK;
        let part = |(U, f): (&[f64], &[f64])| {
            let mut sum = vec![0.0; r];
            for (row, f) in U.chunks_exact(r).zip(f) {
                for (sum, u) in sum.iter_mut().zip(row) {
                    *sum += u * f;
                }
            }
            sum
        };
        let parts: Vec<Vec<f64>> = self.U.par_chunks(task * r).zip(f.par_chunks(task)).map(part).collect();
        out.fill(0.0);
        for part in &parts {
            for (out, part) in out.iter_mut().zip(part) {
                *out += part;
            }
        }
    }
}
