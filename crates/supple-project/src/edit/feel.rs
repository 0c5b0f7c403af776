//! The three plain controls of an edit, as far as they are said.

use crate::shot::{Edit, Feel, Reach, Spread};

/// How edits of a shot feel; what is `None` stays as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FeelOptions {
    /// How the motion responds.
    pub feel: Option<Feel>,
    /// Frames before and after a handle until the edit has faded to 5 %.
    pub reach: Option<f64>,
    /// Share of the body that follows at least half of an edit.
    pub spread: Option<f64>,
}

impl FeelOptions {
    /// Whether anything is said.
    pub(crate) fn is_set(&self) -> bool {
        *self != Self::default()
    }

    /// Sets what is said.
    pub(crate) fn apply(&self, edit: &mut Edit) {
        edit.feel = self.feel.unwrap_or(edit.feel);
        edit.reach = self.reach.map(Reach).or(edit.reach);
        edit.spread = self.spread.map(Spread).or(edit.spread);
    }
}
