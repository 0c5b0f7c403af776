//! The kernel against the finite differences of Barbič 2012, App. A: its limit for small time steps, and why it
//! is used instead.

use super::{kernel, regimes};
use nalgebra::DMatrix;
use supple_spacetime::{End, Ends, Kernel, Order, Oscillator, Settings, Start};

/// The pentadiagonal matrix of E = (h/2) Σ ((z₊ − 2z + z₋)/h² + 2δ(z₊ − z)/h + λz)², over all frames.
fn hessian(mode: Oscillator, frames: usize, h: f64) -> DMatrix<f64> {
    let d = 2.0 * mode.delta;
    let a = [1.0, -2.0 - d * h + h * h * mode.eigenvalue, 1.0 + d * h];
    let mut H = DMatrix::zeros(frames, frames);
    for i in 1..frames - 1 {
        for p in 0..3 {
            for q in 0..3 {
                H[(i + p - 1, i + q - 1)] += a[p] * a[q] / (h * h * h);
            }
        }
    }
    H
}

/// Without frames 0, 1 and, with both ends held, the last two.
fn held(H: &DMatrix<f64>, both: bool) -> DMatrix<f64> {
    let n = H.nrows() - if both { 4 } else { 2 };
    H.view((2, 2), (n, n)).into_owned()
}

/// The largest difference of Green's functions, H⁻¹ against P, over the largest P.
fn distance(mode: Oscillator, dt: f64, seconds: f64, (start, end): (Start, End)) -> f64 {
    let frames = (seconds / dt).round() as usize + 1;
    let both = end != End::Free;
    let G = held(&hessian(mode, frames, dt), both).try_inverse().unwrap();
    let kernel = kernel(&[mode], Settings { ends: Ends::Open { start, end }, ..Settings::new(frames, dt) });
    let mut out = [0.0];
    let (mut largest, mut size): (f64, f64) = (0.0, 0.0);
    for i in 0..G.nrows() {
        for j in 0..=i {
            kernel.covariance((i + 2, Order::Position), (j + 2, Order::Position), &mut out);
            largest = largest.max((G[(i, j)] - out[0]).abs());
            size = size.max(out[0].abs());
        }
    }
    largest / size
}

#[test]
fn finite_differences_converge_to_the_kernel() {
    let mode = Oscillator { eigenvalue: 4.0, delta: 0.1 };
    let ends = (Start::Rest, End::Rest);
    let distances: Vec<f64> =
        [24.0, 48.0, 96.0, 192.0].iter().map(|rate| distance(mode, 1.0 / rate, 2.5, ends)).collect();
    assert!(distances[3] < 5e-3, "{distances:?}");
    let longer = distance(mode, 1.0 / 24.0, 10.0, ends);
    assert!((3e-3..2e-2).contains(&longer), "{longer:e}");
    for pair in distances.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!((0.85..1.25).contains(&order), "{distances:?}");
    }
}

#[test]
fn undamped_from_frame_one_half_they_converge_faster() {
    let mode = Oscillator { eigenvalue: 4.0, delta: 0.0 };
    let half = |rate: f64| distance(mode, 1.0 / rate, 2.5, (Start::RestAtHalf, End::RestAtHalf));
    let whole = |rate: f64| distance(mode, 1.0 / rate, 2.5, (Start::Rest, End::Rest));
    let order = (half(24.0) / half(96.0)).log2() / 2.0;
    assert!(order > 1.7, "order {order}");
    assert!(half(48.0) < 0.1 * whole(48.0));
}

#[test]
fn a_free_end_converges_too() {
    let mode = Oscillator { eigenvalue: 4.0, delta: 0.1 };
    let ends = (Start::RestAtHalf, End::Free);
    let order = (distance(mode, 1.0 / 24.0, 2.0, ends) / distance(mode, 1.0 / 96.0, 2.0, ends)).log2() / 2.0;
    assert!((0.8..1.5).contains(&order), "order {order}");
}

#[test]
fn finite_differences_break_down_where_the_kernel_does_not() {
    let (dt, frames) = (1.0 / 24.0, 60);
    let condition = |mode: Oscillator| {
        let values = held(&hessian(mode, frames, dt), false).singular_values();
        values.max() / values.min()
    };
    let slow = Oscillator { eigenvalue: 0.5 / (dt * dt), delta: 0.0 };
    let stiff = Oscillator { eigenvalue: 4.5 / (dt * dt), delta: 0.0 };
    assert!(condition(slow) < 1e8);
    assert!(condition(stiff) > 1e16);
    let kernel = Kernel::new(&[stiff], Settings::new(frames, dt)).unwrap();
    super::integrals::assert_definite(&kernel, &(0..frames).collect::<Vec<_>>(), 0);
    // Undamped, the variance of the energy ½ż² + ½λz² grows by ½ per second.
    let mut out = [0.0];
    let mut energy = 0.0;
    kernel.covariance((59, Order::Position), (59, Order::Position), &mut out);
    energy += 0.5 * stiff.eigenvalue * out[0];
    kernel.covariance((59, Order::Velocity), (59, Order::Velocity), &mut out);
    energy += 0.5 * out[0];
    assert!((energy - 0.5 * 59.0 * dt).abs() < 1e-12, "{energy}");
}

#[test]
fn half_frames_are_whole_frames_of_half_the_step() {
    for mode in regimes() {
        let (dt, frames) = (0.1, 12);
        let ends = Ends::Open { start: Start::RestAtHalf, end: End::RestAtHalf };
        let half = kernel(&[mode], Settings { ends, ..Settings::new(frames, dt) });
        // Frame i is frame 2i − 1 of a clip that begins at frame ½.
        let ends = Ends::Open { start: Start::Rest, end: End::Rest };
        let fine = kernel(&[mode], Settings { ends, ..Settings::new(2 * frames - 3, dt / 2.0) });
        for (i, j) in [(5, 5), (10, 1), (4, 9)] {
            let (A, B) = (super::block(&half, i, j, 0), super::block(&fine, 2 * i - 1, 2 * j - 1, 0));
            let P_i = super::block(&fine, 2 * i - 1, 2 * i - 1, 0);
            let P_j = super::block(&fine, 2 * j - 1, 2 * j - 1, 0);
            assert!(super::apart(&A, &B, &P_i, &P_j) < 1e-10, "{mode:?}");
        }
    }
}
