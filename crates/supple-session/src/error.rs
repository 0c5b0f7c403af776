//! What can go wrong with a document, a job and the solver, each naming the culprit and the way out.

use crate::JobKind;
use std::io;
use std::path::PathBuf;
use supple_model::Cancelled;
use supple_project::method::LiveError;
use supple_project::recover::RecoverError;
use supple_project::{BodyError, EditError, ExportError, ImportError, SampleError, ShotError};

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

/// Why a job has no result. Nothing has changed then.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// It was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// Its thread panicked.
    #[error("{0} stopped because of a bug in Supple; save the shot and try again")]
    Panicked(JobKind),
    /// The document, its files or the program's own folder.
    #[error(transparent)]
    Session(Box<SessionError>),
    /// The animated surface cannot be imported.
    #[error(transparent)]
    Import(Box<ImportError>),
    /// What was asked cannot be exported.
    #[error(transparent)]
    Export(Box<ExportError>),
    /// The body cannot be read.
    #[error(transparent)]
    Body(Box<BodyError>),
    /// The motion tells nothing of a material.
    #[error(transparent)]
    Recover(Box<RecoverError>),
    /// The edit cannot be found or written.
    #[error(transparent)]
    Edit(#[from] EditError),
}

impl From<Cancelled> for JobError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

/// Large errors are kept behind a box: a result without one stays small.
macro_rules! boxed {
    ($($kind:ident($error:ident)),+) => {
        $(impl From<$error> for JobError {
            fn from(error: $error) -> Self {
                Self::$kind(Box::new(error))
            }
        })+
    };
}

boxed!(
    Session(SessionError),
    Import(ImportError),
    Export(ExportError),
    Body(BodyError),
    Recover(RecoverError)
);

impl From<ShotError> for JobError {
    fn from(error: ShotError) -> Self {
        SessionError::from(error).into()
    }
}

/// Why the solver has nothing newer to show.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolverError {
    /// Opening the shot was cancelled.
    #[error("Opening was cancelled. Open the shot again to edit it.")]
    OpeningCancelled,
    /// Finding the edit was cancelled.
    #[error("Solving was stopped. Change a handle or undo to continue.")]
    SolvingStopped,
    /// The thread that opens the shot panicked.
    #[error("opening the shot stopped because of a bug in Supple; save the shot and try again")]
    OpeningPanicked,
    /// The thread of the solver panicked.
    #[error("the solver stopped because of a bug in Supple; save the shot and try again")]
    SolverPanicked,
    /// The method says why.
    #[error(transparent)]
    Method(#[from] LiveError),
}
