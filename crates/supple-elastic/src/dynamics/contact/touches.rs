//! Everything that touches in a step: its forces, its friction, and what is left of it for the next.

use super::impulses::{Impulse, held_back};
use super::{ContactStep, SOFT, STIFFNESS, Touch};
use crate::dynamics::StepContact;
use supple_mesh::Vec3;
use supple_model::ContactKind;

/// The cosine between the normals of what counts as the same face from step to step.
const SAME_FACE: f64 = 0.9;

/// The touches of one step, those of a point side by side, points ascending.
#[derive(Debug, Default)]
pub(in crate::dynamics) struct Touches {
    pub list: Vec<Touch>,
}

impl Touches {
    /// The touches of a point.
    pub(super) fn of(&self, point: usize) -> &[Touch] {
        let first = self.list.partition_point(|touch| touch.point < point);
        let count = self.list[first..].iter().take_while(|touch| touch.point == point).count();
        &self.list[first..first + count]
    }

    /// Takes more of them.
    pub fn add(&mut self, touches: impl Iterator<Item = Touch>) {
        self.list.extend(touches);
        self.list.sort_by_key(|touch| touch.point);
    }

    /// Makes every plane soft, such that it bears where it is what it is expected to.
    pub fn soften(&mut self, step: &ContactStep<'_>) {
        for touch in &mut self.list {
            touch.stiffness = SOFT * step.unit(touch.point);
            touch.offset = touch.borne / touch.stiffness;
        }
    }

    /// Makes every plane stiff, and moves the vertices of `u` such that planes bear what they bore soft.
    pub fn stiffen(&mut self, step: &ContactStep<'_>, u: &mut [f64]) {
        for touch in &mut self.list {
            touch.borne = touch.push(&step.position(u, touch.point));
            touch.stiffness = STIFFNESS * step.unit(touch.point);
            touch.offset = 0.0;
        }
        for touch in self.list.iter().filter(|touch| touch.borne > 0.0) {
            let distance = touch.plane.distance(&step.position(u, touch.point));
            let out = -touch.borne / touch.stiffness - distance;
            step.points[touch.point].displace(&(touch.plane.normal * out), u);
        }
    }

    /// How much the forces of friction at `u` change when Coulomb's law takes over the normal forces there, as
    /// a part of their sum.
    pub fn friction_change(&self, step: &ContactStep<'_>, u: &[f64]) -> f64 {
        let (mut change, mut sum) = (0.0, 0.0);
        for touch in &self.list {
            let [now, then] = touch.friction_sizes(&step.position(u, touch.point));
            change += (now - then).abs();
            sum += now.max(then);
        }
        if change > 0.0 { change / sum } else { 0.0 }
    }

    /// Lets Coulomb's law take over the normal forces at `u`.
    pub fn update_friction(&mut self, step: &ContactStep<'_>, u: &[f64]) {
        for touch in &mut self.list {
            touch.update_cap(&step.position(u, touch.point));
        }
    }

    /// Adds the forces of all touches at `u`, newtons, to a vector of all vertices, `factor` times per
    /// kilogram.
    pub fn add_accelerations(
        &self,
        step: &ContactStep<'_>,
        u: &[f64],
        factor: f64,
        acceleration: &mut [f64],
    ) {
        for touch in &self.list {
            let force = touch.gradient(&step.position(u, touch.point)) * -factor;
            step.points[touch.point].push(&force, step, acceleration);
        }
    }

    /// Lets obstacles stop but not throw back: changes the full vector of velocities at `u`, and reports who
    /// touches.
    pub fn finish(&self, step: &ContactStep<'_>, u: &[f64], velocity: &mut [f64]) -> Contacts {
        let pressed = |touch: &&Touch| {
            let x = step.position(u, touch.point);
            self.of(touch.point).iter().any(|touch| touch.push(&x) > 0.0)
        };
        let touches: Vec<&Touch> = self.list.iter().filter(pressed).collect();
        let mut contacts = Contacts::default();
        for (touch, impulse) in touches.iter().zip(held_back(step, &touches, u, velocity)) {
            if impulse.push > 0.0 {
                let x = step.position(u, touch.point);
                contacts.list.push(report(touch, &impulse, &x, step.seconds));
                contacts.holds.push(touch.trailing_hold(&x));
            }
        }
        contacts
    }
}

fn report(touch: &Touch, impulse: &Impulse, x: &Vec3, seconds: f64) -> StepContact {
    let normal = touch.plane.normal;
    StepContact {
        point: touch.point,
        normal: normal.into(),
        kind: if touch.sticks(x) { ContactKind::Stick } else { ContactKind::Slide },
        force: ((normal * impulse.push + impulse.friction) / seconds).into(),
    }
}

/// What touched in a step, points ascending, and what the next step has to know of it.
#[derive(Clone, Debug, Default)]
pub(in crate::dynamics) struct Contacts {
    pub list: Vec<StepContact>,
    /// Where friction holds each.
    holds: Vec<Vec3>,
}

impl Contacts {
    /// Lets `touch` go on with the friction its point had when it last touched something facing this way.
    pub(super) fn resume(&self, touch: &mut Touch) {
        let first = self.list.partition_point(|contact| contact.point < touch.point);
        for (contact, hold) in self.list.iter().zip(&self.holds).skip(first) {
            if contact.point != touch.point {
                break;
            }
            let normal = Vec3::from(contact.normal);
            if normal.dot(&touch.plane.normal) > SAME_FACE {
                touch.hold = *hold;
                touch.borne = normal.dot(&Vec3::from(contact.force));
                touch.cap = touch.plane.friction * touch.borne;
            }
        }
    }
}
