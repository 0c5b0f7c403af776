//! The solver: one thread that answers the latest wish, and tells the window when it has.
//!
//! The window says what it wants to see, as often as it likes ([`Solver::want`]); wishes that were overtaken are never
//! looked at. What is there to see is a [`Snapshot`]: pictures and reports behind `Arc`s, each with the
//! [`Generation`](crate::Generation) of the document it is of. The frame that is edited comes before the one that is played, and both before the report.
//!
//! ```text
//! want(shot, hand, frame, playing) ─ latest wins ─→ [ thread: follow · drag · settle · show · report · pose ] ─→ answer()
//!                                   body or settings changed ─→ [ another thread: open, in stages ] ─┘
//! ```
//!
//! While another body of the same document is opened, what was opened before goes on being shown; its pictures keep the generation they are of, and
//! so are not current.

mod followed;
mod idle;
mod opening;
mod posed;
mod shared;
mod worker;

use crate::{Snapshot, Wanted};
use shared::{Busy, Shared};
use std::sync::Arc;
use std::thread::JoinHandle;
use supple_project::method::Numerics;

/// Answers what a window wants to see.
pub struct Solver {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Solver {
    /// Starts the thread. `wake` is called, from any thread, when there is something new to see.
    #[must_use]
    pub fn new(numerics: Arc<dyn Numerics>, wake: impl Fn() + Send + Sync + 'static) -> Self {
        let shared = Arc::new(Shared::new(numerics, wake));
        let theirs = shared.clone();
        let thread = std::thread::spawn(move || worker::run(&theirs));
        Self { shared, thread: Some(thread) }
    }

    /// Says what is wanted now; what was wanted before is forgotten. Returns at once.
    pub fn want(&self, wanted: Wanted) {
        if self.shared.mail().last.as_ref().is_some_and(|last| last.is(&wanted)) {
            return;
        }
        self.shared.post(|mail| {
            mail.busy.iter().for_each(|busy| busy.make_way_for(&wanted));
            mail.last = Some(wanted.clone());
            mail.wanted = Some(wanted);
        });
    }

    /// Stops opening a body; what was opened before stays. [`Self::open_again`] begins anew, and so does a shot with
    /// another body.
    pub fn cancel_opening(&self) {
        if let Some(progress) = &self.shared.mail().opening {
            progress.cancel();
        }
    }

    /// Gives up finding the edit, and leaves it as it was until the shot is changed.
    pub fn cancel_solving(&self) {
        self.shared.mail().busy.iter().for_each(Busy::cancel);
    }

    /// Ends finding the edit with the best one so far.
    pub fn stop_solving(&self) {
        self.shared.mail().busy.iter().for_each(Busy::stop);
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
        self.shared.publish(|snapshot| *snapshot = Snapshot::default());
    }

    /// What there is to see now.
    #[must_use]
    pub fn answer(&self) -> Snapshot {
        self.shared.snapshot()
    }
}

impl Drop for Solver {
    fn drop(&mut self) {
        self.shared.post(|mail| {
            mail.quit = true;
            mail.busy.iter().for_each(Busy::cancel);
        });
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
