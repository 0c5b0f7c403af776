//! Why the contacts of a shot are not known; each names the contact or the file to blame.

use crate::simulate::SimulateError;
use std::fmt;
use std::path::PathBuf;
use supple_formats::FormatError;
use supple_mesh::Vec3;
use supple_model::{Cancelled, Frame, FrameError, VertexId};

/// Which contact of a record, shown as `contacts.csv: contact 3`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContactName {
    /// The file that lists it; `None` for the record of the simulation.
    pub file: Option<PathBuf>,
    /// Its place there, counted from 1.
    pub number: usize,
}

impl fmt::Display for ContactName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(file) => write!(f, "{}: contact {}", file.display(), self.number),
            None => write!(f, "contact {} of the simulation", self.number),
        }
    }
}

/// Why the contacts of a shot are not known.
#[derive(Debug, thiserror::Error)]
pub enum ContactsError {
    /// A file could not be read.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// A frame could not be read.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// What there is to touch could not be read.
    #[error(transparent)]
    Obstacle(Box<SimulateError>),
    /// A contact when there is no motion.
    #[error("{contact}: {frame} is not in the motion, which has frames {first} to {last}")]
    NoFrame {
        /// Which.
        contact: ContactName,
        /// The culprit.
        frame: Frame,
        /// The scene's number of the first frame.
        first: i64,
        /// That of the last.
        last: i64,
    },
    /// A contact of a vertex that does not exist.
    #[error("{contact}: there is no {vertex}: the moving {of} has {count} vertices, counted from 0")]
    NoVertex {
        /// Which.
        contact: ContactName,
        /// The culprit.
        vertex: VertexId,
        /// Body or skin.
        of: &'static str,
        /// How many there are.
        count: usize,
    },
    /// A normal that is no direction.
    #[error("{contact}: the normal ({}, {}, {}) must be finite and not zero", normal.x, normal.y, normal.z)]
    BadNormal {
        /// Which.
        contact: ContactName,
        /// The culprit.
        normal: Vec3,
    },
    /// The record of a simulation that is none.
    #[error(
        "[contacts] uses contacts of the simulation, but the input is not simulated; list contacts in a \
         `file`, `detect` them, or set `input = \"simulate\"` in [motion]"
    )]
    NotSimulated,
    /// Stopped by its owner.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl From<SimulateError> for ContactsError {
    fn from(error: SimulateError) -> Self {
        match error {
            SimulateError::Cancelled(cancelled) => Self::Cancelled(cancelled),
            other => Self::Obstacle(Box::new(other)),
        }
    }
}
