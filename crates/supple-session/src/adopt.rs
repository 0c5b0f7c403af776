//! Files that were written for an unsaved shot, on their way to its side.

use crate::SessionError;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use supple_model::Progress;
use supple_project::atomic;

/// Bytes copied or compared at a time.
const PIECE: usize = 1 << 20;

/// Files that were put beside a shot. Those that were made go again with this, unless they are kept.
#[derive(Debug, Default)]
pub struct Adopted {
    /// From, to.
    files: Vec<(PathBuf, PathBuf)>,
    /// Those that were not there before.
    made: Vec<PathBuf>,
}

impl Adopted {
    /// Copies files to `folder`. A file of the same name there is used if its contents are the same, and never written
    /// over.
    pub(crate) fn copy(files: &[PathBuf], folder: &Path, progress: &Progress) -> Result<Self, SessionError> {
        let mut adopted = Self::default();
        for (k, from) in files.iter().enumerate() {
            if adopted.place(from).is_some() {
                continue;
            }
            let part = progress.part(k as f64 / files.len() as f64, (k + 1) as f64 / files.len() as f64);
            match adopted.put(from, folder, &part) {
                Ok(to) => adopted.files.push((from.clone(), to)),
                Err(source) => {
                    let to = folder.join(from.file_name().unwrap_or_default());
                    return Err(SessionError::Copy { from: from.clone(), to, source });
                }
            }
        }
        Ok(adopted)
    }

    fn put(&mut self, from: &Path, folder: &Path, progress: &Progress) -> io::Result<PathBuf> {
        let stem = from.file_stem().unwrap_or_default().to_string_lossy();
        let ending = from.extension().map_or(String::new(), |e| format!(".{}", e.to_string_lossy()));
        let mut to = folder.join(from.file_name().unwrap_or_default());
        let mut number = 2;
        while to.exists() {
            if is_same(from, &to, progress)? {
                return Ok(to);
            }
            to = folder.join(format!("{stem}-{number}{ending}"));
            number += 1;
        }
        let mut file = atomic::temporary_for(&to)?;
        let mut source = File::open(from)?;
        let (length, mut done) = (source.metadata()?.len().max(1) as f64, 0.0);
        let mut piece = vec![0; PIECE];
        loop {
            progress.report("copying", done / length).map_err(io::Error::other)?;
            let count = source.read(&mut piece)?;
            if count == 0 {
                break;
            }
            file.write_all(&piece[..count])?;
            done += count as f64;
        }
        atomic::place(file, &to)?;
        self.made.push(to.clone());
        Ok(to)
    }

    /// Where a file went.
    pub(crate) fn place(&self, file: &Path) -> Option<&Path> {
        self.files.iter().find(|(from, _)| from == file).map(|(_, to)| to.as_path())
    }

    /// Leaves what was made where it is.
    pub(crate) fn keep(mut self) {
        self.made.clear();
    }
}

impl Drop for Adopted {
    fn drop(&mut self) {
        for file in &self.made {
            // It stays behind, and is nobody's.
            let _ = std::fs::remove_file(file);
        }
    }
}

/// Whether two files have the same contents.
fn is_same(a: &Path, b: &Path, progress: &Progress) -> io::Result<bool> {
    let (mut a, Ok(mut b)) = (File::open(a)?, File::open(b)) else { return Ok(false) };
    let length = a.metadata()?.len();
    if b.metadata()?.len() != length {
        return Ok(false);
    }
    let (mut mine, mut theirs) = (vec![0; PIECE], vec![0; PIECE]);
    let mut left = length;
    while left > 0 {
        progress.check().map_err(io::Error::other)?;
        let count = PIECE.min(usize::try_from(left).unwrap_or(PIECE));
        a.read_exact(&mut mine[..count])?;
        if b.read_exact(&mut theirs[..count]).is_err() || mine[..count] != theirs[..count] {
            return Ok(false);
        }
        left -= count as u64;
    }
    Ok(true)
}
