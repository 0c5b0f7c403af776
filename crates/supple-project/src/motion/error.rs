//! Why a shot has no input motion; each names the file or part of the shot to blame.

use crate::body::OtherBody;
use crate::outputs::Overwrites;
use crate::simulate::SimulateError;
use crate::source::SourceError;
use std::path::PathBuf;
use supple_elastic::WarpError;
use supple_formats::{FormatError, TooMuchMemory};
use supple_model::{Cancelled, Frame, FrameError};

/// Why a shot has no input motion.
#[derive(Debug, thiserror::Error)]
pub enum MotionError {
    /// The file could not be read.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// More than fits into this machine.
    #[error("{problem}; {way_out}")]
    Memory {
        /// What does not fit.
        problem: TooMuchMemory,
        /// What to do about it.
        way_out: &'static str,
    },
    /// A file that is read was to be written.
    #[error(transparent)]
    Overwrites(#[from] Overwrites),
    /// The file is of something else.
    #[error(transparent)]
    OtherBody(#[from] OtherBody),
    /// The file ends too soon.
    #[error(
        "{}: the motion has {found} frames, but [motion] asks for {asked}; lower `frames` or remove it",
        file.display()
    )]
    TooFewFrames {
        /// The file.
        file: PathBuf,
        /// Its frames.
        found: usize,
        /// Those the shot asks for.
        asked: usize,
    },
    /// A motion that is not in a file.
    #[error("the shot's input motion is not a file")]
    NoFile,
    /// The file does not tell what moves.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The body cannot follow its skin.
    #[error("cannot fit the body to the skin: {0}")]
    Fit(#[from] WarpError),
    /// Stopped by its owner.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// There is no such frame.
    #[error("there is no {frame}; the motion has {} to {}", Frame(*first), Frame(*last))]
    NoFrame {
        /// What was asked for.
        frame: Frame,
        /// The first there is.
        first: i32,
        /// The last.
        last: i32,
    },
    /// A skin was to be fitted to, and there is none.
    #[error("the body has no skin to fit; add one with `skin` in [body]")]
    NoSkin,
    /// A frame could not be read or written.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// A file could not be written.
    #[error("cannot write {}: {source}", file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// The simulation failed.
    #[error(transparent)]
    Simulate(Box<SimulateError>),
}

impl From<SimulateError> for MotionError {
    fn from(error: SimulateError) -> Self {
        Self::Simulate(Box::new(error))
    }
}
