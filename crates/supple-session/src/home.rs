//! Where the program keeps what is its own: recovery files, recent files, caches of what has no file yet.
//!
//! ```text
//! HOME/recent.txt                 paths, the latest first
//! HOME/window.txt                 how the window looked
//! HOME/recovery/shot-XXXXXX/      a room per open document
//!     lock                        locked while the document is open; a process that died has let go of it
//!     of.txt                      the path of the shot; nothing for an untitled one
//!     autosave.toml               the shot as of the last autosave, as it would be written to its path
//!     files/                      what imports, bakes and samples wrote, until the shot is saved
//! ```

use crate::SessionError;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use supple_project::{Cache, atomic, user_folder};
use tempfile::TempDir;

pub(crate) const LOCK: &str = "lock";
pub(crate) const OF: &str = "of.txt";
pub(crate) const AUTOSAVE: &str = "autosave.toml";
const FILES: &str = "files";

/// The program's own folders.
#[derive(Clone, Debug)]
pub struct Home {
    folder: PathBuf,
    cache: PathBuf,
    /// Goes with the last clone, where there is no home that stays.
    _passing: Option<Arc<TempDir>>,
}

impl Home {
    /// That of the user: `$XDG_STATE_HOME/supple` or `~/.local/state/supple`, the cache as [`user_folder`] has it.
    /// Where no home folder is known, one that goes with the program.
    ///
    /// # Errors
    /// When there is neither.
    pub fn of_user() -> Result<Self, SessionError> {
        let said = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
        let own = || std::env::home_dir().filter(|home| home.is_absolute());
        let state = said.or_else(|| own().map(|home| home.join(".local").join("state")));
        if let (Some(state), Some(cache)) = (state, user_folder()) {
            return Ok(Self { folder: state.join("supple"), cache, _passing: None });
        }
        let passing = tempfile::tempdir()
            .map_err(|source| SessionError::Folder { folder: std::env::temp_dir(), source })?;
        let mut home = Self::in_folder(passing.path());
        home._passing = Some(Arc::new(passing));
        Ok(home)
    }

    /// Everything in a folder of the caller's choice.
    #[must_use]
    pub fn in_folder(folder: &Path) -> Self {
        Self { folder: folder.join("state"), cache: folder.join("cache"), _passing: None }
    }

    /// The cache of a shot at `path`, or of one that has none yet.
    #[must_use]
    pub fn cache(&self, path: Option<&Path>) -> Cache {
        let beside = path.map(|path| path.with_extension("cache"));
        Cache::in_folders(beside.into_iter().chain([self.cache.clone()]))
    }

    /// Moves what a cache elsewhere holds to that of shots without a file. What cannot be moved is computed again.
    pub(crate) fn take_cache(&self, from: &Path) {
        let entries = Cache::in_folders([from.to_path_buf()]).list().unwrap_or_default();
        if fs::create_dir_all(&self.cache).is_err() {
            return;
        }
        for entry in entries {
            let to = self.cache.join(entry.file.file_name().unwrap_or_default());
            if fs::rename(&entry.file, &to).is_err() {
                let _ = fs::copy(&entry.file, &to);
            }
        }
    }

    /// Where a window remembers how it looked.
    #[must_use]
    pub fn window(&self) -> PathBuf {
        self.folder.join("window.txt")
    }

    pub(crate) fn recent(&self) -> PathBuf {
        self.folder.join("recent.txt")
    }

    pub(crate) fn rooms(&self) -> PathBuf {
        self.folder.join("recovery")
    }
}

/// Where an untitled shot with this room would be.
pub(crate) fn untitled(room: &Path) -> PathBuf {
    room.join(FILES).join("untitled.toml")
}

/// The room of one open document. It goes with its owner, unless that is a panic.
#[derive(Debug)]
pub(crate) struct Room {
    pub folder: PathBuf,
    /// Locked as long as it is open.
    _lock: File,
}

impl Room {
    pub fn new(home: &Home, of: Option<&Path>) -> Result<Self, SessionError> {
        let rooms = home.rooms();
        let problem = |source| SessionError::Folder { folder: rooms.clone(), source };
        fs::create_dir_all(&rooms).map_err(problem)?;
        let folder = tempfile::Builder::new().prefix("shot-").tempdir_in(&rooms).map_err(problem)?;
        let lock = File::create(folder.path().join(LOCK)).map_err(problem)?;
        lock.lock().map_err(problem)?;
        let room = Self { folder: folder.keep(), _lock: lock };
        room.say_of(of)?;
        Ok(room)
    }

    /// Moves into a room somebody left, its lock taken.
    pub fn take_over(folder: PathBuf, lock: File) -> Self {
        Self { folder, _lock: lock }
    }

    /// Writes down which shot this room is of.
    pub fn say_of(&self, path: Option<&Path>) -> Result<(), SessionError> {
        let file = self.folder.join(OF);
        let text = path.and_then(Path::to_str).unwrap_or_default();
        atomic::replace(&file, text.as_bytes())
            .map_err(|source| SessionError::Folder { folder: file, source })
    }

    /// Where an untitled shot would be.
    pub fn untitled(&self) -> PathBuf {
        untitled(&self.folder)
    }

    /// A new folder for what one job writes.
    pub fn new_folder(&self) -> Result<PathBuf, SessionError> {
        let files = self.folder.join(FILES);
        let problem = |source| SessionError::Folder { folder: files.clone(), source };
        fs::create_dir_all(&files).map_err(problem)?;
        let folder = tempfile::Builder::new().prefix("").tempdir_in(&files).map_err(problem)?;
        Ok(folder.keep())
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        if std::thread::panicking() {
            // What was autosaved is all there is.
            return;
        }
        // What cannot be removed now is when the next document looks for what can be recovered.
        let _ = fs::remove_dir_all(&self.folder);
    }
}
