//! Document, solver and jobs of one window, brought together once per frame of it.

use crate::{
    Adopted, Document, Extras, Finished, Home, JobError, JobId, JobKind, Jobs, Notice, Outcome, Recent,
    Recoverable, SessionError, Snapshot, Solver, Wanted,
};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use supple_project::method::{Numerics, PoseAsk, Shove};
use supple_project::{Import, Sample};

/// How long an edit may be lost.
const AUTOSAVE_EVERY: Duration = Duration::from_secs(3);

/// All that one window works on.
#[derive(Debug)]
pub struct Session {
    /// The shot that is being edited.
    pub document: Document,
    /// What runs beside the window.
    pub jobs: Jobs,
    /// The thread that answers; [`Self::update`] says what is wanted.
    pub solver: Solver,
    home: Home,
    autosaved: Instant,
    /// How many documents there were before.
    before: usize,
    /// The job that a document waits for to be saved.
    saving: Option<JobId>,
    /// What was imported while the document was changed.
    arrived: Option<(Document, Notice)>,
}

/// What a window looks at: no part of the document, and not undone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct View {
    /// The frame that is edited, counted from 0.
    pub frame: usize,
    /// The frame that is played, counted from 0; `None` while nothing plays.
    pub playing: Option<usize>,
    /// The handle that is being dragged, by its place in the shot.
    pub hand: Option<usize>,
    /// Whether the frames of the input are shown too.
    pub input: bool,
    /// Whether it is shown how far the frames are strained.
    pub strain: bool,
    /// A vertex of which it should be known how far the edit moves it.
    pub probe: Option<u32>,
    /// What else is shown.
    pub extras: Arc<Extras>,
    /// The pose that is being made.
    pub pose: Option<Arc<PoseAsk>>,
    /// A hand that pushes the body while it plays.
    pub shove: Option<Shove>,
}

impl Session {
    /// A session on a document. `wake` is called, from any thread, when the window should be drawn again.
    #[must_use]
    pub fn new(
        document: Document,
        home: &Home,
        numerics: Arc<dyn Numerics>,
        wake: impl Fn() + Send + Sync + Clone + 'static,
    ) -> Self {
        let jobs = Jobs::new(wake.clone());
        let solver = Solver::new(numerics, wake);
        let (home, autosaved) = (home.clone(), Instant::now());
        Self { document, jobs, solver, home, autosaved, before: 0, saving: None, arrived: None }
    }

    /// Which document this is: another number, another document.
    #[must_use]
    pub fn number(&self) -> usize {
        self.before
    }

    fn replace(&mut self, document: Document) {
        let old = std::mem::replace(&mut self.document, document);
        (self.before, self.saving) = (self.before + 1, None);
        self.solver.clear();
        // Its own files go with it, which may take a moment of the disk.
        std::thread::spawn(move || drop(old));
    }

    /// Opens a shot file instead; what was not saved is gone, so ask first.
    ///
    /// # Errors
    /// When it cannot be read; the document stays then.
    pub fn open(&mut self, path: &Path) -> Result<(), SessionError> {
        self.replace(Document::open(path, &self.home)?);
        self.remember();
        Ok(())
    }

    /// Opens an untitled copy of a built-in shot instead, once its files are written; the document stays until then, and
    /// for good if it is changed in the meantime.
    pub fn open_sample(&mut self, sample: &'static Sample) {
        let task = self.document.sample_task(sample, &self.home);
        self.jobs.start(task);
    }

    /// Opens an untitled shot of an animated surface instead, once it is made; what was not saved is gone then, so ask
    /// first. The document stays until then; if it is changed in the meantime, the import waits: [`Self::has_arrived`].
    pub fn import(&mut self, import: Import) {
        let task = self.document.import_task(import);
        self.jobs.start(task);
    }

    /// Whether an import waits to be opened, because the document was changed while it was made.
    #[must_use]
    pub fn has_arrived(&self) -> bool {
        self.arrived.is_some()
    }

    /// Opens the import that waits instead; what was not saved is gone, so ask first.
    pub fn open_arrived(&mut self) -> Option<Notice> {
        let (document, notice) = self.arrived.take()?;
        self.replace(document);
        Some(notice)
    }

    /// Forgets the import that waits.
    pub fn forget_arrived(&mut self) {
        self.arrived = None;
    }

    /// Goes on with what a killed process left instead.
    ///
    /// # Errors
    /// As [`Document::recover`]; the document stays then.
    pub fn recover(&mut self, left: Recoverable) -> Result<(), SessionError> {
        self.replace(Document::recover(left, &self.home)?);
        Ok(())
    }

    /// Saves the document to a file, which is remembered; answers whether that is done. Files it brings along are copied
    /// beside the window first.
    ///
    /// # Errors
    /// As [`Document::save_as`].
    pub fn save_as(&mut self, path: &Path) -> Result<bool, SessionError> {
        self.document.check_disk(path)?;
        if let Some(task) = self.document.copy_task(path) {
            self.saving = Some(self.jobs.start(task));
            return Ok(false);
        }
        self.document.save_as(path)?;
        self.remember();
        Ok(true)
    }

    /// Whether the document is about to be saved.
    #[must_use]
    pub fn is_saving(&self) -> bool {
        self.saving.is_some()
    }

    /// Saves the document beside its files; copies those that came in the meantime first.
    fn save_with(&mut self, path: &Path, adopted: Adopted) -> Result<Option<Notice>, SessionError> {
        if self.document.own_files().iter().any(|file| adopted.place(file).is_none()) {
            adopted.keep();
            let is_saved = self.save_as(path)?;
            debug_assert!(!is_saved, "there is something to be copied");
            return Ok(None);
        }
        self.document.save_with(path, adopted)?;
        self.remember();
        Ok(Some(Notice::Saved(self.document.title().to_owned())))
    }

    /// The program's own folders.
    #[must_use]
    pub fn home(&self) -> &Home {
        &self.home
    }

    /// The files that were opened last.
    #[must_use]
    pub fn recent(&self) -> Recent {
        Recent::of(&self.home)
    }

    /// To be called once per frame of the window: fetches what jobs came to, autosaves, says what is wanted and answers
    /// what there is to see. Takes no time.
    pub fn update(&mut self, view: &View) -> (Snapshot, Vec<Notice>) {
        let mut notices = Vec::new();
        for job in self.jobs.finished() {
            notices.extend(self.take(job));
        }
        if let Err(error) = self.autosave() {
            notices.push(Notice::NotAutosaved(error));
        }
        self.solver.want(Wanted {
            generation: self.document.generation(),
            shot: self.document.shot().clone(),
            cache: self.document.cache(),
            hand: view.hand,
            frame: view.frame,
            playing: view.playing,
            input: view.input,
            strain: view.strain,
            probe: view.probe,
            extras: view.extras.clone(),
            pose: view.pose.clone(),
            shove: view.shove,
        });
        (self.solver.answer(), notices)
    }

    /// When [`Self::update`] should be called again even if nothing happens: there is something to autosave.
    #[must_use]
    pub fn wants_update_in(&self) -> Option<Duration> {
        self.document.needs_autosave().then(|| AUTOSAVE_EVERY.saturating_sub(self.autosaved.elapsed()))
    }

    /// Makes what a job came to part of the document.
    fn take(&mut self, job: Finished) -> Option<Notice> {
        let is_save = self.saving.take_if(|id| *id == job.id).is_some();
        let is_current = job.generation == self.document.generation();
        match job.result {
            // The next one comes by itself.
            Err(JobError::Cancelled) if job.kind == JobKind::Autosave => None,
            Err(error) => Some(Notice::JobFailed { job: job.kind, error }),
            Ok(Outcome::Autosaved) => None,
            Ok(Outcome::Copied(path, adopted)) if is_save => {
                self.save_with(&path, adopted).unwrap_or_else(|error| Some(Notice::NotSaved(error)))
            }
            // It was for another document.
            Ok(Outcome::Copied(..)) => None,
            Ok(Outcome::Opened(_)) if !is_current => Some(Notice::NotOpened(job.kind)),
            Ok(Outcome::Opened(document)) => {
                self.replace(*document);
                None
            }
            Ok(Outcome::Exported(exported)) => Some(Notice::Exported(exported)),
            Ok(Outcome::Imported(imported, document)) => {
                self.arrived = Some((*document, Notice::Imported { job: job.kind, imported }));
                if is_current || !self.document.is_changed() { self.open_arrived() } else { None }
            }
            Ok(Outcome::Plants(_)) if !is_current => Some(Notice::PlantsOutdated),
            Ok(Outcome::Plants(found)) => Some(self.document.take_plants(&job.kind.to_string(), found)),
            Ok(Outcome::Baked(_)) if !is_current => Some(Notice::BakeOutdated),
            Ok(Outcome::Baked(shot)) => Some(match self.document.take_in(&job.kind.to_string(), &shot) {
                Ok(_) => Notice::Baked,
                Err(error) => Notice::NotBaked(error),
            }),
            Ok(Outcome::Recovered(..)) if !is_current => Some(Notice::RecoveryOutdated),
            Ok(Outcome::Recovered(found, shot)) => {
                Some(match self.document.take_in(&job.kind.to_string(), &shot) {
                    Ok(_) => Notice::Recovered(found),
                    Err(error) => Notice::NotBaked(error),
                })
            }
        }
    }

    fn autosave(&mut self) -> Result<(), SessionError> {
        if self.autosaved.elapsed() >= AUTOSAVE_EVERY && !self.document.in_gesture() {
            self.autosaved = Instant::now();
            if let Some(autosave) = self.document.autosave()? {
                let task = self.document.autosave_task(autosave);
                self.jobs.start(task);
            }
        }
        Ok(())
    }

    fn remember(&self) {
        if let Some(path) = self.document.path() {
            // A list that cannot be written is no reason to stop.
            let _ = self.recent().add(path);
        }
    }
}
