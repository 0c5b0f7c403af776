//! The matrix of a Newton step, factored: H + τI, grounded where a [`Gauge`] asks for it.

use super::gauge::{Border, Gauge};
use faer::MatMut;
use std::sync::Arc;
use supple_numerics::sparse::{BlockMatrix, Cholesky, FactorError, Symbolic};

/// The first τ tried, and the least kept for the next iteration, as a part of the mean diagonal of H.
pub(super) const FIRST_SHIFT: f64 = 1e-6;
/// How fast τ grows and shrinks.
pub(super) const SHIFT_FACTOR: f64 = 8.0;
/// The τ beyond which none helps.
pub(super) const LAST_SHIFT: f64 = 1e6;

/// Solving with a factored matrix, in place.
pub(super) trait Solve {
    fn solve(&self, x: MatMut<'_, f64>);
}

impl Solve for Cholesky {
    fn solve(&self, x: MatMut<'_, f64>) {
        Self::solve(self, x);
    }
}

/// What has been added to the diagonal of H so far.
#[derive(Debug)]
pub(crate) struct Shifted {
    /// The mean of |diagonal| of H: the unit of shifts.
    mean: f64,
    added: f64,
}

impl Shifted {
    /// Grounds H.
    pub fn new(matrix: &mut BlockMatrix, gauge: Option<&Gauge>) -> Self {
        let diagonal = matrix.diagonal();
        let mean = diagonal.iter().map(|d| d.abs()).sum::<f64>() / diagonal.len() as f64;
        if let Some(gauge) = gauge {
            let mut ground = vec![0.0; diagonal.len()];
            gauge.ground(mean, &mut ground);
            matrix.add_diagonal(&ground);
        }
        Self { mean, added: 0.0 }
    }

    /// Factors H + τI with the least τ tried, from `shift` on (in units of the mean diagonal), that makes it
    /// positive definite, and leaves that in `shift`. Returns how many were tried, `None` when none helps.
    pub fn factor(
        &mut self,
        matrix: &mut BlockMatrix,
        factored: &mut Factored,
        gauge: Option<&Gauge>,
        shift: &mut f64,
    ) -> Option<usize> {
        let mut tried = 0;
        while self.mean.is_finite() && *shift <= LAST_SHIFT {
            let missing = *shift * self.mean - self.added;
            if missing > 0.0 {
                matrix.add_diagonal(&vec![missing; matrix.dim()]);
                self.added += missing;
            }
            tried += 1;
            if factored.factor(matrix, self.mean, gauge).is_ok() {
                return Some(tried);
            }
            *shift = (*shift * SHIFT_FACTOR).max(FIRST_SHIFT);
        }
        None
    }
}

/// A factor, and the border that takes rigid motions out.
#[derive(Debug)]
pub(crate) struct Factored {
    symbolic: Arc<Symbolic>,
    cholesky: Option<Cholesky>,
    border: Option<Border>,
}

impl Factored {
    /// Room for factors on a pattern.
    pub fn new(symbolic: Arc<Symbolic>) -> Self {
        Self { symbolic, cholesky: None, border: None }
    }

    fn factor(&mut self, matrix: &BlockMatrix, mean: f64, gauge: Option<&Gauge>) -> Result<(), FactorError> {
        let cholesky = match self.cholesky.take() {
            Some(mut cholesky) => match cholesky.refactor(matrix) {
                Ok(()) => cholesky,
                Err(error) => {
                    self.cholesky = Some(cholesky);
                    return Err(error);
                }
            },
            None => Cholesky::new(self.symbolic.clone(), matrix)?,
        };
        self.border = gauge.map(|gauge| Border::new(gauge, mean, &cholesky));
        self.cholesky = Some(cholesky);
        Ok(())
    }

    /// Overwrites x with the d of H d + Cᵀλ = x, C d = 0; `false` when nothing useful is factored.
    pub fn solve(&self, gauge: Option<&Gauge>, x: &mut [f64]) -> bool {
        let Some(cholesky) = &self.cholesky else {
            return false;
        };
        cholesky.solve_one(x);
        match (gauge, &self.border) {
            (Some(gauge), Some(border)) => border.complete(gauge, x),
            _ => true,
        }
    }
}
