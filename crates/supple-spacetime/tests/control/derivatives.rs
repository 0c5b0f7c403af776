//! Derivatives against finite differences, of the bodies of these tests too.

use super::bodies::{Chain, Springs, Strains};
use super::{dot, norm, quiet};
use crate::random::Random;
use std::sync::Arc;
use supple_model::ReducedDynamics;
use supple_spacetime::{
    ControlAsked, ControlDamping, ControlKey, ControlPath, ControlProblem, ControlStart, ControlTask,
    ControlTime,
};

pub fn bodies() -> Vec<(&'static str, Arc<dyn ReducedDynamics>)> {
    vec![
        ("springs", Arc::new(Springs(vec![4.0, 90.0, 11.0]))),
        ("strains", Arc::new(Strains::random(3, 2.0, 5))),
        ("a stiff pendulum", Arc::new(Chain::complete(1, 900.0, 3.0, 0))),
        ("a chain", Arc::new(Chain::complete(3, 200.0, 4.0, 3).few(4))),
    ]
}

/// A task with everything in it.
fn everything(r: usize, start: ControlStart) -> ControlTask {
    let mut random = Random::new(8);
    let mut time = ControlTime::arcs(&[(5, 0.04), (4, 0.07), (3, 0.05)]);
    time.before = 0.03;
    let rows = ControlAsked::Rows(random.numbers(2 * r));
    let weights: Vec<f64> = (0..r).map(|k| if k == 1 { 0.0 } else { 0.5 + k as f64 }).collect();
    let keys = vec![
        ControlKey::soft(5, random.numbers(r), 1.5).moving(random.numbers(r)),
        ControlKey::soft(9, random.numbers(2), 0.7).of(rows).moving(random.numbers(2)),
        ControlKey::soft(12, random.numbers(r), 2.0)
            .of(ControlAsked::Components(weights))
            .moving(random.numbers(r)),
    ];
    ControlTask {
        damping: ControlDamping { mass: 0.3, stiffness: 0.02 },
        start,
        load: random.numbers(r),
        pushes: random.numbers(12 * r),
        ..ControlTask::new(time, r, keys)
    }
}

fn moving(r: usize) -> ControlStart {
    ControlStart::Frames { before: vec![0.02; r], first: vec![0.05; r] }
}

/// A motion of random frames about 0.3 long.
fn some_path(problem: &ControlProblem) -> ControlPath {
    let frames = problem.task().time.frames() * problem.coordinates();
    let z: Vec<f64> = Random::new(4).numbers(frames).iter().map(|z| 0.3 * z).collect();
    problem.path(&z).unwrap()
}

fn moved(problem: &ControlProblem, path: &ControlPath, by: &[f64], s: f64) -> ControlPath {
    let z: Vec<f64> = path.values().iter().zip(by).map(|(z, d)| z + s * d).collect();
    problem.path(&z).unwrap()
}

/// What is told of a body's stiffness and curvature is what its force says.
#[test]
fn bodies_are_what_they_say() {
    for (name, body) in bodies() {
        let r = body.coordinates();
        let mut random = Random::new(2);
        let (z, lambda): (Vec<f64>, Vec<f64>) =
            (random.numbers(r).iter().map(|z| 0.4 * z).collect(), random.numbers(r));
        let of = |z: &[f64]| {
            let (mut R, mut K) = (vec![0.0; r], vec![0.0; r * r]);
            body.stiffness(z, &mut R, &mut K);
            let Kl: Vec<f64> = (0..r).map(|i| (0..r).map(|j| K[j * r + i] * lambda[j]).sum()).collect();
            (R, K, Kl)
        };
        let (_, K, _) = of(&z);
        let mut C = vec![0.0; r * r];
        body.curvature(&z, &lambda, &mut C);
        for j in 0..r {
            let shifted =
                |s: f64| of(&(0..r).map(|k| z[k] + if k == j { s } else { 0.0 }).collect::<Vec<f64>>());
            let (plus, minus) = (shifted(1e-5), shifted(-1e-5));
            for i in 0..r {
                let (k, c) = ((plus.0[i] - minus.0[i]) / 2e-5, (plus.2[i] - minus.2[i]) / 2e-5);
                let scale = norm(&K) + norm(&C);
                assert!((k - K[j * r + i]).abs() < 1e-7 * scale, "{name}: K {i} {j}");
                assert!((c - C[j * r + i]).abs() < 1e-7 * scale, "{name}: curvature {i} {j}");
            }
        }
    }
}

#[test]
fn the_gradient_is_that_of_differences() {
    for (name, body) in bodies() {
        let r = body.coordinates();
        let problem = ControlProblem::new(body, everything(r, moving(r))).unwrap();
        let (path, effort) = (some_path(&problem), 0.003);
        let gradient = problem.gradient(&path, effort, &quiet()).unwrap();
        assert_eq!(gradient.len(), 12 * r);
        for seed in 1..6 {
            let by: Vec<f64> = [vec![0.0; r], Random::new(seed).numbers(12 * r)].concat();
            let cost = |s: f64| problem.cost(&moved(&problem, &path, &by, s), effort).objective;
            let h = 1e-4;
            // Fourth order: the objective is a polynomial of degree six.
            let slope = (8.0 * (cost(h) - cost(-h)) - (cost(2.0 * h) - cost(-2.0 * h))) / (12.0 * h);
            let ours = dot(&gradient, &by[r..]);
            assert!((slope - ours).abs() < 1e-6 * norm(&gradient), "{name}: {slope} {ours}");
        }
    }
}

/// Along a motion that forces make, the derivative by these is that by frames, through the motion's own change.
#[test]
fn the_adjoint_is_the_gradient_by_forces() {
    for (name, body) in bodies() {
        let r = body.coordinates();
        let problem = ControlProblem::new(body, everything(r, moving(r))).unwrap();
        let (path, effort) = (some_path(&problem), 0.003);
        let adjoint = problem.gradient_of_forces(&path, effort, &quiet()).unwrap();
        // With a motion's change d, its forces change by J d: both gradients say the same of it, to the last digits.
        let gradient = problem.gradient(&path, effort, &quiet()).unwrap();
        let by: Vec<f64> = [vec![0.0; r], Random::new(6).numbers(12 * r)].concat();
        let shifted = |s: f64| problem.forces(&moved(&problem, &path, &by, s));
        let h = 1e-3;
        let differences = |h: f64| -> Vec<f64> {
            shifted(h).iter().zip(shifted(-h)).map(|(plus, minus)| (plus - minus) / (2.0 * h)).collect()
        };
        let (one, two) = (differences(h), differences(2.0 * h));
        let Jd: Vec<f64> = one.iter().zip(&two).map(|(one, two)| (4.0 * one - two) / 3.0).collect();
        let (a, b) = (dot(&adjoint, &Jd), dot(&gradient, &by[r..]));
        assert!((a - b).abs() < 1e-9 * norm(&adjoint) * norm(&Jd), "{name}: {a} {b}");
        // And forces that differ a little make a motion that costs what the adjoint says.
        let (forces, push) = (Random::new(9).numbers(12 * r), Random::new(7).numbers(12 * r));
        let made = |s: f64| {
            let forces: Vec<f64> = forces.iter().zip(&push).map(|(w, p)| 3.0 * w + s * p).collect();
            problem.simulate(&path, &forces, &quiet()).unwrap()
        };
        let cost = |s: f64| problem.cost(&made(s), effort).objective;
        let adjoint = problem.gradient_of_forces(&made(0.0), effort, &quiet()).unwrap();
        let h = 1e-2;
        let slope = (8.0 * (cost(h) - cost(-h)) - (cost(2.0 * h) - cost(-2.0 * h))) / (12.0 * h);
        let ours = dot(&adjoint, &push);
        assert!((slope - ours).abs() < 1e-6 * norm(&adjoint) * norm(&push), "{name}: {slope} {ours}");
    }
}

/// A free start has two frames more.
#[test]
fn a_free_start_has_its_own_derivatives() {
    for (name, body) in bodies() {
        let r = body.coordinates();
        let problem = ControlProblem::new(body, everything(r, ControlStart::Free)).unwrap();
        let (path, effort) = (some_path(&problem), 0.003);
        let gradient = problem.gradient(&path, effort, &quiet()).unwrap();
        assert_eq!(gradient.len(), 14 * r);
        // Of a free start, a path of given frames is at rest before the first: both frames move as one.
        let by = Random::new(3).numbers(13 * r);
        let all = [&by[..r], &by].concat();
        let cost = |s: f64| problem.cost(&moved(&problem, &path, &by, s), effort).objective;
        let h = 1e-4;
        let slope = (8.0 * (cost(h) - cost(-h)) - (cost(2.0 * h) - cost(-2.0 * h))) / (12.0 * h);
        assert!((slope - dot(&gradient, &all)).abs() < 1e-6 * norm(&gradient), "{name}: {slope}");
    }
}
