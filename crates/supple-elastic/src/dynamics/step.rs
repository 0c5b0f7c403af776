//! One step: predict, minimise in rounds of contact, take what follows; or cut it in halves.

use super::contact::{ContactStep, Surroundings, Touches};
use super::motion::{Plan, Solved};
use super::objective::StepEnergy;
use super::scheme::Scheme;
use super::settings::FINER;
use super::{Integrator, Simulation, SimulationError, StepReport};
use crate::Status;
use crate::newton::{Limits, Newton, Objective, Outcome, norm};
use supple_model::{Progress, VertexId};

/// How often a step is halved before it is given up.
const CUTS: usize = 6;
/// How often points may meet new planes before they are stopped.
const ROUNDS: usize = 10;
/// The change of friction that is worth another round, as a part of it; there is only one such.
const FRICTION_CHANGE: f64 = 0.02;
/// Iterations of Newton's method within a round.
const ITERATIONS: usize = 60;
/// What is left of the forces may be this part of those at work when nothing brings it down any more.
const GOOD_ENOUGH: f64 = 1e-3;

/// How often a step of Newmark's method is halved before it is damped,
const CALMER: usize = 3;
/// and how often for an accuracy that is asked for ([`FINER`]), where it would gain energy still and nothing is touched.
const FINEST: usize = 9;
/// The shares of implicit Euler that are tried, until one no longer gains.
const SHARES: [f64; 3] = [1.0 / 16.0, 0.25, 1.0];

/// A step that did not.
enum Unsolved {
    /// Newton's method found no end.
    Lost { vertex: VertexId, imbalance: f64 },
    /// It is too long to keep the energy.
    Long,
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
        let attempt = if depth < self.state.cuts {
            Err(Unsolved::Long)
        } else {
            self.attempt(h, anchors, depth, report, progress)?
        };
        match attempt {
            Ok(Solved { u, v, a, contacts, status, residual }) => {
                report.take(status, residual);
                self.state.time += h;
                (self.state.u, self.state.v, self.state.a) = (u, v, Some(a));
                self.state.load = Some(self.load.clone());
                self.contacts = contacts;
                Ok(())
            }
            Err(Unsolved::Lost { vertex, imbalance }) if depth >= CUTS => {
                Err(SimulationError::Exploded { time: self.state.time, seconds: h, vertex, imbalance })
            }
            Err(unsolved) => {
                match unsolved {
                    Unsolved::Lost { .. } => report.cuts += 1,
                    Unsolved::Long => report.halved = report.halved.max(depth + 1),
                }
                let middle: Vec<f64> = self.state.u.iter().zip(anchors).map(|(u, a)| 0.5 * (u + a)).collect();
                self.advance(0.5 * h, &middle, depth + 1, report, progress)?;
                self.advance(0.5 * h, anchors, depth + 1, report, progress)
            }
        }
    }

    /// Finds the end of a step of `h`, damped where Newmark's method would gain energy however it is cut.
    fn attempt(
        &mut self,
        h: f64,
        anchors: &[f64],
        depth: usize,
        report: &mut StepReport,
        progress: &Progress,
    ) -> Result<Result<Solved, Unsolved>, SimulationError> {
        let plan = self.plan(h, anchors);
        let solved = self.minimise_damped(&plan, None, report, progress)?;
        if self.settings.integrator == Integrator::ImplicitEuler {
            return Ok(solved);
        }
        let Ok(newmark) = &solved else {
            // Where there is nothing left to cut, a little damping may show the way.
            return if depth < CUTS { Ok(solved) } else { self.calm(plan, solved, true, report, progress) };
        };
        let balance = self.balance(&plan, newmark);
        let is_calm = balance.is_calm(depth > 0);
        let (finest, is_fine) = match self.settings.accuracy {
            None => (CALMER, !balance.leaks(depth > 0)),
            Some(_) if !is_calm && !self.touches(newmark) => (FINEST, false),
            Some(part) => (FINER, balance.is_accurate(part)),
        };
        if is_calm && (is_fine || depth >= finest) {
            self.state.drift = balance.drift;
            return Ok(solved);
        }
        if depth < finest {
            return Ok(Err(Unsolved::Long));
        }
        let is_violent = balance.is_violent();
        self.calm(plan, solved, is_violent, report, progress)
    }

    /// Takes a step that gains energy with as little of implicit Euler as it takes.
    fn calm(
        &mut self,
        mut plan: Plan,
        newmark: Result<Solved, Unsolved>,
        is_violent: bool,
        report: &mut StepReport,
        progress: &Progress,
    ) -> Result<Result<Solved, Unsolved>, SimulationError> {
        let h = plan.scheme.seconds();
        report.calmed += 1;
        let mut taken = newmark;
        for share in SHARES.into_iter().filter(|share| !is_violent || *share == 1.0) {
            plan.scheme = Scheme::between(share, h);
            let from = taken.as_ref().ok().map(|taken| taken.u.clone());
            let calm = self.minimise_damped(&plan, from.as_deref(), report, progress)?;
            let Ok(solved) = &calm else { continue };
            let balance = self.balance(&plan, solved);
            taken = calm;
            if balance.is_calm(true) {
                break;
            }
        }
        if let Ok(taken) = &taken {
            self.state.drift = self.balance(&plan, taken).drift;
        }
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
        from: Option<&[f64]>,
        report: &mut StepReport,
        progress: &Progress,
    ) -> Result<Result<Solved, Unsolved>, SimulationError> {
        let solved = self.minimise(plan, from, report, progress)?;
        let Some(damping) = &self.stiffness_damping else { return Ok(solved) };
        let room = [&mut self.vectors.displaced[..], &mut self.vectors.product[..]];
        if solved.as_ref().is_ok_and(|solved| damping.power(&self.free, &solved.v, room) >= 0.0) {
            return Ok(solved);
        }
        report.undamped += 1;
        let from = solved.as_ref().ok().map(|solved| &solved.u[..]);
        self.minimise(&Plan { damped: false, ..plan.clone() }, from, report, progress)
    }

    /// Minimises Φ in rounds, and derives what the step leads to. The search begins at `from` if there is a
    /// guess.
    fn minimise(
        &mut self,
        plan: &Plan,
        from: Option<&[f64]>,
        report: &mut StepReport,
        progress: &Progress,
    ) -> Result<Result<Solved, Unsolved>, SimulationError> {
        let at_work = self.prepare(plan);
        let limits = Limits { gradient: self.settings.tolerance * at_work, iterations: ITERATIONS };
        let (mut touches, mut u) = self.begin(plan, from);
        let (mut may_rub, mut round) = (true, 0);
        self.settle(plan, &mut touches, &mut u, at_work, report, progress)?;
        loop {
            let (newton, mut energy) = self.step_energy(plan, &touches);
            let Outcome { status, residual, .. } =
                report.count(newton.minimise(&mut energy, &mut u, limits, progress)?);
            if !(residual.is_finite() && (status.is_solved() || residual <= GOOD_ENOUGH * at_work)) {
                let imbalance = if at_work < f64::INFINITY { residual / at_work } else { at_work };
                return Ok(Err(Unsolved::Lost { vertex: energy.worst(&u), imbalance }));
            }
            round += 1;
            let entered = self.entered(plan, &touches, &u);
            if !entered.is_empty() && round < ROUNDS {
                self.meet(plan, &mut touches, &entered);
                self.settle(plan, &mut touches, &mut u, at_work, report, progress)?;
            } else if may_rub && self.rub(plan, &mut touches, &u, FRICTION_CHANGE) {
                may_rub = false;
            } else {
                report.stopped += entered.len();
                return Ok(Ok(Solved { status, residual, ..self.derive(plan, u, &touches, entered) }));
            }
        }
    }

    /// What may touch, and where the search for the minimum begins: `from` where the caller says, where the
    /// body is, or where it goes if it keeps its acceleration.
    fn begin(&mut self, plan: &Plan, from: Option<&[f64]>) -> (Touches, Vec<f64>) {
        let ahead = plan.ahead(&self.free, &self.state.v, self.state.a.as_deref());
        let mut touches = Touches::default();
        if let Some(surroundings) = &self.surroundings {
            let step = ContactStep::new(self.evaluator.body(), Some(surroundings), plan.scheme.seconds());
            touches = surroundings.touches(&step, &self.state.u, &ahead, &self.contacts);
            touches.soften(&step);
        }
        if let Some(from) = from {
            return (touches, from.to_vec());
        }
        let (_, mut energy) = self.step_energy(plan, &touches);
        let ahead_is_better = energy.value(&ahead).sum < energy.value(&plan.start).sum;
        (touches, if ahead_is_better { ahead } else { plan.start.clone() })
    }

    /// Φ of a step, and what minimises it.
    pub(super) fn step_energy<'a>(
        &'a mut self,
        plan: &Plan,
        touches: &'a Touches,
    ) -> (&'a mut Newton, StepEnergy<'a>) {
        let energy = StepEnergy {
            evaluator: &mut self.evaluator,
            free: &self.free,
            scheme: plan.scheme,
            mass_damping: self.settings.damping.mass,
            stiffness_damping: self.stiffness_damping.as_ref().filter(|_| plan.damped),
            vectors: &mut self.vectors,
            points: self.surroundings.as_ref().map_or(&[][..], Surroundings::points),
            touches: &touches.list,
        };
        (&mut self.newton, energy)
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
    /// Counts a minimisation in.
    pub(super) fn count(&mut self, outcome: Outcome) -> Outcome {
        self.iterations += outcome.iterations;
        self.factorizations += outcome.factorizations;
        self.rounds += 1;
        outcome
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
