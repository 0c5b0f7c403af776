//! Files that were written for an unsaved shot, on their way to its side.

use super::SessionError;
use crate::atomic;
use std::fs;
use std::path::{Path, PathBuf};

/// Files that were put beside a shot.
#[derive(Debug, Default)]
pub(super) struct Adopted {
    /// From, to.
    files: Vec<(PathBuf, PathBuf)>,
    /// Those that were not there before.
    made: Vec<PathBuf>,
}

impl Adopted {
    /// Copies those of `files` that are inside `room` to `folder`. A file of the same name there is used if its contents
    /// are the same, and never written over.
    pub fn copy(files: &[PathBuf], room: &Path, folder: &Path) -> Result<Self, SessionError> {
        let mut adopted = Self::default();
        for from in files.iter().filter(|file| file.starts_with(room) && file.is_file()) {
            if adopted.place(from).is_some() {
                continue;
            }
            match adopted.put(from, folder) {
                Ok(to) => adopted.files.push((from.clone(), to)),
                Err(source) => {
                    let to = folder.join(from.file_name().unwrap_or_default());
                    adopted.take_back();
                    return Err(SessionError::Copy { from: from.clone(), to, source });
                }
            }
        }
        Ok(adopted)
    }

    fn put(&mut self, from: &Path, folder: &Path) -> std::io::Result<PathBuf> {
        let contents = fs::read(from)?;
        let stem = from.file_stem().unwrap_or_default().to_string_lossy();
        let ending = from.extension().map_or(String::new(), |e| format!(".{}", e.to_string_lossy()));
        let mut to = folder.join(from.file_name().unwrap_or_default());
        let mut number = 2;
        while to.exists() {
            if fs::read(&to).is_ok_and(|there| there == contents) {
                return Ok(to);
            }
            to = folder.join(format!("{stem}-{number}{ending}"));
            number += 1;
        }
        atomic::replace(&to, &contents)?;
        self.made.push(to.clone());
        Ok(to)
    }

    /// Where a file went.
    pub fn place(&self, file: &Path) -> Option<&Path> {
        self.files.iter().find(|(from, _)| from == file).map(|(_, to)| to.as_path())
    }

    /// Removes what was made.
    pub fn take_back(&self) {
        for file in &self.made {
            // It stays behind, and is nobody's.
            let _ = fs::remove_file(file);
        }
    }
}
