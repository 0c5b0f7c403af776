//! The scaled problem A = M^−½ K M^−½ and its shifted inverses.
//!
//! M is lumped (one mass per vertex), so K x = λ M x becomes A y = λ y with y = M^½ x, and
//! mass-orthonormal modes are plainly orthonormal eigenvectors of A.

use super::tall::Threads;
use crate::random::Random;
use crate::sparse::{BlockMatrix, FactorError, Ldlt, Symbolic};
use faer::{Mat, MatMut};
use rayon::prelude::*;
use std::sync::Arc;

/// Columns one thread solves for at a time when a block is shared between threads.
const COLUMNS_PER_TASK: usize = 6;

/// A = M^−½ K M^−½ with what its shifted factorizations share.
#[derive(Debug)]
pub(super) struct Scaled {
    matrix: BlockMatrix,
    symbolic: Arc<Symbolic>,
    /// M^−½, one entry per row.
    pub inverse_root_mass: Vec<f64>,
    /// The places of the diagonal in the matrix's values.
    diagonal: Vec<usize>,
}

impl Scaled {
    pub(super) fn new(
        stiffness: &BlockMatrix,
        mass: &[f64],
        positions: Option<&[[f64; 3]]>,
    ) -> Result<Self, FactorError> {
        let symbolic = Arc::new(Symbolic::new(stiffness.pattern(), positions)?);
        let inverse_root_mass: Vec<f64> = mass.iter().flat_map(|m| [1.0 / m.sqrt(); 3]).collect();
        let mut matrix = stiffness.clone();
        matrix.scale(&inverse_root_mass);
        let diagonal = matrix.pattern().diagonal();
        Ok(Self { matrix, symbolic, inverse_root_mass, diagonal })
    }

    pub(super) fn dim(&self) -> usize {
        self.matrix.dim()
    }

    pub(super) fn matrix(&self) -> &BlockMatrix {
        &self.matrix
    }

    /// How many numbers one factorization holds.
    pub(super) fn factor_len(&self) -> usize {
        self.symbolic.factor_len()
    }

    /// An upper bound on the largest eigenvalue: the largest absolute row sum (Gershgorin).
    pub(super) fn largest_bound(&self) -> f64 {
        self.matrix.absolute_row_sums().into_iter().fold(0.0, f64::max)
    }

    /// A shift from which the lowest eigenvalues are nearest: below zero, because a free body has zero
    /// eigenvalues, and so far that these do not drown the next ones in round-off.
    pub(super) fn lowest_shift(&self) -> f64 {
        -1e-6 * self.largest_bound()
    }

    /// Factors A − σI, moving σ by a hair where the factorization is not accurate: a pivot may be
    /// (nearly) zero even though A − σI is regular.
    pub(super) fn shifted(&self, shift: f64) -> Result<ShiftInvert, FactorError> {
        let mut shift = shift;
        let mut failure = FactorError::ZeroPivot { row: 0 };
        for attempt in 0..6 {
            match self.factor(shift) {
                Ok(operator) if operator.accurate(self) => return Ok(operator),
                Ok(_) => {}
                Err(error @ FactorError::TooLarge { .. }) => return Err(error),
                Err(error) => failure = error,
            }
            shift *= 1.0 + 1e-5 * f64::from(1 << attempt);
        }
        Err(failure)
    }

    fn factor(&self, shift: f64) -> Result<ShiftInvert, FactorError> {
        let mut matrix = self.matrix.clone();
        for &d in &self.diagonal {
            matrix.values_mut()[d] -= shift;
        }
        let factor = Ldlt::new(self.symbolic.clone(), &matrix)?;
        Ok(ShiftInvert { shift, factor })
    }
}

/// C = (A − σI)⁻¹ as a factorization.
#[derive(Debug)]
pub(super) struct ShiftInvert {
    shift: f64,
    factor: Ldlt,
}

impl ShiftInvert {
    pub(super) fn shift(&self) -> f64 {
        self.shift
    }

    /// How many eigenvalues of A lie below the shift.
    pub(super) fn count_below(&self) -> usize {
        self.factor.negative_eigenvalues()
    }

    /// X ← C X.
    pub(super) fn apply(&self, x: MatMut<'_, f64>, threads: Threads) {
        match threads {
            Threads::One => self.factor.solve(x),
            Threads::All => x.par_col_chunks_mut(COLUMNS_PER_TASK).for_each(|x| self.factor.solve(x)),
        }
    }

    /// One step of inverse iteration: every column to the direction of C y, unit length.
    pub(super) fn iterate(&self, mut vectors: MatMut<'_, f64>, threads: Threads) {
        for start in (0..vectors.ncols()).step_by(2 * COLUMNS_PER_TASK) {
            let width = (2 * COLUMNS_PER_TASK).min(vectors.ncols() - start);
            self.apply(vectors.as_mut().subcols_mut(start, width), threads);
        }
        for column in vectors.col_iter_mut() {
            let length = column.norm_l2();
            column.iter_mut().for_each(|y| *y /= length);
        }
    }

    /// Whether (A − σI) C is the identity, tried on one vector with every frequency in it.
    fn accurate(&self, problem: &Scaled) -> bool {
        let n = problem.dim();
        let mut random = Random::new(7);
        let b = Mat::from_fn(n, 1, |_, _| random.uniform());
        let mut x = b.clone();
        self.factor.solve(x.as_mut());
        let mut ax = vec![0.0; n];
        problem.matrix.mul(x.col_as_slice(0), &mut ax);
        let (mut error, mut size) = (0.0, 0.0);
        for i in 0..n {
            error += (ax[i] - self.shift * x[(i, 0)] - b[(i, 0)]).powi(2);
            size += b[(i, 0)].powi(2);
        }
        // A smooth right-hand side is amplified up to 1/|λ−σ|, so this is far from round-off even for
        // a good factor; a bad one misses by orders of magnitude.
        error <= 1e-8 * size
    }
}
