//! Cost of a B-spline by its coefficients coarse to fine.
//!
//! > x = P y₀ + Q y₁ on each level, P the coarse curve on fine keys, Q the fine functions at every other key,
//! > T = W⁻ᵀ diag(Wᵀ Bᵀ B W) W⁻¹,  x = W y over all levels
//!
//! A wide change costs one coarse coefficient instead of many fine ones, so that edits spread farther in time.

use super::basis;
use faer::Mat;
use faer::linalg::solvers::{DenseSolveCore, PartialPivLu};

/// A number of keys, not smaller if there is room, whose pieces can be halved a few times.
pub(super) fn rounded(keys: usize, frames: usize) -> usize {
    let pieces = keys - 3;
    let step = [8, 4, 2].into_iter().find(|step| pieces >= *step).unwrap_or(1);
    let up = pieces.div_ceil(step) * step + 3;
    if up < frames { up } else { pieces / step * step + 3 }
}

/// Replaces T of a B-spline, all of it by rows to the diagonal, by that of its coefficients coarse to fine. Where ends are
/// clamped the keys that are left are those in the middle, and the outermost functions with them.
pub(super) fn cost(cost: &mut [f64], keys: usize) {
    let W = levels(keys);
    let width = keys;
    let entry = |cost: &[f64], k: usize, l: usize| {
        let (k, l) = (k.max(l), k.min(l));
        cost[k * width + width - 1 + l - k]
    };
    let T = Mat::from_fn(keys, keys, |k, l| entry(cost, k, l));
    let seen = W.transpose() * &T * &W;
    let inverse = PartialPivLu::new(W.as_ref()).inverse();
    let diagonal = Mat::from_fn(keys, keys, |k, l| if k == l { seen[(k, k)] } else { 0.0 });
    let T = inverse.transpose() * diagonal * &inverse;
    for k in 0..keys {
        for l in 0..=k {
            cost[k * width + width - 1 + l - k] = 0.5 * (T[(k, l)] + T[(l, k)]);
        }
    }
}

/// W: the columns are the functions of all levels on the finest keys.
fn levels(keys: usize) -> Mat<f64> {
    let mut W = Mat::identity(keys, keys);
    let mut size = keys;
    // Columns 0 … size − 1 are those of the level that is split next.
    while size >= 7 && (size - 3).is_multiple_of(2) {
        let coarse = (size - 3) / 2 + 3;
        let refined = basis::refinement(size);
        let mut split = Mat::zeros(size, size);
        for (k, row) in refined.iter().enumerate() {
            for (c, weight) in row {
                split[(k, *c)] = *weight;
            }
        }
        for (i, k) in (0..size - coarse).zip((0..size).skip(2).step_by(2)) {
            split[(k, coarse + i)] = 1.0;
        }
        let rest = W.as_ref().submatrix(0, 0, keys, size) * &split;
        W.as_mut().submatrix_mut(0, 0, keys, size).copy_from(&rest);
        size = coarse;
    }
    W
}
