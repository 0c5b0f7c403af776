//! The two integrators as one family, and what lies between them.
//!
//! With the forces that are smooth in time giving the acceleration a, and contacts the forces c,
//!
//! > u′ = u + h v + h² (b₀ a + β a′ + κ M⁻¹ c),
//! > v′ = v + h (g₀ a + γ a′ + M⁻¹ c).
//!
//! | | b₀ | β | g₀ | γ | κ |
//! |---|---|---|---|---|---|
//! | Newmark | ¼ | ¼ | ½ | ½ | ½ |
//! | implicit Euler | 0 | 1 | 0 | 1 | 1 |
//! | a share θ of it | (1 − θ)/4 | (1 + 3θ)/4 | (1 − θ)/2 | (1 + θ)/2 | β/γ |
//!
//! Contacts act at the end of the step only and are no part of the a of the next (Kane, Repetto, Ortiz and
//! Marsden 1999): the trapezoidal rule would repeat every blow once more and make resting bodies tremble.
//! In all rows γ κ = β, hence with ũ = u + h v + h² b₀ a the velocity needs neither a′ nor c:
//!
//! > v′ = γ/(β h) (u′ − û), û = ũ − β h/γ (v + h g₀ a), and M a′ = M (u′ − ũ)/(β h²) − κ/β c.

use super::Integrator;

/// A row of the table, for steps of h.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scheme {
    h: f64,
    early_position: f64,
    beta: f64,
    early_velocity: f64,
    gamma: f64,
}

impl Scheme {
    pub fn new(integrator: Integrator, h: f64) -> Self {
        match integrator {
            Integrator::Newmark => Self::between(0.0, h),
            Integrator::ImplicitEuler => Self::between(1.0, h),
        }
    }

    /// The last row of the table: Newmark's method with a share of implicit Euler, which takes energy.
    pub fn between(share: f64, h: f64) -> Self {
        let (early_position, beta) = (0.25 * (1.0 - share), 0.25 * (1.0 + 3.0 * share));
        let (early_velocity, gamma) = (0.5 * (1.0 - share), 0.5 * (1.0 + share));
        Self { h, early_position, beta, early_velocity, gamma }
    }

    /// h.
    pub fn seconds(&self) -> f64 {
        self.h
    }

    /// 1/(β h²): the acceleration per displacement from ũ.
    pub fn inertia(&self) -> f64 {
        1.0 / (self.beta * self.h * self.h)
    }

    /// γ/(β h): the velocity per displacement from û.
    pub fn rate(&self) -> f64 {
        self.gamma / (self.beta * self.h)
    }

    /// κ/β: how contacts count beside the smooth forces.
    pub fn contact(&self) -> f64 {
        1.0 / self.gamma
    }

    /// ũ, where the body goes if its next acceleration is none.
    pub fn coasting(&self, u: f64, v: f64, a: f64) -> f64 {
        u + self.h * v + self.h * self.h * self.early_position * a
    }

    /// û, where the body goes if its next velocity is none.
    pub fn halting(&self, u: f64, v: f64, a: f64) -> f64 {
        self.coasting(u, v, a) - (v + self.h * self.early_velocity * a) / self.rate()
    }
}
