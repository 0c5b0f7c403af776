//! Key poses, as they are given.

use super::error::ControlError;
use crate::rows::Hold;

/// What of a pose counts.
#[derive(Clone, Debug, PartialEq)]
pub enum ControlAsked {
    /// All coordinates.
    Whole,
    /// Each coordinate with its weight, r of them; where that is 0 it is free. Of hard keys any other weight is as good.
    Components(Vec<f64>),
    /// A z for a matrix A of some rows, r numbers each, row by row: what a part of the body sees of the coordinates. What
    /// cannot be met of a hard key is met as well as can be.
    Rows(Vec<f64>),
}

/// What the body shall be like at a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct ControlKey {
    /// When.
    pub frame: usize,
    /// What of it counts.
    pub asked: ControlAsked,
    /// z̄; of rows, what A z shall be.
    pub target: Vec<f64>,
    /// The velocity there, of the same coordinates or rows, per second of the body's own time.
    pub velocity: Option<Vec<f64>>,
    /// Whether it is met exactly, or costs ½ω‖A z − b‖².
    pub hold: Hold,
}

impl ControlKey {
    /// A whole pose that is met exactly.
    #[must_use]
    pub fn hard(frame: usize, target: Vec<f64>) -> Self {
        Self { frame, asked: ControlAsked::Whole, target, velocity: None, hold: Hold::Hard }
    }

    /// A whole pose that is met at the weight ω; the paper's is 1.
    #[must_use]
    pub fn soft(frame: usize, target: Vec<f64>, weight: f64) -> Self {
        Self { hold: Hold::Soft(weight), ..Self::hard(frame, target) }
    }

    /// The same of some coordinates, or rows of them.
    #[must_use]
    pub fn of(self, asked: ControlAsked) -> Self {
        Self { asked, ..self }
    }

    /// The same with a velocity.
    #[must_use]
    pub fn moving(self, velocity: Vec<f64>) -> Self {
        Self { velocity: Some(velocity), ..self }
    }

    pub(super) fn check(&self, coordinates: usize) -> Result<(), ControlError> {
        let (frame, found) = (self.frame, self.target.len());
        let wanted = match &self.asked {
            ControlAsked::Whole => coordinates,
            ControlAsked::Components(weights) => {
                if weights.len() != coordinates {
                    return Err(ControlError::KeyCount { frame, found: weights.len(), wanted: coordinates });
                }
                if let Some(value) = weights.iter().find(|value| !(value.is_finite() && **value >= 0.0)) {
                    return Err(ControlError::KeyWeight { frame, value: *value });
                }
                coordinates
            }
            ControlAsked::Rows(rows) => {
                let wanted = coordinates * found;
                if rows.len() != wanted {
                    return Err(ControlError::KeyCount { frame, found: rows.len(), wanted });
                }
                found
            }
        };
        let speeds = self.velocity.as_ref().map_or(wanted, Vec::len);
        for found in [found, speeds] {
            if found != wanted {
                return Err(ControlError::KeyCount { frame, found, wanted });
            }
        }
        self.check_numbers()
    }

    fn check_numbers(&self) -> Result<(), ControlError> {
        let frame = self.frame;
        let (rows, is_empty): (&[f64], bool) = match &self.asked {
            ControlAsked::Whole => (&[], false),
            ControlAsked::Components(weights) => (weights, weights.iter().all(|weight| *weight == 0.0)),
            ControlAsked::Rows(rows) => (rows, rows.iter().all(|entry| *entry == 0.0)),
        };
        let speeds = self.velocity.iter().flatten();
        if !rows.iter().chain(&self.target).chain(speeds).all(|value| value.is_finite()) {
            return Err(ControlError::KeyNotFinite { frame });
        }
        if is_empty {
            return Err(ControlError::KeyEmpty { frame });
        }
        match self.hold {
            Hold::Soft(value) if !(value.is_finite() && value > 0.0) => {
                Err(ControlError::KeyHold { frame, value })
            }
            _ => Ok(()),
        }
    }
}
