//! The thread of the solver: takes the latest wish, and does first what is seen first.
//!
//! ```text
//! loop
//!     take the mail: a wish, a body that was opened
//!     shot of another body           → open it beside this; go on with the old one
//!     a pose that is made            → a step towards it, until it rests; nothing is edited
//!     a handle in the hand           → grab it, drag it by (its goal now − its goal then)
//!     something else is asked for    → ask for it, settle
//!     show the frame that is edited, then the one that is played, unless a newer wish waits
//!     nothing else to do             → report; serve wishes for other frames in the meantime
//! ```

use super::followed::{Followed, unstopped};
use super::idle::show_iterate;
use super::opening::Opener;
use super::posed::Posable;
use super::shared::{Mail, Opened, OpeningNumber, Patient, Shared};
use crate::picture::Made;
use crate::{Extras, Generation, Picture, Snapshot, SolverError, Wanted, Work};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;
use supple_project::Shot;
use supple_project::method::{Live, Making, SoFar};
use supple_project::shot::Edit;

/// Runs until the solver is dropped.
pub(super) fn run(shared: &Arc<Shared>) {
    let mut worker = Worker::new(shared.clone());
    loop {
        let mail = shared.wait();
        if mail.quit {
            return;
        }
        worker.take(mail);
        // What was served in passing may have wanted more than frames.
        let all = |worker: &mut Worker| while worker.work() {};
        if catch_unwind(AssertUnwindSafe(|| all(&mut worker))).is_err() {
            // Nothing of what was computed can be relied on.
            worker = Worker {
                openings: worker.openings,
                opener: worker.opener.take(),
                ..Worker::new(shared.clone())
            };
            shared.publish(|snapshot| {
                snapshot.failure = Some(SolverError::SolverPanicked);
                (snapshot.work, snapshot.stage) = (Work::Idle, None);
            });
        }
    }
}

/// An edit that was found.
pub(super) struct Settled {
    pub shot: Arc<Shot>,
    pub generation: Generation,
}

impl Settled {
    fn of(wanted: &Wanted) -> Self {
        Self { shot: wanted.shot.clone(), generation: wanted.generation }
    }
}

/// Which frame is shown, and with what.
#[derive(PartialEq)]
pub(super) struct Shown {
    generation: Generation,
    frame: usize,
    /// Whether with the input, and with the strain.
    with: [bool; 2],
}

pub(super) struct Worker {
    pub shared: Arc<Shared>,
    pub wanted: Option<Wanted>,
    opener: Option<Opener>,
    openings: OpeningNumber,
    /// What was opened.
    pub opened: Option<Opened>,
    /// What was opened since.
    ready: Option<Opened>,
    pub followed: Option<Followed>,
    pub settled: Option<Settled>,
    pub settle_seconds: f64,
    /// What nobody wants to wait for.
    given_up: Option<Arc<Shot>>,
    /// The state there is a report of.
    pub reported: Option<Generation>,
    /// What the frame that is edited was last shown of.
    pub shown: Option<Shown>,
    /// What was last seen at once.
    pub seen: Option<(Generation, Arc<Extras>)>,
    /// The frame that is played, while it is made, and the state of the document it is of.
    making: Option<(Generation, Making)>,
    /// The last frame of a motion that is pushed; none while it plays as it was found.
    pushed: Option<usize>,
    /// The body while it is posed.
    pub posable: Option<Posable>,
}

impl Worker {
    fn new(shared: Arc<Shared>) -> Self {
        Self {
            shared,
            wanted: None,
            opener: None,
            openings: 0,
            opened: None,
            ready: None,
            followed: None,
            settled: None,
            settle_seconds: 0.0,
            given_up: None,
            reported: None,
            shown: None,
            seen: None,
            making: None,
            pushed: None,
            posable: None,
        }
    }

    fn take(&mut self, mail: Mail) {
        if mail.clear {
            let shared = self.shared.clone();
            // What the old openings still bring is nobody's.
            *self = Self { openings: self.openings + 1, ..Self::new(shared) };
            self.shared.publish(|snapshot| *snapshot = Snapshot::default());
        }
        if mail.again {
            self.opener = None;
        }
        if let Some(wanted) = mail.wanted {
            if !self.opener.as_mut().is_some_and(|opener| opener.serves(&wanted)) {
                self.openings += 1;
                // The one before is cancelled first, and what it opened is not dragged any more.
                self.opener = None;
                self.put_down();
                self.opener = Some(Opener::start(&self.shared, &wanted, self.openings));
            }
            self.wanted = Some(wanted);
        }
        if let Some(opened) = mail.delivered.filter(|opened| opened.number == self.openings) {
            self.ready = Some(opened);
        }
        for (number, ended) in mail.ended {
            if number == self.openings {
                self.shared.publish(|snapshot| {
                    snapshot.opening = None;
                    snapshot.failure = ended.err();
                });
            }
        }
        self.move_on();
    }

    /// Goes on with what was opened last, unless that would disturb a hand.
    fn move_on(&mut self) {
        let is_held =
            self.followed.is_some() && self.wanted.as_ref().is_some_and(|wanted| wanted.hand.is_some());
        if is_held && self.is_of_this() {
            return;
        }
        let Some(opened) = self.ready.take().filter(|opened| opened.number == self.openings) else { return };
        (self.followed, self.settled, self.reported, self.given_up) = (None, None, None, None);
        (self.shown, self.seen, self.making, self.pushed) = (None, None, None, None);
        let stage = opened.live.stage().clone();
        self.opened = Some(opened);
        self.shared.publish(|snapshot| snapshot.stage = Some(stage));
    }

    /// Whether what was opened is the body of the latest wish.
    pub fn is_of_this(&self) -> bool {
        self.opened.as_ref().is_some_and(|opened| opened.number == self.openings)
    }

    /// Does what the latest wish asks; answers whether another one came in passing.
    fn work(&mut self) -> bool {
        let Some(wanted) = self.wanted.clone() else { return false };
        let begin = Instant::now();
        let is_of_this = self.is_of_this();
        if wanted.pose.is_some() {
            return self.work_on_pose(&wanted);
        }
        self.end_pose();
        if is_of_this && let Err(problem) = self.follow(&wanted, begin) {
            self.shared.publish(|snapshot| (snapshot.trouble, snapshot.work) = (Some(problem), Work::Idle));
        }
        self.show(&wanted);
        if !self.play(&wanted) || self.shared.is_overtaken(&wanted) || !is_of_this {
            return false;
        }
        if self.followed.is_some() {
            if let Some(opened) = &mut self.opened
                && opened.live.refresh(&unstopped()).is_err()
            {
                self.put_down();
            }
        } else {
            self.probe(&wanted);
            self.report(&wanted);
            if !self.shared.is_overtaken(&wanted) {
                self.see(&wanted);
            }
        }
        self.wanted.as_ref().is_some_and(|latest| !latest.is(&wanted))
    }

    /// Makes the motion that of all that the wish asks for.
    fn follow(&mut self, wanted: &Wanted, begin: Instant) -> Result<(), SolverError> {
        let edit = &wanted.shot.edit;
        if let Some(index) = wanted.hand
            && self.drag(wanted, index, begin)?
        {
            return Ok(());
        }
        self.put_down();
        let Some(opened) = &mut self.opened else { return Ok(()) };
        let live = &mut opened.live;
        let is_same = |shot: &Arc<Shot>| Arc::ptr_eq(shot, &wanted.shot) || asks_the_same(&shot.edit, edit);
        if self.settled.as_ref().is_some_and(|settled| is_same(&settled.shot)) {
            self.settled = Some(Settled::of(wanted));
            return Ok(());
        }
        if self.given_up.as_ref().is_some_and(|shot| Arc::ptr_eq(shot, &wanted.shot)) {
            return Ok(());
        }
        self.given_up = None;
        let progress = self.shared.begin(wanted, Patient::progress(&self.shared));
        self.shared.publish(|snapshot| snapshot.work = Work::Settling);
        (self.settled, self.pushed) = (None, None);
        let (shared, shown) = (&self.shared, &mut self.shown);
        let settled = live.ask(edit, &progress).and_then(|problems| {
            live.settle_watched(&progress, &mut |live| {
                *shown = None;
                show_iterate(shared, live, wanted);
            })?;
            Ok(problems)
        });
        self.shared.end();
        let stage = live.stage().clone();
        self.shared.publish(|snapshot| {
            (snapshot.solving, snapshot.iterate, snapshot.stage) = (None, None, Some(stage));
        });
        match settled {
            Ok(problems) => {
                self.settled = Some(Settled::of(wanted));
                self.settle_seconds = begin.elapsed().as_secs_f64();
                self.shared.publish(|snapshot| {
                    snapshot.problems = Arc::new(problems);
                    (snapshot.work, snapshot.trouble) = (Work::Idle, None);
                });
                Ok(())
            }
            Err(_) if progress.check().is_err() && !self.shared.is_overtaken(wanted) => {
                self.given_up = Some(wanted.shot.clone());
                Err(SolverError::SolvingStopped)
            }
            // Another wish waits already.
            Err(_) if progress.check().is_err() => Ok(()),
            Err(problem) => {
                // It would end in the same way for every frame that is played.
                self.given_up = Some(wanted.shot.clone());
                Err(SolverError::Method(problem))
            }
        }
    }

    /// The state of the document that pictures show; `None` if that is none that still is.
    fn shows(&self, wanted: &Wanted) -> Option<Generation> {
        if self.followed.is_some() {
            return Some(wanted.generation);
        }
        self.settled.as_ref().map(|settled| settled.generation)
    }

    pub fn show(&mut self, wanted: &Wanted) {
        if self.followed.is_some() {
            // That was done with the step.
            self.shown = None;
            return;
        }
        let generation = self.shows(wanted).unwrap_or_default();
        let of = Some(Shown { generation, frame: wanted.frame, with: wanted.with() });
        let Some(opened) = &mut self.opened else { return };
        // What cannot be edited yet may be a simulation that grows.
        if self.shown == of && generation != Generation::default() && opened.live.stage().can_edit() {
            return;
        }
        self.shown = of;
        let picture = picture(opened.live.as_mut(), wanted, generation);
        self.shared.publish(|snapshot| snapshot.shown = Some(picture));
    }

    /// Goes on with the frame that is played, a part at a time, until it is there; answers whether it is. A hand that
    /// moves on comes first: it waits for one part at most, and as each move waits for one, the frame is there at last.
    pub fn play(&mut self, wanted: &Wanted) -> bool {
        let generation = self.shows(wanted).unwrap_or_default();
        let (Some(frame), Some(opened)) = (wanted.playing, &mut self.opened) else {
            self.making = None;
            return true;
        };
        let live = &mut opened.live;
        let stage = live.stage().clone();
        let frame = stage.nearest(frame);
        // Pushed, it goes on from where it is, until it is played from an earlier frame again.
        let begins = wanted.shove.is_some() || self.pushed.is_some_and(|last| frame >= last);
        let is_pushed = begins && self.settled.is_some() && self.followed.is_none();
        self.pushed = None;
        if is_pushed && let Ok(points) = live.push(frame, wanted.shove.as_ref()) {
            let picture = Picture::of(live.as_mut(), &stage, wanted, Made { generation, frame, points });
            (self.pushed, self.making) = (Some(frame), None);
            self.shared.publish(|snapshot| snapshot.played = Some(picture));
            return true;
        }
        loop {
            let begin = || (generation, Making { frame, so_far: SoFar::Nothing });
            let (of, making) = self.making.get_or_insert_with(begin);
            if let Some(points) = live.go_on(making) {
                let made = Made { generation: *of, frame: making.frame, points };
                let picture = Picture::of(live.as_mut(), &stage, wanted, made);
                // It may have been begun before the last move.
                let is_it = (picture.generation, picture.frame) == (generation, frame);
                self.making = None;
                self.shared.publish(|snapshot| snapshot.played = Some(picture));
                if is_it {
                    return true;
                }
            }
            if self.shared.is_overtaken(wanted) {
                return false;
            }
        }
    }
}

/// Whether two edits of one body ask for the same.
fn asks_the_same(one: &Edit, other: &Edit) -> bool {
    one.handles == other.handles && one.poses == other.poses && one.segments == other.segments
}

/// The frame that is edited.
pub(super) fn picture(live: &mut dyn Live, wanted: &Wanted, generation: Generation) -> Arc<Picture> {
    let stage = live.stage().clone();
    let frame = stage.nearest(wanted.frame);
    let points = live.points(frame);
    Picture::of(live, &stage, wanted, Made { generation, frame, points })
}
