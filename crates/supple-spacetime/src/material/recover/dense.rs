//! Dense decompositions and products on the calling thread: the same bits on any number of them.

use super::RecoveryError;
use faer::diag::DiagMut;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::evd::{self, ComputeEigenvectors};
use faer::linalg::matmul::matmul;
use faer::linalg::svd::{self, ComputeSvdVectors};
use faer::{Accum, Mat, MatRef, Par, c64};

/// A B.
pub(super) fn product(A: MatRef<'_, f64>, B: MatRef<'_, f64>) -> Mat<f64> {
    let mut C = Mat::zeros(A.nrows(), B.ncols());
    matmul(C.as_mut(), Accum::Replace, A, B, 1.0, Par::Seq);
    C
}

/// A = U Σ Vᵀ.
pub(super) struct Svd {
    pub U: Mat<f64>,
    /// Descending.
    pub sizes: Vec<f64>,
    pub V: Mat<f64>,
}

/// The thin decomposition into singular values.
pub(super) fn svd(A: MatRef<'_, f64>) -> Result<Svd, RecoveryError> {
    let (m, n) = A.shape();
    let size = m.min(n);
    let mut found = Svd { U: Mat::zeros(m, size), sizes: vec![0.0; size], V: Mat::zeros(n, size) };
    let thin = ComputeSvdVectors::Thin;
    let scratch = svd::svd_scratch::<f64>(m, n, thin, thin, Par::Seq, Default::default());
    svd::svd(
        A,
        DiagMut::from_slice_mut(&mut found.sizes),
        Some(found.U.as_mut()),
        Some(found.V.as_mut()),
        Par::Seq,
        MemStack::new(&mut MemBuffer::new(scratch)),
        Default::default(),
    )
    .map_err(|_| RecoveryError::Decomposition)?;
    Ok(found)
}

/// The eigenvalues of a real matrix, and an eigenvector each, as columns.
pub(super) fn eigen(A: MatRef<'_, f64>) -> Result<(Vec<c64>, Mat<c64>), RecoveryError> {
    let n = A.nrows();
    let (mut re, mut im) = (vec![0.0; n], vec![0.0; n]);
    let mut vectors = Mat::<f64>::zeros(n, n);
    let (no, yes) = (ComputeEigenvectors::No, ComputeEigenvectors::Yes);
    let scratch = evd::evd_scratch::<f64>(n, no, yes, Par::Seq, Default::default());
    evd::evd_real(
        A,
        DiagMut::from_slice_mut(&mut re),
        DiagMut::from_slice_mut(&mut im),
        None,
        Some(vectors.as_mut()),
        Par::Seq,
        MemStack::new(&mut MemBuffer::new(scratch)),
        Default::default(),
    )
    .map_err(|_| RecoveryError::Decomposition)?;
    // Of a pair the first column is the real part and the second the imaginary one, of the vector whose value is above.
    let mut first = vec![None; n];
    let mut k = 0;
    while k < n {
        if im[k] != 0.0 && k + 1 < n {
            (first[k], first[k + 1]) = (Some((k, 1.0)), Some((k, -1.0)));
            k += 1;
        }
        k += 1;
    }
    let entry = |i: usize, k: usize| match first[k] {
        Some((pair, sign)) => c64::new(vectors[(i, pair)], sign * vectors[(i, pair + 1)]),
        None => c64::new(vectors[(i, k)], 0.0),
    };
    let values = re.iter().zip(&im).map(|(re, im)| c64::new(*re, *im)).collect();
    Ok((values, Mat::from_fn(n, n, entry)))
}
