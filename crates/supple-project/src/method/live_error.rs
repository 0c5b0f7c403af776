//! Why something cannot be done in a window, in words for a person.

use super::error::EditError;
use supple_model::Cancelled;

/// Why something cannot be done in a window.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LiveError {
    /// The owner cancelled it.
    #[error("cancelled")]
    Cancelled,
    /// The input can be looked at, and not edited yet.
    #[error("Still preparing the vibration modes. Editing starts in a moment.")]
    NotYet,
    /// A handle that is not there.
    #[error("there is no such handle")]
    NoHandle,
    /// A motion that is not held by forces.
    #[error("only motions of the method \"control\" can be pushed")]
    NotPushed,
    /// Nothing is in the hand.
    #[error("no handle is being dragged")]
    NothingDragged,
    /// What is wrong with the shot, a file of it or a handle, in words for a person.
    #[error("{0}")]
    Said(String),
}

impl LiveError {
    /// What an error says.
    pub fn said(error: &dyn std::error::Error) -> Self {
        Self::Said(error.to_string())
    }

    /// What the error of an edit is.
    pub(super) fn of(error: &EditError) -> Self {
        match error {
            EditError::Cancelled(_) => Self::Cancelled,
            error => Self::said(error),
        }
    }
}

impl From<Cancelled> for LiveError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}
