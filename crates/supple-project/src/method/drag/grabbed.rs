//! A handle in the hand: one frame is shown, and follows every event of the mouse.
//!
//! While a handle is dragged, the linear edit of the shown frame stays in the span of few fields,
//!
//! > p = p₀ + Σ_k F_k α_k,
//!
//! made once, by a pass over all modes, when the handle is taken or another frame is shown. On the linear edit
//! the F_k are what a unit of each of the handle's rows moves and α is how far the hand has gone; on the warped
//! motion they are the directions of [`supple_spacetime::Drag::grab`] and α its amounts. An event then costs
//! the solution for α, and the warp of one frame.

use super::handles::HeldWish;
use super::solver::{Input, Solver};
use super::wish::{Wish, about};
use super::{DragMethod, EditError, HandleKey};
use crate::method::error::HandleProblem;
use crate::shot::{Goal, Hold, Method};
use faer::Mat;
use supple_mesh::Vec3;
use supple_model::Progress;
use supple_spacetime::{HandleId, Order, Status};

/// A handle in the hand.
#[derive(Debug)]
pub(super) struct Grabbed {
    key: HandleKey,
    /// Its wishes as they were when it was taken.
    taken: Vec<HeldWish>,
    /// How far it has gone since.
    shift: Vec3,
    /// The frame that is shown.
    shown: usize,
    /// p₀ and the F_k, one after the other.
    fields: Vec<f64>,
}

/// What became of one event of a drag.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DragStep {
    /// The largest error of a hard handle, as a part of the size.
    pub error: f64,
    /// Whether the directions were made anew, which takes longer than an event usually does.
    pub refreshed: bool,
    /// Whether the handle should be grabbed again when there is time.
    pub is_worn: bool,
    /// Whether the hand is farther than the body can reach: the handle stays behind.
    pub is_out_of_reach: bool,
}

impl DragMethod {
    /// Takes a handle in the hand, and shows a frame.
    ///
    /// # Errors
    /// When there is no such handle, it follows a path or a turn, or the caller cancels.
    ///
    /// # Panics
    /// When there is no such frame.
    pub fn grab(&mut self, key: HandleKey, shown: usize, progress: &Progress) -> Result<(), EditError> {
        assert!(shown < self.time.frames, "frame {shown} of {}", self.time.frames);
        let held = self.handles.there.get(&key).ok_or(EditError::NoHandle(key))?;
        if let Goal::Path(_) | Goal::Turn { .. } = held.handle.goal {
            let goal = held.handle.goal.key();
            return Err(about(key.to_string())(HandleProblem::Together { goal, key: "dragging" }));
        }
        self.loosen(key, progress)?;
        let taken: Vec<HeldWish> = self.wishes_of(key).cloned().collect();
        if let Solver::Exact { drag, readout } = &mut self.solver {
            let ids: Vec<HandleId> = taken.iter().map(|held| held.id).collect();
            drag.grab(&ids, readout, progress)?;
        } else {
            self.solver.release(progress)?;
        }
        self.hand = Some(Grabbed { key, taken, shift: Vec3::zeros(), shown, fields: Vec::new() });
        self.make_fields()
    }

    /// Shows another frame while a handle is in the hand; a pass over all modes.
    ///
    /// # Errors
    /// When nothing is in the hand.
    ///
    /// # Panics
    /// When there is no such frame.
    pub fn show_frame(&mut self, shown: usize) -> Result<(), EditError> {
        assert!(shown < self.time.frames, "frame {shown} of {}", self.time.frames);
        self.hand.as_mut().ok_or(EditError::EmptyHand)?.shown = shown;
        self.make_fields()
    }

    /// Makes the rows of handles that were added ready, and follows them a first step.
    ///
    /// # Errors
    /// When the caller cancels.
    pub fn ready_rows(&mut self, progress: &Progress) -> Result<(), EditError> {
        match &mut self.solver {
            Solver::Exact { drag, readout } => drag.step(readout, progress).map(|_| ())?,
            Solver::Linear { .. } => self.solver.release(progress).map(|_| ())?,
        }
        Ok(())
    }

    /// Moves the handle in the hand to `shift` from where it was taken: a length, or a velocity per second of
    /// the playback.
    ///
    /// # Errors
    /// When nothing is in the hand, the shift is not finite, or the caller cancels.
    pub fn drag(&mut self, shift: [f64; 3], progress: &Progress) -> Result<DragStep, EditError> {
        let is_out_of_reach = self.aim(shift)?;
        let Solver::Exact { drag, readout } = &mut self.solver else {
            return Ok(DragStep { error: 0.0, refreshed: false, is_worn: false, is_out_of_reach });
        };
        let report = drag.live_step(readout, progress)?;
        let errors = report.errors.iter().flat_map(|handle| handle.error);
        let step = DragStep {
            error: errors.fold(0.0, |worst: f64, x| worst.max(x.abs())) / self.figure.size,
            refreshed: report.refreshed.is_some(),
            is_worn: report.is_worn
                || matches!(&report.refreshed, Some(full) if full.status != Status::Settled),
            is_out_of_reach,
        };
        if step.refreshed {
            self.make_fields()?;
        }
        Ok(step)
    }

    /// Asks for as much as [`Self::drag`] does, and leaves the edit as it is; answers whether the hand is farther than the
    /// body can reach.
    pub(in crate::method) fn aim(&mut self, shift: [f64; 3]) -> Result<bool, EditError> {
        if let Some(value) = shift.into_iter().find(|x| !x.is_finite()) {
            let name = self.hand.as_ref().map_or(String::new(), |hand| hand.key.to_string());
            return Err(about(name)(HandleProblem::NotFinite { value }));
        }
        let pace = self.time.pace();
        let hand = self.hand.as_mut().ok_or(EditError::EmptyHand)?;
        hand.shift = shift.into();
        let (key, shift) = (hand.key, hand.shift);
        let mut wishes: Vec<Wish> = hand.taken.iter().map(|taken| taken.wish.clone()).collect();
        for (wish, taken) in wishes.iter_mut().zip(&hand.taken) {
            wish.target = moved(taken, &(shift / unit(taken, pace)));
        }
        let is_out_of_reach = self.cap(&mut wishes) < 1.0;
        let input = Input { positions: &self.figure.positions, motion: &self.motion, dt: self.time.dt };
        let held = self.handles.there.get_mut(&key).ok_or(EditError::NoHandle(key))?;
        for (held, wish) in held.wishes.iter_mut().zip(wishes) {
            held.wish.target = wish.target;
            held.wish.short = wish.short;
            self.solver.retarget(held.id, &held.wish, &input)?;
        }
        Ok(is_out_of_reach)
    }

    /// Overwrites `displacement` with the shown frame as the handle in the hand has it, three numbers per
    /// vertex, from rest.
    ///
    /// # Errors
    /// When nothing is in the hand.
    ///
    /// # Panics
    /// When there are not three numbers per vertex of the motion.
    pub fn shown(&self, displacement: &mut [f64]) -> Result<(), EditError> {
        let hand = self.hand.as_ref().ok_or(EditError::EmptyHand)?;
        let n = displacement.len();
        let (base, fields) = hand.fields.split_at(n);
        let mut edit = base.to_vec();
        for (field, amount) in fields.chunks_exact(n).zip(self.amounts(hand)) {
            edit.iter_mut().zip(field).for_each(|(p, f)| *p += amount * f);
        }
        self.motion.apply(hand.shown, &edit, displacement);
        Ok(())
    }

    /// Lets the handle go where the hand has it. Its goal is another now; the edit is that of the drag until
    /// [`Self::release`].
    ///
    /// # Errors
    /// When nothing is in the hand.
    pub fn put_down(&mut self) -> Result<HandleKey, EditError> {
        let hand = self.hand.take().ok_or(EditError::EmptyHand)?;
        if let Some(held) = self.handles.there.get_mut(&hand.key) {
            let add = |to: &mut [f64; 3]| to.iter_mut().zip(hand.shift.iter()).for_each(|(to, by)| *to += by);
            match &mut held.handle.goal {
                Goal::To(to) | Goal::By(to) | Goal::Velocity(to) | Goal::Plane { point: to, .. } => add(to),
                // Refused when it was to be taken.
                _ => {}
            }
            if matches!(held.handle.firmness(Method::Drag), Hold::Soft(_)) {
                // How firm it is depends on what it asks now.
                let handle = held.handle.clone();
                self.set(hand.key, handle)?;
            }
        }
        Ok(hand.key)
    }

    /// α.
    fn amounts(&self, hand: &Grabbed) -> Vec<f64> {
        match &self.solver {
            Solver::Exact { drag, .. } => drag.amounts().map(<[f64]>::to_vec).unwrap_or_default(),
            Solver::Linear { .. } => {
                let rows = |held: &HeldWish| {
                    let gone = held.wish.axes * hand.shift / unit(held, self.time.pace());
                    let asked = held.wish.target;
                    (0..3).filter(move |axis| asked[*axis].is_some()).map(move |axis| gone[axis])
                };
                hand.taken.iter().flat_map(rows).collect()
            }
        }
    }

    /// p₀ and F of the shown frame.
    fn make_fields(&mut self) -> Result<(), EditError> {
        let Some(hand) = &mut self.hand else { return Err(EditError::EmptyHand) };
        let modes = self.eigenvalues.len();
        let z = match &mut self.solver {
            Solver::Exact { drag, .. } => match drag.live_view(hand.shown) {
                Some(view) => Mat::from_fn(modes, 1 + view.directions.ncols(), |k, column| {
                    if column == 0 { view.z[k] } else { view.directions[(k, column - 1)] }
                }),
                // Nothing can be prepared, as with handles on velocities: the frame is made anew each time.
                None => {
                    let mut z = vec![0.0; modes];
                    drag.path().at(hand.shown, Order::Position, &mut z);
                    Mat::from_fn(modes, 1, |k, _| z[k])
                }
            },
            Solver::Linear { constraints, edit } => {
                let mut columns = vec![vec![0.0; modes]];
                edit.path.at(hand.shown, Order::Position, &mut columns[0]);
                for held in &hand.taken {
                    for row in 0..held.wish.target.iter().flatten().count() {
                        let mut column = vec![0.0; modes];
                        constraints.response(held.id, row)?.at(hand.shown, Order::Position, &mut column);
                        columns.push(column);
                    }
                }
                Mat::from_fn(modes, columns.len(), |k, column| columns[column][k])
            }
        };
        hand.fields.resize(3 * self.figure.positions.len() * z.ncols(), 0.0);
        self.motion.basis().displacements(z.as_ref(), &mut hand.fields);
        Ok(())
    }
}

/// The target of a wish that was taken and has gone `shift`.
fn moved(taken: &HeldWish, shift: &Vec3) -> [Option<f64>; 3] {
    let gone = taken.wish.axes * shift;
    std::array::from_fn(|axis| Some(taken.wish.target[axis]? + gone[axis]))
}

/// What divides a shift of the playback into one of the body's own time.
fn unit(held: &HeldWish, pace: f64) -> f64 {
    match held.wish.order {
        Order::Position => 1.0,
        Order::Velocity => pace,
    }
}
