//! Where handles are in the frame that is shown, and what they would have to ask so that nothing changes.

use crate::Studio;
use crate::camera::Vec3;
use crate::messages::Message;
use supple_project::shot::{Goal, Move, Site, When};
use supple_session::{Picture, Places};

/// The tip of an arrow is where the point would be after this many frames of its velocity.
const ARROW_FRAMES: f64 = 4.0;

impl Studio {
    /// The frame that is edited, as it is shown.
    pub(crate) fn shown(&self) -> Option<&Picture> {
        self.snapshot.shown.as_deref()
    }

    /// Where a site is in the frame that is shown.
    pub(crate) fn place_of(&self, site: &Site) -> Option<Vec3> {
        let picture = self.shown()?;
        picture.points.place(site, &picture.stage).map(Vec3::from)
    }

    /// Where a handle is in the frame that is shown, if it holds there.
    pub(crate) fn handle_place(&self, index: usize) -> Option<Vec3> {
        let edit = &self.session.document.shot().edit;
        let number = self.timeline.number(self.view.frame);
        let holds = self.timeline.frames_of(edit, index)?.contains(&number);
        edit.handle(index).filter(|_| holds).and_then(|handle| self.place_of(&handle.site))
    }

    /// The handle that holds a site then, in this segment.
    pub(super) fn handle_on(&self, site: &Site, segment: Option<usize>, when: &When) -> Option<usize> {
        let mut handles = self.session.document.shot().edit.all_handles();
        let is_in = |number: Option<usize>| number.map(|number| number - 1) == segment;
        handles.position(|(of, handle)| is_in(of) && handle.site == *site && handle.when == *when)
    }

    /// Where the axis handle of a handle is: at its point, or at the tip of its arrow.
    pub(crate) fn grip(&self, index: usize) -> Option<Vec3> {
        let place = self.handle_place(index)?;
        let handle = self.session.document.shot().edit.handle(index)?;
        Some(match handle.goal {
            Goal::Velocity(velocity) => place + Vec3::from(velocity) * self.arrow_seconds(),
            _ => place,
        })
    }

    /// Seconds of playback an arrow is long.
    pub(crate) fn arrow_seconds(&self) -> f64 {
        ARROW_FRAMES / self.timeline.clock.fps.max(1e-9)
    }

    /// Across the surface where the selected handle is.
    pub(crate) fn normal_of_selected(&self) -> Option<Vec3> {
        let handle = self.session.document.shot().edit.handle(self.selected?)?;
        let picture = self.shown()?;
        picture.points.normal(&handle.site, &picture.stage).map(Vec3::from)
    }

    /// Where a handle's place is counted from: the point it is seen from, or the origin.
    pub(crate) fn origin_of(&self, relative_to: Option<&Site>) -> Option<Vec3> {
        relative_to.map_or(Some(Vec3::zeros()), |site| self.place_of(site))
    }

    /// How far the edit moves a site in the frame that is shown, as far as the picture says; as seen from another.
    pub(crate) fn moved_by(&self, site: &Site, relative_to: Option<&Site>) -> Option<[f64; 3]> {
        let picture = self.shown()?;
        let moved = |site: &Site| {
            let after = Vec3::from(picture.points.place(site, &picture.stage)?);
            let before = picture.input.as_ref()?.place(site, &picture.stage)?;
            Some(after - Vec3::from(before))
        };
        let other = relative_to.map_or(Some(Vec3::zeros()), moved)?;
        Some((moved(site)? - other).into())
    }

    /// How fast a vertex is in the frame that is shown, per second of the playback, where its way is known.
    pub(crate) fn velocity_of(&self, site: &Site) -> Option<[f64; 3]> {
        let vertex = self.vertex_of(site)?;
        let seen = self.snapshot.seen.as_ref()?;
        let trace = seen.extras.traces.iter().position(|traced| *traced == vertex)?;
        let way = seen.traces.get(trace)?;
        let last = way.len().checked_sub(1)?;
        let (before, after) = (self.view.frame.saturating_sub(1).min(last), (self.view.frame + 1).min(last));
        let seconds = (after - before) as f64 / self.timeline.clock.fps;
        let point = |frame: usize| Vec3::from(way[frame].map(f64::from));
        (seconds > 0.0).then(|| ((point(after) - point(before)) / seconds).into())
    }

    /// The vertex that is drawn where a site is: its own, or that at its joint.
    pub(crate) fn vertex_of(&self, site: &Site) -> Option<u32> {
        match site {
            Site::Vertex(vertex) => Some(vertex.0),
            Site::Joint { name, offset: [0.0, 0.0, 0.0] } => {
                u32::try_from(self.snapshot.stage.as_ref()?.point_of(name)?).ok()
            }
            _ => None,
        }
    }

    /// What a handle on a point that is drawn holds: the point, or the joint of a character.
    pub(crate) fn site_of(&self, vertex: u32) -> Option<Site> {
        Some(self.snapshot.shown.as_ref()?.stage.site(vertex))
    }

    /// Makes the selected handle one that is seen from a vertex, so that nothing changes.
    pub(super) fn see_from(&mut self, vertex: u32) {
        let Some(site) = self.site_of(vertex) else { return };
        let edit = &self.session.document.shot().edit;
        let Some((index, handle)) = self.selected.and_then(|index| Some((index, edit.handle(index)?))) else {
            return;
        };
        if handle.site == site {
            self.toasts.say(Message::RelativeToItself);
            return;
        }
        self.picks_relative = false;
        self.set_origin("Make relative", index, Some(site));
    }

    /// Makes a handle be seen from a site, or from nowhere, so that nothing changes.
    pub(crate) fn set_origin(&mut self, step: &str, index: usize, to: Option<Site>) {
        let Some(handle) = self.session.document.shot().edit.handle(index) else { return };
        let from = handle.relative_to.clone();
        let place = |site: Option<&Site>| self.origin_of(site);
        let moved = |site: Option<&Site>| match site {
            Some(site) => self.moved_by(site, None).map(Vec3::from),
            None => Some(Vec3::zeros()),
        };
        let change = match &handle.goal {
            Goal::By(_) | Goal::Stay { at: Some(Move::By(_)) } => {
                moved(from.as_ref()).zip(moved(to.as_ref()))
            }
            Goal::To(_) | Goal::Plane { .. } | Goal::Stay { at: Some(Move::To(_)) } => {
                place(from.as_ref()).zip(place(to.as_ref()))
            }
            _ => None,
        };
        let goal = change.and_then(|(from, to)| handle.goal.shifted((from - to).into()));
        self.change_handle(step, index, |handle| {
            handle.goal = goal.unwrap_or_else(|| handle.goal.clone());
            handle.relative_to = to;
        });
    }
}
