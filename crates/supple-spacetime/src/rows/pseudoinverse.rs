//! The pseudoinverse of the handles' system, with directions that nearly repeat others left out.
//!
//! S is scaled to unit diagonal, Ŝ = D S D, so that rows of different units and strictness count alike, and the
//! part of its spectrum below 10⁻⁶ is dropped (Barbič 2012, App. B). S has had the contacts' part taken away
//! (a Schur complement) but is scaled by what its diagonal was before: a handle that the contacts determine
//! nearly alone is small in it, and is dropped rather than blown up.
//!
//! Most systems have nothing to drop. That is seen from a Cholesky factorization, since the smallest eigenvalue
//! is at least 1/‖Ŝ⁻¹‖_F; only if that does not settle it are the eigenvectors computed.

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::{factor, inverse};
use faer::{Mat, Par};
use supple_numerics::eigen::symmetric_eigen;

/// Eigenvalues of Ŝ below this part of the largest (at least 1) are dropped.
const TRUNCATION: f64 = 1e-6;

/// S⁺ and what it left out.
#[derive(Clone, Debug)]
pub(super) struct Pseudoinverse {
    /// S.
    matrix: Mat<f64>,
    /// S⁺.
    inverse: Mat<f64>,
    /// The share of each row in dropped directions, 0 to 1.
    pub dropped: Vec<f64>,
}

impl Pseudoinverse {
    /// S⁺ of a symmetric `matrix`; `scale` is D.
    pub fn new(matrix: Mat<f64>, scale: &[f64]) -> Self {
        let n = matrix.nrows();
        let scaled = Mat::from_fn(n, n, |i, j| scale[i] * scale[j] * matrix[(i, j)]);
        let (mut inverse, dropped) = match whole(&scaled) {
            Some(inverse) => (inverse, vec![0.0; n]),
            None => truncated(&scaled),
        };
        for j in 0..n {
            for i in 0..n {
                inverse[(i, j)] *= scale[i] * scale[j];
            }
        }
        Self { matrix, inverse, dropped }
    }

    /// S⁺ t, with one step of refinement.
    pub fn solve(&self, t: &[f64]) -> Vec<f64> {
        let mut x = times(&self.inverse, t);
        let correction = times(&self.inverse, &self.residual(&x, t));
        for (x, c) in x.iter_mut().zip(&correction) {
            *x -= c;
        }
        x
    }

    /// S x − t.
    pub fn residual(&self, x: &[f64], t: &[f64]) -> Vec<f64> {
        let mut residual = times(&self.matrix, x);
        for (r, t) in residual.iter_mut().zip(t) {
            *r -= t;
        }
        residual
    }
}

/// A x, column by column.
fn times(A: &Mat<f64>, x: &[f64]) -> Vec<f64> {
    let mut y = vec![0.0; A.nrows()];
    for (j, x) in x.iter().enumerate() {
        for (y, a) in y.iter_mut().zip(A.col(j).iter()) {
            *y += a * x;
        }
    }
    y
}

/// The inverse, if certainly no eigenvalue is to be dropped.
fn whole(scaled: &Mat<f64>) -> Option<Mat<f64>> {
    let n = scaled.nrows();
    let mut L = scaled.clone();
    let mut memory =
        MemBuffer::new(factor::cholesky_in_place_scratch::<f64>(n, Par::Seq, Default::default()));
    let stack = MemStack::new(&mut memory);
    factor::cholesky_in_place(L.as_mut(), Default::default(), Par::Seq, stack, Default::default()).ok()?;
    let mut inverse = Mat::zeros(n, n);
    let mut memory = MemBuffer::new(inverse::inverse_scratch::<f64>(n, Par::Seq));
    inverse::inverse(inverse.as_mut(), L.as_ref(), Par::Seq, MemStack::new(&mut memory));
    for j in 0..n {
        for i in 0..j {
            inverse[(i, j)] = inverse[(j, i)];
        }
    }
    let row_sum = |i: usize| (0..n).map(|j| scaled[(i, j)].abs()).sum::<f64>();
    let largest = (0..n).map(row_sum).fold(1.0, f64::max);
    let size = inverse.norm_l2();
    (size.is_finite() && 1.0 > TRUNCATION * largest * size).then_some(inverse)
}

/// The pseudoinverse by eigenvectors, and each row's share in those dropped.
fn truncated(scaled: &Mat<f64>) -> (Mat<f64>, Vec<f64>) {
    let n = scaled.nrows();
    let Some((values, vectors)) = symmetric_eigen(scaled.as_ref()) else {
        // Only entries that are not finite lead here: nothing of them can be used.
        return (Mat::zeros(n, n), vec![1.0; n]);
    };
    let smallest = TRUNCATION * values.last().copied().unwrap_or(0.0).max(1.0);
    let mut dropped = vec![0.0; n];
    let mut inverse = Mat::zeros(n, n);
    for (e, value) in values.iter().enumerate() {
        let v = vectors.col(e);
        if *value < smallest {
            for (share, v) in dropped.iter_mut().zip(v.iter()) {
                *share += v * v;
            }
            continue;
        }
        for j in 0..n {
            let factor = v[j] / value;
            for i in 0..n {
                inverse[(i, j)] += v[i] * factor;
            }
        }
    }
    (inverse, dropped)
}
