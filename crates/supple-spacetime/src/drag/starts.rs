//! Where a release may begin. All of it depends on the document only.
//!
//! > zero: u = 0
//! > linear: u = P Jᵀ S⁺ (target − W(0)), J = J(0), all rows at once; then twice u += P Jᵀ S⁺ (target − W(u) − e) with
//! > J = J(0) or, where that is not good enough, J(u), halved while that leads away
//! > one by one: the edit of the first handle, from there that of the first two, and so on in the order of ids
//!
//! The second is an edit in its own right: what one gets without looking for the least cost on the warped motion. It
//! measures what handles should cost, and where the solution from zero costs more, it may have ended in a fold.

use super::release::Release;
use crate::error::SpacetimeError;
use crate::sqp::{Layout, Problem, State, Tangent, Vector, largest};
use nalgebra::DVector;
use supple_model::Progress;

/// Steps of the linear edit onto the warped handles.
const RESTORATIONS: usize = 2;
/// Lengths of such a step that are tried, each half of the one before, until it is left out.
const HALVINGS: usize = 5;
/// A step by the derivatives at zero must leave less than this part.
const NEAR: f64 = 0.2;
/// The most portions in which handles are taken in.
const PORTIONS: usize = 8;

/// Where a solution began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartPoint {
    /// The input as it is.
    Zero,
    /// The linear edit, moved onto the handles.
    Linear,
    /// The handles taken in one after the other, in the order of ids.
    OneByOne,
    /// The linear edit moved onto the handles, as it is: nothing was found from it that costs less.
    Restored,
    /// The edit of the round before, under other contacts.
    Before,
}

impl Release<'_> {
    /// The linear edit, as it is before it is moved; `zero` is the edit of nothing.
    ///
    /// # Errors
    /// When the readout is not finite at zero.
    pub fn linear(&self, zero: &mut State) -> Result<Vector, SpacetimeError> {
        let tangent = self.problem.tangent(zero)?;
        let residual = self.problem.residual(&tangent.value, &zero.edit);
        let mut edit = zero.edit.clone();
        tangent.add_pulls(&mut edit, 1.0, &tangent.inverse(&residual));
        Ok(edit)
    }

    /// The linear edit moved onto the warped handles. None where the readout is not finite, or where nothing moves.
    pub fn restored(&self, zero: &mut State, linear: Vector) -> Option<State> {
        let tangent = self.problem.tangent(zero).ok()?;
        let mut state = State::at(linear);
        if state.edit.dot(&state.edit) <= 0.0 {
            return None;
        }
        let mut residual = self.problem.missing(&state.edit)?;
        for _ in 0..RESTORATIONS {
            if largest(&residual) <= self.settings.release.position * self.settings.size {
                break;
            }
            // What is known at zero is good enough where little turns, and costs nothing.
            let found = match self.restore(&state, &tangent, &residual, 1) {
                Some((edit, left)) if left.norm() < NEAR * residual.norm() => Some((edit, left)),
                _ => {
                    let tangent = self.problem.tangent(&mut state).ok()?;
                    self.restore(&state, &tangent, &residual, HALVINGS)
                }
            };
            let Some((edit, left)) = found else { break };
            (state, residual) = (State::at(edit), left);
        }
        Some(state)
    }

    /// One step onto the handles, tried in so many lengths, and what it leaves; none where all lead away.
    fn restore(
        &self,
        state: &State,
        tangent: &Tangent,
        residual: &DVector<f64>,
        tries: usize,
    ) -> Option<(Vector, DVector<f64>)> {
        let pulls = tangent.inverse(residual);
        (0..tries).find_map(|halvings| {
            let mut edit = state.edit.clone();
            tangent.add_pulls(&mut edit, 0.5_f64.powi(halvings as i32), &pulls);
            let left = self.problem.missing(&edit)?;
            (left.norm() < residual.norm()).then_some((edit, left))
        })
    }

    /// The edit of all handles but the last ones, taken in one after the other; none if there are no two.
    ///
    /// # Errors
    /// When the readout is not finite, or the caller cancels.
    pub fn one_by_one(&self, progress: &Progress) -> Result<Option<State>, SpacetimeError> {
        let count = self.problem.layout.held.len();
        let portions = count.min(PORTIONS);
        let mut known: Option<(Layout, State)> = None;
        for portion in 1..portions {
            let layout = self.problem.layout.first(portion * count / portions);
            let edit = match &known {
                Some((before, state)) => layout.adopt(before, &state.edit.dual),
                None => Vector::zero(layout.length()),
            };
            let mut state = State::at(edit);
            let part =
                progress.part((portion - 1) as f64 / portions as f64, portion as f64 / portions as f64);
            let problem = Problem { layout: &layout, ..self.problem };
            problem.solve(&mut state, self.settings.drag, self.settings.release_iterations, &part)?;
            known = Some((layout, state));
        }
        Ok(known.map(|(before, state)| State::at(self.problem.layout.adopt(&before, &state.edit.dual))))
    }

    /// How many elements an edit turns inside out at the frames of handles, or those before them, some of these where
    /// there are many.
    pub fn inverted(&self, edit: &Vector) -> usize {
        /// Frames that are looked at.
        const LOOKS: usize = 16;
        let (stops, states) = (self.problem.layout.stops(), self.problem.layout.states(&edit.primal));
        let every = stops.len().div_ceil(LOOKS).max(1);
        let looked_at = stops.iter().step_by(every);
        let asked: Vec<(usize, &[f64])> =
            looked_at.map(|stop| (stop.at.split().0, states[stop.place].as_slice())).collect();
        self.problem.readout.inverted_at(&asked)
    }
}
