//! Handles: added, changed, removed in any order, each for itself.

use super::solver::Input;
use super::web::Web;
use super::wish::{HandleContext, Wish, about};
use super::{DragMethod, EditError};
use crate::method::error::HandleProblem;
use crate::shot;
use std::collections::BTreeMap;
use std::sync::OnceLock;
use supple_model::Instant;
use supple_spacetime::{FrameProblem, HandleId, Hold};

/// The name of a handle of an [`DragMethod`]; that of the first is 1, as handles of a shot are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HandleKey(pub u32);

impl std::fmt::Display for HandleKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "handle {}", self.0)
    }
}

/// All handles of an editor.
#[derive(Debug, Default)]
pub(super) struct Handles {
    pub there: BTreeMap<HandleKey, Held>,
    next: u32,
    /// The ways along the body to what holds it, once they are needed.
    pub web: OnceLock<Web>,
}

/// A handle and what became of it.
#[derive(Clone, Debug)]
pub(super) struct Held {
    pub handle: shot::Handle,
    pub wishes: Vec<HeldWish>,
}

/// A wish that was taken up.
#[derive(Clone, Debug)]
pub(super) struct HeldWish {
    pub id: HandleId,
    pub wish: Wish,
    /// The sites it reads, of handles on the warped motion.
    pub sites: Vec<usize>,
}

/// The wishes of one handle are numbered from here.
fn first_id(key: HandleKey) -> u64 {
    u64::from(key.0) << 32
}

impl DragMethod {
    /// Adds a handle. The motion follows at the next [`Self::release`] or drag.
    ///
    /// # Errors
    /// Names the handle and what is wrong with it; then nothing changes.
    pub fn add(&mut self, handle: shot::Handle) -> Result<HandleKey, EditError> {
        let key = HandleKey(self.handles.next + 1);
        let wishes = self.take_up(key, &handle)?;
        self.handles.next = key.0;
        self.handles.there.insert(key, Held { handle, wishes });
        Ok(key)
    }

    /// Gives a handle another place, time or firmness. If only its target is another, that is all that is done.
    ///
    /// # Errors
    /// As [`Self::add`].
    pub fn set(&mut self, key: HandleKey, handle: shot::Handle) -> Result<(), EditError> {
        let held = self.handles.there.get(&key).ok_or(EditError::NoHandle(key))?.clone();
        let wishes = self.wishes(key, &handle)?;
        let alike = |(held, wish): (&HeldWish, &Wish)| same_rows(&held.wish, wish);
        if wishes.len() == held.wishes.len() && held.wishes.iter().zip(&wishes).all(alike) {
            let input = Input { positions: &self.figure.positions, motion: &self.motion, dt: self.time.dt };
            let mut moved = held.wishes.clone();
            for (held, wish) in moved.iter_mut().zip(wishes) {
                self.solver.retarget(held.id, &wish, &input)?;
                held.wish = wish;
            }
            self.handles.there.insert(key, Held { handle, wishes: moved });
            return Ok(());
        }
        self.let_go(&held.wishes)?;
        match self.take_up(key, &handle) {
            Ok(wishes) => {
                self.handles.there.insert(key, Held { handle, wishes });
                Ok(())
            }
            Err(error) => {
                let wishes = self.take_up(key, &held.handle)?;
                self.handles.there.insert(key, Held { wishes, ..held });
                Err(error)
            }
        }
    }

    /// Removes a handle. The motion follows at the next [`Self::release`] or drag.
    ///
    /// # Errors
    /// When there is no such handle.
    pub fn remove(&mut self, key: HandleKey) -> Result<(), EditError> {
        let held = self.handles.there.remove(&key).ok_or(EditError::NoHandle(key))?;
        self.let_go(&held.wishes)
    }

    /// The handles there are, in the order they came.
    pub fn handles(&self) -> impl Iterator<Item = (HandleKey, &shot::Handle)> {
        self.handles.there.iter().map(|(key, held)| (*key, &held.handle))
    }

    /// What a handle asks, wish by wish; nothing if it is muted.
    fn wishes(&self, key: HandleKey, handle: &shot::Handle) -> Result<Vec<Wish>, EditError> {
        if handle.muted == Some(true) {
            return Ok(Vec::new());
        }
        let context = HandleContext {
            shot: &self.shot,
            body: &self.body,
            figure: &self.figure,
            time: &self.time,
            motion: &self.motion,
            detail: self.detail.as_deref(),
        };
        let mut wishes = context.wishes(handle).map_err(about(key.to_string()))?;
        self.cap(&mut wishes);
        for wish in &wishes {
            self.kernel
                .movable(wish.frame)
                .map_err(|problem| about(key.to_string())(self.standing(problem)))?;
        }
        Ok(wishes)
    }

    /// What is wrong with a frame, in the scene's own numbers.
    fn standing(&self, problem: FrameProblem) -> HandleProblem {
        let number = |frame: usize| self.time.number(frame);
        // Handles stand at frames.
        let at = |frame: Instant| number(frame.frames() as usize);
        match problem {
            FrameProblem::Missing { frame, frames } => HandleProblem::OutsideMotion {
                frame: at(frame),
                first: number(0),
                last: number(frames.saturating_sub(1)),
            },
            FrameProblem::OutsideWindow { frame, first, last } => {
                HandleProblem::OutsideWindow { frame: at(frame), first: number(first), last: number(last) }
            }
            FrameProblem::AtRest { frame } => HandleProblem::Clamped { frame: at(frame) },
        }
    }

    fn take_up(&mut self, key: HandleKey, handle: &shot::Handle) -> Result<Vec<HeldWish>, EditError> {
        let mut wishes = self.wishes(key, handle)?;
        self.firm(&mut wishes)?;
        let mut held: Vec<HeldWish> = Vec::with_capacity(wishes.len());
        for (id, wish) in (first_id(key)..).map(HandleId).zip(wishes) {
            let input = Input { positions: &self.figure.positions, motion: &self.motion, dt: self.time.dt };
            match self.solver.add(id, &wish, &input) {
                Ok(sites) => held.push(HeldWish { id, wish, sites }),
                Err(error) => {
                    self.let_go(&held)?;
                    return Err(error);
                }
            }
        }
        Ok(held)
    }

    fn let_go(&mut self, wishes: &[HeldWish]) -> Result<(), EditError> {
        wishes.iter().try_for_each(|held| self.solver.remove(held.id, &held.sites))
    }
}

/// Whether two wishes differ in their target alone. What a soft one costs depends on that, too.
fn same_rows(a: &Wish, b: &Wish) -> bool {
    let asked = |wish: &Wish| wish.target.map(|target| target.is_some());
    let others = |wish: &Wish| (wish.frame, wish.order, wish.axes, wish.hold);
    a.hold == Hold::Hard && others(a) == others(b) && a.point == b.point && asked(a) == asked(b)
}
