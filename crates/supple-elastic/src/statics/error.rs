//! What can be wrong with a load, a pose or a skin, each naming the culprit.

use crate::ElasticError;
use supple_model::{Cancelled, VertexId};
use supple_numerics::sparse::FactorError;

/// A pose that cannot be computed, and why. Indices count from 0.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StaticsError {
    /// A list of numbers of the wrong length.
    #[error("{what} must have {expected} numbers, three per vertex, got {found}")]
    Length {
        /// Which list.
        what: &'static str,
        /// Its length.
        found: usize,
        /// What it must be.
        expected: usize,
    },
    /// A number that is none.
    #[error("{what} of {vertex} is not a finite number")]
    NotFinite {
        /// Which list.
        what: &'static str,
        /// The culprit.
        vertex: VertexId,
    },
    /// A setting that must be positive.
    #[error("{what} must be greater than 0 and finite, got {value}")]
    NotPositive {
        /// Which one.
        what: &'static str,
        /// The culprit.
        value: f64,
    },
    /// Not one weight per skin vertex.
    #[error("there are {found} weights, but the skin has {expected} vertices")]
    Weights {
        /// How many there are.
        found: usize,
        /// How many there must be.
        expected: usize,
    },
    /// A skin vertex with a weight that no area can have.
    #[error("the weight of skin {vertex} must be at least 0 and finite, got {value}")]
    Weight {
        /// The culprit.
        vertex: VertexId,
        /// Its weight.
        value: f64,
    },
    /// Every skin vertex weighs nothing: any pose would fit.
    #[error("no skin vertex has a weight greater than 0, so there is nothing to fit")]
    NoSkin,
    /// A skin vertex that hangs on body vertices which no element joins.
    #[error("skin {skin} depends on body vertices that share no element")]
    NotInOneElement {
        /// The culprit.
        skin: VertexId,
    },
    /// Vertices that do not exist, or none left to move.
    #[error(transparent)]
    Body(#[from] ElasticError),
    /// A system too large for the memory.
    #[error(transparent)]
    Factor(#[from] FactorError),
    /// The work was cancelled by its owner.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// Passes `values` if there are three finite ones per vertex; calls them `what` otherwise.
pub(super) fn check_values(what: &'static str, values: &[f64], vertices: usize) -> Result<(), StaticsError> {
    if values.len() != 3 * vertices {
        return Err(StaticsError::Length { what, found: values.len(), expected: 3 * vertices });
    }
    match values.iter().position(|v| !v.is_finite()) {
        Some(i) => Err(StaticsError::NotFinite { what, vertex: VertexId::new(i / 3) }),
        None => Ok(()),
    }
}

/// Passes a finite number above 0; calls it `what` otherwise.
pub(super) fn check_positive(what: &'static str, value: f64) -> Result<(), StaticsError> {
    if value.is_finite() && value > 0.0 { Ok(()) } else { Err(StaticsError::NotPositive { what, value }) }
}
