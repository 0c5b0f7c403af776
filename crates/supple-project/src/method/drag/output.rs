//! The edited motion: single frames to look at, all of them to keep, and letting go.

use super::handles::{Held, HeldWish};
use super::press::Pressed;
use super::solver::{Input, Kept, Settled};
use super::{DragMethod, EditError, HandleKey, limit};
use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};
use supple_elastic::WarpedMotion;
use supple_mesh::Vec3;
use supple_model::{Progress, Status};
use supple_spacetime::{KnownEdit, Order, Path};

/// Rounds in which handles on velocities learn how fast the input carries their edit along, and those on a skin where
/// its detail turns.
const ROUNDS: usize = 8;
/// They have learnt it when nothing changes by more than this part of the size in a frame.
const LEARNT: f64 = 1e-7;
/// How much of the work the first solution is taken to be.
const FIRST: f64 = 0.5;

/// An edit to go back to.
pub(super) struct KeptEdit {
    solver: Kept,
    handles: BTreeMap<HandleKey, Held>,
    motion: Arc<WarpedMotion>,
    pressed: Pressed,
}

impl DragMethod {
    /// Overwrites `positions` with the edited motion at a frame, counted from 0.
    ///
    /// # Panics
    /// When there is no such frame, or not one position per vertex of the motion.
    pub fn frame(&self, index: usize, positions: &mut [[f64; 3]]) {
        assert_eq!(positions.len(), self.figure.positions.len(), "a position for every vertex");
        let mut u = vec![0.0; 3 * positions.len()];
        self.show(&self.path(), index, index, &mut u);
        self.displaced(&u, positions);
    }

    /// Hands on the edited motion, frame by frame, as positions of its vertices.
    ///
    /// # Errors
    /// Whatever `each` answers, and cancellation.
    pub fn each_frame(
        &self,
        progress: &Progress,
        mut each: impl FnMut(usize, &[[f64; 3]]) -> Result<(), EditError>,
    ) -> Result<(), EditError> {
        let mut positions = vec![[0.0; 3]; self.figure.positions.len()];
        self.each_displacement(progress, |index, u| {
            self.displaced(u, &mut positions);
            each(index, &positions)
        })
    }

    /// The same as displacements from rest.
    pub(super) fn each_displacement(
        &self,
        progress: &Progress,
        each: impl FnMut(usize, &[f64]) -> Result<(), EditError>,
    ) -> Result<(), EditError> {
        let frames = 0..self.time.frames;
        let states = self.path().states(frames.clone());
        self.motion.each(frames, states.position.as_ref(), progress, each)
    }

    /// Finds the edit that depends on the handles there are, and on nothing else. [`Self::release`] also tells what
    /// it comes to, frame by frame.
    ///
    /// # Errors
    /// Cancellation; then nothing changes.
    pub fn settle(&mut self, progress: &Progress) -> Result<Settled, EditError> {
        let before = self.kept();
        let settled = self.settle_anew(None, progress);
        if settled.is_err() {
            self.restore(before);
        }
        settled
    }

    /// The same from an edit that is nearly the one; where that leads nowhere, from nothing.
    ///
    /// # Errors
    /// Cancellation; then nothing changes.
    pub(in crate::method) fn settle_from(
        &mut self,
        known: &KnownEdit,
        progress: &Progress,
    ) -> Result<Settled, EditError> {
        let before = self.kept();
        let settled = self.settle_anew(Some(known), &progress.part(0.0, 0.5));
        match settled {
            Ok(settled) if !matches!(settled.status, Status::Unfinished | Status::Stalled) => Ok(settled),
            Ok(_) => {
                self.restore(before);
                self.settle(&progress.part(0.5, 1.0))
            }
            Err(error) => {
                self.restore(before);
                Err(error)
            }
        }
    }

    /// The edit and its handles as they are, to go back to.
    pub(super) fn kept(&self) -> KeptEdit {
        KeptEdit {
            solver: self.solver.kept(),
            handles: self.handles.there.clone(),
            motion: self.motion.clone(),
            pressed: self.pressed.clone(),
        }
    }

    /// Goes back to what was kept.
    pub(super) fn restore(&mut self, kept: KeptEdit) {
        self.solver.restore(kept.solver);
        self.handles.there = kept.handles;
        (self.motion, self.pressed) = (kept.motion, kept.pressed);
    }

    /// From nothing, or from an edit that is known.
    fn settle_anew(&mut self, known: Option<&KnownEdit>, progress: &Progress) -> Result<Settled, EditError> {
        self.lift()?;
        // What was learnt when they were let go last must not matter.
        for held in self.handles.there.values_mut().flat_map(|held| &mut held.wishes) {
            if held.wish.learns() {
                for beside in &mut held.wish.beside {
                    beside.detail.now = beside.detail.input;
                }
                let input =
                    Input { positions: &self.figure.positions, motion: &self.motion, dt: self.time.dt };
                self.solver.retarget(held.id, &held.wish, &input)?;
            }
        }
        let mut limited = self.limited()?;
        if let Some(known) = known {
            self.solver.begin_with(known);
        }
        self.move_plants(&progress.part(0.0, 0.0))?;
        let mut settled = self.settle_learning(&progress.part(0.0, FIRST))?;
        for round in 0..limit::ROUNDS {
            if progress.is_stopped() || !self.tighten(&mut limited, &settled, round + 1 == limit::ROUNDS)? {
                break;
            }
            let done = |round: usize| FIRST + (0.9 - FIRST) * round as f64 / limit::ROUNDS as f64;
            let (from, to) = (done(round), done(round + 1));
            settled = self.settle_learning(&progress.part(from, to))?;
        }
        self.press(&limited, &mut settled, &progress.part(0.9, 0.97))?;
        self.give_reasons(&limited, &mut settled, &progress.part(0.97, 1.0))?;
        if progress.is_stopped() {
            settled.status = Status::Stopped;
        }
        Ok(settled)
    }

    /// Solves, and tells handles what they have to know of the solution until that changes nothing.
    pub(super) fn settle_learning(&mut self, progress: &Progress) -> Result<Settled, EditError> {
        let mut outcome = self.solver.release(progress)?;
        if !self.shot.edit.warp || !self.wishes_held().any(|held| held.wish.learns()) {
            return Ok(outcome);
        }
        for _ in 0..ROUNDS {
            let change = self.learn()?;
            if change <= LEARNT * self.figure.size || progress.is_stopped() {
                break;
            }
            outcome = self.solver.release(progress)?;
        }
        Ok(outcome)
    }

    /// Tells handles what the edit as it is does to them; answers by how much that differs from what they knew, in a
    /// frame.
    fn learn(&mut self) -> Result<f64, EditError> {
        let learning: Vec<HeldWish> = self.wishes_held().filter(|held| held.wish.learns()).cloned().collect();
        let mut change: f64 = 0.0;
        for held in &learning {
            change = change.max(self.learn_turn(held)?);
        }
        Ok(change)
    }

    /// Takes into account that the detail of a skin turns with its body. Answers by how much.
    fn learn_turn(&mut self, held: &HeldWish) -> Result<f64, EditError> {
        let Some(detail) = &self.detail else { return Ok(0.0) };
        let mut u = vec![0.0; 3 * self.figure.positions.len()];
        let (path, mut wish, mut change) = (self.path(), held.wish.clone(), 0.0_f64);
        for beside in &mut wish.beside {
            self.show(&path, beside.frame, beside.frame, &mut u);
            let now = detail.lock().unwrap_or_else(PoisonError::into_inner).turned(&beside.detail, &u);
            change = change.max((now - beside.detail.now).norm());
            beside.detail.now = now;
        }
        let input = Input { positions: &self.figure.positions, motion: &self.motion, dt: self.time.dt };
        self.solver.retarget(held.id, &wish, &input)?;
        let wishes = self.handles.there.values_mut().flat_map(|held| &mut held.wishes);
        wishes.filter(|there| there.id == held.id).for_each(|there| there.wish = wish.clone());
        Ok(change)
    }

    fn wishes_held(&self) -> impl Iterator<Item = &HeldWish> {
        self.handles.there.values().flat_map(|held| &held.wishes)
    }

    /// Overwrites `u` with frame `index` under the edit of frame `edit`.
    pub(super) fn show(&self, path: &Path, index: usize, edit: usize, u: &mut [f64]) {
        let mut z = vec![0.0; self.modes()];
        path.at(edit, Order::Position, &mut z);
        self.motion.displacement(index, &z, u);
    }

    pub(super) fn displaced(&self, u: &[f64], positions: &mut [[f64; 3]]) {
        let moved = u.chunks_exact(3).map(Vec3::from_column_slice);
        for ((out, x), u) in positions.iter_mut().zip(&self.figure.positions).zip(moved) {
            *out = (x + u).into();
        }
    }
}
