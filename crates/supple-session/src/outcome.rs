//! What comes of a job.

use crate::{Adopted, Document};
use std::path::PathBuf;
use supple_project::recover::RecoverAnswer;
use supple_project::shot::Handle;
use supple_project::{NewShot, Report, Shot, Written};

/// What came of a job.
#[derive(Debug)]
pub enum Outcome {
    /// A document of its own was made of an animated surface.
    Imported(Box<NewShot>, Box<Document>),
    /// Where feet stand, as handles.
    Plants(Vec<Handle>),
    /// The edited motion is the input of this shot.
    Baked(Box<Shot>),
    /// The material of the input motion was found, and is that of this shot.
    Recovered(Box<RecoverAnswer>, Box<Shot>),
    /// The edited motion was written.
    Exported(Box<Exported>),
    /// The document can be recovered.
    Autosaved,
    /// A document of its own.
    Opened(Box<Document>),
    /// The files of the shot are beside the file it shall be saved to.
    Copied(PathBuf, Adopted),
}

/// What was exported.
#[derive(Debug)]
pub struct Exported {
    /// The file.
    pub path: PathBuf,
    /// What is in it.
    pub written: Written,
    /// What the edit came to.
    pub report: Report,
    /// What the format lost of it, if that matters.
    pub lost: Option<String>,
}
