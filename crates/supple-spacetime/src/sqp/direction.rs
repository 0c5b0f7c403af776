//! One step: where to, how far, and whether it was worth it.
//!
//! Far from their targets, hard handles must not be met at any price: where the body is stiff in the direction asked
//! for (along a straight beam, say), the shortest linear step is a wild one, and the edit ends folded at many times
//! the energy it needs. So handles give at first, by a compliance μ on the diagonal of S that later steps reduce to
//! nothing:
//!
//! > d = argmin ⟨u,d⟩ + ½⟨d,Bd⟩ + ‖R − Jd‖²/2μ: η = (J B⁻¹ Jᵀ + μ)⁻¹ (R + J B⁻¹ u), d = B⁻¹(Jᵀη − u)
//!
//! (Levenberg's damping, of the rows instead of the unknowns), in the coordinates of Q. It lowers E + ‖R‖²/2μ; if it
//! closes at least half of the gap it also lowers E + ν‖QR‖, ν large enough, which is exact and hence better close to
//! the solution. A step that turns the body too far, as J tells, is shortened.

use super::probe::{Look, Probe};
use super::solve::{Gap, Problem, State, largest};
use super::tangent::Tangent;
use super::vector::Vector;
use nalgebra::{DMatrix, DVector};

/// The farthest that a handle moves in one step, of the body's size.
const LONGEST: f64 = 0.25;
/// The most that J may change in one step, ‖J' − J‖/‖J‖.
const TURN: f64 = 0.7;
/// Corrections of what curves away along a step.
const CORRECTIONS: usize = 2;
/// A correction must bring the residual below this part.
const CORRECTED: f64 = 0.7;
/// Residuals below this part of the size need no correction.
const EXACT: f64 = 1e-10;
/// Residuals below this part of the size do not decide on a step.
const SMALL: f64 = 1e-5;

/// A direction and what is needed to judge steps along it.
pub(crate) struct Direction {
    d: Vector,
    /// J d.
    way: DVector<f64>,
    /// How far to go at most.
    pub longest: f64,
    /// (S + μ)⁺.
    inverse: DMatrix<f64>,
    merit: Merit,
}

/// What became of a step.
pub(crate) enum Verdict {
    /// It is nearer to the solution.
    Good(Box<Found>),
    /// The body turned too far; this part of the step should do.
    Turned(f64),
    /// It is not nearer.
    Worse,
}

/// Where a step led.
pub(crate) struct Found {
    pub edit: Vector,
    /// The linearization there.
    pub tangent: Tangent,
    /// How much J changed.
    pub turn: f64,
}

/// What a step must lower, beside E.
enum Merit {
    /// ν‖QR‖.
    Exact(f64),
    /// w‖R‖², of the part that can be changed.
    Quadratic(f64),
}

impl Problem<'_> {
    /// The direction of the next step, with handles that give `give` times the easiest row's S.
    pub fn direction(&self, state: &State, tangent: &Tangent, gap: &Gap, give: f64) -> Direction {
        let (curvature, Q) = (&state.curvature, &tangent.Q);
        let (k, q) = Q.shape();
        let basis = curvature.basis();
        // bᵀJᵀ, bᵀu and J u.
        let mut along = DMatrix::zeros(basis.len(), q);
        for (i, b) in basis.iter().enumerate() {
            along.row_mut(i).tr_copy_from(&tangent.reads(&b.primal));
        }
        let seen = curvature.reads(&state.edit);
        let read = tangent.reads(&state.edit.primal);
        let white = &along * Q.transpose();
        let mu = give * tangent.easiest();
        let plain = DMatrix::identity(k, k) + Q * Q.transpose() * mu;
        let A = &plain + white.transpose() * &curvature.N * &white;
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
        let way = &tangent.S * &pulls - &read + along.tr_mul(&factors);
        let longest = (LONGEST * self.size / largest(&way)).min(1.0);
        let inverse = plain.cholesky().map_or_else(|| DMatrix::zeros(q, q), |A| Q.tr_mul(&A.solve(Q)));
        let (missing, closed) = (Q * &gap.residual, Q * &way);
        let share = missing.dot(&closed);
        let merit = if mu == 0.0 || share >= 0.5 * missing.norm_squared() {
            let linear = (Q * (&gap.residual + &read)).norm();
            let least = if share > 0.0 { pulls.dot(&way) * missing.norm() / share } else { 0.0 };
            Merit::Exact(2.0 * linear.max(eta.norm()).max(least))
        } else {
            Merit::Quadratic(0.5 / mu)
        };
        Direction { d, way, longest, inverse, merit }
    }

    /// A direction, ready to be looked along.
    pub fn probe(&self, state: &State, tangent: &Tangent, direction: &Direction) -> Probe<'_> {
        Probe::new(self.layout, self.readout, &state.edit, &direction.d, tangent)
    }

    /// Goes the part `s` of a direction, looking along `probe`.
    pub fn attempt(
        &self,
        state: &State,
        tangent: &Tangent,
        gap: &Gap,
        (direction, probe): (&Direction, &Probe<'_>),
        s: f64,
    ) -> Verdict {
        let Some((look, edit, residual)) = self.corrected(state, tangent, gap, (direction, probe), s) else {
            return Verdict::Worse;
        };
        let left = largest(&tangent.reachable(&residual));
        let is_small = gap.reachable.max(left) <= SMALL * self.size;
        let merit = |edit: &Vector, residual: &DVector<f64>| direction.merit(tangent, edit, residual);
        // NaN is not better.
        if !is_small && merit(&edit, &residual) >= merit(&state.edit, &gap.residual) {
            return Verdict::Worse;
        }
        let Ok(reading) = probe.linearized(&look, &edit) else {
            return Verdict::Worse;
        };
        let next = Tangent::of(self.layout, reading);
        let turn = tangent.turn(&next, self.layout);
        if turn > TURN {
            Verdict::Turned((0.8 * TURN / turn).clamp(0.1, 0.5))
        } else {
            Verdict::Good(Box::new(Found { edit, tangent: next, turn }))
        }
    }

    /// u + s d and R there, corrected for what curves away from the tangent; none where the readout is not finite.
    fn corrected(
        &self,
        state: &State,
        tangent: &Tangent,
        gap: &Gap,
        (direction, probe): (&Direction, &Probe<'_>),
        s: f64,
    ) -> Option<(Look, Vector, DVector<f64>)> {
        let read = |look: &Look, edit: &Vector| {
            let value = probe.values(look, edit).ok()?;
            Some(self.residual(&value, edit))
        };
        let mut look = Look { s, eta: DVector::zeros(self.layout.rows) };
        let mut edit = state.edit.clone();
        edit.add(s, &direction.d);
        let mut residual = read(&look, &edit)?;
        // What is left of the gap, had nothing curved away.
        let mut missed = &residual - &gap.residual + &direction.way * s;
        for _ in 0..CORRECTIONS {
            if largest(&tangent.reachable(&missed)) <= EXACT * self.size {
                break;
            }
            let pulls = &direction.inverse * &missed;
            let farther = Look { s, eta: &look.eta + &pulls };
            let mut nearer = edit.clone();
            tangent.add_pulls(&mut nearer, 1.0, &pulls);
            let Some(found) = read(&farther, &nearer) else { break };
            let still = &found - &gap.residual + &direction.way * s;
            if (&tangent.Q * &still).norm() > CORRECTED * (&tangent.Q * &missed).norm() {
                break;
            }
            (look, edit, residual, missed) = (farther, nearer, found, still);
        }
        Some((look, edit, residual))
    }
}

impl Direction {
    fn merit(&self, tangent: &Tangent, edit: &Vector, residual: &DVector<f64>) -> f64 {
        let error = match self.merit {
            Merit::Exact(nu) => nu * (&tangent.Q * residual).norm(),
            Merit::Quadratic(w) => w * tangent.reachable(residual).norm_squared(),
        };
        0.5 * edit.dot(edit) + error
    }
}
