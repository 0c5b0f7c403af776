//! The mouse on the left viewport: taking hold of points, and pulling them.
//!
//! A press on the axis handle, or on the mark of a handle, takes that handle in the hand at once, so that the solver has
//! prepared for it before the mouse moves. A press on the surface asks how far the edit moves the vertex there; with
//! the answer a handle can be made that changes nothing, and a pull moves it. Everything between press and release is
//! one step of undo.

mod part;
mod picking;
mod pose;
mod pull;
mod push;
mod sites;

use crate::Studio;
use crate::axis_handle::{self, Part};
use crate::gesture::{Press, Taken};
use crate::messages::Message;
use eframe::egui::{Modifiers, Pos2, Rect};
use supple_project::shot::{Goal, Handle};
use supple_session::{Ray, pick};

/// The mouse has to go this far, in points, for a press to be a pull.
const MOVES: f32 = 4.0;
/// A vertex beside the surface is meant this near, in points.
const NEAR: f32 = 14.0;

impl Studio {
    /// The mouse went down at a place of the left viewport.
    pub(crate) fn press_at(&mut self, at: Pos2, rect: Rect, modifiers: Modifiers) {
        let ray = self.eye(0).ray(at, rect);
        let picks = modifiers.shift || self.draws_box;
        let takes_marks = !picks && !self.picks_relative && self.posing.is_none();
        if takes_marks && self.take_mark(at, rect, ray) {
            return;
        }
        if self.edited().is_none() {
            return;
        }
        let vertex = self.vertex_at(at, rect);
        self.press = Some(match vertex {
            Some(vertex) if !picks => Press::Vertex { vertex, at, ray, pulls: false, released: false },
            _ => Press::Box { from: at, to: at, vertex },
        });
        self.view.probe = vertex.filter(|_| !picks && self.posing.is_none() && self.takes_handles());
    }

    /// The vertex that a press at a place of the left viewport would take.
    pub(crate) fn vertex_at(&self, at: Pos2, rect: Rect) -> Option<u32> {
        let (picture, camera) = (self.edited()?, self.eye(0));
        let (points, ray) = (&picture.points.drawn, camera.ray(at, rect));
        let picked = pick(points, &picture.stage.triangles, &ray, camera.reach(NEAR, rect));
        picked.map(|picked| picture.stage.at_joint(picked.vertex))
    }

    /// Takes what is under the mouse of the selected handle's axis handle, or of the marks of others.
    fn take_mark(&mut self, at: Pos2, rect: Rect, ray: Ray) -> bool {
        if let Some(index) = self.selected
            && let Some(grip) = self.grip(index)
            && let Some(part) = axis_handle::hit(&self.eye(0), rect, &grip, self.normal_of_selected(), at)
        {
            self.take(index, part, ray);
            return true;
        }
        let mark = self.mark_at(at, rect);
        if let Some(index) = mark {
            self.selected = Some(index);
            self.take(index, Part::Screen, ray);
        }
        mark.is_some()
    }

    /// The mouse moved with its button down, or with a handle in the hand.
    pub(crate) fn move_to(&mut self, to: Pos2, rect: Rect, snaps: bool) {
        if self.gesture.is_some() {
            self.pull_to(to, rect, snaps);
        }
        match &mut self.press {
            Some(Press::Vertex { at, pulls, .. }) => *pulls |= (to - *at).length() > MOVES,
            Some(Press::Box { to: corner, .. }) => *corner = to,
            None => {}
        }
        if let (true, Some(Press::Vertex { vertex, ray, pulls: true, .. })) =
            (self.posing.is_some(), &self.press)
        {
            let (vertex, ray) = (*vertex, *ray);
            if self.posing.as_ref().is_some_and(|posing| !posing.draft.pulls()) {
                self.begin_pull(vertex, ray);
            }
            self.pull_on(to, rect);
        }
    }

    /// The mouse went up.
    pub(crate) fn release(&mut self, rect: Rect, modifiers: Modifiers) {
        self.put_down();
        match self.press.take() {
            Some(Press::Box { from, to, .. }) if (to - from).length() > MOVES => {
                self.pick_in(from, to, rect, modifiers);
                self.draws_box = false;
            }
            Some(Press::Box { vertex: Some(vertex), .. }) => self.pick_or_not(vertex),
            Some(Press::Box { .. }) => {
                self.selected = None;
                self.picked.clear();
            }
            Some(Press::Vertex { vertex, pulls, .. }) if self.posing.is_some() => match pulls {
                true => self.end_pull(),
                false => self.pick_or_not(vertex),
            },
            Some(Press::Vertex { vertex, at, ray, pulls, .. }) => {
                self.press = Some(Press::Vertex { vertex, at, ray, pulls, released: true });
            }
            None => {}
        }
    }

    /// Lets everything go as if it had not been touched.
    pub(crate) fn let_go(&mut self) {
        if let Some(gesture) = self.gesture.take() {
            self.session.document.cancel_gesture();
            if !gesture.picked.is_empty() {
                (self.picked, self.selected) = (gesture.picked, None);
            }
        }
        (self.press, self.view.hand, self.view.probe) = (None, None, None);
        (self.picks_relative, self.draws_box) = (false, false);
    }

    /// Makes the handle a press on a vertex asked for, as soon as it is known how far the edit moves that vertex.
    pub(crate) fn follow_probe(&mut self) {
        if self.posing.is_some() {
            return;
        }
        let Some(Press::Vertex { vertex, ray, pulls, released, .. }) = self.press.clone() else { return };
        if !self.takes_handles() {
            if pulls || released {
                self.press = None;
                self.toasts.say(Message::PosesOnly);
            }
            return;
        }
        if self.picks_relative {
            if released {
                (self.press, self.view.probe) = (None, None);
                self.see_from(vertex);
            }
            return;
        }
        let (frame, generation) = (self.view.frame, self.session.document.generation());
        let Some(site) = self.site_of(vertex) else { return };
        let (segment, when) = self.timeline.when(frame);
        if let Some(index) = self.handle_on(&site, segment, &when) {
            self.selected = Some(index);
            (self.press, self.view.probe) = (None, None);
            if pulls && !released {
                self.take(index, Part::Screen, ray);
            }
            return;
        }
        if !self.can_edit() {
            (self.press, self.view.probe) = (None, None);
            return;
        }
        let probe = self
            .snapshot
            .probe
            .filter(|probe| (probe.generation, probe.vertex, probe.frame) == (generation, vertex, frame));
        let Some(probe) = probe.filter(|_| pulls || released) else { return };
        let (handle, mut index) = (Handle::new(when, site, Goal::By(probe.by)), 0);
        (self.press, self.view.probe) = (None, None);
        self.session.document.begin_gesture(if released { "Add handle" } else { "Drag point" });
        self.session.document.update_gesture(|shot| index = shot.edit.add_handle(segment, handle));
        (self.selected, self.has_dragged) = (Some(index), true);
        match self.grip(index) {
            Some(grip) if !released => self.hold(Taken { index, part: Part::Screen, grip, ray }),
            _ => {
                self.session.document.commit_gesture();
            }
        }
    }
}
