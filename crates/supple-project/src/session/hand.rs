//! The handle in the hand, as the solver follows it: from what a shot says of a handle to how far it was moved.

use super::wishes::{Step, Wanted, Work};
use super::worker::{Worker, picture};
use crate::shot::{Goal, Handle};
use std::sync::Arc;
use std::time::Instant;
use supple_model::Progress;

/// A handle in the hand.
pub(super) struct Hand {
    index: usize,
    /// The handle as it was taken; all else of the shot has to stay.
    taken: Handle,
    frame: usize,
}

impl Worker {
    /// Follows the hand; answers whether there is one that can be followed.
    pub fn drag(
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
        let error = live.drag(by, &Progress::silent())?;
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

    /// Opens the hand.
    pub fn put_down(&mut self) {
        if self.hand.take().is_some() {
            if let Some((_, live)) = &mut self.live {
                live.put_down();
            }
            self.settled = None;
            self.shared.publish(|answer| answer.work = Work::Idle);
        }
    }
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
