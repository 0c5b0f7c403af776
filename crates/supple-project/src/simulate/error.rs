//! Why a shot could not be simulated or posed; each names the file or part of the shot to blame.

use crate::site::SiteError;
use std::path::PathBuf;
use supple_elastic::{ElasticError, SimulationError, StaticsError};
use supple_formats::FormatError;
use supple_mesh::{FillError, MeshError, ObstacleError};
use supple_model::{Cancelled, Frame, FrameError};

/// Why a shot could not be simulated or posed.
#[derive(Debug, thiserror::Error)]
pub enum SimulateError {
    /// A file could not be read.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// A load or pin is nowhere on the body.
    #[error("{part}: {problem}")]
    Site {
        /// Which part of the shot.
        part: String,
        /// Why not.
        problem: SiteError,
    },
    /// A track without the columns that are needed, or with ones that mean nothing.
    #[error("{}: {problem}", file.display())]
    Column {
        /// The file.
        file: PathBuf,
        /// What is wrong, and what would be right.
        problem: String,
    },
    /// Anchors that are to move, of a free body.
    #[error("{}: this moves the anchors, but the body has none; add `anchors`", file.display())]
    NoAnchors {
        /// The file of their motion.
        file: PathBuf,
    },
    /// An obstacle that is none.
    #[error("{part}: {problem}")]
    Obstacle {
        /// Which.
        part: String,
        /// Why not.
        problem: ObstacleError,
    },
    /// A mesh that cannot be used.
    #[error("{}: {problem}", file.display())]
    Mesh {
        /// The file.
        file: PathBuf,
        /// Why not.
        problem: MeshError,
    },
    /// A pose of another body, or of another skin.
    #[error("{}: it has {found} vertices, but {expected} are needed", file.display())]
    OtherBody {
        /// The file.
        file: PathBuf,
        /// Its vertices.
        found: usize,
        /// Those it should have.
        expected: usize,
    },
    /// A cage that cannot be made.
    #[error("`cage`: {problem}")]
    Cage {
        /// Why not, and what to do.
        problem: String,
    },
    /// A body that has no equilibrium to begin from.
    #[error(
        "the body does not settle: it carries only {:.1} % of gravity and the loads of the first frame; \
         make it stiffer, add anchors, or set `settle = false`",
        100.0 * fraction
    )]
    Unsettled {
        /// The part of the load it bears.
        fraction: f64,
    },
    /// Nothing a body could be moved by.
    #[error(transparent)]
    Elastic(#[from] ElasticError),
    /// The settings, or the start, make no simulation.
    #[error(transparent)]
    Setup(SimulationError),
    /// A step that could not be taken.
    #[error("before {frame}: {problem}")]
    Step {
        /// The frame that was next.
        frame: Frame,
        /// Why not, and what to try.
        problem: SimulationError,
    },
    /// No pose could be sought.
    #[error(transparent)]
    Statics(StaticsError),
    /// A frame that could not be handed on.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// Stopped by its owner.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl From<FillError> for SimulateError {
    fn from(problem: FillError) -> Self {
        Self::Cage { problem: problem.to_string() }
    }
}

impl From<StaticsError> for SimulateError {
    fn from(error: StaticsError) -> Self {
        match error {
            StaticsError::Cancelled(cancelled) => Self::Cancelled(cancelled),
            other => Self::Statics(other),
        }
    }
}
