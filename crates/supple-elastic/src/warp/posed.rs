//! A frame under an edit: what all points have in common that are read there.

use super::Warp;
use super::cells::Edited;
use super::floating::Rigid;
use super::input::InputFrame;
use super::target::Slope;

/// A frame under an edit.
pub(super) struct Posed<'a> {
    pub frame: &'a InputFrame,
    /// What the edit does to floating components as wholes,
    pub rigid: Rigid<'a>,
    /// and to every place.
    pub slopes: Vec<Slope>,
}

impl Warp {
    /// Puts a frame under the edit p, three numbers per vertex, for as long as `read` reads it.
    pub(super) fn with_posed<T>(
        &self,
        frame: &InputFrame,
        edit: &[f64],
        read: impl FnOnce(&Posed<'_>) -> T,
    ) -> T {
        let rigid = self.rigid(frame, edit);
        let shape = self.shape_of(&rigid, edit);
        let edited = Edited { input: frame.seen(), turns: &frame.turns, edit: &shape };
        self.with_room(|room| {
            let mut slopes = std::mem::take(&mut room.slopes);
            slopes.resize(self.places(), Slope::default());
            self.cells.slopes(edited, &mut slopes);
            let posed = Posed { frame, rigid, slopes };
            let read = read(&posed);
            room.slopes = posed.slopes;
            read
        })
    }
}
