//! Parts of the body that are moved and turned as one: each becomes a partial key.

use crate::Studio;
use crate::axis_handle::Part;
use crate::gesture::{Taken, Turning};
use crate::messages::Message;
use supple_model::VertexId;
use supple_project::shot::{Goal, Handle, Hold, Site, Together};
use supple_session::{Places, rigid_goal};

impl Studio {
    /// Moves the selected handle without a button, or what is picked: Blender's G.
    pub(crate) fn grab(&mut self) {
        if self.gesture.is_some() || self.press.is_some() {
            return;
        }
        match self.selected {
            None if self.has_segments() && self.takes_handles() && !self.picked.is_empty() => {
                self.take_part("Move part", None);
            }
            _ => self.take_selected(self.mouse),
        }
    }

    /// Turns the part of the selected handle without a button, or what is picked: Blender's R.
    pub(crate) fn rotate(&mut self) {
        let has_part = self.selected.is_some() || !self.picked.is_empty();
        if self.gesture.is_some() || self.press.is_some() || !has_part {
            return;
        }
        if !self.takes_handles() {
            self.toasts.say(Message::PosesOnly);
        } else if !self.has_segments() {
            self.toasts.say(Message::RotateNeedsKeys);
        } else if let Some(index) = self.selected {
            self.rotate_selected(index);
        } else if let Some(middle) = self.middle_of(&self.site_of_picked()) {
            self.take_part("Rotate part", Some(middle));
        }
    }

    fn rotate_selected(&mut self, index: usize) {
        let handle = self.session.document.shot().edit.handle(index);
        let Some(handle) = handle.filter(|handle| can_turn(handle)) else {
            self.toasts.say(Message::CannotRotate);
            return;
        };
        let middle = self.middle_of(&handle.site);
        let (Some(grip), Some(middle)) = (self.grip(index), middle) else {
            self.toasts.say(Message::HandleInactive);
            return;
        };
        if !self.can_edit() {
            return;
        }
        self.session.document.begin_gesture("Rotate part");
        self.session.document.update_gesture(|shot| {
            if let Some(handle) = shot.edit.handle_mut(index) {
                handle.points = Some(Together::Each);
                handle.hold = handle.hold.filter(|hold| *hold != Hold::Hard);
            }
        });
        self.hold_free(index, grip);
        self.turn_about(middle);
    }

    /// Makes a key of what is picked, as it is, and takes it in the hand; all of that is one step of undo.
    fn take_part(&mut self, step: &str, turns_about: Option<[f64; 3]>) {
        if !self.can_edit() {
            return;
        }
        let (site, goal) = (self.site_of_picked(), self.goal_of_picked());
        let (segment, when) = self.timeline.when(self.view.frame);
        let (Some(grip), Some(goal)) = (self.place_of(&site), goal) else { return };
        let handle = Handle { points: Some(Together::Each), ..Handle::new(when, site, goal) };
        let mut index = 0;
        self.session.document.begin_gesture(step);
        self.session.document.update_gesture(|shot| index = shot.edit.add_handle(segment, handle));
        self.selected = Some(index);
        self.hold_free(index, grip);
        if let Some(gesture) = &mut self.gesture {
            gesture.picked = std::mem::take(&mut self.picked);
        }
        if let Some(middle) = turns_about {
            self.turn_about(middle);
        }
    }

    /// Takes hold of a handle without a button, a step of undo being under way.
    fn hold_free(&mut self, index: usize, grip: crate::camera::Vec3) {
        let rect = self.rects[0];
        let at = self.mouse.or_else(|| self.eye(0).project(&grip, rect)).unwrap_or(rect.center());
        let ray = self.eye(0).ray(at, rect);
        self.hold(Taken { index, part: Part::Screen, grip, ray });
        if let Some(gesture) = &mut self.gesture {
            gesture.is_free = true;
        }
    }

    /// What is in the hand is turned, not moved.
    fn turn_about(&mut self, middle: [f64; 3]) {
        let forward = self.eye(0).axes().2;
        if let Some(gesture) = &mut self.gesture {
            gesture.turn(|at, ray| Turning::new(middle, at, forward, ray));
        }
    }

    fn site_of_picked(&self) -> Site {
        Site::Vertices(self.picked.iter().map(|v| VertexId(*v)).collect())
    }

    /// Where the input has the middle of a site.
    fn middle_of(&self, site: &Site) -> Option<[f64; 3]> {
        let picture = self.shown()?;
        picture.input.as_ref()?.place(site, &picture.stage)
    }

    /// What a key of what is picked asks for, so that as little changes as can be.
    fn goal_of_picked(&self) -> Option<Goal> {
        let picture = self.shown()?;
        let input = picture.input.as_ref()?;
        let places = |points: &[[f32; 3]]| {
            let place = |v: &u32| points.get(*v as usize).map(|p| p.map(f64::from));
            self.picked.iter().map(place).collect::<Option<Vec<_>>>()
        };
        Some(rigid_goal(&places(&input.drawn)?, &places(&picture.points.drawn)?))
    }
}

/// Whether a handle holds a part that can be turned.
fn can_turn(handle: &Handle) -> bool {
    matches!(handle.site, Site::Vertices(_) | Site::Group(_))
        && matches!(handle.goal, Goal::By(_) | Goal::To(_) | Goal::Turn { .. })
        && handle.relative_to.is_none()
        && handle.axes.is_none()
}
