//! One step: predict, minimise in rounds of contact, take what follows; or cut it in halves.

use super::balance::Balance;
use super::contact::{ContactStep, Touches};
use super::motion::{Plan, Solved};
use super::objective::StepEnergy;
use super::scheme::Scheme;
use super::{Integrator, Simulation, SimulationError, StepReport};
use crate::Status;
use crate::newton::{Limits, Objective, Outcome, norm};
use supple_model::{Progress, VertexId};

/// How often a step is halved before it is given up.
const CUTS: usize = 6;
/// Minimisations within a step.
const ROUNDS: usize = 10;
/// After so many, friction that still changes is no reason for another.
const FRICTION_ROUNDS: usize = 5;
/// Iterations of Newton's method within a round.
const ITERATIONS: usize = 60;
/// What is left of the forces may be this part of those at work when nothing brings it down any more.
const GOOD_ENOUGH: f64 = 1e-3;

/// A step that did not.
struct Unsolved {
    vertex: VertexId,
    imbalance: f64,
}

impl Simulation {
    /// Goes on by `h`, with the anchors at `anchors` in the end, in as many pieces as it takes.
    pub(super) fn advance(
        &mut self,
        h: f64,
        anchors: &[f64],
        depth: usize,
        report: &mut StepReport,
        progress: &Progress,
    ) -> Result<(), SimulationError> {
        match self.attempt(h, anchors, report, progress)? {
            Ok(Solved { u, v, a, contacts, status, residual }) => {
                report.take(status, residual);
                self.state.time += h;
                (self.state.u, self.state.v, self.state.a) = (u, v, Some(a));
                self.state.load = Some(self.load.clone());
                self.contacts = contacts;
                Ok(())
            }
            Err(Unsolved { vertex, imbalance }) if depth == CUTS => {
                Err(SimulationError::Exploded { time: self.state.time, seconds: h, vertex, imbalance })
            }
            Err(_) => {
                report.cuts += 1;
                let middle: Vec<f64> = self.state.u.iter().zip(anchors).map(|(u, a)| 0.5 * (u + a)).collect();
                self.advance(0.5 * h, &middle, depth + 1, report, progress)?;
                self.advance(0.5 * h, anchors, depth + 1, report, progress)
            }
        }
    }

    /// Finds the end of a step of `h`, by implicit Euler where Newmark's method would gain energy.
    fn attempt(
        &mut self,
        h: f64,
        anchors: &[f64],
        report: &mut StepReport,
        progress: &Progress,
    ) -> Result<Result<Solved, Unsolved>, SimulationError> {
        let mut plan = self.plan(h, anchors);
        let solved = self.minimise_damped(&plan, report, progress)?;
        let (Integrator::Newmark, Ok(newmark)) = (self.settings.integrator, &solved) else {
            return Ok(solved);
        };
        let Balance { excess, tolerated } = self.balance(&plan, newmark);
        if excess <= tolerated {
            self.state.excess = excess;
            return Ok(solved);
        }
        plan.scheme = Scheme::new(Integrator::ImplicitEuler, h);
        let calm = self.minimise_damped(&plan, report, progress)?;
        let taken = if calm.is_ok() { calm } else { solved };
        if let Ok(taken) = &taken {
            self.state.excess = self.balance(&plan, taken).excess;
        }
        report.calmed += 1;
        Ok(taken)
    }

    /// Prepares a step of `h` that takes the anchors to `anchors`.
    fn plan(&mut self, h: f64, anchors: &[f64]) -> Plan {
        let (mut start, mut anchor_velocity) = (self.state.u.clone(), vec![0.0; anchors.len()]);
        for v in (0..self.free.body_vertices()).map(VertexId::new).filter(|&v| self.free.index(v).is_none()) {
            for i in 3 * v.index()..3 * v.index() + 3 {
                anchor_velocity[i] = (anchors[i] - self.state.u[i]) / h;
                start[i] = anchors[i];
            }
        }
        if self.state.a.is_none() {
            self.state.a = Some(self.first_acceleration(&anchor_velocity));
        }
        if let Some(damping) = &mut self.stiffness_damping {
            let motion = [&self.state.u[..], &self.state.v[..], &anchor_velocity[..]];
            damping.start(&mut self.evaluator, &self.free, motion, h);
        }
        let scheme = Scheme::new(self.settings.integrator, h);
        Plan { scheme, start, anchor_velocity, damped: self.stiffness_damping.is_some() }
    }

    /// Minimises Φ; damping by stiffness that turns out to drive the motion is left out.
    fn minimise_damped(
        &mut self,
        plan: &Plan,
        report: &mut StepReport,
        progress: &Progress,
    ) -> Result<Result<Solved, Unsolved>, SimulationError> {
        let solved = self.minimise(plan, report, progress)?;
        let Some(damping) = &self.stiffness_damping else { return Ok(solved) };
        let room = [&mut self.vectors.displaced[..], &mut self.vectors.product[..]];
        if solved.as_ref().is_ok_and(|solved| damping.power(&self.free, &solved.v, room) >= 0.0) {
            return Ok(solved);
        }
        report.undamped += 1;
        self.minimise(&Plan { damped: false, ..plan.clone() }, report, progress)
    }

    /// Minimises Φ in rounds, and derives what the step leads to.
    fn minimise(
        &mut self,
        plan: &Plan,
        report: &mut StepReport,
        progress: &Progress,
    ) -> Result<Result<Solved, Unsolved>, SimulationError> {
        let at_work = self.prepare(plan);
        let limits = Limits { gradient: self.settings.tolerance * at_work, iterations: ITERATIONS };
        let body = self.evaluator.body().clone();
        let step = ContactStep::new(&body, self.surroundings.as_ref(), plan.scheme.seconds());
        let mut ahead = plan.ahead(&self.free, &self.state.v, self.state.a.as_deref());
        let mut touches = match &self.surroundings {
            Some(surroundings) => surroundings.touches(&step, &self.state.u, &ahead, &self.contacts),
            None => Touches::default(),
        };
        touches.bring_out(&step, &mut ahead);
        let (mut u, mut stopped, mut last) = (Vec::new(), Vec::new(), (Status::Converged, 0.0));
        for round in 1..=ROUNDS {
            let mut energy = StepEnergy {
                evaluator: &mut self.evaluator,
                free: &self.free,
                scheme: plan.scheme,
                mass_damping: self.settings.damping.mass,
                stiffness_damping: self.stiffness_damping.as_ref().filter(|_| plan.damped),
                vectors: &mut self.vectors,
                points: step.points,
                touches: &touches.list,
            };
            if round == 1 {
                let ahead_is_better = energy.value(&ahead).sum < energy.value(&plan.start).sum;
                u = if ahead_is_better { std::mem::take(&mut ahead) } else { plan.start.clone() };
            }
            let outcome = self.newton.minimise(&mut energy, &mut u, limits, progress)?;
            report.count(&outcome);
            let solved = outcome.status.is_solved() || outcome.residual <= GOOD_ENOUGH * at_work;
            if !(solved && outcome.residual.is_finite()) {
                let imbalance = if at_work < f64::INFINITY { outcome.residual / at_work } else { at_work };
                return Ok(Err(Unsolved { vertex: energy.worst(&u), imbalance }));
            }
            last = (outcome.status, outcome.residual);
            let Some(surroundings) = &self.surroundings else { break };
            if round == ROUNDS {
                stopped = surroundings.entered(&step, &touches, &self.state.u, &u);
            } else if !surroundings.revise(
                &step,
                &mut touches,
                &self.state.u,
                &mut u,
                round <= FRICTION_ROUNDS,
            ) {
                break;
            }
        }
        report.stopped += stopped.len();
        Ok(Ok(Solved { status: last.0, residual: last.1, ..self.derive(plan, u, &touches, stopped) }))
    }
}

impl StepEnergy<'_> {
    /// The vertex with the largest part in the gradient.
    fn worst(&mut self, u: &[f64]) -> VertexId {
        let mut gradient = vec![0.0; 3 * self.free.vertices().len()];
        self.gradient(u, &mut gradient);
        let sizes = gradient.chunks_exact(3).map(norm);
        // A size that is no number counts as the largest.
        let worst = sizes.enumerate().max_by(|(_, a), (_, b)| a.total_cmp(b));
        self.free.vertices()[worst.map_or(0, |(k, _)| k)]
    }
}

impl StepReport {
    fn count(&mut self, outcome: &Outcome) {
        self.iterations += outcome.iterations;
        self.factorizations += outcome.factorizations;
        self.rounds += 1;
    }

    /// Takes a piece of the step.
    fn take(&mut self, status: Status, residual: f64) {
        let badness = |status| match status {
            Status::Converged => 0,
            Status::Rounding => 1,
            Status::Unfinished => 2,
            Status::Diverged => 3,
        };
        if badness(status) > badness(self.status) {
            self.status = status;
        }
        self.residual = self.residual.max(residual);
    }
}
