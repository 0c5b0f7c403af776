//! What the threads of the solver share: mail to the one that works, and the snapshot that it makes.

use crate::{Snapshot, SolverError, Wanted};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use supple_model::{Progress, ProgressSink};
use supple_project::Shot;
use supple_project::method::{Live, Numerics};

/// What the threads share.
pub(super) struct Shared {
    pub numerics: Arc<dyn Numerics>,
    mail: Mutex<Mail>,
    bell: Condvar,
    snapshot: Mutex<Snapshot>,
    wake: Box<dyn Fn() + Send + Sync>,
}

/// Which opening of a body something is of: they are counted, and only the last counts.
pub(super) type OpeningNumber = u64;

/// A body that was opened.
pub(super) struct Opened {
    pub number: OpeningNumber,
    pub live: Box<dyn Live>,
}

/// What came in since the thread last looked.
#[derive(Default)]
pub(super) struct Mail {
    pub wanted: Option<Wanted>,
    pub delivered: Option<Opened>,
    /// How openings ended.
    pub ended: Vec<(OpeningNumber, Result<(), SolverError>)>,
    pub quit: bool,
    /// Whether the body is to be opened again.
    pub again: bool,
    /// Whether what is shown is of another document, and goes.
    pub clear: bool,
    /// How to stop the opening that is under way.
    pub opening: Option<Progress>,
    /// The latest wish, taken or not.
    pub last: Option<Wanted>,
    /// The wish that is being worked on.
    pub busy: Option<Busy>,
}

/// A wish that is being worked on, and how to stop that.
pub(super) struct Busy {
    shot: Arc<Shot>,
    hand: Option<usize>,
    /// Whether it is for a pose.
    poses: bool,
    progress: Progress,
}

impl Busy {
    /// Stops the work unless it is for this wish.
    pub fn make_way_for(&self, wanted: &Wanted) {
        let is_other = !Arc::ptr_eq(&self.shot, &wanted.shot) || self.hand != wanted.hand;
        // A hand that goes on pulls at the same pose.
        if is_other || self.poses != wanted.pose.is_some() {
            self.cancel();
        }
    }

    /// Gives the work up.
    pub fn cancel(&self) {
        self.progress.cancel();
    }

    /// Asks for the best so far.
    pub fn stop(&self) {
        self.progress.stop();
    }
}

impl Shared {
    pub fn new(numerics: Arc<dyn Numerics>, wake: impl Fn() + Send + Sync + 'static) -> Self {
        let (mail, bell, snapshot) = (Mutex::default(), Condvar::new(), Mutex::default());
        Self { numerics, mail, bell, snapshot, wake: Box::new(wake) }
    }

    /// What there is to see now.
    pub fn snapshot(&self) -> Snapshot {
        self.snapshot.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn mail(&self) -> MutexGuard<'_, Mail> {
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

    /// Whether anything waits.
    pub fn has_mail(&self) -> bool {
        let mail = self.mail();
        mail.quit || mail.wanted.is_some() || mail.delivered.is_some() || !mail.ended.is_empty()
    }

    /// If the wish that waits is for the same shot and hand, and other frames only, it.
    pub fn other_frames(&self, than: &Wanted) -> Option<Wanted> {
        let mut mail = self.mail();
        mail.wanted.take_if(|wanted| wanted.is_same_edit(than))
    }

    /// Leaves a wish that was looked at for later, unless a newer one has come.
    pub fn put_back(&self, wanted: Wanted) {
        let mut mail = self.mail();
        mail.wanted.get_or_insert(wanted);
    }

    /// Progress of work on a wish, which a wish for another shot or hand cancels.
    pub fn begin(&self, wanted: &Wanted, progress: Progress) -> Progress {
        let mut mail = self.mail();
        let (shot, hand, poses) = (wanted.shot.clone(), wanted.hand, wanted.pose.is_some());
        let busy = Busy { shot, hand, poses, progress: progress.clone() };
        if mail.quit {
            progress.cancel();
        }
        mail.wanted.iter().for_each(|newer| busy.make_way_for(newer));
        mail.busy = Some(busy);
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
    pub fn publish(&self, change: impl FnOnce(&mut Snapshot)) {
        change(&mut self.snapshot.lock().unwrap_or_else(PoisonError::into_inner));
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
            self.shared.publish(|snapshot| snapshot.solving = Some(fraction));
        }
    }
}
