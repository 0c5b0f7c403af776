//! What is left when a process dies, and how the next one finds it.

use crate::home::{AUTOSAVE, Home, LOCK, OF, untitled};
use crate::{Generation, SessionError};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};
use supple_project::{Shot, ShotError, atomic};

/// A room without anything may be somebody's who is just moving in, unless it is this old.
const ABANDONED: Duration = Duration::from_secs(24 * 60 * 60);

/// Keeps autosaves in order: a slow one must not undo a later one, nor come after what it is for was saved.
#[derive(Debug, Default)]
pub(crate) struct Gate(Mutex<Passed>);

#[derive(Debug, Default)]
struct Passed {
    /// How many were asked for.
    asked: u64,
    /// The last that was written, or overtaken by a save.
    done: u64,
    /// The state the last one was asked for.
    of: Option<Generation>,
}

impl Gate {
    fn passed(&self) -> std::sync::MutexGuard<'_, Passed> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a state was not yet asked for.
    pub fn wants(&self, generation: Generation) -> bool {
        self.passed().of != Some(generation)
    }

    /// Removes what was autosaved: there is nothing to lose.
    pub fn clear(&self, room: &Path) {
        let mut passed = self.passed();
        if passed.of.take().is_some() {
            passed.done = passed.asked;
            // One that stays is offered once more than needed.
            let _ = fs::remove_file(room.join(AUTOSAVE));
        }
    }
}

/// A state of a document, to be written where it is found after a crash.
#[derive(Debug)]
pub struct Autosave {
    gate: Arc<Gate>,
    number: u64,
    shot: Arc<Shot>,
    path: PathBuf,
    room: PathBuf,
}

impl Autosave {
    pub(crate) fn new(
        gate: &Arc<Gate>,
        of: Generation,
        shot: Arc<Shot>,
        path: PathBuf,
        room: PathBuf,
    ) -> Self {
        let mut passed = gate.passed();
        passed.asked += 1;
        passed.of = Some(of);
        Self { gate: gate.clone(), number: passed.asked, shot, path, room }
    }

    /// Writes it, whole or not at all, unless a later one or a save was quicker.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(self) -> Result<(), SessionError> {
        let text = self.shot.text(&self.path)?;
        let mut passed = self.gate.passed();
        if passed.done >= self.number {
            return Ok(());
        }
        let file = self.room.join(AUTOSAVE);
        if let Err(source) = atomic::replace(&file, text.as_bytes()) {
            passed.of = None;
            return Err(ShotError::Write { file, source }.into());
        }
        passed.done = self.number;
        Ok(())
    }
}

/// A shot that was not saved when its process died.
#[derive(Debug)]
pub struct Recoverable {
    /// Its file; `None` for an untitled one.
    pub path: Option<PathBuf>,
    /// When it was autosaved.
    pub when: SystemTime,
    /// The shot as it was then.
    pub shot: Shot,
    pub(crate) folder: PathBuf,
    pub(crate) lock: File,
}

impl Recoverable {
    /// Throws it away.
    ///
    /// # Errors
    /// When its files cannot be removed.
    pub fn discard(self) -> Result<(), SessionError> {
        fs::remove_dir_all(&self.folder)
            .map_err(|source| SessionError::Folder { folder: self.folder.clone(), source })
    }
}

impl Home {
    /// The shots that were not saved when their processes died, the latest first. What such processes left besides is
    /// removed.
    #[must_use]
    pub fn recoverable(&self) -> Vec<Recoverable> {
        let Ok(rooms) = fs::read_dir(self.rooms()) else { return Vec::new() };
        let folders = rooms.flatten().map(|room| room.path()).filter(|folder| folder.is_dir());
        let mut found: Vec<Recoverable> = folders.filter_map(look).collect();
        found.sort_by_key(|left| std::cmp::Reverse(left.when));
        found
    }
}

/// What is left in a room; `None` if it is in use, or empty.
fn look(folder: PathBuf) -> Option<Recoverable> {
    let lock = File::open(folder.join(LOCK)).ok().filter(|lock| lock.try_lock().is_ok());
    let file = folder.join(AUTOSAVE);
    let (Some(lock), Ok(metadata)) = (lock, fs::metadata(&file)) else {
        tidy(&folder);
        return None;
    };
    let when = metadata.modified().ok()?;
    let of = fs::read_to_string(folder.join(OF)).ok()?;
    let path = (!of.is_empty()).then(|| PathBuf::from(of));
    let nominal = path.clone().unwrap_or_else(|| untitled(&folder));
    let shot = Shot::parse(&nominal, &fs::read_to_string(&file).ok()?).ok()?;
    Some(Recoverable { path, when, shot, folder, lock })
}

/// Removes a room that nobody is in, nor just moving in, and where nothing was left.
fn tidy(folder: &Path) {
    let age = fs::metadata(folder).and_then(|metadata| metadata.modified()).map(|when| when.elapsed());
    let is_old = matches!(age, Ok(Ok(age)) if age > ABANDONED);
    let lock = File::open(folder.join(LOCK));
    let is_free = lock.as_ref().map_or(true, |lock| lock.try_lock().is_ok());
    if is_old && is_free && !folder.join(AUTOSAVE).exists() {
        let _ = fs::remove_dir_all(folder);
    }
}
