#![expect(clippy::single_range_in_vec_init, reason = "a motion may be one stretch of frames")]

use super::data::{Data, GivenMotion};
use super::smoother::Smoother;
use super::*;
use crate::kernel::Oscillator;
use faer::Mat;
use faer::linalg::solvers::Solve;
use nalgebra::Vector2;
use supple_model::Status;

fn random(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 * f64::powi(2.0, -52) - 1.0
    }
}

/// Three damped swings of orthonormal shapes among twelve coordinates, off rest.
struct Truth {
    eigenvalues: [f64; 3],
    damping: [f64; 3],
    shapes: Mat<f64>,
    x: Mat<f64>,
    uniform: Vec<f64>,
}

fn truth(frames: usize) -> Truth {
    let (eigenvalues, damping) = ([0.04, 0.11, 0.3], [0.006, 0.01, 0.015]);
    let mut next = random(5);
    let shapes = shapes::polar(Mat::from_fn(12, 3, |_, _| next()).as_ref()).unwrap();
    let rest: Vec<f64> = (0..12).map(|_| 0.5 * next()).collect();
    let mut x = Mat::from_fn(12, frames, |i, _| rest[i]);
    for k in 0..3 {
        let step = Oscillator { eigenvalue: eigenvalues[k], delta: 0.5 * damping[k] }.transition(1.0);
        let mut state = Vector2::new(next(), 0.3 * next()) * [3.0, 1.0, 0.3][k];
        for i in 0..frames {
            (0..12).for_each(|row| x[(row, i)] += shapes[(row, k)] * state[0]);
            state = step * state;
        }
    }
    let uniform = (0..12).map(|k| 0.9 * 1.7_f64.powi(k)).collect();
    Truth { eigenvalues, damping, shapes, x, uniform }
}

impl Truth {
    fn given(&self, runs: &[std::ops::Range<usize>]) -> GivenMotion<'_> {
        GivenMotion { coordinates: self.x.as_ref(), runs: runs.to_vec(), eigenvalues: &self.uniform }
    }

    fn noisy(mut self, part: f64) -> Self {
        let mut next = random(11);
        let size = self.x.norm_l2() / (self.x.ncols() as f64).sqrt();
        let noise = part * size * (3.0 / 12.0_f64).sqrt();
        self.x = Mat::from_fn(12, self.x.ncols(), |i, j| self.x[(i, j)] + noise * next());
        self
    }
}

/// |a − b| / |b|.
fn off(a: f64, b: f64) -> f64 {
    ((a - b) / b).abs()
}

fn error(found: &Recovered, x: &Mat<f64>, last: usize) -> f64 {
    let ahead = found.extrapolated(x.ncols() - last - 1);
    let apart = Mat::from_fn(x.nrows(), ahead.ncols(), |i, j| ahead[(i, j)] - x[(i, last + 1 + j)]);
    let size = Mat::from_fn(x.nrows(), ahead.ncols(), |i, j| x[(i, last + 1 + j)] - found.rest[i]);
    apart.norm_l2() / size.norm_l2()
}

#[test]
fn frequencies_damping_and_shapes_come_back() {
    let truth = truth(240);
    let settings = RecoverySettings { shapes: 3, ..RecoverySettings::default() };
    let found = recover(&truth.given(&[0..120]), &settings, &Progress::silent()).unwrap();
    assert_eq!((found.eigenvalues.len(), found.status), (3, Status::Settled));
    for k in 0..3 {
        assert!(off(found.eigenvalues[k], truth.eigenvalues[k]) < 1e-6, "{:?}", found.eigenvalues);
        assert!(off(found.damping[k], truth.damping[k]) < 1e-4, "{:?}", found.damping);
        let along: f64 = (0..12).map(|i| found.shapes[(i, k)] * truth.shapes[(i, k)]).sum();
        assert!(along.abs() > 1.0 - 1e-8, "{along}");
    }
    assert!((found.shares.iter().sum::<f64>() - 1.0).abs() < 1e-6);
    let uniform = unoptimised(&truth.given(&[0..120]), &settings, &Progress::silent()).unwrap();
    let (with, without) = (error(&found, &truth.x, 119), error(&uniform, &truth.x, 119));
    assert!(with < 1e-4 && without > 0.3, "{with} {without}");
}

/// With every frame off by 5 %, differences of frames lose damping altogether.
#[test]
fn noise_costs_few_digits() {
    let truth = truth(240).noisy(0.05);
    let settings = RecoverySettings { shapes: 3, ..RecoverySettings::default() };
    let found = recover(&truth.given(&[0..200]), &settings, &Progress::silent()).unwrap();
    for k in 0..2 {
        assert!(off(found.eigenvalues[k], truth.eigenvalues[k]) < 0.01, "{:?}", found.eigenvalues);
        assert!(off(found.damping[k], truth.damping[k]) < 0.2, "{:?}", found.damping);
    }
}

#[test]
fn stretches_between_pushes_count_and_pushes_do_not() {
    let mut truth = truth(240);
    // What is pushed goes anywhere.
    (0..12).for_each(|i| (60..70).for_each(|j| truth.x[(i, j)] = 1e3));
    let settings = RecoverySettings { shapes: 3, ..RecoverySettings::default() };
    let found = recover(&truth.given(&[0..60, 70..150]), &settings, &Progress::silent()).unwrap();
    for k in 0..3 {
        assert!(off(found.eigenvalues[k], truth.eigenvalues[k]) < 1e-5, "{:?}", found.eigenvalues);
    }
    assert!(error(&found, &truth.x, 149) < 1e-3);
}

/// The published start is farther away; on the way no round raises the sum.
#[test]
fn no_round_raises_the_sum() {
    let truth = truth(240).noisy(0.02);
    for steps in [Optimise::Stiffness, Optimise::All] {
        let settings = RecoverySettings {
            shapes: 3,
            start: RecoveryStart::Spectrum,
            optimise: steps,
            rounds: 40,
            tolerance: 0.0,
            weight: 1.0,
            ..RecoverySettings::default()
        };
        let found = recover(&truth.given(&[0..150]), &settings, &Progress::silent()).unwrap();
        assert!(found.costs.len() > 3);
        for pair in found.costs.windows(2) {
            assert!(pair[1] <= pair[0] * (1.0 + 1e-9), "{steps:?} {pair:?}");
        }
        let S = &found.shapes;
        let identity = S.transpose() * S;
        assert!(
            (0..9).all(|k| (identity[(k / 3, k % 3)] - f64::from(u8::from(k / 3 == k % 3))).abs() < 1e-12)
        );
    }
}

/// The recursion against the normal equations of the sum it minimises.
#[test]
fn paths_are_the_least_costly_ones() {
    let mut next = random(3);
    for (eigenvalue, delta, weight) in
        [(0.05, 0.01, 0.01), (1.3, 0.2, 1.0), (0.001, 0.0, 1e-3), (2.0, 1.6, 0.1), (9.0, 0.0, 10.0)]
    {
        let oscillator = Oscillator { eigenvalue, delta };
        let seen: Vec<f64> = (0..15).map(|_| next()).collect();
        let (Phi, Q) = (oscillator.transition(1.0), oscillator.noise(1.0));
        let W = Q.try_inverse().unwrap();
        let mut A = Mat::<f64>::zeros(30, 30);
        let mut b = Mat::<f64>::zeros(30, 1);
        let blocks = [[Phi.transpose() * W * Phi, -(Phi.transpose() * W)], [-(W * Phi), W]];
        for (i, y) in seen.iter().enumerate() {
            A[(2 * i, 2 * i)] += weight;
            b[(2 * i, 0)] += weight * y;
            if i + 1 < seen.len() {
                for (row, column) in (0..4).flat_map(|r| (0..4).map(move |c| (r, c))) {
                    let entry = blocks[row / 2][column / 2][(row % 2, column % 2)];
                    A[(2 * i + row, 2 * i + column)] += entry;
                }
            }
        }
        let x = A.partial_piv_lu().solve(&b);
        let smoother = Smoother::new(oscillator, weight);
        let states = smoother.states(&seen, &[0..15]);
        let far = (0..30).map(|i| (x[(i, 0)] - states[i / 2][i % 2]).abs()).fold(0.0, f64::max);
        assert!(far < 1e-8, "{oscillator:?} {far}");
        let b = b.col(0);
        let gain: f64 = (0..30).map(|i| 0.5 * b[i] * x[(i, 0)]).sum();
        let held: f64 = seen.iter().map(|y| 0.5 * weight * y * y).sum();
        let apart: f64 = states.iter().zip(&seen).map(|(s, y)| 0.5 * weight * (s[0] - y).powi(2)).sum();
        let energy = smoother.sums(&states, &[0..15]).energy;
        assert!(off(energy + apart, held - gain) < 1e-8, "{oscillator:?}");
    }
}

/// What a path costs under other numbers, added up piece by piece, is the quadratic of its sums; its minimum is one.
#[test]
fn the_cost_of_a_path_is_quadratic_in_its_material() {
    let mut next = random(8);
    let oscillator = Oscillator { eigenvalue: 0.2, delta: 0.03 };
    let smoother = Smoother::new(oscillator, 1.0);
    let seen: Vec<f64> = (0..30).map(|i| (0.5 * i as f64).sin() + 0.3 * next() + 0.4).collect();
    let states = smoother.states(&seen, &[0..30]);
    let sums = smoother.sums(&states, &[0..30]);
    // ½∫(f + (d − d₀)ż + (λ − λ₀)z − c)² by fine steps.
    let cost = |lambda: f64, d: f64, c: f64| {
        let (mut total, pieces) = (0.0, 400);
        let W = oscillator.noise(1.0).try_inverse().unwrap();
        for pair in states.windows(2) {
            let y = W * (pair[1] - oscillator.transition(1.0) * pair[0]);
            for piece in 0..pieces {
                let tau = (piece as f64 + 0.5) / f64::from(pieces);
                let left = oscillator.transition(1.0 - tau).transpose();
                let s = oscillator.transition(tau) * pair[0] + oscillator.noise(tau) * left * y;
                let force = left[(1, 0)] * y[0] + left[(1, 1)] * y[1];
                let f = force + (d - 0.06) * s[1] + (lambda - 0.2) * s[0] - c;
                total += 0.5 * f * f / f64::from(pieces);
            }
        }
        total
    };
    assert!(off(cost(0.2, 0.06, 0.0), sums.energy) < 1e-4);
    let best = step::best(&sums, 1e-3).unwrap();
    let (l, d, c) = (best.eigenvalue, best.damping, best.offset * best.eigenvalue);
    let least = cost(l, d, c);
    for (dl, dd, dc) in [(1e-3, 0.0, 0.0), (0.0, 1e-3, 0.0), (0.0, 0.0, 1e-3)] {
        let [more, less] = [1.0, -1.0].map(|s| cost(l + s * dl, (d + s * dd).max(0.0), c + s * dc));
        let bound = d == 0.0 && dd > 0.0;
        assert!(more >= least - 1e-9 && (bound || less >= least - 1e-9), "{more} {least} {less}");
        let slope = (more - less) / 2e-3;
        assert!(bound || slope.abs() < 1e-3 * least, "{slope} {least}");
    }
}

#[test]
fn motions_that_tell_nothing_are_named() {
    let settings = RecoverySettings::default();
    let failed = |truth: &Truth, runs: &[std::ops::Range<usize>]| {
        recover(&truth.given(runs), &settings, &Progress::silent()).unwrap_err()
    };
    let mut still = truth(60);
    (0..12).for_each(|i| (0..60).for_each(|j| still.x[(i, j)] = i as f64));
    assert_eq!(failed(&still, &[0..60]), RecoveryError::AtRest);
    let mut broken = truth(120);
    broken.x[(3, 101)] = f64::NAN;
    assert_eq!(failed(&broken, &[0..120]), RecoveryError::NotFinite { frame: 101 });
    assert!(recover(&broken.given(&[0..80]), &settings, &Progress::silent()).is_ok());
    let whole = truth(60);
    let loaded = RecoveryError::Loaded { longest: 5, least: 12 };
    assert_eq!(failed(&whole, &[0..4, 10..15]), loaded);
    assert_eq!(failed(&whole, &[]), RecoveryError::Loaded { longest: 0, least: 12 });
    // Its first swing takes 31 frames.
    let short = failed(&whole, &[0..45]);
    assert!(
        matches!(short, RecoveryError::Short { period, frames: 45 } if (period - 31.4).abs() < 2.0),
        "{short}"
    );
    let mut fast = truth(60);
    (0..12).for_each(|i| (0..60).for_each(|j| fast.x[(i, j)] = (3.0 * j as f64).cos() * (i as f64 - 3.0)));
    assert!(matches!(failed(&fast, &[0..60]), RecoveryError::Fast { .. }));
    let mut sliding = truth(60);
    (0..12)
        .for_each(|i| (0..60).for_each(|j| sliding.x[(i, j)] = (-0.1 * j as f64).exp() * (i as f64 - 3.0)));
    assert_eq!(failed(&sliding, &[0..60]), RecoveryError::NoSwing);
}

#[test]
fn cancelling_and_stopping_are_heard() {
    let truth = truth(120);
    let settings = RecoverySettings { start: RecoveryStart::Spectrum, shapes: 3, ..Default::default() };
    let progress = Progress::silent();
    progress.stop();
    let found = recover(&truth.given(&[0..120]), &settings, &progress).unwrap();
    assert_eq!((found.status, found.costs.len()), (Status::Stopped, 1));
    progress.cancel();
    assert!(matches!(
        recover(&truth.given(&[0..120]), &settings, &progress),
        Err(RecoveryError::Cancelled(_))
    ));
}

#[test]
fn the_bits_do_not_depend_on_threads() {
    let truth = truth(150).noisy(0.03);
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let settings = RecoverySettings { rounds: 5, ..RecoverySettings::default() };
            let found = recover(&truth.given(&[0..150]), &settings, &Progress::silent()).unwrap();
            let numbers = found.eigenvalues.iter().chain(&found.damping).chain(&found.costs);
            numbers.map(|x| x.to_bits()).collect::<Vec<u64>>()
        })
    };
    assert_eq!(run(1), run(2));
}

#[test]
fn frames_that_do_not_count_are_left_out() {
    let truth = truth(60);
    let data = Data::new(&truth.given(&[3..18, 20..25, 30..50])).unwrap();
    assert_eq!(data.runs, [0..15, 15..35]);
    assert!((data.x[(2, 15)] * data.scale - truth.x[(2, 30)]).abs() < 1e-12);
}

/// How far frames are missed with few shapes, beside what no subspace of as many directions can do better (Eckart and Young).
#[test]
fn no_two_shapes_would_miss_less() {
    let truth = truth(120);
    let motion = truth.given(&[0..120]);
    let settings =
        RecoverySettings { shapes: 2, weight: settings::PUBLISHED_WEIGHT, ..RecoverySettings::default() };
    let found = recover(&motion, &settings, &Progress::silent()).unwrap();
    let missed = (found.costs.last().unwrap() - found.force) / settings.weight;
    let data = Data::new(&motion).unwrap();
    let sizes = dense::svd(data.less(&data.mean).as_ref()).unwrap().sizes;
    let least = 0.5 * sizes[2..].iter().map(|size| size * size).sum::<f64>();
    assert!(missed >= 0.999 * least && missed <= 1.02 * least, "{missed} of {least}");
}
