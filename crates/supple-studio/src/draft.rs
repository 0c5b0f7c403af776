//! Fields of the shot while they are being changed.

use crate::widgets::field_error;
use eframe::egui::{Response, Ui};
use supple_project::shot::Shot;
use supple_session::Generation;

/// Fields of the shot that are being changed: they become part of the document when they are left, as one step.
#[derive(Debug, Default)]
pub struct Draft {
    /// The fields, and the state of the document they are of.
    pub of: Option<(Generation, Shot)>,
    /// Whether something was changed that is not part of the document yet.
    pub is_dirty: bool,
    /// Whether somebody is still in a field.
    pub is_active: bool,
    /// What a step is called that makes it part of the document.
    pub step: &'static str,
    /// Whether a field has something in it that cannot be.
    pub is_wrong: bool,
    /// Whether a number of the selected handle is being changed, which the motion follows at once.
    pub live: bool,
}

impl Draft {
    /// Takes a field in: what it did, and what the step is called if it changed something.
    pub fn field(&mut self, response: &Response, step: &'static str) {
        self.is_active |= response.has_focus() || response.dragged();
        if response.changed() {
            self.change(step);
        }
    }

    /// Something was changed by a button.
    pub fn change(&mut self, step: &'static str) {
        (self.is_dirty, self.step) = (true, step);
    }

    /// Says that a field has something in it that cannot be; nothing is taken until it is mended.
    pub fn refuse(&mut self, ui: &mut Ui, words: &str) {
        self.is_wrong = true;
        field_error(ui, words);
    }
}
