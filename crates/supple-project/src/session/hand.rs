//! The handle in the hand, as the solver follows it: from what a shot says of a handle to how far it was moved.

use super::wishes::{Step, Wanted, Work};
use super::worker::{Worker, picture};
use crate::method::Live;
use crate::shot::{Goal, Handle};
use std::time::Instant;
use supple_model::Progress;

/// A handle in the hand.
pub(super) struct Hand {
    index: usize,
    /// All handles as they were when it was taken; the others have to stay.
    taken: Vec<Handle>,
    frame: usize,
}

impl Worker {
    /// Follows the hand; answers whether there is one that can be followed.
    pub fn drag(&mut self, wanted: &Wanted, index: usize, begin: Instant) -> Result<bool, String> {
        let frame = |live: &dyn Live| live.stage().nearest(wanted.frame);
        let now = &wanted.shot.edit.handles;
        let fits = |hand: &Hand| hand.index == index && shift(&hand.taken, now, index).is_some();
        if !self.hand.as_ref().is_some_and(fits) {
            self.put_down();
            let Some((_, live)) = &mut self.live else { return Ok(false) };
            if shift(now, now, index).is_none() {
                return Ok(false);
            }
            // What is settled need not be followed anew, wherever the hand has gone since.
            let settled = self.settled.as_ref().map(|(shot, _)| &shot.edit.handles);
            let taken = settled.filter(|taken| shift(taken, now, index).is_some()).unwrap_or(now).clone();
            live.follow(&taken);
            self.settled = None;
            let frame = frame(live.as_ref());
            live.grab(index, frame, &unstopped())?;
            self.hand = Some(Hand { index, taken, frame });
        }
        let (Some(hand), Some((_, live))) = (&mut self.hand, &mut self.live) else { return Ok(false) };
        let frame = frame(live.as_ref());
        if frame != hand.frame {
            live.grab(index, frame, &unstopped())?;
            hand.frame = frame;
        }
        let Some(by) = shift(&hand.taken, now, index) else { return Ok(false) };
        let error = live.drag(by, &unstopped())?;
        self.settled = None;
        let generation = wanted.generation;
        let picture = picture(live.as_mut(), wanted, generation);
        self.shared.publish(|answer| {
            let seconds = begin.elapsed().as_secs_f64();
            answer.step = Some(Step { generation, error, seconds });
            answer.shown = Some(picture);
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

/// What follows the hand is short, and never cancelled: it would starve if every move stopped the one before.
pub(super) fn unstopped() -> Progress {
    Progress::silent()
}

/// How far one of the handles was moved; `None` if anything else changed, or it is of a kind that is not moved.
fn shift(taken: &[Handle], now: &[Handle], index: usize) -> Option<[f64; 3]> {
    let (before, after) = (taken.get(index)?, now.get(index)?);
    let ((Goal::To(from), Goal::To(to))
    | (Goal::By(from), Goal::By(to))
    | (Goal::Velocity(from), Goal::Velocity(to))
    | (Goal::Plane { point: from, .. }, Goal::Plane { point: to, .. })) = (&before.goal, &after.goal)
    else {
        return None;
    };
    let is_plane_turned = match (&before.goal, &after.goal) {
        (Goal::Plane { normal: from, .. }, Goal::Plane { normal: to, .. }) => from != to,
        _ => false,
    };
    let mut moved = after.clone();
    moved.goal = before.goal.clone();
    let same = |k: usize| if k == index { moved == *before } else { taken[k] == now[k] };
    let is_same = taken.len() == now.len() && !is_plane_turned && (0..now.len()).all(same);
    is_same.then(|| std::array::from_fn(|c| to[c] - from[c]))
}
