//! The band: blocks beside the diagonal, factored in place.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{LltParams, cholesky_in_place, cholesky_in_place_scratch};
use faer::linalg::matmul::matmul;
use faer::linalg::triangular_solve::{solve_lower_triangular_in_place, solve_upper_triangular_in_place};
use faer::{Accum, MatMut, MatRef, Par, Spec};
use std::ops::Range;

/// A symmetric matrix of `blocks` × `blocks` blocks, zero farther than `bandwidth` blocks from the diagonal.
///
/// Row i keeps the blocks i − w … i side by side, a × (w + 1) a by columns; those before the first block are zero.
#[derive(Clone, Debug)]
pub struct BlockBanded {
    size: usize,
    bandwidth: usize,
    blocks: usize,
    values: Vec<f64>,
}

/// The matrix has no Cholesky factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the matrix is not positive definite at block {block}")]
pub struct NotPositive {
    /// The block of the diagonal where that showed.
    pub block: usize,
}

impl BlockBanded {
    /// Zeros.
    #[must_use]
    pub fn new(blocks: usize, size: usize, bandwidth: usize) -> Self {
        let bandwidth = bandwidth.min(blocks.saturating_sub(1));
        Self { size, bandwidth, blocks, values: vec![0.0; blocks * size * size * (bandwidth + 1)] }
    }

    /// How many blocks stand on the diagonal.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.blocks
    }

    /// Rows and columns of a block.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// How many blocks beside the diagonal there are.
    #[must_use]
    pub fn bandwidth(&self) -> usize {
        self.bandwidth
    }

    /// Zeros again.
    pub fn clear(&mut self) {
        self.values.fill(0.0);
    }

    /// Block (i, j), by columns. Of the diagonal the lower triangle counts.
    ///
    /// # Panics
    /// When j > i or the block is outside of the band.
    pub fn block_mut(&mut self, i: usize, j: usize) -> MatMut<'_, f64> {
        let a = self.size;
        MatMut::from_column_major_slice_mut(self.block_values(i, j), a, a)
    }

    /// The numbers of block (i, j), by columns.
    ///
    /// # Panics
    /// When j > i or the block is outside of the band.
    pub fn block_values(&mut self, i: usize, j: usize) -> &mut [f64] {
        let range = self.range(i, j);
        &mut self.values[range]
    }

    /// The same to look at: of A, or of L once it was factored.
    ///
    /// # Panics
    /// When j > i or the block is outside of the band.
    #[must_use]
    pub fn values(&self, i: usize, j: usize) -> &[f64] {
        &self.values[self.range(i, j)]
    }

    /// Where block (i, j) is.
    fn range(&self, i: usize, j: usize) -> Range<usize> {
        assert!(j <= i && i - j <= self.bandwidth, "block ({i}, {j}) is outside of the band");
        let (a, w) = (self.size, self.bandwidth);
        let at = (i * (w + 1) + w - (i - j)) * a * a;
        at..at + a * a
    }

    /// Blocks `from` … `to` − 1 of row i.
    pub(super) fn row(&self, i: usize, from: usize, to: usize) -> MatRef<'_, f64> {
        row_of(&self.values, (self.size, self.bandwidth), i, from, to)
    }

    /// Puts L in the place of A.
    ///
    /// # Errors
    /// Where the matrix is not positive definite, which is spoilt then.
    pub fn factor(&mut self) -> Result<(), NotPositive> {
        let (a, w) = (self.size, self.bandwidth);
        let shape = (a, w);
        let params: Spec<LltParams, f64> = Spec::default();
        let mut memory = MemBuffer::new(cholesky_in_place_scratch::<f64>(a, Par::Seq, params));
        for i in 0..self.blocks {
            let first = i.saturating_sub(w);
            let (before, rest) = self.values.split_at_mut(i * (w + 1) * a * a);
            let row = &mut rest[..(w + 1) * a * a];
            for j in first..i {
                let at = (w - (i - j)) * a * a;
                let (known, block) = row.split_at_mut(at);
                let mut block = MatMut::from_column_major_slice_mut(&mut block[..a * a], a, a);
                if j > first {
                    let known = MatRef::from_column_major_slice(
                        &known[(w - (i - first)) * a * a..],
                        a,
                        (j - first) * a,
                    );
                    let other = row_of(before, shape, j, first, j);
                    matmul(block.as_mut(), Accum::Add, known, other.transpose(), -1.0, Par::Seq);
                }
                let diagonal = row_of(before, shape, j, j, j + 1);
                solve_lower_triangular_in_place(diagonal, block.transpose_mut(), Par::Seq);
            }
            let (known, diagonal) = row.split_at_mut(w * a * a);
            let mut diagonal = MatMut::from_column_major_slice_mut(&mut diagonal[..a * a], a, a);
            if i > first {
                let known =
                    MatRef::from_column_major_slice(&known[(w - (i - first)) * a * a..], a, (i - first) * a);
                matmul(diagonal.as_mut(), Accum::Add, known, known.transpose(), -1.0, Par::Seq);
            }
            cholesky_in_place(diagonal, Default::default(), Par::Seq, MemStack::new(&mut memory), params)
                .map_err(|_| NotPositive { block: i })?;
        }
        Ok(())
    }

    /// Overwrites x with L⁻¹ x. [`Self::factor`] comes first.
    pub fn forward(&self, x: &mut [f64]) {
        let (a, w) = (self.size, self.bandwidth);
        for i in 0..self.blocks {
            let first = i.saturating_sub(w);
            let (known, rest) = x.split_at_mut(i * a);
            let mut own = MatMut::from_column_major_slice_mut(&mut rest[..a], a, 1);
            if i > first {
                let known = MatRef::from_column_major_slice(&known[first * a..], (i - first) * a, 1);
                matmul(own.as_mut(), Accum::Add, self.row(i, first, i), known, -1.0, Par::Seq);
            }
            solve_lower_triangular_in_place(self.row(i, i, i + 1), own, Par::Seq);
        }
    }

    /// Overwrites x with L⁻ᵀ x. [`Self::factor`] comes first.
    pub fn backward(&self, x: &mut [f64]) {
        let (a, w) = (self.size, self.bandwidth);
        for i in (0..self.blocks).rev() {
            let first = i.saturating_sub(w);
            let (before, rest) = x.split_at_mut(i * a);
            let mut own = MatMut::from_column_major_slice_mut(&mut rest[..a], a, 1);
            solve_upper_triangular_in_place(self.row(i, i, i + 1).transpose(), own.as_mut(), Par::Seq);
            if i > first {
                let before =
                    MatMut::from_column_major_slice_mut(&mut before[first * a..], (i - first) * a, 1);
                matmul(before, Accum::Add, self.row(i, first, i).transpose(), own.as_ref(), -1.0, Par::Seq);
            }
        }
    }

    /// Overwrites x with A⁻¹ x. [`Self::factor`] comes first.
    pub fn solve(&self, x: &mut [f64]) {
        self.forward(x);
        self.backward(x);
    }
}

/// Blocks `from` … `to` − 1 of row i among the values of a matrix with blocks of (size, bandwidth).
fn row_of(values: &[f64], (a, w): (usize, usize), i: usize, from: usize, to: usize) -> MatRef<'_, f64> {
    let at = |j: usize| (i * (w + 1) + w + j - i) * a * a;
    MatRef::from_column_major_slice(&values[at(from)..at(from) + (to - from) * a * a], a, (to - from) * a)
}
