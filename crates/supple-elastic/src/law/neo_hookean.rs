//! Stable Neo-Hookean elasticity (Smith, de Goes and Kim 2018, "Stable Neo-Hookean Flesh Simulation").
//!
//! The paper's energy (Eq. 14), with I = tr(FᵀF), J = det F and the rest-stable α = 1 + μ/λ − μ/(4λ), is
//!
//! > Ψ = μ/2 (I − 3) + λ/2 (J − α)² − μ/2 log(I + 1).
//!
//! Here μ = 4/3 μ_Lamé and λ = λ_Lamé + 5/6 μ_Lamé (§3.4), which makes the stiffness at rest that of
//! linear elasticity. Every admissible Poisson ratio has λ_Lamé > −2/3 μ_Lamé, hence λ > μ_Lamé/6 > 0: the
//! energy is bounded below, and it is smooth everywhere, flat and inverted elements included.
//!
//! Written in s = I − 3 and J − 1, which vanish at rest, and less its value there, it is
//!
//! > Ψ = μ/2 (s − log(1 + s/4)) + λ/2 (J − 1)² − 3/4 μ (J − 1),
//!
//! without cancellation. Its derivatives, with C = cof F = ∂J/∂F, b_i = F g_i and c_i = C g_i:
//!
//! > P = m F + p C, m = μ (3 + s)/(4 + s), p = λ (J − 1) − 3/4 μ,
//! >
//! > K_ij = m (g_i·g_j) I + 2μ/(4 + s)² b_i b_jᵀ + λ c_i c_jᵀ − p [F (g_i × g_j)]ₓ.
//!
//! The last term is the Hessian of J: moving vertex j by dx changes c_i by dx × F(g_i × g_j).

use super::{Lame, Law, Response};
use nalgebra::Matrix3;
use supple_mesh::Vec3;

#[derive(Debug)]
pub(crate) struct NeoHookean {
    /// F.
    deformation: Matrix3<f64>,
    /// s = I − 3.
    stretch: f64,
    /// J − 1.
    swelling: f64,
    /// The paper's μ and λ, not the Lamé parameters.
    mu: f64,
    lambda: f64,
}

impl NeoHookean {
    /// p = ∂Ψ/∂J.
    #[inline]
    fn pressure(&self) -> f64 {
        self.lambda * self.swelling - 0.75 * self.mu
    }

    /// m: what multiplies F in the stress.
    #[inline]
    fn modulus(&self) -> f64 {
        self.mu * ((3.0 + self.stretch) / (4.0 + self.stretch))
    }
}

impl Response for NeoHookean {
    const LAW: Law = Law::NeoHookean;

    #[inline]
    fn at(gradient: &Matrix3<f64>, lame: Lame) -> Self {
        let H = gradient;
        // det(I + H) − 1 = tr H + tr(cof H) + det H.
        let cof = cofactor(H);
        let swelling = H.trace() + cof.trace() + H.column(0).dot(&cof.column(0));
        Self {
            deformation: H + Matrix3::identity(),
            stretch: 2.0 * H.trace() + H.norm_squared(),
            swelling,
            mu: 4.0 / 3.0 * lame.mu,
            lambda: lame.lambda + 5.0 / 6.0 * lame.mu,
        }
    }

    #[inline]
    fn energy(&self) -> f64 {
        let (s, j) = (self.stretch, self.swelling);
        0.5 * self.mu * (s - (0.25 * s).ln_1p()) + 0.5 * self.lambda * j * j - 0.75 * self.mu * j
    }

    #[inline]
    fn stress(&self) -> Matrix3<f64> {
        self.deformation * self.modulus() + cofactor(&self.deformation) * self.pressure()
    }

    #[inline]
    fn blocks<const N: usize>(&self, g: &[Vec3; N]) -> impl Fn(usize, usize) -> Matrix3<f64> {
        let F = &self.deformation;
        let C = cofactor(F);
        let (m, p) = (self.modulus(), self.pressure());
        let log_curvature = 2.0 * self.mu / ((4.0 + self.stretch) * (4.0 + self.stretch));
        let b = g.map(|g| F * g);
        let c = g.map(|g| C * g);
        move |i, j| {
            let material = b[i] * b[j].transpose() * log_curvature
                + c[i] * c[j].transpose() * self.lambda
                + Matrix3::from_diagonal_element(m * g[i].dot(&g[j]));
            if i == j { material } else { material - (F * (g[i].cross(&g[j])) * p).cross_matrix() }
        }
    }
}

/// cof F, whose columns are the cross products of the columns of F.
#[inline]
fn cofactor(F: &Matrix3<f64>) -> Matrix3<f64> {
    let [a, b, c]: [Vec3; 3] = [F.column(0).into(), F.column(1).into(), F.column(2).into()];
    Matrix3::from_columns(&[b.cross(&c), c.cross(&a), a.cross(&b)])
}
