//! What the eyes of both viewports are set for: all of the body, or what is selected.

use crate::Studio;
use crate::camera::{Camera, Vec3, aspect};
use supple_project::session::Stage;

impl Studio {
    /// Sets the cameras for a document that is seen for the first time, and goes to its first handle.
    pub(crate) fn frame_once(&mut self, stage: &Stage) {
        let key = (self.session.number(), stage.rest.len());
        if self.framed == Some(key) {
            return;
        }
        self.framed = Some(key);
        self.picked.clear();
        self.selected = None;
        let handles = &self.session.document.shot().edit.handles;
        let first = handles.first().map(|handle| *handle.when.range().start());
        self.view.frame = first.map_or(stage.frames / 2, |number| self.timeline.index(number));
        let linked = std::mem::replace(&mut self.linked, true);
        self.frame_all();
        self.linked = linked;
    }

    /// Shows all of the body in both viewports.
    pub(crate) fn frame_all(&mut self) {
        let Some(stage) = self.answer.stage.clone() else { return };
        let shown = self.answer.shown.clone();
        let shown = shown.as_ref().map(|picture| picture.points.drawn.as_slice());
        let points = shown.filter(|points| points.len() == stage.rest.len()).unwrap_or(&stage.rest);
        self.frame_points(points.iter().copied());
    }

    /// Shows some points in both viewports.
    pub(crate) fn frame_points(&mut self, points: impl Iterator<Item = [f32; 3]>) {
        let points: Vec<Vec3> = points.map(|p| Vec3::from(p.map(f64::from))).collect();
        let size = self.answer.stage.as_ref().map_or(1.0, |stage| stage.size);
        let aspect = aspect(self.rects[0]);
        self.move_cameras(|camera| camera.frame(&points, 0.04 * size, aspect));
    }

    /// Moves the eyes of both viewports, or of the one the mouse is over where they are apart.
    pub(crate) fn move_cameras(&mut self, by: impl Fn(&mut Camera)) {
        by(&mut self.cameras[self.over]);
        if self.linked {
            self.cameras[1 - self.over] = self.cameras[self.over];
        }
    }

    /// Shows the selected handle, or the vertices that are picked, or else all.
    pub(crate) fn frame_selected(&mut self) {
        let size = self.answer.stage.as_ref().map_or(1.0, |stage| stage.size) as f32;
        if let Some(place) = self.selected.and_then(|index| self.handle_place(index)) {
            let at = [place.x as f32, place.y as f32, place.z as f32];
            let aside = |by: f32| at.map(|x| x + by);
            self.frame_points([aside(-0.08 * size), aside(0.08 * size)].into_iter());
        } else if let Some(picture) = self.answer.shown.clone().filter(|_| !self.picked.is_empty()) {
            let picked = self.picked.clone();
            let points = picked.iter().filter_map(|v| picture.points.drawn.get(*v as usize).copied());
            self.frame_points(points);
        } else {
            self.frame_all();
        }
    }
}
