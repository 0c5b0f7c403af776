//! Between frames the kernel is that of shorter frames: joints of motions and landings do not fall on frames.

use super::integrals::assert_definite;
use super::{ORDERS, apart, block_at, kernel, regimes};
use supple_model::Instant;
use supple_spacetime::{End, Ends, Energy, FrameProblem, Kernel, Order, Reach, Settings, Start};

const FRAMES: usize = 13;
const DT: f64 = 1.0 / 24.0;
/// Short frames in a frame.
const PARTS: usize = 4;

fn open(start: Start, end: End) -> Ends {
    Ends::Open { start, end }
}

/// Every kind of ends, and the same with frames that are a quarter as long. That of half frames begins and ends within.
fn every_kind() -> Vec<(Settings, Settings)> {
    let (last, dt) = (PARTS * (FRAMES - 1), DT / PARTS as f64);
    let (coarse, fine) = (Settings::new(FRAMES, DT), Settings::new(last + 1, dt));
    let reach = Reach { position: 30.0, velocity: 2.0 };
    let both = |ends, reach| (Settings { ends, reach, ..coarse }, Settings { ends, reach, ..fine });
    let mut kinds: Vec<(Settings, Settings)> = [
        (Start::Rest, End::Free),
        (Start::Rest, End::Rest),
        (Start::Free, End::Free),
        (Start::Free, End::Rest),
        (Start::Arriving, End::Free),
    ]
    .into_iter()
    .map(|(start, end)| both(open(start, end), reach))
    .collect();
    kinds.push(both(open(Start::Rest, End::Rest), Reach::default()));
    kinds.push((coarse, fine));
    let window = Some((2, last - 2));
    let ends = open(Start::RestAtHalf, End::RestAtHalf);
    kinds
        .push((Settings { ends, ..coarse }, Settings { ends: open(Start::Rest, End::Rest), window, ..fine }));
    kinds.push((
        Settings { ends: open(Start::Rest, End::Rest), window: Some((2, 9)), spread: 0.4, ..coarse },
        Settings {
            ends: open(Start::Rest, End::Rest),
            window: Some((2 * PARTS, 9 * PARTS)),
            spread: 0.4,
            ..fine
        },
    ));
    kinds.push((
        Settings { ends: Ends::Loop { period: FRAMES - 1 }, reach, spread: 0.4, ..coarse },
        Settings { ends: Ends::Loop { period: last }, reach, spread: 0.4, ..fine },
    ));
    kinds
}

/// The smooth kernel with its reach in frames.
fn smooth_kinds() -> Vec<(Settings, Settings)> {
    let (last, dt) = (PARTS * (FRAMES - 1), DT / PARTS as f64);
    let of = |ends: Ends, fine_ends: Ends| {
        let energy = Energy::Smooth { reach: 7.0 };
        let fine = Energy::Smooth { reach: 7.0 * PARTS as f64 };
        (
            Settings { ends, energy, ..Settings::new(FRAMES, DT) },
            Settings { ends: fine_ends, energy: fine, ..Settings::new(last + 1, dt) },
        )
    };
    let same = |start, end| of(open(start, end), open(start, end));
    vec![
        same(Start::Free, End::Free),
        same(Start::Rest, End::Free),
        same(Start::Rest, End::Rest),
        of(Ends::Loop { period: FRAMES - 1 }, Ends::Loop { period: last }),
    ]
}

/// All quarters of frames, a few of them.
fn quarters() -> [usize; 9] {
    [1, 2, 3, 9, 20, 21, 34, 46, 47]
}

fn assert_same(coarse: &Kernel, fine: &Kernel, most: f64) {
    let at = |quarter: usize| Instant::new(quarter as f64 / PARTS as f64);
    for k in 0..coarse.modes() {
        for i in quarters() {
            for j in quarters() {
                let (P, Q) = (block_at(coarse, at(i), at(j), k), block_at(fine, i.into(), j.into(), k));
                let own = |i: usize| block_at(fine, i.into(), i.into(), k);
                let distance = apart(&P, &Q, &own(i), &own(j));
                assert!(
                    distance < most || P == Q,
                    "{:?}, mode {k} at quarters {i}, {j}: {distance:e}",
                    coarse.settings()
                );
            }
        }
    }
}

#[test]
fn times_between_frames_are_frames_of_a_finer_clip() {
    for (coarse, fine) in every_kind() {
        // Beside a clamped end, where variances vanish, some digits go.
        assert_same(&kernel(&regimes(), coarse), &kernel(&regimes(), fine), 1e-9);
    }
    for (coarse, fine) in smooth_kinds() {
        let variances = [1.0, 0.3];
        let (coarse, fine) = (Kernel::smooth(&variances, coarse), Kernel::smooth(&variances, fine));
        // What ends at rest leave near them is a difference of larger numbers.
        assert_same(&coarse.unwrap(), &fine.unwrap(), 1e-7);
    }
}

#[test]
fn velocities_are_derivatives_in_either_time() {
    // Stiff modes cannot be differenced; these are slow. A hundredth of a frame is exact to its fourth power.
    let slow: Vec<_> = regimes().into_iter().filter(|mode| mode.eigenvalue < 10.0).collect();
    let step = 0.01;
    let derivative = |f: &dyn Fn(f64) -> f64, t: f64| {
        (8.0 * (f(t + step) - f(t - step)) - (f(t + 2.0 * step) - f(t - 2.0 * step))) / (12.0 * step * DT)
    };
    let smooth = smooth_kinds().into_iter().map(|(coarse, _)| Kernel::smooth(&[1.0], coarse).unwrap());
    let kernels = every_kind().into_iter().map(|(coarse, _)| kernel(&slow, coarse)).chain(smooth);
    for kernel in kernels {
        for (t, s) in [(7.3, 4.0), (4.4, 4.9), (3.6, 8.2), (7.5, 2.5)] {
            for k in 0..kernel.modes() {
                let value =
                    |t: f64, a: usize, s: f64, b: usize| block_at(&kernel, t.into(), s.into(), k)[(a, b)];
                let size = (value(t, 1, t, 1) * value(s, 1, s, 1)).sqrt();
                for b in 0..2 {
                    let by_t = derivative(&|t| value(t, 0, s, b), t);
                    let scale = if b == 1 { size } else { (value(t, 1, t, 1) * value(s, 0, s, 0)).sqrt() };
                    let apart = (by_t - value(t, 1, s, b)).abs();
                    assert!(
                        apart < 1e-6 * scale,
                        "{:?} {k} {t} {s}: {apart:e} of {scale:e}",
                        kernel.settings()
                    );
                    let by_s = derivative(&|s| value(t, b, s, 0), s);
                    let scale = if b == 1 { size } else { (value(t, 0, t, 0) * value(s, 1, s, 1)).sqrt() };
                    let apart = (by_s - value(t, b, s, 1)).abs();
                    assert!(
                        apart < 1e-6 * scale,
                        "{:?} {k} {t} {s}: {apart:e} of {scale:e}",
                        kernel.settings()
                    );
                }
            }
        }
    }
}

#[test]
fn it_is_symmetric_and_positive_semidefinite_at_any_times() {
    let times = [0.7, 1.0, 1.25, 1.2501, 3.9, 4.0, 5.5, 5.75, 6.0, 8.1, 8.9, 11.2];
    for (coarse, _) in every_kind() {
        regimes().into_iter().for_each(|mode| assert_definite(&kernel(&[mode], coarse), &times, 0));
    }
    for (coarse, _) in smooth_kinds() {
        assert_definite(&Kernel::smooth(&[1.0], coarse).unwrap(), &times, 0);
    }
}

#[test]
fn a_loop_comes_round_between_frames_too() {
    let (coarse, _) = every_kind().pop().unwrap();
    let smooth = Kernel::smooth(&[1.0, 0.3], smooth_kinds().pop().unwrap().0).unwrap();
    for kernel in [kernel(&regimes(), coarse), smooth] {
        let round = (FRAMES - 1) as f64;
        for k in 0..kernel.modes() {
            let block = |t: f64, s: f64| block_at(&kernel, t.into(), s.into(), k);
            let own = block(0.0, 0.0);
            assert_eq!(block(round + 0.25, 3.5), block(0.25, 3.5));
            // From 0.3 before the loop ends to 0.45 after is as far as from 5 to 5.75.
            let distance = apart(&block(0.45, round - 0.3), &block(5.75, 5.0), &own, &own);
            assert!(distance < 1e-10, "{distance:e}");
            // Every time is like every other.
            assert!(apart(&block(8.125, 8.125), &own, &own, &own) < 1e-14);
            // Beside the frame that closes it, the kernel does not jump.
            let jump = apart(&block(round - 1e-9, 3.5), &block(1e-9, 3.5), &own, &own);
            assert!(jump < 1e-5, "{jump:e}");
        }
    }
    // A loop as long as the motion has time after its last frame.
    let settings = Settings { ends: Ends::Loop { period: FRAMES }, ..coarse };
    let kernel = kernel(&regimes(), settings);
    let late = FRAMES as f64 - 0.5;
    assert!(kernel.movable(late).is_ok());
    assert!(block_at(&kernel, late.into(), 0.into(), 3)[(0, 0)] != 0.0);
    let beyond = Instant::from(FRAMES);
    assert_eq!(kernel.movable(beyond), Err(FrameProblem::Missing { frame: beyond, frames: FRAMES }));
}

#[test]
fn at_rest_is_at_rest_between_frames() {
    let modes = regimes();
    let ends = open(Start::RestAtHalf, End::RestAtHalf);
    let halves = kernel(&modes, Settings { ends, ..Settings::new(FRAMES, DT) });
    let last = (FRAMES - 1) as f64;
    for t in [0.0, 0.3, 0.5, last - 0.5, last - 0.1, last] {
        let frame = Instant::new(t);
        assert_eq!(halves.movable(t), Err(FrameProblem::AtRest { frame }));
        for k in 0..modes.len() {
            assert_eq!(block_at(&halves, frame, 5.5.into(), k).norm(), 0.0);
        }
    }
    assert!(halves.movable(0.51).is_ok() && halves.movable(last - 0.51).is_ok());
    let ends = open(Start::Rest, End::Rest);
    let window = kernel(&modes, Settings { ends, window: Some((2, 9)), ..Settings::new(FRAMES, DT) });
    let outside = |t: f64| FrameProblem::OutsideWindow { frame: t.into(), first: 2, last: 9 };
    assert_eq!(window.movable(1.75), Err(outside(1.75)));
    assert_eq!(window.movable(9.25), Err(outside(9.25)));
    assert_eq!(window.movable(9.25).unwrap_err().to_string(), "frame 9.25 is outside the window 2 to 9");
    assert!(window.movable(2.001).is_ok());
    for t in [-0.5, last + 0.5, f64::NAN, f64::INFINITY] {
        let found = window.movable(t);
        assert!(matches!(found, Err(FrameProblem::Missing { .. })), "{found:?}");
    }
    let mut out = vec![1.0; modes.len()];
    for a in ORDERS {
        window.covariance((1.5, a), (5.5, Order::Position), &mut out);
        assert!(out.iter().all(|x| *x == 0.0));
    }
}
