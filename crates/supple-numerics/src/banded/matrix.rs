//! The band: blocks beside the diagonal, factored in place.
//!
//! A band of many blocks is eliminated from both ends at once, on two threads, until they meet in w blocks in the middle, unless
//! its factor is wanted [in order](BlockBanded::in_order). The order does not depend on threads, and so the bits do not.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{LltParams, cholesky_in_place, cholesky_in_place_scratch};
use faer::linalg::matmul::matmul;
use faer::linalg::matmul::triangular::{self, BlockStructure};
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
    /// Whether the first block is eliminated first and the last one last.
    is_in_order: bool,
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
        let values = vec![0.0; blocks * size * size * (bandwidth + 1)];
        Self { size, bandwidth, blocks, is_in_order: false, values }
    }

    /// Zeros of a matrix that is eliminated from the first block to the last: L is that of Cholesky, and each block of a
    /// solution follows from those that are eliminated after it.
    #[must_use]
    pub fn in_order(blocks: usize, size: usize, bandwidth: usize) -> Self {
        Self { is_in_order: true, ..Self::new(blocks, size, bandwidth) }
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

    /// The same to look at: of A, or of its factor.
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
    fn row(&self, i: usize, from: usize, to: usize) -> MatRef<'_, f64> {
        row_of(&self.values, (self.size, self.bandwidth), i, from, to)
    }

    /// L of a block of the diagonal.
    pub(super) fn diagonal(&self, i: usize) -> MatRef<'_, f64> {
        self.row(i, i, i + 1)
    }

    /// Where both ends meet: the blocks that are eliminated last.
    fn middle(&self) -> Range<usize> {
        if self.is_in_order || self.blocks < 4 * (self.bandwidth + 1) {
            return self.blocks..self.blocks;
        }
        let first = (self.blocks - self.bandwidth) / 2;
        first..first + self.bandwidth
    }

    /// The blocks in the order in which they are eliminated.
    pub(super) fn order(&self) -> impl Iterator<Item = usize> + use<> {
        let middle = self.middle();
        (0..middle.start).chain((middle.end..self.blocks).rev()).chain(middle)
    }

    /// The blocks beside one that are eliminated before it.
    pub(super) fn before(&self, i: usize) -> impl Iterator<Item = usize> + use<> {
        let middle = self.middle();
        let first = i.saturating_sub(self.bandwidth);
        let down = if i < middle.end { first..i } else { i..i };
        let up = if i < middle.start {
            0..0
        } else {
            (i + 1).max(middle.end)..(i + self.bandwidth + 1).min(self.blocks)
        };
        down.chain(up)
    }

    /// What block i of the right side loses of block j, which was eliminated before it.
    pub(super) fn coupling(&self, i: usize, j: usize) -> MatRef<'_, f64> {
        if j < i { self.row(i, j, j + 1) } else { self.row(j, i, i + 1).transpose() }
    }

    /// Puts the factor in the place of A.
    ///
    /// # Errors
    /// Where the matrix is not positive definite, which is spoilt then.
    pub fn factor(&mut self) -> Result<(), NotPositive> {
        let shape = (self.size, self.bandwidth);
        let (middle, blocks) = (self.middle(), self.blocks);
        let (top, rest) = self.values.split_at_mut(middle.start * row_length(shape));
        let (down, up) = rayon::join(
            || (0..middle.start).try_for_each(|i| eliminate(top, shape, i)),
            || (middle.end..blocks).rev().try_for_each(|j| eliminate_back(rest, shape, middle.start, j)),
        );
        down.and(up)?;
        middle.into_iter().try_for_each(|i| eliminate(&mut self.values, shape, i))
    }

    /// Overwrites x with L⁻¹ x. [`Self::factor`] comes first.
    pub fn forward(&self, x: &mut [f64]) {
        let (a, w) = (self.size, self.bandwidth);
        for i in self.order() {
            if i < self.middle().end {
                let first = i.saturating_sub(w);
                let (known, rest) = x.split_at_mut(i * a);
                let mut own = MatMut::from_column_major_slice_mut(&mut rest[..a], a, 1);
                if i > first {
                    let known = MatRef::from_column_major_slice(&known[first * a..], (i - first) * a, 1);
                    matmul(own.as_mut(), Accum::Add, self.row(i, first, i), known, -1.0, Par::Seq);
                }
                solve_lower_triangular_in_place(self.diagonal(i), own, Par::Seq);
            } else {
                let (others, rest) = x.split_at_mut(i * a);
                let mut own = MatMut::from_column_major_slice_mut(&mut rest[..a], a, 1);
                solve_lower_triangular_in_place(self.diagonal(i), own.as_mut(), Par::Seq);
                let others = MatMut::from_column_major_slice_mut(&mut others[(i - w) * a..], w * a, 1);
                matmul(others, Accum::Add, self.row(i, i - w, i).transpose(), own.as_ref(), -1.0, Par::Seq);
            }
        }
    }

    /// Overwrites x with L⁻ᵀ x. [`Self::factor`] comes first.
    pub fn backward(&self, x: &mut [f64]) {
        let (a, w) = (self.size, self.bandwidth);
        let end = self.middle().end;
        for i in (0..end).rev().chain(end..self.blocks) {
            let first = i.saturating_sub(w);
            let (before, rest) = x.split_at_mut(i * a);
            let mut own = MatMut::from_column_major_slice_mut(&mut rest[..a], a, 1);
            if i >= end {
                let known = MatRef::from_column_major_slice(&before[first * a..], (i - first) * a, 1);
                matmul(own.as_mut(), Accum::Add, self.row(i, first, i), known, -1.0, Par::Seq);
            }
            solve_upper_triangular_in_place(self.diagonal(i).transpose(), own.as_mut(), Par::Seq);
            if i < end && i > first {
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

/// How many numbers a row of blocks has.
fn row_length((a, w): (usize, usize)) -> usize {
    (w + 1) * a * a
}

/// L of row i, those before it being known: L_ij = (A_ij − Σ L_ik L_jkᵀ) L_jj⁻ᵀ.
fn eliminate(values: &mut [f64], shape: (usize, usize), i: usize) -> Result<(), NotPositive> {
    let (a, w) = shape;
    let first = i.saturating_sub(w);
    let (before, rest) = values.split_at_mut(i * row_length(shape));
    let row = &mut rest[..row_length(shape)];
    for j in first..i {
        let at = (w - (i - j)) * a * a;
        let (known, block) = row.split_at_mut(at);
        let mut block = MatMut::from_column_major_slice_mut(&mut block[..a * a], a, a);
        if j > first {
            let known =
                MatRef::from_column_major_slice(&known[(w - (i - first)) * a * a..], a, (j - first) * a);
            let other = row_of(before, shape, j, first, j);
            matmul(block.as_mut(), Accum::Add, known, other.transpose(), -1.0, Par::Seq);
        }
        let diagonal = row_of(before, shape, j, j, j + 1);
        solve_lower_triangular_in_place(diagonal, block.transpose_mut(), Par::Seq);
    }
    let (known, diagonal) = row.split_at_mut(w * a * a);
    let mut diagonal = MatMut::from_column_major_slice_mut(diagonal, a, a);
    if i > first {
        let known = MatRef::from_column_major_slice(&known[(w - (i - first)) * a * a..], a, (i - first) * a);
        subtract_square(diagonal.as_mut(), known, known.transpose());
    }
    cholesky(diagonal, i)
}

/// Eliminates block j from the end, those after it being gone: V_ji = L_jj⁻¹ A_ji in the place of A_ji, and A_ik loses
/// V_jiᵀ V_jk. `values` begin with the row of block `first`; all w blocks before j are there.
fn eliminate_back(
    values: &mut [f64],
    shape: (usize, usize),
    first: usize,
    j: usize,
) -> Result<(), NotPositive> {
    let (a, w) = shape;
    let (others, rest) = values.split_at_mut((j - first) * row_length(shape));
    let (row, diagonal) = rest[..row_length(shape)].split_at_mut(w * a * a);
    cholesky(MatMut::from_column_major_slice_mut(diagonal, a, a), j)?;
    let diagonal = MatRef::from_column_major_slice(diagonal, a, a);
    let mut row = MatMut::from_column_major_slice_mut(row, a, w * a);
    solve_lower_triangular_in_place(diagonal, row.as_mut(), Par::Seq);
    let part = |i: usize| row.as_ref().subcols((i + w - j) * a, a);
    for i in j - w..j {
        for k in j - w..=i {
            let at = (i - first) * row_length(shape) + (w - (i - k)) * a * a;
            let mut block = MatMut::from_column_major_slice_mut(&mut others[at..at + a * a], a, a);
            if i == k {
                subtract_square(block, part(i).transpose(), part(i));
            } else {
                matmul(block.as_mut(), Accum::Add, part(i).transpose(), part(k), -1.0, Par::Seq);
            }
        }
    }
    Ok(())
}

/// A − B Bᵀ of the lower triangle.
fn subtract_square(block: MatMut<'_, f64>, known: MatRef<'_, f64>, transposed: MatRef<'_, f64>) {
    let (lower, all) = (BlockStructure::TriangularLower, BlockStructure::Rectangular);
    triangular::matmul(block, lower, Accum::Add, known, all, transposed, all, -1.0, Par::Seq);
}

/// L in the place of a block of the diagonal.
fn cholesky(diagonal: MatMut<'_, f64>, block: usize) -> Result<(), NotPositive> {
    let params: Spec<LltParams, f64> = Spec::default();
    let mut memory = MemBuffer::new(cholesky_in_place_scratch::<f64>(diagonal.nrows(), Par::Seq, params));
    let factored =
        cholesky_in_place(diagonal, Default::default(), Par::Seq, MemStack::new(&mut memory), params);
    factored.map(drop).map_err(|_| NotPositive { block })
}

/// Blocks `from` … `to` − 1 of row i among the values of a matrix with blocks of (size, bandwidth).
fn row_of(values: &[f64], (a, w): (usize, usize), i: usize, from: usize, to: usize) -> MatRef<'_, f64> {
    let at = |j: usize| (i * (w + 1) + w + j - i) * a * a;
    MatRef::from_column_major_slice(&values[at(from)..at(from) + (to - from) * a * a], a, (to - from) * a)
}
