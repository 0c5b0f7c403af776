//! A sample whose rows share what was made for it: it is written, simulated and reduced once.

use std::path::PathBuf;
use supple_project::shot::Shot;
use supple_project::{Cache, Sample};
use tempfile::TempDir;

/// A sample at the paper's size, with a cache of its own.
pub(super) struct Case {
    _folder: TempDir,
    pub name: &'static str,
    pub file: PathBuf,
    pub shot: Shot,
}

impl Case {
    pub fn new(name: &'static str) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        let file = Sample::named(name)?.write_full(folder.path())?;
        let shot = Shot::load(&file)?;
        Ok(Self { _folder: folder, name, file, shot })
    }

    /// The one that commands use, too.
    pub fn cache(&self) -> Cache {
        Cache::in_folders([self.file.with_extension("cache")])
    }
}
