//! L = R Rᵀ of a sparse symmetric matrix with one row per vertex, for the three coordinates of many frames.

use super::error::WarpError;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LltRef, SymbolicCholesky, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMat, Triplet};
use faer::{Conj, MatMut, Par, Side};

/// The factor of a matrix.
#[derive(Debug)]
pub(super) struct ScalarFactor {
    symbolic: SymbolicCholesky<usize>,
    values: Vec<f64>,
    rows: usize,
}

impl ScalarFactor {
    /// Of an n×n matrix whose lower triangle is the sum of `entries`.
    pub fn new(n: usize, entries: &[Triplet<usize, usize, f64>]) -> Result<Self, WarpError> {
        let too_large = WarpError::TooLarge { vertices: n };
        let L = SparseColMat::<usize, f64>::try_new_from_triplets(n, n, entries)
            .map_err(|_| too_large.clone())?;
        let params = CholeskySymbolicParams {
            supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SUPERNODAL,
            ..Default::default()
        };
        let symbolic = factorize_symbolic_cholesky(L.symbolic(), Side::Lower, SymmetricOrdering::Amd, params)
            .map_err(|_| too_large)?;
        let mut values = vec![0.0; symbolic.len_val()];
        let mut memory =
            MemBuffer::new(symbolic.factorize_numeric_llt_scratch::<f64>(Par::Seq, Default::default()));
        symbolic
            .factorize_numeric_llt(
                &mut values,
                L.as_ref(),
                Side::Lower,
                Default::default(),
                Par::Seq,
                MemStack::new(&mut memory),
                Default::default(),
            )
            .map_err(|_| WarpError::Slivers)?;
        Ok(Self { symbolic, values, rows: n })
    }

    /// Overwrites `count` columns with the solutions for them.
    pub fn solve(&self, columns: &mut [f64], count: usize) {
        let mut memory = MemBuffer::new(self.symbolic.solve_in_place_scratch::<f64>(count, Par::Seq));
        LltRef::new(&self.symbolic, &self.values).solve_in_place_with_conj(
            Conj::No,
            MatMut::from_column_major_slice_mut(columns, self.rows, count),
            Par::Seq,
            MemStack::new(&mut memory),
        );
    }
}
