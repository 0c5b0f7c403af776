//! The balance of energy, which tells when a step of Newmark's method went wrong.
//!
//! The trapezoidal rule keeps the energy of linear bodies exactly, and of others as long as its steps resolve
//! how their stiffness changes. Where they do not, it may feed a vibration in every step until the motion
//! explodes. With the work W of loads and anchors, by the same rule, what a step brings in from nowhere is
//!
//! > δ = ΔK + ΔE − W, W = ½ (f + f′)·Δu over free vertices + ½ (R + R′)·Δu over anchored ones.
//!
//! Damping, friction and obstacles make δ negative; what the rule itself loses is the part of δ + D below zero, D the work
//! of damping, where nothing is touched. The drift Σ δ, of losses only what the rule lost, must pass a small part of the
//! energy there is neither way: who refuses gains and takes losses, of an energy that goes up and down by itself, loses
//! all of it. A step that would make it do so is cut in halves, since the error of the rule falls with the square of the
//! step; what still gains after some halvings is taken with a share of implicit Euler, no larger than it has to be.
//!
//! With an accuracy asked for, a step is also cut where |δ + D| passes that part of the energy; where something is
//! touched, only gains count.

use super::Simulation;
use super::motion::{Plan, Solved};
use crate::elements::displacement;

/// The part of the energy that may come from nowhere, or go there,
const TOLERATED: f64 = 0.01;
/// and that it may come to where every piece of a step adds but little: energy goes up and down a little while a body
/// bends, and comes back by itself. Nor may more be made up for later.
const PASSING: f64 = 0.05;
/// A piece that gains more than this part is no swing that could do with a little damping.
const VIOLENT: f64 = 0.02;
/// What is little, as a part of the energy.
const LITTLE: f64 = 1e-3;

/// What a step does to the energy, joules.
pub(super) struct Balance {
    /// What came from nowhere since the start, or less than nothing.
    pub drift: f64,
    /// δ.
    gain: f64,
    /// What the rule did: δ + D where nothing is touched; where something is, δ as far as it is a gain.
    error: f64,
    /// What there is.
    energy: f64,
}

impl Balance {
    /// Whether the step feeds no vibration; `is_piece` says whether it is cut already.
    pub fn is_calm(&self, is_piece: bool) -> bool {
        self.drift <= TOLERATED * self.energy
            || (is_piece && self.gain <= LITTLE * self.energy && self.drift <= PASSING * self.energy)
    }

    /// Whether the step gains so much that it is no swing any more.
    pub fn is_violent(&self) -> bool {
        self.gain > VIOLENT * self.energy
    }

    /// Whether the step loses what nothing takes.
    pub fn leaks(&self, is_piece: bool) -> bool {
        let least = if is_piece { LITTLE * self.energy } else { 0.0 };
        self.drift < -TOLERATED * self.energy && self.error < -least
    }

    /// Whether the step errs by less than this part of the energy.
    pub fn is_accurate(&self, part: f64) -> bool {
        self.error.abs() <= part * self.energy
    }
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
        let (gain, energy) = (gain + new - old - work, kinetic + old + work.abs());
        let before = state.drift;
        let error = if self.touches(solved) { gain.max(0.0) } else { gain + self.damped_work(plan, solved) };
        let lost = before.min(0.0) + error.min(0.0);
        let drift = if gain > 0.0 { before + gain } else { lost.max(before + gain) };
        Balance { drift: drift.max(-PASSING * energy), gain, error, energy }
    }

    /// Whether anything is touched before or after a step.
    pub(super) fn touches(&self, solved: &Solved) -> bool {
        !(self.contacts.list.is_empty() && solved.contacts.list.is_empty())
    }

    /// What damping takes in a step, by the same rule.
    fn damped_work(&mut self, plan: &Plan, solved: &Solved) -> f64 {
        let half = 0.5 * plan.scheme.seconds();
        let body = self.evaluator.body().clone();
        let mut power = 0.0;
        for v in [&self.state.v, &solved.v] {
            let squares = self
                .free
                .vertices()
                .iter()
                .map(|at| body.masses()[at.index()] * displacement(v, *at).norm_squared());
            power += self.settings.damping.mass * squares.sum::<f64>();
            if let Some(damping) = self.stiffness_damping.as_ref().filter(|_| plan.damped) {
                let room = [&mut self.vectors.displaced[..], &mut self.vectors.product[..]];
                power += damping.power(&self.free, v, room);
            }
        }
        half * power
    }
}
