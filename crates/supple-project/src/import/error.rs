//! Why no shot could be made of a file; each names the culprit and the way out.

use crate::body::BodyError;
use crate::error::ShotError;
use crate::motion::MotionError;
use crate::outputs::Overwrites;
use crate::source::SourceError;
use std::path::PathBuf;
use supple_character::SkeletonError;
use supple_formats::FormatError;
use supple_model::{Cancelled, FrameError};

/// Why a file could not be brought in, or a motion not be taken out.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The file could not be read, or it is not clear what of it is meant.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// A file could not be read or written.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// A file that is read was to be written.
    #[error(transparent)]
    Overwrites(#[from] Overwrites),
    /// A frame could not be read or written.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// A rest shape of something else.
    #[error("{}: the rest shape has {found} vertices, but the object has {expected}", file.display())]
    OtherRest {
        /// The file.
        file: PathBuf,
        /// Its vertices.
        found: usize,
        /// Those of the object.
        expected: usize,
    },
    /// A frame that does not exist.
    #[error("{}: there is no frame {frame}; the file has frames {first} to {last}", file.display())]
    NoFrame {
        /// The file.
        file: PathBuf,
        /// What was asked for.
        frame: i32,
        /// The first there is.
        first: i32,
        /// The last.
        last: i32,
    },
    /// A group with a vertex the object does not have.
    #[error("{}: the group {group:?} has vertex {index}, but the object has {vertices} vertices, counted \
             from 0", file.display())]
    GroupMember {
        /// The table of groups.
        file: PathBuf,
        /// The group.
        group: String,
        /// The culprit.
        index: u32,
        /// How many vertices there are.
        vertices: usize,
    },
    /// Several pieces, and a body that is one sheet.
    #[error(
        "{}: the surface is in {pieces} pieces, but cloth must be one sheet; leave out --kind, or choose \
         voxels, which carry all pieces and move touching pieces together",
        file.display()
    )]
    Pieces {
        /// The file.
        file: PathBuf,
        /// How many.
        pieces: usize,
    },
    /// A character of something else.
    #[error("{}: a character is made of a skeleton (.bvh); leave out --kind character", file.display())]
    NoSkeleton {
        /// The file.
        file: PathBuf,
    },
    /// A skeleton, and what only a surface can be asked.
    #[error("{}: this file is a skeleton, which has no surface; leave out {option}", file.display())]
    ForSurfaces {
        /// The file.
        file: PathBuf,
        /// What was asked.
        option: &'static str,
    },
    /// A skeleton of something that has none.
    #[error("{}: this file has no joints, which a .bvh is made of; choose another format", file.display())]
    NoJoints {
        /// The file.
        file: PathBuf,
    },
    /// What a file of a skeleton cannot say.
    #[error("{}: a .bvh has no place for that; leave out {option}", file.display())]
    NoRoom {
        /// The file.
        file: PathBuf,
        /// What was asked.
        option: &'static str,
    },
    /// A skeleton that does not hang together.
    #[error("{}: {source}", file.display())]
    Skeleton {
        /// The file.
        file: PathBuf,
        /// Why not.
        source: SkeletonError,
    },
    /// There is a shot already.
    #[error("{} already exists; choose another name, or overwrite it with --force", file.display())]
    Exists {
        /// The file.
        file: PathBuf,
    },
    /// A file could not be written.
    #[error("cannot write {}: {source}", file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// The surface makes no body.
    #[error(transparent)]
    Body(Box<BodyError>),
    /// The shot could not be written.
    #[error(transparent)]
    Shot(Box<ShotError>),
    /// The motion could not be carried to the body.
    #[error(transparent)]
    Motion(Box<MotionError>),
    /// Stopped by its owner.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl From<BodyError> for ImportError {
    fn from(error: BodyError) -> Self {
        match error {
            BodyError::Cancelled(cancelled) => cancelled.into(),
            error => Self::Body(Box::new(error)),
        }
    }
}

impl From<ShotError> for ImportError {
    fn from(error: ShotError) -> Self {
        Self::Shot(Box::new(error))
    }
}

impl From<MotionError> for ImportError {
    fn from(error: MotionError) -> Self {
        Self::Motion(Box::new(error))
    }
}
