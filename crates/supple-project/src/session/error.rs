//! What can go wrong with a document, each naming the culprit and the way out.

use crate::error::ShotError;
use crate::samples::SampleError;
use std::io;
use std::path::PathBuf;

/// What can go wrong with a document.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The shot cannot be read or written.
    #[error(transparent)]
    Shot(#[from] ShotError),
    /// The sample cannot be made.
    #[error(transparent)]
    Sample(#[from] SampleError),
    /// The shot has no file yet.
    #[error("the shot is untitled; save it to a file first")]
    Untitled,
    /// Somebody else has written the file since it was opened.
    #[error("{} was changed by another program after you opened it; nothing was saved", file.display())]
    ChangedOnDisk {
        /// The file.
        file: PathBuf,
    },
    /// A folder of the program's own cannot be used.
    #[error("cannot write {}: {source}; set XDG_STATE_HOME to use another folder", folder.display())]
    Folder {
        /// The folder or file.
        folder: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A file that belongs to the shot cannot be put beside it.
    #[error("cannot copy {} to {}: {source}; nothing was saved", from.display(), to.display())]
    Copy {
        /// The file.
        from: PathBuf,
        /// Where it should go.
        to: PathBuf,
        /// Why not.
        source: io::Error,
    },
}
