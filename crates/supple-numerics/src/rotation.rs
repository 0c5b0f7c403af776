//! Rotations of space as vectors, and the rotation inside a matrix.
//!
//! A rotation vector ω turns about ω by the angle θ = |ω|. With ω× the matrix of the cross product,
//! (ω×) v = ω × v,
//!
//! > exp ω = I + a ω× + b (ω×)², a = sin θ / θ, b = (1 − cos θ) / θ² (Rodrigues),
//! > d(exp ω) = (J dω)× exp ω, J = I + b ω× + c (ω×)², c = (1 − a) / θ² (the left Jacobian).
//!
//! a, b and c are smooth functions of θ², summed as series where the quotients lose digits (Schulz et al., Animating Deformable Objects Using Sparse Spacetime Constraints,
//! 2014, appendix). [`log`] is the inverse with θ ≤ π; [`log_near`] picks another of the vectors that
//! mean the same rotation, ω + 2πk ω/θ, so that vectors along a body or a motion go past half a turn
//! without a jump, and [`follow`] goes on where the axis is lost. [`polar`] splits F = Q S into a rotation and a symmetric stretch.

use nalgebra::{Matrix3, Vector3};
use std::f64::consts::TAU;

/// θ² below which c is a series.
const SMALL: f64 = 0.04;
/// θ² below which sine and cosine are series, quicker there than the library's.
const MODERATE: f64 = 4.0;
/// Newton's iteration for the polar decomposition is quick and safe for matrices whose determinant is
/// above this, relative to the cube of their size.
const REGULAR: f64 = 1e-4;
/// Rotations by less than this have no axis.
const NO_AXIS: f64 = 1e-6;

/// a, b, c at θ².
struct Coefficients {
    a: f64,
    b: f64,
    c: f64,
}

#[inline]
fn coefficients(t: f64) -> Coefficients {
    let (a, b) = sine_and_cosine(t);
    let c = if t < SMALL { series(t, &C_SERIES) } else { (1.0 - a) / t };
    Coefficients { a, b, c }
}

/// a, b and c of the left Jacobian a I + b ω× + c ωωᵀ, at θ².
#[inline]
#[must_use]
pub fn coefficients_of(t: f64) -> [f64; 3] {
    let Coefficients { a, b, c } = coefficients(t);
    [a, b, c]
}

/// a, b and c of [`coefficients_of`] at some θ², to the bit. Where none turns far all are found side by side; only what is
/// inlined gains.
#[inline(always)]
#[must_use]
pub fn coefficients_of_many<const N: usize>(t: &[f64; N]) -> [[f64; N]; 3] {
    let mut out = [[0.0; N]; 3];
    let [a, b, c] = &mut out;
    if t.iter().all(|t| *t < MODERATE) {
        for k in 0..N {
            (a[k], b[k]) = moderate(t[k]);
        }
        for k in 0..N {
            let quotient = (1.0 - a[k]) / t[k];
            c[k] = if t[k] < SMALL { series(t[k], &C_SERIES) } else { quotient };
        }
    } else {
        for k in 0..N {
            [a[k], b[k], c[k]] = coefficients_of(t[k]);
        }
    }
    out
}

/// a and b at θ². With s = sin h / h and c = cos h of the half angle h they are s c and s²/2, which loses no
/// digits; s and c follow from series at the quarter angle.
#[inline]
fn sine_and_cosine(t: f64) -> (f64, f64) {
    if t < MODERATE {
        return moderate(t);
    }
    let half = 0.5 * t.sqrt();
    let (sine, cosine) = half.sin_cos();
    let s = sine / half;
    (s * cosine, 0.5 * s * s)
}

/// The same below [`MODERATE`].
#[inline(always)]
fn moderate(t: f64) -> (f64, f64) {
    let x = t / 16.0;
    let quarter = series(x, &SINE);
    let (s, c) = (quarter * series(x, &COSINE), 1.0 - 2.0 * x * quarter * quarter);
    (s * c, 0.5 * s * s)
}

/// Σ_k c_k (−x)^k, in pairs: the processor adds them up side by side.
#[inline(always)]
fn series(x: f64, c: &[f64; 8]) -> f64 {
    let x2 = x * x;
    let low = (c[0] - c[1] * x) + (c[2] - c[3] * x) * x2;
    let high = (c[4] - c[5] * x) + (c[6] - c[7] * x) * x2;
    low + high * (x2 * x2)
}

/// 1 / (2k + `first`)!.
const fn reciprocal_factorials(first: u32) -> [f64; 8] {
    let mut out = [0.0; 8];
    let mut k = 0;
    while k < 8 {
        let mut factorial = 1.0;
        let mut i = 2;
        while i <= 2 * k as u32 + first {
            factorial *= i as f64;
            i += 1;
        }
        out[k] = 1.0 / factorial;
        k += 1;
    }
    out
}

/// sin h / h, cos h and (h − sin h) / h³ in powers of −h².
const SINE: [f64; 8] = reciprocal_factorials(1);
const COSINE: [f64; 8] = reciprocal_factorials(0);
const C_SERIES: [f64; 8] = reciprocal_factorials(3);

/// The rotation by |ω| about ω.
#[inline(always)]
#[must_use]
pub fn exp(omega: &Vector3<f64>) -> Matrix3<f64> {
    let t = omega.norm_squared();
    let (a, b) = sine_and_cosine(t);
    let (x, y, z) = (omega.x, omega.y, omega.z);
    let cosine = 1.0 - b * t;
    let (bx, by, bz) = (b * x, b * y, b * z);
    let (xy, xz, yz) = (bx * y, bx * z, by * z);
    let (ax, ay, az) = (a * x, a * y, a * z);
    Matrix3::new(
        cosine + bx * x,
        xy - az,
        xz + ay,
        xy + az,
        cosine + by * y,
        yz - ax,
        xz - ay,
        yz + ax,
        cosine + bz * z,
    )
}

/// J with d(exp ω) = (J dω)× exp ω.
#[inline]
#[must_use]
pub fn left_jacobian(omega: &Vector3<f64>) -> Matrix3<f64> {
    let t = omega.norm_squared();
    let Coefficients { a, b, c } = coefficients(t);
    // (ω×)² = ω ωᵀ − θ² I, and 1 − c θ² = a.
    Matrix3::from_diagonal_element(a) + omega.cross_matrix() * b + omega * omega.transpose() * c
}

/// exp ω and the left Jacobian at ω, for the price of one.
#[inline(always)]
#[must_use]
pub fn exp_and_jacobian(omega: &Vector3<f64>) -> (Matrix3<f64>, Matrix3<f64>) {
    let t = omega.norm_squared();
    let Coefficients { a, b, c } = coefficients(t);
    let (cross, outer) = (omega.cross_matrix(), omega * omega.transpose());
    (
        Matrix3::from_diagonal_element(1.0 - b * t) + cross * a + outer * b,
        Matrix3::from_diagonal_element(a) + cross * b + outer * c,
    )
}

/// The rotation vector of a rotation, no longer than π. Of the two at a half turn it is one.
#[must_use]
pub fn log(rotation: &Matrix3<f64>) -> Vector3<f64> {
    let (w, v) = quaternion(rotation);
    let sine = v.norm();
    // |v| = sin θ/2 and w = cos θ/2 ≥ 0: the arc tangent is well conditioned everywhere.
    if sine > 1e-9 { v * (2.0 * sine.atan2(w) / sine) } else { v * (2.0 / w) }
}

/// The unit quaternion (w, v) of a rotation with w ≥ 0, by Shepperd's choice of the largest entry.
fn quaternion(q: &Matrix3<f64>) -> (f64, Vector3<f64>) {
    let skew = Vector3::new(q[(2, 1)] - q[(1, 2)], q[(0, 2)] - q[(2, 0)], q[(1, 0)] - q[(0, 1)]);
    let trace = q.trace();
    let (w, v) = if trace > 0.0 {
        (1.0 + trace, skew)
    } else {
        let i = q.diagonal().imax();
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let mut v = Vector3::zeros();
        v[i] = 1.0 + q[(i, i)] - q[(j, j)] - q[(k, k)];
        v[j] = q[(i, j)] + q[(j, i)];
        v[k] = q[(i, k)] + q[(k, i)];
        (skew[i], v)
    };
    let scale = (w * w + v.norm_squared()).sqrt().copysign(w);
    (w / scale, v / scale)
}

/// The rotation vector of `rotation` nearest to `near`: [`log`] and any number of whole turns.
///
/// A whole turn has no axis; there the result is along `near`. Close to one the axis may be any, and the
/// nearest vector far from `near` although the rotations are not: see [`follow`].
#[must_use]
pub fn log_near(rotation: &Matrix3<f64>, near: &Vector3<f64>) -> Vector3<f64> {
    let principal = log(rotation);
    let angle = principal.norm();
    if angle > NO_AXIS {
        let axis = principal / angle;
        principal + axis * (TAU * ((near.dot(&axis) - angle) / TAU).round())
    } else if near.norm() < 0.5 * TAU {
        principal
    } else {
        follow(rotation, near)
    }
}

/// `near`, moved along itself until it turns as far about its own axis as `rotation` does: a rotation
/// vector that follows a rotation through whole turns without ever leaving its direction. It means
/// `rotation` exactly where the axes agree.
#[must_use]
pub fn follow(rotation: &Matrix3<f64>, near: &Vector3<f64>) -> Vector3<f64> {
    let Some(along) = near.try_normalize(0.0) else { return *near };
    let step = log(&(exp(near).transpose() * rotation));
    near + along * along.dot(&step)
}

/// F = Q S.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Polar {
    /// Q, a proper rotation whatever F is: det Q = 1.
    pub rotation: Matrix3<f64>,
    /// S, symmetric. Where F turns space inside out, its smallest eigenvalue in size is negative.
    pub stretch: Matrix3<f64>,
}

/// The polar decomposition of any matrix, flat and inverted ones too.
#[must_use]
pub fn polar(f: &Matrix3<f64>) -> Polar {
    let rotation = polar_rotation(f);
    let stretch = rotation.transpose() * f;
    Polar { rotation, stretch: (stretch + stretch.transpose()) * 0.5 }
}

/// Q of F = Q S.
#[must_use]
pub fn polar_rotation(f: &Matrix3<f64>) -> Matrix3<f64> {
    let size = f.norm();
    if f.determinant() > REGULAR * size * size * size {
        newton(f).unwrap_or_else(|| by_singular_values(f))
    } else {
        by_singular_values(f)
    }
}

/// X ← (γX + X⁻ᵀ/γ)/2 from F, with γ² = |X⁻¹| / |X|: it converges quadratically to Q.
fn newton(f: &Matrix3<f64>) -> Option<Matrix3<f64>> {
    let mut x = *f;
    for _ in 0..12 {
        let (c0, c1, c2) = (x.column(0), x.column(1), x.column(2));
        let cofactors = Matrix3::from_columns(&[c1.cross(&c2), c2.cross(&c0), c0.cross(&c1)]);
        let inverse = cofactors / cofactors.column(0).dot(&c0);
        let gamma = (inverse.norm_squared() / x.norm_squared()).sqrt().sqrt();
        let next = x * (0.5 * gamma) + inverse * (0.5 / gamma);
        let moved = (next - x).norm_squared();
        x = next;
        // Quadratic: the step after one of 1e-9 would be one of 1e-18.
        if moved < 1e-18 {
            return Some(x);
        }
    }
    None
}

/// F = U Σ Vᵀ, Q = U diag(1, 1, ±1) Vᵀ with the sign that makes it proper.
fn by_singular_values(f: &Matrix3<f64>) -> Matrix3<f64> {
    let svd = f.svd(true, true);
    let (Some(mut u), Some(v_t)) = (svd.u, svd.v_t) else { return Matrix3::identity() };
    if u.determinant() * v_t.determinant() < 0.0 {
        let least = svd.singular_values.imin();
        u.column_mut(least).neg_mut();
    }
    u * v_t
}

#[cfg(test)]
mod tests;
