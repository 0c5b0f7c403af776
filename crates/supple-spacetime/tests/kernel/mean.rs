//! Mean paths: a start and an end that are given, and a constant load, against integration and against dense problems.

use super::{ORDERS, kernel, reference, regimes};
use crate::random::Random;
use nalgebra::{DMatrix, DVector, Matrix2, Vector2};
use std::sync::Arc;
use supple_model::Instant;
use supple_spacetime::{
    Constraints, End, Ends, Energy, Given, HandleId, Kernel, MeanPath, ModalState, Order, Oscillator,
    Quantity, Reach, Row, Settings, SpacetimeError, Start,
};

fn open(start: Start, end: End) -> Ends {
    Ends::Open { start, end }
}

fn state(random: &mut Random, modes: usize) -> ModalState {
    ModalState { position: random.numbers(modes), velocity: random.numbers(modes) }
}

/// z̄ and its velocity of one mode.
fn at(mean: &MeanPath, time: impl Into<Instant>, k: usize) -> Vector2<f64> {
    let time = time.into();
    let mut out = vec![0.0; mean.kernel().modes()];
    let read = ORDERS.map(|order| {
        mean.at(time, order, &mut out);
        out[k]
    });
    Vector2::new(read[0], read[1])
}

/// The state after t seconds under a constant force, by a Runge–Kutta method with many steps.
fn integrated(mode: Oscillator, force: f64, start: Vector2<f64>, t: f64, steps: usize) -> Vector2<f64> {
    let slope =
        |s: Vector2<f64>| Vector2::new(s[1], force - 2.0 * mode.delta * s[1] - mode.eigenvalue * s[0]);
    let h = t / steps as f64;
    let mut s = start;
    for _ in 0..steps {
        let k1 = slope(s);
        let k2 = slope(s + k1 * (h / 2.0));
        let k3 = slope(s + k2 * (h / 2.0));
        let k4 = slope(s + k3 * h);
        s += (k1 + k2 * 2.0 + k3 * 2.0 + k4) * (h / 6.0);
    }
    s
}

#[test]
fn with_a_free_end_it_is_the_motion_from_the_start_under_the_load() {
    let dt = 1.0 / 24.0;
    // A soft mode, where (1 − Φ₀₀)/λ has lost half of its digits.
    let mut modes: Vec<Oscillator> = regimes().into_iter().filter(|mode| mode.eigenvalue <= 1e4).collect();
    modes.push(Oscillator { eigenvalue: 1e-9, delta: 1e-7 });
    let mut random = Random::new(3);
    let given = Given {
        start: Some(state(&mut random, modes.len())),
        end: None,
        load: Some(random.numbers(modes.len()).iter().map(|x| 10.0 * x).collect()),
    };
    let mean = MeanPath::new(Arc::new(kernel(&modes, Settings::new(40, dt))), &given).unwrap();
    let (start, load) = (given.start.unwrap(), given.load.unwrap());
    for (k, mode) in modes.iter().enumerate() {
        let begin = Vector2::new(start.position[k], start.velocity[k]);
        assert_eq!(at(&mean, 0, k), begin);
        for t in [0.3, 1.0, 7.0, 12.7, 38.99] {
            let exact = integrated(*mode, load[k], begin, t * dt, 60_000);
            let found = at(&mean, t, k);
            let (near, fast) = (1e-10 * (1.0 + exact[0].abs()), 1e-10 * (100.0 + exact[1].abs()));
            assert!(
                (found[0] - exact[0]).abs() < near && (found[1] - exact[1]).abs() < fast,
                "{mode:?} at {t}: {found} {exact}"
            );
        }
    }
}

/// The state after t from rest under a unit force, by another way than the crate's: a series on a short step, doubled.
fn response(mode: Oscillator, t: f64) -> Vector2<f64> {
    let mut doublings = 0;
    let mut h = t;
    while h * (mode.eigenvalue.sqrt() + 2.0 * mode.delta) > 0.1 {
        h *= 0.5;
        doublings += 1;
    }
    let A = Matrix2::new(0.0, 1.0, -mode.eigenvalue, -2.0 * mode.delta);
    let mut term = Vector2::new(0.0, h);
    let mut c = term;
    for n in 2..20 {
        term = A * term * (h / f64::from(n));
        c += term;
    }
    for _ in 0..doublings {
        c += reference(mode, h).0 * c;
        h *= 2.0;
    }
    c
}

/// One mode's energy ½∫((z̈ + 2δż + λz − F)² + εz² + ηż²) on fine steps: its matrix and minus its slope at zero. The force is
/// exact from the difference of states through Q, the rest is by the trapezium rule.
fn dense(mode: Oscillator, load: f64, reach: Reach, steps: usize, h: f64) -> (DMatrix<f64>, DVector<f64>) {
    let (Phi, Q) = reference(mode, h);
    let (information, c) = (Q.try_inverse().unwrap(), response(mode, h) * load);
    let n = 2 * (steps + 1);
    let (mut H, mut g) = (DMatrix::zeros(n, n), DVector::zeros(n));
    for step in 0..steps {
        let mut D = DMatrix::zeros(2, 4);
        D.view_mut((0, 0), (2, 2)).copy_from(&(-Phi));
        D.view_mut((0, 2), (2, 2)).copy_from(&Matrix2::identity());
        let mut view = H.view_mut((2 * step, 2 * step), (4, 4));
        view += D.transpose() * information * &D;
        let mut view = g.rows_mut(2 * step, 4);
        view += D.transpose() * information * c;
    }
    for i in 0..=steps {
        let weight = if i == 0 || i == steps { h / 2.0 } else { h };
        H[(2 * i, 2 * i)] += weight * reach.position;
        H[(2 * i + 1, 2 * i + 1)] += weight * reach.velocity;
    }
    (H, g)
}

/// The least of it where some entries are given.
fn least((H, g): (DMatrix<f64>, DVector<f64>), fixed: &[(usize, f64)]) -> DVector<f64> {
    let n = H.nrows();
    let mut x = DVector::zeros(n);
    fixed.iter().for_each(|(index, value)| x[*index] = *value);
    let free: Vec<usize> = (0..n).filter(|index| fixed.iter().all(|(held, _)| held != index)).collect();
    let right = &g - &H * &x;
    let A = DMatrix::from_fn(free.len(), free.len(), |a, b| H[(free[a], free[b])]);
    let b = DVector::from_fn(free.len(), |a, _| right[free[a]]);
    let solved = A.lu().solve(&b).unwrap();
    free.iter().zip(solved.iter()).for_each(|(index, value)| x[*index] = *value);
    x
}

#[test]
fn between_given_ends_it_is_the_least_costly_motion_of_a_dense_problem() {
    let (frames, dt, steps) = (8, 0.1, 8);
    let modes: Vec<Oscillator> = regimes().into_iter().filter(|mode| mode.eigenvalue <= 1e4).collect();
    let mut random = Random::new(5);
    let given = Given {
        start: Some(state(&mut random, modes.len())),
        end: Some(state(&mut random, modes.len())),
        load: Some(random.numbers(modes.len())),
    };
    let settings = Settings { ends: open(Start::Rest, End::Rest), spread: 0.3, ..Settings::new(frames, dt) };
    let mean = MeanPath::new(Arc::new(kernel(&modes, settings)), &given).unwrap();
    let (start, end, load) = (given.start.unwrap(), given.end.unwrap(), given.load.unwrap());
    for (k, mode) in modes.iter().enumerate() {
        let count = (frames - 1) * steps;
        let problem = dense(*mode, load[k], Reach::default(), count, dt / steps as f64);
        let fixed = [
            (0, start.position[k]),
            (1, start.velocity[k]),
            (2 * count, end.position[k]),
            (2 * count + 1, end.velocity[k]),
        ];
        let exact = least(problem, &fixed);
        let size = [0, 1].map(|o| exact.iter().skip(o).step_by(2).fold(0.0, |m: f64, x| m.max(x.abs())));
        for step in 0..=count {
            let found = at(&mean, step as f64 / steps as f64, k);
            for o in 0..2 {
                let apart = (found[o] - exact[2 * step + o]).abs();
                assert!(apart < 1e-8 * size[o], "{mode:?} step {step}: {apart:e} of {:e}", size[o]);
            }
        }
    }
}

#[test]
fn with_costs_of_positions_it_is_the_least_of_the_whole_energy_whatever_the_ends() {
    let (frames, dt) = (6, 0.2);
    let reach = Reach { position: 30.0, velocity: 2.0 };
    let kinds = [(Start::Rest, End::Free), (Start::Rest, End::Rest), (Start::Free, End::Free)];
    for mode in [(4.0, 0.1), (0.0, 0.0), (0.0, 0.4), (9.0, 5.0)] {
        let mode = Oscillator { eigenvalue: mode.0, delta: mode.1 };
        for (start, end) in kinds {
            let settings = Settings { ends: open(start, end), reach, ..Settings::new(frames, dt) };
            let given = Given {
                start: (start == Start::Rest)
                    .then(|| ModalState { position: vec![0.3], velocity: vec![-0.8] }),
                end: (end == End::Rest).then(|| ModalState { position: vec![-0.2], velocity: vec![0.5] }),
                load: Some(vec![3.0]),
            };
            let mean = MeanPath::new(Arc::new(kernel(&[mode], settings)), &given).unwrap();
            let distance = |per: usize| {
                let count = (frames - 1) * per;
                let mut fixed = Vec::new();
                for (given, from) in [(&given.start, 0), (&given.end, 2 * count)] {
                    if let Some(given) = given {
                        fixed.extend([(from, given.position[0]), (from + 1, given.velocity[0])]);
                    }
                }
                let exact = least(dense(mode, 3.0, reach, count, dt / per as f64), &fixed);
                let apart = |step: usize| {
                    let found = at(&mean, step as f64 / per as f64, 0);
                    (found - Vector2::new(exact[2 * step], exact[2 * step + 1])).norm()
                };
                (0..=count).map(apart).fold(0.0, f64::max)
            };
            let (coarse, fine) = (distance(10), distance(40));
            // The trapezium rule is of second order; so is the distance, down to zero.
            assert!(
                fine < 1e-3 && (10.0..24.0).contains(&(coarse / fine)),
                "{mode:?} {start:?} {end:?}: {coarse:e} {fine:e}"
            );
        }
    }
}

#[test]
fn where_nothing_is_clamped_a_load_leads_to_its_balance() {
    let modes = [(4.0, 0.3), (0.0, 0.0), (900.0, 40.0)];
    let modes = modes.map(|(eigenvalue, delta)| Oscillator { eigenvalue, delta });
    let reach = Reach { position: 50.0, velocity: 1.0 };
    let given = Given { load: Some(vec![2.0, -1.0, 300.0]), ..Given::default() };
    let mean = |ends, frames| {
        let settings = Settings { ends, reach, ..Settings::new(frames, 0.1) };
        MeanPath::new(Arc::new(kernel(&modes, settings)), &given).unwrap()
    };
    // The least of ½(λz − F)² + ½εz².
    let balance = |k: usize| {
        given.load.as_ref().unwrap()[k] * modes[k].eigenvalue / (modes[k].eigenvalue.powi(2) + reach.position)
    };
    let looped = mean(Ends::Loop { period: 24 }, 25);
    for k in 0..3 {
        assert!((at(&looped, 11.3, k) - Vector2::new(balance(k), 0.0)).norm() < 1e-13);
    }
    // Arriving is beginning at rest long before, with the load all along.
    for end in [End::Free, End::Rest] {
        let (arriving, long) = (mean(open(Start::Arriving, end), 25), mean(open(Start::Rest, end), 425));
        for k in 0..3 {
            for t in [0.0, 3.7, 12.0, 23.5] {
                let apart = (at(&arriving, t, k) - at(&long, 400.0 + t, k)).norm();
                assert!(apart < 1e-9, "{end:?} {k} at {t}: {apart:e}");
            }
        }
        if end == End::Rest {
            assert_eq!(at(&arriving, 24, 1), Vector2::zeros());
        }
    }
}

#[test]
fn half_frames_of_rest_begin_later() {
    let modes = regimes();
    let given = Given { load: Some(vec![1.0; modes.len()]), ..Given::default() };
    let mean = |ends, window, frames, dt| {
        let settings = Settings { ends, window, ..Settings::new(frames, dt) };
        MeanPath::new(Arc::new(kernel(&modes, settings)), &given).unwrap()
    };
    let half = mean(open(Start::RestAtHalf, End::RestAtHalf), None, 9, 0.1);
    let fine = mean(open(Start::Rest, End::Rest), Some((1, 15)), 17, 0.05);
    for k in 0..modes.len() {
        for t in [0.2, 0.75, 3.0, 5.4, 7.3, 7.8] {
            let (found, expected) = (at(&half, t, k), at(&fine, 2.0 * t, k));
            assert!(
                (found - expected).norm() < 1e-10 * (1.0 + expected.norm()),
                "{k} {t} {found} {expected}"
            );
        }
    }
}

#[test]
fn long_clips_without_stiffness_keep_their_digits() {
    // Between two states that lie on one straight line a free mass goes along it.
    let (frames, dt) = (5000, 1.0 / 24.0);
    let settings = Settings { ends: open(Start::Rest, End::Rest), ..Settings::new(frames, dt) };
    let rigid = [Oscillator { eigenvalue: 0.0, delta: 0.0 }];
    let line = |t: f64| ModalState { position: vec![2.0 + 0.5 * t * dt], velocity: vec![0.5] };
    let given = Given { start: Some(line(0.0)), end: Some(line(4999.0)), load: None };
    let mean = MeanPath::new(Arc::new(kernel(&rigid, settings)), &given).unwrap();
    for t in [0.5, 1.0, 2500.25, 4000.0, 4990.5, 4998.9, 4999.0] {
        let (found, exact) = (at(&mean, t, 0), line(t));
        assert!((found[0] - exact.position[0]).abs() < 1e-9 * exact.position[0], "{t}: {found}");
        assert!((found[1] - 0.5).abs() < 1e-8, "{t}: {found}");
    }
}

#[test]
fn rows_beside_it_are_met_and_nothing_that_meets_them_costs_less() {
    let (frames, dt, per) = (6, 0.15, 16);
    let mode = Oscillator { eigenvalue: 6.0, delta: 0.3 };
    let kernel = Arc::new(kernel(&[mode], Settings::new(frames, dt)));
    let start = ModalState { position: vec![0.4], velocity: vec![-1.0] };
    let given = Given { start: Some(start), end: None, load: Some(vec![-5.0]) };
    let mean = MeanPath::new(kernel.clone(), &given).unwrap();
    let row = Row::position(2.25, vec![1.0], 0.7);
    let mut constraints = Constraints::new(kernel);
    constraints.add(HandleId(0), vec![row.beside(&mean)]).unwrap();
    let edit = constraints.solve();
    let count = (frames - 1) * per;
    let fixed = [(0, 0.4), (1, -1.0), (2 * 36, 0.7)];
    let exact = least(dense(mode, -5.0, Reach::default(), count, dt / per as f64), &fixed);
    let mut u = [0.0];
    for step in 0..=count {
        let time = Instant::new(step as f64 / per as f64);
        for (o, order) in ORDERS.into_iter().enumerate() {
            edit.path.at(time, order, &mut u);
            let found = at(&mean, time, 0)[o] + u[0];
            assert!((found - exact[2 * step + o]).abs() < 1e-8, "{time}: {found} {}", exact[2 * step + o]);
        }
    }
}

#[test]
fn smooth_ends_that_are_given_are_rows_there() {
    let variances = [1.0, 0.4];
    let (frames, dt) = (20, 0.1);
    let of = |ends| {
        let energy = Energy::Smooth { reach: 9.0 };
        Arc::new(Kernel::smooth(&variances, Settings { ends, energy, ..Settings::new(frames, dt) }).unwrap())
    };
    let mut random = Random::new(9);
    let given = Given { start: Some(state(&mut random, 2)), end: Some(state(&mut random, 2)), load: None };
    let mean = MeanPath::new(of(open(Start::Rest, End::Rest)), &given).unwrap();
    let mut constraints = Constraints::new(of(open(Start::Free, End::Free)));
    let mut rows = Vec::new();
    for (frame, state) in [(0, given.start.as_ref().unwrap()), (frames - 1, given.end.as_ref().unwrap())] {
        for k in 0..2 {
            let weights = (0..2).map(|j| f64::from(u8::from(j == k))).collect::<Vec<f64>>();
            rows.push(Row::position(frame, weights.clone(), state.position[k]));
            let velocity = Row::position(frame, weights, state.velocity[k]);
            rows.push(Row { order: Order::Velocity, ..velocity });
        }
    }
    constraints.add(HandleId(0), rows).unwrap();
    let path = constraints.solve().path;
    let mut z = [0.0; 2];
    for t in [0.0, 0.4, 7.0, 11.6, 19.0] {
        for (o, order) in ORDERS.into_iter().enumerate() {
            path.at(t, order, &mut z);
            for k in 0..2 {
                let found = at(&mean, t, k)[o];
                assert!((found - z[k]).abs() < 1e-8, "{t} {k} {order:?}: {found} {}", z[k]);
            }
        }
    }
}

#[test]
fn what_cannot_be_given_is_named() {
    let mode = Oscillator { eigenvalue: 4.0, delta: 0.1 };
    let plain = Settings::new(10, 0.1);
    let error = |settings: Settings, given: &Given| {
        MeanPath::new(Arc::new(kernel(&[mode], settings)), given).unwrap_err()
    };
    let one = |x: f64| ModalState { position: vec![x], velocity: vec![0.0] };
    let begun = Given { start: Some(one(1.0)), ..Given::default() };
    let ended = Given { end: Some(one(1.0)), ..Given::default() };
    let loaded = |load: Vec<f64>| Given { load: Some(load), ..Given::default() };
    let start = SpacetimeError::NotClamped { quantity: Quantity::StartPosition };
    let end = SpacetimeError::NotClamped { quantity: Quantity::EndPosition };
    assert_eq!(error(plain, &ended), end);
    assert_eq!(end.to_string(), "the end position can be given only where the edit is clamped to a frame");
    let looped = Settings { ends: Ends::Loop { period: 10 }, ..plain };
    let half = Settings { ends: open(Start::RestAtHalf, End::RestAtHalf), ..plain };
    let arriving = Settings { ends: open(Start::Arriving, End::Rest), ..plain };
    for settings in [looped, half, arriving] {
        assert_eq!(error(settings, &begun), start);
    }
    assert_eq!(error(half, &ended), end);
    let count = SpacetimeError::GivenCount { quantity: Quantity::Load, found: 2, modes: 1 };
    assert_eq!(error(plain, &loaded(vec![1.0, 2.0])), count);
    let bad = Given { start: Some(one(f64::INFINITY)), ..Given::default() };
    let found = error(plain, &bad);
    assert_eq!(
        found,
        SpacetimeError::NotFinite { mode: 0, quantity: Quantity::StartPosition, value: f64::INFINITY }
    );
    let energy = Energy::WiggleFree { smoothness: 1.0 };
    assert_eq!(error(Settings { energy, ..plain }, &loaded(vec![1.0])), SpacetimeError::LoadWithoutForces);
    // A start can be given to an energy without forces.
    let wiggle_free = Arc::new(kernel(&[mode], Settings { energy, ..plain }));
    assert_eq!(at(&MeanPath::new(wiggle_free, &begun).unwrap(), 0, 0), Vector2::new(1.0, 0.0));
}
