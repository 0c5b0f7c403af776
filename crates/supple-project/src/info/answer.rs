//! A file and what is in it: what `supple info --json` prints.

use super::{FileInfo, InfoError, describe};
use serde::Serialize;
use std::path::{Path, PathBuf};
use supple_model::Progress;

/// A file and what is in it.
#[derive(Clone, Debug, Serialize)]
pub struct InfoAnswer {
    /// The file.
    pub file: PathBuf,
    /// What is in it.
    #[serde(flatten)]
    pub info: FileInfo,
}

/// Describes the file at `path`, and names it.
///
/// # Errors
/// As [`describe`].
pub fn info(path: &Path, progress: &Progress) -> Result<InfoAnswer, InfoError> {
    Ok(InfoAnswer { file: path.to_path_buf(), info: describe(path, progress)? })
}
