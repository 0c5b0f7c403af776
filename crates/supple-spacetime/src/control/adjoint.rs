//! The gradient by forces, exact for the time steps there are (Barbič et al. 2009, Eq. 11 and 12).
//!
//! The motion is a function of w, J ∂z/∂w = I with J block triangular, so that
//!
//! > ∂E/∂w_e = ε h̄_e w_e + μ_e,  Jᵀ μ = ∂E_keys/∂z:
//! > (p₊I + q₊K_{e+2}) μ_e = g_{e+2} − J_{e+1,e+2} μ_{e+1} − J_{e+2,e+2} μ_{e+2},
//!
//! from the last row backwards. The velocity of the damping is taken as β Ṙ, so that no derivative of K is needed.

use super::model::{Balance, Model, Point};
use super::small::{add, add_product, backward, factor, forward, norm};
use faer::linalg::solvers::Solve;
use faer::{Mat, MatMut};

/// μ, r numbers of every row.
pub(super) fn adjoint(model: &Model, point: &Point, balance: Balance) -> Vec<f64> {
    let (r, rows) = (model.size(), &model.rows.equations);
    let mut pulls = vec![0.0; point.z.len()];
    model.add_pulls(&point.z, balance, &mut pulls);
    // Two rows beyond the last, which are 0.
    let mut mu = vec![0.0; (rows.len() + 2) * r];
    let (mut plain, mut stiff, mut matrix) = (vec![0.0; r], vec![0.0; r], vec![0.0; r * r]);
    for e in (0..rows.len()).rev() {
        let K = &point.K[(e + 2) * r * r..][..r * r];
        let (own, later) = mu[e * r..].split_at_mut(r);
        own.copy_from_slice(&pulls[(e + 2) * r..][..r]);
        plain.fill(0.0);
        stiff.fill(0.0);
        for j in 1..3 {
            let Some(row) = rows.get(e + j) else { continue };
            let of = &later[(j - 1) * r..][..r];
            add(&mut plain, row.p[2 - j], of);
            add(&mut stiff, row.q[2 - j], of);
        }
        add(own, -1.0, &plain);
        add_product(own, -1.0, K, &stiff);
        matrix.iter_mut().zip(K).for_each(|(entry, k)| *entry = rows[e].q[2] * k);
        (0..r).for_each(|k| matrix[k * (r + 1)] += rows[e].p[2]);
        if factor(&mut matrix, r) {
            forward(&matrix, own);
            backward(&matrix, own);
        } else {
            solve_indefinite(K, (rows[e].p[2], rows[e].q[2]), own);
        }
    }
    mu.truncate(rows.len() * r);
    mu
}

/// (p I + q K)⁻¹ x where that is not positive definite.
fn solve_indefinite(K: &[f64], (p, q): (f64, f64), x: &mut [f64]) {
    let r = x.len();
    let matrix = Mat::from_fn(r, r, |i, j| q * K[j * r + i] + if i == j { p } else { 0.0 });
    matrix.partial_piv_lu().solve_in_place(MatMut::from_column_major_slice_mut(x, r, 1));
}

/// ∂E/∂w, and the sizes of its two parts added.
pub(super) fn gradient(model: &Model, point: &Point, balance: Balance) -> (Vec<f64>, f64) {
    let r = model.size();
    let mut gradient = adjoint(model, point, balance);
    let keys = norm(&gradient);
    let mut forces = 0.0;
    for (e, equation) in model.rows.equations.iter().enumerate() {
        let s = balance.effort * equation.span;
        let w = &point.w[e * r..][..r];
        add(&mut gradient[e * r..][..r], s, w);
        forces += (s * norm(w)).powi(2);
    }
    (gradient, keys + forces.sqrt())
}
