//! One at a time: a command that changes a shot holds a lock beside it while it reads, changes and writes it.
//!
//! The lock of `cape.toml` is the file `.cape.toml.lock`, held by the operating system for as long as its owner lives: a
//! program that is killed holds it no longer, and the file it leaves is taken over. The owner removes the file before it
//! lets go; whoever waited for it then holds a file without a name, notices, and begins again.

use crate::error::ShotError;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use supple_model::Progress;

/// How long one waits for another command. A change itself takes no longer than reading and writing a text.
const PATIENCE: Duration = Duration::from_secs(60);

/// The lock of a shot, until it is dropped.
#[derive(Debug)]
pub struct ShotLock {
    file: Option<File>,
    path: PathBuf,
}

impl ShotLock {
    /// Waits until nobody else changes the shot.
    ///
    /// # Errors
    /// When the folder cannot be written to, another command does not come to an end, or the work is cancelled.
    pub fn take(shot: &Path, progress: &Progress) -> Result<Self, ShotError> {
        // Two names of one shot have one lock.
        let shot = &fs::canonicalize(shot).unwrap_or_else(|_| shot.to_path_buf());
        let failed = |source: io::Error| ShotError::Lock { file: shot.clone(), source };
        let name = shot.file_name().unwrap_or_default().to_string_lossy();
        let path = shot.with_file_name(format!(".{name}.lock"));
        let begin = Instant::now();
        loop {
            match Self::attempt(&path) {
                Ok(Some(file)) => return Ok(Self { file: Some(file), path }),
                Ok(None) => {}
                Err(error) => return Err(failed(error)),
            }
            if begin.elapsed() > PATIENCE {
                return Err(failed(io::Error::new(
                    io::ErrorKind::WouldBlock,
                    "another command is still changing it; try again later",
                )));
            }
            progress.check().map_err(|_| failed(io::ErrorKind::Interrupted.into()))?;
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn attempt(path: &Path) -> io::Result<Option<File>> {
        let file = match OpenOptions::new().create(true).truncate(false).write(true).open(path) {
            // Another one is just removing it there.
            Err(error) if cfg!(windows) && error.kind() == io::ErrorKind::PermissionDenied => {
                return Ok(None);
            }
            file => file?,
        };
        match file.try_lock() {
            Ok(()) => Ok(is_named(&file, path).then_some(file)),
            Err(TryLockError::WouldBlock) => Ok(None),
            // A file system without locks: as it was before there were any.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(Some(file)),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}

impl Drop for ShotLock {
    fn drop(&mut self) {
        // While it is still held, so that nobody locks what is about to go. One that stays is taken over.
        let _ = fs::remove_file(&self.path);
        self.file.take();
    }
}

/// Whether the file is the one that has this name now.
#[cfg(unix)]
fn is_named(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), fs::metadata(path)) {
        (Ok(own), Ok(there)) => (own.dev(), own.ino()) == (there.dev(), there.ino()),
        _ => false,
    }
}

/// An open file cannot be removed where this is compiled.
#[cfg(not(unix))]
fn is_named(_: &File, _: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Eight commands changed a shot at once; all said "added", and one handle was there.
    #[test]
    fn one_at_a_time_and_nothing_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let shot = folder.path().join("cape.toml");
        fs::write(&shot, "0").unwrap();
        // What a program that was killed leaves.
        fs::write(folder.path().join(".cape.toml.lock"), "").unwrap();
        let inside = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..20 {
                        let lock = ShotLock::take(&shot, &Progress::silent()).unwrap();
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0, "alone");
                        let count: u32 = fs::read_to_string(&shot).unwrap().parse().unwrap();
                        fs::write(&shot, (count + 1).to_string()).unwrap();
                        inside.fetch_sub(1, Ordering::SeqCst);
                        drop(lock);
                    }
                });
            }
        });
        assert_eq!(fs::read_to_string(&shot).unwrap(), "160");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
