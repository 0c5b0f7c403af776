//! λ, d and a constant load c of one mode, its path held fixed.
//!
//! The force is linear in them, so what it costs is quadratic:
//!
//! > ½∫ (z̈ + d ż + λ z − c)² dt,
//!
//! and of its coefficients ∫z z̈ = [zż] − ∫ż², ∫zż = ½[z²], ∫ż z̈ = ½[ż²], ∫ż = [z] and ∫z̈ = [ż] are what the ends of the
//! path say. The minimum with d ≥ 0, and λ between slow and as fast as frames can tell, is found by fixing what is out of
//! bounds. The load moves the rest position by c/λ, by which the path moves back.

use super::smoother::Sums;
use nalgebra::{DMatrix, DVector, Matrix3, Vector3};
use std::f64::consts::PI;

/// λ of the fastest swing that frames can tell, 1/frame².
const FASTEST: f64 = PI * PI;

/// What a path says of its mode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Step {
    pub eigenvalue: f64,
    pub damping: f64,
    /// c/λ.
    pub offset: f64,
}

/// The least costly numbers for a path; none if it says nothing. `slowest` bounds λ from below.
pub(super) fn best(sums: &Sums, slowest: f64) -> Option<Step> {
    let Sums { time, zz, vv, z, zv, va, ends, shift, kick, .. } = *sums;
    // In the order λ, d, c.
    let A = Matrix3::new(zz, zv, -z, zv, vv, -shift, -z, -shift, time);
    let b = Vector3::new(vv - ends, -va, kick);
    let [eigenvalue, damping, load] = minimum(&A, &b, slowest)?;
    Some(Step { eigenvalue, damping, offset: load / eigenvalue })
}

/// argmin ½ xᵀA x − bᵀx with slowest ≤ x₀ ≤ fastest, x₁ ≥ 0.
fn minimum(A: &Matrix3<f64>, b: &Vector3<f64>, slowest: f64) -> Option<[f64; 3]> {
    let cost = |x: &Vector3<f64>| 0.5 * x.dot(&(A * x)) - b.dot(x);
    let mut found: Option<(f64, Vector3<f64>)> = None;
    for eigenvalue in [None, Some(slowest), Some(FASTEST)] {
        for damping in [None, Some(0.0)] {
            let Some(x) = solve(A, b, [eigenvalue, damping, None]) else { continue };
            let slack = 1e-12 * FASTEST;
            let is_allowed = (slowest - slack..=FASTEST + slack).contains(&x[0]) && x[1] >= 0.0;
            if is_allowed && found.is_none_or(|(least, _)| cost(&x) < least) {
                found = Some((cost(&x), x));
            }
        }
    }
    found.map(|(_, x)| x.into())
}

/// The minimum where some numbers are given.
fn solve(A: &Matrix3<f64>, b: &Vector3<f64>, given: [Option<f64>; 3]) -> Option<Vector3<f64>> {
    let open: Vec<usize> = (0..3).filter(|&i| given[i].is_none()).collect();
    let right = |i: usize| b[i] - (0..3).filter_map(|j| given[j].map(|x| A[(i, j)] * x)).sum::<f64>();
    // To unit diagonal: lengths, speeds and times do not mix.
    let size: Vec<f64> = open.iter().map(|&i| A[(i, i)].max(f64::MIN_POSITIVE).sqrt()).collect();
    let scaled = |i: usize, j: usize| A[(open[i], open[j])] / (size[i] * size[j]);
    let matrix = DMatrix::from_fn(open.len(), open.len(), scaled);
    let vector = DVector::from_fn(open.len(), |i, _| right(open[i]) / size[i]);
    let x = matrix.cholesky()?.solve(&vector);
    let mut found = Vector3::from_fn(|i, _| given[i].unwrap_or(0.0));
    for (k, &i) in open.iter().enumerate() {
        found[i] = x[k] / size[k];
    }
    found.iter().all(|x| x.is_finite()).then_some(found)
}
