//! What keeps a motion from being controlled, each naming the culprit and the way out.

use crate::shot::When;
use crate::site::SiteError;
use std::path::PathBuf;
use supple_elastic::KeyBasisError;

/// What keeps a motion from being controlled.
#[derive(Debug, thiserror::Error)]
pub enum ControlError {
    /// A motion that is there already.
    #[error(
        "`input` of [motion]: the method \"control\" makes a motion from rest; write `input = \"rest\"`, or choose another \
         method"
    )]
    Input,
    /// Points cannot be asked for.
    #[error(
        "handle {handle}: the method \"control\" takes whole poses; write [[edit.pose]], or choose the method \"sparse\""
    )]
    Handle {
        /// Which, the first 1.
        handle: usize,
    },
    /// A point that is nowhere on the body.
    #[error("the point that is pushed: {problem}")]
    Pushed {
        /// What is wrong with it.
        problem: SiteError,
    },
    /// Nothing is asked for.
    #[error("{}has no key pose to go to; add {}", of_segment(*segment, "the motion "), block(*segment))]
    NoPose {
        /// The segment, the first 1; none if it is all of the motion.
        segment: Option<usize>,
    },
    /// A loop.
    #[error(
        "`ends = \"loop\"` is for the other methods; a motion of \"control\" begins somewhere; remove it"
    )]
    Loop,
    /// A length that is no number of frames.
    #[error("segment {segment}: `frames` must be a whole number with the method \"control\", got {frames}")]
    Frames {
        /// Which, the first 1.
        segment: usize,
        /// How many.
        frames: f64,
    },
    /// A part that is longer than any motion.
    #[error("{}{frames} frames are more than the method \"control\" makes, {most}; lower `frames`", of_segment(*segment, ""))]
    TooManyFrames {
        /// Which segment, the first 1; none if it is all of the motion.
        segment: Option<usize>,
        /// How many.
        frames: usize,
        /// The most there can be.
        most: usize,
    },
    /// Nothing can move.
    #[error("{}the anchors hold the whole body; leave some of it free", of_segment(*segment, ""))]
    AllAnchored {
        /// Which segment, the first 1; none if it is all of the motion.
        segment: Option<usize>,
    },
    /// A pose between frames.
    #[error("pose {pose} is at {when}, but the method \"control\" takes poses at whole frames")]
    NotWhole {
        /// Which, the first 1.
        pose: usize,
        /// When.
        when: When,
    },
    /// A pose that is nowhere in the motion.
    #[error("pose {pose} is at {when}, but the motion has frames {first} to {last}")]
    Outside {
        /// Which, the first 1.
        pose: usize,
        /// When.
        when: When,
        /// The first frame.
        first: i32,
        /// The last.
        last: i32,
    },
    /// A pose where the motion is given.
    #[error(
        "pose {pose} is at {when}, where the motion is given; move it to a later frame, or free the start"
    )]
    AtStart {
        /// Which, the first 1.
        pose: usize,
        /// When.
        when: When,
    },
    /// A component that the basis does not have.
    #[error("pose {pose}: there is no component {component}; the basis has {count}, counted from 1")]
    Component {
        /// Which, the first 1.
        pose: usize,
        /// The culprit.
        component: usize,
        /// How many there are.
        count: usize,
    },
    /// Poses of one frame that cannot be met together.
    #[error(
        "pose {pose} is at the frame of pose {other}; give both a number as `hold`, or both none, and each its own `group`"
    )]
    Together {
        /// Which, the first 1.
        pose: usize,
        /// The other.
        other: usize,
    },
    /// A path for a body that cannot follow it.
    #[error(
        "`rigid` of [edit.control] moves a body that nothing holds, and this one has anchors; remove one of them"
    )]
    Anchored,
    /// A path that cannot be used.
    #[error("{}: {problem}", file.display())]
    Rigid {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// Recorded shapes of something else.
    #[error("{}: {found} vertices, but the body has {expected}", file.display())]
    Recorded {
        /// The file.
        file: PathBuf,
        /// How many it has.
        found: usize,
        /// How many the body has.
        expected: usize,
    },
    /// There is no basis.
    #[error("{}{problem}", of_segment(*segment, ""))]
    Basis {
        /// Which segment, the first 1; none if it is all of the motion.
        segment: Option<usize>,
        /// Why not.
        problem: KeyBasisError,
    },
    /// A pose that the published solver cannot hold exactly.
    #[error(
        "pose {pose}: `solver = \"cg\"` needs soft key poses, and this one is hard; give it a number as `hold`"
    )]
    Hard {
        /// Which, the first 1.
        pose: usize,
    },
    /// The solver cannot.
    #[error("{}{problem}", culprit(*segment, *pose))]
    Solver {
        /// Which segment, the first 1; none if it is all of the motion.
        segment: Option<usize>,
        /// Which pose, the first 1; none if it is no pose.
        pose: Option<usize>,
        /// Why not.
        problem: supple_spacetime::ControlError,
    },
    /// Forces that are of another motion.
    #[error("{}: {problem}", file.display())]
    Forces {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        problem: ForcesProblem,
    },
}

/// Why forces cannot be replayed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ForcesProblem {
    /// Not a table of forces.
    #[error("{0}")]
    Table(String),
    /// Of another basis.
    #[error(
        "these forces are of another basis ({found}) than that of this shot ({expected}): its poses, body or settings have \
         changed since; solve it again with --forces"
    )]
    OtherBasis {
        /// The name of theirs.
        found: String,
        /// The name of this one.
        expected: String,
    },
    /// Of a motion of another length.
    #[error("there are forces for {found} frames, but this motion takes {expected}")]
    Frames {
        /// How many there are.
        found: usize,
        /// How many are needed.
        expected: usize,
    },
}

fn of_segment(segment: Option<usize>, otherwise: &str) -> String {
    segment.map_or_else(|| otherwise.to_owned(), |segment| format!("segment {segment}: "))
}

fn block(segment: Option<usize>) -> &'static str {
    if segment.is_some() { "[[edit.segment.pose]]" } else { "[[edit.pose]]" }
}

fn culprit(segment: Option<usize>, pose: Option<usize>) -> String {
    match (segment, pose) {
        (_, Some(pose)) => format!("pose {pose}: "),
        (segment, None) => of_segment(segment, ""),
    }
}
