//! Files that appear whole or not at all: written under a temporary name in the same folder, then
//! renamed, which the operating system does in one step.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use supple_formats::{check_target, sweep_unfinished, unfinished_prefix};
use tempfile::NamedTempFile;

/// Begin of the names of unfinished files.
pub(crate) const TEMPORARY_PREFIX: &str = supple_formats::UNFINISHED;

/// A new file in `folder` that vanishes unless it is persisted; what programs that are gone have left there goes. Other users may read it as far as
/// the umask allows, as with any file an application saves.
pub(crate) fn temporary_in(folder: &Path) -> io::Result<NamedTempFile> {
    sweep_unfinished(folder);
    let mut options = File::options();
    options.read(true).write(true).create_new(true);
    // The library's own way of opening puts the temporary name, which nobody knows, into its errors.
    tempfile::Builder::new().prefix(&unfinished_prefix()).make_in(folder, |path| options.open(path))
}

/// Replaces the contents of `path`, or creates it. After a crash at any moment the file holds
/// either the old or the new contents. Permissions are kept; a symbolic link stays one, and the
/// file it points to is replaced; a file marked read-only is refused.
///
/// # Errors
/// When it cannot be written; then it is as it was.
pub fn replace(path: &Path, contents: &[u8]) -> io::Result<()> {
    let (target, existing) = what_is_there(path)?;
    let file = temporary_in(folder_of(&target))?;
    file.as_file().write_all(contents)?;
    put(file, &target, existing)
}

/// A new file for [`place`].
///
/// # Errors
/// When it cannot be made, or [`place`] could not put it there.
pub fn temporary_for(path: &Path) -> io::Result<NamedTempFile> {
    let (target, _) = what_is_there(path)?;
    temporary_in(folder_of(&target))
}

/// Puts a finished file from [`temporary_for`] in the place of `path`, as [`replace`] does.
///
/// # Errors
/// As [`replace`].
pub fn place(file: NamedTempFile, path: &Path) -> io::Result<()> {
    let (target, existing) = what_is_there(path)?;
    put(file, &target, existing)
}

/// The file that a path means, and its permissions if it is there.
fn what_is_there(path: &Path) -> io::Result<(PathBuf, Option<fs::Permissions>)> {
    check_target(path)?;
    // Renaming over a link would replace the link itself.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let existing = match fs::metadata(&target) {
        Ok(metadata) => Some(metadata.permissions()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    if existing.as_ref().is_some_and(fs::Permissions::readonly) {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only"));
    }
    Ok((target, existing))
}

/// The folder a file is in.
fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn put(file: NamedTempFile, target: &Path, existing: Option<fs::Permissions>) -> io::Result<()> {
    if let Some(permissions) = existing {
        file.as_file().set_permissions(permissions)?;
    }
    file.as_file().sync_all()?;
    file.persist(target).map_err(|failed| failed.error)?;
    // The rename itself lives in the folder. Not every file system can sync a folder, and the
    // contents are safe either way.
    if let Ok(folder) = File::open(folder_of(target)) {
        let _ = folder.sync_all();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn replaces_contents_and_leaves_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        replace(&path, b"one").unwrap();
        replace(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(names(folder.path()), ["a.txt"]);
    }

    #[test]
    fn a_failed_write_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let taken = folder.path().join("taken");
        fs::create_dir(&taken).unwrap();
        replace(&taken, b"one").unwrap_err();
        let error = replace(&folder.path().join("no/such/a.txt"), b"one").unwrap_err();
        assert_eq!(error.to_string(), io::Error::from_raw_os_error(2).to_string(), "of no other name");
        assert_eq!(names(folder.path()), ["taken"]);
    }

    #[cfg(unix)]
    #[test]
    fn keeps_permissions_and_links_and_refuses_read_only_files() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let link = folder.path().join("link.txt");
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;

        replace(&path, b"one").unwrap();
        fs::write(folder.path().join("plain.txt"), b"").unwrap();
        assert_eq!(mode(&path), mode(&folder.path().join("plain.txt")), "a new file follows the umask");

        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&path, &link).unwrap();
        replace(&link, b"two").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!((fs::read(&path).unwrap().as_slice(), mode(&path)), (b"two".as_slice(), 0o640));

        fs::set_permissions(&path, fs::Permissions::from_mode(0o440)).unwrap();
        assert_eq!(replace(&path, b"three").unwrap_err().kind(), io::ErrorKind::PermissionDenied);
        assert_eq!(fs::read(&path).unwrap(), b"two");
    }
}
