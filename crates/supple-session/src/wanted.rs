//! What a window wants to see.

use crate::Generation;
use std::sync::Arc;
use supple_project::method::{PoseAsk, Shove};
use supple_project::{Cache, Shot};

/// What the window wants to see.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The state of the document.
    pub generation: Generation,
    /// The shot in that state.
    pub shot: Arc<Shot>,
    /// Where what is computed for it is kept.
    pub cache: Cache,
    /// The handle that is being dragged, by its place in the shot. Its goal there says where to.
    pub hand: Option<usize>,
    /// The frame that is edited, counted from 0.
    pub frame: usize,
    /// The frame that is played, counted from 0; `None` while nothing plays.
    pub playing: Option<usize>,
    /// Whether the frames of the input are wanted too.
    pub input: bool,
    /// Whether it is wanted how far the frames are strained.
    pub strain: bool,
    /// A vertex of which it should be known how far the edit moves it in the frame that is edited.
    pub probe: Option<u32>,
    /// What else is wanted, when there is time.
    pub extras: Arc<Extras>,
    /// The pose that is being made; nothing is edited meanwhile.
    pub pose: Option<Arc<PoseAsk>>,
    /// A hand that pushes the body while it plays.
    pub shove: Option<Shove>,
}

/// What is seen of a motion at once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extras {
    /// Frames that are shown together, counted from 0.
    pub strobe: Vec<usize>,
    /// Vertices whose ways through all frames are shown.
    pub traces: Vec<u32>,
}

impl Wanted {
    /// Whether the same edit is wanted, whatever the frames.
    pub(crate) fn is_same_edit(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shot, &other.shot) && self.hand == other.hand && self.pose == other.pose
    }

    /// What is wanted with the frames: the input, the strain.
    pub(crate) fn with(&self) -> [bool; 2] {
        [self.input, self.strain]
    }

    /// Whether this is the same wish.
    pub(crate) fn is(&self, other: &Self) -> bool {
        let frames =
            |wanted: &Self| (wanted.generation, wanted.frame, wanted.playing, wanted.with(), wanted.probe);
        self.is_same_edit(other)
            && frames(self) == frames(other)
            && self.extras == other.extras
            && self.shove == other.shove
    }
}
