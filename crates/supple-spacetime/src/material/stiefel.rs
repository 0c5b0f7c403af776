//! Matrices with orthonormal columns: the nearest one, and derivatives through it.
//!
//! The nearest S to a matrix Y, SᵀS = I, is its polar factor S = Y H⁻¹, H = (YᵀY)^½. As a function of all Y of full rank it
//! is smooth, and S ↦ polar(S + X) is a retraction: what is minimised over S may be minimised over Y without constraints.
//! With G = ∂V/∂S, HZ + ZH = sym(H⁻¹ GᵀS):
//!
//! > ∂V/∂Y = G H⁻¹ − 2 Y Z.

use nalgebra::DMatrix;

/// Directions of a matrix below this part of its largest are taken from elsewhere.
const FLAT: f64 = 1e-9;

/// The S nearest to Y, the polar factor U Vᵀ of Y = U Σ Vᵀ: of all S the one with the largest tr(SᵀY). What Y leaves
/// open, where it has not full rank, is taken from `near`, which has orthonormal columns itself.
pub(crate) fn polar(Y: &DMatrix<f64>, near: &DMatrix<f64>) -> DMatrix<f64> {
    let largest = Y.norm();
    if !(largest > 0.0 && largest.is_finite()) {
        return near.clone();
    }
    let mut svd = Y.clone().svd(true, true);
    if svd.singular_values.min() <= FLAT * svd.singular_values.max() {
        svd = (Y + near * (FLAT * largest)).svd(true, true);
    }
    let (Some(U), Some(V)) = (svd.u, svd.v_t) else { return near.clone() };
    let S = U * V;
    let S = polish(S);
    if S.iter().all(|x| x.is_finite()) { S } else { near.clone() }
}

/// One step of Newton's iteration for SᵀS = I.
fn polish(S: DMatrix<f64>) -> DMatrix<f64> {
    let gram = S.tr_mul(&S);
    let r = gram.nrows();
    &S * (DMatrix::identity(r, r) * 1.5 - gram * 0.5)
}

/// polar(Y) of a matrix of full rank, and what derivatives need of it.
pub(crate) struct Polar {
    /// S.
    pub S: DMatrix<f64>,
    Y: DMatrix<f64>,
    /// The eigenvectors of H,
    vectors: DMatrix<f64>,
    /// and its eigenvalues.
    values: Vec<f64>,
}

impl Polar {
    /// None where Y has not full rank.
    pub fn new(Y: DMatrix<f64>) -> Option<Self> {
        let eigen = Y.tr_mul(&Y).symmetric_eigen();
        let values: Vec<f64> = eigen.eigenvalues.iter().map(|x| x.max(0.0).sqrt()).collect();
        let largest = values.iter().copied().fold(0.0, f64::max);
        if !(largest.is_finite() && values.iter().all(|x| *x > 1e-6 * largest && *x > 0.0)) {
            return None;
        }
        let vectors = eigen.eigenvectors;
        let mut polar = Self { S: DMatrix::zeros(0, 0), Y, vectors, values };
        polar.S = polish(&polar.Y * polar.over(&DMatrix::identity(polar.values.len(), polar.values.len())));
        Some(polar)
    }

    /// H⁻¹ A.
    fn over(&self, A: &DMatrix<f64>) -> DMatrix<f64> {
        let mut turned = self.vectors.tr_mul(A);
        for (k, value) in self.values.iter().enumerate() {
            turned.row_mut(k).scale_mut(1.0 / value);
        }
        &self.vectors * turned
    }

    /// ∂V/∂Y from ∂V/∂S.
    pub fn pull_back(&self, G: &DMatrix<f64>) -> DMatrix<f64> {
        let r = self.values.len();
        let through = self.over(&G.transpose());
        let C = &through * &self.S;
        let mut Z = self.vectors.tr_mul(&((&C + C.transpose()) * 0.5)) * &self.vectors;
        for i in 0..r {
            for j in 0..r {
                Z[(i, j)] /= self.values[i] + self.values[j];
            }
        }
        let Z = &self.vectors * Z * self.vectors.transpose();
        through.transpose() - &self.Y * Z * 2.0
    }
}
