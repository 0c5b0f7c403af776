//! What a session has to say, and the words for it.

use crate::{Exported, JobError, JobKind, SessionError};
use std::fmt::{self, Display, Formatter};
use supple_model::text::{counted, number};
use supple_project::NewShot;
use supple_project::recover::RecoverAnswer;

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
    /// What was baked or recovered could not become part of the document.
    NotBaked(SessionError),
    /// The material of the input motion is that of the shot.
    Recovered(Box<RecoverAnswer>),
    /// The material that was found was left: the document was changed in the meantime.
    RecoveryOutdated,
}

impl Notice {
    /// Whether it went wrong, or lost something.
    #[must_use]
    pub fn is_error(&self) -> bool {
        match self {
            Self::Saved(_)
            | Self::Imported { .. }
            | Self::Baked
            | Self::PlantsFound { .. }
            | Self::Recovered(_) => false,
            Self::Exported(exported) => exported.lost.is_some(),
            Self::NotSaved(_)
            | Self::NotAutosaved(_)
            | Self::JobFailed { .. }
            | Self::NotOpened(_)
            | Self::BakeOutdated
            | Self::PlantsOutdated
            | Self::RecoveryOutdated
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
            Self::Recovered(found) => recovered(found, f),
            Self::RecoveryOutdated => f.write_str(
                "Material not taken over, because you changed the shot in the meantime; recover it again",
            ),
        }
    }
}

/// What swings most, and how well the rest of the motion follows from what was found.
fn recovered(found: &RecoverAnswer, f: &mut Formatter<'_>) -> fmt::Result {
    let [first, last] = found.frames;
    write!(f, "Material recovered from frames {first} to {last}: ")?;
    let strongest = found.modes.iter().max_by(|a, b| a.share.total_cmp(&b.share));
    write!(f, "{}", counted(found.modes.len(), "mode", "modes"))?;
    if let Some(mode) = strongest {
        write!(f, ", the strongest at {} Hz", number(mode.frequency))?;
    }
    if let Some(held) = found.held_out {
        let [off, plain] = [held.error, held.unoptimised].map(|error| number(100.0 * error));
        write!(f, "; the frames after them are told with an error of {off} % (uniform material: {plain} %)")?;
    }
    let known = found.regions.iter().filter(|region| region.determined).count();
    if !found.regions.is_empty() {
        write!(
            f,
            "; the stiffness of {known} of {} is known",
            counted(found.regions.len(), "region", "regions")
        )?;
    }
    f.write_str(". Undo restores the shot.")
}
