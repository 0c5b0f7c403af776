//! One triangle, stretched and sheared.
//!
//! The triangle's plane at rest has an orthonormal basis T (3×2), and in it the gradients g_a ∈ R² of
//! [`crate::gradient`]. The deformation gradient F = T + H (3×2) takes this plane to space,
//!
//! > E = (FᵀF − I)/2 = (TᵀH + HᵀT + HᵀH)/2 (2×2).
//!
//! The thin sheet is free of stress across its thickness, which leaves the plane-stress form of the
//! St. Venant–Kirchhoff energy per volume,
//!
//! > Ψ = λ/2 tr(E)² + μ E:E, μ = young / (2 (1 + poisson)), λ = young · poisson / (1 − poisson²).
//!
//! λ + μ resists changes of area, μ changes of shape; `shear` scales μ and leaves λ + μ. With
//! S = λ tr(E) I + 2μ E and b_a = F g_a, per volume,
//!
//! > R_a = F S g_a, K_ab = (g_aᵀ S g_b) I + λ b_a b_bᵀ + μ b_b b_aᵀ + μ (g_a·g_b) F Fᵀ.

use super::Fabric;
use crate::elements::{Block, Element, rows};
use crate::gradient::{Flat, differences};
use nalgebra::{Matrix2, Matrix3, Matrix3x2};
use supple_mesh::Vec3;
use supple_model::VertexId;

/// A triangle at rest.
#[derive(Debug)]
pub(super) struct Membrane {
    corners: [VertexId; 3],
    flat: Flat,
    /// Area times thickness.
    volume: f64,
    mu: f64,
    lambda: f64,
    young: f64,
}

/// A triangle, displaced.
struct Strained {
    /// F.
    deformation: Matrix3x2<f64>,
    /// E.
    strain: Matrix2<f64>,
}

impl Membrane {
    pub fn new(corners: [VertexId; 3], positions: &[Vec3; 3], fabric: &Fabric) -> Self {
        let flat = Flat::of(positions);
        let isotropic_mu = fabric.young / (2.0 * (1.0 + fabric.poisson));
        let isotropic_lambda = fabric.young * fabric.poisson / (1.0 - fabric.poisson * fabric.poisson);
        let mu = fabric.shear * isotropic_mu;
        Self {
            corners,
            flat,
            volume: 0.5 * flat.twice_area * fabric.thickness,
            mu,
            lambda: isotropic_lambda + (isotropic_mu - mu),
            young: fabric.young,
        }
    }

    pub fn volume(&self) -> f64 {
        self.volume
    }

    #[inline]
    fn strained(&self, u: &[f64]) -> Strained {
        let H = self.flat.gradient(&differences(&self.corners, u));
        let TtH = self.flat.basis.transpose() * H;
        let strain = (TtH + TtH.transpose() + H.transpose() * H) * 0.5;
        Strained { deformation: self.flat.basis + H, strain }
    }

    /// S.
    #[inline]
    fn rest_stress(&self, strain: &Matrix2<f64>) -> Matrix2<f64> {
        strain * (2.0 * self.mu) + Matrix2::from_diagonal_element(self.lambda * strain.trace())
    }
}

impl Element for Membrane {
    const CORNERS: usize = 3;

    fn corners(&self) -> &[VertexId] {
        &self.corners
    }

    fn tension(&self, out: &mut [f64]) -> Option<()> {
        let [g1, g2] = self.flat.gradients;
        let g0 = -(g1 + g2);
        let weight = self.young * self.volume;
        let pairs = [(g0, g0), (g1, g0), (g1, g1), (g2, g0), (g2, g1), (g2, g2)];
        out.copy_from_slice(&pairs.map(|(a, b)| weight * a.dot(&b)));
        Some(())
    }

    #[inline]
    fn energy(&self, u: &[f64]) -> f64 {
        let E = self.strained(u).strain;
        let trace = E.trace();
        self.volume * (0.5 * self.lambda * trace * trace + self.mu * E.norm_squared())
    }

    #[inline]
    fn forces(&self, u: &[f64], out: &mut [[f64; 3]]) {
        let Strained { deformation, strain } = self.strained(u);
        let VP = deformation * self.rest_stress(&strain) * self.volume;
        let [f1, f2] = self.flat.gradients.map(|g| VP * g);
        out.copy_from_slice(&[-(f1 + f2), f1, f2].map(Into::into));
    }

    #[inline]
    fn blocks(&self, u: &[f64], out: &mut [Block]) {
        let Strained { deformation: F, strain } = self.strained(u);
        let S = self.rest_stress(&strain);
        let FFt_mu = F * F.transpose() * self.mu;
        let g = &self.flat.gradients;
        let b = g.map(|g| F * g);
        let [k11, k21, k22] = [(0, 0), (1, 0), (1, 1)].map(|(i, j)| {
            let outer = b[i] * b[j].transpose();
            let turning = Matrix3::from_diagonal_element(g[i].dot(&(S * g[j])));
            let K = outer * self.lambda + outer.transpose() * self.mu + FFt_mu * g[i].dot(&g[j]) + turning;
            K * self.volume
        });
        let k10 = -(k11 + k21.transpose());
        let k20 = -(k21 + k22);
        let k00 = (k11 + k22) + (k21 + k21.transpose());
        out.copy_from_slice(&[k00, k10, k11, k20, k21, k22].map(rows));
    }
}
