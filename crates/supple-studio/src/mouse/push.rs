//! The mouse on the right viewport: pushing a body while its motion plays, which holds against it and finds back.

use crate::Studio;
use crate::camera::Vec3;
use crate::gesture::Pushing;
use eframe::egui::{Pos2, Rect};
use supple_project::method::Shove;
use supple_project::shot::Method;
use supple_session::{Along, Pull, pick};

impl Studio {
    /// Whether the motion that plays can be pushed: one that forces hold, found and going on.
    pub(crate) fn can_push(&self) -> bool {
        let is_found = self.snapshot.report.is_some() && self.snapshot.iterate.is_none();
        self.session.document.shot().edit.method == Method::Control
            && is_found
            && self.posing.is_none()
            && self.playing.on
    }

    /// The mouse went down at a place of the right viewport.
    pub(crate) fn press_to_push(&mut self, at: Pos2, rect: Rect) {
        let Some(picture) = self.snapshot.played.clone().filter(|_| self.can_push()) else { return };
        let camera = self.eye(1);
        let (points, ray) = (&picture.points.drawn, camera.ray(at, rect));
        let reach = camera.reach(super::NEAR, rect);
        let Some(picked) = pick(points, &picture.stage.triangles, &ray, reach) else { return };
        let vertex = picture.stage.at_joint(picked.vertex);
        let forward: [f64; 3] = camera.axes().2.into();
        let place = points.get(vertex as usize).map(|p| p.map(f64::from));
        let pull = place.and_then(|place| Pull::new(place, Along::Plane(forward), &ray));
        if let Some(pull) = pull {
            self.pushing = Some(Pushing { vertex, pull });
            self.view.shove = Some(Shove { vertex, by: [0.0; 3] });
        }
    }

    /// The mouse has gone on.
    pub(crate) fn push_on(&mut self, to: Pos2, rect: Rect) {
        let ray = self.eye(1).ray(to, rect);
        let Some(pushing) = &self.pushing else { return };
        if let Some(by) = pushing.pull.shift(&ray, None) {
            self.view.shove = Some(Shove { vertex: pushing.vertex, by });
            self.has_pushed |= Vec3::from(by).norm() > 0.0;
        }
    }

    /// The mouse went up, or there is nothing to push any more.
    pub(crate) fn end_push(&mut self) {
        (self.pushing, self.view.shove) = (None, None);
    }
}
