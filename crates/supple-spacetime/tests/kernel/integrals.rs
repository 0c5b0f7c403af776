//! The free kernel against matrix exponentials and against quadrature of its defining integral.

use super::{apart, block, kernel, reference, regimes, whole};
use nalgebra::{Matrix2, Vector2};
use supple_model::Instant;
use supple_spacetime::{Kernel, Oscillator, Settings};

#[test]
fn every_regime_matches_the_matrix_exponential() {
    let dt = 1.0 / 24.0;
    let modes = regimes();
    let kernel = kernel(&modes, Settings::new(50, dt));
    for (k, mode) in modes.iter().enumerate() {
        for (i, j) in [(1, 1), (7, 1), (20, 20), (49, 3), (49, 48)] {
            let (_, P_j) = reference(*mode, j as f64 * dt);
            let (_, P_i) = reference(*mode, i as f64 * dt);
            let (Phi, _) = reference(*mode, (i - j) as f64 * dt);
            let distance = apart(&block(&kernel, i, j, k), &(Phi * P_j), &P_i, &P_j);
            assert!(distance < 2e-11, "{mode:?} at {i}, {j}: {distance:e}");
        }
    }
}

/// z(t) after a unit impulse, by a Runge–Kutta method with many steps.
fn impulse_response(mode: Oscillator, t: f64, steps: usize) -> Vec<Vector2<f64>> {
    let A = Matrix2::new(0.0, 1.0, -mode.eigenvalue, -2.0 * mode.delta);
    let h = t / steps as f64;
    let mut states = vec![Vector2::new(0.0, 1.0)];
    for step in 0..steps {
        let s = states[step];
        let k1 = A * s;
        let k2 = A * (s + k1 * (h / 2.0));
        let k3 = A * (s + k2 * (h / 2.0));
        let k4 = A * (s + k3 * h);
        states.push(s + (k1 + k2 * 2.0 + k3 * 2.0 + k4) * (h / 6.0));
    }
    states
}

#[test]
fn the_covariance_is_its_integral() {
    // P(t, s) = ∫₀ˢ v(t − x) v(s − x)ᵀ dx with v the response to an impulse, by Simpson's rule.
    let dt = 0.1;
    for mode in regimes().into_iter().filter(|mode| mode.eigenvalue < 100.0) {
        let kernel = kernel(&[mode], Settings::new(31, dt));
        let per_frame = 400;
        let v = impulse_response(mode, 30.0 * dt, 30 * per_frame);
        for (i, j) in [(30, 30), (30, 11), (12, 5), (2, 1)] {
            let n = j * per_frame;
            let shift = (i - j) * per_frame;
            let mut sum = Matrix2::zeros();
            for x in 0..=n {
                let weight = if x == 0 || x == n {
                    1.0
                } else if x % 2 == 1 {
                    4.0
                } else {
                    2.0
                };
                sum += v[shift + x] * v[x].transpose() * weight;
            }
            let P = sum * (dt / per_frame as f64 / 3.0);
            let (P_i, P_j) = (block(&kernel, i, i, 0), block(&kernel, j, j, 0));
            let distance = apart(&block(&kernel, i, j, 0), &P, &P_i, &P_j);
            assert!(distance < 1e-9, "{mode:?} at {i}, {j}: {distance:e}");
        }
    }
}

#[test]
fn a_cubic_spline_is_the_case_without_stiffness() {
    let kernel = kernel(&[Oscillator { eigenvalue: 0.0, delta: 0.0 }], Settings::new(40, 0.25));
    let (t, s) = (30.0 * 0.25, 12.0 * 0.25);
    let exact = Matrix2::new(s * s * (3.0 * t - s) / 6.0, t * s - s * s / 2.0, s * s / 2.0, s);
    assert!((block(&kernel, 30, 12, 0) - exact).norm() < 1e-13 * exact.norm());
}

#[test]
fn the_kernel_is_symmetric_and_positive_semidefinite() {
    let modes = regimes();
    let kernel = kernel(&modes, Settings::new(24, 1.0 / 24.0));
    for k in 0..modes.len() {
        assert_definite(&kernel, &(0..24).collect::<Vec<_>>(), k);
    }
}

/// Scaled to unit diagonal, no eigenvalue is below round-off; both triangles are the same bits.
pub(super) fn assert_definite<T: Copy + Into<Instant>>(kernel: &Kernel, times: &[T], k: usize) {
    let P = whole(kernel, times, k);
    assert_eq!(P, P.transpose());
    let scale = P.diagonal().map(|p| if p > 0.0 { 1.0 / p.sqrt() } else { 0.0 });
    let scaled = nalgebra::DMatrix::from_fn(P.nrows(), P.ncols(), |a, b| P[(a, b)] * scale[a] * scale[b]);
    let smallest = scaled.symmetric_eigenvalues().min();
    assert!(smallest > -1e-11, "mode {k}: {smallest:e}");
}

#[test]
fn stiff_modes_follow_the_stationary_law() {
    // Long after the start the covariance is diag(1/4δλ, 1/4δ), whatever λ·dt² is.
    for (eigenvalue, delta) in [(1e4, 50.0), (1e8, 3e4), (1e12, 1.0), (1e12, 1e7), (1e16, 2e8)] {
        let dt: f64 = 1.0 / 24.0;
        let kernel = kernel(&[Oscillator { eigenvalue, delta }], Settings::new(2000, dt));
        // The slowest rate decides how much of the start is left.
        let rate = if delta * delta > eigenvalue { eigenvalue / (2.0 * delta) } else { delta };
        let left = (-2.0 * rate * 1999.0 * dt).exp();
        let P = block(&kernel, 1999, 1999, 0);
        assert!((P[(0, 0)] * 4.0 * delta * eigenvalue - 1.0).abs() < 1e-9 + 4.0 * left);
        assert!((P[(1, 1)] * 4.0 * delta - 1.0).abs() < 1e-9 + 4.0 * left);
    }
}
