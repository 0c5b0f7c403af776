//! How strain becomes energy.
//!
//! Each law is a *response*: the energy density Ψ, the first Piola–Kirchhoff stress P = ∂Ψ/∂F and its
//! derivative, at one deformation gradient F = I + H. They start from H = ∇u, not from F, so that small
//! displacements keep their digits.
//!
//! The derivative is never written as a 9×9 matrix. What an element needs of it are the 3×3 blocks
//!
//! > K_ij = ∂(P g_i)/∂x_j, where moving vertex j by dx changes F by dx g_jᵀ,
//!
//! with g_i = ∇N_i, and for each law these have a short closed form in g and b_i = F g_i.

mod linear;
mod neo_hookean;
mod st_venant_kirchhoff;

pub(crate) use linear::Linear;
pub(crate) use neo_hookean::NeoHookean;
pub(crate) use st_venant_kirchhoff::StVenantKirchhoff;

use nalgebra::Matrix3;
use supple_mesh::Vec3;

/// How strain becomes energy. At rest all three have the same stiffness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// Small strain: right for small displacements only, and swells under rotation.
    Linear,
    /// St. Venant–Kirchhoff: linear in the Green strain; right under rotation, weak when squashed.
    StVenantKirchhoff,
    /// Stable Neo-Hookean: right under rotation, and recovers from flat and inverted elements.
    NeoHookean,
}

/// The Lamé parameters of one element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lame {
    pub mu: f64,
    pub lambda: f64,
}

impl Lame {
    /// Young's modulus.
    pub fn young(self) -> f64 {
        let Self { mu, lambda } = self;
        mu * (3.0 * lambda + 2.0 * mu) / (lambda + mu)
    }
}

/// A law at one deformation, per unit of rest volume.
pub(crate) trait Response: std::fmt::Debug + Send + Sync + 'static {
    /// Which law it is.
    const LAW: Law;

    /// The response at the displacement gradient H.
    fn at(gradient: &Matrix3<f64>, lame: Lame) -> Self;

    /// Ψ, zero at rest.
    fn energy(&self) -> f64;

    /// P = ∂Ψ/∂F.
    fn stress(&self) -> Matrix3<f64>;

    /// The blocks K_ij of vertices with these gradients, as a function of i and j. The diagonal ones are
    /// symmetric to the last bit.
    fn blocks<const N: usize>(&self, gradients: &[Vec3; N]) -> impl Fn(usize, usize) -> Matrix3<f64>;
}

#[cfg(test)]
mod tests;
