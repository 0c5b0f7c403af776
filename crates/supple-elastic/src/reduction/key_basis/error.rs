//! Why there is no basis.

use crate::StaticsError;
use supple_model::{Cancelled, VertexId};
use supple_numerics::sparse::FactorError;

/// A basis that cannot be made, and why. Indices count from 0.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum KeyBasisError {
    /// A field of the wrong length.
    #[error("{what} must have {expected} numbers, three per vertex, got {found}")]
    Length {
        /// Which one.
        what: String,
        /// Its length.
        found: usize,
        /// What it must be.
        expected: usize,
    },
    /// A number that is none.
    #[error("{what} has no finite value at {vertex}")]
    NotFinite {
        /// Which one.
        what: String,
        /// The culprit.
        vertex: VertexId,
    },
    /// Shapes of another body.
    #[error("the modes are of a body with {found} vertices, but this one has {expected}")]
    Modes {
        /// Their vertices.
        found: usize,
        /// The vertices of the body.
        expected: usize,
    },
    /// No column at all.
    #[error("the keys are all the pose the motion begins in, and there is nothing else to move along")]
    Empty,
    /// A static pose.
    #[error(transparent)]
    Statics(#[from] StaticsError),
    /// A system too large for the memory.
    #[error(transparent)]
    Factor(#[from] FactorError),
    /// The work was cancelled by its owner.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}
