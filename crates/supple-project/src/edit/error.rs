//! Why the edits of a shot were not changed.

use crate::error::ShotError;
use crate::method::{EditError, HandleProblem};
use crate::motion::MotionError;
use crate::open::{InShot, OpenError};
use crate::source::SourceError;
use std::path::PathBuf;
use supple_mesh::SelectError;

/// Why the edits of a shot were not changed.
#[derive(Debug, thiserror::Error)]
pub enum EditFailed {
    /// The shot cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The file of its motion does not tell its unit and axes.
    #[error(transparent)]
    Space(#[from] SourceError),
    /// There is no motion to put a handle on.
    #[error(transparent)]
    Motion(#[from] InShot<MotionError>),
    /// There is no such group.
    #[error(transparent)]
    Group(#[from] InShot<SelectError>),
    /// The handle cannot be put there.
    #[error(transparent)]
    Handle(#[from] InShot<HandleProblem>),
    /// What holds the body there means nothing.
    #[error(transparent)]
    Anchors(#[from] InShot<EditError>),
    /// There is no vertex at all.
    #[error("the motion has no vertices")]
    NoVertices,
    /// There is no such vertex.
    #[error("{}: there is no vertex {vertex}; there are {vertices} vertices, counted from 0", shot.display())]
    NoVertex {
        /// The shot file.
        shot: PathBuf,
        /// What was asked for.
        vertex: u32,
        /// How many there are.
        vertices: usize,
    },
    /// There is no such handle.
    #[error("{}: there is no handle {handle}; the shot has {handles}", shot.display())]
    NoHandle {
        /// The shot file.
        shot: PathBuf,
        /// What was asked for, counted from 1.
        handle: usize,
        /// How many there are.
        handles: usize,
    },
    /// A handle that cannot be moved.
    #[error(
        "{}: handle {handle} asks for `{asks}`, which is at no place and cannot be moved; change it in the shot file",
        shot.display()
    )]
    NotMoved {
        /// The shot file.
        shot: PathBuf,
        /// Which, counted from 1.
        handle: usize,
        /// What it asks for: its key in the file.
        asks: &'static str,
    },
    /// There is no such segment.
    #[error("{}: there is no segment {segment}; the shot has {segments}", shot.display())]
    NoSegment {
        /// The shot file.
        shot: PathBuf,
        /// What was asked for, counted from 1.
        segment: usize,
        /// How many there are.
        segments: usize,
    },
    /// A frame of the scene, where every handle belongs to a segment.
    #[error(
        "{}: the shot has {segments} segments, which count their own frames; use --segment and --at instead \
         of --frame",
        shot.display()
    )]
    FrameBesideSegments {
        /// The shot file.
        shot: PathBuf,
        /// How many segments there are.
        segments: usize,
    },
    /// A time after the end of a segment.
    #[error("{}: --at {at} is after the end of segment {segment}, which has {frames} frames", shot.display())]
    OutsideSegment {
        /// The shot file.
        shot: PathBuf,
        /// The segment, counted from 1.
        segment: usize,
        /// The culprit.
        at: f64,
        /// How long it is.
        frames: f64,
    },
    /// A time between frames, where the method takes none.
    #[error(
        "{}: --frame {time} is between frames, but the method {method:?} takes whole frames only",
        shot.display()
    )]
    Between {
        /// The shot file.
        shot: PathBuf,
        /// The culprit.
        time: f64,
        /// The word of the method.
        method: &'static str,
    },
    /// How edits feel, of a method that knows nothing of it.
    #[error(
        "{}: --feel, --reach and --spread are for the method \"drag\", and this shot's method is {method:?}",
        shot.display()
    )]
    NotFelt {
        /// The shot file.
        shot: PathBuf,
        /// The word of its method.
        method: &'static str,
    },
    /// A vertex of a character.
    #[error("{}: a character has joints, not vertices; use --joint, as in --joint LeftHand", shot.display())]
    NoMesh {
        /// The shot file.
        shot: PathBuf,
    },
    /// What only a character can do, of another body.
    #[error("{}: --stay, --layer and --prop are for a character, and this body's kind is {kind:?}", shot.display())]
    NoCharacter {
        /// The shot file.
        shot: PathBuf,
        /// The word of its kind.
        kind: &'static str,
    },
    /// There is no such joint.
    #[error("{}: there is no joint {joint:?}; {advice}", shot.display())]
    NoJoint {
        /// The shot file.
        shot: PathBuf,
        /// What was asked for.
        joint: String,
        /// Which there are.
        advice: String,
    },
    /// There is no such layer.
    #[error("{}: there is no layer {layer:?}; {advice}", shot.display())]
    NoLayer {
        /// The shot file.
        shot: PathBuf,
        /// What was asked for.
        layer: String,
        /// Which there are.
        advice: String,
    },
    /// A plant of one frame.
    #[error("--stay needs the last frame to stay until, as in --frame {frame} --until {}", frame.saturating_add(12))]
    StaysForNone {
        /// Its only frame.
        frame: i32,
    },
    /// A handle that ends before it begins.
    #[error("--until {until} is before --frame {frame}")]
    EndsBefore {
        /// Its first frame.
        frame: i32,
        /// Its last.
        until: i32,
    },
}

impl From<ShotError> for EditFailed {
    fn from(error: ShotError) -> Self {
        OpenError::from(error).into()
    }
}
