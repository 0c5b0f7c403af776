//! Rotations of space as vectors, and the rotation inside a matrix.
//!
//! A rotation vector ω turns about ω by the angle θ = |ω|. With [ω] the matrix of the cross product,
//! [ω] v = ω × v,
//!
//! > exp ω = I + a [ω] + b [ω]², a = sin θ / θ, b = (1 − cos θ) / θ² (Rodrigues),
//! > d(exp ω) = [J dω] exp ω, J = I + b [ω] + c [ω]², c = (1 − a) / θ² (the left Jacobian).
//!
//! a, b and c are smooth functions of θ²; below 0.2 radians they are summed as series, where the
//! quotients lose digits (Schulz et al., Animating Deformable Objects Using Sparse Spacetime Constraints,
//! 2014, appendix). [`log`] is the inverse with θ ≤ π; [`log_near`] picks another of the vectors that
//! mean the same rotation, ω + 2πk ω/θ, so that vectors along a body or a motion go past half a turn
//! without a jump. [`polar`] splits F = Q S into a rotation and a symmetric stretch.

use nalgebra::{Matrix3, Vector3};
use std::f64::consts::TAU;

/// θ² below which series are used.
const SMALL: f64 = 0.04;
/// Newton's iteration for the polar decomposition is quick and safe for matrices whose determinant is
/// above this, relative to the cube of their size.
const REGULAR: f64 = 1e-4;
/// How much further than the rotation itself a rotation vector may move before [`log_near`] leaves the
/// exact logarithm: close to a whole turn its direction says nothing.
const STRETCH: f64 = 4.0;

/// a, b, c at θ².
struct Coefficients {
    a: f64,
    b: f64,
    c: f64,
}

#[inline]
fn coefficients(t: f64) -> Coefficients {
    let (a, b) = sine_and_cosine(t);
    let c = if t < SMALL {
        (1.0 - t / 20.0 * (1.0 - t / 42.0 * (1.0 - t / 72.0 * (1.0 - t / 110.0 * (1.0 - t / 156.0))))) / 6.0
    } else {
        (1.0 - a) / t
    };
    Coefficients { a, b, c }
}

/// a and b at θ². The half angle gives 1 − cos θ without loss of digits.
#[inline]
fn sine_and_cosine(t: f64) -> (f64, f64) {
    if t < SMALL {
        let a = 1.0 - t / 6.0 * (1.0 - t / 20.0 * (1.0 - t / 42.0 * (1.0 - t / 72.0 * (1.0 - t / 110.0))));
        let b = 1.0 - t / 12.0 * (1.0 - t / 30.0 * (1.0 - t / 56.0 * (1.0 - t / 90.0 * (1.0 - t / 132.0))));
        (a, 0.5 * b)
    } else {
        let theta = t.sqrt();
        let (sine, cosine) = (0.5 * theta).sin_cos();
        (2.0 * sine * cosine / theta, 2.0 * sine * sine / t)
    }
}

/// The rotation by |ω| about ω.
#[inline]
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

/// J with d(exp ω) = [J dω] exp ω.
#[inline]
#[must_use]
pub fn left_jacobian(omega: &Vector3<f64>) -> Matrix3<f64> {
    let t = omega.norm_squared();
    let Coefficients { a, b, c } = coefficients(t);
    // [ω]² = ω ωᵀ − θ² I, and 1 − c θ² = a.
    Matrix3::from_diagonal_element(a) + omega.cross_matrix() * b + omega * omega.transpose() * c
}

/// exp ω and the left Jacobian at ω, for the price of one.
#[inline]
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
/// At a whole turn, where all directions mean the same rotation, the direction is that of `near`. Close
/// to one the nearest vector may still be far from `near`, although the rotations are not; then the
/// result is `near`, moved along itself as far as the rotations differ in its direction. It no longer
/// means `rotation` exactly, but follows it without a jump.
#[must_use]
pub fn log_near(rotation: &Matrix3<f64>, near: &Vector3<f64>) -> Vector3<f64> {
    let principal = log(rotation);
    let angle = principal.norm();
    let exact = if angle > 0.0 {
        let axis = principal / angle;
        principal + axis * (TAU * ((near.dot(&axis) - angle) / TAU).round())
    } else {
        principal
    };
    let length = near.norm();
    if length < 0.5 * TAU {
        return exact;
    }
    let step = log(&(exp(near).transpose() * rotation));
    if (exact - near).norm() <= STRETCH * step.norm() {
        return exact;
    }
    let along = near / length;
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
