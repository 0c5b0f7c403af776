//! The handle that is being dragged, as the solver follows it: from what a shot says of a handle to how far it was moved.

use super::worker::{Worker, picture};
use crate::{SolverError, Step, Wanted, Work};
use std::sync::Arc;
use std::time::Instant;
use supple_model::Progress;
use supple_project::Shot;
use supple_project::method::Live;
use supple_project::shot::{Edit, Handle, Segment};

/// A handle that is being dragged.
pub(super) struct Followed {
    index: usize,
    /// All that was asked for when it was taken; the rest has to stay.
    taken: Arc<Shot>,
    frame: usize,
}

/// How a handle in the hand differs from how it was taken.
enum Moved {
    /// It was moved so far.
    By([f64; 3]),
    /// It asks for something else, as when it is turned.
    Anew,
}

impl Worker {
    /// Follows the hand; answers whether there is one that can be followed.
    pub fn drag(&mut self, wanted: &Wanted, index: usize, begin: Instant) -> Result<bool, SolverError> {
        let frame = |live: &dyn Live| live.stage().nearest(wanted.frame);
        let now = &wanted.shot;
        let Some(can_retarget) = self.opened.as_ref().map(|opened| opened.live.can_retarget()) else {
            return Ok(false);
        };
        let moved = |taken: &Shot| moved(&taken.edit, &now.edit, index, can_retarget);
        let fits = |held: &Followed| held.index == index && moved(&held.taken).is_some();
        if !self.followed.as_ref().is_some_and(fits) {
            self.put_down();
            let Some(opened) = &mut self.opened else { return Ok(false) };
            let live = &mut opened.live;
            if moved(now).is_none() {
                return Ok(false);
            }
            // What is settled need not be followed anew, wherever the hand has gone since.
            let settled = self.settled.as_ref().map(|settled| &settled.shot);
            let taken = settled.filter(|taken| moved(taken).is_some()).unwrap_or(now).clone();
            self.settled = None;
            live.ask(&taken.edit, &unstopped()).map_err(SolverError::Method)?;
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
        let error = match (moved(&held.taken), now.edit.handle(index)) {
            (Some(Moved::By(by)), _) => live.drag(by, &unstopped()),
            (Some(Moved::Anew), Some(handle)) => live.retarget(&handle.goal, &unstopped()),
            _ => return Ok(false),
        };
        let error = error.map_err(SolverError::Method)?;
        self.settled = None;
        let generation = wanted.generation;
        let picture = picture(live.as_mut(), wanted, generation);
        self.shared.publish(|snapshot| {
            let seconds = begin.elapsed().as_secs_f64();
            snapshot.step = Some(Step { generation, error, seconds });
            snapshot.stage = Some(picture.stage.clone());
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

/// How one of the handles was moved, and all that goes with it; `None` if anything else changed, or it is of a kind that is
/// not moved.
fn moved(taken: &Edit, now: &Edit, index: usize, can_retarget: bool) -> Option<Moved> {
    let (before, after) = (taken.handle(index)?, now.handle(index)?);
    let moved = match before.goal.shift_to(&after.goal) {
        Some(by) => Moved::By(by),
        None if can_retarget => Moved::Anew,
        None => return None,
    };
    is_same_but(taken, now, index).then_some(moved)
}

/// Whether two edits ask for the same but for the goal of one handle, and of those that go with it.
fn is_same_but(taken: &Edit, now: &Edit, index: usize) -> bool {
    let in_hand = taken.handle(index);
    let is_same_handle = |(place, (a, b)): (usize, (&Handle, &Handle))| {
        let goes = place == index
            || in_hand.is_some_and(|own| a.goes_with(own)) && a.goal.shift_to(&b.goal).is_some();
        match goes {
            true => Handle { goal: a.goal.clone(), ..b.clone() } == *a,
            false => a == b,
        }
    };
    let handles = taken.all_handles().zip(now.all_handles()).map(|((_, a), (_, b))| (a, b));
    let is_same_segment = |(a, b): (&Segment, &Segment)| {
        let numbers = |segment: &Segment| (segment.modes, segment.length, segment.end, segment.handles.len());
        numbers(a) == numbers(b) && a.anchors == b.anchors && a.poses == b.poses
    };
    taken.handles.len() == now.handles.len()
        && taken.poses == now.poses
        && taken.segments.len() == now.segments.len()
        && taken.segments.iter().zip(&now.segments).all(is_same_segment)
        && handles.enumerate().all(is_same_handle)
}

#[cfg(test)]
mod tests {
    use super::*;
    use supple_project::shot::{Goal, Site, When};

    fn handle(x: f64, prop: Option<&str>) -> Handle {
        let goal = Goal::By([x, 0.0, 0.0]);
        Handle { prop: prop.map(str::to_owned), ..Handle::new(When::Frame(3), Site::joint("Hand"), goal) }
    }

    /// What is on one thing is followed together; whatever else changes ends the drag.
    #[test]
    fn a_thing_is_followed_with_all_handles_on_it() {
        let taken = Edit {
            handles: vec![handle(0.1, Some("box")), handle(0.2, Some("box")), handle(0.3, None)],
            ..Edit::default()
        };
        let by = |now: &Edit, index: usize| match moved(&taken, now, index, false) {
            Some(Moved::By(by)) => Some(by),
            _ => None,
        };
        let mut now = taken.clone();
        assert_eq!(now.shift(1, [0.0, 0.5, 0.0]), [0, 1]);
        assert_eq!([by(&now, 0), by(&now, 1)], [Some([0.0, 0.5, 0.0]); 2]);
        assert_eq!(by(&now, 2), None, "two others moved");
        now.handles[2] = handle(0.4, None);
        assert_eq!(by(&now, 1), None, "something else moved, too");
        let mut now = taken.clone();
        now.handles[0].prop = None;
        assert_eq!(by(&now, 1), None, "it is on the thing no more");
    }
}
