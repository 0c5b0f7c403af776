//! Newton's method with a line search, for everything that is a minimum: a time step, a pose, a fit.
//!
//! Φ(u) is to be minimal over the free vertices, g = ∂Φ/∂u, H = ∂²Φ/∂u²:
//!
//! ```text
//! repeat until |g| is small:
//!   solve (H + τ S) d = −g, the least τ ≥ 0 tried that makes the matrix positive definite
//!   halve s, from 1 or the longest step allowed, until Φ(u + s d) ≤ Φ(u) + 10⁻⁴ s gᵀd
//!   u ← u + s d
//! ```
//!
//! H + τS positive definite makes d a direction of descent, so Φ falls in every iteration. A matrix that is
//! positive definite by rounding alone may lead too far for the line search; then τ grows too. Near the
//! minimum the change of Φ drowns in the rounding of Φ itself; there the full step is taken as long as |g|
//! falls.
//!
//! With a [`Gauge`] the minimum is sought among displacements that do not move the body rigidly, and |g|
//! leaves out what only pushes or turns it.

mod factored;
mod gauge;
mod objective;
mod outcome;
pub(crate) mod rigid;

pub(crate) use factored::{Factored, Indefinite, Shift, Shifted, laplacian};
pub(crate) use gauge::Gauge;
pub(crate) use objective::{Objective, Value};
pub use outcome::Status;
pub(crate) use outcome::{Limits, Outcome};
pub(crate) use rigid::rigid_gauge;

use crate::FreeVertices;
use factored::{FIRST_SHIFT, LAST_SHIFT, SHIFT_FACTOR};
use std::sync::Arc;
use supple_mesh::Vec3;
use supple_model::{Cancelled, Progress};
use supple_numerics::sparse::{BlockMatrix, FactorError, Symbolic};

/// The part of the first-order decrease that a step has to bring.
pub(crate) const SUFFICIENT: f64 = 1e-4;
/// Halvings before a line search gives up.
const HALVINGS: usize = 40;
/// Changes of Φ below this part of its terms are rounding.
pub(crate) const ROUNDING: f64 = 1e-13;
/// τ, in units of the mean diagonal, and its growth when a line search fails: each costs many evaluations.
const SEARCH_SHIFT: f64 = 1e-3;
const SEARCH_FACTOR: f64 = 512.0;

/// Iterations before a τ that had to grow may shrink, where S is a Laplacian: an identity holds everything
/// back while it stays.
const STAYS: usize = 3;

/// The minimiser: a factorization that keeps its symbolic part, and room.
#[derive(Debug)]
pub(crate) struct Newton {
    free: FreeVertices,
    symbolic: Arc<Symbolic>,
    factored: Factored,
    gauge: Option<Arc<Gauge>>,
    /// S; the identity when there is none.
    by: Option<Arc<Shift>>,
    hessian: BlockMatrix,
    /// τ over the mean diagonal of H, as the last iteration needed it, and for how many iterations it stays:
    /// one that proves too small costs a factorization.
    shift: f64,
    stays: usize,
    gradient: Vec<f64>,
    step: Vec<f64>,
    start: Vec<f64>,
}

impl Newton {
    /// A minimiser over the vertices of `free` for Hessians on the pattern of `hessian`; `positions` are
    /// those of all vertices and guide the elimination.
    ///
    /// # Errors
    /// [`FactorError::TooLarge`].
    pub fn new(free: FreeVertices, hessian: BlockMatrix, positions: &[Vec3]) -> Result<Self, FactorError> {
        let places: Vec<[f64; 3]> = free.vertices().iter().map(|v| positions[v.index()].into()).collect();
        let symbolic = Arc::new(Symbolic::new(hessian.pattern(), Some(&places))?);
        let room = vec![0.0; hessian.dim()];
        Ok(Self {
            free,
            factored: Factored::new(symbolic.clone()),
            symbolic,
            gauge: None,
            by: None,
            hessian,
            shift: 0.0,
            stays: 0,
            gradient: room.clone(),
            step: room.clone(),
            start: room,
        })
    }

    /// Takes the rigid motions of `gauge` out of every step.
    pub fn set_gauge(&mut self, gauge: Option<Arc<Gauge>>) {
        self.gauge = gauge;
    }

    /// Shifts H by this where it is not positive definite.
    pub fn set_shift(&mut self, by: Arc<Shift>) {
        self.by = Some(by);
    }

    /// The vertices that move.
    pub fn free(&self) -> &FreeVertices {
        &self.free
    }

    /// The elimination order, for other factors on the same pattern.
    pub fn symbolic(&self) -> &Arc<Symbolic> {
        &self.symbolic
    }

    /// Minimises Φ from `u`, which becomes the best point found.
    ///
    /// # Errors
    /// [`Cancelled`], with `u` somewhere on the way.
    pub fn minimise(
        &mut self,
        objective: &mut dyn Objective,
        u: &mut [f64],
        limits: Limits,
        progress: &Progress,
    ) -> Result<Outcome, Cancelled> {
        let value = objective.value(u);
        let residual = self.evaluate_gradient(objective, u);
        let mut outcome = Outcome {
            status: Status::Unfinished,
            iterations: 0,
            factorizations: 0,
            shifted: false,
            residual,
            values: vec![value.sum],
        };
        let mut value = value;
        while outcome.iterations < limits.iterations && outcome.residual > limits.gradient {
            progress.check()?;
            match self.iterate(objective, u, value, &mut outcome) {
                Ok(next) => value = next,
                Err(status) => {
                    outcome.status = status;
                    return Ok(outcome);
                }
            }
        }
        if !(outcome.residual.is_finite() && value.sum.is_finite()) {
            outcome.status = Status::Diverged;
        } else if outcome.residual <= limits.gradient {
            outcome.status = Status::Converged;
        }
        Ok(outcome)
    }

    /// One iteration from `u`, where Φ is `value`: Φ after it, or how it ended.
    fn iterate(
        &mut self,
        objective: &mut dyn Objective,
        u: &mut [f64],
        value: Value,
        outcome: &mut Outcome,
    ) -> Result<Value, Status> {
        if !(outcome.residual.is_finite() && value.sum.is_finite()) {
            return Err(Status::Diverged);
        }
        outcome.iterations += 1;
        let next = self.advance(objective, u, value, outcome).ok_or(Status::Diverged)?;
        outcome.shifted |= self.shift > 0.0;
        let residual = self.evaluate_gradient(objective, u);
        let fell = value.sum - next.sum > ROUNDING * next.size;
        if !fell && residual >= outcome.residual {
            // Φ cannot tell the two apart; keep the one with the smaller gradient.
            self.free.scatter(&self.start, u);
            return Err(Status::Rounding);
        }
        outcome.residual = residual;
        outcome.values.push(next.sum);
        if objective.runs_away(u, outcome.shifted) {
            return Err(Status::Diverged);
        }
        Ok(next)
    }

    /// g at `u`, without what only moves the body rigidly; its norm.
    fn evaluate_gradient(&mut self, objective: &mut dyn Objective, u: &[f64]) -> f64 {
        objective.gradient(u, &mut self.gradient);
        if let Some(gauge) = &self.gauge {
            gauge.project(&mut self.gradient);
        }
        norm(&self.gradient)
    }

    /// One step of the method: moves `u` and returns Φ there, `None` when no τ helps.
    fn advance(
        &mut self,
        objective: &mut dyn Objective,
        u: &mut [f64],
        value: Value,
        outcome: &mut Outcome,
    ) -> Option<Value> {
        objective.hessian(u, &mut self.hessian);
        let (gauge, by) = (self.gauge.clone(), self.by.clone());
        let mut shifted = Shifted::new(&mut self.hessian, gauge.as_deref(), by.as_deref());
        if self.stays > 0 {
            self.stays -= 1;
        } else {
            self.shift = if self.shift > FIRST_SHIFT { self.shift / SHIFT_FACTOR } else { 0.0 };
        }
        while self.shift <= LAST_SHIFT {
            let (matrix, factored) = (&mut self.hessian, &mut self.factored);
            let Some(tried) = shifted.factor(matrix, factored, &mut self.shift) else {
                break;
            };
            outcome.factorizations += tried;
            self.stays = if tried > 1 && by.is_some() { STAYS } else { self.stays };
            let found = match self.slope() {
                Some(slope) => self.search(objective, u, value, slope),
                None => None,
            };
            if found.is_some() {
                return found;
            }
            self.shift = (self.shift * SEARCH_FACTOR).max(SEARCH_SHIFT);
        }
        (self.shift, self.stays) = (0.0, 0);
        None
    }

    /// Solves for the step d; gᵀd, or `None` when d does not lead down.
    fn slope(&mut self) -> Option<f64> {
        for (d, g) in self.step.iter_mut().zip(&self.gradient) {
            *d = -g;
        }
        if !self.factored.solve(self.gauge.as_deref(), &mut self.step) {
            return None;
        }
        let slope: f64 = self.step.iter().zip(&self.gradient).map(|(d, g)| d * g).sum();
        (slope.is_finite() && slope < 0.0).then_some(slope)
    }

    /// Moves `u` along the step until Φ has fallen enough, and returns Φ there; `None` when it never does.
    fn search(
        &mut self,
        objective: &mut dyn Objective,
        u: &mut [f64],
        value: Value,
        slope: f64,
    ) -> Option<Value> {
        self.free.gather(u, &mut self.start);
        let longest = self.step.iter().fold(0.0_f64, |m, d| m.max(d.abs()));
        let mut s = (objective.longest_step() / longest).min(1.0);
        for _ in 0..HALVINGS {
            for (k, v) in self.free.vertices().iter().enumerate() {
                for c in 0..3 {
                    u[3 * v.index() + c] = self.start[3 * k + c] + s * self.step[3 * k + c];
                }
            }
            let next = objective.value(u);
            let rounding = ROUNDING * value.size.max(next.size);
            // Written so that a value that is no number is refused.
            if next.sum <= value.sum + SUFFICIENT * s * slope + rounding {
                return Some(next);
            }
            s *= 0.5;
        }
        self.free.scatter(&self.start, u);
        None
    }
}

#[cfg(test)]
mod tests;

/// The Euclidean norm, summed in a fixed order.
pub(crate) fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}
