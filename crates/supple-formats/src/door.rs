//! The door through which every file is read: only regular files, and none outside of a folder that was said.
//!
//! A device gives bytes without end, and a pipe makes one wait for ever; so neither is opened, whatever its name ends
//! in. A program that reads what it does not trust says once, with [`keep_inside`], which folder nothing may leave.

use std::fs::{self, File, FileType, Metadata};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

/// The folder that nothing may leave, without links; it is said once and holds for the whole program.
static FENCE: OnceLock<PathBuf> = OnceLock::new();

/// From now on every file that is read is inside of this folder, wherever names and links lead.
///
/// # Errors
/// When there is no such folder, or another one was said before.
pub fn keep_inside(folder: &Path) -> io::Result<()> {
    let folder = fs::canonicalize(folder)?;
    if !folder.is_dir() {
        return Err(io::ErrorKind::NotADirectory.into());
    }
    let fence = FENCE.get_or_init(|| folder.clone());
    if *fence == folder { Ok(()) } else { Err(io::Error::other("another folder was set before")) }
}

/// Opens a regular file for reading.
///
/// # Errors
/// When it cannot be opened, is a folder, a device or a pipe, or is outside of the folder of [`keep_inside`].
pub fn open_file(path: &Path) -> io::Result<File> {
    check_place(path, FENCE.get().map(PathBuf::as_path))?;
    // Before it is opened, since that alone may wait for ever; and after, since it may be another one by then.
    check_kind(&fs::metadata(path)?)?;
    let file = File::open(path)?;
    check_kind(&file.metadata()?)?;
    Ok(file)
}

/// All bytes of a regular file.
///
/// # Errors
/// As [`open_file`], and when it cannot be read.
pub fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = open_file(path)?;
    let mut bytes = Vec::new();
    let length = file.metadata()?.len();
    bytes.try_reserve_exact(usize::try_from(length).unwrap_or(usize::MAX)).map_err(io::Error::other)?;
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Checks that writing to a path whose name is inside the folder of [`keep_inside`] follows no link out of it, be it the
/// file or a folder on the way.
///
/// # Errors
/// When it does.
pub fn check_target(path: &Path) -> io::Result<()> {
    FENCE.get().map_or(Ok(()), |fence| check_way(path, fence))
}

fn check_way(path: &Path, fence: &Path) -> io::Result<()> {
    let is_inside = |place: &Path| fs::canonicalize(place).ok().map(|place| place.starts_with(fence));
    let path = std::path::absolute(path)?;
    let named = by_name(&path);
    let begins_inside = named.ancestors().skip(1).any(|above| is_inside(above) == Some(true));
    // What is not there yet will be made where the nearest folder is that is.
    let leads_inside = path.ancestors().find_map(is_inside);
    if begins_inside && leads_inside == Some(false) { Err(outside(fence)) } else { Ok(()) }
}

/// A path from the root on without `..`, which goes back by name and not by links.
fn by_name(path: &Path) -> PathBuf {
    let mut named = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(named.pop()),
            part => named.push(part),
        }
    }
    named
}

fn check_place(path: &Path, fence: Option<&Path>) -> io::Result<()> {
    match fence {
        Some(fence) if !fs::canonicalize(path).is_ok_and(|place| place.starts_with(fence)) => {
            Err(outside(fence))
        }
        _ => Ok(()),
    }
}

fn outside(fence: &Path) -> io::Error {
    let text = format!("it is outside {}, the only folder that may be used", fence.display());
    io::Error::new(io::ErrorKind::PermissionDenied, text)
}

fn check_kind(metadata: &Metadata) -> io::Result<()> {
    let kind = metadata.file_type();
    if kind.is_file() {
        Ok(())
    } else if kind.is_dir() {
        Err(io::ErrorKind::IsADirectory.into())
    } else {
        let text = format!("it is {}, not a file", name_of(kind));
        Err(io::Error::new(io::ErrorKind::InvalidInput, text))
    }
}

#[cfg(unix)]
fn name_of(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    if kind.is_fifo() {
        "a pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

#[cfg(not(unix))]
fn name_of(_: FileType) -> &'static str {
    "something else"
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names with `..` and links led out of any folder a shot was put into.
    #[test]
    fn the_fence_follows_names_and_links() {
        let outer = tempfile::tempdir().unwrap();
        let fence = fs::canonicalize(outer.path()).unwrap().join("fence");
        fs::create_dir(&fence).unwrap();
        fs::write(outer.path().join("secret.obj"), "v 0 0 0").unwrap();
        fs::write(fence.join("own.obj"), "v 0 0 0").unwrap();
        let check = |path: &Path| check_place(path, Some(&fence));
        check(&fence.join("own.obj")).unwrap();
        check(&fence.join("../fence/own.obj")).unwrap();
        let error = check(&fence.join("../secret.obj")).unwrap_err().to_string();
        assert!(error.starts_with("it is outside "), "{error}");
        check(&fence.join("none.obj")).unwrap_err();
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("../secret.obj", fence.join("link.obj")).unwrap();
            check(&fence.join("link.obj")).unwrap_err();
        }
    }
    /// A link to a folder led what was written out of the fence; only a link to the file itself was seen.
    #[cfg(unix)]
    #[test]
    fn nothing_is_written_through_a_link_that_leads_out() {
        let outer = tempfile::tempdir().unwrap();
        let outer = fs::canonicalize(outer.path()).unwrap();
        let fence = outer.join("fence");
        fs::create_dir(&fence).unwrap();
        fs::create_dir(outer.join("beside")).unwrap();
        fs::write(outer.join("beside/kept.pc2"), "").unwrap();
        std::os::unix::fs::symlink("../beside", fence.join("folder")).unwrap();
        std::os::unix::fs::symlink("../beside/kept.pc2", fence.join("file.pc2")).unwrap();
        std::os::unix::fs::symlink("../fence", outer.join("beside/back")).unwrap();
        let check = |name: &str| check_way(&outer.join(name), &fence);
        for name in ["fence/new.pc2", "fence/new/new.pc2", "beside/new.pc2", "fence/../beside/new.pc2"] {
            check(name).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        check("beside/back/new.pc2").unwrap();
        for name in
            ["fence/folder/new.pc2", "fence/folder/new/new.pc2", "fence/file.pc2", "beside/back/folder/a"]
        {
            check(name).unwrap_err();
        }
    }
}
