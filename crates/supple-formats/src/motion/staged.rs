//! A file that appears whole or not at all: written beside its target under a name of its own, then
//! renamed, which the operating system does in one step.
//!
//! What replaces a file reaches the disk before the old one goes, so that not even a failing power supply takes both. A
//! new one does not wait for the disk: it would be most of the time of a large motion, which can be written again.

use crate::{check_target, sweep_unfinished, unfinished_prefix};
use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::io;
use std::path::{Path, PathBuf};
use tempfile::{NamedTempFile, TempDir};

pub(crate) struct Staged {
    file: NamedTempFile,
    target: PathBuf,
    /// Those of the file that is replaced.
    permissions: Option<Permissions>,
}

impl Staged {
    /// Refuses what [`Self::persist`] could not replace, so that long work does not end in an error
    /// that was there from the beginning. A symbolic link stays, and what it points to is replaced.
    pub fn new(path: &Path) -> io::Result<Self> {
        check_target(path)?;
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let permissions = replaceable(&target)?;
        let folder = existing(folder_of(&target))?;
        sweep_unfinished(folder);
        // Others may read it as far as the umask allows, as any file an application saves. The library's own way of
        // opening puts the temporary name, which nobody knows, into its errors.
        let mut options = File::options();
        options.read(true).write(true).create_new(true);
        let file = tempfile::Builder::new()
            .prefix(&unfinished_prefix())
            .make_in(folder, |path| options.open(path))?;
        Ok(Self { file, target, permissions })
    }

    pub fn file(&mut self) -> &mut File {
        self.file.as_file_mut()
    }

    pub fn persist(self) -> io::Result<()> {
        let replaces = self.permissions.is_some();
        if let Some(permissions) = self.permissions {
            self.file.as_file().set_permissions(permissions)?;
            self.file.as_file().sync_all()?;
        }
        self.file.persist(&self.target).map_err(|failed| failed.error)?;
        if replaces {
            sync_folder(folder_of(&self.target));
        }
        Ok(())
    }
}

/// A new folder in `folder` that vanishes with what is left in it.
pub(super) fn staging_folder(folder: &Path) -> io::Result<TempDir> {
    sweep_unfinished(existing(folder)?);
    tempfile::Builder::new().prefix(&unfinished_prefix()).tempdir_in(folder).map_err(plain)
}

/// A folder that is there.
fn existing(folder: &Path) -> io::Result<&Path> {
    match folder.is_dir() {
        true => Ok(folder),
        false => {
            let words = format!("there is no folder {}", folder.display());
            Err(io::Error::new(io::ErrorKind::NotFound, words))
        }
    }
}

/// The error without the name of a file nobody asked for.
fn plain(error: io::Error) -> io::Error {
    error.kind().into()
}

/// The permissions of the file at `path`, which may be replaced; `None` when there is none.
pub(super) fn replaceable(path: &Path) -> io::Result<Option<Permissions>> {
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
        Ok(metadata) if metadata.is_dir() => Err(io::Error::from(io::ErrorKind::IsADirectory)),
        Ok(metadata) if metadata.permissions().readonly() => {
            Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only"))
        }
        Ok(metadata) => Ok(Some(metadata.permissions())),
    }
}

/// A rename lives in its folder. Not every file system can sync one, and the contents are safe
/// either way.
pub(super) fn sync_folder(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}

pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent.as_os_str() != OsStr::new("") => parent,
        _ => Path::new("."),
    }
}
