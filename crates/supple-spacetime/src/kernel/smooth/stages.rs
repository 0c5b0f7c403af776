//! The same process as a chain of states, for sums over many frames.
//!
//! With the state s = (z, z', z'', z''') by x, two critically damped stages are (d/dx + 1)⁴ z = noise:
//!
//! > s(x) = Φ(x) s(0) + noise, Φ(x) = e^{−x} (I + xN + x²N²/2 + x³N³/6), N = A + I,
//!
//! A the companion matrix of (y + 1)⁴, so that N⁴ = 0. In the steady state s has the covariance P∞, entries
//! ±κ^{(p+q)}(0), and cov(s(x), s(0)) = Φ(x) P∞ for x ≥ 0.

use nalgebra::Matrix4;

/// P∞.
pub(crate) const STEADY: Matrix4<f64> = Matrix4::new(
    1.0, 0.0, -0.2, 0.0, //
    0.0, 0.2, 0.0, -0.2, //
    -0.2, 0.0, 0.2, 0.0, //
    0.0, -0.2, 0.0, 1.0,
);

/// Φ(x).
pub(crate) fn transition(x: f64) -> Matrix4<f64> {
    let decay = (-x).exp();
    if decay == 0.0 {
        return Matrix4::zeros();
    }
    let N = Matrix4::new(
        1.0, 1.0, 0.0, 0.0, //
        0.0, 1.0, 1.0, 0.0, //
        0.0, 0.0, 1.0, 1.0, //
        -1.0, -4.0, -6.0, -3.0,
    );
    let I = Matrix4::identity();
    (I + N * x * (I + N * (0.5 * x) * (I + N * (x / 3.0)))) * decay
}
