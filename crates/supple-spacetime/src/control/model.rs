//! The problem in numbers: rows, keys, and what a motion costs.
//!
//! Motions are flat here: r numbers for each frame, counted from the one before the first.

use super::arrival::arrival;
use super::report::{ControlCost, ControlPath};
use super::rows::{Equation, Rows};
use super::small::{add, add_transposed, dot, norm};
use super::targets::{Target, velocity_parts};
use super::task::{ControlStart, ControlTask};
use rayon::prelude::*;
use std::sync::Arc;
use supple_model::{Cancelled, Progress, ReducedDynamics};

/// So many states are asked for at once: a cancelled work ends soon.
const AT_ONCE: usize = 32;
/// What is missed of a key that has the weight 1 and the effort of [`Model::auto_effort`], about.
const AUTO_EFFORT: f64 = 1e-4;

/// Forces are next to nothing below this part of |z₊|/h² + 2|z|/h² + |z₋|/h².
const NOTHING: f64 = 1e-8;

/// What multiplies the parts of the objective.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Balance {
    /// ε.
    pub effort: f64,
    /// ω of hard keys; 0 where they hold.
    pub hard: f64,
}

/// What is asked of a body.
#[derive(Clone, Debug)]
pub(super) struct Model {
    pub dynamics: Arc<dyn ReducedDynamics>,
    pub rows: Rows,
    pub targets: Vec<Target>,
    /// The frames before the first unknown one, if the start is given; else none.
    pub start: Option<Vec<f64>>,
    /// Mean seconds from key to key.
    pub tau: f64,
}

/// A motion with its forces and what they change with.
#[derive(Clone, Debug)]
pub(super) struct Point {
    pub z: Vec<f64>,
    /// r×r of every frame.
    pub K: Vec<f64>,
    pub w: Vec<f64>,
}

impl Model {
    pub fn new(dynamics: Arc<dyn ReducedDynamics>, task: &ControlTask) -> Self {
        Self::of_part(dynamics, task, mean_time(task))
    }

    /// The same of a part of a longer motion, whose keys are `tau` seconds apart.
    pub fn of_part(dynamics: Arc<dyn ReducedDynamics>, task: &ControlTask, tau: f64) -> Self {
        let size = dynamics.coordinates();
        let rows = Rows::new(task, size);
        let start = match &task.start {
            ControlStart::Frames { before, first } => Some([before.clone(), first.clone()].concat()),
            ControlStart::Free => None,
        };
        let of_key = |key| Target::of(key, size, tau, &rows.steps);
        let mut targets: Vec<Target> = task.keys.iter().flat_map(of_key).collect();
        if start.is_none() {
            targets.extend(arrival(dynamics.as_ref(), task));
        }
        Self { dynamics, rows, targets, start, tau }
    }

    pub fn size(&self) -> usize {
        self.rows.size
    }

    /// All frames, with the one before the first.
    pub fn frames(&self) -> usize {
        self.rows.frames()
    }

    /// The first frame that is not given.
    pub fn first(&self) -> usize {
        if self.start.is_some() { 2 } else { 0 }
    }

    pub fn auto_effort(&self) -> f64 {
        AUTO_EFFORT * self.tau.powi(3)
    }

    /// The weight at which hard keys are asked for softly, as firm as keys of the weight 1 under the usual effort.
    pub fn soft_hard(&self, effort: f64) -> f64 {
        (effort / self.auto_effort()).max(1.0)
    }

    pub fn is_hard(&self) -> bool {
        self.targets.iter().any(|target| target.is_hard)
    }

    /// A motion whose first frames are those given.
    pub fn started(&self, mut z: Vec<f64>) -> Vec<f64> {
        if let Some(start) = &self.start {
            z[..start.len()].copy_from_slice(start);
        }
        z
    }

    pub fn path(&self, z: Vec<f64>) -> ControlPath {
        ControlPath::new(self.size(), z)
    }

    /// R of all frames.
    pub fn elastic(&self, z: &[f64], progress: &Progress) -> Result<Vec<f64>, Cancelled> {
        let mut R = vec![0.0; z.len()];
        let piece = AT_ONCE * self.size();
        for (z, R) in z.chunks(piece).zip(R.chunks_mut(piece)) {
            progress.check()?;
            self.dynamics.force(z, R);
        }
        Ok(R)
    }

    /// A motion with all that its first derivatives need.
    pub fn point(&self, z: Vec<f64>, progress: &Progress) -> Result<Point, Cancelled> {
        let r = self.size();
        let (mut R, mut K) = (vec![0.0; z.len()], vec![0.0; z.len() * r]);
        let piece = AT_ONCE * r;
        for ((z, R), K) in z.chunks(piece).zip(R.chunks_mut(piece)).zip(K.chunks_mut(piece * r)) {
            progress.check()?;
            self.dynamics.stiffness(z, R, K);
        }
        let w = self.rows.forces(&z, &R);
        Ok(Point { z, K, w })
    }

    /// ∂(Kλ)/∂z of all frames.
    pub fn curvature(&self, z: &[f64], lambda: &[f64], progress: &Progress) -> Result<Vec<f64>, Cancelled> {
        let r = self.size();
        let mut curvature = vec![0.0; z.len() * r];
        let piece = AT_ONCE * r;
        let pieces = z.chunks(piece).zip(lambda.chunks(piece)).zip(curvature.chunks_mut(piece * r));
        for ((z, lambda), curvature) in pieces {
            progress.check()?;
            self.dynamics.curvature(z, lambda, curvature);
        }
        Ok(curvature)
    }

    fn weight(&self, target: &Target, balance: Balance) -> f64 {
        target.weight
            * match (target.is_force, target.is_hard) {
                (true, _) => balance.effort,
                (false, true) => balance.hard,
                (false, false) => 1.0,
            }
    }

    pub fn cost(&self, z: &[f64], w: &[f64], balance: Balance) -> ControlCost {
        let r = self.size();
        let of_row = |(w, equation): (&[f64], &Equation)| 0.5 * equation.span * dot(w, w);
        let energy: f64 = w.chunks_exact(r).zip(&self.rows.equations).map(of_row).sum();
        let missed = |is_force: bool| {
            let of = self.weighted(balance).filter(move |(_, target)| target.is_force == is_force);
            of.fold(0.0, |sum, (weight, target)| sum + weight * target.miss(z, r))
        };
        let penalty = missed(false);
        ControlCost { energy, penalty, objective: penalty + balance.effort * energy + missed(true) }
    }

    /// What several motions cost, and their forces.
    pub fn costs(
        &self,
        paths: &[Vec<f64>],
        balance: Balance,
        progress: &Progress,
    ) -> Result<Vec<ControlCost>, Cancelled> {
        let cost = |z: &Vec<f64>| {
            let R = self.elastic(z, progress)?;
            Ok(self.cost(z, &self.rows.forces(z, &R), balance))
        };
        paths.par_iter().map(cost).collect()
    }

    /// Targets that weigh something, with their weights.
    pub fn weighted(&self, balance: Balance) -> impl Iterator<Item = (f64, &Target)> {
        let all = self.targets.iter().map(move |target| (self.weight(target, balance), target));
        all.filter(|(weight, _)| *weight > 0.0)
    }

    /// ∂E/∂z of all frames; of those that are given it is 0.
    pub fn gradient(&self, point: &Point, balance: Balance) -> Vec<f64> {
        self.gradient_with(&point.K, &point.z, &point.w, balance)
    }

    /// The same with stiffness, motion and forces that need not belong to one motion.
    pub fn gradient_with(&self, K: &[f64], z: &[f64], w: &[f64], balance: Balance) -> Vec<f64> {
        let mut gradient = self.rows.pulled_back(K, balance.effort, w);
        self.add_pulls(z, balance, &mut gradient);
        gradient[..self.first() * self.size()].fill(0.0);
        gradient
    }

    /// Leaves of a derivative what hard keys do not fix.
    pub fn released(&self, mut gradient: Vec<f64>) -> Vec<f64> {
        let r = self.size();
        for target in self.targets.iter().filter(|target| target.fixes()) {
            let mut along = vec![0.0; target.goal.len()];
            add_transposed(&mut along, 1.0, &target.rows, &gradient[target.first * r..][..r]);
            target.add_pull(-1.0, &along, &mut gradient, r);
        }
        gradient
    }

    /// What hard velocities are off, one after the other.
    pub fn gaps(&self, z: &[f64]) -> Vec<f64> {
        let binding = self.targets.iter().filter(|target| target.binds());
        binding.flat_map(|target| target.gap(z, self.size())).collect()
    }

    /// The velocity at a frame, of second order.
    pub fn velocity(&self, z: &[f64], frame: usize) -> Vec<f64> {
        let r = self.size();
        let (first, parts) = velocity_parts(frame, &self.rows.steps);
        let mut velocity = vec![0.0; r];
        for (f, c) in (first..).zip(parts) {
            add(&mut velocity, c, &z[f * r..][..r]);
        }
        velocity
    }

    /// What forces cost that are small beside those of inertia alone: of a motion that needs none, what is left of its
    /// forces are last digits, and nothing else to compare these with is there.
    pub fn nothing(&self, z: &[f64], effort: f64) -> f64 {
        let r = self.size();
        let frame = |f: usize| norm(&z[f * r..][..r]);
        let of_row = |(e, equation): (usize, &Equation)| {
            let force: f64 = (0..3).map(|j| equation.p[j].abs() * frame(e + j)).sum();
            0.5 * equation.span * (NOTHING * force).powi(2)
        };
        effort * self.rows.equations.iter().enumerate().map(of_row).sum::<f64>() + f64::MIN_POSITIVE
    }

    /// Adds the derivative of the keys' cost.
    pub fn add_pulls(&self, z: &[f64], balance: Balance, to: &mut [f64]) {
        let r = self.size();
        for (weight, target) in self.weighted(balance) {
            target.add_pull(weight, &target.gap(z, r), to, r);
        }
    }
}

/// Which of some motions costs least, if that is less than what there is.
pub(super) fn least(costs: &[ControlCost], below: f64) -> Option<usize> {
    let better = costs.iter().enumerate().filter(|(_, cost)| cost.objective < below);
    better.min_by(|a, b| a.1.objective.total_cmp(&b.1.objective)).map(|(at, _)| at)
}

/// Mean seconds from key to key; a given start is one.
fn mean_time(task: &ControlTask) -> f64 {
    let frames = || task.keys.iter().map(|key| key.frame);
    let (last, first) = (frames().max().unwrap_or_default(), frames().min().unwrap_or_default());
    let (from, arcs) = match task.start {
        ControlStart::Frames { .. } => (0, task.keys.len()),
        ControlStart::Free => (first, task.keys.len() - 1),
    };
    (task.time.at(last) - task.time.at(from)) / arcs as f64
}
