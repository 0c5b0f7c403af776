//! Sequential quadratic programming in the metric of the kernel; the pseudocode is in [`super`].

use super::curvature::Curvature;
use super::direction::{Found, Verdict};
use super::layout::Layout;
use super::reading;
use super::tangent::Tangent;
use super::tolerance::Tolerance;
use super::vector::Vector;
use crate::error::SpacetimeError;
use nalgebra::DVector;
use std::sync::Arc;
use supple_model::{Progress, Readout};

/// How much handles give at first when their targets are a body's size away, as a part of the easiest row's S.
pub(crate) const GIVE: f64 = 1e-2;
/// Handles farther than this part of the size may be out of reach;
pub(crate) const FAR: f64 = 1e-3;
/// they are, if they give this much less than when they last came nearer,
pub(crate) const HOPELESS: f64 = 1e-4;
/// by at least this factor; or if so many iterations brought nothing nearer.
pub(crate) const NEARER: f64 = 0.9;
const PATIENCE: usize = 25;
/// Steps that turn the body by less than this are as good as linear.
pub(crate) const LITTLE: f64 = 0.2;
/// Steps shorter than this are those of handles that give too little.
const SHORT: f64 = 0.2;
/// Tries of one iteration; what was learnt is forgotten after half of them.
const ATTEMPTS: usize = 16;

/// What is solved.
#[derive(Clone, Copy)]
pub(crate) struct Problem<'a> {
    pub layout: &'a Layout,
    pub readout: &'a dyn Readout,
    /// L, the size of the body, in the unit of its positions: the unit of tolerances and of steps.
    pub size: f64,
}

/// Where the solution is.
#[derive(Clone, Debug)]
pub(crate) struct State {
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
pub(crate) enum Ending {
    Settled,
    OutOfReach,
    Unfinished,
    Stalled,
    Stopped,
}

/// What iterations led to.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    pub ending: Ending,
    pub iterations: usize,
    pub gap: Gap,
}

/// How good an edit is.
#[derive(Clone, Debug)]
pub(crate) struct Gap {
    /// R = target − W − e.
    pub residual: DVector<f64>,
    /// The largest part of R that the edit can change.
    pub reachable: f64,
    /// ‖u − P Jᵀ λ‖, λ = S⁺ J u.
    pub gradient: f64,
    /// ‖u‖.
    pub size: f64,
}

/// The nearest edit so far.
struct Nearest {
    /// ‖R‖.
    distance: f64,
    /// The iteration it came from.
    count: usize,
    state: State,
}

impl Nearest {
    /// Remembers a state that is nearer, and not just a little.
    fn look(&mut self, state: &State, gap: &Gap, count: usize) {
        let distance = gap.residual.norm();
        if distance < NEARER * self.distance {
            *self = Self { distance, count, state: state.clone() };
        }
    }
}

impl State {
    /// An edit about which nothing is known.
    pub fn at(edit: Vector) -> Self {
        Self { edit, tangent: None, curvature: Curvature::none(), give: 0.0 }
    }
}

impl Problem<'_> {
    /// Iterates until the tolerance is met, or until it is stopped: after a first step, with the nearest edit so far.
    ///
    /// # Errors
    /// When the readout is not finite where the solution starts, or the caller cancels.
    pub fn solve(
        &self,
        state: &mut State,
        tolerance: Tolerance,
        iterations: usize,
        progress: &Progress,
    ) -> Result<Outcome, SpacetimeError> {
        let far = FAR * self.size;
        let mut nearest = Nearest { distance: f64::INFINITY, count: 0, state: state.clone() };
        let (mut is_plain, mut turn, mut count) = (true, 0.0, 0);
        let end = |ending, iterations, gap| Ok(Outcome { ending, iterations, gap });
        loop {
            progress.report("solving", count as f64 / (iterations + 1) as f64)?;
            let tangent = self.tangent(state)?;
            let gap = self.gap(state, &tangent);
            if self.is_settled(&gap, &tangent, tolerance) {
                return end(Ending::Settled, count, gap);
            }
            if count == iterations {
                return end(Ending::Unfinished, count, gap);
            }
            if is_plain {
                state.give = GIVE * (largest(&gap.residual) / self.size).min(1.0).powi(2);
            }
            nearest.look(state, &gap, count);
            if count > 0 && progress.is_stopped() {
                if nearest.distance < gap.residual.norm() {
                    *state = nearest.state;
                }
                let tangent = self.tangent(state)?;
                return end(Ending::Stopped, count, self.gap(state, &tangent));
            }
            let is_far = gap.reachable.min(nearest.distance) > far;
            let is_hopeless =
                is_far && (state.give < HOPELESS * nearest.state.give || count > nearest.count + PATIENCE);
            let plain = if turn < LITTLE { self.advance_plainly(state, &tangent, &gap) } else { None };
            is_plain = is_plain && plain.is_some();
            let taken = match plain {
                None if !is_hopeless => self.advance(state, &tangent, &gap, progress)?,
                taken => taken,
            };
            match taken {
                Some(taken) => turn = taken,
                None if is_far => {
                    *state = nearest.state;
                    let tangent = self.tangent(state)?;
                    return end(Ending::OutOfReach, count, self.gap(state, &tangent));
                }
                None => return end(Ending::Stalled, count, gap),
            }
            count += 1;
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
        let reachable = largest(&tangent.reachable(&residual));
        let multipliers = tangent.inverse(&tangent.reads(&state.edit.primal));
        let mut rest = state.edit.clone();
        tangent.add_pulls(&mut rest, -1.0, &multipliers);
        let gradient = rest.dot(&rest).max(0.0).sqrt();
        let size = state.edit.dot(&state.edit).max(0.0).sqrt();
        Gap { residual, reachable, gradient, size }
    }

    fn is_settled(&self, gap: &Gap, tangent: &Tangent, tolerance: Tolerance) -> bool {
        let close = tolerance.position * self.size;
        // What it costs to move the easiest handle by the tolerance: an edit as small as that need not be exact.
        let easiest = tangent.easiest();
        let floor = if easiest > 0.0 { close / easiest.sqrt() } else { 0.0 };
        gap.reachable <= close && gap.gradient <= tolerance.stationarity * gap.size.max(floor)
    }

    /// target − W − e, row by row.
    pub fn residual(&self, value: &[f64], edit: &Vector) -> DVector<f64> {
        self.layout.targets() - DVector::from_column_slice(value) - self.layout.errors(&edit.primal)
    }

    /// R at an edit; none where the readout is not finite.
    pub fn missing(&self, edit: &Vector) -> Option<DVector<f64>> {
        let value = reading::values(self.layout, self.readout, &edit.primal).ok()?;
        Some(self.residual(&value, edit))
    }

    /// An iteration in which handles give nothing: all that is needed where the body hardly turns. Nothing is done if
    /// it does. Answers how much it turned.
    fn advance_plainly(&self, state: &mut State, tangent: &Tangent, gap: &Gap) -> Option<f64> {
        let direction = self.direction(state, tangent, gap, 0.0);
        let probe = self.probe(state, tangent, &direction);
        match self.attempt(state, tangent, gap, (&direction, &probe), 1.0) {
            Verdict::Good(found) if found.turn < LITTLE => {
                let turn = found.turn;
                self.learn(state, tangent, *found);
                Some(turn)
            }
            _ => None,
        }
    }

    /// An iteration in which handles give; none if no step brings the state nearer. Answers how much the body turned.
    fn advance(
        &self,
        state: &mut State,
        tangent: &Tangent,
        gap: &Gap,
        progress: &Progress,
    ) -> Result<Option<f64>, SpacetimeError> {
        let mut direction = self.direction(state, tangent, gap, state.give);
        let mut probe = self.probe(state, tangent, &direction);
        let mut s = direction.longest;
        for attempt in 0..ATTEMPTS {
            progress.check()?;
            match self.attempt(state, tangent, gap, (&direction, &probe), s) {
                Verdict::Good(found) => {
                    let turn = found.turn;
                    state.give = (state.give * less_give(turn, s)).min(GIVE.max(state.give));
                    self.learn(state, tangent, *found);
                    return Ok(Some(turn));
                }
                Verdict::Turned(part) => s *= part,
                Verdict::Worse => s *= 0.5,
            }
            if attempt == ATTEMPTS / 2 && !state.curvature.is_none() {
                // What was learnt elsewhere misleads here.
                state.curvature = Curvature::none();
                direction = self.direction(state, tangent, gap, state.give);
                probe = self.probe(state, tangent, &direction);
                s = direction.longest;
            }
        }
        Ok(None)
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

/// The largest entry without its sign; 0 if there is none.
pub(crate) fn largest(x: &DVector<f64>) -> f64 {
    x.iter().fold(0.0, |largest, x| x.abs().max(largest))
}

/// Handles give less as steps become nearly linear; while they are not, the edit is still finding its way.
pub(crate) fn less_give(turn: f64, s: f64) -> f64 {
    if turn < LITTLE && s > 0.9 {
        0.1
    } else if turn < 2.0 * LITTLE && s > 0.3 {
        0.3
    } else if s < SHORT {
        3.0
    } else {
        1.0
    }
}
