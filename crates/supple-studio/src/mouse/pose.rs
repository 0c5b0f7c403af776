//! The body posed by hand in the left view: pulled at, load on load, pinned, and keyed at last.
//!
//! While a pose is made nothing is edited; the mouse pulls at the static body with a spring instead. What it comes to is in the
//! snapshot; freezing, pinning and keying wait until the body rests.

use crate::Studio;
use crate::camera::Vec3;
use crate::messages::Message;
use crate::posing::{PoseWords, Posing};
use eframe::egui::{Pos2, Rect};
use std::sync::Arc;
use supple_model::VertexId;
use supple_project::method::{Balance, Points};
use supple_project::shot::{Method, Site};
use supple_session::{Along, Picture, Places, PoseDraft, PoseRefused, PoseThen, Pull, Ray};

impl Studio {
    /// Whether the method of the shot takes poses.
    pub(crate) fn takes_poses(&self) -> bool {
        matches!(
            self.session.document.shot().edit.method,
            Method::Sparse | Method::Material | Method::Control
        )
    }

    /// Whether it takes handles on points.
    pub(crate) fn takes_handles(&self) -> bool {
        self.session.document.shot().edit.method != Method::Control
    }

    /// Begins a pose at the frame that is edited, or goes on with the one there.
    pub(crate) fn begin_pose(&mut self) {
        if self.posing.is_some() {
            return;
        }
        self.let_go();
        if !self.takes_poses() {
            self.toasts.say(Message::Pose(PoseRefused::OtherMethod));
            return;
        }
        if self.timeline.clock.frames == 0 {
            self.toasts.say(Message::StillOpening);
            return;
        }
        let (segment, when) = self.timeline.when(self.view.frame);
        match PoseDraft::begin(self.session.document.shot(), segment, when, self.view.frame) {
            Ok(draft) => {
                (self.selected, self.pose) = (None, None);
                self.posing = Some(Posing { draft, document: self.session.number(), pull: None });
            }
            Err(refused) => self.toasts.say(Message::Pose(refused)),
        }
    }

    /// Goes to a pose of the shot and opens it again.
    pub(crate) fn reopen_pose(&mut self, place: usize) {
        let mark = self.timeline.poses.iter().find(|mark| mark.place == place);
        if let Some(time) = mark.map(|mark| mark.time) {
            self.view.frame = self.timeline.index(time.round() as i32);
            self.begin_pose();
        }
    }

    /// Leaves the pose as if it had not been begun.
    pub(crate) fn cancel_pose(&mut self) {
        if self.posing.take().is_some() {
            (self.press, self.hovered) = (None, None);
            self.picked.clear();
        }
    }

    /// Lets go of the pull that is under way, as if it had not begun; answers whether there was one.
    pub(crate) fn drop_pull(&mut self) -> bool {
        (self.press, self.draws_box) = (None, false);
        self.posing.as_mut().is_some_and(|posing| {
            posing.pull = None;
            posing.draft.drop_pull()
        })
    }

    /// Esc: lets go of the pull that is under way, or of the box that is drawn, or else leaves the pose.
    pub(crate) fn escape_pose(&mut self) {
        let draws = self.draws_box;
        if !self.drop_pull() && !draws {
            self.cancel_pose();
        }
    }

    /// Goes back by a load or a pin.
    pub(crate) fn pose_back(&mut self) {
        self.press = None;
        if let Some(posing) = &mut self.posing {
            posing.pull = None;
            posing.draft.back();
        }
    }

    /// Freezes, pins or keys, once the body rests.
    pub(crate) fn plan_pose(&mut self, then: PoseThen) {
        let Some(posing) = &mut self.posing else { return };
        posing.pull = None;
        if let Err(refused) = posing.draft.plan(then) {
            self.toasts.say(Message::Pose(refused));
        }
    }

    /// Holds what is picked where it is.
    pub(crate) fn pin_picked(&mut self) {
        match self.site_of_picks() {
            Some(site) => self.plan_pose(PoseThen::Pin(site)),
            None => self.toasts.say(Message::NothingPicked),
        }
    }

    /// What is picked, as a site.
    fn site_of_picks(&self) -> Option<Site> {
        match self.picked.as_slice() {
            [] => None,
            [one] => Some(Site::Vertex(VertexId(*one))),
            several => Some(Site::Vertices(several.iter().map(|v| VertexId(*v)).collect())),
        }
    }

    /// Does what waits for the body to rest; leaves a pose whose document or method is gone.
    pub(crate) fn follow_posed(&mut self) {
        let (document, takes_poses) = (self.session.number(), self.takes_poses());
        self.view.pose = self.posing.as_ref().map(|posing| posing.draft.ask().clone());
        let Some(posing) = &mut self.posing else { return };
        if posing.document != document || !takes_poses {
            self.cancel_pose();
            self.view.pose = None;
            return;
        }
        let Some(posed) = self.snapshot.posed.clone() else { return };
        match posing.draft.go_on(&posed) {
            Ok(Some(PoseThen::Key)) => self.key_pose(),
            Ok(Some(PoseThen::Pin(_))) => self.picked.clear(),
            Ok(_) => {}
            Err(refused) => self.toasts.say(Message::Pose(refused)),
        }
        self.view.pose = self.posing.as_ref().map(|posing| posing.draft.ask().clone());
    }

    /// Makes the pose part of the shot, as one step.
    fn key_pose(&mut self) {
        let Some(Posing { draft, .. }) = self.posing.take() else { return };
        let mut place = None;
        let step = if draft.is_there() { "Change pose" } else { "Key pose" };
        self.session.document.change(step, |shot| place = draft.key(shot));
        (self.pose, self.selected, self.press) = (place, None, None);
        self.picked.clear();
    }

    /// What the left view shows: the pose that is being made, or the frame that is edited.
    pub(crate) fn edited(&self) -> Option<&Arc<Picture>> {
        match (&self.posing, &self.snapshot.posed) {
            (Some(_), Some(posed)) => Some(&posed.picture),
            _ => self.snapshot.shown.as_ref(),
        }
    }

    /// How far the pose is that is being made.
    pub(crate) fn pose_words(&self) -> Option<PoseWords> {
        let posing = self.posing.as_ref()?;
        let Some(posed) = &self.snapshot.posed else { return Some(PoseWords::Beginning) };
        Some(match posed.balance {
            _ if posed.ask != *posing.draft.ask() => PoseWords::Moving,
            Balance::Moving => PoseWords::Moving,
            Balance::Found => PoseWords::Rests,
            Balance::Lost => PoseWords::GivesWay,
        })
    }

    /// Takes hold of a vertex by a ray, with all that is picked if it is among that.
    pub(crate) fn begin_pull(&mut self, vertex: u32, ray: Ray) {
        let is_of_picked = self.picked.len() > 1 && self.picked.binary_search(&vertex).is_ok();
        let own = Some(Site::Vertex(VertexId(vertex)));
        let site = if is_of_picked { self.site_of_picks() } else { own };
        let forward: [f64; 3] = self.eye(0).axes().2.into();
        let Some(picture) = self.edited().cloned() else { return };
        let drawn = picture.points.drawn.get(vertex as usize).map(|p| p.map(f64::from));
        let (Some(site), Some(at)) = (site, drawn) else { return };
        let rest = Points { drawn: picture.stage.rest.clone(), body: None };
        let Some(away) = away(&site, &picture, &rest) else { return };
        let Some(pull) = Pull::new(at, Along::Plane(forward), &ray) else { return };
        if let Some(posing) = &mut self.posing {
            posing.draft.pull(site, away);
            posing.pull = Some((pull, away));
        }
    }

    /// The mouse has gone on with something in the hand.
    pub(crate) fn pull_on(&mut self, to: Pos2, rect: Rect) {
        let ray = self.eye(0).ray(to, rect);
        let Some(posing) = &mut self.posing else { return };
        let Some((pull, from)) = &posing.pull else { return };
        if let Some(shift) = pull.shift(&ray, None) {
            posing.draft.pull_to([0, 1, 2].map(|c| from[c] + shift[c]));
        }
    }

    /// Opens the hand.
    pub(crate) fn end_pull(&mut self) {
        if let Some(posing) = &mut self.posing {
            posing.pull = None;
            posing.draft.let_go();
        }
    }
}

/// How far a site is from where it is at rest.
fn away(site: &Site, picture: &Picture, rest: &Points) -> Option<[f64; 3]> {
    let now = Vec3::from(picture.points.place(site, &picture.stage)?);
    Some((now - Vec3::from(rest.place(site, &picture.stage)?)).into())
}
