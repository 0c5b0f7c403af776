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
use super::live::{Live, Play};
use super::opening::Opener;
use super::solver::{Mail, Reported, Shared, Step, Wanted, Work};
use super::stage::Picture;
use crate::shot::{Goal, Handle, Shot};
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
        worker.work();
    }
}

struct Worker {
    shared: Arc<Shared>,
    wanted: Option<Wanted>,
    opener: Option<Opener>,
    openings: u64,
    /// What was opened, and by which opening.
    live: Option<(u64, Box<dyn Live>)>,
    /// What was opened since.
    ready: Option<(u64, Box<dyn Live>)>,
    hand: Option<Hand>,
    /// What is settled: the shot and the generation of it.
    settled: Option<(Arc<Shot>, Generation)>,
    settle_seconds: f64,
    /// The state there is a report of.
    reported: Option<Generation>,
    /// What the frame that is edited was last shown of.
    shown: Option<(Generation, usize, bool)>,
    /// Whether the frame that is played was left out the last time.
    skipped: bool,
}

/// A handle in the hand.
struct Hand {
    index: usize,
    /// The handle as it was taken; all else of the shot has to stay.
    taken: Handle,
    frame: usize,
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
            reported: None,
            shown: None,
            skipped: false,
        }
    }

    fn take(&mut self, mail: Mail) {
        if let Some(wanted) = mail.wanted {
            if !self.opener.as_ref().is_some_and(|opener| opener.serves(&wanted.shot)) {
                self.openings += 1;
                // The one before is cancelled first.
                self.opener = None;
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
        (self.hand, self.settled, self.reported, self.shown) = (None, None, None, None);
        let stage = live.stage().clone();
        self.live = Some((number, live));
        self.shared.publish(|answer| answer.stage = Some(stage));
    }

    /// Does what the latest wish asks.
    fn work(&mut self) {
        let Some(wanted) = self.wanted.clone() else { return };
        let begin = Instant::now();
        let is_of_this = self.live.as_ref().is_some_and(|(number, _)| *number == self.openings);
        if is_of_this && let Err(problem) = self.follow(&wanted, begin) {
            let words: Arc<str> = problem.into();
            self.shared.publish(|answer| (answer.trouble, answer.work) = (Some(words), Work::Idle));
        }
        self.show(&wanted);
        // Both viewports follow a fast hand, the one that is edited twice as often if need be.
        self.skipped = !self.skipped && self.shared.is_overtaken(&wanted);
        if self.skipped {
            return;
        }
        self.play(&wanted);
        if self.shared.is_overtaken(&wanted) || !is_of_this {
            return;
        }
        if self.hand.is_some() {
            let progress = self.shared.begin(&wanted);
            if let Some((_, live)) = &mut self.live
                && live.refresh(&progress).is_err()
            {
                self.put_down();
            }
        } else {
            self.report(&wanted);
        }
    }

    /// Makes the motion that of the wish's handles.
    fn follow(&mut self, wanted: &Wanted, begin: Instant) -> Result<(), String> {
        let handles = &wanted.shot.edit.handles;
        if let Some(index) = wanted.hand
            && let Some(handle) = handles.get(index)
            && self.drag(wanted, index, handle, begin)?
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
        let progress = self.shared.begin(wanted);
        self.shared.publish(|answer| answer.work = Work::Settling);
        let problems = live.follow(handles);
        self.settled = None;
        match live.settle(&progress) {
            Ok(()) => {
                self.settled = Some((wanted.shot.clone(), wanted.generation));
                self.settle_seconds = begin.elapsed().as_secs_f64();
                self.shared.publish(|answer| {
                    answer.problems = Arc::new(problems);
                    (answer.work, answer.trouble) = (Work::Idle, None);
                });
                Ok(())
            }
            // Another wish waits already.
            Err(_) if progress.check().is_err() => Ok(()),
            Err(problem) => Err(problem),
        }
    }

    /// Follows the hand; answers whether there is one that can be followed.
    fn drag(
        &mut self,
        wanted: &Wanted,
        index: usize,
        handle: &Handle,
        begin: Instant,
    ) -> Result<bool, String> {
        let fits = |hand: &Hand| hand.index == index && shift(&hand.taken, handle).is_some();
        if !self.hand.as_ref().is_some_and(fits) {
            self.put_down();
            let Some((_, live)) = &mut self.live else { return Ok(false) };
            if shift(handle, handle).is_none() {
                return Ok(false);
            }
            live.follow(&wanted.shot.edit.handles);
            self.settled = None;
            let frame = wanted.frame.min(live.stage().frames.saturating_sub(1));
            let progress = self.shared.begin(wanted);
            if let Err(problem) = live.grab(index, frame, &progress) {
                return if progress.check().is_err() { Ok(true) } else { Err(problem) };
            }
            self.hand = Some(Hand { index, taken: handle.clone(), frame });
        }
        let (Some(hand), Some((_, live))) = (&mut self.hand, &mut self.live) else { return Ok(false) };
        let progress = self.shared.begin(wanted);
        let frame = wanted.frame.min(live.stage().frames.saturating_sub(1));
        if frame != hand.frame {
            live.grab(index, frame, &progress)?;
            hand.frame = frame;
        }
        let Some(by) = shift(&hand.taken, handle) else { return Ok(false) };
        // A step is short, and never cancelled: the hand would starve if every move stopped the one before.
        let error = live.drag(by, &supple_model::Progress::silent())?;
        self.settled = None;
        let generation = wanted.generation;
        let picture = picture(live.as_mut(), wanted, generation, wanted.frame);
        self.shared.publish(|answer| {
            let seconds = begin.elapsed().as_secs_f64();
            answer.step = Some(Step { generation, error, seconds });
            answer.shown = Some(Arc::new(picture));
            (answer.work, answer.trouble) = (Work::Dragging, None);
        });
        Ok(true)
    }

    fn put_down(&mut self) {
        if self.hand.take().is_some() {
            if let Some((_, live)) = &mut self.live {
                live.put_down();
            }
            self.settled = None;
            self.shared.publish(|answer| answer.work = Work::Idle);
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
        let of = Some((generation, wanted.frame, wanted.input));
        let Some((_, live)) = &mut self.live else { return };
        if self.shown == of && generation != Generation::default() {
            return;
        }
        self.shown = of;
        let picture = Arc::new(picture(live.as_mut(), wanted, generation, wanted.frame));
        self.shared.publish(|answer| answer.shown = Some(picture));
    }

    fn play(&mut self, wanted: &Wanted) {
        let generation = self.shows(wanted).unwrap_or_default();
        let (Some(frame), Some((_, live))) = (wanted.playing, &mut self.live) else { return };
        let picture = Arc::new(picture(live.as_mut(), wanted, generation, frame));
        self.shared.publish(|answer| answer.played = Some(picture));
    }

    fn report(&mut self, wanted: &Wanted) {
        let Some((_, generation)) = self.settled else { return };
        let Some((_, live)) = &mut self.live else { return };
        if self.reported == Some(generation) || !live.stage().can_edit() {
            return;
        }
        let progress = self.shared.begin(wanted);
        self.shared.publish(|answer| answer.work = Work::Reporting);
        let (shared, stage) = (self.shared.clone(), live.stage().clone());
        let (latest, shown) = (&mut self.wanted, &mut self.shown);
        let report = live.report(&progress, &mut |play| {
            if let Some(newer) = shared.other_frames(wanted) {
                serve(&shared, play, &stage, &newer, generation);
                *shown = None;
                *latest = Some(newer);
            }
        });
        self.shared.publish(|answer| answer.work = Work::Idle);
        if let Ok(report) = report {
            let settle_seconds = self.settle_seconds;
            let reported = Arc::new(Reported { generation, report, settle_seconds });
            self.reported = Some(generation);
            self.shared.publish(|answer| answer.report = Some(reported));
        }
    }
}

fn picture(live: &mut dyn Live, wanted: &Wanted, generation: Generation, frame: usize) -> Picture {
    let stage = live.stage().clone();
    let frame = frame.min(stage.frames.saturating_sub(1));
    let input = wanted.input.then(|| live.input(frame));
    Picture { generation, frame, points: live.points(frame), input, stage }
}

/// Shows the frames of a wish from what plays an edit.
fn serve(
    shared: &Shared,
    play: &mut dyn Play,
    stage: &Arc<super::stage::Stage>,
    wanted: &Wanted,
    generation: Generation,
) {
    let mut picture = |frame: usize| {
        let frame = frame.min(stage.frames.saturating_sub(1));
        let points = play.points(frame);
        Arc::new(Picture { generation, frame, points, input: None, stage: stage.clone() })
    };
    let shown = picture(wanted.frame);
    let played = wanted.playing.map(picture);
    shared.publish(|answer| {
        answer.shown = Some(shown);
        answer.played = played.or(answer.played.take());
    });
}

/// How far a handle was moved; `None` if it became another one, or is of a kind that is not moved.
fn shift(taken: &Handle, now: &Handle) -> Option<[f64; 3]> {
    let ((Goal::To(from), Goal::To(to))
    | (Goal::By(from), Goal::By(to))
    | (Goal::Velocity(from), Goal::Velocity(to))
    | (Goal::Plane { point: from, .. }, Goal::Plane { point: to, .. })) = (&taken.goal, &now.goal)
    else {
        return None;
    };
    let mut other = now.clone();
    other.goal = taken.goal.clone();
    (other == *taken).then(|| std::array::from_fn(|c| to[c] - from[c]))
}
