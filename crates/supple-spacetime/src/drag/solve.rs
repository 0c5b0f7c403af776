//! Sequential quadratic programming in the metric of the kernel; the pseudocode is in [`super`].

use super::curvature::Curvature;
use super::layout::{Layout, Vector};
use super::settings::{DragSettings, Tolerance};
use super::tangent::{Tangent, values};
use crate::error::SpacetimeError;
use nalgebra::DVector;
use std::sync::Arc;
use supple_model::{Progress, Readout};

/// The farthest that a handle moves in one iteration, of the body's size.
const LONGEST: f64 = 0.25;
/// Corrections of what curves away along a step.
const CORRECTIONS: usize = 2;
/// A correction must bring the residual below this part.
const CORRECTED: f64 = 0.7;
/// Residuals below this part of the size do not decide on a step.
const SMALL: f64 = 1e-5;
/// How often a step is halved before it is given up.
const HALVINGS: usize = 12;

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
}

/// Why iterations ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Settled,
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

/// A direction and what its line search needs.
struct Direction {
    d: Vector,
    /// How far to go at most.
    longest: f64,
    /// ν.
    penalty: f64,
}

/// An edit that is tried, and R there.
struct Trial {
    edit: Vector,
    residual: DVector<f64>,
}

impl State {
    pub fn zero(layout: &Layout) -> Self {
        Self::at(Vector::zero(layout.length()))
    }

    pub fn at(edit: Vector) -> Self {
        Self { edit, tangent: None, curvature: Curvature::none() }
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
        for count in 0.. {
            progress.report("holding handles", count as f64 / (iterations + 1) as f64)?;
            let tangent = self.tangent(state)?;
            let gap = self.gap(state, &tangent);
            if self.is_settled(&gap, &tangent, tolerance) {
                return Ok((Ending::Settled, count, gap));
            }
            if count == iterations {
                return Ok((Ending::Unfinished, count, gap));
            }
            if !self.advance(state, &tangent, &gap, progress)? {
                return Ok((Ending::Stalled, count, gap));
            }
        }
        unreachable!("the count reaches the limit")
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
        let easiest = tangent.S.diagonal().max();
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

    /// One iteration; false if no step brings the state nearer.
    fn advance(
        &self,
        state: &mut State,
        tangent: &Arc<Tangent>,
        gap: &Gap,
        progress: &Progress,
    ) -> Result<bool, SpacetimeError> {
        loop {
            let direction = self.direction(state, tangent, gap);
            if let Some((edit, next)) = self.search(state, tangent, gap, &direction, progress)? {
                self.learn(state, tangent, edit, next);
                return Ok(true);
            }
            if state.curvature.is_none() {
                return Ok(false);
            }
            // What was learnt elsewhere misleads here.
            state.curvature = Curvature::none();
        }
    }

    /// d = argmin ⟨u,d⟩ + ½⟨d,Bd⟩ with J d = R, in the directions of Q.
    fn direction(&self, state: &State, tangent: &Tangent, gap: &Gap) -> Direction {
        let (curvature, Q) = (&state.curvature, &tangent.Q);
        let basis = curvature.basis();
        let q = gap.residual.len();
        // b against the rows of J, and b against u.
        let mut along = nalgebra::DMatrix::zeros(basis.len(), q);
        for (i, b) in basis.iter().enumerate() {
            along.row_mut(i).tr_copy_from(&tangent.reads(&b.primal));
        }
        let seen = curvature.reads(&state.edit);
        let read = tangent.reads(&state.edit.primal);
        let white = &along * Q.transpose();
        let k = Q.nrows();
        let A = nalgebra::DMatrix::identity(k, k) + white.transpose() * &curvature.N * &white;
        let wanted = Q * (&gap.residual + &read + along.tr_mul(&(&curvature.N * &seen)));
        let eta = A.cholesky().map_or_else(|| wanted.clone(), |A| A.solve(&wanted));
        let pulls = Q.tr_mul(&eta);
        let factors = &curvature.N * (&along * &pulls - &seen);
        let mut d = Vector::zero(state.edit.dual.len());
        d.add(-1.0, &state.edit);
        tangent.add_pulls(&mut d, 1.0, &pulls);
        for (b, factor) in basis.iter().zip(factors.iter()) {
            d.add(*factor, b);
        }
        let far = (&tangent.S * &pulls - &read + along.tr_mul(&factors)).amax();
        let longest = (LONGEST * self.settings.size / far).min(1.0);
        let plain = (Q * (&gap.residual + &read)).norm();
        Direction { d, longest, penalty: 2.0 * plain.max(eta.norm()) }
    }

    /// The first edit along a direction that lowers E + ν‖Q R‖.
    fn search(
        &self,
        state: &State,
        tangent: &Tangent,
        gap: &Gap,
        direction: &Direction,
        progress: &Progress,
    ) -> Result<Option<(Vector, Arc<Tangent>)>, SpacetimeError> {
        let merit = |edit: &Vector, residual: &DVector<f64>| {
            0.5 * edit.dot(edit) + direction.penalty * (&tangent.Q * residual).norm()
        };
        let now = merit(&state.edit, &gap.residual);
        let small = SMALL * self.settings.size;
        let mut s = direction.longest;
        for _ in 0..=HALVINGS {
            progress.check()?;
            if let Some(trial) = self.trial(state, tangent, gap, &direction.d, s) {
                let both_small = gap.reachable.max(tangent.reachable(&trial.residual).amax()) <= small;
                if (both_small || merit(&trial.edit, &trial.residual) < now)
                    && let Ok(next) = Tangent::new(self.layout, self.readout, &trial.edit)
                {
                    return Ok(Some((trial.edit, Arc::new(next))));
                }
            }
            s *= 0.5;
        }
        Ok(None)
    }

    /// u + s d, corrected for what curves away from the tangent; none where the readout is not finite.
    fn trial(&self, state: &State, tangent: &Tangent, gap: &Gap, d: &Vector, s: f64) -> Option<Trial> {
        let mut edit = state.edit.clone();
        edit.add(s, d);
        let mut residual = self.read(&edit)?;
        let missing = |residual: &DVector<f64>| residual - &gap.residual * (1.0 - s);
        let mut left = (&tangent.Q * missing(&residual)).norm();
        for _ in 0..CORRECTIONS {
            let missed = missing(&residual);
            if tangent.reachable(&missed).amax() <= 1e-10 * self.settings.size {
                break;
            }
            let mut corrected = edit.clone();
            tangent.add_pulls(&mut corrected, 1.0, &tangent.inverse(&missed));
            let Some(found) = self.read(&corrected) else { break };
            let size = (&tangent.Q * missing(&found)).norm();
            // NaN is not better.
            if size.partial_cmp(&(CORRECTED * left)) != Some(std::cmp::Ordering::Less) {
                break;
            }
            (edit, residual, left) = (corrected, found, size);
        }
        Some(Trial { edit, residual })
    }

    fn read(&self, edit: &Vector) -> Option<DVector<f64>> {
        let value = values(self.layout, self.readout, &edit.primal).ok()?;
        Some(self.residual(&value, edit))
    }

    /// Accepts an edit and learns from the way there: y = K⁻¹(u' − u) − (J' − J)ᵀ λ'.
    fn learn(&self, state: &mut State, tangent: &Tangent, edit: Vector, next: Arc<Tangent>) {
        let mut step = edit.clone();
        step.add(-1.0, &state.edit);
        let multipliers = next.inverse(&next.reads(&edit.primal));
        let mut change = step.clone();
        next.add_pulls(&mut change, -1.0, &multipliers);
        tangent.add_pulls(&mut change, 1.0, &multipliers);
        // Errors of soft rows enter W + e alike everywhere: J' − J is zero for them, and cancels up to round-off.
        state.curvature.push(step, change);
        state.edit = edit;
        state.tangent = Some(next);
    }
}
