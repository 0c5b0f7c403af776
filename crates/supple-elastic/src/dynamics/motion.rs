//! What comes before a step and after it: from the last displacement, velocity and acceleration to the
//! vectors of Φ, and from the minimum of Φ to the next. The formulas are those of `scheme.rs`.

use super::Simulation;
use super::contact::{ContactStep, Contacts, Touches};
use super::scheme::Scheme;
use crate::newton::norm;
use crate::{FreeVertices, Status};
use supple_mesh::ContactPlane;

/// A step to be solved.
#[derive(Clone)]
pub(super) struct Plan {
    pub scheme: Scheme,
    /// u as the step begins, but with the anchors where they will be.
    pub start: Vec<f64>,
    /// Zero where vertices are free.
    pub anchor_velocity: Vec<f64>,
    /// Whether stiffness damps.
    pub damped: bool,
}

/// A step that came out, not yet taken.
pub(super) struct Solved {
    pub u: Vec<f64>,
    pub v: Vec<f64>,
    pub a: Vec<f64>,
    pub contacts: Contacts,
    pub status: Status,
    /// Newtons.
    pub residual: f64,
}

impl Simulation {
    /// Fills the vectors of Φ; the norm of the forces at work, by which residuals are judged.
    pub(super) fn prepare(&mut self, plan: &Plan) -> f64 {
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
    pub(super) fn first_acceleration(&mut self, anchor_velocity: &[f64]) -> Vec<f64> {
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

    /// Velocity and acceleration at the end `u`, and where points that are to be `stopped` come to rest.
    pub(super) fn derive(
        &mut self,
        plan: &Plan,
        mut u: Vec<f64>,
        touches: &Touches,
        stopped: Vec<(usize, ContactPlane)>,
    ) -> Solved {
        let body = self.evaluator.body().clone();
        let step = ContactStep::new(&body, self.surroundings.as_ref(), plan.scheme.seconds());
        let (mut v, mut a) = (plan.anchor_velocity.clone(), vec![0.0; u.len()]);
        for (k, vertex) in self.free.vertices().iter().enumerate() {
            for c in 0..3 {
                let at = 3 * vertex.index() + c;
                v[at] = plan.scheme.rate() * (u[at] - self.vectors.halting[3 * k + c]);
                a[at] = plan.scheme.inertia() * (u[at] - self.vectors.coasting[3 * k + c]);
            }
        }
        touches.add_accelerations(&step, &u, -plan.scheme.contact(), &mut a);
        self.free.gather(&v, &mut self.vectors.displaced);
        let contacts = touches.finish(&step, &u, &mut v);
        if !contacts.list.is_empty() {
            self.damp_anew(plan, &v, &mut a);
        }
        self.stop(plan, stopped, [&mut u, &mut v]);
        Solved { u, v, a, contacts, status: Status::Converged, residual: 0.0 }
    }

    /// Puts points where they entered obstacles, at rest.
    fn stop(&self, plan: &Plan, mut stopped: Vec<(usize, ContactPlane)>, [u, v]: [&mut [f64]; 2]) {
        let body = self.evaluator.body();
        let step = ContactStep::new(body, self.surroundings.as_ref(), plan.scheme.seconds());
        // Where it entered first counts, so that comes last.
        let way = |&(point, plane): &(usize, ContactPlane)| {
            (plane.point - step.position(&self.state.u, point)).norm()
        };
        stopped.sort_by(|a, b| way(b).total_cmp(&way(a)));
        for (number, plane) in stopped {
            let point = &step.points[number];
            point.displace(&(plane.point - step.position(u, number)), u);
            point.displace(&-point.velocity(v), v);
        }
    }

    /// Obstacles changed velocities, which `displaced` still holds as they were, to `v`: the acceleration
    /// follows, M a = f − R − D v.
    fn damp_anew(&mut self, plan: &Plan, v: &[f64], a: &mut [f64]) {
        let vectors = &mut self.vectors;
        for (k, vertex) in self.free.vertices().iter().enumerate() {
            for c in 0..3 {
                let at = 3 * vertex.index() + c;
                vectors.displaced[3 * k + c] -= v[at];
                a[at] += self.settings.damping.mass * vectors.displaced[3 * k + c];
            }
        }
        if let Some(damping) = self.stiffness_damping.as_ref().filter(|_| plan.damped) {
            damping.tangent().mul(&vectors.displaced, &mut vectors.product);
            for (k, (vertex, m)) in self.free.vertices().iter().zip(&vectors.masses).enumerate() {
                for c in 0..3 {
                    a[3 * vertex.index() + c] += damping.coefficient() * vectors.product[3 * k + c] / m;
                }
            }
        }
    }
}

impl Plan {
    /// Where vertices go that keep their acceleration `a`.
    pub fn ahead(&self, free: &FreeVertices, v: &[f64], a: Option<&[f64]>) -> Vec<f64> {
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
