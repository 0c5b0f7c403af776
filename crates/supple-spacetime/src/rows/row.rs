//! What is asked of an edit, one number at a time.

use crate::error::{RowName, SpacetimeError};
use crate::kernel::{Kernel, Order};

/// How strictly a row holds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Hold {
    /// Exactly.
    #[default]
    Hard,
    /// At the cost ½w·e² of an error e; w > 0.
    Soft(f64),
}

impl Hold {
    /// 1/w, what it adds to the diagonal of S.
    pub(crate) fn compliance(self) -> f64 {
        match self {
            Self::Hard => 0.0,
            Self::Soft(weight) => 1.0 / weight,
        }
    }
}

/// One row: Σ_k c_k z_k = target at a frame, z the positions or the velocities of the modes.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// When, counted from 0.
    pub frame: usize,
    /// Position or velocity.
    pub order: Order,
    /// c, one number per mode: a row of U, a normal times three of them, a difference of two vertices.
    pub weights: Vec<f64>,
    /// What the edit should be there.
    pub target: f64,
    /// How strictly.
    pub hold: Hold,
}

impl Row {
    /// A hard row on positions.
    #[must_use]
    pub fn position(frame: usize, weights: Vec<f64>, target: f64) -> Self {
        Self { frame, order: Order::Position, weights, target, hold: Hold::Hard }
    }

    /// When and what it reads.
    pub(super) fn place(&self) -> (usize, Order) {
        (self.frame, self.order)
    }

    /// Checks all numbers, not the frame.
    pub(super) fn check(&self, kernel: &Kernel, row: RowName) -> Result<(), SpacetimeError> {
        let (weights, modes) = (self.weights.len(), kernel.modes());
        if weights != modes {
            return Err(SpacetimeError::WeightCount { row, weights, modes });
        }
        if let Some(mode) = self.weights.iter().position(|c| !c.is_finite()) {
            return Err(SpacetimeError::BadWeight { row, mode });
        }
        if !self.target.is_finite() {
            return Err(SpacetimeError::BadTarget { row, value: self.target });
        }
        match self.hold {
            Hold::Soft(value) if !(value > 0.0 && value.is_finite() && (1.0 / value).is_finite()) => {
                Err(SpacetimeError::BadHold { row, value })
            }
            _ => Ok(()),
        }
    }
}
