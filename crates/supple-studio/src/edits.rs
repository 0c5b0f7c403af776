//! Edits of handles and anchors, each one step of undo.

use crate::Studio;
use crate::messages::Message;
use supple_model::VertexId;
use supple_project::shot::{Anchor, Goal, Handle, Hold, Shot, Site, Together};
use supple_session::{Timeline, fit_layers};

impl Studio {
    pub(crate) fn delete_selected(&mut self) {
        if self.selected.is_none() {
            self.delete_pose();
        }
        if let Some(index) = self.selected {
            self.let_go();
            self.session.document.change("Delete handle", |shot| {
                shot.edit.remove_handle(index);
            });
            self.selected = None;
        }
    }

    pub(crate) fn mute_selected(&mut self) {
        if let Some(index) = self.selected {
            self.change_handle("Mute handle", index, |handle| {
                handle.muted = if handle.muted == Some(true) { None } else { Some(true) };
            });
        }
    }

    /// Hears all handles that were muted.
    pub(crate) fn hear_all(&mut self) {
        self.session.document.change("Unmute all", |shot| {
            shot.edit.all_handles_mut().for_each(|handle| handle.muted = None);
        });
    }

    /// Selects the handle that differs from a state before, and goes to a frame of it: what undo did is seen.
    pub(crate) fn go_to_change(&mut self, before: &Shot) {
        let after = self.session.document.shot().clone();
        let (old, new) = (&before.edit, &after.edit);
        let counts = [old.handle_count(), new.handle_count()];
        let differs = |k: &usize| old.handle(*k) != new.handle(*k);
        let Some(index) = (0..counts[0].max(counts[1])).find(differs) else { return };
        let is_there = counts[1] >= counts[0];
        self.selected = Some(index).filter(|_| is_there);
        let concerned = if is_there { &after } else { before };
        let stage = self.snapshot.stage.clone().unwrap_or_default();
        let timeline = Timeline::of(concerned, &stage);
        if let Some(range) = timeline.frames_of(&concerned.edit, index)
            && !range.contains(&self.timeline.number(self.view.frame))
        {
            self.view.frame = self.timeline.index(*range.start());
        }
    }

    /// Changes one handle, as one step.
    pub(crate) fn change_handle(&mut self, step: &str, index: usize, change: impl FnOnce(&mut Handle)) {
        self.session.document.change(step, |shot| {
            if let Some(handle) = shot.edit.handle_mut(index) {
                change(handle);
            }
            fit_layers(shot);
        });
    }

    /// Makes a handle of the vertices that were picked; their middle is held where it is, or each of them.
    pub(crate) fn add_handle_of_picked(&mut self, points: Option<Together>) {
        let vertices: Vec<VertexId> = self.picked.iter().map(|v| VertexId(*v)).collect();
        if !vertices.is_empty() {
            self.add_handle_of(Site::Vertices(vertices), points);
            self.picked.clear();
        }
    }

    /// Makes a handle of a site at the frame that is edited, holding it where it is.
    pub(crate) fn add_handle(&mut self, site: Site) {
        self.add_handle_of(site, None);
    }

    fn add_handle_of(&mut self, site: Site, points: Option<Together>) {
        if self.timeline.clock.frames == 0 {
            self.toasts.say(Message::StillOpening);
            return;
        }
        let (segment, when) = self.timeline.when(self.view.frame);
        // Without the input beside it, it begins where the input has it.
        let by = self.moved_by(&site, None).unwrap_or([0.0; 3]);
        let handle = Handle { points, ..Handle::new(when, site, Goal::By(by)) };
        let mut index = 0;
        self.session.document.change("Add handle", |shot| index = shot.edit.add_handle(segment, handle));
        self.selected = Some(index);
    }

    /// Makes the picked vertices stay in place, beside those that do already. Where a skin is drawn its vertices are
    /// those of the body below them, which are the nearest at rest.
    pub(crate) fn anchor_picked(&mut self) {
        let Some(stage) = self.snapshot.stage.clone() else { return };
        let Some(body) = &stage.body else { return };
        let mut vertices: Vec<VertexId> = if body.skin.is_none() {
            self.picked.iter().map(|v| VertexId(*v)).collect()
        } else {
            let picked = self.picked.iter().filter_map(|v| stage.rest.get(*v as usize));
            picked.filter_map(|p| nearest(body.positions(), *p)).collect()
        };
        vertices.sort_unstable();
        vertices.dedup();
        if vertices.is_empty() {
            return;
        }
        let count = vertices.len();
        self.session
            .document
            .change("Anchor vertices", |shot| shot.body.anchors.push(Anchor::Vertices(vertices)));
        self.toasts.say(Message::Anchored(count));
        self.picked.clear();
    }

    /// Whether a handle holds a vertex that the anchors hold already.
    pub(crate) fn is_on_anchor(&self, index: usize) -> bool {
        let shot = self.session.document.shot();
        let body = self.snapshot.stage.as_ref().and_then(|stage| stage.body.as_ref());
        let site = shot.edit.handle(index).map(|handle| &handle.site);
        match (body, site) {
            (Some(body), Some(Site::Vertex(vertex))) => body.is_anchored(*vertex),
            _ => false,
        }
    }

    /// Takes all anchors away.
    pub(crate) fn release_anchors(&mut self) {
        self.session.document.change("Release anchors", |shot| shot.body.anchors.clear());
        self.toasts.say(Message::AnchorsRemoved);
    }

    pub(crate) fn set_hold(&mut self, index: usize, hold: Hold) {
        self.change_handle("Set hold", index, |handle| handle.hold = Some(hold));
    }
}

fn nearest(positions: &[crate::camera::Vec3], to: [f32; 3]) -> Option<VertexId> {
    let to = crate::camera::Vec3::from(to.map(f64::from));
    let away = |v: &usize| (positions[*v] - to).norm_squared();
    (0..positions.len()).min_by(|a, b| away(a).total_cmp(&away(b))).map(VertexId::new)
}
