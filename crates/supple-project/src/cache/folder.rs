//! One cache folder: what entries are called, which files are entries, and where the user's folder is.

use super::key::{CacheKey, Kind};
use crate::atomic;
use crate::error::CacheWarning;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

const EXTENSION: &str = "entry";

/// Unfinished files older than this belong to a process that died.
const ABANDONED: Duration = Duration::from_secs(24 * 60 * 60);

/// One entry of a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What it holds, by [`Kind::name`].
    pub kind: String,
    /// Its size on disk.
    pub bytes: u64,
    /// When it was last written or read.
    pub last_used: SystemTime,
    /// The file.
    pub file: PathBuf,
}

pub(super) fn file_name(kind: Kind, key: &CacheKey) -> String {
    format!("{}-{key}.{EXTENSION}", kind.name())
}

/// The kind in a file name made by [`file_name`]; `None` for any other name.
fn kind_in(name: &str) -> Option<&str> {
    let (kind, key) = name.strip_suffix(EXTENSION)?.strip_suffix('.')?.split_once('-')?;
    let ours = !kind.is_empty()
        && kind.bytes().all(|b| b.is_ascii_lowercase())
        && key.len() == 64
        && key.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    ours.then_some(kind)
}

/// The user's cache folder for Supple, `$XDG_CACHE_HOME/supple` or `~/.cache/supple`; it may not exist yet.
#[must_use]
pub fn user_folder() -> Option<PathBuf> {
    user_folder_from(std::env::var_os("XDG_CACHE_HOME"), std::env::home_dir())
}

/// A relative `XDG_CACHE_HOME` is ignored, as the XDG base directory specification asks.
fn user_folder_from(xdg_cache_home: Option<OsString>, home: Option<PathBuf>) -> Option<PathBuf> {
    xdg_cache_home
        .map(PathBuf::from)
        .filter(|path| path.is_absolute())
        .or_else(|| home.filter(|path| path.is_absolute()).map(|path| path.join(".cache")))
        .map(|path| path.join("supple"))
}

pub(super) fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Someone else having been quicker is fine.
pub(super) fn remove(path: &Path) -> Result<(), CacheWarning> {
    match fs::remove_file(path) {
        Err(source) if !is_absent(&source) => {
            Err(CacheWarning::NotTidied { path: path.to_path_buf(), source })
        }
        _ => Ok(()),
    }
}

/// What is in a folder, files of others left out.
#[derive(Default)]
pub(super) struct Found {
    pub(super) entries: Vec<Entry>,
    pub(super) abandoned: Vec<PathBuf>,
}

pub(super) fn scan(folder: &Path) -> Result<Found, CacheWarning> {
    let mut found = Found::default();
    let listing = match fs::read_dir(folder) {
        Ok(listing) => listing,
        Err(error) if is_absent(&error) => return Ok(found),
        Err(source) => return Err(CacheWarning::NotTidied { path: folder.to_path_buf(), source }),
    };
    let now = SystemTime::now();
    for item in listing.flatten() {
        let name = item.file_name();
        // A file another process has just removed has no metadata, and is no entry any more.
        let (Some(name), Ok(metadata)) = (name.to_str(), item.metadata()) else { continue };
        let Ok(last_used) = metadata.modified() else { continue };
        if !metadata.is_file() {
            continue;
        }
        if let Some(kind) = kind_in(name) {
            let kind = kind.to_owned();
            found.entries.push(Entry { kind, bytes: metadata.len(), last_used, file: item.path() });
        } else if name.starts_with(atomic::TEMPORARY_PREFIX)
            && now.duration_since(last_used).is_ok_and(|age| age > ABANDONED)
        {
            found.abandoned.push(item.path());
        }
    }
    Ok(found)
}

pub(super) fn oldest_first(a: &Entry, b: &Entry) -> std::cmp::Ordering {
    a.last_used.cmp(&b.last_used).then_with(|| a.file.cmp(&b.file))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::KeyHasher;

    #[test]
    fn only_names_of_entries_are_recognised() {
        let kind = Kind::new("modes", 1);
        let name = file_name(kind, &KeyHasher::new(kind).finish());
        assert_eq!(kind_in(&name), Some("modes"));
        for other in [
            "modes.entry",
            "notes-2024.entry",
            "a.toml",
            "-.entry",
            &name[1..].replace("odes", ""),
            &name[..name.len() - 1],
            &name.to_uppercase(),
        ] {
            assert_eq!(kind_in(other), None, "{other}");
        }
    }

    #[test]
    fn the_users_folder_follows_the_xdg_rules() {
        let home = || Some(PathBuf::from("/home/ada"));
        let folder = |xdg: Option<&str>, home| user_folder_from(xdg.map(OsString::from), home);
        assert_eq!(folder(Some("/fast"), home()), Some("/fast/supple".into()));
        assert_eq!(folder(None, home()), Some("/home/ada/.cache/supple".into()));
        assert_eq!(folder(Some("relative"), home()), Some("/home/ada/.cache/supple".into()));
        assert_eq!(folder(Some(""), None), None);
    }
}
