//! Why no shot could be made of a file; each names the culprit and the way out.

use crate::body::BodyError;
use crate::error::ShotError;
use crate::motion::MotionError;
use crate::outputs::Overwrites;
use std::path::PathBuf;
use supple_formats::FormatError;
use supple_model::{Cancelled, FrameError};

/// Why a file could not be brought in, or a motion not be taken out.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// A file could not be read or written.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// A file that is read was to be written.
    #[error(transparent)]
    Overwrites(#[from] Overwrites),
    /// A frame could not be read or written.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// Several objects, and none is named.
    #[error("{}: this file has {} objects; choose one with --object:\n{}", file.display(), objects.len(), listed(objects))]
    Several {
        /// The file.
        file: PathBuf,
        /// The objects, with their sizes.
        objects: Vec<String>,
    },
    /// No object of this name.
    #[error("{}: there is no object {asked:?}; the file has\n{}", file.display(), listed(objects))]
    NoObject {
        /// The file.
        file: PathBuf,
        /// What was asked for.
        asked: String,
        /// The objects there are.
        objects: Vec<String>,
    },
    /// A name that several objects end in.
    #[error("{}: {asked:?} matches several objects:\n{}", file.display(), listed(objects))]
    Ambiguous {
        /// The file.
        file: PathBuf,
        /// What was asked for.
        asked: String,
        /// The objects it may be.
        objects: Vec<String>,
    },
    /// Points without faces.
    #[error("{}: this file has points but no faces; give the mesh with --topology", file.display())]
    NeedsTopology {
        /// The file.
        file: PathBuf,
    },
    /// A volume where a surface is needed.
    #[error("{}: this is a volume mesh; give a surface (.obj, .ply, .stl)", file.display())]
    NotASurface {
        /// The file.
        file: PathBuf,
    },
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

fn listed(objects: &[String]) -> String {
    objects.iter().map(|object| format!("  {object}")).collect::<Vec<_>>().join("\n")
}

impl From<BodyError> for ImportError {
    fn from(error: BodyError) -> Self {
        Self::Body(Box::new(error))
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
