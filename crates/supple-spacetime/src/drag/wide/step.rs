//! One step over many frames: where to, how far, and whether it was worth it; compare `crate::sqp::direction`.

use super::conjugate;
use super::conjugate::Inverse;
use super::precondition::{Bent, Preconditioner};
use super::rows::Rows;
use super::{ATTEMPTS, ENOUGH, FORCING, Here, LINEAR, Wide};
use crate::error::SpacetimeError;
use crate::sqp::{GIVE, State, Vector, largest, less_give};
use nalgebra::{DMatrix, DVector};

/// The farthest that a handle moves in one step, of the body's size.
const LONGEST: f64 = 0.25;
/// The most that J may change in one step, ‖J' − J‖/‖J‖.
const TURN: f64 = 0.7;
/// Corrections of what curves away along a step.
const CORRECTIONS: usize = 2;
/// A correction must bring the residual below this part,
const CORRECTED: f64 = 0.7;
/// is not worth it where no more than this part of the gap curved away,
const LEFT: f64 = 0.05;
/// and takes at most so many iterations.
const CORRECTING: usize = 40;
/// A step that brings the farthest handle below this part of its way is good.
const NEARER: f64 = 0.5;
/// Residuals below this part of the size do not decide on a step.
pub(super) const SMALL: f64 = 1e-5;

/// A direction and what is needed to judge steps along it.
pub(super) struct Step {
    d: Vector,
    /// J d.
    way: DVector<f64>,
    multipliers: DVector<f64>,
    merit: Merit,
    longest: f64,
    /// Whether the linear system was solved, in part at least.
    pub is_found: bool,
}

impl Step {
    /// The most that any row is moved; none where no way was found at all.
    pub fn reachable(&self) -> Option<f64> {
        self.is_found.then(|| largest(&self.way))
    }
}

/// Where a step led.
pub(super) struct Found {
    edit: Vector,
    rows: Rows,
    residual: DVector<f64>,
    multipliers: DVector<f64>,
    /// How much J changed.
    pub turn: f64,
    /// The part of the body's turn that was too much; none if the step is good.
    shorten: Option<f64>,
}

/// What a step must lower, beside E.
enum Merit {
    /// ν √(Rᵀ S̃⁻¹ R).
    Exact(f64),
    /// w‖R‖².
    Quadratic(f64),
}

impl Wide<'_> {
    /// The direction of the next step, with handles that give `mu`.
    pub(super) fn step(
        &self,
        state: &State,
        here: &Here,
        preconditioner: &Preconditioner,
        mu: f64,
    ) -> Result<Step, SpacetimeError> {
        let (layout, curvature) = (self.layout(), &state.curvature);
        let basis = curvature.basis();
        let mut along = DMatrix::zeros(here.residual.len(), basis.len());
        for (i, b) in basis.iter().enumerate() {
            along.column_mut(i).copy_from(&here.rows.reads(&b.primal));
        }
        let seen = curvature.reads(&here.edit);
        let read = here.rows.reads(&here.edit.primal);
        let wanted = &here.residual + &read + &along * (&curvature.N * &seen);
        let A = |x: &DVector<f64>| {
            let bent = &along * (&curvature.N * along.tr_mul(x));
            self.product(&here.rows, preconditioner, x) + bent + x * mu
        };
        let missing = largest(&preconditioner.kept(&here.residual));
        let enough = (FORCING * missing).max(ENOUGH * self.close(&here.residual, preconditioner));
        let start = here.multipliers.clone();
        let bent = Bent::new(preconditioner, &along, &curvature.N);
        let inverse: &dyn Inverse = match &bent {
            Some(bent) if !basis.is_empty() => bent,
            _ => preconditioner,
        };
        let mut solved = conjugate::solve(&A, inverse, &wanted, start, (enough, LINEAR), self.progress)?;
        if largest(&preconditioner.kept(&solved.left)) > enough && !basis.is_empty() {
            // What was learnt may be wrong enough to mislead the preconditioner.
            let start = solved.eta;
            solved = conjugate::solve(&A, preconditioner, &wanted, start, (enough, LINEAR), self.progress)?;
        }
        let factors = &curvature.N * (along.tr_mul(&solved.eta) - &seen);
        let mut d = layout.vector(here.rows.pulls(layout, &solved.eta));
        d.add(-1.0, &here.edit);
        for (b, factor) in basis.iter().zip(factors.iter()) {
            d.add(*factor, b);
        }
        let way = here.rows.reads(&d.primal);
        let longest = (LONGEST * self.problem.size / largest(&way)).min(1.0);
        let merit = merit(here, preconditioner, &d, &way, mu);
        let is_found = largest(&preconditioner.kept(&solved.left)) < NEARER * missing.max(enough);
        Ok(Step { d, way, multipliers: solved.eta, merit, longest, is_found })
    }

    /// Goes the part `s` of a direction; none if that leads no nearer.
    pub(super) fn attempt(
        &self,
        here: &Here,
        step: &Step,
        preconditioner: &Preconditioner,
        s: f64,
    ) -> Result<Option<Found>, SpacetimeError> {
        let mut edit = here.edit.clone();
        edit.add(s, &step.d);
        let Some(mut residual) = self.problem.missing(&edit) else { return Ok(None) };
        let mut missed = &residual - &here.residual + &step.way * s;
        let mut multipliers = step.multipliers.clone();
        let close = ENOUGH * self.close(&residual, preconditioner);
        for _ in 0..CORRECTIONS {
            let size = largest(&preconditioner.kept(&missed));
            if size <= close.max(LEFT * largest(&preconditioner.kept(&here.residual))) {
                break;
            }
            let enough = ((0.1 * size).max(close), CORRECTING);
            let start = DVector::zeros(missed.len());
            let pulls = self.solved(here, preconditioner, &missed, start, enough)?.eta;
            let mut nearer = edit.clone();
            nearer.add(1.0, &self.layout().vector(here.rows.pulls(self.layout(), &pulls)));
            let Some(found) = self.problem.missing(&nearer) else { break };
            let still = &found - &here.residual + &step.way * s;
            if preconditioner.cost(&still) > CORRECTED * preconditioner.cost(&missed) {
                break;
            }
            multipliers += pulls;
            (edit, residual, missed) = (nearer, found, still);
        }
        if !self.is_nearer(here, step, preconditioner, (&edit, &residual)) {
            return Ok(None);
        }
        let Ok(rows) = Rows::at(self.layout(), self.problem.readout, &edit.primal) else { return Ok(None) };
        let turn = here.rows.turn(&rows, self.layout(), &self.variances);
        let shorten = (turn > TURN).then(|| (0.8 * TURN / turn).clamp(0.1, 0.5));
        Ok(Some(Found { edit, rows, residual, multipliers, turn, shorten }))
    }

    /// Whether an edit is better than the one here.
    fn is_nearer(
        &self,
        here: &Here,
        step: &Step,
        preconditioner: &Preconditioner,
        (edit, residual): (&Vector, &DVector<f64>),
    ) -> bool {
        let far = |residual: &DVector<f64>| largest(&preconditioner.kept(residual));
        let (before, after) = (far(&here.residual), far(residual));
        if before.max(after) <= SMALL * self.problem.size {
            return true;
        }
        let merit = |edit: &Vector, residual: &DVector<f64>| step.merit.of(preconditioner, edit, residual);
        // NaN is not better.
        match step.merit {
            // What a linear system solved in part leaves over is dear, though no one sees it.
            Merit::Exact(_) if after < NEARER * before => true,
            _ => merit(edit, residual) < merit(&here.edit, &here.residual),
        }
    }

    /// An iteration in which handles give; none if no step leads nearer.
    pub(super) fn advance(&self, state: &mut State, here: &Here) -> Result<Option<Found>, SpacetimeError> {
        let mu = state.give * self.easiest(&here.rows);
        let preconditioner = &Preconditioner::new(self.layout(), &here.rows, mu);
        let mut step = self.step(state, here, preconditioner, mu)?;
        let mut s = step.longest;
        for attempt in 0..ATTEMPTS {
            match self.attempt(here, &step, preconditioner, s)? {
                Some(Found { shorten: Some(part), .. }) => s *= part,
                Some(found) => {
                    state.give = (state.give * less_give(found.turn, s)).min(GIVE.max(state.give));
                    return Ok(Some(found));
                }
                None => s *= 0.5,
            }
            if attempt == ATTEMPTS / 2 && !state.curvature.is_none() {
                // What was learnt elsewhere misleads here.
                state.curvature.forget();
                step = self.step(state, here, preconditioner, mu)?;
                s = step.longest;
            }
        }
        Ok(None)
    }

    /// Accepts an edit and learns from the way there: y = K⁻¹(u' − u) − (J' − J)ᵀ λ'.
    pub(super) fn learn(&self, state: &mut State, here: Here, found: Found) -> Here {
        let Found { edit, rows, residual, multipliers, .. } = found;
        let mut step = edit.clone();
        step.add(-1.0, &here.edit);
        let mut turned = here.rows.pulls(self.layout(), &multipliers);
        let after = rows.pulls(self.layout(), &multipliers);
        turned.iter_mut().zip(&after).for_each(|(x, after)| *x -= after);
        let mut change = self.layout().vector(turned);
        change.add(1.0, &step);
        state.curvature.push(step, change);
        Here { edit, rows, residual, multipliers }
    }

    /// The largest S_aa, contacts left out.
    pub(super) fn easiest(&self, rows: &Rows) -> f64 {
        rows.easiest(self.layout(), &self.variances)
    }
}

/// The merit that a direction lowers.
fn merit(here: &Here, preconditioner: &Preconditioner, d: &Vector, way: &DVector<f64>, mu: f64) -> Merit {
    let (before, after) = (preconditioner.cost(&here.residual), preconditioner.cost(&(&here.residual - way)));
    if mu == 0.0 || after < 0.5 * before {
        let dearer = here.edit.dot(d) + 0.5 * d.dot(d);
        let size = d.dot(d).max(0.0).sqrt() + here.edit.dot(&here.edit).max(0.0).sqrt();
        let least = if before > after { dearer.max(0.0) / (before - after) } else { 0.0 };
        Merit::Exact(2.0 * size.max(least))
    } else {
        Merit::Quadratic(0.5 / mu)
    }
}

impl Merit {
    fn of(&self, preconditioner: &Preconditioner, edit: &Vector, residual: &DVector<f64>) -> f64 {
        let error = match self {
            Self::Exact(nu) => nu * preconditioner.cost(residual),
            Self::Quadratic(w) => w * preconditioner.kept(residual).norm_squared(),
        };
        0.5 * edit.dot(edit) + error
    }
}
