//! Rows of whole problems against differences, and the banded step against the dense one of the paper.

use super::assemble::{Step, metric_times};
use super::evaluate::Evaluated;
use super::*;
use crate::constraint::{Constraint, Goal, Limit, LimitKind, Point, Region, Targets};
use crate::curve::{Curve, CurveKind, CurveSettings};
use crate::figure::Figure;
use crate::metric::Metric;
use crate::motion::Motion;
use crate::sample::{self, assert_derivatives, differences, numbers};
use nalgebra::{DMatrix, DVector, UnitQuaternion, Vector3};

const FRAMES: usize = 18;
const KINDS: [CurveKind; 5] =
    [CurveKind::Linear, CurveKind::Cubic, CurveKind::BSpline, CurveKind::Hierarchical, CurveKind::Frames];

fn limits() -> Vec<Limit> {
    let of = |joint, kind, least, most| Limit { joint, kind, least, most };
    vec![
        of(sample::ELBOW, LimitKind::Channel { order: [1, 0, 2], index: 0 }, 0.9, 1.0),
        of(sample::ARM, LimitKind::Cone(Vector3::x()), 0.0, 0.1),
        of(sample::FOOT, LimitKind::Twist(Vector3::y()), 0.5, 0.6),
    ]
}

/// Every goal there is, hard and soft, on points and the centre of mass.
fn constraints() -> Vec<Constraint> {
    let new = |frames, joint, goal| Constraint::new(frames, Point::joint(joint), goal);
    let hand = Vector3::new(0.5, 1.6, 0.4);
    let turn = UnitQuaternion::from_scaled_axis(Vector3::new(0.2, 0.3, 0.1));
    let mut all = vec![
        new((3, 5), sample::HAND, Goal::At(Targets::One(hand))),
        new((6, 12), sample::TOE, Goal::Stay),
        Constraint { axes: [true, false, true], ..new((2, 9), sample::OTHER_HAND, Goal::Stay) },
        new((4, 8), sample::HAND, Goal::Plane { point: hand, normal: Vector3::y() }),
        new((9, 10), sample::HAND, Goal::Along(vec![hand - Vector3::x(), hand + Vector3::x()])),
        new((5, 7), sample::HAND, Goal::Distance(Targets::One(0.3))),
        new((3, 9), sample::FOOT, Goal::Orientation(Targets::One(turn))),
        new((12, 14), sample::TOE, Goal::SameAs(2)),
        new((7, 8), sample::SLIDER, Goal::Velocity(Vector3::new(0.01, 0.0, 0.05))),
        new((3, 11), sample::HAND, Goal::Outside(Region::Sphere { center: hand, radius: 2.0 })),
        new((3, 11), sample::TOE, Goal::Inside(Region::Below { normal: Vector3::y(), at: -1.0 })),
        Constraint { point: Point::CenterOfMass, ..new((10, 13), 0, Goal::At(Targets::One(hand))) },
    ];
    all[5].seen_from = Some(Point::joint(sample::OTHER_HAND));
    all[3].hold = Some(2.0);
    all[8].hold = Some(1.0);
    all
}

fn curve(kind: CurveKind) -> Curve {
    let smoothing = if kind == CurveKind::Frames { 2.0 } else { 0.5 };
    Curve::new(&CurveSettings { kind, window: (1, 16), keys: 4, clamped: [true, false], smoothing })
}

/// Solves a small problem of all goals over a curve for a test.
fn with_problem(kind: CurveKind, is_loop: bool, test: &dyn Fn(&Problem<'_>, &State)) {
    let (figure, motion): (Figure, Motion) = sample::figure(limits(), FRAMES);
    let (constraints, curve) = (constraints(), curve(kind));
    let problem = Problem::new(&Asked {
        figure: &figure,
        motion: &motion,
        curve: &curve,
        constraints: &constraints,
        counts: &|_| true,
        is_loop,
        every: 1,
        keeps_slips: kind != CurveKind::Frames,
        metric: Metric::Blocks,
    });
    let mut state = problem.start();
    state.x = numbers(state.x.len(), 5, 0.2);
    state.places.iter_mut().for_each(|place| *place += Vector3::new(0.02, -0.03, 0.01));
    test(&problem, &state);
}

/// All rows that count, each with its J over all unknowns: coefficients of the curve, then places.
fn dense(problem: &Problem<'_>, at: &Evaluated) -> Vec<(Rows, usize, Vec<f64>)> {
    let n = problem.freedoms.len();
    let xs = problem.curve.keys() * n;
    let mut all = Vec::new();
    let spread = |J: &[f64], frame: usize, out: &mut [f64]| {
        for (key, b) in problem.curve.support(frame).iter() {
            (0..n).for_each(|i| out[key * n + i] += b * J[i]);
        }
    };
    for frame in &at.frames {
        let mut row = 0;
        for rows in &frame.rows {
            for k in 0..rows.count {
                let mut out = vec![0.0; xs + 3 * problem.homes.len()];
                spread(&frame.J[row * n..(row + 1) * n], frame.frame, &mut out);
                row += 1;
                if let (Some(place), RowId::Constraint(c)) = (rows.place, rows.id) {
                    let axes: Vec<usize> = (0..3).filter(|a| problem.constraints[c].axes[*a]).collect();
                    out[xs + 3 * place + axes[k]] = -1.0;
                }
                all.push((*rows, k, out));
            }
        }
    }
    for span in &at.spans {
        for k in 0..span.rows.count {
            let mut out = vec![0.0; xs + 3 * problem.homes.len()];
            span.parts.iter().for_each(|(frame, J)| spread(&J[k * n..(k + 1) * n], *frame, &mut out));
            all.push((span.rows, k, out));
        }
    }
    all
}

fn flat(state: &State) -> Vec<f64> {
    state.x.iter().copied().chain(state.places.iter().flat_map(|p| [p.x, p.y, p.z])).collect()
}

#[test]
fn all_rows_change_as_their_derivatives_say() {
    for (kind, is_loop) in [(CurveKind::BSpline, true), (CurveKind::Frames, false)] {
        with_problem(kind, is_loop, &|problem, state| {
            let rows = dense(problem, &evaluate(problem, state, true));
            let counts = |rows: &Rows| !rows.is_bound || rows.r[0] > 0.0;
            let xs = state.x.len();
            let read = |z: &[f64]| {
                let places = z[xs..].chunks_exact(3).map(Vector3::from_column_slice).collect();
                let at = evaluate(problem, &State { x: z[..xs].to_vec(), places }, false);
                at.all()
                    .flat_map(|rows| rows.r[..rows.count].iter().map(|r| -r).collect::<Vec<_>>())
                    .collect()
            };
            let found = differences(&flat(state), &read);
            let J = |row: usize, k: usize| rows[row].2[k];
            assert_derivatives(&J, &found, &format!("{kind:?}"));
            for id in (0..12).map(RowId::Constraint).chain((0..3).map(RowId::Limit)) {
                assert!(rows.iter().any(|(rows, ..)| rows.id == id && counts(rows)), "{id:?} is not asked");
            }
            assert_eq!(rows.iter().any(|(rows, ..)| rows.id == RowId::Seam), is_loop);
        });
    }
}

/// Of bounds those that are passed.
fn weight_of(problem: &Problem<'_>, rows: &Rows, penalty: &Penalty) -> f64 {
    let counts = !rows.is_bound || rows.r[0] > 0.0;
    if counts { rows.weight(problem.firmness(rows.id), penalty) } else { 0.0 }
}

/// (J M⁻¹ Jᵀ + K⁻¹) λ = r + J M⁻¹ g, Δ = M⁻¹ (Jᵀ λ − g): Gleicher 1997, Eq. 8 with the damping of Eq. 9.
fn dense_step(
    problem: &Problem<'_>,
    state: &State,
    weight: &dyn Fn(&Rows) -> f64,
    with_cost: bool,
    damping: f64,
) -> DVector<f64> {
    let n = problem.freedoms.len();
    let xs = state.x.len();
    let z = flat(state);
    let mut M = DMatrix::zeros(z.len(), z.len());
    for i in 0..xs {
        for j in 0..xs {
            M[(i, j)] = damping * problem.curve.cost(i / n, j / n) * problem.metric[(i % n, j % n)];
        }
    }
    let mut g = DVector::zeros(z.len());
    let Gx = metric_times(problem, &state.x);
    let plain: Vec<f64> = (0..xs).map(|i| (0..xs).map(|j| M[(i, j)] / damping * z[j]).sum()).collect();
    for i in 0..xs {
        assert!((plain[i] - Gx[i]).abs() < 1e-12 * (1.0 + Gx[i].abs()));
        g[i] = plain[i];
    }
    for (k, (home, cost)) in problem.homes.iter().enumerate() {
        for axis in 0..3 {
            M[(xs + 3 * k + axis, xs + 3 * k + axis)] = if cost[axis] > 0.0 { cost[axis] } else { 1.0 };
            g[xs + 3 * k + axis] = cost[axis] * (state.places[k][axis] - home[axis]);
        }
    }
    if !with_cost {
        g.fill(0.0);
    }
    let rows: Vec<_> = dense(problem, &evaluate(problem, state, true))
        .into_iter()
        .filter(|(rows, ..)| weight(rows) > 0.0)
        .collect();
    let J = DMatrix::from_fn(rows.len(), z.len(), |row, k| rows[row].2[k]);
    let r = DVector::from_fn(rows.len(), |row, _| rows[row].0.r[rows[row].1]);
    let inverse = M.cholesky().expect("costs are positive").inverse();
    let mut S = &J * &inverse * J.transpose();
    (0..rows.len()).for_each(|row| S[(row, row)] += 1.0 / weight(&rows[row].0));
    let multipliers = S.cholesky().expect("damped").solve(&(r + &J * &inverse * &g));
    inverse * (J.transpose() * multipliers - g)
}

#[test]
fn the_banded_step_is_the_damped_step_of_the_paper() {
    for kind in KINDS {
        for (is_loop, damping, with_cost, epsilon) in [
            (false, 1.0, true, 3e-4),
            (true, 1.0, true, 3e-4),
            (true, 10.0, true, 3e-6),
            (false, 1.0, false, 1e-5),
        ] {
            with_problem(kind, is_loop, &|problem, state| {
                let penalty = Penalty { epsilon, give: 0.005 };
                let weight = |rows: &Rows| weight_of(problem, rows, &penalty);
                let at = evaluate(problem, state, true);
                let step = Step { problem, at: &at, state, weight: &weight, with_cost, damping };
                let banded = flat(&step.solve().expect("it has a factor"));
                let dense = dense_step(problem, state, &weight, with_cost, damping);
                let largest = dense.amax();
                let off = dense.iter().zip(&banded).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                assert!(
                    largest > 1e-2 && off <= 1e-8 * largest,
                    "{kind:?} loop {is_loop}: {off} of {largest}"
                );
            });
        }
    }
}

/// The merit falls along a step as fast as its derivative says: J, weights and costs belong together.
#[test]
fn the_merit_falls_along_a_step_as_its_slope_says() {
    for kind in KINDS {
        with_problem(kind, true, &|problem, state| {
            let penalty = Penalty { epsilon: 3e-4, give: 0.005 };
            let weight = |rows: &Rows| weight_of(problem, rows, &penalty);
            let at = evaluate(problem, state, true);
            let step = Step { problem, at: &at, state, weight: &weight, with_cost: true, damping: 1.0 };
            let change = step.solve().expect("it has a factor");
            let merit = |s: f64| {
                let next = descend::moved(state, &change, s);
                evaluate(problem, &next, false).merit(problem, &next, &penalty)
            };
            let slope = (merit(1e-5) - merit(-1e-5)) / 2e-5;
            // gᵀ Δ − Σ κ rᵀ J Δ
            let z = flat(&change);
            let Gx = metric_times(problem, &state.x);
            let mut expected: f64 = Gx.iter().zip(&z).map(|(a, b)| a * b).sum();
            for (k, (home, cost)) in problem.homes.iter().enumerate() {
                expected += cost.component_mul(&(state.places[k] - home)).dot(&change.places[k]);
            }
            for (rows, k, J) in dense(problem, &at) {
                let along: f64 = J.iter().zip(&z).map(|(a, b)| a * b).sum();
                expected -= weight(&rows) * rows.r[k] * along;
            }
            assert!(
                slope < 0.0 && (slope - expected).abs() < 1e-4 * slope.abs(),
                "{kind:?} {slope} {expected}"
            );
        });
    }
}
