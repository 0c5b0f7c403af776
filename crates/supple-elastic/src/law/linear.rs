//! Small-strain elasticity.
//!
//! ε = (H + Hᵀ)/2, Ψ = λ/2 tr(ε)² + μ ε:ε, P = λ tr(ε) I + 2μ ε,
//!
//! > K_ij = λ g_i g_jᵀ + μ g_j g_iᵀ + μ (g_i·g_j) I.

use super::{Lame, Law, Response};
use nalgebra::Matrix3;
use supple_mesh::Vec3;

#[derive(Debug)]
pub(crate) struct Linear {
    strain: Matrix3<f64>,
    lame: Lame,
}

impl Response for Linear {
    const LAW: Law = Law::Linear;

    #[inline]
    fn at(gradient: &Matrix3<f64>, lame: Lame) -> Self {
        Self { strain: (gradient + gradient.transpose()) * 0.5, lame }
    }

    #[inline]
    fn energy(&self) -> f64 {
        let trace = self.strain.trace();
        0.5 * self.lame.lambda * trace * trace + self.lame.mu * self.strain.norm_squared()
    }

    #[inline]
    fn stress(&self) -> Matrix3<f64> {
        let pressure = self.lame.lambda * self.strain.trace();
        self.strain * (2.0 * self.lame.mu) + Matrix3::from_diagonal_element(pressure)
    }

    #[inline]
    fn blocks<const N: usize>(&self, g: &[Vec3; N]) -> impl Fn(usize, usize) -> Matrix3<f64> {
        let Lame { mu, lambda } = self.lame;
        move |i, j| {
            let outer = g[i] * g[j].transpose();
            outer * lambda + outer.transpose() * mu + Matrix3::from_diagonal_element(mu * g[i].dot(&g[j]))
        }
    }
}
