//! The solver: one thread that answers the latest wish, and tells the window when it has.
//!
//! The window says what it wants to see, as often as it likes ([`Solver::want`]); wishes that were overtaken are never
//! looked at. What is there to see is an [`Answer`]: snapshots behind `Arc`s, each with the [`Generation`] of the
//! document it is of. The frame that is edited comes before the one that is played, and both before the report.
//!
//! ```text
//! want(shot, hand, frame, playing) ─ latest wins ─→ [ thread: follow · drag · settle · show · report ] ─→ answer()
//!                                   body or settings changed ─→ [ another thread: open, in stages ] ─┘
//! ```
//!
//! While a body is opened, what was opened before goes on being shown; its pictures keep the generation they are of, and
//! so are not current.

use super::Generation;
use super::live::{Live, Numerics};
use super::stage::{Picture, Stage};
use super::worker;
use crate::Cache;
use crate::edit::EditReport;
use crate::shot::Shot;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use supple_model::Progress;

/// What the window wants to see.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The state of the document.
    pub generation: Generation,
    /// The shot in that state.
    pub shot: Arc<Shot>,
    /// Where what is computed for it is kept.
    pub cache: Cache,
    /// The handle that is being dragged, by its place in the shot. Its goal there says where to.
    pub hand: Option<usize>,
    /// The frame that is edited, counted from 0.
    pub frame: usize,
    /// The frame that is played, counted from 0; `None` while nothing plays.
    pub playing: Option<usize>,
    /// Whether the frames of the input are wanted too.
    pub input: bool,
}

impl Wanted {
    /// Whether the same edit is wanted, whatever the frames.
    fn is_same_edit(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shot, &other.shot) && self.hand == other.hand
    }

    fn is(&self, other: &Self) -> bool {
        let frames = |wanted: &Self| (wanted.generation, wanted.frame, wanted.playing, wanted.input);
        self.is_same_edit(other) && frames(self) == frames(other)
    }
}

/// What there is to see. Clones share everything.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// What was opened.
    pub stage: Option<Arc<Stage>>,
    /// The frame that is edited.
    pub shown: Option<Arc<Picture>>,
    /// The frame that is played.
    pub played: Option<Arc<Picture>>,
    /// What is wrong with each handle.
    pub problems: Arc<Vec<Option<String>>>,
    /// What the edit comes to.
    pub report: Option<Arc<Reported>>,
    /// The last step of a drag.
    pub step: Option<Step>,
    /// A body that is being opened.
    pub opening: Option<Opening>,
    /// Why the shot cannot be opened, in words that say what to do.
    pub failure: Option<Arc<str>>,
    /// Why the last wish could not be followed.
    pub trouble: Option<Arc<str>>,
    /// What the solver is doing.
    pub work: Work,
}

impl Answer {
    /// Whether the frame that is shown is that of a state of the document, with all modes.
    #[must_use]
    pub fn is_current(&self, generation: Generation) -> bool {
        let of_all_modes = self.stage.as_ref().is_some_and(|stage| stage.modes == stage.wanted_modes);
        of_all_modes
            && self.opening.is_none()
            && self.shown.as_ref().is_some_and(|shown| shown.generation == generation)
    }
}

/// What the solver is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Work {
    /// Nothing but showing frames.
    #[default]
    Idle,
    /// Following the hand.
    Dragging,
    /// Finding the edit of all handles.
    Settling,
    /// Going through all frames for the report.
    Reporting,
}

/// What an edit comes to.
#[derive(Debug)]
pub struct Reported {
    /// The state of the document it is of.
    pub generation: Generation,
    /// The report. Its handles are called by their place among those that have no problem and are not muted.
    pub report: EditReport,
    /// Seconds it took to find the edit.
    pub settle_seconds: f64,
}

/// A step of a drag.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// The state of the document it is of.
    pub generation: Generation,
    /// The error of the worst hard handle, as a part of the size.
    pub error: f64,
    /// Seconds from the wish to the frame that is shown.
    pub seconds: f64,
}

/// How far the opening of a body is.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening {
    /// The state of the document it is of.
    pub generation: Generation,
    /// What is being done.
    pub what: String,
    /// How much of it is done, 0 to 1.
    pub fraction: f64,
}

/// Answers what a window wants to see.
pub struct Solver {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

/// What the threads share.
pub(super) struct Shared {
    pub numerics: Arc<dyn Numerics>,
    mail: Mutex<Mail>,
    bell: Condvar,
    answer: Mutex<Answer>,
    wake: Box<dyn Fn() + Send + Sync>,
}

/// What came in since the thread last looked.
#[derive(Default)]
pub(super) struct Mail {
    pub wanted: Option<Wanted>,
    pub delivered: Option<(u64, Box<dyn Live>)>,
    /// How openings ended.
    pub ended: Vec<(u64, Result<(), String>)>,
    pub quit: bool,
    /// The latest wish, taken or not.
    last: Option<Wanted>,
    /// The wish that is being worked on, and how to stop that.
    busy: Option<(Arc<Shot>, Option<usize>, Progress)>,
}

impl Solver {
    /// Starts the thread. `wake` is called, from any thread, when there is something new to see.
    #[must_use]
    pub fn new(numerics: Arc<dyn Numerics>, wake: impl Fn() + Send + Sync + 'static) -> Self {
        let shared = Arc::new(Shared {
            numerics,
            mail: Mutex::default(),
            bell: Condvar::new(),
            answer: Mutex::default(),
            wake: Box::new(wake),
        });
        let theirs = shared.clone();
        let thread = std::thread::spawn(move || worker::run(&theirs));
        Self { shared, thread: Some(thread) }
    }

    /// Says what is wanted now; what was wanted before is forgotten. Returns at once.
    pub fn want(&self, wanted: Wanted) {
        let mut mail = self.shared.mail();
        if mail.last.as_ref().is_some_and(|last| last.is(&wanted)) {
            return;
        }
        if let Some((shot, hand, progress)) = &mail.busy
            && (!Arc::ptr_eq(shot, &wanted.shot) || *hand != wanted.hand)
        {
            progress.cancel();
        }
        mail.last = Some(wanted.clone());
        mail.wanted = Some(wanted);
        self.shared.bell.notify_all();
    }

    /// What there is to see now.
    #[must_use]
    pub fn answer(&self) -> Answer {
        self.shared.answer.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for Solver {
    fn drop(&mut self) {
        let mut mail = self.shared.mail();
        mail.quit = true;
        if let Some((_, _, progress)) = &mail.busy {
            progress.cancel();
        }
        drop(mail);
        self.shared.bell.notify_all();
        if let Some(thread) = self.thread.take() {
            // A panic over there was printed over there.
            let _ = thread.join();
        }
    }
}

impl std::fmt::Debug for Solver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Solver").field("answer", &self.answer()).finish_non_exhaustive()
    }
}

impl Shared {
    fn mail(&self) -> MutexGuard<'_, Mail> {
        self.mail.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until something came in, and takes it.
    pub fn wait(&self) -> Mail {
        let mut mail = self.mail();
        while mail.wanted.is_none() && mail.delivered.is_none() && mail.ended.is_empty() && !mail.quit {
            mail = self.bell.wait(mail).unwrap_or_else(PoisonError::into_inner);
        }
        let last = mail.last.clone();
        let quit = mail.quit;
        std::mem::replace(&mut *mail, Mail { quit, last, ..Mail::default() })
    }

    /// Whether a wish for another edit waits.
    pub fn is_overtaken(&self, wanted: &Wanted) -> bool {
        let mail = self.mail();
        mail.quit || mail.wanted.as_ref().is_some_and(|newer| !newer.is_same_edit(wanted))
    }

    /// If the wish that waits is for the same shot and hand, and other frames only, it.
    pub fn other_frames(&self, than: &Wanted) -> Option<Wanted> {
        let mut mail = self.mail();
        mail.wanted.take_if(|wanted| wanted.is_same_edit(than))
    }

    /// Progress of work on a wish, which a wish for another shot or hand cancels.
    pub fn begin(&self, wanted: &Wanted) -> Progress {
        let progress = Progress::silent();
        let mut mail = self.mail();
        if mail.quit || mail.wanted.as_ref().is_some_and(|newer| !newer.is_same_edit(wanted)) {
            progress.cancel();
        }
        mail.busy = Some((wanted.shot.clone(), wanted.hand, progress.clone()));
        progress
    }

    /// Puts something into the mail.
    pub fn post(&self, put: impl FnOnce(&mut Mail)) {
        put(&mut self.mail());
        self.bell.notify_all();
    }

    /// Changes what there is to see, and wakes the window.
    pub fn publish(&self, change: impl FnOnce(&mut Answer)) {
        change(&mut self.answer.lock().unwrap_or_else(PoisonError::into_inner));
        (self.wake)();
    }
}
