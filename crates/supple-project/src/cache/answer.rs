//! `list` and `clear`: the cache of a shot file, or the user's; what `supple cache --json` prints.

use super::folder::user_folder;
use super::store::{Cache, Cleared};
use crate::error::CacheWarning;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// What a cache holds.
#[derive(Clone, Debug, Serialize)]
pub struct CacheListing {
    /// Its folder.
    pub folder: PathBuf,
    /// Its entries, the last used first.
    pub entries: Vec<CacheLine>,
    /// How large they are together.
    pub bytes: u64,
}

/// An entry of a cache.
#[derive(Clone, Debug, Serialize)]
pub struct CacheLine {
    /// What it holds.
    pub kind: String,
    /// How large it is.
    pub bytes: u64,
    /// When it was last written or read, in seconds since 1970.
    pub last_used: u64,
    /// The file.
    pub file: PathBuf,
}

/// What was removed from a cache.
#[derive(Clone, Debug, Serialize)]
pub struct CacheCleared {
    /// Its folder.
    pub folder: PathBuf,
    /// How many entries.
    pub entries: usize,
    /// How large they were together.
    pub bytes: u64,
}

/// Why a cache was not listed or cleared.
#[derive(Debug, thiserror::Error)]
pub enum CacheFailed {
    /// The user has none.
    #[error("there is no home folder; set XDG_CACHE_HOME, or give a shot")]
    NoHome,
    /// There is no shot of this name.
    #[error("{}: there is no such shot file", shot.display())]
    NoShot {
        /// The file.
        shot: PathBuf,
    },
    /// Its folder cannot be read or changed.
    #[error(transparent)]
    Cache(#[from] CacheWarning),
}

/// What the cache of a shot file holds, or without one the user's, which stands in where a shot's folder is read-only.
///
/// # Errors
/// See [`CacheFailed`].
pub fn list(shot: Option<&Path>) -> Result<CacheListing, CacheFailed> {
    let folder = folder(shot)?;
    let listed = Cache::in_folders([folder.clone()]).list()?;
    let entries: Vec<CacheLine> = listed
        .into_iter()
        .map(|entry| CacheLine {
            kind: entry.kind,
            bytes: entry.bytes,
            last_used: entry.last_used.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs(),
            file: entry.file,
        })
        .collect();
    let bytes = entries.iter().map(|entry| entry.bytes).sum();
    Ok(CacheListing { folder, entries, bytes })
}

/// Removes all entries of that cache; they are computed again when they are needed.
///
/// # Errors
/// See [`CacheFailed`].
pub fn clear(shot: Option<&Path>) -> Result<CacheCleared, CacheFailed> {
    let folder = folder(shot)?;
    let Cleared { entries, bytes } = Cache::in_folders([folder.clone()]).clear()?;
    Ok(CacheCleared { folder, entries, bytes })
}

fn folder(shot: Option<&Path>) -> Result<PathBuf, CacheFailed> {
    let Some(shot) = shot else { return user_folder().ok_or(CacheFailed::NoHome) };
    if !shot.is_file() {
        return Err(CacheFailed::NoShot { shot: shot.to_path_buf() });
    }
    Ok(shot.with_extension("cache"))
}
