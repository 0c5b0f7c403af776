//! Moving handles with the mouse and by numbers, each move one step of undo.

use crate::Studio;
use crate::axis_handle::Part;
use crate::gesture::{Gesture, Taken, Typed};
use crate::messages::Message;
use eframe::egui::{Pos2, Rect};
use supple_project::shot::{Goal, Handle, Move};
use supple_session::Ray;

impl Studio {
    /// Takes a handle in the hand, as a step of undo to be.
    pub(super) fn take(&mut self, index: usize, part: Part, ray: Ray) {
        if !self.can_edit() {
            return;
        }
        let Some(grip) = self.grip(index) else { return };
        self.session.document.begin_gesture("Drag handle");
        self.hold(Taken { index, part, grip, ray });
    }

    /// Takes the selected handle without a button, from wherever the mouse is: Blender's G.
    pub(crate) fn take_selected(&mut self, mouse: Option<Pos2>) {
        let rect = self.rects[0];
        let Some(index) = self.selected.filter(|_| self.gesture.is_none() && self.press.is_none()) else {
            return;
        };
        let Some(grip) = self.grip(index) else {
            self.toasts.say(Message::HandleInactive);
            return;
        };
        let Some(at) = mouse.or_else(|| self.eye(0).project(&grip, rect)) else { return };
        self.take(index, Part::Screen, self.eye(0).ray(at, rect));
        if let Some(gesture) = &mut self.gesture {
            gesture.is_free = true;
        }
    }

    /// Takes hold of a handle, a step of undo being under way.
    pub(super) fn hold(&mut self, taken: Taken) {
        let Some(handle) = self.session.document.shot().edit.handle(taken.index) else { return };
        let start = match handle.goal {
            // A plant that floats is moved from where it is.
            Goal::Stay { at: None } if handle.relative_to.is_none() => {
                Goal::Stay { at: self.handle_place(taken.index).map(|place| Move::To(place.into())) }
            }
            _ => handle.goal.clone(),
        };
        let scale = if matches!(start, Goal::Velocity(_)) { 1.0 / self.arrow_seconds() } else { 1.0 };
        let (normal, forward) = (self.normal_of_selected(), self.eye(0).axes().2);
        let gesture = Gesture::new(taken, start, scale, normal, forward);
        self.gesture = Some(if self.has_segments() { gesture.moving_turns() } else { gesture });
        self.view.hand = Some(taken.index);
        self.has_dragged = true;
    }

    /// Another way to go for the handle that is being moved; the same one again lets it go anywhere.
    pub(crate) fn constrain(&mut self, part: Part) {
        let forward = self.eye(0).axes().2;
        if self.gesture.as_mut().is_some_and(|gesture| gesture.constrain(part, forward)) {
            self.follow_gesture();
        }
    }

    /// The mouse moved with a handle taken hold of.
    pub(super) fn pull_to(&mut self, to: Pos2, rect: Rect, snaps: bool) {
        let ray = self.eye(0).ray(to, rect);
        if let Some(gesture) = &mut self.gesture {
            gesture.point(ray, snaps);
        }
        self.follow_gesture();
    }

    /// Takes in what is typed with a handle taken hold of.
    pub(crate) fn type_number(&mut self, change: impl FnOnce(&mut Typed, usize)) {
        if let Some(gesture) = &mut self.gesture {
            gesture.type_number(change);
        }
        self.follow_gesture();
    }

    /// Moves the goal to where the gesture is.
    fn follow_gesture(&mut self) {
        let size = self.snapshot.stage.as_ref().map_or(1.0, |stage| stage.size);
        let Some(gesture) = &mut self.gesture else { return };
        let Some(goal) = gesture.goal(size) else { return };
        let index = gesture.index;
        // What floats goes on to, as long as it is not moved; then it is moved from where it is.
        let floats = |handle: &Handle| matches!(handle.goal, Goal::Stay { at: None });
        let is_free = self.session.document.shot().edit.handle(index).is_some_and(floats);
        if is_free && !gesture.is_moved() {
            return;
        }
        let start = is_free.then(|| gesture.start().clone());
        self.session.document.update_gesture(|shot| {
            if let (Some(start), Some(handle)) = (start, shot.edit.handle_mut(index)) {
                handle.goal = start;
            }
            shot.edit.set_goal(index, goal);
        });
    }

    /// Ends the gesture: the handle stays where it is.
    pub(crate) fn put_down(&mut self) {
        if self.gesture.take().is_some() {
            self.view.hand = None;
            self.session.document.commit_gesture();
        }
    }

    /// Whether handles can be moved yet; says so if not.
    pub(super) fn can_edit(&mut self) -> bool {
        let can_edit = self.snapshot.stage.as_ref().is_some_and(|stage| stage.can_edit());
        if !can_edit {
            self.toasts.say(Message::StillPreparing);
        }
        can_edit
    }
}
