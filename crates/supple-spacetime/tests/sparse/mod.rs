//! Motions from keys, against the splines they are made of.
//!
//! Between keys the least costly motion of a mode solves (d²−2δd+λ)(d²+2δd+λ) z = λF, so it is a sum of four known
//! functions (Schulz et al. 2014, Eq. 5 and 6) and F/λ. The oracle minimises over their coefficients: the energy by
//! quadrature, continuity and ends as constraints whose null space is taken by SVD.

#![expect(clippy::unwrap_used, reason = "a step that fails is a test that fails")]
#![expect(non_snake_case, reason = "matrices keep their capital letters")]

mod oracle;

use faer::Mat;
use std::sync::Arc;
use supple_model::{Instant, Progress, Status};
use supple_spacetime::{
    Cost, End, Ends, Given, Goal, Kernel, KeyState, MeanPath, ModalState, Order, Oscillator, Pin, Settings,
    Solver, SparseKey, SparseProblem, SparseSettings, Start,
};

/// ½ w (c·z − a)² and ½ w (d·ż − b)².
#[derive(Clone)]
struct Rows {
    place: Vec<(Vec<f64>, f64, f64)>,
    speed: Vec<(Vec<f64>, f64, f64)>,
}

impl Goal for Rows {
    fn reads_velocity(&self) -> bool {
        !self.speed.is_empty()
    }

    fn penalties(&self) -> Vec<f64> {
        Vec::new()
    }

    fn read(&self, state: KeyState<'_>) -> Vec<f64> {
        let dot = |row: &[f64], x: &[f64]| row.iter().zip(x).map(|(c, x)| c * x).sum();
        let places = self.place.iter().map(|(row, ..)| dot(row, state.position));
        places.chain(self.speed.iter().map(|(row, ..)| dot(row, state.velocity))).collect()
    }

    fn cost(&self, read: &[f64], part: f64, _: &[f64]) -> Cost {
        let mut cost = Cost::default();
        for ((_, target, weight), w) in self.place.iter().chain(&self.speed).zip(read) {
            let off = w - part * target;
            cost.cost += 0.5 * weight * off * off;
            cost.forces.push(weight * off);
        }
        cost
    }

    fn rows(&self, state: KeyState<'_>) -> Vec<f64> {
        let none = vec![0.0; state.position.len()];
        if self.speed.is_empty() {
            return self.place.iter().flat_map(|(row, ..)| row.clone()).collect();
        }
        let places = self.place.iter().flat_map(|(row, ..)| [row.clone(), none.clone()].concat());
        let speeds = self.speed.iter().flat_map(|(row, ..)| [none.clone(), row.clone()].concat());
        places.chain(speeds).collect()
    }

    fn squares(&self, rows: &[f64]) -> Mat<f64> {
        let weights: Vec<f64> = self.place.iter().chain(&self.speed).map(|(.., weight)| *weight).collect();
        let n = rows.len() / weights.len();
        let entry = |k: usize, l: usize| {
            rows.chunks_exact(n).zip(&weights).map(|(row, weight)| weight * row[k] * row[l]).sum()
        };
        Mat::from_fn(n, n, entry)
    }

    fn curvature(&self, _: KeyState<'_>, _: &[f64]) -> Option<Mat<f64>> {
        None
    }
}

/// A problem in seconds: the oracle's and ours.
struct Case {
    modes: Vec<Oscillator>,
    load: Vec<f64>,
    /// Frames of 1/24 s.
    frames: usize,
    keys: Vec<(f64, Rows)>,
    start: Option<ModalState>,
    /// At rest, free, or a loop.
    end: Finish,
}

#[derive(Clone, Copy, PartialEq)]
enum Finish {
    Rest,
    Free,
    Loop,
}

const DT: f64 = 1.0 / 24.0;

impl Case {
    fn ours(&self, solver: Solver) -> (impl Fn(f64, Order) -> Vec<f64> + use<>, SparseProblem) {
        let ends = match self.end {
            Finish::Loop => Ends::Loop { period: self.frames },
            end => Ends::Open {
                start: Start::Rest,
                end: if end == Finish::Free { End::Free } else { End::Rest },
            },
        };
        let settings = Settings { ends, ..Settings::new(self.frames + 1, DT) };
        let kernel = Arc::new(Kernel::new(&self.modes, settings).unwrap());
        let given = Given { start: self.start.clone(), end: None, load: Some(self.load.clone()) };
        let mean = MeanPath::new(kernel, &given).unwrap();
        let key =
            |(at, rows): &(f64, Rows)| SparseKey { at: Instant::new(*at), goal: Arc::new(rows.clone()) };
        let problem = SparseProblem::new(mean, &[], self.keys.iter().map(key).collect()).unwrap();
        let settings = SparseSettings { solver, stationarity: 1e-12, ..SparseSettings::default() };
        let solution = problem.solve(&settings, None, &Progress::silent()).unwrap();
        assert_eq!(solution.report.status, Status::Settled, "{:?}", solution.report);
        let (path, modes) = (problem.path(&solution), self.modes.len());
        let at = move |time: f64, order: Order| {
            let mut z = vec![0.0; modes];
            path.at(time, order, &mut z);
            z
        };
        (at, problem)
    }
}

fn modes() -> Vec<Oscillator> {
    vec![
        Oscillator { eigenvalue: 9.0, delta: 0.2 },
        Oscillator { eigenvalue: 40.0, delta: 1.0 },
        // Overdamped.
        Oscillator { eigenvalue: 25.0, delta: 7.0 },
        Oscillator { eigenvalue: 300.0, delta: 0.4 },
    ]
}

fn cases() -> Vec<(&'static str, Case)> {
    let place = |c: [f64; 4], a: f64, w: f64| (c.to_vec(), a, w);
    let keys = vec![
        (7.5, Rows { place: vec![place([1.0, -0.5, 0.3, 0.2], 1.0, 50.0)], speed: vec![] }),
        (
            13.0,
            Rows {
                place: vec![place([0.2, 1.0, 0.0, -0.3], -0.7, 2e3), place([0.5, 0.0, 1.0, 0.0], 0.2, 10.0)],
                speed: vec![place([1.0, 0.2, -0.4, 0.1], 3.0, 5.0)],
            },
        ),
        (18.25, Rows { place: vec![place([0.0, 0.3, -1.0, 1.0], 0.4, 400.0)], speed: vec![] }),
    ];
    let load = vec![3.0, -20.0, 0.0, 50.0];
    let start = ModalState { position: vec![0.1, -0.2, 0.05, 0.01], velocity: vec![1.0, 0.0, -0.5, 0.3] };
    let case = |load: &[f64], start: Option<ModalState>, end| Case {
        modes: modes(),
        load: load.to_vec(),
        frames: 24,
        keys: keys.clone(),
        start,
        end,
    };
    vec![
        ("from rest to rest", case(&[0.0; 4], None, Finish::Rest)),
        ("under a load", case(&load, None, Finish::Rest)),
        ("from a state, free at the end", case(&load, Some(start), Finish::Free)),
        ("a loop", case(&[0.0; 4], None, Finish::Loop)),
        ("a loop under a load", case(&load, None, Finish::Loop)),
    ]
}

#[test]
fn linear_keys_give_the_wiggly_spline_of_the_explicit_basis() {
    for (name, case) in cases() {
        let (ours, problem) = case.ours(Solver::Newton);
        // Of each mode: positions at three times, a velocity at one of them.
        assert_eq!(problem.dimension(), 4 * 4, "{name}");
        let oracle = case.oracle();
        let mut size = 0.0_f64;
        let mut off = 0.0_f64;
        for step in 0..=97 {
            let time = 24.0 * f64::from(step) / 97.0;
            for (order, index) in [(Order::Position, 0), (Order::Velocity, 1)] {
                let (a, b) = (ours(time, order), oracle(time, index));
                size = a.iter().fold(size, |size, a| size.max(a.abs()));
                off = a.iter().zip(&b).fold(off, |off, (a, b)| off.max((a - b).abs()));
            }
        }
        assert!(off <= 1e-8 * size, "{name}: {off:e} of {size}");
    }
}

/// Their Theorem 2: where only positions are read, accelerations are continuous.
#[test]
fn accelerations_do_not_jump_at_keys_on_positions() {
    for (name, case) in cases() {
        let (ours, _) = case.ours(Solver::Newton);
        let h = 1e-4;
        for (at, rows) in &case.keys {
            let slope = |from: f64, to: f64| {
                let (a, b) = (ours(from, Order::Velocity), ours(to, Order::Velocity));
                a.iter().zip(&b).map(|(a, b)| (b - a) / (h * DT)).collect::<Vec<f64>>()
            };
            let (before, after) = (slope(at - h, *at), slope(*at, at + h));
            let jump = before.iter().zip(&after).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            let size = before.iter().fold(1.0_f64, |size, a| size.max(a.abs()));
            assert_eq!(jump <= 1e-2 * size, rows.speed.is_empty(), "{name} at {at}: {jump:e} of {size}");
        }
    }
}

#[test]
fn solvers_agree_on_the_least_cost() {
    for (name, case) in cases() {
        let (newton, _) = case.ours(Solver::Newton);
        for solver in [Solver::GaussNewton, Solver::Bfgs] {
            let (other, _) = case.ours(solver);
            for time in [3.3, 7.5, 13.0, 20.0] {
                let (a, b) = (newton(time, Order::Position), other(time, Order::Position));
                assert!(
                    a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-8),
                    "{name}, {solver:?}: {a:?} {b:?}"
                );
            }
        }
    }
}

/// What was found at all keys, given as whole poses with their velocities, is the same motion.
#[test]
fn found_keys_as_pins_give_the_motion_back() {
    for (name, case) in cases().into_iter().filter(|(_, case)| case.end != Finish::Loop) {
        let (ours, _) = case.ours(Solver::Newton);
        let kernel = {
            let end = if case.end == Finish::Free { End::Free } else { End::Rest };
            let settings = Settings {
                ends: Ends::Open { start: Start::Rest, end },
                ..Settings::new(case.frames + 1, DT)
            };
            Arc::new(Kernel::new(&case.modes, settings).unwrap())
        };
        let given = Given { start: case.start.clone(), end: None, load: Some(case.load.clone()) };
        let mean = MeanPath::new(kernel, &given).unwrap();
        let pins: Vec<Pin> = (case.keys.iter())
            .flat_map(|(at, _)| [Order::Position, Order::Velocity].map(|order| (*at, order)))
            .map(|(at, order)| Pin { at: Instant::new(at), order, values: ours(at, order) })
            .collect();
        let problem = SparseProblem::new(mean, &pins, Vec::new()).unwrap();
        let solution = problem.solve(&SparseSettings::default(), None, &Progress::silent()).unwrap();
        let path = problem.path(&solution);
        let mut z = [0.0; 4];
        for time in [2.0, 7.5, 9.9, 13.0, 15.5, 18.25, 23.0] {
            path.at(time, Order::Position, &mut z);
            let expected = ours(time, Order::Position);
            assert!(
                z.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-8),
                "{name} at {time}: {z:?} {expected:?}"
            );
        }
    }
}
