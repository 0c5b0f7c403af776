//! The mouse on the left viewport: taking hold of points, and pulling them.
//!
//! A press on the axis handle, or on the mark of a handle, takes that handle in the hand at once, so that the solver has
//! prepared for it before the mouse moves. A press on the surface asks how far the edit moves the vertex there; with
//! the answer a handle can be made that changes nothing, and a pull moves it. Everything between press and release is
//! one step of undo.

use crate::Studio;
use crate::axis_handle::{self, Part};
use crate::camera::Vec3;
use eframe::egui::{Pos2, Rect};
use supple_model::VertexId;
use supple_project::session::{Along, Picture, Pull, Ray, normal_at, pick, pick_box};
use supple_project::shot::{Goal, Handle, Site, When};

/// The mouse has to go this far, in points, for a press to be a pull.
const MOVES: f32 = 4.0;
/// A vertex beside the surface is meant this near, in points.
const NEAR: f32 = 14.0;
/// The tip of an arrow is where the point would be after this many frames of its velocity.
pub const ARROW_FRAMES: f64 = 4.0;

/// The mouse is down on something that is not in the hand yet.
#[derive(Clone, Debug)]
pub enum Press {
    /// On a vertex; how far the edit moves it was asked for.
    Vertex {
        vertex: u32,
        at: Pos2,
        ray: Ray,
        /// Whether it was moved far enough to be a pull.
        pulls: bool,
        /// Whether the mouse is up again, so that a handle is all that is wanted.
        released: bool,
    },
    /// On nothing: a box is drawn.
    Box { from: Pos2, to: Pos2 },
}

/// A handle in the hand.
#[derive(Clone, Debug)]
pub struct Hand {
    pub index: usize,
    pub part: Part,
    start: Goal,
    at: [f64; 3],
    first: Ray,
    pull: Option<Pull>,
    /// What one length of shift means for the goal.
    scale: f64,
}

impl Studio {
    /// The frame that is edited, as it is shown; `None` while another one still is.
    pub(crate) fn shown(&self) -> Option<&Picture> {
        self.answer.shown.as_deref()
    }

    /// Where a handle is in the frame that is shown, if it holds there.
    pub(crate) fn handle_place(&self, index: usize) -> Option<Vec3> {
        let handle = self.session.document.shot().edit.handles.get(index)?;
        let picture = self.shown()?;
        let number = self.timeline.number(self.view.frame);
        if !handle.when.range().contains(&number) {
            return None;
        }
        picture.points.place(&handle.site, &picture.stage).map(Vec3::from)
    }

    /// Where the axis handle of a handle is: at its point, or at the tip of its arrow.
    pub(crate) fn grip(&self, index: usize) -> Option<Vec3> {
        let place = self.handle_place(index)?;
        let handle = self.session.document.shot().edit.handles.get(index)?;
        Some(match handle.goal {
            Goal::Velocity(velocity) => place + Vec3::from(velocity) * self.arrow_seconds(),
            _ => place,
        })
    }

    /// Seconds of playback an arrow is long.
    pub(crate) fn arrow_seconds(&self) -> f64 {
        ARROW_FRAMES / self.timeline.fps.max(1e-9)
    }

    /// Across the surface where the selected handle is.
    pub(crate) fn normal_of_selected(&self) -> Option<Vec3> {
        let handle = self.session.document.shot().edit.handles.get(self.selected?)?;
        let (Site::Vertex(vertex), Some(picture)) = (&handle.site, self.shown()) else { return None };
        let (points, triangles) = (&picture.points.drawn, &picture.stage.triangles);
        (vertex.index() < points.len())
            .then(|| normal_at(points, triangles, vertex.0))
            .flatten()
            .map(Vec3::from)
    }

    /// The mouse went down at a place of the left viewport.
    pub(crate) fn press_at(&mut self, at: Pos2, rect: Rect) {
        let camera = self.cameras[0];
        let ray = camera.ray(at, rect);
        if let Some(index) = self.selected
            && let Some(grip) = self.grip(index)
            && let Some(part) = axis_handle::hit(&camera, rect, &grip, self.normal_of_selected(), at)
        {
            self.take(index, part, ray, "Drag handle");
            return;
        }
        if let Some(index) = self.mark_at(at, rect) {
            self.selected = Some(index);
            self.take(index, Part::Screen, ray, "Drag handle");
            return;
        }
        let Some(picture) = self.answer.shown.clone() else { return };
        let picked = pick(&picture.points.drawn, &picture.stage.triangles, &ray, camera.reach(NEAR, rect));
        self.press = Some(match picked {
            Some(picked) => Press::Vertex { vertex: picked.vertex, at, ray, pulls: false, released: false },
            None => Press::Box { from: at, to: at },
        });
        self.view.probe = picked.map(|picked| picked.vertex);
    }

    /// The mouse moved with its button down.
    pub(crate) fn move_to(&mut self, to: Pos2, rect: Rect, snaps: bool) {
        let ray = self.cameras[0].ray(to, rect);
        if self.hand.is_some() {
            self.pull_to(&ray, snaps);
        }
        match &mut self.press {
            Some(Press::Vertex { at, pulls, .. }) => *pulls |= (to - *at).length() > MOVES,
            Some(Press::Box { to: corner, .. }) => *corner = to,
            None => {}
        }
    }

    /// The mouse went up.
    pub(crate) fn release(&mut self, rect: Rect, adds: bool) {
        if self.hand.take().is_some() {
            self.view.hand = None;
            self.session.document.commit_gesture();
        }
        match self.press.take() {
            Some(Press::Box { from, to }) if (to - from).length() > MOVES => {
                self.pick_in(from, to, rect, adds);
            }
            Some(Press::Box { .. }) => {
                self.selected = None;
                self.picked.clear();
            }
            Some(Press::Vertex { vertex, at, ray, pulls, .. }) => {
                self.press = Some(Press::Vertex { vertex, at, ray, pulls, released: true });
            }
            None => {}
        }
    }

    /// Lets everything go as if it had not been touched.
    pub(crate) fn let_go(&mut self) {
        if self.hand.take().is_some() {
            self.session.document.cancel_gesture();
        }
        (self.press, self.view.hand, self.view.probe) = (None, None, None);
        self.picks_relative = false;
    }

    /// Another axis for what is in the hand.
    pub(crate) fn constrain(&mut self, part: Part) {
        let normal = self.normal_of_selected();
        let forward = self.cameras[0].axes().2;
        if let Some(hand) = &mut self.hand
            && let Some(along) = along(part, normal, forward)
        {
            hand.part = part;
            hand.pull = Pull::new(hand.at, along, &hand.first);
        }
    }

    fn take(&mut self, index: usize, part: Part, ray: Ray, step: &str) {
        let can_edit = self.answer.stage.as_ref().is_some_and(|stage| stage.can_edit());
        if !can_edit {
            self.toasts.bad("the modes are being prepared; this can be edited in a moment");
            return;
        }
        let Some(grip) = self.grip(index) else { return };
        self.session.document.begin_gesture(step);
        self.hold(index, part, grip, ray);
    }

    /// Puts a handle in the hand, a gesture being under way.
    fn hold(&mut self, index: usize, part: Part, grip: Vec3, first: Ray) {
        let Some(handle) = self.session.document.shot().edit.handles.get(index) else { return };
        let start = handle.goal.clone();
        let scale = if matches!(start, Goal::Velocity(_)) { 1.0 / self.arrow_seconds() } else { 1.0 };
        let (normal, forward) = (self.normal_of_selected(), self.cameras[0].axes().2);
        let pull = along(part, normal, forward).and_then(|along| Pull::new(grip.into(), along, &first));
        self.hand = Some(Hand { index, part, start, at: grip.into(), first, pull, scale });
        self.view.hand = Some(index);
        self.has_dragged = true;
    }

    fn pull_to(&mut self, ray: &Ray, snaps: bool) {
        let size = self.answer.stage.as_ref().map_or(1.0, |stage| stage.size);
        let Some(hand) = &self.hand else { return };
        let snap = snaps.then(|| snap_step(size));
        let Some(shift) = hand.pull.as_ref().and_then(|pull| pull.shift(ray, snap)) else { return };
        if let Some(goal) = shifted(&hand.start, shift.map(|x| x * hand.scale)) {
            let index = hand.index;
            self.session.document.update_gesture(|shot| {
                if let Some(handle) = shot.edit.handles.get_mut(index) {
                    handle.goal = goal;
                }
            });
        }
    }

    /// Makes the handle a press on a vertex asked for, as soon as it is known how far the edit moves that vertex.
    pub(crate) fn follow_probe(&mut self) {
        let Some(Press::Vertex { vertex, ray, pulls, released, .. }) = self.press.clone() else { return };
        if self.picks_relative && released {
            self.see_from(vertex);
            (self.press, self.view.probe) = (None, None);
            return;
        }
        let (frame, generation) = (self.view.frame, self.session.document.generation());
        let site = Site::Vertex(VertexId(vertex));
        let when = When::Frame(self.timeline.number(frame));
        let handles = &self.session.document.shot().edit.handles;
        let same = |handle: &Handle| handle.site == site && handle.when == when;
        if let Some(index) = handles.iter().position(same) {
            self.selected = Some(index);
            (self.press, self.view.probe) = (None, None);
            if pulls && !released {
                self.take(index, Part::Screen, ray, "Drag handle");
            }
            return;
        }
        if !self.answer.stage.as_ref().is_some_and(|stage| stage.can_edit()) {
            self.toasts.bad("the modes are being prepared; this can be edited in a moment");
            (self.press, self.view.probe) = (None, None);
            return;
        }
        let probe = self
            .answer
            .probe
            .filter(|probe| (probe.generation, probe.vertex, probe.frame) == (generation, vertex, frame));
        let Some(probe) = probe.filter(|_| pulls || released) else { return };
        let (handle, index) = (Handle::new(when, site, Goal::By(probe.by)), handles.len());
        (self.press, self.view.probe) = (None, None);
        self.selected = Some(index);
        self.session.document.begin_gesture(if released { "Add handle" } else { "Pull a point" });
        self.session.document.update_gesture(|shot| shot.edit.handles.push(handle));
        match self.grip(index) {
            Some(grip) if !released => self.hold(index, Part::Screen, grip, ray),
            _ => {
                self.session.document.commit_gesture();
            }
        }
    }

    /// The mark of a handle near a place on the screen.
    fn mark_at(&self, at: Pos2, rect: Rect) -> Option<usize> {
        if !self.look.handles {
            return None;
        }
        let handles = self.session.document.shot().edit.handles.len();
        let away = |index: usize| {
            let place = self.cameras[0].project(&self.handle_place(index)?, rect)?;
            Some((index, (place - at).length()))
        };
        let near = (0..handles).filter_map(away).filter(|(_, away)| *away < 9.0);
        near.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(index, _)| index)
    }

    fn pick_in(&mut self, from: Pos2, to: Pos2, rect: Rect, adds: bool) {
        let Some(picture) = self.answer.shown.clone() else { return };
        let camera = self.cameras[0];
        let eye = if camera.parallel { camera.eye() - camera.axes().2 * 1e6 } else { camera.eye() };
        let project = |p: [f32; 3]| camera.project(&Vec3::from(p.map(f64::from)), rect).map(|p| [p.x, p.y]);
        let (points, triangles) = (&picture.points.drawn, &picture.stage.triangles);
        let corners = ([from.x, from.y], [to.x, to.y]);
        let inside = pick_box(points, triangles, corners, Some(eye.into()), project);
        if !adds {
            self.picked.clear();
        }
        self.picked.extend(inside);
        self.picked.sort_unstable();
        self.picked.dedup();
        self.selected = None;
    }

    /// Makes the selected handle one that is seen from a vertex, so that nothing changes.
    fn see_from(&mut self, vertex: u32) {
        self.picks_relative = false;
        let moved = self.moved_by(&Site::Vertex(VertexId(vertex)));
        let Some(index) = self.selected else { return };
        self.session.document.change("Make relative", |shot| {
            if let Some(handle) = shot.edit.handles.get_mut(index) {
                if let (Goal::By(by), None, Some(moved)) = (&mut handle.goal, &handle.relative_to, moved) {
                    *by = std::array::from_fn(|c| by[c] - moved[c]);
                }
                handle.relative_to = Some(Site::Vertex(VertexId(vertex)));
            }
        });
    }

    /// How far the edit moves a site in the frame that is shown, as far as the picture says.
    pub(crate) fn moved_by(&self, site: &Site) -> Option<[f64; 3]> {
        let picture = self.shown()?;
        let after = picture.points.place(site, &picture.stage)?;
        let before = picture.input.as_ref()?.place(site, &picture.stage)?;
        Some(std::array::from_fn(|c| after[c] - before[c]))
    }
}

/// The way a part of the axis handle goes.
fn along(part: Part, normal: Option<Vec3>, forward: Vec3) -> Option<Along> {
    let axis = |k: usize| std::array::from_fn(|c| f64::from(u8::from(c == k)));
    Some(match part {
        Part::Axis(k) => Along::Axis(axis(k)),
        Part::Plane(k) => Along::Plane(axis(k)),
        Part::Screen => Along::Plane(forward.into()),
        Part::Normal => Along::Axis(normal?.into()),
    })
}

/// A goal after it was moved.
fn shifted(goal: &Goal, by: [f64; 3]) -> Option<Goal> {
    let sum = |from: &[f64; 3]| std::array::from_fn(|c| from[c] + by[c]);
    Some(match goal {
        Goal::To(to) => Goal::To(sum(to)),
        Goal::By(from) => Goal::By(sum(from)),
        Goal::Velocity(velocity) => Goal::Velocity(sum(velocity)),
        Goal::Plane { normal, point } => Goal::Plane { normal: *normal, point: sum(point) },
        Goal::Path(_) | Goal::Turn { .. } => return None,
    })
}

/// About a fiftieth of the size, a one, two or five of its power of ten.
pub fn snap_step(size: f64) -> f64 {
    let about = size / 50.0;
    let power = 10.0_f64.powf(about.log10().floor());
    [1.0, 2.0, 5.0, 10.0].map(|x| x * power).into_iter().find(|step| *step >= about).unwrap_or(about)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round_numbers() {
        let steps = [0.5, 1.0, 7.0, 300.0].map(snap_step);
        for (step, wanted) in steps.into_iter().zip([0.01, 0.02, 0.2, 10.0]) {
            assert!((step / wanted - 1.0).abs() < 1e-9, "{step} is not {wanted}");
        }
    }
}
