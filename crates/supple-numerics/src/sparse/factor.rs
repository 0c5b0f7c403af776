//! Factorizations of block matrices: A = L Lᵀ for positive definite ones, A = L D Lᵀ for indefinite
//! ones, whose D also counts eigenvalues.
//!
//! The symbolic part ([`Symbolic`]: elimination order and fill) depends on the pattern only and is
//! shared by every factorization on it. All of it runs on the calling thread: on matrices of this kind
//! threads pay outside, over shifts, frames or blocks of right-hand sides.

use super::{BlockMatrix, BlockPattern, ordering};
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::ldlt::factor::LdltError;
use faer::linalg::cholesky::llt::factor::LltError;
use faer::perm::PermRef;
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::supernodal::{SupernodalLdltRef, SymbolicSupernodalCholesky};
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LdltRef, LltRef, SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering,
    factorize_symbolic_cholesky,
};
use faer::{Conj, MatMut, Par, Side};
use std::sync::Arc;

/// Why a matrix could not be factored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FactorError {
    /// A Cholesky factorization met a pivot that is not positive.
    #[error("the matrix is not positive definite (pivot of row {row})")]
    NotPositiveDefinite {
        /// The row, in the matrix's own order.
        row: usize,
    },
    /// An LDLᵀ factorization met a zero pivot: the shift is an eigenvalue of a leading block.
    #[error("the factorization found a zero pivot in row {row}")]
    ZeroPivot {
        /// The row, in the matrix's own order.
        row: usize,
    },
    /// The factor does not fit in memory.
    #[error("the factor of a {rows}×{rows} matrix does not fit in memory")]
    TooLarge {
        /// The size of the matrix.
        rows: usize,
    },
}

/// The elimination order and the places of fill of a pattern.
#[derive(Debug)]
pub struct Symbolic {
    inner: SymbolicCholesky<usize>,
}

impl Symbolic {
    /// Analyses a pattern. Where `positions` (one per block row) are given, nested dissection is tried
    /// beside minimum degree and the smaller factor kept.
    ///
    /// # Errors
    /// [`FactorError::TooLarge`].
    pub fn new(pattern: &BlockPattern, positions: Option<&[[f64; 3]]>) -> Result<Self, FactorError> {
        let rows = 3 * pattern.block_rows();
        let orders = [
            ordering::minimum_degree(pattern),
            positions.map(|positions| ordering::dissection(pattern, positions)),
        ];
        orders
            .into_iter()
            .flatten()
            .filter_map(|order| analyse(pattern, &order))
            .min_by_key(SymbolicCholesky::len_val)
            .map(|inner| Self { inner })
            .ok_or(FactorError::TooLarge { rows })
    }

    /// How many numbers a factor holds.
    #[must_use]
    pub fn factor_len(&self) -> usize {
        self.inner.len_val()
    }

    fn supernodal(&self) -> &SymbolicSupernodalCholesky<usize> {
        match self.inner.raw() {
            SymbolicCholeskyRaw::Supernodal(inner) => inner,
            SymbolicCholeskyRaw::Simplicial(_) => unreachable!("`analyse` forces supernodes"),
        }
    }

    /// The row of the matrix eliminated `index`-th.
    fn row(&self, index: usize) -> usize {
        self.inner.perm().map_or(index, |perm| perm.arrays().0[index])
    }
}

fn analyse(pattern: &BlockPattern, order: &[usize]) -> Option<SymbolicCholesky<usize>> {
    let forward: Vec<usize> = order.iter().flat_map(|&v| [3 * v, 3 * v + 1, 3 * v + 2]).collect();
    let mut inverse = vec![0; forward.len()];
    for (i, &row) in forward.iter().enumerate() {
        inverse[row] = i;
    }
    let params = CholeskySymbolicParams {
        supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SUPERNODAL,
        ..Default::default()
    };
    let perm = PermRef::new_checked(&forward, &inverse, forward.len());
    factorize_symbolic_cholesky(pattern.scalar(), Side::Lower, SymmetricOrdering::Custom(perm), params).ok()
}

/// A = L Lᵀ.
#[derive(Debug)]
pub struct Cholesky {
    symbolic: Arc<Symbolic>,
    values: Vec<f64>,
}

impl Cholesky {
    /// Factors a positive definite matrix.
    ///
    /// # Errors
    /// [`FactorError::NotPositiveDefinite`] names the row where it stopped.
    pub fn new(symbolic: Arc<Symbolic>, matrix: &BlockMatrix) -> Result<Self, FactorError> {
        let mut factor = Self { values: vec![0.0; symbolic.factor_len()], symbolic };
        factor.refactor(matrix)?;
        Ok(factor)
    }

    /// Factors another matrix on the same pattern, in the same memory.
    ///
    /// # Errors
    /// [`FactorError::NotPositiveDefinite`] names the row where it stopped. What is left is the factor
    /// of no matrix: factor another before solving.
    pub fn refactor(&mut self, matrix: &BlockMatrix) -> Result<(), FactorError> {
        let inner = &self.symbolic.inner;
        let scratch = inner.factorize_numeric_llt_scratch::<f64>(Par::Seq, Default::default());
        let mut memory = MemBuffer::new(scratch);
        inner
            .factorize_numeric_llt(
                &mut self.values,
                matrix.lower(),
                Side::Lower,
                Default::default(),
                Par::Seq,
                MemStack::new(&mut memory),
                Default::default(),
            )
            .map_err(|LltError::NonPositivePivot { index }| FactorError::NotPositiveDefinite {
                row: self.symbolic.row(index),
            })?;
        Ok(())
    }

    /// Overwrites `x` with A⁻¹ x.
    pub fn solve_one(&self, x: &mut [f64]) {
        let rows = x.len();
        self.solve(MatMut::from_column_major_slice_mut(x, rows, 1));
    }

    /// Overwrites the columns of `x` with A⁻¹ x. Blocks of some ten columns cost far less than as many
    /// single ones.
    pub fn solve(&self, x: MatMut<'_, f64>) {
        let inner = &self.symbolic.inner;
        let mut memory = MemBuffer::new(inner.solve_in_place_scratch::<f64>(x.ncols(), Par::Seq));
        LltRef::new(inner, &self.values).solve_in_place_with_conj(
            Conj::No,
            x,
            Par::Seq,
            MemStack::new(&mut memory),
        );
    }
}

/// A = L D Lᵀ without pivoting. It is accurate unless A is nearly singular to one of its leading
/// blocks: check a residual and move the shift where it matters.
#[derive(Debug)]
pub struct Ldlt {
    symbolic: Arc<Symbolic>,
    values: Vec<f64>,
}

impl Ldlt {
    /// Factors a symmetric matrix.
    ///
    /// # Errors
    /// [`FactorError::ZeroPivot`] names the row where it stopped.
    pub fn new(symbolic: Arc<Symbolic>, matrix: &BlockMatrix) -> Result<Self, FactorError> {
        let mut values = vec![0.0; symbolic.factor_len()];
        let inner = &symbolic.inner;
        let scratch = inner.factorize_numeric_ldlt_scratch::<f64>(Par::Seq, Default::default());
        let mut memory = MemBuffer::new(scratch);
        inner
            .factorize_numeric_ldlt(
                &mut values,
                matrix.lower(),
                Side::Lower,
                Default::default(),
                Par::Seq,
                MemStack::new(&mut memory),
                Default::default(),
            )
            .map_err(|LdltError::ZeroPivot { index }| FactorError::ZeroPivot { row: symbolic.row(index) })?;
        Ok(Self { symbolic, values })
    }

    /// Overwrites the columns of `x` with A⁻¹ x.
    pub fn solve(&self, x: MatMut<'_, f64>) {
        let inner = &self.symbolic.inner;
        let mut memory = MemBuffer::new(inner.solve_in_place_scratch::<f64>(x.ncols(), Par::Seq));
        LdltRef::new(inner, &self.values).solve_in_place_with_conj(
            Conj::No,
            x,
            Par::Seq,
            MemStack::new(&mut memory),
        );
    }

    /// How many eigenvalues of A are negative: by Sylvester's law of inertia as many as D has negative
    /// entries.
    #[must_use]
    pub fn negative_eigenvalues(&self) -> usize {
        let symbolic = self.symbolic.supernodal();
        let factor = SupernodalLdltRef::new(symbolic, &self.values);
        (0..symbolic.n_supernodes())
            .map(|s| {
                let block = factor.supernode(s).val();
                (0..block.ncols()).filter(|&j| block[(j, j)] < 0.0).count()
            })
            .sum()
    }
}
