//! What keeps the material of a motion from being chosen, each naming the culprit and the way out.

use std::path::PathBuf;

/// What keeps the material of a motion from being chosen.
#[derive(Debug, thiserror::Error)]
pub enum MaterialError {
    /// A pose of a part.
    #[error(
        "pose {pose}: the method \"material\" takes poses of the whole body; remove `group`, or use handles"
    )]
    Group {
        /// Which, the first 1.
        pose: usize,
    },
    /// A pose with a velocity.
    #[error(
        "pose {pose}: the method \"material\" takes no `velocity`; remove it, or write the pose at two frames"
    )]
    Velocity {
        /// Which, the first 1.
        pose: usize,
    },
    /// A pose that turns elements inside out.
    #[error("pose {pose} turns {count} elements of the body inside out; give it another shape")]
    Inverted {
        /// Which, the first 1.
        pose: usize,
        /// How many, which are not in the input.
        count: usize,
    },
    /// A pose at an end that must not change.
    #[error(
        "pose {pose}: frame {frame} is clamped; move the pose to another frame, or free that end with `ends`"
    )]
    Clamped {
        /// Which, the first 1.
        pose: usize,
        /// The scene's number.
        frame: i32,
    },
    /// A pose at a frame that must not change.
    #[error("pose {pose}: frame {frame} is outside `window = [{first}, {last}]`")]
    OutsideWindow {
        /// Which, the first 1.
        pose: usize,
        /// The scene's number.
        frame: i32,
        /// The first that may change.
        first: i32,
        /// The last.
        last: i32,
    },
    /// Nothing reads where the handles are.
    #[error("the points that handles hold cannot be read on the warped body")]
    NotRead,
    /// The material cannot be chosen.
    #[error(transparent)]
    Solver(Box<supple_spacetime::MaterialError>),
    /// A file that is no table of a material.
    #[error("`file` of [edit.material]: {0}")]
    Table(Box<supple_formats::FormatError>),
    /// A file of a material that is not this body's.
    #[error(
        "`file` of [edit.material]: {}: {problem}; give the table that `supple recover` wrote for this body, or remove `file`",
        file.display()
    )]
    File {
        /// The file.
        file: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// More shapes than modes there are.
    #[error(
        "{shapes} shapes cannot be made of {modes} modes that deform the body; lower `shapes` in [edit.material], or raise \
         `modes` in [edit]"
    )]
    Shapes {
        /// How many are asked for.
        shapes: usize,
        /// How many modes there are.
        modes: usize,
    },
}
