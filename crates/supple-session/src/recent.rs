//! The files that were opened last.

use crate::Home;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use supple_project::atomic;

/// How many are remembered.
const MOST: usize = 20;
/// A list is never this large; something else may be.
const LARGEST: usize = 1 << 20;

/// The files that were opened last, kept in a text file, a path per line.
#[derive(Clone, Debug)]
pub struct Recent {
    file: PathBuf,
}

impl Recent {
    /// The list of a home.
    #[must_use]
    pub fn of(home: &Home) -> Self {
        Self { file: home.recent() }
    }

    /// The paths, the latest first. A list that is missing or damaged has those that can be read.
    #[must_use]
    pub fn paths(&self) -> Vec<PathBuf> {
        let bytes = fs::read(&self.file).unwrap_or_default();
        let mut paths: Vec<PathBuf> = Vec::new();
        for line in bytes[..bytes.len().min(LARGEST)].split(|byte| *byte == b'\n') {
            let Ok(text) = std::str::from_utf8(line) else { continue };
            let path = PathBuf::from(text.trim_end_matches('\r'));
            let is_text = !text.contains(|c: char| c.is_control() && c != '\r');
            if is_text && path.is_absolute() && !paths.contains(&path) && paths.len() < MOST {
                paths.push(path);
            }
        }
        paths
    }

    /// Puts a path in front. Other programs may have added theirs since.
    ///
    /// # Errors
    /// When the list cannot be written; it is as it was then.
    pub fn add(&self, path: &Path) -> io::Result<()> {
        let path = std::path::absolute(path)?;
        let others = self.paths().into_iter().filter(|other| *other != path);
        self.write(std::iter::once(path.clone()).chain(others))
    }

    /// Takes a path out, as when its file is gone.
    ///
    /// # Errors
    /// As [`Self::add`].
    pub fn remove(&self, path: &Path) -> io::Result<()> {
        self.write(self.paths().into_iter().filter(|other| other != path))
    }

    fn write(&self, paths: impl Iterator<Item = PathBuf>) -> io::Result<()> {
        let lines = paths.filter_map(|path| path.to_str().map(|path| format!("{path}\n")));
        let text: String = lines.take(MOST).collect();
        if let Some(folder) = self.file.parent() {
            fs::create_dir_all(folder)?;
        }
        atomic::replace(&self.file, text.as_bytes())
    }
}
