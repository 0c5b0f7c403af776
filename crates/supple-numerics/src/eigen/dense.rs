//! Dense symmetric eigenproblems on the calling thread.

use faer::diag::DiagMut;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::evd::{
    ComputeEigenvectors, SelfAdjointEvdParams, self_adjoint_evd, self_adjoint_evd_scratch,
};
use faer::{Mat, MatRef, Par, Spec};

/// The eigenvalues, ascending, and orthonormal eigenvectors of a symmetric matrix whose lower triangle
/// is read. `None` when the iteration fails, which needs an entry that is not finite.
#[must_use]
pub fn symmetric_eigen(a: MatRef<'_, f64>) -> Option<(Vec<f64>, Mat<f64>)> {
    let n = a.nrows();
    let mut values = vec![0.0; n];
    let mut vectors = Mat::zeros(n, n);
    // faer divides and conquers above this threshold, which is half as fast again but leaves some pairs
    // with errors of 1e-9 of the largest eigenvalue; its QR iteration leaves 1e-14.
    let mut params: Spec<SelfAdjointEvdParams, f64> = Default::default();
    params.config.recursion_threshold = n + 1;
    let scratch = self_adjoint_evd_scratch::<f64>(n, ComputeEigenvectors::Yes, Par::Seq, params);
    let mut memory = MemBuffer::new(scratch);
    self_adjoint_evd(
        a,
        DiagMut::from_slice_mut(&mut values),
        Some(vectors.as_mut()),
        Par::Seq,
        MemStack::new(&mut memory),
        params,
    )
    .ok()?;
    Some((values, vectors))
}
