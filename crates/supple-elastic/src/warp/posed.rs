//! A frame under an edit: what all points have in common that are read there.

use super::Warp;
use super::cells::Slopes;
use super::floating::Rigid;
use super::input::InputFrame;
use super::target::Slope;

/// A frame under an edit.
pub(super) struct Posed<'a> {
    pub frame: &'a InputFrame,
    /// What the edit does to floating components as wholes,
    pub rigid: Rigid<'a>,
    /// and to every place.
    pub slopes: Slopes<'a>,
}

impl Warp {
    /// Puts a frame under the edit p, three numbers per vertex, for as long as `read` reads it; `often` says whether
    /// it reads many points there.
    pub(super) fn with_posed<T>(
        &self,
        frame: &InputFrame,
        edit: &[f64],
        often: bool,
        read: impl FnOnce(&Posed<'_>) -> T,
    ) -> T {
        let rigid = self.rigid(frame, edit);
        let shape = self.shape_of(&rigid, edit);
        let edited = frame.edited(&shape);
        if !often {
            return read(&Posed { frame, rigid, slopes: Slopes::Found(edited) });
        }
        self.with_room(|room| {
            room.slopes.resize(self.places(), Slope::default());
            self.cells.slopes(edited, &mut room.slopes);
            read(&Posed { frame, rigid, slopes: Slopes::Known(&room.slopes) })
        })
    }
}
