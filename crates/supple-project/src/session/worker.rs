//! The thread of the solver: takes the latest wish, and does first what is seen first.
//!
//! ```text
//! loop
//!     take the mail: a wish, a body that was opened
//!     shot of another body           → open it beside this; go on with the old one
//!     a handle in the hand           → grab it, drag it by (its goal now − its goal then)
//!     handles are others             → follow them, settle
//!     show the frame that is edited, then the one that is played, unless a newer wish waits
//!     nothing else to do             → report; serve wishes for other frames in the meantime
//! ```

use super::Generation;
use super::hand::{Hand, unstopped};
use super::jobs::stopped;
use super::opening::Opener;
use super::picture::Picture;
use super::solver::{Mail, Patient, Shared};
use super::wishes::{Answer, Extras, Wanted, Work};
use crate::method::{Live, Making, SoFar};
use crate::shot::Shot;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

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
            shared.publish(|answer| {
                answer.failure = Some(stopped("the solver").into());
                (answer.work, answer.stage) = (Work::Idle, None);
            });
        }
    }
}

pub(super) struct Worker {
    pub shared: Arc<Shared>,
    pub wanted: Option<Wanted>,
    opener: Option<Opener>,
    openings: u64,
    /// What was opened, and by which opening.
    pub live: Option<(u64, Box<dyn Live>)>,
    /// What was opened since.
    ready: Option<(u64, Box<dyn Live>)>,
    pub hand: Option<Hand>,
    /// What is settled: the shot and the generation of it.
    pub settled: Option<(Arc<Shot>, Generation)>,
    pub settle_seconds: f64,
    /// What nobody wants to wait for.
    given_up: Option<Arc<Shot>>,
    /// The state there is a report of.
    pub reported: Option<Generation>,
    /// What the frame that is edited was last shown of.
    pub shown: Option<(Generation, usize, [bool; 2])>,
    /// What was last seen at once.
    pub seen: Option<(Generation, Arc<Extras>)>,
    /// The frame that is played, while it is made, and the state of the document it is of.
    making: Option<(Generation, Making)>,
}

impl Worker {
    fn new(shared: Arc<Shared>) -> Self {
        Self {
            shared,
            wanted: None,
            opener: None,
            openings: 0,
            live: None,
            ready: None,
            hand: None,
            settled: None,
            settle_seconds: 0.0,
            given_up: None,
            reported: None,
            shown: None,
            seen: None,
            making: None,
        }
    }

    fn take(&mut self, mail: Mail) {
        if mail.clear {
            let shared = self.shared.clone();
            // What the old openings still bring is nobody's.
            *self = Self { openings: self.openings + 1, ..Self::new(shared) };
            self.shared.publish(|answer| *answer = Answer::default());
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
        if let Some((number, live)) = mail.delivered
            && number == self.openings
        {
            self.ready = Some((number, live));
        }
        for (number, ended) in mail.ended {
            if number == self.openings {
                self.shared.publish(|answer| {
                    answer.opening = None;
                    answer.failure = ended.err().map(Into::into);
                });
            }
        }
        self.move_on();
    }

    /// Goes on with what was opened last, unless that would disturb a hand.
    fn move_on(&mut self) {
        let is_held = self.hand.is_some() && self.wanted.as_ref().is_some_and(|wanted| wanted.hand.is_some());
        let same_body = self.live.as_ref().is_some_and(|(number, _)| *number == self.openings);
        if is_held && same_body {
            return;
        }
        let Some((number, live)) = self.ready.take() else { return };
        if number != self.openings {
            return;
        }
        (self.hand, self.settled, self.reported, self.given_up) = (None, None, None, None);
        (self.shown, self.seen, self.making) = (None, None, None);
        let stage = live.stage().clone();
        self.live = Some((number, live));
        self.shared.publish(|answer| answer.stage = Some(stage));
    }

    /// Does what the latest wish asks; answers whether another one came in passing.
    fn work(&mut self) -> bool {
        let Some(wanted) = self.wanted.clone() else { return false };
        let begin = Instant::now();
        let is_of_this = self.live.as_ref().is_some_and(|(number, _)| *number == self.openings);
        if is_of_this && let Err(problem) = self.follow(&wanted, begin) {
            let words: Arc<str> = problem.into();
            self.shared.publish(|answer| (answer.trouble, answer.work) = (Some(words), Work::Idle));
        }
        self.show(&wanted);
        if !self.play(&wanted) || self.shared.is_overtaken(&wanted) || !is_of_this {
            return false;
        }
        if self.hand.is_some() {
            if let Some((_, live)) = &mut self.live
                && live.refresh(&unstopped()).is_err()
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

    /// Makes the motion that of the wish's handles.
    fn follow(&mut self, wanted: &Wanted, begin: Instant) -> Result<(), String> {
        let handles = &wanted.shot.edit.handles;
        if let Some(index) = wanted.hand
            && self.drag(wanted, index, begin)?
        {
            return Ok(());
        }
        self.put_down();
        let Some((_, live)) = &mut self.live else { return Ok(()) };
        let is_settled =
            |(shot, _): &(Arc<Shot>, _)| Arc::ptr_eq(shot, &wanted.shot) || shot.edit.handles == *handles;
        if self.settled.as_ref().is_some_and(is_settled) {
            self.settled = Some((wanted.shot.clone(), wanted.generation));
            return Ok(());
        }
        if self.given_up.as_ref().is_some_and(|shot| Arc::ptr_eq(shot, &wanted.shot)) {
            return Ok(());
        }
        self.given_up = None;
        let progress = self.shared.begin(wanted, Patient::progress(&self.shared));
        self.shared.publish(|answer| answer.work = Work::Settling);
        let problems = live.follow(handles);
        self.settled = None;
        let settled = live.settle(&progress);
        self.shared.end();
        self.shared.publish(|answer| answer.solving = None);
        match settled {
            Ok(()) => {
                self.settled = Some((wanted.shot.clone(), wanted.generation));
                self.settle_seconds = begin.elapsed().as_secs_f64();
                self.shared.publish(|answer| {
                    answer.problems = Arc::new(problems);
                    (answer.work, answer.trouble) = (Work::Idle, None);
                });
                Ok(())
            }
            Err(_) if progress.check().is_err() && !self.shared.is_overtaken(wanted) => {
                self.given_up = Some(wanted.shot.clone());
                Err("Solving was stopped. Change a handle or undo to continue.".to_owned())
            }
            // Another wish waits already.
            Err(_) if progress.check().is_err() => Ok(()),
            Err(problem) => Err(problem),
        }
    }

    /// The state of the document that pictures show; `None` if that is none that still is.
    fn shows(&self, wanted: &Wanted) -> Option<Generation> {
        if self.hand.is_some() {
            return Some(wanted.generation);
        }
        self.settled.as_ref().map(|(_, generation)| *generation)
    }

    fn show(&mut self, wanted: &Wanted) {
        if self.hand.is_some() {
            // That was done with the step.
            self.shown = None;
            return;
        }
        let generation = self.shows(wanted).unwrap_or_default();
        let of = Some((generation, wanted.frame, wanted.with()));
        let Some((_, live)) = &mut self.live else { return };
        // What cannot be edited yet may be a simulation that grows.
        if self.shown == of && generation != Generation::default() && live.stage().can_edit() {
            return;
        }
        self.shown = of;
        let picture = picture(live.as_mut(), wanted, generation);
        self.shared.publish(|answer| answer.shown = Some(picture));
    }

    /// Goes on with the frame that is played, a part at a time, until it is there; answers whether it is. A hand that
    /// moves on comes first: it waits for one part at most, and as each move waits for one, the frame is there at last.
    fn play(&mut self, wanted: &Wanted) -> bool {
        let generation = self.shows(wanted).unwrap_or_default();
        let (Some(frame), Some((_, live))) = (wanted.playing, &mut self.live) else {
            self.making = None;
            return true;
        };
        let stage = live.stage().clone();
        let frame = stage.nearest(frame);
        loop {
            let begin = || (generation, Making { frame, so_far: SoFar::Nothing });
            let (of, making) = self.making.get_or_insert_with(begin);
            if let Some(points) = live.go_on(making) {
                let picture = Picture::of(live.as_mut(), &stage, wanted, (*of, making.frame), points);
                // It may have been begun before the last move.
                let is_it = (picture.generation, picture.frame) == (generation, frame);
                self.making = None;
                self.shared.publish(|answer| answer.played = Some(picture));
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

/// The frame that is edited.
pub(super) fn picture(live: &mut dyn Live, wanted: &Wanted, generation: Generation) -> Arc<Picture> {
    let stage = live.stage().clone();
    let frame = stage.nearest(wanted.frame);
    let points = live.points(frame);
    Picture::of(live, &stage, wanted, (generation, frame), points)
}
