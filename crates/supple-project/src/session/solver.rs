//! The solver: one thread that answers the latest wish, and tells the window when it has.
//!
//! The window says what it wants to see, as often as it likes ([`Solver::want`]); wishes that were overtaken are never
//! looked at. What is there to see is an [`Answer`]: snapshots behind `Arc`s, each with the [`Generation`](super::Generation) of the
//! document it is of. The frame that is edited comes before the one that is played, and both before the report.
//!
//! ```text
//! want(shot, hand, frame, playing) ─ latest wins ─→ [ thread: follow · drag · settle · show · report ] ─→ answer()
//!                                   body or settings changed ─→ [ another thread: open, in stages ] ─┘
//! ```
//!
//! While another body of the same document is opened, what was opened before goes on being shown; its pictures keep the generation they are of, and
//! so are not current.

use super::wishes::{Answer, Wanted};
use super::worker;
use crate::method::{Live, Numerics};
use crate::shot::Shot;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use supple_model::{Progress, ProgressSink};

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
    /// Whether the body is to be opened again.
    pub again: bool,
    /// Whether what is shown is of another document, and goes.
    pub clear: bool,
    /// How to stop the opening that is under way.
    pub opening: Option<Progress>,
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

    /// Stops opening a body; what was opened before stays. [`Self::open_again`] begins anew, and so does a shot with
    /// another body.
    pub fn cancel_opening(&self) {
        if let Some(progress) = &self.shared.mail().opening {
            progress.cancel();
        }
    }

    /// Stops finding the edit, and leaves it until the shot is changed.
    pub fn cancel_solving(&self) {
        if let Some((.., progress)) = &self.shared.mail().busy {
            progress.cancel();
        }
    }

    /// Opens the body again, as after its files have changed.
    pub fn open_again(&self) {
        self.shared.post(|mail| {
            mail.again = true;
            mail.wanted = mail.wanted.take().or(mail.last.clone());
        });
    }

    /// Shows nothing until something of the next wish is there: what was shown is of another document.
    pub fn clear(&self) {
        self.shared.post(|mail| mail.clear = true);
        self.shared.publish(|answer| *answer = Answer::default());
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
        let kept = Mail {
            quit: mail.quit,
            opening: mail.opening.clone(),
            last: mail.last.clone(),
            ..Mail::default()
        };
        std::mem::replace(&mut *mail, kept)
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
    pub fn begin(&self, wanted: &Wanted, progress: Progress) -> Progress {
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

    /// The work that could be stopped is over.
    pub fn end(&self) {
        self.mail().busy = None;
    }

    /// Changes what there is to see, and wakes the window.
    pub fn publish(&self, change: impl FnOnce(&mut Answer)) {
        change(&mut self.answer.lock().unwrap_or_else(PoisonError::into_inner));
        (self.wake)();
    }
}

/// Says how far the edit is, once that takes long.
pub(super) struct Patient {
    shared: Arc<Shared>,
    begin: Instant,
}

impl Patient {
    /// So long nobody wonders.
    const PATIENCE: Duration = Duration::from_millis(300);

    pub fn progress(shared: &Arc<Shared>) -> Progress {
        Progress::new(Arc::new(Self { shared: shared.clone(), begin: Instant::now() }))
    }
}

impl ProgressSink for Patient {
    fn update(&self, _: &str, fraction: f64) {
        if self.begin.elapsed() > Self::PATIENCE {
            self.shared.publish(|answer| answer.solving = Some(fraction));
        }
    }
}
