//! Why the frames of a file cannot be had; each names the file and the way out.

use std::path::PathBuf;
use supple_formats::FormatError;
use supple_model::FrameError;

/// Why a file does not tell what moves.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// It could not be read.
    #[error(transparent)]
    Format(Box<FormatError>),
    /// A frame of it could not be read.
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
}

impl From<FormatError> for SourceError {
    fn from(error: FormatError) -> Self {
        Self::Format(Box::new(error))
    }
}

fn listed(objects: &[String]) -> String {
    objects.iter().map(|object| format!("  {object}")).collect::<Vec<_>>().join("\n")
}
