//! What is asked of an edit, one number at a time.

use crate::error::{RowName, SpacetimeError};
use crate::kernel::{Kernel, MeanPath, Order};
use supple_model::Instant;

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

/// One row: Σ_k c_k z_k = target at a time, z the positions or the velocities of the modes.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// When, in frames counted from 0.
    pub at: Instant,
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
    pub fn position(at: impl Into<Instant>, weights: Vec<f64>, target: f64) -> Self {
        Self { at: at.into(), order: Order::Position, weights, target, hold: Hold::Hard }
    }

    /// The same, asked of a path that is added to a mean path: what that lacks of the target.
    ///
    /// # Panics
    /// When there is no such time, or not one weight per mode.
    #[must_use]
    pub fn beside(mut self, mean: &MeanPath) -> Self {
        let mut z = vec![0.0; self.weights.len()];
        mean.at(self.at, self.order, &mut z);
        self.target -= z.iter().zip(&self.weights).map(|(z, c)| z * c).sum::<f64>();
        self
    }

    /// When and what it reads.
    pub(super) fn place(&self) -> (Instant, Order) {
        (self.at, self.order)
    }

    /// Checks all numbers, not the time.
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
