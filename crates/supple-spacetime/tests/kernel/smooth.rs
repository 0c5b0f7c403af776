//! The smooth kernel against its spectrum, its state space, dense conditioning and long sums.

use super::{ORDERS, block, whole};
use nalgebra::{DMatrix, Matrix2, Matrix4};
use std::sync::Arc;
use supple_model::Progress;
use supple_spacetime::{
    Constraints, End, Ends, Energy, HandleId, Kernel, Order, Oscillator, Quantity, Reach, Row, Settings,
    SpacetimeError, Start,
};

const DT: f64 = 1.0 / 24.0;
/// a·N of two critically damped stages with 5 % left at N.
const LEFT: f64 = 6.876_721_153_587_661;

fn settings(frames: usize, reach: f64, ends: (Start, End)) -> Settings {
    let ends = Ends::Open { start: ends.0, end: ends.1 };
    Settings { energy: Energy::Smooth { reach }, ends, ..Settings::new(frames, DT) }
}

fn free(frames: usize, reach: f64) -> Settings {
    settings(frames, reach, (Start::Free, End::Free))
}

fn smooth(variances: &[f64], settings: Settings) -> Kernel {
    Kernel::smooth(variances, settings).unwrap()
}

#[test]
fn it_is_one_bump_with_five_percent_left_at_its_reach() {
    let kernel = smooth(&[2.0, 0.0, 0.5], free(200, 24.0));
    let mut out = [0.0; 3];
    let mut at = |lag: usize| {
        kernel.covariance((100 + lag, Order::Position), (100, Order::Position), &mut out);
        assert!(out[1] == 0.0 && (out[0] - 4.0 * out[2]).abs() < 1e-16, "one profile for all modes");
        out[0] / 2.0
    };
    assert_eq!(at(0), 1.0);
    assert!((at(24) - 0.05).abs() < 1e-14, "{}", at(24));
    for lag in 1..100 {
        assert!(at(lag) > 0.0 && at(lag) < at(lag - 1), "it falls at {lag} and does not swing back");
    }
    // The value half way, from the formula by hand: x = 3.43836.
    let x = LEFT / 2.0;
    let half = (-x).exp() * (1.0 + x + 0.4 * x * x + x.powi(3) / 15.0);
    assert!((at(12) - half).abs() < 1e-15);
}

#[test]
fn its_spectrum_is_that_of_four_poles() {
    // κ(t) = (32/5π) ∫ cos(ωt) / (1 + ω²)⁴ dω from 0 to ∞, by the trapezium rule, which is exact here to e^{−2π/h}.
    let kernel = smooth(&[1.0], free(60, 10.0));
    let h = 0.05;
    for lag in [0, 1, 3, 10, 20] {
        let x = LEFT / 10.0 * lag as f64;
        let term = |n: usize| {
            let omega = h * n as f64;
            (omega * x).cos() / (1.0 + omega * omega).powi(4)
        };
        let sum: f64 = (1..4000).map(term).sum::<f64>() + 0.5 * term(0);
        let expected = 32.0 / (5.0 * std::f64::consts::PI) * h * sum;
        let found = block(&kernel, 30 + lag, 30, 0)[(0, 0)];
        assert!((found - expected).abs() < 1e-12, "{lag}: {found} {expected}");
    }
}

#[test]
fn it_is_the_steady_state_of_two_critically_damped_stages() {
    // ÿ + 2aẏ + a²y = noise, z̈ + 2aż + a²z = y, states (z, ż, y, ẏ): the steady covariance by doubling, then one
    // transition for every lag. Nothing of this is in the kernel's closed forms.
    let reach = 9.0;
    let a = LEFT / reach / DT;
    let A = Matrix4::new(
        0.0,
        1.0,
        0.0,
        0.0, //
        -a * a,
        -2.0 * a,
        1.0,
        0.0, //
        0.0,
        0.0,
        0.0,
        1.0, //
        0.0,
        0.0,
        -a * a,
        -2.0 * a,
    );
    // Van Loan's exponential over a short step, doubled until it is steady.
    let h = DT / 64.0;
    let mut big = DMatrix::<f64>::zeros(8, 8);
    big.view_mut((0, 0), (4, 4)).copy_from(&(-A * h));
    big.view_mut((4, 4), (4, 4)).copy_from(&(A.transpose() * h));
    big[(3, 7)] = h;
    let exp = big.exp();
    let mut Phi: Matrix4<f64> = exp.fixed_view::<4, 4>(4, 4).transpose();
    let mut P: Matrix4<f64> = Phi * exp.fixed_view::<4, 4>(0, 4);
    let mut frame = Matrix4::identity();
    for doubling in 0..16 {
        P += Phi * P * Phi.transpose();
        Phi *= Phi;
        if doubling == 5 {
            frame = Phi;
        }
    }
    let scale = 1.0 / P[(0, 0)];
    let kernel = smooth(&[1.0], free(80, reach));
    let mut across = P * scale;
    for lag in 0..40 {
        let found = block(&kernel, lag + 7, 7, 0);
        let expected: Matrix2<f64> = across.fixed_view::<2, 2>(0, 0).into();
        let unit = [1.0, a];
        for (p, q) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let apart = (found[(p, q)] - expected[(p, q)]).abs() / (unit[p] * unit[q]);
            assert!(apart < 1e-11, "lag {lag}: {found} {expected}");
        }
        across = frame * across;
    }
}

#[test]
fn velocities_are_derivatives() {
    // Frames so short that differences of positions are derivatives.
    let (frames, reach, dt) = (2001, 4000.0, 1e-3);
    let mut settings = free(frames, reach);
    settings.dt = dt;
    let kernel = smooth(&[3.0], settings);
    let position = |i, j| block(&kernel, i, j, 0)[(0, 0)];
    let h = 20;
    let step = h as f64 * dt;
    let rate = LEFT / reach / dt;
    for (i, j) in [(1000, 1000), (1000, 900), (700, 1300), (1500, 100)] {
        let P = block(&kernel, i, j, 0);
        let by_i = (position(i + h, j) - position(i - h, j)) / (2.0 * step);
        let by_j = (position(i, j + h) - position(i, j - h)) / (2.0 * step);
        let by_both = (position(i + h, j + h) - position(i + h, j - h) - position(i - h, j + h)
            + position(i - h, j - h))
            / (4.0 * step * step);
        assert!((P[(1, 0)] - by_i).abs() < 1e-3 * rate, "{i}, {j}: {} {by_i}", P[(1, 0)]);
        assert!((P[(0, 1)] - by_j).abs() < 1e-3 * rate, "{i}, {j}: {} {by_j}", P[(0, 1)]);
        assert!((P[(1, 1)] - by_both).abs() < 1e-3 * rate * rate, "{i}, {j}: {} {by_both}", P[(1, 1)]);
    }
    assert!(block(&kernel, 1000, 900, 0)[(1, 0)] < -0.01 * rate, "the test looks at slopes that are there");
}

#[test]
fn ends_at_rest_are_the_stationary_kernel_conditioned_on_them() {
    let (frames, reach) = (50, 14.0);
    let plain = smooth(&[1.3], free(frames, reach));
    for (ends, held) in [
        ((Start::Rest, End::Free), vec![0]),
        ((Start::Free, End::Rest), vec![frames - 1]),
        ((Start::Arriving, End::Free), vec![]),
        ((Start::Rest, End::Rest), vec![0, frames - 1]),
    ] {
        let kernel = smooth(&[1.3], settings(frames, reach, ends));
        let others: Vec<usize> = (0..frames).filter(|frame| !held.contains(frame)).collect();
        let mut all = others.clone();
        all.extend(&held);
        let dense = whole(&plain, &all, 0);
        let (n, m) = (2 * others.len(), 2 * held.len());
        let C = dense.view((n, n), (m, m)).clone_owned().try_inverse().unwrap();
        let K = dense.view((0, n), (n, m));
        let expected = dense.view((0, 0), (n, n)) - K * C * K.transpose();
        let found = whole(&kernel, &others, 0);
        for p in 0..n {
            for q in 0..n {
                let size = (dense[(p, p)] * dense[(q, q)]).sqrt();
                assert!((found[(p, q)] - expected[(p, q)]).abs() < 1e-11 * size, "{ends:?} {p} {q}");
            }
        }
        for &frame in &held {
            assert_eq!(block(&kernel, frame, 20, 0), Matrix2::zeros());
            assert_eq!(block(&kernel, 20, frame, 0), Matrix2::zeros());
            assert!(kernel.movable(frame).is_err());
        }
    }
}

#[test]
fn a_window_is_a_shorter_clip_and_vanishes_with_its_velocity() {
    let ends = (Start::Rest, End::Rest);
    let window = Settings { window: Some((10, 40)), ..settings(60, 12.0, ends) };
    let (inside, alone) = (smooth(&[1.0], window), smooth(&[1.0], settings(31, 12.0, ends)));
    for (i, j) in [(5, 5), (20, 3), (1, 29)] {
        assert_eq!(block(&inside, 10 + i, 10 + j, 0), block(&alone, i, j, 0));
    }
    assert_eq!(block(&inside, 9, 20, 0), Matrix2::zeros());
    let mut constraints = Constraints::new(Arc::new(inside));
    constraints.add(HandleId(0), vec![Row::position(25, vec![1.0], 1.0)]).unwrap();
    let states = constraints.solve().path.states(0..60);
    for frame in (0..=10).chain(40..60) {
        assert_eq!((states.position[(0, frame)], states.velocity[(0, frame)]), (0.0, 0.0), "{frame}");
    }
    // It leaves rest as a square: at the next frame a small part of what a straight line would be.
    assert!(
        states.position[(0, 11)] > 0.0 && states.position[(0, 11)] < 0.02,
        "{}",
        states.position[(0, 11)]
    );
    assert!((states.position[(0, 25)] - 1.0).abs() < 1e-12);
}

#[test]
fn a_loop_adds_up_all_rounds() {
    let (period, reach) = (17, 30.0);
    let ends = Ends::Loop { period };
    let around = smooth(&[0.7], Settings { ends, ..free(period + 1, reach) });
    let rounds = 40;
    let long = smooth(&[0.7], free((2 * rounds + 1) * period, reach));
    for (i, j) in [(0, 0), (5, 0), (0, 5), (16, 3), (9, 8)] {
        let mut sum = Matrix2::zeros();
        for round in 0..=2 * rounds {
            sum += block(&long, round * period + i, rounds * period + j, 0);
        }
        let found = block(&around, i, j, 0);
        let (size, rate) = (block(&around, 0, 0, 0)[(0, 0)], LEFT / reach / DT);
        for (p, q) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let unit = size * rate.powi((p + q) as i32);
            assert!((found[(p, q)] - sum[(p, q)]).abs() < 1e-14 * unit, "{i} {j}: {found} {sum}");
        }
    }
    assert_eq!(block(&around, 17, 4, 0), block(&around, 0, 4, 0));
    // Far longer than the loop: the bumps add up to a constant, and numbers stay numbers.
    let flat = smooth(&[1.0], Settings { ends, ..free(period, 1e9) });
    let (own, other) = (block(&flat, 3, 3, 0)[(0, 0)], block(&flat, 12, 3, 0)[(0, 0)]);
    assert!(own.is_finite() && (own - other).abs() < 1e-9 * own, "{own} {other}");
}

/// Rows on positions and velocities scattered over the frames that can move.
fn rows(kernel: &Kernel, count: usize) -> Vec<Row> {
    let movable: Vec<usize> =
        (0..kernel.settings().frames).filter(|frame| kernel.movable(*frame).is_ok()).collect();
    let of = |a: usize| {
        let weights = (0..kernel.modes()).map(|k| ((a * 7 + k * 3) as f64).sin()).collect();
        let row = Row::position(movable[(a * 13) % movable.len()], weights, ((a * 5) as f64).cos());
        Row { order: ORDERS[usize::from(a % 4 == 3)], ..row }
    };
    (0..count).map(of).collect()
}

#[test]
fn all_frames_at_once_are_those_one_by_one() {
    let frames = 70;
    let loops = Settings { ends: Ends::Loop { period: 69 }, ..free(frames, 20.0) };
    let cases = [
        free(frames, 20.0),
        settings(frames, 20.0, (Start::Rest, End::Free)),
        settings(frames, 8.0, (Start::Rest, End::Rest)),
        Settings { window: Some((12, 55)), ..settings(frames, 20.0, (Start::Rest, End::Rest)) },
        loops,
        Settings { ends: Ends::Loop { period: 70 }, ..free(frames, 200.0) },
    ];
    let variances: Vec<f64> = (0..45).map(|k| 1.0 / (1.0 + k as f64)).collect();
    for settings in cases {
        let kernel = Arc::new(smooth(&variances, settings));
        // Few loads are a product, many are carried along.
        for count in [5, 60] {
            let mut constraints = Constraints::new(kernel.clone());
            constraints.add(HandleId(0), rows(&kernel, count)).unwrap();
            let path = constraints.solve().path;
            let states = path.states(3..frames);
            let mut out = vec![0.0; variances.len()];
            for (order, all) in [(Order::Position, &states.position), (Order::Velocity, &states.velocity)] {
                let size = all.norm_max();
                assert!(size > 0.0);
                for frame in 3..frames {
                    path.at(frame, order, &mut out);
                    for (k, x) in out.iter().enumerate() {
                        let apart = (x - all[(k, frame - 3)]).abs();
                        // Rows that nearly repeat each other pull against each other.
                        assert!(apart < 1e-9 * size, "{settings:?}, {count} rows, frame {frame}: {apart:e}");
                    }
                }
            }
        }
    }
}

#[test]
fn it_is_symmetric_to_the_bit_and_nowhere_negative() {
    for settings in [
        free(40, 9.0),
        settings(40, 9.0, (Start::Rest, End::Rest)),
        Settings { ends: Ends::Loop { period: 40 }, ..free(40, 9.0) },
    ] {
        let kernel = smooth(&[1.0, 0.2], settings);
        let (mut one, mut other) = ([0.0; 2], [0.0; 2]);
        for (i, j) in [(3, 3), (20, 7), (38, 1), (11, 12)] {
            for a in ORDERS {
                for b in ORDERS {
                    kernel.covariance((i, a), (j, b), &mut one);
                    kernel.covariance((j, b), (i, a), &mut other);
                    assert_eq!(one.map(f64::to_bits), other.map(f64::to_bits), "{i} {a:?} {j} {b:?}");
                }
            }
        }
        let frames: Vec<usize> = (1..39).collect();
        let P = whole(&kernel, &frames, 0);
        let scale: Vec<f64> = (0..P.nrows()).map(|p| 1.0 / P[(p, p)].sqrt()).collect();
        let unit = DMatrix::from_fn(P.nrows(), P.nrows(), |p, q| scale[p] * P[(p, q)] * scale[q]);
        let lowest = unit.symmetric_eigen().eigenvalues.min();
        assert!(lowest > -1e-12, "{settings:?}: {lowest:e}");
    }
}

#[test]
fn contacts_and_handles_hold_at_the_least_cost() {
    let kernel = Arc::new(smooth(&[1.0, 0.5, 0.25, 0.1], free(60, 15.0)));
    let contacts: Vec<Row> =
        (20..30).map(|frame| Row::position(frame, vec![0.3, -1.0, 0.5, 0.2], 0.0)).collect();
    let mut constraints = Constraints::with_contacts(kernel.clone(), contacts, &Progress::silent()).unwrap();
    constraints.add(HandleId(0), vec![Row::position(0, vec![1.0, 0.4, 0.0, -0.5], 1.0)]).unwrap();
    constraints.add(HandleId(1), vec![Row::position(33, vec![0.5, 0.5, 1.0, 0.0], -0.4)]).unwrap();
    let edit = constraints.solve();
    assert!(edit.report.is_met());
    let z = edit.path.states(0..60).position;
    let read = |frame: usize, c: [f64; 4]| (0..4).map(|k| c[k] * z[(k, frame)]).sum::<f64>();
    assert!((read(0, [1.0, 0.4, 0.0, -0.5]) - 1.0).abs() < 1e-9, "a pull at the first frame works");
    assert!((read(33, [0.5, 0.5, 1.0, 0.0]) + 0.4).abs() < 1e-9);
    for frame in 20..30 {
        assert!(read(frame, [0.3, -1.0, 0.5, 0.2]).abs() < 1e-6, "{frame}");
    }
    // All that is asked, solved densely: its energy is ½ tᵀ S⁻¹ t.
    let mut all = vec![(0, [1.0, 0.4, 0.0, -0.5], 1.0), (33, [0.5, 0.5, 1.0, 0.0], -0.4)];
    // Every other contact says what those between are, to 1e-4; all of them cannot be inverted.
    all.extend((20..30).step_by(3).map(|frame| (frame, [0.3, -1.0, 0.5, 0.2], 0.0)));
    let mut out = [0.0; 4];
    let mut S = DMatrix::zeros(all.len(), all.len());
    for (p, (i, c, _)) in all.iter().enumerate() {
        for (q, (j, d, _)) in all.iter().enumerate() {
            kernel.covariance((*i, Order::Position), (*j, Order::Position), &mut out);
            S[(p, q)] = (0..4).map(|k| c[k] * d[k] * out[k]).sum();
        }
    }
    let t = DMatrix::from_fn(all.len(), 1, |p, _| all[p].2);
    let energy = 0.5 * (t.transpose() * S.lu().solve(&t).unwrap())[(0, 0)];
    assert!(
        (edit.energy - energy).abs() < 1e-3 * energy && edit.energy >= energy,
        "{} {energy}",
        edit.energy
    );
    assert!(!kernel.has_forces());
    assert!(edit.path.forces().is_none() && edit.path.peak_forces().is_none());
    assert!(edit.path.forces_seen(&[vec![1.0; 4]]).is_none());
}

#[test]
fn wrong_input_is_named() {
    let plain = free(20, 5.0);
    let error = |variances: &[f64], settings: Settings| Kernel::smooth(variances, settings).unwrap_err();
    assert_eq!(error(&[], plain), SpacetimeError::NoModes);
    assert_eq!(error(&[0.0, 0.0], plain), SpacetimeError::NoVariance);
    assert_eq!(
        error(&[1.0, -2.0], plain),
        SpacetimeError::BadMode { mode: 1, quantity: Quantity::Variance, value: -2.0 }
    );
    for value in [f64::NAN, f64::INFINITY] {
        let found = error(&[value], plain);
        assert!(matches!(found, SpacetimeError::BadMode { quantity: Quantity::Variance, .. }), "{found}");
    }
    for reach in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let found = error(&[1.0], free(20, reach));
        assert!(matches!(found, SpacetimeError::BadNumber { quantity: Quantity::Reach, .. }), "{found}");
    }
    assert_eq!(error(&[1.0], Settings::new(20, DT)), SpacetimeError::NotSmooth);
    let mode = Oscillator { eigenvalue: 4.0, delta: 0.1 };
    assert_eq!(Kernel::new(&[mode], plain).unwrap_err(), SpacetimeError::SmoothEnergy);
    for ends in [(Start::RestAtHalf, End::Free), (Start::Free, End::RestAtHalf)] {
        assert_eq!(error(&[1.0], settings(20, 5.0, ends)), SpacetimeError::HalfFrame);
    }
    let both = (Start::Rest, End::Rest);
    assert_eq!(error(&[1.0], settings(2, 5.0, both)), SpacetimeError::TooShort { frames: 2 });
    assert_eq!(error(&[1.0], settings(5, 1e6, both)), SpacetimeError::ReachTooLong { reach: 1e6, frames: 5 });
    let inner = Settings { window: Some((2, 8)), ..plain };
    assert_eq!(error(&[1.0], inner), SpacetimeError::FreeInside { frame: 2 });
    // What the smooth energy does not use is not looked at.
    let reach = Reach { position: f64::NAN, velocity: -1.0 };
    assert!(Kernel::smooth(&[1.0], Settings { reach, spread: f64::NAN, ..plain }).is_ok());
    // A free start is no trouble, nor is a single frame.
    assert!(Kernel::smooth(&[1.0], free(1, 5.0)).is_ok());
}
