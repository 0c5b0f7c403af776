//! The handle that is being dragged, as the solver follows it: from what a shot says of a handle to how far it was moved.

use super::worker::{Worker, picture};
use crate::{SolverError, Step, Wanted, Work};
use std::time::Instant;
use supple_model::Progress;
use supple_project::method::Live;
use supple_project::shot::{Goal, Handle};

/// A handle that is being dragged.
pub(super) struct Followed {
    index: usize,
    /// All handles as they were when it was taken; the others have to stay.
    taken: Vec<Handle>,
    frame: usize,
}

impl Worker {
    /// Follows the hand; answers whether there is one that can be followed.
    pub fn drag(&mut self, wanted: &Wanted, index: usize, begin: Instant) -> Result<bool, SolverError> {
        let frame = |live: &dyn Live| live.stage().nearest(wanted.frame);
        let now = &wanted.shot.edit.handles;
        let fits = |held: &Followed| held.index == index && shift(&held.taken, now, index).is_some();
        if !self.followed.as_ref().is_some_and(fits) {
            self.put_down();
            let Some(opened) = &mut self.opened else { return Ok(false) };
            let live = &mut opened.live;
            if shift(now, now, index).is_none() {
                return Ok(false);
            }
            // What is settled need not be followed anew, wherever the hand has gone since.
            let settled = self.settled.as_ref().map(|settled| &settled.shot.edit.handles);
            let taken = settled.filter(|taken| shift(taken, now, index).is_some()).unwrap_or(now).clone();
            live.follow(&taken);
            self.settled = None;
            let frame = frame(live.as_ref());
            live.grab(index, frame, &unstopped()).map_err(SolverError::Method)?;
            self.followed = Some(Followed { index, taken, frame });
        }
        let (Some(held), Some(opened)) = (&mut self.followed, &mut self.opened) else { return Ok(false) };
        let live = &mut opened.live;
        let frame = frame(live.as_ref());
        if frame != held.frame {
            live.grab(index, frame, &unstopped()).map_err(SolverError::Method)?;
            held.frame = frame;
        }
        let Some(by) = shift(&held.taken, now, index) else { return Ok(false) };
        let error = live.drag(by, &unstopped()).map_err(SolverError::Method)?;
        self.settled = None;
        let generation = wanted.generation;
        let picture = picture(live.as_mut(), wanted, generation);
        self.shared.publish(|snapshot| {
            let seconds = begin.elapsed().as_secs_f64();
            snapshot.step = Some(Step { generation, error, seconds });
            snapshot.shown = Some(picture);
            (snapshot.work, snapshot.trouble) = (Work::Dragging, None);
        });
        Ok(true)
    }

    /// Opens the hand.
    pub fn put_down(&mut self) {
        if self.followed.take().is_some() {
            if let Some(opened) = &mut self.opened {
                opened.live.put_down();
            }
            self.settled = None;
            self.shared.publish(|snapshot| snapshot.work = Work::Idle);
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
