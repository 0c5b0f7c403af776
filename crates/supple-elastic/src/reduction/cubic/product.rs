//! A matrix times a vector, at the speed of the processor.
//!
//! Rows are kept in tiles of eight, each tile column after column, so that a product is one pass over memory. Every entry
//! sums its columns in one order, four at a time.

use supple_numerics::simd;

/// Rows side by side.
const TILE: usize = 8;

/// A matrix in tiles.
#[derive(Clone, Debug)]
pub(super) struct Tiles {
    rows: usize,
    columns: usize,
    values: Vec<[f64; TILE]>,
}

impl Tiles {
    /// Takes a matrix that is given column after column.
    pub fn new(rows: usize, columns: usize, matrix: &[f64]) -> Self {
        let mut values = vec![[0.0; TILE]; rows.div_ceil(TILE) * columns];
        for column in 0..columns {
            for row in 0..rows {
                values[row / TILE * columns + column][row % TILE] = matrix[column * rows + row];
            }
        }
        Self { rows, columns, values }
    }

    /// Overwrites `out` with the product of a vector.
    pub fn multiply(&self, x: &[f64], out: &mut [f64]) {
        assert!(x.len() == self.columns && out.len() == self.rows, "a vector of the matrix's size");
        simd::widest(
            #[inline(always)]
            || {
                let tiles = self.values.chunks_exact(self.columns.max(1));
                for (values, out) in tiles.zip(out.chunks_mut(TILE)) {
                    let sums = product(values, x);
                    out.copy_from_slice(&sums[..out.len()]);
                }
            },
        );
    }
}

/// The product of a tile.
#[inline(always)]
fn product(values: &[[f64; TILE]], x: &[f64]) -> [f64; TILE] {
    let mut sums = [0.0; TILE];
    let ((fours, rest), (x_fours, x_rest)) = (values.as_chunks::<4>(), x.as_chunks::<4>());
    for ([a, b, c, d], x) in fours.iter().zip(x_fours) {
        for row in 0..TILE {
            sums[row] += (a[row] * x[0] + b[row] * x[1]) + (c[row] * x[2] + d[row] * x[3]);
        }
    }
    for (a, x) in rest.iter().zip(x_rest) {
        for row in 0..TILE {
            sums[row] += a[row] * x;
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_those_of_the_matrix() {
        for (rows, columns) in [(1, 1), (8, 4), (21, 6), (13, 11)] {
            let matrix: Vec<f64> = (0..rows * columns).map(|k| (k as f64 * 0.37).sin()).collect();
            let x: Vec<f64> = (0..columns).map(|k| (k as f64 * 1.7).cos()).collect();
            let mut out = vec![f64::NAN; rows];
            Tiles::new(rows, columns, &matrix).multiply(&x, &mut out);
            for row in 0..rows {
                let exact: f64 = (0..columns).map(|k| matrix[k * rows + row] * x[k]).sum();
                assert!((exact - out[row]).abs() < 1e-13, "{rows}×{columns}: {exact} {}", out[row]);
            }
        }
    }
}
