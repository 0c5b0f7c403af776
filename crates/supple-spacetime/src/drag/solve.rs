//! Sequential quadratic programming in the metric of the kernel; the pseudocode is in [`super`].

use super::curvature::Curvature;
use super::direction::{Found, Verdict};
use super::layout::{Layout, Vector};
use super::settings::{DragSettings, Tolerance};
use super::tangent::{Tangent, values};
use crate::error::SpacetimeError;
use nalgebra::DVector;
use std::sync::Arc;
use supple_model::{Progress, Readout};

/// How much handles give at first when their targets are a body's size away, as a part of the easiest row's S.
const GIVE: f64 = 1e-2;
/// Handles farther than this part of the size may be out of reach;
const FAR: f64 = 1e-3;
/// they are, if they give this much less than when they last came nearer,
const HOPELESS: f64 = 1e-4;
/// by at least this factor.
const NEARER: f64 = 0.9;
/// Steps that turn the body by less than this are as good as linear.
const LITTLE: f64 = 0.2;
/// Tries of one iteration; what was learnt is forgotten after half of them.
const ATTEMPTS: usize = 16;

/// What is solved.
#[derive(Clone, Copy)]
pub(super) struct Problem<'a> {
    pub layout: &'a Layout,
    pub readout: &'a dyn Readout,
    pub settings: &'a DragSettings,
}

/// Where the solution is.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// u, errors of soft rows included.
    pub edit: Vector,
    /// The linearization at `edit`.
    pub tangent: Option<Arc<Tangent>>,
    pub curvature: Curvature,
    /// How much handles give, as a part of the easiest row's S.
    pub give: f64,
}

/// Why iterations ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Settled,
    OutOfReach,
    Unfinished,
    Stalled,
}

/// How good an edit is.
#[derive(Clone, Debug)]
pub(super) struct Gap {
    /// R = target − W − e.
    pub residual: DVector<f64>,
    /// The largest part of R that the edit can change.
    pub reachable: f64,
    /// ‖u − P Jᵀ λ‖, λ = S⁺ J u.
    pub gradient: f64,
    /// ‖u‖.
    pub size: f64,
}

impl State {
    /// An edit about which nothing is known.
    pub fn at(edit: Vector) -> Self {
        Self { edit, tangent: None, curvature: Curvature::none(), give: 0.0 }
    }
}

impl Problem<'_> {
    /// Iterates until the tolerance is met.
    ///
    /// # Errors
    /// When the readout is not finite where the solution starts, or the caller cancels.
    pub fn solve(
        &self,
        state: &mut State,
        tolerance: Tolerance,
        iterations: usize,
        progress: &Progress,
    ) -> Result<(Ending, usize, Gap), SpacetimeError> {
        let mut nearest: Option<(f64, State)> = None;
        let mut is_plain = true;
        let mut count = 0;
        loop {
            progress.report("holding handles", count as f64 / (iterations + 1) as f64)?;
            let tangent = self.tangent(state)?;
            let gap = self.gap(state, &tangent);
            if self.is_settled(&gap, &tangent, tolerance) {
                return Ok((Ending::Settled, count, gap));
            }
            if count == iterations {
                return Ok((Ending::Unfinished, count, gap));
            }
            if is_plain {
                state.give = GIVE * (gap.residual.amax() / self.settings.size).min(1.0).powi(2);
            }
            let distance = gap.residual.amax();
            if nearest.as_ref().is_none_or(|(there, _)| distance < NEARER * there) {
                nearest = Some((distance, state.clone()));
            }
            let far = FAR * self.settings.size;
            let is_far = gap.reachable > far && nearest.as_ref().is_some_and(|(there, _)| *there > far);
            let is_hopeless =
                is_far && nearest.as_ref().is_some_and(|(_, there)| state.give < HOPELESS * there.give);
            is_plain = is_plain && self.advance_plainly(state, &tangent, &gap);
            if is_plain || (!is_hopeless && self.advance(state, &tangent, &gap, progress)?) {
                count += 1;
                continue;
            }
            if let Some((_, there)) = nearest.filter(|_| is_far) {
                *state = there;
                let tangent = self.tangent(state)?;
                let gap = self.gap(state, &tangent);
                return Ok((Ending::OutOfReach, count, gap));
            }
            return Ok((Ending::Stalled, count, gap));
        }
    }

    /// The linearization at the state, made once.
    pub fn tangent(&self, state: &mut State) -> Result<Arc<Tangent>, SpacetimeError> {
        if let Some(tangent) = &state.tangent {
            return Ok(tangent.clone());
        }
        let tangent = Arc::new(Tangent::new(self.layout, self.readout, &state.edit)?);
        state.tangent = Some(tangent.clone());
        Ok(tangent)
    }

    /// How far the state is from the solution.
    pub fn gap(&self, state: &State, tangent: &Tangent) -> Gap {
        let residual = self.residual(&tangent.value, &state.edit);
        let reachable = tangent.reachable(&residual).amax();
        let multipliers = tangent.inverse(&tangent.reads(&state.edit.primal));
        let mut rest = state.edit.clone();
        tangent.add_pulls(&mut rest, -1.0, &multipliers);
        let gradient = rest.dot(&rest).max(0.0).sqrt();
        let size = state.edit.dot(&state.edit).max(0.0).sqrt();
        Gap { residual, reachable, gradient, size }
    }

    fn is_settled(&self, gap: &Gap, tangent: &Tangent, tolerance: Tolerance) -> bool {
        let close = tolerance.position * self.settings.size;
        // What it costs to move the easiest handle by the tolerance: an edit as small as that need not be exact.
        let easiest = tangent.easiest();
        let floor = if easiest > 0.0 { close / easiest.sqrt() } else { 0.0 };
        gap.reachable <= close && gap.gradient <= tolerance.stationarity * gap.size.max(floor)
    }

    /// target − W − e, row by row.
    fn residual(&self, value: &[f64], edit: &Vector) -> DVector<f64> {
        let mut residual = DVector::zeros(self.layout.rows);
        for held in &self.layout.held {
            for (local, (_, target)) in held.grip.rows().enumerate() {
                let row = held.rows.start + local;
                let error = held.soft.map_or(0.0, |soft| edit.primal[self.layout.tail(soft + local)]);
                residual[row] = held.unit * target - value[row] - error;
            }
        }
        residual
    }

    /// R of an edit; none where the readout is not finite.
    pub fn read(&self, edit: &Vector) -> Option<DVector<f64>> {
        let value = values(self.layout, self.readout, &edit.primal).ok()?;
        Some(self.residual(&value, edit))
    }

    /// An iteration in which handles give nothing: all that is needed where the body hardly turns. False, and nothing
    /// done, if it does.
    fn advance_plainly(&self, state: &mut State, tangent: &Tangent, gap: &Gap) -> bool {
        let direction = self.direction(state, tangent, gap, 0.0);
        match self.attempt(state, tangent, gap, &direction, 1.0) {
            Verdict::Good(found) if found.turn < LITTLE => {
                self.learn(state, tangent, *found);
                true
            }
            _ => false,
        }
    }

    /// An iteration in which handles give; false if no step brings the state nearer.
    fn advance(
        &self,
        state: &mut State,
        tangent: &Tangent,
        gap: &Gap,
        progress: &Progress,
    ) -> Result<bool, SpacetimeError> {
        let mut direction = self.direction(state, tangent, gap, state.give);
        let mut s = direction.longest;
        for attempt in 0..ATTEMPTS {
            progress.check()?;
            match self.attempt(state, tangent, gap, &direction, s) {
                Verdict::Good(found) => {
                    state.give *= less_give(found.turn, s);
                    self.learn(state, tangent, *found);
                    return Ok(true);
                }
                Verdict::Turned(part) => s *= part,
                Verdict::Worse => s *= 0.5,
            }
            if attempt == ATTEMPTS / 2 && !state.curvature.is_none() {
                // What was learnt elsewhere misleads here.
                state.curvature = Curvature::none();
                direction = self.direction(state, tangent, gap, state.give);
                s = direction.longest;
            }
        }
        Ok(false)
    }

    /// Accepts an edit and learns from the way there: y = K⁻¹(u' − u) − (J' − J)ᵀ λ'.
    fn learn(&self, state: &mut State, tangent: &Tangent, found: Found) {
        let Found { edit, tangent: next, .. } = found;
        let mut step = edit.clone();
        step.add(-1.0, &state.edit);
        let multipliers = next.inverse(&next.reads(&edit.primal));
        let mut change = step.clone();
        next.add_pulls(&mut change, -1.0, &multipliers);
        tangent.add_pulls(&mut change, 1.0, &multipliers);
        state.curvature.push(step, change);
        state.edit = edit;
        state.tangent = Some(Arc::new(next));
    }
}

/// Handles give less as steps become nearly linear; while they are not, the edit is still finding its way.
fn less_give(turn: f64, s: f64) -> f64 {
    if turn < LITTLE && s > 0.9 {
        0.1
    } else if turn < 2.0 * LITTLE && s > 0.3 {
        0.3
    } else {
        1.0
    }
}
