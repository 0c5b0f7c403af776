//! Plants: joints that stand for a while, made by a key or found in the motion; each one step of undo.

use crate::Studio;
use crate::messages::Message;
use std::ops::RangeInclusive;
use supple_project::shot::{BodyKind, Goal, Handle, Move, Shot, Site, When};
use supple_session::JobKind;

/// How long a plant is where nothing says for how long, in seconds.
const LENGTH: f64 = 0.5;
/// What asks for less than this of a motion asks for nothing.
const NOTHING: f64 = 1e-9;

impl Studio {
    /// Whether the shot is of a character.
    pub(crate) fn has_character(&self) -> bool {
        self.session.document.shot().body.kind == BodyKind::Character
    }

    /// Makes joints stand: those that were picked, that of the selected handle, or the one under the mouse. A handle that
    /// is selected becomes the plant, at the place it asks for.
    pub(crate) fn plant(&mut self) {
        if !self.has_character() {
            self.toasts.say(Message::PlantsNeedCharacter);
            return;
        }
        if self.timeline.clock.frames < 2 {
            self.toasts.say(Message::StillOpening);
            return;
        }
        self.let_go();
        // A mark under the mouse hides the joint that it is on.
        let under = self.mouse.and_then(|at| self.mark_at(at, self.rects[0]));
        match self.selected.or(under).filter(|_| self.picked.is_empty()) {
            Some(index) => self.plant_handle(index),
            None => self.plant_sites(&self.sites_to_plant()),
        }
    }

    /// The joints that are picked, or the one under the mouse.
    fn sites_to_plant(&self) -> Vec<Site> {
        let hovered = self.hovered.filter(|_| self.picked.is_empty());
        let mut sites = Vec::new();
        for vertex in self.picked.iter().copied().chain(hovered) {
            if let Some(site) = self.site_of(vertex).filter(|site| !sites.contains(site)) {
                sites.push(site);
            }
        }
        sites
    }

    /// The frames a plant at the one that is edited has: the range that is played where it has this frame, or half a second
    /// around; no more than may change.
    fn frames_to_plant(&self) -> RangeInclusive<i32> {
        let timeline = &self.timeline;
        let now = timeline.number(self.view.frame);
        let last = timeline.clock.frames - 1;
        let reach = ((0.5 * LENGTH * timeline.clock.fps).round() as usize).max(1);
        let around = timeline.number(self.view.frame.saturating_sub(reach))
            ..=timeline.number((self.view.frame + reach).min(last));
        let range =
            self.playing.range.clone().filter(|range| range.contains(&now) && range.start() < range.end());
        let range = range.unwrap_or(around);
        match &timeline.window {
            Some(window) => *range.start().max(window.start())..=*range.end().min(window.end()),
            None => range,
        }
    }

    fn plant_handle(&mut self, index: usize) {
        let Some(handle) = self.session.document.shot().edit.handle(index).cloned() else { return };
        let own = handle.when.range();
        let message = match (&handle.goal, &handle.site) {
            (Goal::Stay { .. }, _) => Some(Message::PlantedAlready),
            (_, Site::Joint { .. } | Site::CenterOfMass) => None,
            _ => Some(Message::NothingToPlant),
        };
        let frames = if own.start() < own.end() { own } else { self.frames_to_plant() };
        if let Some(message) = message.or((frames.start() >= frames.end()).then_some(Message::NothingToPlant))
        {
            self.toasts.say(message);
            return;
        }
        // What was pulled stays where it was pulled to; what was only clicked stands wherever is easiest.
        let at = match handle.goal {
            Goal::By(by) if by.iter().all(|x| x.abs() < NOTHING) => None,
            Goal::By(_) | Goal::To(_) => self.handle_place(index).map(|place| Move::To(place.into())),
            _ => None,
        };
        self.change_handle("Plant", index, |handle| {
            (handle.when, handle.goal, handle.relative_to) =
                (When::Frames(frames.clone()), Goal::Stay { at }, None);
        });
        self.toasts.say(Message::Planted(1, frames));
    }

    fn plant_sites(&mut self, sites: &[Site]) {
        let frames = self.frames_to_plant();
        if sites.is_empty() || frames.start() >= frames.end() {
            self.toasts.say(Message::NothingToPlant);
            return;
        }
        let shot = self.session.document.shot();
        let new: Vec<Handle> = sites
            .iter()
            .filter(|site| !stands(shot, site, &frames))
            .map(|site| Handle::new(When::Frames(frames.clone()), site.clone(), Goal::Stay { at: None }))
            .collect();
        if new.is_empty() {
            self.toasts.say(Message::PlantedAlready);
            return;
        }
        let count = new.len();
        self.session.document.change("Plant", |shot| shot.edit.handles.extend(new));
        self.selected = self.session.document.shot().edit.handles.len().checked_sub(1);
        self.picked.clear();
        self.toasts.say(Message::Planted(count, frames));
    }

    /// Finds where feet stand in the input, beside the window, and plants them.
    pub(crate) fn find_plants(&mut self) {
        if !self.has_character() {
            self.toasts.say(Message::PlantsNeedCharacter);
        } else if !self.session.jobs.running().iter().any(|job| job.kind == JobKind::FindPlants) {
            self.let_go();
            let task = self.session.document.plants_task();
            self.session.jobs.start(task);
        }
    }
}

/// Whether a handle makes a site stand in some of these frames.
fn stands(shot: &Shot, site: &Site, frames: &RangeInclusive<i32>) -> bool {
    let overlaps =
        |range: RangeInclusive<i32>| range.start() <= frames.end() && frames.start() <= range.end();
    let mut handles = shot.edit.handles.iter();
    handles.any(|other| {
        matches!(other.goal, Goal::Stay { .. }) && other.site == *site && overlaps(other.when.range())
    })
}
