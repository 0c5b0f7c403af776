//! Why the material of a motion was not recovered; each names the culprit and the way out.

use crate::body::BodyError;
use crate::error::ShotError;
use crate::motion::MotionError;
use crate::open::{InShot, OpenError};
use crate::outputs::Overwrites;
use crate::simulate::SimulateError;
use std::io;
use std::path::PathBuf;
use supple_elastic::{EigenError, ElasticError, WarpError};
use supple_model::{Cancelled, Frame, FrameError};
use supple_spacetime::RecoveryError;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum RecoverFailed {
    /// The shot cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A file that is read was to be written.
    #[error(transparent)]
    Output(#[from] Overwrites),
    /// It tells nothing of a material.
    #[error(transparent)]
    Recover(#[from] InShot<RecoverError>),
}

/// Why a motion tells nothing of a material.
#[derive(Debug, thiserror::Error)]
pub enum RecoverError {
    /// Frames there are not.
    #[error(
        "--frames {from}..{to}: the motion has frames {first} to {last}, and it takes two of them, in this order"
    )]
    Frames {
        /// What was asked for,
        from: i32,
        /// up to here.
        to: i32,
        /// The first there is.
        first: i32,
        /// The last.
        last: i32,
    },
    /// The input moves the skin.
    #[error("the input motion moves the skin, not the body; set `fit = true` in [motion]")]
    Skin,
    /// A number that is none.
    #[error(
        "{frame} of the input motion has a coordinate that is not a finite number; choose --frames without it"
    )]
    NotFinite {
        /// The frame.
        frame: Frame,
    },
    /// All frames are pushed, or nearly.
    #[error(
        "{problem}; loads, contacts and moving anchors push it: choose --frames in which it swings freely"
    )]
    Loaded {
        /// How many are not.
        problem: RecoveryError,
    },
    /// The motion tells nothing, for another reason.
    #[error("{problem}; choose other --frames")]
    Motion {
        /// Why.
        problem: RecoveryError,
    },
    /// A motion that is told by too few frames.
    #[error("{problem}; give the motion with more frames per second")]
    Fast {
        /// How fast it is.
        problem: RecoveryError,
    },
    /// The motion does not fit into memory.
    #[error(transparent)]
    Input(#[from] MotionError),
    /// A frame cannot be read.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// A load that is nowhere.
    #[error(transparent)]
    Loads(#[from] SimulateError),
    /// The body cannot be had of another material.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// Its elements cannot.
    #[error(transparent)]
    Elements(#[from] ElasticError),
    /// Its modes cannot be found.
    #[error(transparent)]
    Modes(#[from] EigenError),
    /// It cannot be warped.
    #[error(transparent)]
    Warp(#[from] WarpError),
    /// The next shot cannot be written.
    #[error(transparent)]
    Shot(#[from] ShotError),
    /// Nor can a file beside it.
    #[error("cannot write {}: {source}", file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Stopped by its owner.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl RecoverError {
    /// What is wrong with a motion whose first frame is number `first`, in the words of its shot.
    pub(super) fn of(problem: RecoveryError, first: i32) -> Self {
        match problem {
            RecoveryError::Cancelled(cancelled) => cancelled.into(),
            RecoveryError::NotFinite { frame } => {
                let after = i32::try_from(frame).unwrap_or(i32::MAX);
                Self::NotFinite { frame: Frame(first.saturating_add(after)) }
            }
            RecoveryError::Loaded { .. } => Self::Loaded { problem },
            RecoveryError::Fast { .. } => Self::Fast { problem },
            problem => Self::Motion { problem },
        }
    }
}
