//! Symmetric sparse matrices of 3×3 blocks, lower triangle stored.
//!
//! Storage is compressed columns of *scalars*, so that a factorization reads it without a copy: block
//! column j has the blocks `rows(j)` (the diagonal one first, then ascending), and each of its three
//! scalar columns holds the three entries of every block in turn. Diagonal blocks are stored whole;
//! their strict upper halves are never read by a factorization of the lower triangle.

use faer::Mat;
use faer::sparse::{SparseColMatRef, SymbolicSparseColMat, SymbolicSparseColMatRef};
use std::sync::Arc;

/// The places of a symmetric block matrix that may be non-zero: n block rows, lower triangle.
#[derive(Debug)]
pub struct BlockPattern {
    columns: Vec<usize>,
    rows: Vec<usize>,
    scalar: SymbolicSparseColMat<usize>,
}

impl BlockPattern {
    /// The pattern of `n` block rows in which every pair (i, j) of `pairs` is coupled. The order and
    /// repetition of pairs do not matter; diagonal blocks are always there.
    ///
    /// # Panics
    /// When an index of a pair is not below `n`.
    #[must_use]
    pub fn new(n: usize, pairs: impl IntoIterator<Item = (usize, usize)>) -> Self {
        let mut below = vec![Vec::new(); n];
        for (i, j) in pairs {
            assert!(i < n && j < n, "block ({i}, {j}) is outside a matrix of {n} block rows");
            if i != j {
                below[i.min(j)].push(i.max(j));
            }
        }
        let mut columns = Vec::with_capacity(n + 1);
        let mut rows = Vec::new();
        columns.push(0);
        for (j, list) in below.iter_mut().enumerate() {
            list.sort_unstable();
            list.dedup();
            rows.push(j);
            rows.extend_from_slice(list);
            columns.push(rows.len());
        }
        let scalar = scalar_pattern(n, &columns, &rows);
        Self { columns, rows, scalar }
    }

    /// How many block rows there are; the matrix is 3n×3n.
    #[must_use]
    pub fn block_rows(&self) -> usize {
        self.columns.len() - 1
    }

    /// How many blocks are stored.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.rows.len()
    }

    /// The block rows of block column `j`, the diagonal first, then ascending.
    #[must_use]
    pub fn rows(&self, j: usize) -> &[usize] {
        &self.rows[self.columns[j]..self.columns[j + 1]]
    }

    /// The number of the block in row `i` and column `j ≤ i`, counted along the columns.
    #[must_use]
    pub fn find(&self, i: usize, j: usize) -> Option<usize> {
        self.rows(j).binary_search(&i).ok().map(|k| self.columns[j] + k)
    }

    /// The blocks of column `j`, as numbers.
    pub(crate) fn column(&self, j: usize) -> std::ops::Range<usize> {
        self.columns[j]..self.columns[j + 1]
    }

    /// The places of the diagonal entries among a matrix's values.
    pub(crate) fn diagonal(&self) -> Vec<usize> {
        (0..self.block_rows())
            .flat_map(|j| {
                let range = self.column(j);
                (0..3).map(move |c| 9 * range.start + c * 3 * range.len() + c)
            })
            .collect()
    }

    /// The pattern of single entries.
    #[must_use]
    pub fn scalar(&self) -> SymbolicSparseColMatRef<'_, usize> {
        self.scalar.as_ref()
    }
}

fn scalar_pattern(n: usize, columns: &[usize], rows: &[usize]) -> SymbolicSparseColMat<usize> {
    let mut col_ptr = Vec::with_capacity(3 * n + 1);
    let mut row_idx = Vec::with_capacity(9 * rows.len());
    col_ptr.push(0);
    for j in 0..n {
        for _ in 0..3 {
            for &i in &rows[columns[j]..columns[j + 1]] {
                row_idx.extend([3 * i, 3 * i + 1, 3 * i + 2]);
            }
            col_ptr.push(row_idx.len());
        }
    }
    SymbolicSparseColMat::new_checked(3 * n, 3 * n, col_ptr, None, row_idx)
}

/// A symmetric 3n×3n matrix on a [`BlockPattern`].
#[derive(Clone, Debug)]
pub struct BlockMatrix {
    pattern: Arc<BlockPattern>,
    values: Vec<f64>,
}

impl BlockMatrix {
    /// All zeros.
    #[must_use]
    pub fn zeros(pattern: Arc<BlockPattern>) -> Self {
        let values = vec![0.0; 9 * pattern.blocks()];
        Self { pattern, values }
    }

    /// Where the values may stand.
    #[must_use]
    pub fn pattern(&self) -> &Arc<BlockPattern> {
        &self.pattern
    }

    /// The size of the matrix: it is `dim`×`dim`.
    #[must_use]
    pub fn dim(&self) -> usize {
        3 * self.pattern.block_rows()
    }

    /// Every stored value, in the order of the columns.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    pub(crate) fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// The lower triangle as a sparse matrix of scalars. Entries above the diagonal of the diagonal
    /// blocks are present too; factorizations of the lower side pass over them.
    #[must_use]
    pub fn lower(&self) -> SparseColMatRef<'_, usize, f64> {
        SparseColMatRef::new(self.pattern.scalar(), &self.values)
    }

    /// The block (i, j) with j ≤ i, row by row; `None` where the pattern has none.
    #[must_use]
    pub fn block(&self, i: usize, j: usize) -> Option<[[f64; 3]; 3]> {
        let block = self.pattern.find(i, j)?;
        let range = self.pattern.column(j);
        let (height, k) = (3 * range.len(), 3 * (block - range.start));
        let base = 9 * range.start + k;
        Some(std::array::from_fn(|r| std::array::from_fn(|c| self.values[base + c * height + r])))
    }

    /// A ← B.
    ///
    /// # Panics
    /// When `other` is on another pattern.
    pub fn copy_from(&mut self, other: &Self) {
        self.check_pattern(other);
        self.values.copy_from_slice(&other.values);
    }

    /// A ← a A.
    pub fn multiply(&mut self, a: f64) {
        for value in &mut self.values {
            *value *= a;
        }
    }

    /// A ← A + b B.
    ///
    /// # Panics
    /// When `other` is on another pattern.
    pub fn add_scaled(&mut self, b: f64, other: &Self) {
        self.check_pattern(other);
        for (value, other) in self.values.iter_mut().zip(&other.values) {
            *value += b * other;
        }
    }

    /// A ← A + diag(d).
    ///
    /// # Panics
    /// When `d` is not as long as the matrix has rows.
    pub fn add_diagonal(&mut self, d: &[f64]) {
        assert_eq!(d.len(), self.dim(), "one entry per row");
        for j in 0..self.pattern.block_rows() {
            let range = self.pattern.column(j);
            for c in 0..3 {
                self.values[9 * range.start + c * 3 * range.len() + c] += d[3 * j + c];
            }
        }
    }

    /// Adds to the block (i, j) with j ≤ i, row by row; one on the diagonal has to be symmetric.
    ///
    /// # Panics
    /// When the pattern has no such block.
    pub fn add_block(&mut self, i: usize, j: usize, block: &[[f64; 3]; 3]) {
        let place = self.pattern.find(i, j).expect("a block of the pattern");
        let range = self.pattern.column(j);
        let height = 3 * range.len();
        let base = 9 * range.start + 3 * (place - range.start);
        for (r, row) in block.iter().enumerate() {
            for (c, value) in row.iter().enumerate() {
                self.values[base + c * height + r] += value;
            }
        }
    }

    /// The diagonal.
    #[must_use]
    pub fn diagonal(&self) -> Vec<f64> {
        self.pattern.diagonal().into_iter().map(|k| self.values[k]).collect()
    }

    fn check_pattern(&self, other: &Self) {
        assert!(Arc::ptr_eq(&self.pattern, &other.pattern), "matrices on one pattern");
    }

    /// A ← diag(d) A diag(d).
    ///
    /// # Panics
    /// When `d` is not as long as the matrix has rows.
    pub fn scale(&mut self, d: &[f64]) {
        assert_eq!(d.len(), self.dim(), "one factor per row");
        let pattern = self.pattern.scalar();
        let mut k = 0;
        for j in 0..pattern.ncols() {
            for i in pattern.row_idx_of_col(j) {
                self.values[k] *= d[i] * d[j];
                k += 1;
            }
        }
    }

    /// Σ_j |a_ij| for every row i; the largest bounds every eigenvalue.
    #[must_use]
    pub fn absolute_row_sums(&self) -> Vec<f64> {
        let mut sums = vec![0.0; self.dim()];
        let pattern = self.pattern.scalar();
        let mut k = 0;
        for j in 0..pattern.ncols() {
            for i in pattern.row_idx_of_col(j) {
                let value = self.values[k].abs();
                sums[i] += value;
                // Blocks below the diagonal stand for their mirror image too.
                if i / 3 != j / 3 {
                    sums[j] += value;
                }
                k += 1;
            }
        }
        sums
    }

    /// The whole matrix, both triangles.
    #[must_use]
    pub fn to_dense(&self) -> Mat<f64> {
        let mut dense = Mat::zeros(self.dim(), self.dim());
        let pattern = self.pattern.scalar();
        let mut k = 0;
        for j in 0..pattern.ncols() {
            for i in pattern.row_idx_of_col(j) {
                dense[(i, j)] = self.values[k];
                dense[(j, i)] = self.values[k];
                k += 1;
            }
        }
        dense
    }

    /// y = A x.
    ///
    /// # Panics
    /// When a length is not [`Self::dim`].
    pub fn mul(&self, x: &[f64], y: &mut [f64]) {
        assert!(x.len() == self.dim() && y.len() == self.dim(), "vectors of the matrix's size");
        y.fill(0.0);
        for j in 0..self.pattern.block_rows() {
            let range = self.pattern.column(j);
            let rows = &self.pattern.rows[range.clone()];
            let height = 3 * rows.len();
            let columns = &self.values[9 * range.start..9 * range.end];
            for c in 0..3 {
                let column = &columns[c * height..(c + 1) * height];
                let xj = x[3 * j + c];
                let mut sum = 0.0;
                for (&i, v) in rows.iter().zip(column.chunks_exact(3)).skip(1) {
                    for r in 0..3 {
                        y[3 * i + r] += v[r] * xj;
                        sum += v[r] * x[3 * i + r];
                    }
                }
                for r in 0..3 {
                    y[3 * j + r] += column[r] * xj;
                }
                y[3 * j + c] += sum;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::sparse::Assembly;

    #[test]
    fn product_and_blocks_agree_with_a_dense_matrix() {
        // Two triangles and a spring over four vertices, random symmetric element matrices.
        let elements: [&[usize]; 3] = [&[0, 1, 2], &[3, 1, 0], &[1, 3]];
        let mut seed = 1_u64;
        let mut random = move || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 40) as f64 / 2f64.powi(24) - 0.5
        };
        let mut dense = [[0.0; 12]; 12];
        let mut blocks = Vec::new();
        for corners in elements {
            for a in 0..corners.len() {
                for b in 0..=a {
                    let mut block = [[0.0; 3]; 3];
                    for r in 0..3 {
                        for c in 0..3 {
                            block[r][c] = if a == b && c < r { block[c][r] } else { random() };
                        }
                    }
                    for r in 0..3 {
                        for c in 0..3 {
                            dense[3 * corners[a] + r][3 * corners[b] + c] += block[r][c];
                            if a != b {
                                dense[3 * corners[b] + c][3 * corners[a] + r] += block[r][c];
                            }
                        }
                    }
                    blocks.push(block);
                }
            }
        }
        let places = elements.map(|corners| corners.iter().copied().map(Some).collect::<Vec<_>>());
        let assembly = Assembly::new(4, places.iter());
        let mut matrix = assembly.zeros();
        assembly.sum(&blocks, &mut matrix);
        let x: Vec<f64> = (0..12).map(|_| random()).collect();
        let mut y = vec![0.0; 12];
        matrix.mul(&x, &mut y);
        for i in 0..12 {
            let expected: f64 = (0..12).map(|j| dense[i][j] * x[j]).sum();
            assert!((y[i] - expected).abs() < 1e-14);
        }
        assert_eq!(matrix.block(3, 2), None, "vertices 2 and 3 share no element");
        let block = matrix.block(1, 0).unwrap();
        assert!((block[2][1] - dense[5][1]).abs() < 1e-15);

        // 2 (A + ½ A + diag(x) + a block and its mirror image).
        let mut other = assembly.zeros();
        other.copy_from(&matrix);
        other.add_scaled(0.5, &matrix);
        other.add_diagonal(&x);
        other.add_block(3, 1, &[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]);
        other.multiply(2.0);
        let sum = other.to_dense();
        for i in 0..12 {
            for j in 0..12 {
                let (low, high) = (i.min(j), i.max(j));
                let added = if high >= 9 && (3..6).contains(&low) { 3 * (high - 9) + low - 2 } else { 0 };
                let diagonal = if i == j { x[i] } else { 0.0 };
                let expected = 2.0 * (1.5 * dense[i][j] + diagonal + added as f64);
                assert!((sum[(i, j)] - expected).abs() < 1e-14, "({i}, {j})");
            }
            assert_eq!(other.diagonal()[i], sum[(i, i)]);
        }
    }
}
