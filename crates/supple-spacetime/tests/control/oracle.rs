//! All coordinates of a chain, solved for at once by a dense Newton method that knows nothing of ours: textbook Newmark
//! rows, the Hessian by differences of the gradient.

use super::bodies::Chain;
use super::{norm, quiet, solved};
use faer::Mat;
use faer::linalg::solvers::Solve;
use std::sync::Arc;
use supple_model::{ReducedDynamics, Status};
use supple_spacetime::{
    ControlDamping, ControlGuess, ControlKey, ControlProblem, ControlSettings, ControlTask, ControlTime,
};

struct Dense {
    chain: Chain,
    steps: usize,
    h: f64,
    damping: ControlDamping,
    effort: f64,
    keys: Vec<(usize, Vec<f64>, f64)>,
}

impl Dense {
    fn n(&self) -> usize {
        2 * self.chain.points
    }

    /// Two frames at rest, then those asked for.
    fn frames(&self, q: &[f64]) -> Vec<Vec<f64>> {
        let rest = vec![0.0; self.n()];
        [rest.clone(), rest].into_iter().chain(q.chunks(self.n()).map(<[f64]>::to_vec)).collect()
    }

    /// The objective and its gradient by frames 1, 2, …
    fn value(&self, q: &[f64]) -> (f64, Vec<f64>) {
        let (n, h) = (self.n(), self.h);
        let frames = self.frames(q);
        let none = vec![0.0; n];
        let elastic: Vec<_> = frames.iter().map(|q| self.chain.whole(q, &none)).collect();
        let (mut cost, mut gradient) = (0.0, vec![0.0; frames.len() * n]);
        for i in 1..frames.len() - 1 {
            let [(q0, R0), (q1, R1), (q2, R2)] = [i - 1, i, i + 1].map(|k| (&frames[k], &elastic[k].0));
            let w: Vec<f64> = (0..n)
                .map(|k| {
                    (q2[k] - 2.0 * q1[k] + q0[k]) / (h * h)
                        + self.damping.mass * (q2[k] - q0[k]) / (2.0 * h)
                        + 0.25 * (R0[k] + 2.0 * R1[k] + R2[k])
                        + self.damping.stiffness * (R2[k] - R0[k]) / (2.0 * h)
                })
                .collect();
            cost += 0.5 * self.effort * h * norm(&w).powi(2);
            let (a, b) = (self.damping.mass / (2.0 * h), self.damping.stiffness / (2.0 * h));
            let p = [1.0 / (h * h) - a, -2.0 / (h * h), 1.0 / (h * h) + a];
            let q = [0.25 - b, 0.5, 0.25 + b];
            for j in 0..3 {
                let f = i + j - 1;
                for k in 0..n {
                    let Kw: f64 = (0..n).map(|l| elastic[f].1[l * n + k] * w[l]).sum();
                    gradient[f * n + k] += self.effort * h * (p[j] * w[k] + q[j] * Kw);
                }
            }
        }
        for (frame, target, weight) in &self.keys {
            for k in 0..n {
                let off = frames[frame + 1][k] - target[k];
                cost += 0.5 * weight * off * off;
                gradient[(frame + 1) * n + k] += weight * off;
            }
        }
        (cost, gradient[2 * n..].to_vec())
    }

    fn solved(&self) -> Vec<f64> {
        let size = self.n() * self.steps;
        let mut q = vec![0.0; size];
        let mut damping = 1e-6;
        for _ in 0..400 {
            let (cost, gradient) = self.value(&q);
            let mut H = Mat::zeros(size, size);
            for k in 0..size {
                let shifted = |s: f64| {
                    let mut q = q.clone();
                    q[k] += s;
                    self.value(&q).1
                };
                let (plus, minus) = (shifted(1e-5), shifted(-1e-5));
                (0..size).for_each(|l| H[(l, k)] = (plus[l] - minus[l]) / 2e-5);
            }
            let H = (&H + H.transpose()) * 0.5;
            let mean = (0..size).map(|k| H[(k, k)].abs()).sum::<f64>() / size as f64;
            loop {
                let mut damped = H.clone();
                (0..size).for_each(|k| damped[(k, k)] += damping * mean);
                if let Ok(factor) = damped.llt(faer::Side::Lower) {
                    let step = factor.solve(Mat::from_fn(size, 1, |k, _| -gradient[k]));
                    let next: Vec<f64> = (0..size).map(|k| q[k] + step[(k, 0)]).collect();
                    let length = (0..size).map(|k| step[(k, 0)].abs()).fold(0.0, f64::max);
                    if length < 1e-11 {
                        return next;
                    }
                    if self.value(&next).0 <= cost * (1.0 + 1e-13) {
                        q = next;
                        damping = if damping < 1e-13 { 0.0 } else { 0.1 * damping };
                        break;
                    }
                }
                damping = (10.0 * damping).max(1e-12);
                assert!(damping < 1e12, "the oracle is stuck");
            }
        }
        panic!("the oracle did not end");
    }
}

/// With a basis of all coordinates the motion is that of the whole body.
#[test]
fn a_complete_basis_gives_the_whole_bodys_motion() {
    let (steps, h) = (14, 0.05);
    let damping = ControlDamping { mass: 0.2, stiffness: 0.01 };
    let keys = vec![(7, vec![-0.1, 0.4, -0.5, 1.1], 1.0), (14, vec![-0.05, -0.3, -0.2, -0.6], 3.0)];
    let chain = || Chain::complete(2, 60.0, 8.0, 9);
    let dense = Dense { chain: chain(), steps, h, damping, effort: 1e-5, keys };
    let whole = dense.solved();

    let body = chain();
    let keys = dense.keys.iter().map(|(at, target, w)| ControlKey::soft(*at, body.projected(target), *w));
    let task = ControlTask {
        damping,
        ..ControlTask::new(ControlTime::even(steps + 1, h), body.coordinates(), keys.collect())
    };
    let problem = ControlProblem::new(Arc::new(body), task).unwrap();
    let settings = ControlSettings { effort: Some(1e-5), ..ControlSettings::default() };
    let solution = solved(&problem, &settings, &ControlGuess::Zero);
    assert_eq!(solution.report.status, Status::Settled, "{:?}", solution.report);
    let cost = dense.value(&whole).0;
    assert!((solution.report.cost.objective - cost).abs() < 1e-9 * cost, "{:?} {cost}", solution.report);
    let size = whole.iter().fold(0.0_f64, |size, q| size.max(q.abs()));
    for frame in 1..=steps {
        let ours = dense.chain.expanded(solution.path.frame(frame));
        for (ours, q) in ours.iter().zip(&whole[4 * (frame - 1)..]) {
            assert!((ours - q).abs() < 1e-8 * size, "frame {frame}: {ours} {q}");
        }
    }
    assert!(!problem.gradient(&solution.path, 1e-5, &quiet()).unwrap().is_empty());
}
