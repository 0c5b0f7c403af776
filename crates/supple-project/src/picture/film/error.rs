//! What keeps a motion from being drawn.

use crate::contacts::ContactsError;
use crate::method::drag::EditError;
use crate::motion::MotionError;
use crate::source::SourceError;
use supple_model::{Cancelled, Frame, FrameError, VertexId};

/// Why a motion cannot be drawn.
#[derive(Debug, thiserror::Error)]
pub enum FilmError {
    /// The input motion of a shot.
    #[error(transparent)]
    Motion(#[from] MotionError),
    /// A file.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The edit of a shot.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// The contacts of a shot.
    #[error(transparent)]
    Contacts(#[from] ContactsError),
    /// A frame that cannot be read.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// The caller cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The motion is of the skin.
    #[error("the motion only has the skin, so the body cannot be drawn")]
    SkinOnly,
    /// A frame that the motion has not.
    #[error("there is no {frame}; the motion has frames {first} to {last}")]
    NoFrame {
        /// The frame asked for.
        frame: Frame,
        /// The first there is.
        first: i32,
        /// The last.
        last: i32,
    },
    /// A joint that the surface has not.
    #[error("there is no joint {joint:?} to be seen; {advice}")]
    NoJoint {
        /// The joint asked for.
        joint: String,
        /// What to do.
        advice: String,
    },
    /// A vertex that the surface has not.
    #[error("there is no {vertex}; the drawn surface has {vertices} vertices, counted from 0")]
    NoVertex {
        /// The vertex asked for.
        vertex: VertexId,
        /// How many there are.
        vertices: usize,
    },
}
