//! Contact of a body's vertices with obstacles that do not move.
//!
//! Within a step, a vertex that starts at x₀ has to end in front of a few planes: those of what is near x₀,
//! and those it would enter on its way ([`Obstacle`](supple_mesh::Obstacle) finds both). A step is solved in
//! rounds:
//!
//! ```text
//! planes ← near(x₀), entered(x₀ → where it coasts to)
//! repeat:
//!   x ← the minimum of Φ with the energy of these planes          touch.rs
//!   add the planes of entered(x₀ → x) that do not hold yet
//!   take friction from the normal forces at x
//! until no plane was added and friction stays
//! velocities: obstacles stop, they do not throw back               impulses.rs
//! ```
//!
//! Planes are only added, so rounds end; the few vertices that a last round still leaves inside are stopped
//! where they entered. A plane is a spring of k = `STIFFNESS` m/h² at a vertex of mass m: pressed with the
//! weight w of what rests on it, the vertex stays w/k deep in the obstacle, h² g/`STIFFNESS` times as much as
//! there are vertices above it. Linear systems are solved by factorization, which stiff springs do not slow.

mod impulses;
mod touch;

pub(super) use touch::{Hold, Touch};

use super::{SimulationError, StepContact};
use crate::{ElasticBody, FreeVertices};
use impulses::{Impulse, held_back};
use rayon::prelude::*;
use std::ops::Range;
use supple_mesh::{Aabb, ContactPlane, Obstacle, Obstacles, Vec3};
use supple_model::{ContactKind, VertexId};

/// The stiffness of a plane at a vertex of mass m, in units of m/h².
const STIFFNESS: f64 = 1e5;
/// Obstacles within this part of the body's size are near.
const MARGIN: f64 = 1e-4;
/// A vertex may be this part of the body's size deeper in an obstacle than its planes let it.
const SLACK: f64 = 1e-6;
/// The cosine between the normals of what counts as the same face from step to step.
const SAME_FACE: f64 = 0.9;
/// Vertices asked about as one task.
const VERTICES_PER_TASK: usize = 64;

/// The obstacles, and what of the body may meet them.
#[derive(Debug)]
pub(super) struct Surroundings {
    obstacles: Obstacles,
    /// Free vertices, ascending.
    colliding: Vec<VertexId>,
    /// The body's size, metres.
    size: f64,
}

/// The touches of one step, those of a vertex side by side, vertices ascending.
#[derive(Debug, Default)]
pub(super) struct Touches {
    pub list: Vec<Touch>,
}

impl Surroundings {
    /// Takes the obstacles and the vertices that collide, in any order; anchored ones are left out.
    pub fn new(
        obstacles: Vec<Obstacle>,
        mut colliding: Vec<VertexId>,
        body: &ElasticBody,
        free: &FreeVertices,
    ) -> Result<Self, SimulationError> {
        let vertices = body.positions().len();
        if let Some(&vertex) = colliding.iter().find(|v| v.index() >= vertices) {
            return Err(SimulationError::NoSuchVertex { vertex, vertices });
        }
        colliding.retain(|&v| free.index(v).is_some());
        colliding.sort_unstable();
        colliding.dedup();
        let size = Aabb::around(body.positions()).size().norm();
        Ok(Self { obstacles: Obstacles::new(obstacles), colliding, size })
    }

    /// What vertices that coast from `u` to `coasting` would touch. Friction goes on from the `last`
    /// contacts.
    pub fn touches(&self, step: &ContactStep<'_>, u: &[f64], coasting: &[f64], last: &Contacts) -> Touches {
        let planes = self.ask(|v, planes| {
            let from = step.position(u, v);
            self.obstacles.near(&from, MARGIN * self.size, planes);
            let near = planes.len();
            self.obstacles.entered(&from, &step.position(coasting, v), planes);
            // A plane that is near already holds what it would hold once more.
            let mut k = near;
            while k < planes.len() {
                if planes[..near].iter().any(|old| alike(old, &planes[k])) {
                    planes.swap_remove(k);
                } else {
                    k += 1;
                }
            }
        });
        let mut list: Vec<Touch> = planes.into_iter().map(|(v, plane)| step.touch(u, v, plane)).collect();
        list.iter_mut().for_each(|touch| last.resume(touch));
        Touches { list }
    }

    /// The planes that vertices entered on their way from `start` to `u` although their touches hold.
    pub fn entered(
        &self,
        step: &ContactStep<'_>,
        touches: &Touches,
        start: &[f64],
        u: &[f64],
    ) -> Vec<(VertexId, ContactPlane)> {
        self.ask(|v, planes| {
            let (from, to) = (step.position(start, v), step.position(u, v));
            self.obstacles.entered(&from, &to, planes);
            if planes.is_empty() {
                return;
            }
            // Planes are springs: what they hold back is as deep as they are pressed.
            let held = touches.list[touches.of(v)].iter().map(|t| -t.plane.distance(&to)).fold(0.0, f64::max);
            planes.retain(|plane| -plane.distance(&to) > held + SLACK * self.size);
        })
    }

    /// Asks for the planes of every vertex that collides, in order.
    fn ask(
        &self,
        planes_of: impl Fn(VertexId, &mut Vec<ContactPlane>) + Sync,
    ) -> Vec<(VertexId, ContactPlane)> {
        let runs = self.colliding.par_chunks(VERTICES_PER_TASK).map(|run| {
            let (mut found, mut planes) = (Vec::new(), Vec::new());
            for &v in run {
                planes.clear();
                planes_of(v, &mut planes);
                found.extend(planes.drain(..).map(|plane| (v, plane)));
            }
            found
        });
        runs.collect::<Vec<_>>().concat()
    }
}

/// Whether one plane can stand for another.
fn alike(a: &ContactPlane, b: &ContactPlane) -> bool {
    a.obstacle == b.obstacle && a.normal.dot(&b.normal) > 1.0 - 1e-9
}

/// What touched in a step, vertices ascending, and what the next step has to know of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Contacts {
    pub list: Vec<StepContact>,
    /// Where each began to stick, so that what holds is held there and does not creep from step to step.
    grips: Vec<Vec3>,
}

impl Contacts {
    /// Lets `touch` go on with the friction its vertex had when it last touched something facing this way.
    fn resume(&self, touch: &mut Touch) {
        let first = self.list.partition_point(|contact| contact.vertex < touch.vertex);
        for (contact, grip) in self.list.iter().zip(&self.grips).skip(first) {
            if contact.vertex != touch.vertex {
                break;
            }
            let (normal, force) = (Vec3::from(contact.normal), Vec3::from(contact.force));
            if normal.dot(&touch.plane.normal) < SAME_FACE {
                continue;
            }
            let push = force.dot(&normal);
            touch.cap = touch.plane.friction * push;
            match contact.kind {
                ContactKind::Stick => (touch.hold, touch.start) = (Hold::Stick, *grip),
                ContactKind::Slide => {
                    let drag = push * normal - force;
                    touch.hold = Hold::Slide(drag.try_normalize(0.0).unwrap_or_default());
                }
            }
        }
    }
}

/// The body a step is about, and the step's length.
pub(super) struct ContactStep<'a> {
    pub body: &'a ElasticBody,
    pub free: &'a FreeVertices,
    /// h.
    pub seconds: f64,
}

impl ContactStep<'_> {
    fn position(&self, u: &[f64], vertex: VertexId) -> Vec3 {
        let v = vertex.index();
        self.body.positions()[v] + Vec3::from_column_slice(&u[3 * v..3 * v + 3])
    }

    fn touch(&self, start: &[f64], vertex: VertexId, plane: ContactPlane) -> Touch {
        let mass = self.body.masses()[vertex.index()];
        Touch {
            vertex,
            place: self.free.index(vertex).expect("anchored vertices do not collide"),
            plane,
            start: self.position(start, vertex),
            stiffness: STIFFNESS * mass / (self.seconds * self.seconds),
            cap: 0.0,
            hold: Hold::Slide(Vec3::zeros()),
        }
    }
}

impl Touches {
    /// The touches of a vertex.
    fn of(&self, vertex: VertexId) -> Range<usize> {
        let first = self.list.partition_point(|touch| touch.vertex < vertex);
        let count = self.list[first..].iter().take_while(|touch| touch.vertex == vertex).count();
        first..first + count
    }

    /// Takes planes that were entered on the way from `start`.
    pub fn add(&mut self, step: &ContactStep<'_>, start: &[f64], planes: &[(VertexId, ContactPlane)]) {
        self.list.extend(planes.iter().map(|&(v, plane)| step.touch(start, v, plane)));
        self.list.sort_by_key(|touch| touch.vertex);
    }

    /// Moves the vertices of `u` that are behind a plane onto it.
    pub fn bring_out(&self, step: &ContactStep<'_>, u: &mut [f64]) {
        for touch in &self.list {
            let depth = touch.plane.distance(&step.position(u, touch.vertex)).min(0.0);
            let at = 3 * touch.vertex.index();
            for c in 0..3 {
                u[at + c] -= depth * touch.plane.normal[c];
            }
        }
    }

    /// How much the forces of friction at `u` change when Coulomb's law takes over the normal forces there, as
    /// a part of all it may bear.
    pub fn friction_change(&self, step: &ContactStep<'_>, u: &[f64]) -> f64 {
        let (mut change, mut sum) = (0.0, 0.0);
        for touch in &self.list {
            let [own, bound] = touch.change(&step.position(u, touch.vertex));
            change += own;
            sum += bound;
        }
        if change > 0.0 { change / sum } else { 0.0 }
    }

    /// Lets Coulomb's law take over the normal forces at `u`.
    pub fn update_friction(&mut self, step: &ContactStep<'_>, u: &[f64]) {
        for touch in &mut self.list {
            (touch.cap, touch.hold) = touch.coulomb(&step.position(u, touch.vertex));
        }
    }

    /// Adds the forces of all touches at `u`, newtons, to a free vector, `factor` times per kilogram.
    pub fn add_accelerations(
        &self,
        step: &ContactStep<'_>,
        u: &[f64],
        factor: f64,
        acceleration: &mut [f64],
    ) {
        for touch in &self.list {
            let push = touch.gradient(&step.position(u, touch.vertex));
            let mass = step.body.masses()[touch.vertex.index()];
            for c in 0..3 {
                acceleration[3 * touch.vertex.index() + c] -= factor * push[c] / mass;
            }
        }
    }

    /// Lets obstacles stop but not throw back: changes the full vector of velocities at `u`, and reports who
    /// touches.
    pub fn finish(&self, step: &ContactStep<'_>, u: &[f64], velocity: &mut [f64]) -> Contacts {
        let mut contacts = Contacts::default();
        let mut impulses: Vec<Impulse> = Vec::new();
        let mut rest = &self.list[..];
        while let Some(first) = rest.first() {
            let own = rest.iter().take_while(|touch| touch.vertex == first.vertex).count();
            let (touches, others) = rest.split_at(own);
            rest = others;
            let v = first.vertex.index();
            let x = step.position(u, first.vertex);
            if touches.iter().all(|touch| touch.push(&x) == 0.0) {
                continue;
            }
            let mass = step.body.masses()[v];
            let before = Vec3::from_column_slice(&velocity[3 * v..3 * v + 3]);
            let after = held_back(before, touches, &x, [step.seconds, mass], &mut impulses);
            velocity[3 * v..3 * v + 3].copy_from_slice(after.as_slice());
            for (touch, impulse) in touches.iter().zip(&impulses) {
                if impulse.push > 0.0 {
                    contacts.list.push(report(touch, impulse, step.seconds));
                    contacts.grips.push(touch.start);
                }
            }
        }
        contacts
    }
}

fn report(touch: &Touch, impulse: &Impulse, seconds: f64) -> StepContact {
    let normal = touch.plane.normal;
    StepContact {
        vertex: touch.vertex,
        normal: normal.into(),
        kind: if touch.hold == Hold::Stick { ContactKind::Stick } else { ContactKind::Slide },
        force: ((normal * impulse.push + impulse.friction) / seconds).into(),
    }
}
