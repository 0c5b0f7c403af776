//! Why a material cannot be optimised.

use crate::SpacetimeError;
use supple_model::{Cancelled, Instant};

/// A number that was given and cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaterialQuantity {
    /// The size of the body.
    Size,
    /// Frames in which the first shape swings once.
    Period,
    /// How far frequencies may go.
    Range,
    /// How far in space an edit spreads.
    Space,
    /// The least damping.
    Floor,
    /// The least gain of a round.
    Gain,
    /// A tolerance.
    Tolerance,
}

impl std::fmt::Display for MaterialQuantity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Size => "the size of the body must be positive",
            Self::Period => "the period must be a positive number of frames",
            Self::Range => "the range of frequencies must be a factor of at least 1",
            Self::Space => "the spread in space must be finite and not too large",
            Self::Floor => "the least damping must be at least 0",
            Self::Gain => "the least gain of a round must be at least 0",
            Self::Tolerance => "a tolerance must be positive",
        })
    }
}

/// Why a material cannot be optimised.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MaterialError {
    /// What is wrong with modes, frames, handles or contacts.
    #[error(transparent)]
    Spacetime(#[from] SpacetimeError),
    /// A number is not finite, or has the wrong sign.
    #[error("{quantity}, got {value}")]
    BadNumber {
        /// Which.
        quantity: MaterialQuantity,
        /// What it is.
        value: f64,
    },
    /// A material of no shapes moves nothing.
    #[error("a material needs at least one shape")]
    NoShapes,
    /// There are not so many shapes to be made of the modes there are.
    #[error(
        "{shapes} shapes cannot be made of {modes} modes that are not rigid; lower `shapes` or raise `modes`"
    )]
    TooManyShapes {
        /// How many are asked for.
        shapes: usize,
        /// How many modes there are beside the rigid ones.
        modes: usize,
    },
    /// Modes are not in the order of their eigenvalues.
    #[error("mode {mode} is slower than the one before; modes must be in the order of their eigenvalues")]
    NotAscending {
        /// The mode, counted from 0.
        mode: usize,
    },
    /// Only force says which material is the better one.
    #[error("a material is optimised for the least force; its kernel must have the energy of forces")]
    NotOfForces,
    /// A pose or a material of another number of modes.
    #[error("{what} has {found} numbers for {modes} modes")]
    ModeCount {
        /// The pose or the material.
        what: MaterialPart,
        /// How many it has.
        found: usize,
        /// How many there are.
        modes: usize,
    },
    /// A number of a pose is not finite, or its weight is not positive.
    #[error("pose {pose} has a number that cannot be used: {value}")]
    BadPose {
        /// Which, counted from 0.
        pose: usize,
        /// What it is.
        value: f64,
    },
    /// Nothing can be asked at the time of a pose.
    #[error("pose {pose} at frame {at}: {problem}")]
    PoseTime {
        /// Which, counted from 0.
        pose: usize,
        /// When.
        at: Instant,
        /// Why not.
        problem: crate::FrameProblem,
    },
    /// Shapes that are not orthonormal, or do not leave rigid modes as they are.
    #[error(
        "the shapes of the material do not belong to this body: they must be orthonormal, rigid modes among them"
    )]
    ForeignShapes,
    /// A material of another number of stiffnesses than shapes.
    #[error("the material has {shapes} shapes, but stiffness and damping of {modes}")]
    ShapeCount {
        /// Its shapes.
        shapes: usize,
        /// Its stiffnesses.
        modes: usize,
    },
}

/// What has a number for each mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaterialPart {
    /// A pose, counted from 0.
    Pose(usize),
    /// The shapes of a material.
    Shapes,
}

impl std::fmt::Display for MaterialPart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Pose(pose) => write!(f, "pose {pose}"),
            Self::Shapes => f.write_str("a shape of the material"),
        }
    }
}

impl From<Cancelled> for MaterialError {
    fn from(cancelled: Cancelled) -> Self {
        Self::Spacetime(cancelled.into())
    }
}
