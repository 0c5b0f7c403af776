//! The shot that is being edited.
//!
//! Every edit is a [`Document::change`], or a gesture of many updates that becomes one step of undo when it is
//! committed. Camera, selection and the current frame are no part of a document.

use crate::history::{Generation, History};
use crate::home::{Home, Room};
use crate::recovery::{Autosave, Gate, Recoverable};
use crate::{Adopted, JobError, SessionError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use supple_model::Progress;
use supple_project::{Cache, Import, Imported, Sample, Shot, ShotError, ShotLock};

/// The shot that is being edited, where it is kept, and how it came to be what it is.
#[derive(Debug)]
pub struct Document {
    history: History,
    gesture: Option<Draft>,
    path: Option<PathBuf>,
    /// What its file said when it was last read or written; nothing where there was none.
    on_disk: Option<Arc<Shot>>,
    /// Whether what is there now, no shot at all, may be written over.
    overwrites: bool,
    title: String,
    home: Home,
    room: Option<Room>,
    gate: Arc<Gate>,
}

/// A step of undo in the making.
#[derive(Debug)]
struct Draft {
    step: String,
    shot: Arc<Shot>,
    generation: Generation,
}

impl Document {
    /// Opens a shot file.
    ///
    /// # Errors
    /// When it cannot be read; it names file, line and column.
    pub fn open(path: &Path, home: &Home) -> Result<Self, SessionError> {
        let path = absolute(path)?;
        let history = History::new(Shot::load(&path)?, true);
        let on_disk = Some(history.shot().clone());
        Ok(Self { on_disk, ..Self::with(history, Some(path), home, None) })
    }

    /// An untitled copy of a built-in shot. Its files are in the program's own folder until it is saved.
    ///
    /// # Errors
    /// When that folder cannot be written to.
    pub fn sample(sample: &Sample, home: &Home) -> Result<Self, SessionError> {
        let room = Room::new(home, None)?;
        let written = sample.write(&room.new_folder()?)?;
        let shot = Shot::load(&written)?.moved(&room.untitled(), |_| None)?;
        let mut document = Self::with(History::new(shot, true), None, home, Some(room));
        document.title = sample.name.to_owned();
        Ok(document)
    }

    /// An untitled shot of an animated surface, called after its file and not saved yet. Its files are in the program's
    /// own folder until it is.
    ///
    /// # Errors
    /// What cannot be imported, or a folder that cannot be written to.
    pub(crate) fn imported(
        import: &Import,
        home: &Home,
        progress: &Progress,
    ) -> Result<(Imported, Self), JobError> {
        let room = Room::new(home, None)?;
        let name = import.name();
        let path = room.new_folder()?.join(format!("{name}.toml"));
        let imported = import.write(&path, progress)?;
        progress.check()?;
        home.take_cache(&path.with_extension("cache"));
        let shot = imported.shot.moved(&room.untitled(), |_| None)?;
        let mut document = Self::with(History::new(shot, false), None, home, Some(room));
        document.title = name;
        Ok((imported, document))
    }

    /// Goes on with what was left when a process died.
    ///
    /// # Errors
    /// When the room it was left in cannot be used.
    pub fn recover(left: Recoverable, home: &Home) -> Result<Self, SessionError> {
        let Recoverable { path, shot, folder, lock, .. } = left;
        let before = path.as_deref().and_then(|path| Shot::load(path).ok());
        let on_disk = before.clone().map(Arc::new);
        let mut history = match before {
            Some(before) => History::new(before, true),
            None => History::new(shot.clone(), false),
        };
        if **history.shot() != shot {
            let generation = Generation::fresh();
            history.push("Recover".to_owned(), Arc::new(shot), generation);
        }
        let document = Self::with(history, path, home, Some(Room::take_over(folder, lock)));
        Ok(Self { on_disk, ..document })
    }

    fn with(history: History, path: Option<PathBuf>, home: &Home, room: Option<Room>) -> Self {
        let title = path.as_deref().map_or("untitled".to_owned(), name_of);
        let (home, gate) = (home.clone(), Arc::default());
        Self { history, gesture: None, path, on_disk: None, overwrites: false, title, home, room, gate }
    }

    /// The shot as it is, a gesture's changes included.
    #[must_use]
    pub fn shot(&self) -> &Arc<Shot> {
        self.gesture.as_ref().map_or(self.history.shot(), |gesture| &gesture.shot)
    }

    /// The name of the state the shot is in.
    #[must_use]
    pub fn generation(&self) -> Generation {
        self.gesture.as_ref().map_or(self.history.generation(), |gesture| gesture.generation)
    }

    /// Its file; `None` for an untitled one.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// What to call it: the name of its file or sample.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Whether there is something to save. Going back to what was saved undoes that too.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        self.gesture.is_some() || !self.history.is_saved()
    }

    /// Where what is computed for it is kept.
    #[must_use]
    pub fn cache(&self) -> Cache {
        self.home.cache(self.path())
    }

    /// Changes the shot, as one step of undo that is called `step`; answers whether anything changed. A gesture that
    /// is under way is committed first.
    pub fn change(&mut self, step: &str, change: impl FnOnce(&mut Shot)) -> bool {
        self.begin_gesture(step);
        self.update_gesture(change);
        self.commit_gesture()
    }

    /// Begins a step that many updates make; one that is under way is committed first.
    pub fn begin_gesture(&mut self, step: &str) {
        self.commit_gesture();
        let (shot, generation) = (self.history.shot().clone(), self.history.generation());
        self.gesture = Some(Draft { step: step.to_owned(), shot, generation });
    }

    /// Changes the shot as part of the gesture that is under way; nothing without one.
    pub fn update_gesture(&mut self, change: impl FnOnce(&mut Shot)) {
        supple_model::passing!();
        let Some(gesture) = &mut self.gesture else { return };
        let mut shot = Shot::clone(&gesture.shot);
        change(&mut shot);
        if shot != *gesture.shot {
            gesture.shot = Arc::new(shot);
            gesture.generation = Generation::fresh();
        }
    }

    /// Ends the gesture; answers whether that was a step. What ends as it began is none.
    pub fn commit_gesture(&mut self) -> bool {
        let Some(Draft { step, shot, generation }) = self.gesture.take() else { return false };
        let changes = shot != *self.history.shot();
        if changes {
            self.history.push(step, shot, generation);
        }
        changes
    }

    /// Ends the gesture as if it had never begun.
    pub fn cancel_gesture(&mut self) {
        self.gesture = None;
    }

    /// Whether a gesture is under way.
    #[must_use]
    pub fn in_gesture(&self) -> bool {
        self.gesture.is_some()
    }

    /// Goes one step back, or ends the gesture that is under way without a trace; answers whether there was one.
    pub fn undo(&mut self) -> bool {
        self.gesture.take().is_some() || self.history.undo()
    }

    /// Goes one step forth again; answers whether there was one. Nothing while a gesture is under way.
    pub fn redo(&mut self) -> bool {
        self.gesture.is_none() && self.history.redo()
    }

    /// The names of the steps that can be undone, the last first.
    pub fn undo_steps(&self) -> impl Iterator<Item = &str> {
        self.history.undoable()
    }

    /// The names of the steps that can be done again, the next first.
    pub fn redo_steps(&self) -> impl Iterator<Item = &str> {
        self.history.redoable()
    }

    /// Whether somebody else has changed the shot in its file since it was last read or written here. Comments and layout
    /// do not count: saving keeps them.
    #[must_use]
    pub fn is_changed_on_disk(&self) -> bool {
        // A file that is gone has nothing in it that could be lost.
        let Some(path) = self.path().filter(|path| path.exists()) else { return false };
        let now = Shot::load(path).ok();
        now.is_none() || now.as_ref() != self.on_disk.as_deref()
    }

    /// What somebody else has written to its file may be written over.
    pub fn allow_overwriting(&mut self) {
        let now = self.path().and_then(|path| Shot::load(path).ok());
        self.overwrites = now.is_none();
        self.on_disk = now.map(Arc::new);
    }

    /// Refuses to write over what somebody else has written to its file.
    pub(crate) fn check_disk(&self, path: &Path) -> Result<(), SessionError> {
        let is_own = self.path() == Some(absolute(path)?.as_path());
        if is_own && !self.overwrites && self.is_changed_on_disk() {
            return Err(SessionError::ChangedOnDisk { file: path.to_path_buf() });
        }
        Ok(())
    }

    /// Saves the shot to its file, whole or not at all; comments and layout there are kept.
    ///
    /// # Errors
    /// [`SessionError::Untitled`], [`SessionError::ChangedOnDisk`], and a file that cannot be written; then nothing
    /// changes.
    pub fn save(&mut self) -> Result<(), SessionError> {
        let path = self.path.clone().ok_or(SessionError::Untitled)?;
        self.save_as(&path)
    }

    /// Saves the shot to another file, which is its file from then on. Relative paths move along, in every step of undo
    /// too; what was imported, baked or came with a sample is put beside it.
    ///
    /// # Errors
    /// [`SessionError::ChangedOnDisk`] and a file that cannot be written; then nothing changes.
    pub fn save_as(&mut self, path: &Path) -> Result<(), SessionError> {
        let path = absolute(path)?;
        self.check_disk(&path)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let adopted = Adopted::copy(&self.own_files(), folder, &Progress::silent())?;
        self.save_with(&path, adopted)
    }

    /// The files of the shot that are in the program's own folder.
    pub(crate) fn own_files(&self) -> Vec<PathBuf> {
        let Some(room) = &self.room else { return Vec::new() };
        let is_own = |file: &PathBuf| file.starts_with(&room.folder) && file.is_file();
        self.shot().places().into_iter().filter(is_own).collect()
    }

    /// Saves the shot to a file whose folder has its files.
    pub(crate) fn save_with(&mut self, path: &Path, adopted: Adopted) -> Result<(), SessionError> {
        self.commit_gesture();
        let path = absolute(path)?;
        // A command that changes the same shot comes before or after.
        let _lock = ShotLock::take(&path, &Progress::silent())?;
        self.check_disk(&path)?;
        let place = |file: &Path| adopted.place(file).map(Path::to_path_buf);
        let mut saved = self.history.shot().moved(&path, place)?;
        saved.save(&path)?;
        (self.on_disk, self.overwrites) = (Some(Arc::new(saved.clone())), false);
        self.history.map(|shot| shot.moved(&path, place))?;
        self.history.mark_saved(saved);
        adopted.keep();
        self.title = name_of(&path);
        if let Some(room) = &self.room {
            self.gate.clear(&room.folder);
            room.say_of(Some(&path))?;
        }
        self.path = Some(path);
        Ok(())
    }

    /// A new folder in the program's own, for files of the shot until it is saved.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn new_folder(&mut self) -> Result<PathBuf, SessionError> {
        self.room()?.new_folder()
    }

    /// What should be written so that a killed process loses nothing; `None` if that was done already, or there is
    /// nothing to lose. Writing takes a moment of the disk: do it beside the window.
    ///
    /// # Errors
    /// When the program's own folder cannot be made.
    pub fn autosave(&mut self) -> Result<Option<Autosave>, SessionError> {
        let generation = self.history.generation();
        if self.history.is_saved() {
            if let Some(room) = &self.room {
                self.gate.clear(&room.folder);
            }
            return Ok(None);
        }
        if !self.gate.wants(generation) {
            return Ok(None);
        }
        let path = self.place()?;
        let folder = self.room()?.folder.clone();
        Ok(Some(Autosave::new(&self.gate, generation, self.history.shot().clone(), path, folder)))
    }

    /// Whether something would be lost that was not yet autosaved.
    pub(crate) fn needs_autosave(&self) -> bool {
        self.is_changed() && self.gate.wants(self.history.generation())
    }

    pub(crate) fn home(&self) -> &Home {
        &self.home
    }

    /// Where it is, or would be while it is untitled.
    pub(crate) fn place(&mut self) -> Result<PathBuf, SessionError> {
        match self.path.clone() {
            Some(path) => Ok(path),
            None => Ok(self.room()?.untitled()),
        }
    }

    fn room(&mut self) -> Result<&Room, SessionError> {
        let room = match self.room.take() {
            Some(room) => room,
            None => Room::new(&self.home, self.path())?,
        };
        Ok(self.room.insert(room))
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn absolute(path: &Path) -> Result<PathBuf, ShotError> {
    std::path::absolute(path).map_err(|source| ShotError::Read { file: path.to_path_buf(), source })
}
