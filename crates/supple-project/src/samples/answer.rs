//! `list` and `write`: the built-in shots by name; what `supple samples --json` and `supple sample --json` print.

use super::{SAMPLES, Sample, SampleError};
use crate::shot::{Input, Shot};
use serde::Serialize;
use std::io;
use std::path::{Path, PathBuf};
use supple_model::{Cancelled, Progress};

/// The built-in shots.
#[derive(Clone, Debug, Serialize)]
pub struct SamplesAnswer {
    /// By name.
    pub samples: Vec<SampleLine>,
}

/// A built-in shot.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SampleLine {
    /// Its name.
    pub name: &'static str,
    /// What it shows.
    pub about: &'static str,
}

/// How a built-in shot is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SampleOptions {
    /// The folder; without, one of the sample's name.
    pub folder: Option<PathBuf>,
    /// As large as in the paper, which may take minutes to simulate.
    pub full: bool,
}

/// A built-in shot that was written.
#[derive(Clone, Debug, Serialize)]
pub struct SampleAnswer {
    /// Its name.
    pub sample: &'static str,
    /// The shot file.
    pub shot: PathBuf,
    /// All files, the shot first.
    pub files: Vec<PathBuf>,
    /// Whether there is no larger one.
    pub full: bool,
    /// Whether it moves.
    #[serde(skip)]
    pub moves: bool,
    /// Whether it is of a skeleton.
    #[serde(skip)]
    pub is_character: bool,
}

/// Why a built-in shot was not written.
#[derive(Debug, thiserror::Error)]
pub enum SampleFailed {
    /// It could not be made.
    #[error(transparent)]
    Sample(#[from] SampleError),
    /// The folder has no whole name.
    #[error("{}: {source}", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// Stopped by its owner.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// The built-in shots.
#[must_use]
pub fn list() -> SamplesAnswer {
    let line = |sample: &Sample| SampleLine { name: sample.name, about: sample.about };
    SamplesAnswer { samples: SAMPLES.iter().map(line).collect() }
}

/// Writes the built-in shot of this name. No file is written over.
///
/// # Errors
/// See [`SampleFailed`].
pub fn write(name: &str, options: &SampleOptions, progress: &Progress) -> Result<SampleAnswer, SampleFailed> {
    let sample = Sample::named(name)?;
    let folder = options.folder.clone().unwrap_or_else(|| PathBuf::from(sample.name));
    progress.report("filling the shape", 0.0)?;
    let file = write_to(sample, &folder, options.full)?;
    let shot = Shot::load(&file).map_err(SampleError::from)?;
    let mut files = vec![file.clone()];
    for file in shot.files().iter().map(|path| folder.join(path)) {
        if !files.contains(&file) {
            files.push(file);
        }
    }
    Ok(SampleAnswer {
        sample: sample.name,
        shot: file,
        files,
        full: options.full || !sample.has_full(),
        moves: shot.motion.input != Input::Rest,
        is_character: sample.is_of_character(),
    })
}

/// The shot file, named as `folder` is.
fn write_to(sample: &Sample, folder: &Path, full: bool) -> Result<PathBuf, SampleFailed> {
    let whole = std::path::absolute(folder)
        .map_err(|source| SampleFailed::Folder { folder: folder.to_path_buf(), source })?;
    let shot = if full { sample.write_full(&whole) } else { sample.write(&whole) }?;
    Ok(folder.join(shot.file_name().unwrap_or_default()))
}
