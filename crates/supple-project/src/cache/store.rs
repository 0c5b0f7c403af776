//! The folders entries live in: finding, replacing, bounding, listing, clearing.
//!
//! Folders are tried in order: `SHOT.cache/` beside the shot, then the user's cache folder. Reading
//! looks in all of them; writing takes the first that can be written to, so a shot on a read-only
//! disk still gains. A folder is made by the first write, never by a look.
//!
//! Each folder is bounded: after a write the entries read least recently go, until the rest fits.
//! Files of other names are never touched.

use super::entry::{self, Payload, PayloadWriter};
use super::folder::{Entry, file_name, is_absent, oldest_first, remove, scan, user_folder};
use super::key::{CacheKey, Kind};
use crate::atomic;
use crate::error::{CacheWarning, Damage};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use supple_formats::check_target;

const DEFAULT_LIMIT: u64 = 8 << 30;

/// A cache on disk. Any number of processes and threads may use the same folders at once.
///
/// # Examples
/// ```
/// # use supple_project::{Cache, KeyHasher, Kind};
/// # let folder = tempfile::tempdir()?;
/// # let (positions, cache) = ([[0.0, 1.0, 2.0]], Cache::in_folders([folder.path().join("a.cache")]));
/// const ROOTS: Kind = Kind::new("roots", 1);
/// let key = KeyHasher::new(ROOTS).f64s("positions", positions.iter().flatten().copied()).finish();
/// let found = cache.get(ROOTS, &key).unwrap_or_else(|warning| {
///     eprintln!("{warning}");
///     None
/// });
/// let roots = match found {
///     Some(mut payload) => payload.f64s(3)?,
///     None => {
///         let roots: Vec<f64> = positions.iter().flatten().map(|x| x.sqrt()).collect();
///         if let Err(warning) = cache.put(ROOTS, &key, |payload| payload.f64s(&roots)) {
///             eprintln!("{warning}");
///         }
///         roots
///     }
/// };
/// # assert_eq!(cache.get(ROOTS, &key)?.unwrap().f64s(3)?, roots);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Cache {
    folders: Vec<PathBuf>,
    limit: u64,
}

/// What [`Cache::clear`] removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cleared {
    /// How many entries.
    pub entries: usize,
    /// How many bytes.
    pub bytes: u64,
}

impl Cache {
    /// The cache of the shot at `path`: `bridge.toml` has `bridge.cache/` beside it, and the user's
    /// cache folder stands in where that cannot be written, or is a link out of the only folder that may be used.
    #[must_use]
    pub fn of_shot(path: &Path) -> Self {
        let beside = path.with_extension("cache");
        let is_ours = check_target(&beside.join(atomic::TEMPORARY_PREFIX)).is_ok();
        Self::in_folders(is_ours.then_some(beside).into_iter().chain(user_folder()))
    }

    /// The user's cache folder, `$XDG_CACHE_HOME/supple` or `~/.cache/supple`, for what has no shot
    /// file yet.
    #[must_use]
    pub fn of_user() -> Self {
        Self::in_folders(user_folder())
    }

    /// A cache in folders of the caller's choice, the preferred one first.
    #[must_use]
    pub fn in_folders(folders: impl IntoIterator<Item = PathBuf>) -> Self {
        Self { folders: folders.into_iter().collect(), limit: DEFAULT_LIMIT }
    }

    /// Bounds each folder to `bytes` instead of 8 GiB.
    #[must_use]
    pub fn with_limit(self, bytes: u64) -> Self {
        Self { limit: bytes, ..self }
    }

    /// Looks an entry up; `None` when it was never stored, or is gone.
    ///
    /// # Errors
    /// [`CacheWarning::Damaged`] when it was there but cannot be trusted. It has been removed:
    /// show the warning and go on as with `None`.
    pub fn get(&self, kind: Kind, key: &CacheKey) -> Result<Option<Payload>, CacheWarning> {
        let mut warning = None;
        for folder in &self.folders {
            let file = folder.join(file_name(kind, key));
            match open_regular(&file).and_then(|opened| opened.map(|f| entry::open(f, kind, key)).transpose())
            {
                Ok(Some(payload)) => {
                    mark_used(&file);
                    return Ok(Some(payload));
                }
                Ok(None) => {}
                Err(damage) => {
                    // A folder that does not allow removal keeps it, and the next look says so again.
                    let _ = fs::remove_file(&file);
                    warning.get_or_insert(CacheWarning::Damaged { file, damage });
                }
            }
        }
        warning.map_or(Ok(None), Err)
    }

    /// Stores an entry, in place of one with the same kind and key. `fill` writes its contents.
    ///
    /// # Errors
    /// When no folder can be written to or the disk is full, in which case an older entry stays as it
    /// was, or when the folder cannot be kept within its bound. Show the warning and go on.
    pub fn put(
        &self,
        kind: Kind,
        key: &CacheKey,
        fill: impl FnOnce(&mut PayloadWriter<'_>) -> io::Result<()>,
    ) -> Result<(), CacheWarning> {
        let mut warning = CacheWarning::NoFolder;
        for folder in &self.folders {
            match fs::create_dir_all(folder).and_then(|()| atomic::temporary_in(folder)) {
                Ok(temporary) => {
                    let path = folder.join(file_name(kind, key));
                    // No sync: a file the system loses in a crash fails its checks, and costs time only.
                    entry::write(temporary.as_file(), kind, key, fill)
                        .and_then(|()| temporary.persist(&path).map_err(|failed| failed.error))
                        .map_err(|source| CacheWarning::NotWritten { path: path.clone(), source })?;
                    return self.shrink(folder, &path);
                }
                Err(source) => warning = CacheWarning::NotWritten { path: folder.clone(), source },
            }
        }
        Err(warning)
    }

    /// All entries of all folders, the last used first.
    ///
    /// # Errors
    /// When a folder exists but cannot be listed.
    pub fn list(&self) -> Result<Vec<Entry>, CacheWarning> {
        let mut entries = Vec::new();
        for folder in &self.folders {
            entries.extend(scan(folder)?.entries);
        }
        entries.sort_by(oldest_first);
        entries.reverse();
        Ok(entries)
    }

    /// Removes all entries of all folders, and the folders that are empty then.
    ///
    /// # Errors
    /// When an entry cannot be removed.
    pub fn clear(&self) -> Result<Cleared, CacheWarning> {
        let mut cleared = Cleared::default();
        for folder in &self.folders {
            let found = scan(folder)?;
            for entry in found.entries {
                remove(&entry.file)?;
                cleared.entries += 1;
                cleared.bytes += entry.bytes;
            }
            for file in found.abandoned {
                remove(&file)?;
            }
            // Fails when someone else's files are in it, which then stay.
            let _ = fs::remove_dir(folder);
        }
        Ok(cleared)
    }

    /// Removes the least recently used entries until the folder is within its bound, and what dead
    /// processes left. `keep`, which was just written, stays even when it is over the bound alone.
    fn shrink(&self, folder: &Path, keep: &Path) -> Result<(), CacheWarning> {
        let mut found = scan(folder)?;
        for file in &found.abandoned {
            remove(file)?;
        }
        let mut total: u64 = found.entries.iter().map(|entry| entry.bytes).sum();
        found.entries.sort_by(oldest_first);
        for entry in found.entries.iter().filter(|entry| entry.file != keep) {
            if total <= self.limit {
                break;
            }
            remove(&entry.file)?;
            total -= entry.bytes;
        }
        Ok(())
    }
}

/// `None` when there is no such file. A pipe or device would block its reader, so it is not opened.
fn open_regular(path: &Path) -> Result<Option<File>, Damage> {
    let opened = fs::metadata(path)
        .and_then(|metadata| if metadata.is_file() { File::open(path).map(Some) } else { Ok(None) });
    match opened {
        Ok(Some(file)) => Ok(Some(file)),
        Ok(None) => Err(Damage::Foreign),
        // Also a folder whose parent is a file: nothing was ever stored there.
        Err(error) if is_absent(&error) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The date of the file is the date of its last use. Where it cannot be set, entries leave in the
/// order they were written.
fn mark_used(path: &Path) {
    if let Ok(file) = OpenOptions::new().append(true).open(path) {
        let _ = file.set_modified(SystemTime::now());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_of_a_shot_is_beside_it() {
        let cache = Cache::of_shot(Path::new("film/bridge.v2.toml"));
        assert_eq!(cache.folders[0], Path::new("film/bridge.v2.cache"));
    }
}
