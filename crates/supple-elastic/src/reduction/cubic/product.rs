//! A matrix times a few vectors, the same bits however many there are.
//!
//! Rows are kept in tiles of eight, each tile column after column, so that a product is one pass over memory. Every entry
//! sums its columns in one order, four at a time.

use supple_numerics::simd;

/// Rows side by side.
const TILE: usize = 8;
/// Vectors side by side.
pub(super) const VECTORS: usize = 4;

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

    /// Rows and columns.
    pub fn shape(&self) -> (usize, usize) {
        (self.rows, self.columns)
    }

    /// Overwrites `out` with the products of some vectors.
    pub fn multiply<const N: usize>(&self, x: [&[f64]; N], out: [&mut [f64]; N]) {
        assert!(x.iter().all(|x| x.len() == self.columns) && out.iter().all(|out| out.len() == self.rows));
        simd::widest(
            #[inline(always)]
            || self.multiply_widest(x, out),
        );
    }

    #[inline(always)]
    fn multiply_widest<const N: usize>(&self, x: [&[f64]; N], mut out: [&mut [f64]; N]) {
        for (tile, values) in self.values.chunks_exact(self.columns.max(1)).enumerate() {
            let mut sums = [[0.0; TILE]; N];
            let (fours, rest) = values.as_chunks::<4>();
            for (at, [a, b, c, d]) in fours.iter().enumerate() {
                for n in 0..N {
                    let x = &x[n][4 * at..4 * at + 4];
                    for row in 0..TILE {
                        sums[n][row] += (a[row] * x[0] + b[row] * x[1]) + (c[row] * x[2] + d[row] * x[3]);
                    }
                }
            }
            for (at, a) in rest.iter().enumerate() {
                for n in 0..N {
                    for row in 0..TILE {
                        sums[n][row] += a[row] * x[n][4 * fours.len() + at];
                    }
                }
            }
            for (out, sums) in out.iter_mut().zip(&sums) {
                let own = &mut out[tile * TILE..];
                let count = own.len().min(TILE);
                own[..count].copy_from_slice(&sums[..count]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_those_of_the_matrix_and_the_same_bits_in_any_company() {
        for (rows, columns) in [(1, 1), (8, 4), (21, 6), (13, 11)] {
            let matrix: Vec<f64> = (0..rows * columns).map(|k| (k as f64 * 0.37).sin()).collect();
            let tiles = Tiles::new(rows, columns, &matrix);
            let x: [Vec<f64>; VECTORS] =
                std::array::from_fn(|n| (0..columns).map(|k| ((k + 3 * n) as f64 * 1.7).cos()).collect());
            let mut together: [Vec<f64>; VECTORS] = std::array::from_fn(|_| vec![f64::NAN; rows]);
            tiles.multiply(x.each_ref().map(|x| &x[..]), together.each_mut().map(|out| &mut out[..]));
            for (x, out) in x.iter().zip(&together) {
                let mut alone = vec![f64::NAN; rows];
                tiles.multiply([x], [&mut alone]);
                assert_eq!(&alone, out);
                for row in 0..rows {
                    let exact: f64 = (0..columns).map(|k| matrix[k * rows + row] * x[k]).sum();
                    assert!((exact - out[row]).abs() < 1e-13, "{rows}×{columns}: {exact} {}", out[row]);
                }
            }
        }
    }
}
