//! What is under the mouse or in a box: marks of handles, vertices to be picked.

use crate::Studio;
use crate::axis_handle;
use crate::camera::Vec3;
use crate::state::HoveredOf;
use eframe::egui::{Modifiers, Pos2, Rect};
use std::sync::Arc;
use supple_session::{ScreenBox, pick_box};

/// The mouse takes a mark this near, in points.
const NEAR_MARK: f32 = 9.0;

impl Studio {
    /// The handle whose mark, or the tip of whose arrow, is near a place on the screen.
    pub(crate) fn mark_at(&self, at: Pos2, rect: Rect) -> Option<usize> {
        if !self.look.handles || self.posing.is_some() {
            return None;
        }
        let handles = self.session.document.shot().edit.handle_count();
        let away = |place: Vec3| Some((self.eye(0).project(&place, rect)? - at).length());
        let nearest = |index: usize| {
            let places = [self.handle_place(index), self.grip(index)];
            let nearest = places.into_iter().flatten().filter_map(away).reduce(f32::min)?;
            Some((index, nearest))
        };
        let near = (0..handles).filter_map(nearest).filter(|(_, away)| *away < NEAR_MARK);
        near.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(index, _)| index)
    }

    /// Finds the vertex that a press at a place of the left viewport would take, unless it would take a handle.
    pub(crate) fn hover(&mut self, at: Option<Pos2>, rect: Rect) {
        let picture = self.edited().map_or(std::ptr::null(), Arc::as_ptr);
        let of = HoveredOf { at, picture: picture as usize, eye: self.eye(0), selected: self.selected };
        if self.hovered_of == Some(of) {
            return;
        }
        self.hovered_of = Some(of);
        let normal = self.normal_of_selected();
        let is_grip = |at: Pos2| {
            let grip = self.selected.and_then(|index| self.grip(index));
            grip.is_some_and(|grip| axis_handle::hit(&self.eye(0), rect, &grip, normal, at).is_some())
        };
        let at = at.filter(|at| !is_grip(*at) && self.mark_at(*at, rect).is_none());
        self.hovered = at.and_then(|at| self.vertex_at(at, rect));
    }

    /// Picks the vertices in a box: instead of those that were, with Shift beside them, with Ctrl not.
    pub(super) fn pick_in(&mut self, from: Pos2, to: Pos2, rect: Rect, modifiers: Modifiers) {
        let Some(picture) = self.edited().cloned() else { return };
        let camera = self.eye(0);
        let eye = if camera.parallel { camera.eye() - camera.axes().2 * 1e6 } else { camera.eye() };
        let project = |p: [f32; 3]| camera.project(&Vec3::from(p.map(f64::from)), rect).map(|p| [p.x, p.y]);
        let (points, triangles) = (&picture.points.drawn, &picture.stage.triangles);
        let area = ScreenBox { from: [from.x, from.y], to: [to.x, to.y] };
        let inside = pick_box(points, triangles, area, Some(eye.into()), project);
        if modifiers.ctrl {
            self.picked.retain(|vertex| inside.binary_search(vertex).is_err());
        } else {
            if !modifiers.shift {
                self.picked.clear();
            }
            self.picked.extend(inside);
        }
        self.picked.sort_unstable();
        self.picked.dedup();
        self.selected = None;
    }

    /// Picks a vertex beside the others, or does no longer.
    pub(super) fn pick_or_not(&mut self, vertex: u32) {
        match self.picked.binary_search(&vertex) {
            Ok(place) => {
                self.picked.remove(place);
            }
            Err(place) => self.picked.insert(place, vertex),
        }
        self.selected = None;
    }

    /// Picks all vertices of the surface.
    pub(crate) fn pick_all(&mut self) {
        let Some(stage) = &self.snapshot.stage else { return };
        self.picked = stage.triangles.as_flattened().to_vec();
        self.picked.sort_unstable();
        self.picked.dedup();
        self.selected = None;
    }

    /// The next drag draws a box, over the body too: Blender's B.
    pub(crate) fn begin_box(&mut self) {
        self.let_go();
        self.draws_box = true;
    }
}
