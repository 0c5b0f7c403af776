//! Everything that touches in a step: its forces, its friction, and what is left of it for the next.

use super::impulses::{Impulse, held_back};
use super::{ContactStep, STIFFNESS, Touch};
use crate::dynamics::StepContact;
use std::ops::Range;
use supple_mesh::Vec3;
use supple_model::{ContactKind, VertexId};

/// The cosine between the normals of what counts as the same face from step to step.
const SAME_FACE: f64 = 0.9;

/// The touches of one step, those of a vertex side by side, vertices ascending.
#[derive(Debug, Default)]
pub(in crate::dynamics) struct Touches {
    pub list: Vec<Touch>,
}

impl Touches {
    /// The touches of a vertex.
    pub(super) fn of(&self, vertex: VertexId) -> Range<usize> {
        let first = self.list.partition_point(|touch| touch.vertex < vertex);
        let count = self.list[first..].iter().take_while(|touch| touch.vertex == vertex).count();
        first..first + count
    }

    /// Takes more of them.
    pub fn add(&mut self, touches: impl Iterator<Item = Touch>) {
        self.list.extend(touches);
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
    /// a part of their sum.
    pub fn friction_change(&self, step: &ContactStep<'_>, u: &[f64]) -> f64 {
        let (mut change, mut sum) = (0.0, 0.0);
        for touch in &self.list {
            let [now, then] = touch.friction_sizes(&step.position(u, touch.vertex));
            change += (now - then).abs();
            sum += now.max(then);
        }
        if change > 0.0 { change / sum } else { 0.0 }
    }

    /// Lets Coulomb's law take over the normal forces at `u`. Vertices that it stops, had they nothing but
    /// their own mass, go back to where it holds them: `u` is where the next minimisation begins, and the
    /// kink at the end of sticking is easier to leave than to meet.
    pub fn update_friction(&mut self, step: &ContactStep<'_>, u: &mut [f64]) {
        for touch in &mut self.list {
            let x = step.position(u, touch.vertex);
            touch.update_cap(&x);
            let slip = touch.slip(&x);
            if 2.0 * touch.stiffness / STIFFNESS * slip.norm() <= touch.cap {
                for c in 0..3 {
                    u[3 * touch.vertex.index() + c] -= slip[c];
                }
            }
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
                    contacts.list.push(report(touch, impulse, &x, step.seconds));
                    contacts.holds.push(touch.trailing_hold(&x));
                }
            }
        }
        contacts
    }
}

fn report(touch: &Touch, impulse: &Impulse, x: &Vec3, seconds: f64) -> StepContact {
    let normal = touch.plane.normal;
    StepContact {
        vertex: touch.vertex,
        normal: normal.into(),
        kind: if touch.sticks(x) { ContactKind::Stick } else { ContactKind::Slide },
        force: ((normal * impulse.push + impulse.friction) / seconds).into(),
    }
}

/// What touched in a step, vertices ascending, and what the next step has to know of it.
#[derive(Clone, Debug, Default)]
pub(in crate::dynamics) struct Contacts {
    pub list: Vec<StepContact>,
    /// Where friction holds each.
    holds: Vec<Vec3>,
}

impl Contacts {
    /// Lets `touch` go on with the friction its vertex had when it last touched something facing this way.
    pub(super) fn resume(&self, touch: &mut Touch) {
        let first = self.list.partition_point(|contact| contact.vertex < touch.vertex);
        for (contact, hold) in self.list.iter().zip(&self.holds).skip(first) {
            if contact.vertex != touch.vertex {
                break;
            }
            let normal = Vec3::from(contact.normal);
            if normal.dot(&touch.plane.normal) > SAME_FACE {
                touch.hold = *hold;
                touch.cap = touch.plane.friction * normal.dot(&Vec3::from(contact.force));
            }
        }
    }
}
