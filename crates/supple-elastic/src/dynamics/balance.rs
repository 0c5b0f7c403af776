//! The balance of energy, which tells when a step of Newmark's method went wrong.
//!
//! The trapezoidal rule keeps the energy of linear bodies exactly, and of others as long as its steps resolve
//! how their stiffness changes. Where they do not, it may feed a vibration in every step until the motion
//! explodes. With the work W of loads and anchors, by the same rule, what a step brings in from nowhere is
//!
//! > δ = ΔK + ΔE − W, W = ½ (f + f′)·Δu over free vertices + ½ (R + R′)·Δu over anchored ones.
//!
//! Damping, friction and obstacles make δ negative. The excess max(0, Σ δ) must not pass a small part of the
//! energy there is; a step that would make it do so is taken by implicit Euler instead, which always loses.

use super::Simulation;
use super::motion::{Plan, Solved};
use crate::elements::displacement;

/// The part of the energy that may come from nowhere.
const TOLERATED: f64 = 0.01;

/// The excess after a step, and how much is too much, joules.
pub(super) struct Balance {
    pub excess: f64,
    pub tolerated: f64,
}

impl Simulation {
    /// The balance after a step.
    pub(super) fn balance(&mut self, plan: &Plan, solved: &Solved) -> Balance {
        let state = &self.state;
        let body = self.evaluator.body().clone();
        let before = state.load.as_ref().unwrap_or(&self.load);
        let (mut kinetic, mut gain, mut work) = (0.0, 0.0, 0.0);
        for &v in self.free.vertices() {
            let m = body.masses()[v.index()];
            let [old, new] = [&state.v, &solved.v].map(|x| 0.5 * m * displacement(x, v).norm_squared());
            kinetic += old;
            gain += new - old;
            let force = displacement(before, v) + displacement(&self.load, v);
            work += 0.5 * force.dot(&(displacement(&solved.u, v) - displacement(&state.u, v)));
        }
        if plan.anchor_velocity.iter().any(|w| *w != 0.0) {
            let h = plan.scheme.seconds();
            for u in [&state.u, &solved.u] {
                self.evaluator.force(u, &mut self.vectors.force);
                let pairs = self.vectors.force.iter().zip(&plan.anchor_velocity);
                work += 0.5 * h * pairs.map(|(R, w)| R * w).sum::<f64>();
            }
        }
        let [old, new] = [&state.u, &solved.u].map(|u| body.energy(u));
        let excess = (state.excess + gain + new - old - work).max(0.0);
        Balance { excess, tolerated: TOLERATED * (kinetic + old + work.abs()) }
    }
}
