//! Ends at rest, windows and free starts.

use super::integrals::assert_definite;
use super::{apart, block, kernel, regimes, whole};
use nalgebra::{DMatrix, Matrix2};
use supple_spacetime::{End, Ends, Kernel, Oscillator, Reach, Settings, Start};

fn clamped(frames: usize, dt: f64) -> Settings {
    Settings { ends: Ends::Open { start: Start::Rest, end: End::Rest }, ..Settings::new(frames, dt) }
}

#[test]
fn an_end_at_rest_is_the_free_kernel_conditioned_on_it() {
    let (frames, dt) = (30, 1.0 / 24.0);
    let modes = regimes();
    let free = kernel(&modes, Settings::new(frames, dt));
    let held = kernel(&modes, clamped(frames, dt));
    for k in 0..modes.len() {
        let e = frames - 1;
        let E = block(&free, e, e, k).try_inverse().unwrap();
        for (i, j) in [(15, 15), (20, 4), (4, 20), (28, 28), (28, 1), (29, 7)] {
            let P = block(&free, i, j, k) - block(&free, i, e, k) * E * block(&free, e, j, k);
            let (P_i, P_j) = (block(&free, i, i, k), block(&free, j, j, k));
            let distance = apart(&block(&held, i, j, k), &P, &P_i, &P_j);
            assert!(distance < 1e-9, "{:?} at {i}, {j}: {distance:e}", modes[k]);
        }
        assert_definite(&held, &(0..frames).collect::<Vec<_>>(), k);
        assert_eq!(block(&held, e, e, k), Matrix2::zeros());
        assert_eq!(block(&held, 0, 5, k), Matrix2::zeros());
    }
}

#[test]
fn long_clips_without_stiffness_keep_twelve_digits() {
    // The kernel of ½∫z̈² between two ends at rest, 0 and 1, is for t ≥ s
    // (1−t)² s² (3t(1−s) − s(1−t)) / 6, and scales with the cube of the length.
    let frames = 5000;
    let dt = 1.0 / 24.0;
    let kernel = kernel(&[Oscillator { eigenvalue: 0.0, delta: 0.0 }], clamped(frames, dt));
    let e = (frames - 1) as f64;
    let length = e * dt;
    for (i, j) in [(2500, 2500), (4998, 4998), (4998, 1), (4000, 17), (1, 1), (4990, 2500), (3333, 3300)] {
        // With counts of frames to both ends nothing cancels in the oracle.
        let (i, j): (usize, usize) = (i, j);
        let (t, s) = (i as f64 / e, j as f64 / e);
        let (after_t, after_s) = ((e - i as f64) / e, (e - j as f64) / e);
        let inner = 3.0 * t * after_s - s * after_t;
        let exact = after_t * after_t * s * s * inner / 6.0 * length.powi(3);
        let P = block(&kernel, i, j, 0)[(0, 0)];
        // One frame before the end, where the kernel is a billion times smaller than in the middle, some digits go.
        let digits = if j == 4998 { 5e-12 } else { 1e-14 };
        assert!((P - exact).abs() < digits * exact, "{i}, {j}: {P:e} {exact:e} {:e}", (P - exact) / exact);
    }
}

#[test]
fn a_window_is_a_shorter_clip() {
    let (frames, dt) = (60, 1.0 / 24.0);
    let modes = regimes();
    for (window, end) in [((10, 40), End::Rest), ((25, 59), End::Free)] {
        let ends = Ends::Open { start: Start::Rest, end };
        let inside = kernel(&modes, Settings { ends, window: Some(window), ..Settings::new(frames, dt) });
        let alone = kernel(&modes, Settings { ends, ..Settings::new(window.1 - window.0 + 1, dt) });
        for k in 0..modes.len() {
            for (i, j) in [(5, 5), (20, 3), (1, 29)] {
                assert_eq!(block(&inside, window.0 + i, window.0 + j, k), block(&alone, i, j, k));
            }
            assert_eq!(block(&inside, 2, 30, k), Matrix2::zeros());
            assert_eq!(block(&inside, 9, 9, k), Matrix2::zeros());
        }
        assert!(inside.movable(window.0 + 1).is_ok());
    }
}

/// The matrix of ½∫(f² + εz² + ηż²) over all states of fine steps, each step's cost being exact for the
/// shortest of them: f from the difference of states through Q, the rest by the trapezium rule.
fn dense_kernel(mode: Oscillator, reach: Reach, steps: usize, h: f64, start: Start) -> DMatrix<f64> {
    let (Phi, Q) = super::reference(mode, h);
    let information = Q.try_inverse().unwrap();
    let n = 2 * (steps + 1);
    let mut H = DMatrix::zeros(n, n);
    for step in 0..steps {
        let mut D = DMatrix::zeros(2, 4);
        D.view_mut((0, 0), (2, 2)).copy_from(&(-Phi));
        D.view_mut((0, 2), (2, 2)).copy_from(&Matrix2::identity());
        let mut view = H.view_mut((2 * step, 2 * step), (4, 4));
        view += D.transpose() * information * &D;
    }
    for i in 0..=steps {
        let weight = if i == 0 || i == steps { h / 2.0 } else { h };
        H[(2 * i, 2 * i)] += weight * reach.position;
        H[(2 * i + 1, 2 * i + 1)] += weight * reach.velocity;
    }
    let from = if start == Start::Free { 0 } else { 2 };
    H.view((from, from), (n - from, n - from)).clone_owned().try_inverse().unwrap()
}

#[test]
fn a_cost_of_positions_reaches_less_far_whatever_the_ends() {
    let reach = Reach { position: 30.0, velocity: 2.0 };
    let frames = 7;
    let (per_frame, dt) = (40, 0.2);
    let steps = (frames - 1) * per_frame;
    for mode in [(4.0, 0.1), (0.0, 0.0), (9.0, 5.0)] {
        let mode = Oscillator { eigenvalue: mode.0, delta: mode.1 };
        for start in [Start::Rest, Start::Free] {
            let ends = Ends::Open { start, end: End::Free };
            let kernel = kernel(&[mode], Settings { ends, reach, ..Settings::new(frames, dt) });
            let distance = |per: usize| {
                let dense = dense_kernel(mode, reach, (frames - 1) * per, dt / per as f64, start);
                let skip = if start == Start::Free { 0 } else { 1 };
                let mut largest: f64 = 0.0;
                for i in skip..frames {
                    for j in skip..frames {
                        let at = |frame: usize| 2 * (frame * per - skip);
                        let D: Matrix2<f64> = dense.fixed_view::<2, 2>(at(i), at(j)).into();
                        let (P_i, P_j) = (block(&kernel, i, i, 0), block(&kernel, j, j, 0));
                        largest = largest.max(apart(&block(&kernel, i, j, 0), &D, &P_i, &P_j));
                    }
                }
                largest
            };
            let (coarse, fine) = (distance(per_frame / 4), distance(per_frame));
            // The trapezium rule is of second order; so is the distance, down to zero.
            assert!(
                fine < 2e-3 && (10.0..24.0).contains(&(coarse / fine)),
                "{mode:?} {start:?}: {coarse:e} {fine:e}"
            );
            assert_definite(&kernel, &(0..frames).collect::<Vec<_>>(), 0);
        }
    }
    assert_eq!(steps, 240);
}

#[test]
fn a_free_start_forgets_where_it_began() {
    // Far from both ends it does not matter which they are.
    let modes = [Oscillator { eigenvalue: 4.0, delta: 0.3 }];
    let reach = Reach { position: 50.0, velocity: 0.0 };
    let at = |start, end| {
        let ends = Ends::Open { start, end };
        let kernel = Kernel::new(&modes, Settings { ends, reach, ..Settings::new(401, 0.1) }).unwrap();
        whole(&kernel, &[198, 200, 205], 0)
    };
    let free = at(Start::Free, End::Free);
    assert!((at(Start::Rest, End::Rest) - &free).norm() < 1e-10 * free.norm());
}

#[test]
fn arriving_is_beginning_at_rest_long_before() {
    let modes = [(4.0, 0.3), (0.0, 0.0), (900.0, 40.0), (9.0, 0.0)];
    let modes = modes.map(|(eigenvalue, delta)| Oscillator { eigenvalue, delta });
    let reach = Reach { position: 50.0, velocity: 0.0 };
    let (before, frames, dt) = (400, 25, 0.1);
    for end in [End::Free, End::Rest] {
        let at = |start, frames| {
            let ends = Ends::Open { start, end };
            Kernel::new(&modes, Settings { ends, reach, ..Settings::new(frames, dt) }).unwrap()
        };
        let (arriving, long) = (at(Start::Arriving, frames), at(Start::Rest, before + frames));
        let shown = [0, 1, 3, 12, 23];
        for k in 0..modes.len() {
            let expected = whole(&long, &shown.map(|frame| before + frame), k);
            let found = whole(&arriving, &shown, k);
            let distance = (&found - &expected).norm() / expected.norm();
            assert!(distance < 1e-9, "{:?} {end:?}: {distance:e}", modes[k]);
        }
    }
}
