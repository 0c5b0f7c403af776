//! The two integrators as one family.
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
//!
//! Contacts act at the end of the step only and are no part of the a of the next (Kane, Repetto, Ortiz and
//! Marsden 1999): the trapezoidal rule would repeat every blow once more and make resting bodies tremble.
//! In both rows γ κ = β, hence with ũ = u + h v + h² b₀ a the velocity needs neither a′ nor c:
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
    contact: f64,
}

impl Scheme {
    pub fn new(integrator: Integrator, h: f64) -> Self {
        match integrator {
            Integrator::Newmark => {
                Self { h, early_position: 0.25, beta: 0.25, early_velocity: 0.5, gamma: 0.5, contact: 0.5 }
            }
            Integrator::ImplicitEuler => {
                Self { h, early_position: 0.0, beta: 1.0, early_velocity: 0.0, gamma: 1.0, contact: 1.0 }
            }
        }
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
        self.contact / self.beta
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
