//! Finding out what touches, and how hard, before a step is solved.
//!
//! A plane is a stiff spring on one side and nothing on the other. A search for the minimum that does not know
//! yet which planes will be pressed runs into them one after the other: every line search ends where the next
//! spring begins. With springs a thousand times softer, the planes give way to a full Newton step, and the
//! next one knows them. So every round begins with soft planes:
//!
//! ```text
//! repeat:
//!   u ← the minimum of Φ with soft planes, roughly
//!   add the planes of entered(x₀ → x) that do not hold yet
//!   take friction from the normal forces at u
//! until no plane was added and friction stays
//! ```
//!
//! Forces are in balance at every minimum, whatever the springs, so the normal forces f are already about
//! those of the stiff planes. A soft spring of stiffness k begins f₀/k in front of its plane, f₀ the normal
//! force of the last step: a body at rest has its forces from the start and does not sink in. In the end
//! every pressed point is moved to the depth at which a stiff spring has the force f; from there the minimum
//! with stiff planes takes a few full steps.

use super::contact::{ContactStep, Touches};
use super::motion::Plan;
use super::{Simulation, SimulationError, StepReport};
use crate::newton::Limits;
use supple_mesh::ContactPlane;
use supple_model::Progress;

/// Minimisations at most.
const ROUNDS: usize = 5;
/// Iterations of Newton's method in each.
const ITERATIONS: usize = 20;
/// What may be left of the forces, as a part of those at work.
const ROUGH: f64 = 1e-2;
/// The change of friction that is worth another round, as a part of it.
const FRICTION_CHANGE: f64 = 0.1;

impl Simulation {
    /// Lets `u` and the touches settle; the touches are stiff in the end.
    pub(super) fn settle(
        &mut self,
        plan: &Plan,
        touches: &mut Touches,
        u: &mut [f64],
        at_work: f64,
        report: &mut StepReport,
        progress: &Progress,
    ) -> Result<(), SimulationError> {
        if touches.list.is_empty() {
            return Ok(());
        }
        let limits = Limits { gradient: ROUGH * at_work, iterations: ITERATIONS };
        for _ in 0..ROUNDS {
            touches.soften(&self.contact_step(plan));
            let (newton, mut energy) = self.step_energy(plan, touches);
            report.count(newton.minimise(&mut energy, u, limits, progress)?);
            let entered = self.entered(plan, touches, u);
            let rubs = self.rub(plan, touches, u, FRICTION_CHANGE);
            if entered.is_empty() && !rubs {
                break;
            }
            self.meet(plan, touches, &entered);
        }
        touches.stiffen(&self.contact_step(plan), u);
        Ok(())
    }

    /// Lets friction follow the normal forces at `u` if that changes it by more than this part; whether it
    /// does.
    pub(super) fn rub(&self, plan: &Plan, touches: &mut Touches, u: &[f64], least: f64) -> bool {
        let step = self.contact_step(plan);
        let rubs = touches.friction_change(&step, u) > least;
        if rubs {
            touches.update_friction(&step, u);
        }
        rubs
    }

    /// The planes that points entered on their way to `u` although their touches hold.
    pub(super) fn entered(&self, plan: &Plan, touches: &Touches, u: &[f64]) -> Vec<(usize, ContactPlane)> {
        let Some(surroundings) = &self.surroundings else { return Vec::new() };
        surroundings.entered(&self.contact_step(plan), touches, &self.state.u, u)
    }

    /// Adds planes to the touches.
    pub(super) fn meet(&self, plan: &Plan, touches: &mut Touches, planes: &[(usize, ContactPlane)]) {
        let Some(surroundings) = &self.surroundings else { return };
        let step = self.contact_step(plan);
        touches.add(planes.iter().map(|found| surroundings.touch(&step, &self.state.u, found)));
    }

    fn contact_step(&self, plan: &Plan) -> ContactStep<'_> {
        ContactStep::new(self.body(), self.surroundings.as_ref(), plan.scheme.seconds())
    }
}
