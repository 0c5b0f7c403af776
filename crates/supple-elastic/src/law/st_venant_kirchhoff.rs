//! St. Venant–Kirchhoff elasticity.
//!
//! E = (FᵀF − I)/2 = (H + Hᵀ + HᵀH)/2, Ψ = λ/2 tr(E)² + μ E:E, S = λ tr(E) I + 2μ E, P = F S. With
//! b_i = F g_i,
//!
//! > K_ij = (g_iᵀ S g_j) I + λ b_i b_jᵀ + μ b_j b_iᵀ + μ (g_i·g_j) F Fᵀ.

use super::{Lame, Law, Response};
use nalgebra::Matrix3;
use supple_mesh::Vec3;

#[derive(Debug)]
pub(crate) struct StVenantKirchhoff {
    /// F.
    deformation: Matrix3<f64>,
    /// E.
    strain: Matrix3<f64>,
    lame: Lame,
}

impl StVenantKirchhoff {
    /// S, the second Piola–Kirchhoff stress.
    #[inline]
    fn rest_stress(&self) -> Matrix3<f64> {
        let pressure = self.lame.lambda * self.strain.trace();
        self.strain * (2.0 * self.lame.mu) + Matrix3::from_diagonal_element(pressure)
    }
}

impl Response for StVenantKirchhoff {
    const LAW: Law = Law::StVenantKirchhoff;

    #[inline]
    fn at(gradient: &Matrix3<f64>, lame: Lame) -> Self {
        let strain = (gradient + gradient.transpose() + gradient.transpose() * gradient) * 0.5;
        Self { deformation: gradient + Matrix3::identity(), strain, lame }
    }

    #[inline]
    fn energy(&self) -> f64 {
        let trace = self.strain.trace();
        0.5 * self.lame.lambda * trace * trace + self.lame.mu * self.strain.norm_squared()
    }

    #[inline]
    fn stress(&self) -> Matrix3<f64> {
        self.deformation * self.rest_stress()
    }

    #[inline]
    fn blocks<const N: usize>(&self, g: &[Vec3; N]) -> impl Fn(usize, usize) -> Matrix3<f64> {
        let Lame { mu, lambda } = self.lame;
        let F = &self.deformation;
        let S = self.rest_stress();
        let FFt_mu = F * F.transpose() * mu;
        let b = g.map(|g| F * g);
        let Sg = g.map(|g| S * g);
        move |i, j| {
            let outer = b[i] * b[j].transpose();
            outer * lambda
                + outer.transpose() * mu
                + FFt_mu * g[i].dot(&g[j])
                + Matrix3::from_diagonal_element(g[i].dot(&Sg[j]))
        }
    }
}
