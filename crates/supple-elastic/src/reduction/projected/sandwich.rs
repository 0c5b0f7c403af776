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

/// Numbers of a row that are worked on together.
const LANES: usize = 4;

/// U row by row, and where the blocks of K are.
#[derive(Debug)]
pub(super) struct Sandwich {
    r: usize,
    /// Row by row, each padded with zeros.
    U: Vec<[f64; LANES]>,
    /// How many of these a row has.
    stride: usize,
    /// Where the values of every block column begin.
    starts: Vec<usize>,
}

impl Sandwich {
    pub fn new(U: MatRef<'_, f64>, pattern: &BlockPattern) -> Self {
        let r = U.ncols();
        let stride = r.div_ceil(LANES);
        let mut rows = vec![[0.0; LANES]; U.nrows() * stride];
        for (i, row) in rows.chunks_exact_mut(stride).enumerate() {
            for (k, out) in row.as_flattened_mut().iter_mut().take(r).enumerate() {
                *out = U[(i, k)];
            }
        }
        let lengths = (0..pattern.block_rows()).map(|j| 9 * pattern.rows(j).len());
        let starts = lengths.scan(0, |next, length| {
            let start = *next;
            *next += length;
            Some(start)
        });
        Self { r, U: rows, stride, starts: starts.collect() }
    }

    /// Overwrites `out`, r×r, with UᵀK U.
    pub fn stiffness(&self, K: &BlockMatrix, out: &mut [f64]) {
        let r = self.r;
        let tasks = self.starts.len().div_ceil(COLUMNS_PER_TASK);
        let parts: Vec<Mat<f64>> = (0..tasks).into_par_iter().map(|task| self.part(K, task)).collect();
        let mut sum = Mat::<f64>::zeros(LANES * self.stride, LANES * self.stride);
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
        let width = LANES * self.stride;
        let first = task * COLUMNS_PER_TASK;
        let columns = first..(first + COLUMNS_PER_TASK).min(self.starts.len());
        let mut Y = vec![[0.0; LANES]; 3 * columns.len() * self.stride];
        simd::widest(
            #[inline(always)]
            || {
                for (j, Y) in columns.clone().zip(Y.chunks_exact_mut(3 * self.stride)) {
                    self.column(K, j, Y);
                }
            },
        );
        let U = &self.U[3 * first * self.stride..][..Y.len()];
        let [U, Y] = [U, &Y[..]]
            .map(|rows| MatRef::from_row_major_slice(rows.as_flattened(), 3 * columns.len(), width));
        let mut S = Mat::zeros(width, width);
        matmul(S.as_mut(), Accum::Replace, U.transpose(), Y, 1.0, Par::Seq);
        S
    }

    /// Y_j.
    #[inline(always)]
    fn column(&self, K: &BlockMatrix, j: usize, Y: &mut [[f64; LANES]]) {
        let (stride, rows) = (self.stride, K.pattern().rows(j));
        let height = 3 * rows.len();
        let values = &K.values()[self.starts[j]..][..3 * height];
        let (Y0, rest) = Y.split_at_mut(stride);
        let (Y1, Y2) = rest.split_at_mut(stride);
        for (k, &i) in rows.iter().enumerate() {
            let half = if k == 0 { 0.5 } else { 1.0 };
            let block: [[f64; 3]; 3] =
                std::array::from_fn(|c| std::array::from_fn(|d| half * values[c * height + 3 * k + d]));
            let U = &self.U[3 * i * stride..][..3 * stride];
            let (a, rest) = U.split_at(stride);
            let (b, c) = rest.split_at(stride);
            for l in 0..stride {
                let (a, b, c) = (&a[l], &b[l], &c[l]);
                for (Y, [x, y, z]) in [&mut Y0[l], &mut Y1[l], &mut Y2[l]].into_iter().zip(block) {
                    for lane in 0..LANES {
                        Y[lane] += (x * a[lane] + y * b[lane]) + z * c[lane];
                    }
                }
            }
        }
    }

    /// Overwrites `out` with Uᵀf of a force over free coordinates.
    pub fn force(&self, f: &[f64], out: &mut [f64]) {
        let task = 3 * COLUMNS_PER_TASK;
        let part = |(U, f): (&[[f64; LANES]], &[f64])| {
            let mut sum = vec![[0.0; LANES]; self.stride];
            for (row, f) in U.chunks_exact(self.stride).zip(f) {
                for (sum, u) in sum.iter_mut().zip(row) {
                    for lane in 0..LANES {
                        sum[lane] += u[lane] * f;
                    }
                }
            }
            sum
        };
        let pieces = self.U.par_chunks(task * self.stride).zip(f.par_chunks(task));
        let parts: Vec<Vec<[f64; LANES]>> = pieces.map(part).collect();
        out.fill(0.0);
        for part in &parts {
            for (out, part) in out.iter_mut().zip(part.as_flattened()) {
                *out += part;
            }
        }
    }
}
