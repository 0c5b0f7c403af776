//! All the way to equilibrium, in as few increments of the load as it takes.

use super::report::{LoadStep, PoseReport, Removed};
use super::{LONGEST_STEP, Poser, StaticsError, places};
use crate::Status;
use crate::newton::{Limits, Outcome, norm};
use supple_mesh::Vec3;
use supple_model::{Progress, VertexId};

impl Poser {
    /// Finds the pose under all loads, from the one at hand. A load it cannot carry is no error: the status
    /// says so, and the pose is the last one found on the way.
    ///
    /// # Errors
    /// [`StaticsError::Cancelled`], and nothing has changed.
    pub fn solve(&mut self, progress: &Progress) -> Result<PoseReport, StaticsError> {
        let from = self.masked(self.body.force(&self.pose));
        let to = self.masked(self.load());
        let mut path = Path::new(self.settings.least_increment);
        let mut pose = self.pose.clone();
        let limits = Limits { gradient: self.force_tolerance(), iterations: self.settings.iterations };
        self.potential.reach = self.settings.reach * self.size();
        self.potential.longest_step = LONGEST_STEP * self.size();
        self.potential.start.copy_from_slice(&pose);
        self.potential.unstable = false;
        let inverted = self.body.inverted(&pose);
        while let Some(target) = path.target() {
            progress.report("posing", path.reached)?;
            for (f, (a, b)) in self.potential.load.iter_mut().zip(from.iter().zip(&to)) {
                // Exactly b at the end.
                *f = a * (1.0 - target) + b * target;
            }
            let mut trial = pose.clone();
            let mut outcome = self.newton.minimise(&mut self.potential, &mut trial, limits, progress)?;
            // Bodies have equilibria inside out, too; what goes there has not borne the load.
            if outcome.status.is_solved() && self.body.inverted(&trial) > inverted {
                outcome.status = Status::Diverged;
            }
            let shifted = outcome.shifted;
            if path.record(target, outcome) {
                self.potential.unstable |= shifted;
                pose = trial;
            }
        }
        self.pose = pose;
        for (f, (a, b)) in self.potential.load.iter_mut().zip(from.iter().zip(&to)) {
            *f = a * (1.0 - path.reached) + b * path.reached;
        }
        Ok(self.report(path))
    }

    /// The force that counts as none: a part of the load, or of what the start pose bears, whichever is
    /// larger.
    pub(super) fn force_tolerance(&self) -> f64 {
        let force = self.body.force(&self.pose);
        let mut load = vec![0.0; 3 * self.newton.free().vertices().len()];
        self.newton.free().gather(&self.load(), &mut load);
        if let Some(gauge) = &self.gauge {
            gauge.project(&mut load);
        }
        (self.settings.tolerance * norm(&load).max(norm(&force))).max(self.potential.rounding)
    }

    /// `values` with zeros on held vertices.
    pub(super) fn masked(&self, mut values: Vec<f64>) -> Vec<f64> {
        for v in self.held() {
            values[3 * v.index()..3 * v.index() + 3].fill(0.0);
        }
        values
    }

    /// Anchored and pinned vertices.
    pub(super) fn held(&self) -> impl Iterator<Item = VertexId> {
        let free = self.newton.free();
        (0..free.body_vertices()).map(VertexId::new).filter(|&v| free.index(v).is_none())
    }

    fn report(&mut self, path: Path) -> PoseReport {
        let load = self.load();
        let force = self.potential.force(&self.pose).to_vec();
        let at =
            |values: &[f64], v: VertexId| Vec3::from_column_slice(&values[3 * v.index()..3 * v.index() + 3]);
        let reactions = self.held().map(|v| (v, at(&force, v) - at(&load, v))).collect();
        let (removed, residual) = self.removed(&force);
        PoseReport {
            status: path.status,
            fraction: path.reached,
            iterations: path.iterations,
            factorizations: path.factorizations,
            residual,
            strain_energy: self.body.energy(&self.pose),
            reactions,
            removed,
            steps: path.steps,
        }
    }

    /// What the load has too much, f − R(u), split into the part that only moves the body and the norm of
    /// the rest.
    fn removed(&self, force: &[f64]) -> (Removed, f64) {
        let free = self.newton.free();
        let excess: Vec<f64> = self.potential.load.iter().zip(force).map(|(f, r)| f - r).collect();
        let mut excess_free = vec![0.0; 3 * free.vertices().len()];
        free.gather(&excess, &mut excess_free);
        let Some(gauge) = &self.gauge else {
            return (Removed::default(), norm(&excess_free));
        };
        let mut rest = excess_free.clone();
        gauge.project(&mut rest);
        let places = places(&self.body, &self.pose);
        let mass: f64 = self.body.masses().iter().sum();
        let centre = self.body.masses().iter().zip(&places).map(|(m, y)| y * *m).sum::<Vec3>() / mass;
        let mut removed = Removed { motions: gauge.count(), ..Removed::default() };
        for (k, v) in free.vertices().iter().enumerate() {
            let f = Vec3::from_fn(|c, _| excess_free[3 * k + c] - rest[3 * k + c]);
            removed.force += f;
            removed.torque += (places[v.index()] - centre).cross(&f);
        }
        (removed, norm(&rest))
    }
}

/// How far the load has come.
#[derive(Debug)]
struct Path {
    status: Status,
    reached: f64,
    increment: f64,
    least: f64,
    iterations: usize,
    factorizations: usize,
    steps: Vec<LoadStep>,
}

impl Path {
    fn new(least: f64) -> Self {
        Self {
            status: Status::Unfinished,
            reached: 0.0,
            increment: 1.0,
            least,
            iterations: 0,
            factorizations: 0,
            steps: Vec::new(),
        }
    }

    /// The part of the load to try next; `None` when there is nothing left to try.
    fn target(&self) -> Option<f64> {
        let going = self.reached < 1.0 && self.increment >= self.least.min(1.0);
        going.then(|| (self.reached + self.increment).min(1.0))
    }

    /// Goes on after a success, back to half the increment after a failure; whether it was a success.
    fn record(&mut self, target: f64, outcome: Outcome) -> bool {
        self.iterations += outcome.iterations;
        self.factorizations += outcome.factorizations;
        let solved = outcome.status.is_solved();
        if solved {
            self.reached = target;
            self.increment *= 2.0;
            self.steps.push(LoadStep {
                fraction: target,
                iterations: outcome.iterations,
                potential: outcome.values,
            });
        } else {
            self.increment = (target - self.reached) / 2.0;
        }
        self.status = if solved { outcome.status } else { Status::Diverged };
        solved
    }
}
