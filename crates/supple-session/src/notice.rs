//! What a session has to say, and the words for it.

use crate::{Exported, JobError, JobKind, SessionError};
use std::fmt::{self, Display, Formatter};
use supple_model::text::counted;
use supple_project::NewShot;

/// Something a person should hear of. Its words are those of [`Display`].
#[derive(Debug)]
pub enum Notice {
    /// The document was saved; what it is called.
    Saved(String),
    /// The document could not be saved.
    NotSaved(SessionError),
    /// What was not saved would be lost if the process were killed.
    NotAutosaved(SessionError),
    /// A job has no result.
    JobFailed {
        /// Which.
        job: JobKind,
        /// Why.
        error: JobError,
    },
    /// What a job opened was left: the document was changed in the meantime.
    NotOpened(JobKind),
    /// An animated surface or a skeleton was imported.
    Imported {
        /// By which job.
        job: JobKind,
        /// What it is.
        imported: Box<NewShot>,
    },
    /// The edited motion was written.
    Exported(Box<Exported>),
    /// Where feet stand was found.
    PlantsFound {
        /// How many handles were added.
        added: usize,
        /// How many plants were there that a handle held already.
        held_already: usize,
    },
    /// The plants that were found were left: the document was changed in the meantime.
    PlantsOutdated,
    /// The edited motion is the input.
    Baked,
    /// What was baked was left: the document was changed in the meantime.
    BakeOutdated,
    /// What was baked could not become part of the document.
    NotBaked(SessionError),
}

impl Notice {
    /// Whether it went wrong, or lost something.
    #[must_use]
    pub fn is_error(&self) -> bool {
        match self {
            Self::Saved(_) | Self::Imported { .. } | Self::Baked | Self::PlantsFound { .. } => false,
            Self::Exported(exported) => exported.lost.is_some(),
            Self::NotSaved(_)
            | Self::NotAutosaved(_)
            | Self::JobFailed { .. }
            | Self::NotOpened(_)
            | Self::BakeOutdated
            | Self::PlantsOutdated
            | Self::NotBaked(_) => true,
        }
    }
}

impl Display for Notice {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Saved(title) => write!(f, "Saved {title}"),
            Self::NotSaved(error) | Self::NotBaked(error) => write!(f, "{error}"),
            Self::NotAutosaved(error) => write!(f, "Autosave failed: {error}"),
            Self::JobFailed { job, error } => write!(f, "{job}: {error}"),
            Self::NotOpened(job) => {
                write!(f, "{job}: not opened, because you changed the shot in the meantime; open it again")
            }
            Self::Imported { job, imported } => write!(f, "{job}: {imported}"),
            Self::Exported(exported) => {
                let (frames, path) = (exported.written.frames, exported.path.display());
                write!(f, "{frames} frames written to {path}")?;
                exported.lost.iter().try_for_each(|lost| write!(f, "; {lost}"))
            }
            Self::PlantsFound { added: 0, held_already: 0 } => {
                f.write_str("No plants found: no foot stands still. Plant one yourself with P.")
            }
            Self::PlantsFound { added: 0, .. } => f.write_str("All plants are held already"),
            Self::PlantsFound { added, .. } => {
                write!(f, "{} found", counted(*added, "plant", "plants"))
            }
            Self::PlantsOutdated => {
                f.write_str("No plants added, because you changed the shot in the meantime; find them again")
            }
            Self::Baked => {
                f.write_str("Baked: the edited motion is the new original. Undo restores the handles.")
            }
            Self::BakeOutdated => {
                f.write_str("Not baked, because you changed the shot in the meantime; bake again")
            }
        }
    }
}
