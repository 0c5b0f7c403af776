//! Motions from keys, against the splines they are made of.
//!
//! Between keys the least costly motion of a mode solves (d²−2δd+λ)(d²+2δd+λ) z = λF, so it is a sum of four known
//! functions (Schulz et al. 2014, Eq. 5 and 6) and F/λ. The oracle minimises over their coefficients: the energy by
//! quadrature, continuity and ends as constraints whose null space is taken by SVD.

#![expect(clippy::unwrap_used, reason = "a step that fails is a test that fails")]
#![expect(non_snake_case, reason = "matrices keep their capital letters")]

use faer::Mat;
use nalgebra::{Complex, DMatrix, DVector};
use std::sync::Arc;
use supple_model::{Instant, Progress, Status};
use supple_spacetime::{
    End, Ends, Expansion, Given, Goal, Kernel, KeyState, MeanPath, ModalState, Order, Oscillator, Pin,
    Settings, Solver, SparseKey, SparseProblem, SparseSettings, Start, Wanted,
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

    fn expand(&self, state: KeyState<'_>, part: f64, _: &[f64], wanted: Wanted) -> Expansion {
        let r = state.position.len();
        let n = if self.reads_velocity() { 2 * r } else { r };
        let mut e = Expansion { gradient: vec![0.0; n], ..Expansion::default() };
        let mut H = Mat::zeros(n, n);
        for (rows, x, at) in [(&self.place, state.position, 0), (&self.speed, state.velocity, r)] {
            for (row, target, weight) in rows {
                let off = row.iter().zip(x).map(|(c, x)| c * x).sum::<f64>() - part * target;
                e.cost += 0.5 * weight * off * off;
                for (k, c) in row.iter().enumerate() {
                    e.gradient[at + k] += weight * off * c;
                    for (l, d) in row.iter().enumerate() {
                        H[(at + k, at + l)] += weight * c * d;
                    }
                }
            }
        }
        e.hessian = (wanted >= Wanted::GaussNewton).then_some(H);
        e
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
            |(at, rows): &(f64, Rows)| SparseKey { at: Instant::new(*at), goal: Box::new(rows.clone()) };
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

    /// Times of the knots in frames.
    fn knots(&self) -> Vec<f64> {
        let mut knots: Vec<f64> =
            self.keys.iter().map(|key| key.0).chain([0.0, self.frames as f64]).collect();
        knots.sort_by(f64::total_cmp);
        knots.dedup();
        knots
    }

    /// The motion by the coefficients of the spline basis: interval by interval, mode by mode, four each.
    fn oracle(&self) -> impl Fn(f64, usize) -> Vec<f64> + use<> {
        let (knots, r) = (self.knots(), self.modes.len());
        let intervals = knots.len() - 1;
        let on = |i: usize| self.modes.iter().map(move |mode| (*mode, i));
        let basis = |(mode, i): (Oscillator, usize)| Basis::new(mode, knots[i] * DT, knots[i + 1] * DT);
        let bases: Vec<Vec<Basis>> = (0..intervals).map(|i| on(i).map(basis).collect()).collect();
        let steady: Vec<f64> = self.modes.iter().zip(&self.load).map(|(m, f)| f / m.eigenvalue).collect();
        let spline = Spline { knots, bases, steady };
        let (H, g) = self.costs(&spline);
        let (C, b) = self.joints(&spline);
        let x = constrained(&H, &g, &C, &b);
        move |time: f64, order: usize| {
            let i = spline.knots.windows(2).position(|pair| time <= pair[1]).unwrap();
            let z = |k: usize| {
                let value = spline.bases[i][k].value(time * DT, order);
                let own: f64 = (0..4).map(|a| x[spline.place(i, k) + a] * value[a]).sum();
                own + if order == 0 { spline.steady[k] } else { 0.0 }
            };
            (0..r).map(z).collect()
        }
    }

    /// The force's cost and that of the keys: ½xᵀHx − gᵀx.
    fn costs(&self, spline: &Spline) -> (DMatrix<f64>, DVector<f64>) {
        let (n, r, intervals) = (spline.count(), self.modes.len(), spline.bases.len());
        let (mut H, mut g) = (DMatrix::zeros(n, n), DVector::zeros(n));
        for (i, k) in (0..intervals).flat_map(|i| (0..r).map(move |k| (i, k))) {
            for (x, weight) in gauss(spline.knots[i] * DT, spline.knots[i + 1] * DT) {
                // z̈ + 2δż + λz − F, of which F/λ is none.
                let f = spline.bases[i][k].forced(x);
                for (a, b) in (0..16).map(|ab| (ab / 4, ab % 4)) {
                    H[(spline.place(i, k) + a, spline.place(i, k) + b)] += weight * f[a] * f[b];
                }
            }
        }
        for (at, rows) in &self.keys {
            let i = spline.knots.iter().position(|knot| knot == at).unwrap().min(intervals - 1);
            for (list, order) in [(&rows.place, 0), (&rows.speed, 1)] {
                for (row, target, weight) in list {
                    let mut full = DVector::zeros(n);
                    let mut target = *target;
                    for k in 0..r {
                        full += spline.row(i, k, *at, order) * row[k];
                        target -= if order == 0 { row[k] * spline.steady[k] } else { 0.0 };
                    }
                    H += *weight * &full * full.transpose();
                    g += &full * (*weight * target);
                }
            }
        }
        (H, g)
    }

    /// Intervals meet in place and velocity, and the ends are as they are asked to be: Cx = b.
    fn joints(&self, spline: &Spline) -> (DMatrix<f64>, DVector<f64>) {
        let (knots, intervals) = (&spline.knots, spline.bases.len());
        let mut rows: Vec<(DVector<f64>, f64)> = Vec::new();
        for (k, order) in (0..self.modes.len()).flat_map(|k| [(k, 0), (k, 1)]) {
            let value = |i: usize, t: f64| spline.row(i, k, t, order);
            rows.extend((1..intervals).map(|i| (value(i, knots[i]) - value(i - 1, knots[i]), 0.0)));
            let (from, to) = (value(0, 0.0), value(intervals - 1, self.frames as f64));
            if self.end == Finish::Loop {
                rows.push((from - to, 0.0));
                continue;
            }
            let rest = if order == 0 { -spline.steady[k] } else { 0.0 };
            let given = |s: &ModalState| if order == 0 { s.position[k] } else { s.velocity[k] };
            rows.push((from, self.start.as_ref().map_or(0.0, given) + rest));
            if self.end == Finish::Rest {
                rows.push((to, rest));
            }
        }
        let C = DMatrix::from_fn(rows.len(), spline.count(), |i, j| rows[i].0[j]);
        (C, DVector::from_fn(rows.len(), |i, _| rows[i].1))
    }
}

/// The basis of all intervals and modes, about F/λ.
struct Spline {
    /// Frames.
    knots: Vec<f64>,
    bases: Vec<Vec<Basis>>,
    steady: Vec<f64>,
}

impl Spline {
    fn count(&self) -> usize {
        4 * self.steady.len() * self.bases.len()
    }

    /// Where the coefficients of a mode in an interval begin.
    fn place(&self, interval: usize, mode: usize) -> usize {
        4 * (interval * self.steady.len() + mode)
    }

    /// What reads a mode at a time, in frames.
    fn row(&self, interval: usize, mode: usize, time: f64, order: usize) -> DVector<f64> {
        let mut row = DVector::zeros(self.count());
        let values = self.bases[interval][mode].value(time * DT, order);
        row.rows_mut(self.place(interval, mode), 4).copy_from_slice(&values);
        row
    }
}

/// min ½xᵀHx − gᵀx, Cx = b, by the null space of C.
fn constrained(H: &DMatrix<f64>, g: &DVector<f64>, C: &DMatrix<f64>, b: &DVector<f64>) -> DVector<f64> {
    let square = DMatrix::from_fn(C.ncols(), C.ncols(), |i, j| if i < C.nrows() { C[(i, j)] } else { 0.0 });
    let svd = square.svd(true, true);
    let (u, vt) = (svd.u.unwrap(), svd.v_t.unwrap());
    let most = svd.singular_values.max();
    let mut x = DVector::zeros(C.ncols());
    let mut free = Vec::new();
    for (k, s) in svd.singular_values.iter().enumerate() {
        let v = vt.row(k).transpose();
        if *s > 1e-11 * most {
            let ub: f64 = (0..C.nrows()).map(|i| u[(i, k)] * b[i]).sum();
            x += &v * (ub / s);
        } else {
            free.push(v);
        }
    }
    let N = DMatrix::from_columns(&free);
    let reduced = N.transpose() * H * &N;
    let right = N.transpose() * (g - H * &x);
    x + &N * reduced.svd(true, true).solve(&right, 1e-15).unwrap()
}

/// Four functions of one mode, each at most 1 on its interval.
struct Basis {
    /// e^{rt} from one of the ends, its real or imaginary part.
    parts: [(Complex<f64>, f64, bool); 4],
    mode: Oscillator,
}

impl Basis {
    fn new(mode: Oscillator, from: f64, to: f64) -> Self {
        let root = Complex::new(mode.delta * mode.delta - mode.eigenvalue, 0.0).sqrt();
        let d = Complex::new(mode.delta, 0.0);
        let part = |r: Complex<f64>, imaginary: bool| (r, if r.re > 0.0 { to } else { from }, imaginary);
        let parts = if root.im == 0.0 {
            [part(d + root, false), part(d - root, false), part(-d + root, false), part(-d - root, false)]
        } else {
            [part(d + root, false), part(d + root, true), part(-d + root, false), part(-d + root, true)]
        };
        Self { parts, mode }
    }

    /// The functions or a derivative of them.
    fn value(&self, t: f64, order: usize) -> [f64; 4] {
        self.parts.map(|(r, from, imaginary)| {
            let value = r.powu(order as u32) * (r * (t - from)).exp();
            if imaginary { value.im } else { value.re }
        })
    }

    /// f̈ + 2δḟ + λf.
    fn forced(&self, t: f64) -> [f64; 4] {
        let (f, d, dd) = (self.value(t, 0), self.value(t, 1), self.value(t, 2));
        std::array::from_fn(|a| dd[a] + 2.0 * self.mode.delta * d[a] + self.mode.eigenvalue * f[a])
    }
}

/// Gauss's rule of five points on each of 64 pieces.
fn gauss(from: f64, to: f64) -> Vec<(f64, f64)> {
    let rule = [
        (0.0, 0.568_888_888_888_888_9),
        (0.538_469_310_105_683, 0.478_628_670_499_366_5),
        (-0.538_469_310_105_683, 0.478_628_670_499_366_5),
        (0.906_179_845_938_664, 0.236_926_885_056_189_08),
        (-0.906_179_845_938_664, 0.236_926_885_056_189_08),
    ];
    let pieces = 64;
    let half = 0.5 * (to - from) / f64::from(pieces);
    let mut all = Vec::new();
    for piece in 0..pieces {
        let middle = from + (2.0 * f64::from(piece) + 1.0) * half;
        all.extend(rule.iter().map(|(x, w)| (middle + half * x, half * w)));
    }
    all
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
