//! S: the orthonormal shapes nearest to what is asked for.

use super::RecoveryError;
use super::dense::{product, svd};
use faer::{Mat, MatRef};

/// The polar factor of a tall matrix: the matrix with orthonormal columns nearest to it, argmax tr(SᵀB).
pub(super) fn polar(B: MatRef<'_, f64>) -> Result<Mat<f64>, RecoveryError> {
    let found = svd(B)?;
    Ok(product(found.U.as_ref(), found.V.transpose()))
}
