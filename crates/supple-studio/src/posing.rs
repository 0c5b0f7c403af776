//! A pose that is being made in the left view, and what is said of it.

use supple_session::{PoseDraft, Pull};

/// A pose that is being made.
#[derive(Debug)]
pub struct Posing {
    pub draft: PoseDraft,
    /// Which document it is for.
    pub document: usize,
    /// How the mouse pulls, and how far from rest what it holds was when it was taken.
    pub pull: Option<(Pull, [f64; 3])>,
}

/// What the window says of a pose that is being made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PoseWords {
    /// The body is not there yet.
    Beginning,
    /// It still moves.
    Moving,
    /// It rests.
    Rests,
    /// It gives way.
    GivesWay,
}
