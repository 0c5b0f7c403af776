//! Why a motion cannot be edited, each naming the culprit and the way out.

use crate::contacts::ContactsError;
use crate::error::ShotError;
use crate::motion::MotionError;
use crate::shot::When;
use crate::simulate::SimulateError;
use crate::site::SiteError;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use supple_elastic::{EigenError, ElasticError, WarpError};
use supple_formats::FormatError;
use supple_mesh::SelectError;
use supple_model::{Cancelled, FrameError, VertexId};
use supple_spacetime::SpacetimeError;

/// Why a motion cannot be edited.
#[derive(Debug, thiserror::Error)]
pub enum EditError {
    /// A method that another command serves, or none yet.
    #[error("this version cannot solve `method = {method:?}`; write `method = \"drag\"` in [edit]")]
    Method {
        /// Its word.
        method: &'static str,
    },
    /// A whole-body key, which `drag` does not know.
    #[error("`method = \"drag\"` does not use `[[edit.pose]]`; use handles, or another method")]
    Pose,
    /// Keys cannot be made a motion.
    #[error(transparent)]
    Sparse(#[from] super::sparse::SparseError),
    /// A motion cannot be controlled.
    #[error(transparent)]
    Control(Box<super::control::ControlError>),
    /// The material of a motion cannot be chosen.
    #[error(transparent)]
    Material(#[from] super::material::MaterialError),
    /// The character cannot be had.
    #[error(transparent)]
    Character(Box<crate::character::CharacterError>),
    /// The file of a skeleton is asked for, and the motion does not come from one.
    #[error(
        "{}: the motion does not come from a .bvh, so there is no skeleton to write; choose another ending",
        file.display()
    )]
    NoSkeleton {
        /// What was to be written.
        file: PathBuf,
    },
    /// The body cannot be had.
    #[error(transparent)]
    NoBody(Box<crate::body::BodyError>),
    /// A pose cannot be had.
    #[error(transparent)]
    KeyPose(#[from] crate::key_poses::KeyPoseError),
    /// The anchors of a segment mean nothing.
    #[error("segment {segment}: {problem}")]
    Segment {
        /// Which, the first 1.
        segment: usize,
        /// What is wrong with them.
        problem: Box<crate::body::BodyError>,
    },
    /// The shot cannot be written.
    #[error(transparent)]
    Shot(Box<ShotError>),
    /// The input motion cannot be used.
    #[error(transparent)]
    Motion(Box<MotionError>),
    /// The modes cannot be computed.
    #[error("{0}{hint}", hint = too_many(.0))]
    Modes(EigenError),
    /// A group that does not exist.
    #[error(transparent)]
    Group(#[from] SelectError),
    /// A part that is anchored as a whole.
    #[error("nothing can move in `part = {part:?}`: all of its vertices are anchored")]
    NothingMoves {
        /// The part.
        part: String,
    },
    /// The anchors cannot be used.
    #[error(transparent)]
    Body(#[from] ElasticError),
    /// The body cannot be warped.
    #[error("the body cannot be warped: {0}; set `warp = false` in [edit] to edit without warp")]
    Warp(#[from] WarpError),
    /// The contacts cannot be used.
    #[error(transparent)]
    Contacts(Box<ContactsError>),
    /// A window that leaves the motion.
    #[error("`window = [{}, {}]` goes beyond the motion, which has frames {first} to {last}", window.start(), window.end())]
    Window {
        /// The culprit.
        window: RangeInclusive<i32>,
        /// The first frame of the motion.
        first: i32,
        /// The last.
        last: i32,
    },
    /// A setting of another method.
    #[error("`{key}` in [edit] is not for the method {method:?}; remove it")]
    Foreign {
        /// The setting.
        key: &'static str,
        /// The word of the method.
        method: &'static str,
    },
    /// A window of a loop has no meaning.
    #[error("a loop cannot have a window; remove `window` or `ends = \"loop\"`")]
    WindowOfLoop,
    /// An end of the window inside the motion that is free, where the edit would tear off.
    #[error(
        "the {end} of the window is frame {frame}, inside the motion, so it cannot be free; write `{end} = \
         \"clamped\"`, or extend the window to frame {of_motion}"
    )]
    FreeInside {
        /// `start` or `end`.
        end: &'static str,
        /// Where.
        frame: i32,
        /// The end of the motion on that side.
        of_motion: i32,
    },
    /// What is wrong with one handle.
    #[error("{handle}: {problem}")]
    Handle {
        /// Which.
        handle: String,
        /// What is wrong with it.
        problem: Box<HandleProblem>,
    },
    /// There is no such handle.
    #[error("there is no {0}")]
    NoHandle(super::drag::HandleKey),
    /// A drag without a handle.
    #[error("no handle is being dragged")]
    EmptyHand,
    /// The kernel of spacetime or its rows.
    #[error(transparent)]
    Spacetime(SpacetimeError),
    /// A frame cannot be read or written.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// Stopped by the caller.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl From<super::control::ControlError> for EditError {
    fn from(error: super::control::ControlError) -> Self {
        Self::Control(Box::new(error))
    }
}

impl From<supple_spacetime::MaterialError> for EditError {
    fn from(error: supple_spacetime::MaterialError) -> Self {
        match error {
            supple_spacetime::MaterialError::Spacetime(error) => error.into(),
            error => super::material::MaterialError::Solver(Box::new(error)).into(),
        }
    }
}

impl From<crate::character::CharacterError> for EditError {
    fn from(error: crate::character::CharacterError) -> Self {
        match error {
            crate::character::CharacterError::Cancelled(cancelled) => Self::Cancelled(cancelled),
            error => Self::Character(Box::new(error)),
        }
    }
}

/// What is wrong with a handle.
#[derive(Debug, thiserror::Error)]
pub enum HandleProblem {
    /// It holds nothing that exists.
    #[error(transparent)]
    Site(#[from] SiteError),
    /// It stands at a frame there is none of.
    #[error("there is no frame {frame}; the motion has frames {first} to {last}")]
    OutsideMotion {
        /// The culprit.
        frame: i32,
        /// The first frame of the motion.
        first: i32,
        /// The last.
        last: i32,
    },
    /// It stands between frames, or in a segment.
    #[error("it is at {when}, but `method = \"drag\"` takes whole frames of the scene")]
    NotWhole {
        /// When.
        when: When,
    },
    /// It stands at a frame that must not change.
    #[error("frame {frame} is outside `window = [{first}, {last}]`")]
    OutsideWindow {
        /// The culprit.
        frame: i32,
        /// The first frame of the window.
        first: i32,
        /// The last.
        last: i32,
    },
    /// It stands at a clamped end.
    #[error(
        "frame {frame} is clamped, so it cannot be edited; move the handle to another frame, or free that \
         end with `ends`"
    )]
    Clamped {
        /// The culprit.
        frame: i32,
    },
    /// It holds what cannot move.
    #[error(
        "{vertex} is anchored and cannot move; choose another vertex, or release it: remove it from its \
         group, or from `anchors` in [body] (the group \"still\" contains vertices that never move in the \
         input)"
    )]
    Anchored {
        /// The culprit.
        vertex: VertexId,
    },
    /// It holds what is outside the part that may change.
    #[error(
        "{vertex} is outside `part = {part:?}` and cannot move; choose a vertex inside, or change `part`"
    )]
    OutsidePart {
        /// The culprit.
        vertex: VertexId,
        /// The part.
        part: String,
    },
    /// A number that is not finite.
    #[error("its target {value} is not a finite number")]
    NotFinite {
        /// The culprit.
        value: f64,
    },
    /// A firmness that is none.
    #[error("`hold` must be \"hard\" or greater than 0, got {weight}")]
    Weight {
        /// The culprit.
        weight: f64,
    },
    /// What is asked cannot be asked of coordinates.
    #[error("{}", clash(goal, key))]
    Together {
        /// What is asked.
        goal: &'static str,
        /// What it does not go with.
        key: &'static str,
    },
    /// Something that keys cannot ask for.
    #[error("`{goal}` is for the method \"drag\"; ask for positions at single times")]
    NotForKeys {
        /// What is asked.
        goal: &'static str,
    },
    /// Something that only characters are asked.
    #[error("`{goal}` is for the method \"character\", and this shot's method is {method:?}")]
    ForCharacters {
        /// What is asked.
        goal: &'static str,
        /// The word of the method.
        method: &'static str,
    },
    /// The centre of mass is held in flight.
    #[error(
        "the centre of mass falls freely in a flight and cannot be held; ask for it in the segment before"
    )]
    Falls,
    /// It stands where the motion is given.
    #[error("it is at {when}, where the motion is given; move it to another time, or free that end")]
    Given {
        /// When.
        when: When,
    },
    /// It stands outside of the motion, or between frames there.
    #[error("it is at {when}, but the motion has frames {first} to {last}")]
    OutsideTimes {
        /// When.
        when: When,
        /// The first frame of the motion.
        first: i32,
        /// The last.
        last: i32,
    },
    /// It stands outside of its segment.
    #[error("it is at {when}, but the segment is {length:.3} frames long")]
    OutsideSegment {
        /// When.
        when: When,
        /// Frames of the segment.
        length: f64,
    },
    /// More is to hold exactly than can.
    #[error(
        "{numbers} numbers are to hold exactly at {when}, but there are {modes} modes; raise `modes`, or give \
         handles there a number as `hold`"
    )]
    TooMany {
        /// How many are asked for.
        numbers: usize,
        /// When.
        when: When,
        /// How many modes there are.
        modes: usize,
    },
    /// It holds a joint there is none of.
    #[error("there is no joint {name:?}{}", nearest.as_ref().map_or_else(String::new, |near| format!("; did you mean {near:?}?")))]
    NoJoint {
        /// What it is called.
        name: String,
        /// What may have been meant.
        nearest: Option<String>,
    },
    /// It asks for something that a character does not have.
    #[error("`{site}` cannot be asked of a character; hold a `joint` or the centre of mass")]
    NotOfCharacter {
        /// The key.
        site: &'static str,
    },
    /// The mesh it keeps out of, or inside of, cannot be used.
    #[error("{}: {problem}", file.display())]
    Zone {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// The file of its path cannot be read.
    #[error(transparent)]
    Track(#[from] FormatError),
    /// The motion of the skin cannot be read.
    #[error(transparent)]
    Skin(#[from] FrameError),
    /// The file of its path lacks a column.
    #[error("{}: a path needs the columns frame,x,y,z; {column:?} is missing", file.display())]
    Column {
        /// The file.
        file: PathBuf,
        /// The column.
        column: &'static str,
    },
}

/// Why a goal cannot be had together with a key, or be dragged.
fn clash(goal: &str, key: &str) -> String {
    match (goal, key) {
        ("path", "dragging") => "a handle that follows a path cannot be dragged; edit its file".to_owned(),
        (_, "dragging") => format!("a handle with `{goal}` cannot be dragged; edit its numbers"),
        _ => format!("`{goal}` cannot be combined with `{key}`; remove one of them"),
    }
}

impl From<ShotError> for EditError {
    fn from(error: ShotError) -> Self {
        Self::Shot(Box::new(error))
    }
}

// Whoever was stopped, it is the caller who stopped it.

impl From<MotionError> for EditError {
    fn from(error: MotionError) -> Self {
        match error {
            MotionError::Simulate(error) => match *error {
                SimulateError::Cancelled(cancelled) => Self::Cancelled(cancelled),
                other => Self::Motion(Box::new(other.into())),
            },
            other => Self::Motion(Box::new(other)),
        }
    }
}

impl From<ContactsError> for EditError {
    fn from(error: ContactsError) -> Self {
        match error {
            ContactsError::Cancelled(cancelled) => Self::Cancelled(cancelled),
            other => Self::Contacts(Box::new(other)),
        }
    }
}

impl From<EigenError> for EditError {
    fn from(error: EigenError) -> Self {
        match error {
            EigenError::Cancelled(cancelled) => Self::Cancelled(cancelled),
            other => Self::Modes(other),
        }
    }
}

impl From<SpacetimeError> for EditError {
    fn from(error: SpacetimeError) -> Self {
        match error {
            SpacetimeError::Cancelled(cancelled) => Self::Cancelled(cancelled),
            other => Self::Spacetime(other),
        }
    }
}

fn too_many(error: &EigenError) -> &'static str {
    match error {
        EigenError::TooMany { .. } => "; lower `modes` in [edit]",
        _ => "",
    }
}
