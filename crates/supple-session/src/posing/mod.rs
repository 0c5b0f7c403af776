//! A pose in the hands of a person: pulled at, load on load, pinned, and made part of the shot at last.
//!
//! ```text
//! pull (a spring draws what is held)  ─ freeze ─→  a load of this stage; the next pull adds to it
//!                                     ─ pin ────→  a load, and what is picked is held where that has brought it
//!                                     ─ key ────→  one [[edit.pose]]
//! ```
//!
//! What a pull asks of the body is known once that rests: freezing, pinning and keying wait for it. Nothing of it is in the
//! document before it is keyed; until then it has steps of its own to go back by.

mod keyed;
#[cfg(test)]
mod tests;

pub use keyed::{pose_words, retime_pose};

use crate::Posed;
use std::sync::Arc;
use supple_project::method::{Balance, Hand, PoseAsk};
use supple_project::shot::{Load, Pin, Pose, Push, Shot, Site, When};

/// Why a pose cannot be made, or not be keyed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PoseRefused {
    /// The method takes none.
    #[error("Poses are for the methods Sparse keys and Control. Choose one of them in Method.")]
    OtherMethod,
    /// There is one at this frame that is no balance of forces.
    #[error("The pose at this frame comes from a file. Delete it, or go to another frame.")]
    FromFile,
    /// Nothing was asked of the body.
    #[error("Nothing to key yet. Drag a point of the body to pull at it.")]
    Nothing,
    /// Nothing to be kept as a load.
    #[error("Nothing to freeze. Drag a point of the body to pull at it.")]
    NothingToFreeze,
    /// It does not rest.
    #[error("The body gives way under these loads. Pull less, or go back a step.")]
    GivesWay,
}

/// What is done once the body rests.
#[derive(Clone, Debug, PartialEq)]
pub enum PoseThen {
    /// What was pulled becomes a load.
    Freeze,
    /// That, and this is held.
    Pin(Site),
    /// That, and all of it becomes part of the shot.
    Key,
}

/// A pose that is being made.
#[derive(Clone, Debug)]
pub struct PoseDraft {
    segment: Option<usize>,
    /// The frame it is at, counted from 0.
    frame: usize,
    /// What it will be but for its loads and pins.
    pose: Pose,
    /// Its place in the shot, if it is there already, and what it was.
    there: Option<(usize, Pose)>,
    ask: Arc<PoseAsk>,
    past: Vec<Arc<PoseAsk>>,
    /// Whether the hand moves.
    pulls: bool,
    then: Option<PoseThen>,
}

impl PoseDraft {
    /// Begins a pose at a time of a segment or of the scene, which is the frame counted from 0; one that is there already is
    /// gone on with.
    ///
    /// # Errors
    /// Where a pose is there that comes from a file.
    pub fn begin(shot: &Shot, segment: Option<usize>, when: When, frame: usize) -> Result<Self, PoseRefused> {
        let same = |(_, (of, pose)): &(usize, (Option<usize>, &Pose))| {
            let covers = || pose.frames().any(|frame| when == When::Frame(frame));
            *of == segment && (pose.when == when || covers())
        };
        let there = shot.edit.all_poses().enumerate().find(same);
        if let Some((_, (_, Pose { file: Some(_), .. }))) = there {
            return Err(PoseRefused::FromFile);
        }
        let empty = Pose { when, file: None, ..Pose::of_file(0, "") };
        let there = there.map(|(place, (_, pose))| (place, pose.clone()));
        let pose = there.as_ref().map_or(empty, |(_, pose)| pose.clone());
        let past = steps(&pose.loads, &pose.pins);
        let mut draft =
            Self { segment, frame, pose, there, ask: Arc::default(), past, pulls: false, then: None };
        draft.ask = draft.past.pop().unwrap_or_default();
        Ok(draft)
    }

    /// What is asked of the body.
    #[must_use]
    pub fn ask(&self) -> &Arc<PoseAsk> {
        &self.ask
    }

    /// The frame it is at, counted from 0.
    #[must_use]
    pub fn frame(&self) -> usize {
        self.frame
    }

    /// Whether there was such a pose before.
    #[must_use]
    pub fn is_there(&self) -> bool {
        self.there.is_some()
    }

    /// Whether the hand moves.
    #[must_use]
    pub fn pulls(&self) -> bool {
        self.pulls
    }

    /// What waits for the body to rest.
    #[must_use]
    pub fn then(&self) -> Option<&PoseThen> {
        self.then.as_ref()
    }

    /// Takes hold of something, instead of what was pulled at since the last freeze.
    pub fn pull(&mut self, site: Site, by: [f64; 3]) {
        self.step(|ask| ask.hand = Some(Hand { site, by }));
        self.pulls = true;
    }

    /// Draws it elsewhere.
    pub fn pull_to(&mut self, by: [f64; 3]) {
        if let Some(hand) = self.ask.hand.as_ref().filter(|_| self.pulls) {
            let hand = Some(Hand { by, ..hand.clone() });
            self.ask = Arc::new(PoseAsk { hand, ..PoseAsk::clone(&self.ask) });
        }
    }

    /// Opens the hand: what it pulled at stays pulled.
    pub fn let_go(&mut self) {
        self.pulls = false;
    }

    /// Gives the pull that is under way up, as if it had not begun; answers whether there was one.
    pub fn drop_pull(&mut self) -> bool {
        std::mem::take(&mut self.pulls) && self.back()
    }

    /// Goes back by a pull, a load or a pin; answers whether there was one.
    pub fn back(&mut self) -> bool {
        (self.pulls, self.then) = (false, None);
        let before = self.past.pop();
        let is_one = before.is_some();
        self.ask = before.unwrap_or_else(|| self.ask.clone());
        is_one
    }

    /// Asks for something to be done once the body rests.
    ///
    /// # Errors
    /// Where there is nothing to be done it with.
    pub fn plan(&mut self, then: PoseThen) -> Result<(), PoseRefused> {
        self.pulls = false;
        let stage = self.ask.stage;
        let has_load = self.ask.hand.is_some() || self.ask.loads.iter().any(|load| of(load.stage) == stage);
        let is_empty = self.ask.hand.is_none() && self.ask.loads.is_empty() && self.ask.pins.is_empty();
        match then {
            PoseThen::Freeze if !has_load => return Err(PoseRefused::NothingToFreeze),
            PoseThen::Key if is_empty => return Err(PoseRefused::Nothing),
            _ => self.then = Some(then),
        }
        Ok(())
    }

    /// Does what was planned, if the body rests; answers what that was.
    ///
    /// # Errors
    /// When the body gives way; nothing is done then.
    pub fn go_on(&mut self, posed: &Posed) -> Result<Option<PoseThen>, PoseRefused> {
        if posed.ask != self.ask || self.then.is_none() {
            return Ok(None);
        }
        match posed.balance {
            Balance::Moving => return Ok(None),
            Balance::Lost => {
                self.then = None;
                return Err(PoseRefused::GivesWay);
            }
            Balance::Found => {}
        }
        let then = self.then.take();
        match &then {
            Some(PoseThen::Freeze) => self.step(|ask| freeze(ask, posed.force)),
            Some(PoseThen::Pin(site)) => self.step(|ask| {
                freeze(ask, posed.force);
                ask.pins.push(Pin { site: site.clone(), stage: named(ask.stage) });
            }),
            Some(PoseThen::Key) => self.step(|ask| freeze(ask, posed.force)),
            None => {}
        }
        Ok(then)
    }

    /// Makes it part of the shot; answers its place.
    pub fn key(&self, shot: &mut Shot) -> Option<usize> {
        let (loads, pins) = (self.ask.loads.clone(), self.ask.pins.clone());
        let pose = Pose { loads, pins, ..self.pose.clone() };
        let same = |(place, was): &&(usize, Pose)| shot.edit.pose(*place).is_some_and(|(_, now)| now == was);
        let place = self.there.as_ref().filter(same).map(|(place, _)| *place);
        let Some(there) = place.and_then(|place| shot.edit.pose_mut(place)) else {
            return shot.edit.add_pose(self.segment, pose);
        };
        *there = pose;
        place
    }

    fn step(&mut self, change: impl FnOnce(&mut PoseAsk)) {
        let mut ask = PoseAsk::clone(&self.ask);
        change(&mut ask);
        self.past.push(std::mem::replace(&mut self.ask, Arc::new(ask)));
    }
}

/// Makes what is pulled at a load; what comes next is of another stage.
fn freeze(ask: &mut PoseAsk, force: Option<[f64; 3]>) {
    if let (Some(hand), Some(force)) = (ask.hand.take(), force) {
        let (push, stage) = (Push::Force(force), named(ask.stage));
        ask.loads.push(Load { site: hand.site, push, frames: None, stage });
    }
    if ask.loads.iter().any(|load| of(load.stage) == ask.stage) {
        ask.stage += 1;
    }
}

/// What was asked of a body that stands under loads and pins, one after the other; the last is all of it, and nothing is in the
/// hand.
fn steps(loads: &[Load], pins: &[Pin]) -> Vec<Arc<PoseAsk>> {
    let last = loads.iter().map(|load| of(load.stage)).chain(pins.iter().map(|pin| of(pin.stage))).max();
    let mut ask = PoseAsk::default();
    let mut steps = vec![Arc::new(ask.clone())];
    for stage in 1..=last.unwrap_or(0) {
        for pin in pins.iter().filter(|pin| of(pin.stage) == stage) {
            ask.stage = stage;
            ask.pins.push(pin.clone());
            steps.push(Arc::new(ask.clone()));
        }
        for load in loads.iter().filter(|load| of(load.stage) == stage) {
            ask.stage = stage + 1;
            ask.loads.push(load.clone());
            steps.push(Arc::new(ask.clone()));
        }
    }
    steps
}

fn of(stage: Option<usize>) -> usize {
    stage.unwrap_or(1)
}

/// A stage as a shot says it.
fn named(stage: usize) -> Option<usize> {
    (stage > 1).then_some(stage)
}
