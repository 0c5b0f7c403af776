//! How a simulation advances.

use super::SimulationError;

/// How often a step is halved for an accuracy that is asked for.
pub(super) const FINER: usize = 6;

/// How one step follows from the last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Integrator {
    /// Newmark's method with β = ¼, γ = ½, the trapezoidal rule: second order, keeps energy. Vibrations
    /// too quick for the step last until damping takes them.
    #[default]
    Newmark,
    /// Backward differences: first order, and takes energy from all that is quick compared with the step.
    ImplicitEuler,
}

/// Rayleigh damping D = mass·M + stiffness·K. A vibration of eigenvalue λ dies down like
/// e^{−(mass + stiffness·λ) t/2}.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Damping {
    /// α, 1/s: slows every motion, like a thick fluid around the body.
    pub mass: f64,
    /// β, seconds: slows changes of shape, the quick ones most. Rigid motion is left alone.
    pub stiffness: f64,
}

/// How a simulation advances.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SimulationSettings {
    /// h, seconds.
    pub seconds_per_step: f64,
    /// How one step follows from the last.
    pub integrator: Integrator,
    /// What motion dies of.
    pub damping: Damping,
    /// Metres per second squared.
    pub gravity: [f64; 3],
    /// Steps of Newmark's method are cut in halves until each errs by less than this part of the energy; without, only
    /// to gain none.
    pub accuracy: Option<f64>,
    /// A step is solved when what is left of its forces is this part of the forces at work.
    pub tolerance: f64,
}

impl Default for SimulationSettings {
    fn default() -> Self {
        Self {
            seconds_per_step: 1.0 / 48.0,
            integrator: Integrator::default(),
            damping: Damping::default(),
            gravity: [0.0, -9.81, 0.0],
            accuracy: None,
            tolerance: 1e-6,
        }
    }
}

impl SimulationSettings {
    pub(super) fn check(&self) -> Result<(), SimulationError> {
        let positive = |name, value: f64| {
            let fine = value > 0.0 && value.is_finite();
            if fine { Ok(()) } else { Err(SimulationError::NotPositive { name, value }) }
        };
        let not_negative = |name, value: f64| {
            let fine = value >= 0.0 && value.is_finite();
            if fine { Ok(()) } else { Err(SimulationError::Negative { name, value }) }
        };
        positive("the time step in seconds", self.seconds_per_step)?;
        positive("the tolerance", self.tolerance)?;
        positive("the accuracy", self.accuracy.unwrap_or(1.0))?;
        not_negative("the mass damping", self.damping.mass)?;
        not_negative("the stiffness damping", self.damping.stiffness)?;
        if self.gravity.iter().all(|g| g.is_finite()) {
            Ok(())
        } else {
            Err(SimulationError::Gravity { gravity: self.gravity })
        }
    }
}
