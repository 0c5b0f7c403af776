//! What the samples ask of characters, as constraints: plants and holds as they are, one drag that is still to be made.

use anyhow::Context;
use nalgebra::Vector3;
use supple_character::{Edit, Keys, Layer, Motion};
use supple_model::Progress;
use supple_project::shot::{Goal, Handle, Move};
use supple_project::{CharacterMethod, Shot};

/// An edit, and the constraint that is dragged.
pub struct Asked {
    /// All that is held.
    pub edit: Edit,
    /// Which of it is dragged.
    pub dragged: usize,
    /// How far.
    pub by: Vector3<f64>,
}

impl Asked {
    /// Changes only so many frames around what is dragged, with so many keys, and nothing at their ends.
    pub fn narrow(&mut self, frames: usize, keys: usize) {
        let (first, last) = self.edit.constraints[self.dragged].frames;
        let layer = &mut self.edit.layers[0];
        let start = ((first + last) / 2).saturating_sub(frames / 2).max(layer.window.0);
        let window = (start, (start + frames - 1).min(layer.window.1));
        *layer = Layer { keys: Keys::Count(keys), window, clamped: [true; 2], ..*layer };
    }
}

/// What a sample asks of its motion, but for its drags, of which the first is to be made.
pub fn asked(shot: &Shot) -> anyhow::Result<(Asked, Motion)> {
    let mut before = shot.clone();
    before.edit.handles.clear();
    let mut drag = None;
    for handle in &shot.edit.handles {
        let (goal, by) = undragged(&handle.goal);
        if by != Vector3::zeros() {
            if drag.is_some() {
                continue;
            }
            drag = Some((before.edit.handles.len(), by));
        }
        before.edit.handles.push(Handle { goal, ..handle.clone() });
    }
    let (dragged, by) = drag.context("samples have a drag")?;
    let method = CharacterMethod::open(&before, &Progress::silent())?;
    let asked = Asked { edit: method.edit().clone(), dragged, by };
    Ok((asked, method.character().motion.clone()))
}

/// A goal before it is dragged, and how far that is.
fn undragged(goal: &Goal) -> (Goal, Vector3<f64>) {
    match goal {
        Goal::By(by) => (Goal::By([0.0; 3]), Vector3::from(*by)),
        Goal::Stay { at: Some(Move::By(by)) } => {
            (Goal::Stay { at: Some(Move::By([0.0; 3])) }, Vector3::from(*by))
        }
        goal => (goal.clone(), Vector3::zeros()),
    }
}
