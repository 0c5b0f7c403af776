//! What touches the body.

use crate::{Frame, VertexId};

/// A vertex of the body that touches something at a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// When.
    pub frame: Frame,
    /// What of the body touches.
    pub vertex: VertexId,
    /// The unit normal of what is touched, pointing to the body.
    pub normal: [f64; 3],
    /// Whether it moves along.
    pub kind: ContactKind,
}

/// What a contact allows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ContactKind {
    /// It touches, and may move along.
    #[default]
    Slide,
    /// It stays where it is.
    Stick,
}

impl ContactKind {
    /// Its word in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Slide => "slide",
            Self::Stick => "stick",
        }
    }
}
