//! What the eyes of both viewports are set for: all of the motion, the body as it goes, or what is selected.

use crate::Studio;
use crate::camera::{Camera, Framed, FramedOf, Vec3, aspect};
use supple_project::method::Stage;

impl Studio {
    /// Sets the cameras for a document that is seen for the first time, and goes to its first handle. One that grows while
    /// it is simulated is kept in sight, and so is one in a window that changes its shape, unless somebody has turned the
    /// view since.
    pub(crate) fn frame_once(&mut self, stage: &Stage) {
        let of = FramedOf { document: self.session.number(), points: stage.rest.len() };
        let before = self.framed.filter(|framed| framed.of == of);
        let aspect = aspect(self.rects[0]);
        let is_fit = |framed: Framed| {
            framed.frames == stage.clock.frames && (framed.aspect / aspect - 1.0).abs() < 1e-3
        };
        let is_left = |framed: Framed| framed.cameras != self.cameras || self.gesture.is_some();
        if before.is_some_and(|framed| is_fit(framed) || is_left(framed)) {
            return;
        }
        if before.is_none() {
            self.picked.clear();
            (self.selected, self.segment, self.follows, self.playing.range) = (None, None, None, None);
            let first = self.timeline.handles.first().map(|mark| *mark.frames.start());
            self.view.frame = first.map_or(stage.clock.frames / 2, |number| self.timeline.index(number));
        }
        let linked = std::mem::replace(&mut self.linked, true);
        self.frame_all();
        self.linked = linked;
        self.framed = Some(Framed { of, frames: stage.clock.frames, aspect, cameras: self.cameras });
    }

    /// Shows all of the motion in both viewports, from begin to end; the body alone where they follow it.
    pub(crate) fn frame_all(&mut self) {
        let Some(stage) = self.snapshot.stage.clone() else { return };
        let shown = self.snapshot.shown.clone();
        let shown = shown.as_ref().map(|picture| picture.points.drawn.as_slice());
        let shown = shown.filter(|points| points.len() == stage.rest.len()).unwrap_or(&stage.rest);
        let points: Vec<[f32; 3]> = match self.follows.is_some() {
            true => shown.to_vec(),
            // The edit may go beyond the input in the frame that is seen.
            false => stage.way.outline.iter().chain(shown).copied().collect(),
        };
        self.frame_points(points.into_iter());
    }

    /// Shows some points in both viewports.
    pub(crate) fn frame_points(&mut self, points: impl Iterator<Item = [f32; 3]>) {
        let points: Vec<Vec3> = points.map(|p| Vec3::from(p.map(f64::from))).collect();
        let size = self.snapshot.stage.as_ref().map_or(1.0, |stage| stage.size);
        let aspect = aspect(self.rects[0]);
        // What is followed is followed from here.
        self.follows = self.follows.and(self.middle(self.over));
        self.move_cameras(|camera| camera.frame(&points, 0.04 * size, aspect));
    }

    /// Moves the eyes of both viewports, or of the one the mouse is over where they are apart.
    pub(crate) fn move_cameras(&mut self, by: impl Fn(&mut Camera)) {
        by(&mut self.cameras[self.over]);
        if self.linked {
            self.cameras[1 - self.over] = self.cameras[self.over];
        }
    }

    /// The eye of a viewport: its camera, gone along with the body where it is followed.
    pub(crate) fn eye(&self, side: usize) -> Camera {
        let mut camera = self.cameras[side];
        if let (Some(from), Some(to)) = (self.follows, self.middle(side)) {
            camera.target += to - from;
        }
        camera
    }

    /// The middle of the input in the frame a viewport shows: an edit does not move the eye.
    fn middle(&self, side: usize) -> Option<Vec3> {
        let picture = if side == 0 { &self.snapshot.shown } else { &self.snapshot.played };
        let picture = picture.as_ref()?;
        picture.stage.way.middle(picture.frame).map(Vec3::from)
    }

    /// Lets both eyes go along with the body, or stay where they are from now on.
    pub(crate) fn follow_or_not(&mut self) {
        if self.follows.is_some() {
            self.cameras = [self.eye(0), self.eye(1)];
            if self.linked {
                self.cameras[1 - self.over] = self.cameras[self.over];
            }
            self.follows = None;
        } else {
            self.follows = Some(Vec3::zeros());
            self.frame_all();
        }
    }

    /// Shows the selected handle, or the vertices that are picked, or else all.
    pub(crate) fn frame_selected(&mut self) {
        let size = self.snapshot.stage.as_ref().map_or(1.0, |stage| stage.size) as f32;
        if let Some(place) = self.selected.and_then(|index| self.handle_place(index)) {
            let at = [place.x as f32, place.y as f32, place.z as f32];
            let aside = |by: f32| at.map(|x| x + by);
            self.frame_points([aside(-0.08 * size), aside(0.08 * size)].into_iter());
        } else if let Some(picture) = self.snapshot.shown.clone().filter(|_| !self.picked.is_empty()) {
            let picked = self.picked.clone();
            let points = picked.iter().filter_map(|v| picture.points.drawn.get(*v as usize).copied());
            self.frame_points(points.collect::<Vec<_>>().into_iter());
        } else {
            self.frame_all();
        }
    }
}
