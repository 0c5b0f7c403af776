//! One step: predict, minimise in rounds of contact, take what follows; or cut it in halves.

use super::contact::{ContactStep, Contacts, Touches};
use super::objective::StepEnergy;
use super::scheme::Scheme;
use super::{Simulation, SimulationError, StepReport};
use crate::newton::{Limits, Objective, Outcome, norm};
use crate::{FreeVertices, Status};
use supple_mesh::ContactPlane;
use supple_model::{Progress, VertexId};

/// How often a step is halved before it is given up.
const CUTS: usize = 6;
/// Minimisations within a step.
const ROUNDS: usize = 10;
/// Of these, how many may be for the sake of friction alone, and the change of it that is worth one.
const FRICTION_ROUNDS: usize = 5;
const FRICTION_CHANGE: f64 = 0.02;
/// Iterations of Newton's method within a round.
const ITERATIONS: usize = 60;
/// What is left of the forces may be this part of those at work when nothing brings it down any more.
const GOOD_ENOUGH: f64 = 1e-3;

/// A step to be solved.
struct Plan {
    scheme: Scheme,
    /// u as the step begins, but with the anchors where they will be.
    start: Vec<f64>,
    /// Zero where vertices are free.
    anchor_velocity: Vec<f64>,
    /// Whether stiffness damps.
    damped: bool,
}

/// A step that came out, not yet taken.
struct Solved {
    u: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
    contacts: Contacts,
}

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
            Ok(Solved { u, v, a, contacts }) => {
                self.state.time += h;
                (self.state.u, self.state.v, self.state.a) = (u, v, Some(a));
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

    /// Finds the end of a step of `h`. Damping by stiffness that turns out to drive the motion is left out.
    fn attempt(
        &mut self,
        h: f64,
        anchors: &[f64],
        report: &mut StepReport,
        progress: &Progress,
    ) -> Result<Result<Solved, Unsolved>, SimulationError> {
        let scheme = Scheme::new(self.settings.integrator, h);
        let (mut start, mut anchor_velocity) = (self.state.u.clone(), vec![0.0; anchors.len()]);
        for v in (0..self.free.body_vertices()).map(VertexId::new).filter(|&v| self.free.index(v).is_none()) {
            for i in 3 * v.index()..3 * v.index() + 3 {
                anchor_velocity[i] = (anchors[i] - self.state.u[i]) / h;
                start[i] = anchors[i];
            }
        }
        let damped = self.stiffness_damping.is_some();
        if self.state.a.is_none() {
            self.state.a = Some(self.first_acceleration(&anchor_velocity));
        }
        if let Some(damping) = &mut self.stiffness_damping {
            let motion = [&self.state.u[..], &self.state.v[..], &anchor_velocity[..]];
            damping.start(&mut self.evaluator, &self.free, motion, h);
        }
        let mut plan = Plan { scheme, start, anchor_velocity, damped };
        let solved = self.minimise(&plan, report, progress)?;
        let Some(damping) = &mut self.stiffness_damping else { return Ok(solved) };
        let room = [&mut self.vectors.displaced[..], &mut self.vectors.product[..]];
        if solved.as_ref().is_ok_and(|solved| damping.power(&self.free, &solved.v, room) >= 0.0) {
            return Ok(solved);
        }
        report.undamped += 1;
        plan.damped = false;
        self.minimise(&plan, report, progress)
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
        let step = ContactStep { body: &body, free: &self.free, seconds: plan.scheme.seconds() };
        let mut ahead = plan.ahead(&self.free, &self.state.v, self.state.a.as_deref());
        let mut touches = match &self.surroundings {
            Some(surroundings) => surroundings.touches(&step, &self.state.u, &ahead, &self.contacts),
            None => Touches::default(),
        };
        touches.bring_out(&step, &mut ahead);
        let mut u = Vec::new();
        let mut friction_rounds = 0;
        let mut stopped = Vec::new();
        for round in 1..=ROUNDS {
            let mut energy = StepEnergy {
                evaluator: &mut self.evaluator,
                free: &self.free,
                scheme: plan.scheme,
                mass_damping: self.settings.damping.mass,
                stiffness_damping: self.stiffness_damping.as_ref().filter(|_| plan.damped),
                vectors: &mut self.vectors,
                touches: &touches.list,
            };
            if round == 1 {
                let ahead_is_better = energy.value(&ahead).sum < energy.value(&plan.start).sum;
                u = if ahead_is_better { std::mem::take(&mut ahead) } else { plan.start.clone() };
            }
            let outcome = self.newton.minimise(&mut energy, &mut u, limits, progress)?;
            report.add(&outcome);
            let solved = outcome.status.is_solved() || outcome.residual <= GOOD_ENOUGH * at_work;
            if !(solved && outcome.residual.is_finite()) {
                let imbalance = if at_work < f64::INFINITY { outcome.residual / at_work } else { at_work };
                return Ok(Err(Unsolved { vertex: energy.worst(&u), imbalance }));
            }
            let Some(surroundings) = &self.surroundings else { break };
            let entered = surroundings.entered(&step, &touches, &self.state.u, &u);
            let rubs =
                friction_rounds < FRICTION_ROUNDS && touches.friction_change(&step, &u) > FRICTION_CHANGE;
            friction_rounds += usize::from(rubs);
            if round == ROUNDS {
                stopped = entered;
            } else if !entered.is_empty() || rubs {
                touches.add(&step, &self.state.u, &entered);
                touches.update_friction(&step, &u);
            } else {
                break;
            }
        }
        report.stopped += stopped.len();
        Ok(Ok(self.derive(plan, u, &touches, &stopped)))
    }

    /// Fills the vectors of Φ; the norm of the forces at work, by which residuals are judged.
    fn prepare(&mut self, plan: &Plan) -> f64 {
        let (vectors, state) = (&mut self.vectors, &self.state);
        let a = state.a.as_deref().unwrap_or_default();
        self.free.gather(&self.load, &mut vectors.load);
        let mut at_work = norm(&vectors.load);
        if let Some(damping) = self.stiffness_damping.as_ref().filter(|_| plan.damped) {
            damping.subtract_pull(&self.free, &mut vectors.load);
        }
        let h = plan.scheme.seconds();
        let (mut inertia, mut momentum) = (0.0, 0.0);
        for (i, m) in self.evaluator.body().masses().iter().enumerate() {
            for at in 3 * i..3 * i + 3 {
                let v = state.v[at] + plan.anchor_velocity[at];
                inertia += (m * a[at]).powi(2);
                momentum += (m * v / h).powi(2);
            }
        }
        at_work += f64::sqrt(inertia) + f64::sqrt(momentum);
        for (k, v) in self.free.vertices().iter().enumerate() {
            for c in 0..3 {
                let at = 3 * v.index() + c;
                vectors.coasting[3 * k + c] = plan.scheme.coasting(state.u[at], state.v[at], a[at]);
                vectors.halting[3 * k + c] = plan.scheme.halting(state.u[at], state.v[at], a[at]);
            }
        }
        at_work
    }

    /// The acceleration before the first step, from the balance of forces: M a = f − R(u) − D v. Contacts
    /// are left out as always.
    fn first_acceleration(&mut self, anchor_velocity: &[f64]) -> Vec<f64> {
        let (vectors, state) = (&mut self.vectors, &self.state);
        self.evaluator.force(&state.u, &mut vectors.force);
        self.free.gather(&self.load, &mut vectors.load);
        if let Some(damping) = &mut self.stiffness_damping {
            // Not yet turned, for the velocities are those of now.
            damping.start(&mut self.evaluator, &self.free, [&state.u, &state.v, anchor_velocity], 0.0);
            damping.subtract_pull(&self.free, &mut vectors.load);
            self.free.gather(&state.v, &mut vectors.displaced);
            vectors.displaced.iter_mut().zip(damping.spin()).for_each(|(v, spin)| *v -= spin);
            damping.tangent().mul(&vectors.displaced, &mut vectors.product);
            for (load, Kv) in vectors.load.iter_mut().zip(&vectors.product) {
                *load -= damping.coefficient() * Kv;
            }
        }
        let mut a = vec![0.0; state.u.len()];
        for (k, (v, m)) in self.free.vertices().iter().zip(&vectors.masses).enumerate() {
            for c in 0..3 {
                let at = 3 * v.index() + c;
                let drag = self.settings.damping.mass * state.v[at];
                a[at] = (vectors.load[3 * k + c] - vectors.force[at]) / m - drag;
            }
        }
        a
    }

    /// Velocity and acceleration at the end `u`, and where vertices that are to be `stopped` come to rest.
    fn derive(
        &self,
        plan: &Plan,
        mut u: Vec<f64>,
        touches: &Touches,
        stopped: &[(VertexId, ContactPlane)],
    ) -> Solved {
        let body = self.evaluator.body();
        let step = ContactStep { body, free: &self.free, seconds: plan.scheme.seconds() };
        let (mut v, mut a) = (plan.anchor_velocity.clone(), vec![0.0; u.len()]);
        for (k, vertex) in self.free.vertices().iter().enumerate() {
            for c in 0..3 {
                let at = 3 * vertex.index() + c;
                v[at] = plan.scheme.rate() * (u[at] - self.vectors.halting[3 * k + c]);
                a[at] = plan.scheme.inertia() * (u[at] - self.vectors.coasting[3 * k + c]);
            }
        }
        touches.add_accelerations(&step, &u, -plan.scheme.contact(), &mut a);
        let contacts = touches.finish(&step, &u, &mut v);
        for (vertex, plane) in stopped {
            let place = plane.point - body.positions()[vertex.index()];
            for c in 0..3 {
                u[3 * vertex.index() + c] = place[c];
                v[3 * vertex.index() + c] = 0.0;
            }
        }
        Solved { u, v, a, contacts }
    }
}

impl Plan {
    /// Where vertices go that keep their acceleration `a`.
    fn ahead(&self, free: &FreeVertices, v: &[f64], a: Option<&[f64]>) -> Vec<f64> {
        let h = self.scheme.seconds();
        let mut u = self.start.clone();
        for vertex in free.vertices() {
            for at in 3 * vertex.index()..3 * vertex.index() + 3 {
                u[at] += h * v[at] + 0.5 * h * h * a.map_or(0.0, |a| a[at]);
            }
        }
        u
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
    fn add(&mut self, outcome: &Outcome) {
        let badness = |status| match status {
            Status::Converged => 0,
            Status::Rounding => 1,
            Status::Unfinished => 2,
            Status::Diverged => 3,
        };
        if badness(outcome.status) > badness(self.status) {
            self.status = outcome.status;
        }
        self.iterations += outcome.iterations;
        self.factorizations += outcome.factorizations;
        self.residual = outcome.residual;
        self.rounds += 1;
    }
}
