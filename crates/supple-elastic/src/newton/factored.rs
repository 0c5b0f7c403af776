//! The matrix of a Newton step, factored: H + τS, grounded where a [`Gauge`] asks for it.
//!
//! S is the identity or, better where H is a stiffness K, a Laplacian: S_ij = tr(K_ij)/3 I, block by block, K at
//! rest. For a solid K_ij = ∫ λ g_i g_jᵀ + μ g_j g_iᵀ + μ (g_i·g_j) I, whose trace is (λ + 4μ) ∫ g_i·g_j. What
//! makes H indefinite is most often a few crushed elements. A Laplacian as stiff as they are weak holds these
//! and costs smooth displacements next to nothing, while an identity holds all vertices back alike.

use super::gauge::{Border, Gauge};
use faer::MatMut;
use std::sync::Arc;
use supple_numerics::sparse::{BlockMatrix, Cholesky, FactorError, Ldlt, Symbolic};

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

impl Solve for Ldlt {
    fn solve(&self, x: MatMut<'_, f64>) {
        Self::solve(self, x);
    }
}

/// The part of the identity in S: what a Laplacian does not feel is held too.
const IDENTITY: f64 = 1e-4;

/// What is added to H where it is not positive definite, its mean diagonal 1.
#[derive(Debug)]
pub(crate) struct Shift {
    matrix: BlockMatrix,
}

impl Shift {
    /// The Laplacian of a stiffness at rest.
    pub fn new(stiffness: &BlockMatrix) -> Self {
        let mut matrix = laplacian(stiffness);
        let mean = matrix.diagonal().iter().sum::<f64>() / matrix.dim() as f64;
        matrix.multiply(1.0 / mean);
        matrix.add_diagonal(&vec![IDENTITY; matrix.dim()]);
        Self { matrix }
    }
}

/// tr(A_ij)/3 I, block by block; positive semidefinite when A is.
pub(crate) fn laplacian(matrix: &BlockMatrix) -> BlockMatrix {
    let mut laplacian = BlockMatrix::zeros(matrix.pattern().clone());
    for j in 0..matrix.pattern().block_rows() {
        for &i in matrix.pattern().rows(j) {
            if let Some(block) = matrix.block(i, j) {
                let x = (block[0][0] + block[1][1] + block[2][2]) / 3.0;
                laplacian.add_block(i, j, &[[x, 0.0, 0.0], [0.0, x, 0.0], [0.0, 0.0, x]]);
            }
        }
    }
    laplacian
}

/// How much of S has been added to H so far.
#[derive(Debug)]
pub(crate) struct Shifted<'a> {
    gauge: Option<&'a Gauge>,
    /// S; the identity when there is none.
    by: Option<&'a Shift>,
    /// The mean of |diagonal| of H: the unit of shifts.
    mean: f64,
    added: f64,
}

impl<'a> Shifted<'a> {
    /// Grounds H, to be shifted by `by`.
    pub fn new(matrix: &mut BlockMatrix, gauge: Option<&'a Gauge>, by: Option<&'a Shift>) -> Self {
        let diagonal = matrix.diagonal();
        let mean = diagonal.iter().map(|d| d.abs()).sum::<f64>() / diagonal.len() as f64;
        if let Some(gauge) = gauge {
            let mut ground = vec![0.0; diagonal.len()];
            gauge.ground(mean, &mut ground);
            matrix.add_diagonal(&ground);
        }
        Self { gauge, by, mean, added: 0.0 }
    }

    /// Factors H + τS with the least τ tried, from `shift` on (in units of the mean diagonal), that makes it
    /// positive definite, and leaves that in `shift`. Returns how many were tried, `None` when none helps.
    pub fn factor(
        &mut self,
        matrix: &mut BlockMatrix,
        factored: &mut Factored,
        shift: &mut f64,
    ) -> Option<usize> {
        let mut tried = 0;
        while self.mean.is_finite() && *shift <= LAST_SHIFT {
            let missing = *shift * self.mean - self.added;
            if missing > 0.0 {
                match self.by {
                    Some(shift) => matrix.add_scaled(missing, &shift.matrix),
                    None => matrix.add_diagonal(&vec![missing; matrix.dim()]),
                }
                self.added += missing;
            }
            tried += 1;
            if factored.factor(matrix, self.mean, self.gauge).is_ok() {
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

/// A matrix of any signs, factored once as it is, with the border that takes rigid motions out.
#[derive(Debug)]
pub(crate) struct Indefinite {
    ldlt: Ldlt,
    border: Option<Border>,
}

impl Indefinite {
    /// Grounds and factors `matrix`, which is left grounded.
    ///
    /// # Errors
    /// [`FactorError::ZeroPivot`].
    pub fn new(
        symbolic: Arc<Symbolic>,
        matrix: &mut BlockMatrix,
        gauge: Option<&Gauge>,
    ) -> Result<Self, FactorError> {
        let mean = Shifted::new(matrix, gauge, None).mean;
        let ldlt = Ldlt::new(symbolic, matrix)?;
        Ok(Self { border: gauge.map(|gauge| Border::new(gauge, mean, &ldlt)), ldlt })
    }

    /// Overwrites x with the d of H d + Cᵀλ = x, C d = 0; `false` when that is singular.
    pub fn solve(&self, gauge: Option<&Gauge>, x: &mut [f64]) -> bool {
        let rows = x.len();
        self.ldlt.solve(MatMut::from_column_major_slice_mut(x, rows, 1));
        match (gauge, &self.border) {
            (Some(gauge), Some(border)) => border.complete(gauge, x),
            _ => true,
        }
    }

    /// How many eigenvalues of the grounded matrix are negative.
    pub fn negative_eigenvalues(&self) -> usize {
        self.ldlt.negative_eigenvalues()
    }
}
