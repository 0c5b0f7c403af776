//! How a controlled motion is solved for.

use super::error::{ControlError, ControlQuantity};

/// Which method finds the least cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ControlSolver {
    /// Gauss and Newton's with feedback, then Newton's on all frames at once.
    #[default]
    Newton,
    /// Conjugate gradients over the forces, as published. Soft keys and a given start only.
    Cg,
}

/// Where the search begins.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum ControlGuess {
    /// The motion without control.
    #[default]
    Zero,
    /// A controller pulls the body along straight lines between the keys.
    Pd,
    /// A motion, frame 0 to the last one, r numbers each; where the start is given it takes the place of frame 0.
    Path(Vec<f64>),
}

/// How a controlled motion is solved for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ControlSettings {
    /// The method.
    pub solver: ControlSolver,
    /// ε, what forces cost beside the keys, in s³; if `None` [`auto_effort`](super::ControlProblem::auto_effort).
    /// Where every key is hard it changes nothing.
    pub effort: Option<f64>,
    /// The optimality at which a minimum is taken for found.
    pub tolerance: f64,
    /// Iterations in all, of one window.
    pub iterations: usize,
    /// Solves for so many keys at once, going on from half of them; all at once if `None`.
    pub keys_per_window: Option<usize>,
}

impl Default for ControlSettings {
    fn default() -> Self {
        Self {
            solver: ControlSolver::Newton,
            effort: None,
            tolerance: 1e-8,
            iterations: 300,
            keys_per_window: None,
        }
    }
}

impl ControlSettings {
    pub(super) fn check(&self) -> Result<(), ControlError> {
        ControlQuantity::Tolerance.check(self.tolerance)?;
        if let Some(effort) = self.effort {
            ControlQuantity::Effort.check(effort)?;
        }
        match self.keys_per_window {
            Some(keys) if keys < 2 => Err(ControlError::WindowKeys { keys }),
            _ => Ok(()),
        }
    }
}

/// How a motion is held against pushes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrackSettings {
    /// How firmly the whole motion is held, beside its keys: 1 holds it everywhere about as firmly as a key does.
    pub firmness: f64,
    /// ε of the forces of tracking; if `None` [`auto_effort`](super::ControlProblem::auto_effort).
    pub effort: Option<f64>,
}

impl Default for TrackSettings {
    fn default() -> Self {
        Self { firmness: 1.0, effort: None }
    }
}

impl TrackSettings {
    pub(super) fn check(&self) -> Result<(), ControlError> {
        ControlQuantity::Firmness.check(self.firmness)?;
        self.effort.map_or(Ok(()), |effort| ControlQuantity::Effort.check(effort))
    }
}
