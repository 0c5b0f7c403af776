//! Newton's method with a line search, for everything that is a minimum: a time step, a pose, a fit.
//!
//! Φ(u) is to be minimal over the free vertices, g = ∂Φ/∂u, H = ∂²Φ/∂u²:
//!
//! ```text
//! repeat until |g| is small:
//!   solve (H + τ I) d = −g, the least τ ≥ 0 tried that makes the matrix positive definite
//!   halve s, from 1, until Φ(u + s d) ≤ Φ(u) + 10⁻⁴ s gᵀd
//!   u ← u + s d
//! ```
//!
//! H + τI positive definite makes d a direction of descent, so the line search always ends, and Φ falls
//! in every iteration. Near the minimum the change of Φ drowns in the rounding of Φ itself; there the full
//! step is taken as long as |g| falls.

use crate::FreeVertices;
use std::sync::Arc;
use supple_mesh::Vec3;
use supple_model::{Cancelled, Progress};
use supple_numerics::sparse::{BlockMatrix, Cholesky, FactorError, Symbolic};

/// The part of the first-order decrease that a step has to bring.
const SUFFICIENT: f64 = 1e-4;
/// Halvings before a line search gives up.
const HALVINGS: usize = 40;
/// Changes of Φ below this part of its terms are rounding.
const ROUNDING: f64 = 1e-13;
/// The first τ tried, and the least kept for the next iteration, as a part of the mean diagonal of H.
const FIRST_SHIFT: f64 = 1e-6;
/// How fast τ grows and shrinks.
const SHIFT_FACTOR: f64 = 8.0;

/// What is minimised. Displacements are full vectors (anchored vertices hold what they are told),
/// gradient and Hessian are over the free vertices.
pub(crate) trait Objective {
    /// Φ(u), and the sum of the sizes of its terms, which bounds its rounding.
    fn value(&mut self, u: &[f64]) -> Value;

    /// Overwrites `gradient` with ∂Φ/∂u.
    fn gradient(&mut self, u: &[f64], gradient: &mut [f64]);

    /// Overwrites `hessian` with ∂²Φ/∂u², or something near that is more often positive definite.
    fn hessian(&mut self, u: &[f64], hessian: &mut BlockMatrix);
}

/// A sum, and how large its terms are.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Value {
    pub sum: f64,
    pub size: f64,
}

impl Value {
    /// The sum of these terms.
    pub fn of(terms: &[f64]) -> Self {
        Self { sum: terms.iter().sum(), size: terms.iter().map(|t| t.abs()).sum() }
    }
}

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The Euclidean norm of the gradient that counts as none.
    pub gradient: f64,
    /// Iterations at most.
    pub iterations: usize,
}

/// How a minimisation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The residual is as small as was asked for.
    Converged,
    /// It is not, but rounding keeps it from falling further.
    Rounding,
    /// The iterations were used up.
    Unfinished,
    /// No step brings it down, or it is no number.
    Diverged,
}

impl Status {
    /// Whether the result can be relied on: converged, or as far as rounding allows.
    #[must_use]
    pub fn is_solved(self) -> bool {
        matches!(self, Self::Converged | Self::Rounding)
    }
}

/// What a minimisation did.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    pub status: Status,
    /// Iterations, each of which factored H at least once.
    pub iterations: usize,
    pub factorizations: usize,
    /// The norm of the gradient at the end.
    pub residual: f64,
    /// Φ before the first iteration and after each.
    pub values: Vec<f64>,
}

/// The minimiser: a factorization that keeps its symbolic part, and room.
#[derive(Debug)]
pub(crate) struct Newton {
    free: FreeVertices,
    symbolic: Arc<Symbolic>,
    factor: Option<Cholesky>,
    hessian: BlockMatrix,
    /// τ over the mean diagonal of H, as the last iteration needed it.
    shift: f64,
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
            symbolic,
            factor: None,
            hessian,
            shift: 0.0,
            gradient: room.clone(),
            step: room.clone(),
            start: room,
        })
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
        let mut value = objective.value(u);
        objective.gradient(u, &mut self.gradient);
        let mut residual = norm(&self.gradient);
        let mut outcome = Outcome {
            status: Status::Unfinished,
            iterations: 0,
            factorizations: 0,
            residual,
            values: vec![value.sum],
        };
        while outcome.iterations < limits.iterations {
            progress.check()?;
            if residual <= limits.gradient {
                outcome.status = Status::Converged;
                break;
            }
            if !(residual.is_finite() && value.sum.is_finite()) {
                outcome.status = Status::Diverged;
                break;
            }
            outcome.iterations += 1;
            let before = residual;
            let advanced = match self.direction(objective, u, &mut outcome) {
                Some(slope) => self.search(objective, u, value, slope),
                None => None,
            };
            let Some(next) = advanced else {
                outcome.status = Status::Diverged;
                break;
            };
            objective.gradient(u, &mut self.gradient);
            residual = norm(&self.gradient);
            let fell = value.sum - next.sum > ROUNDING * next.size;
            if !fell && residual >= before {
                // Φ cannot tell the two apart; keep the one with the smaller gradient.
                self.free.scatter(&self.start, u);
                objective.gradient(u, &mut self.gradient);
                residual = norm(&self.gradient);
                outcome.status = Status::Rounding;
                break;
            }
            value = next;
            outcome.values.push(value.sum);
        }
        if residual <= limits.gradient {
            outcome.status = Status::Converged;
        }
        outcome.residual = residual;
        Ok(outcome)
    }

    /// Solves (H + τI) d = −g; gᵀd, or `None` when no τ helps.
    fn direction(&mut self, objective: &mut dyn Objective, u: &[f64], outcome: &mut Outcome) -> Option<f64> {
        objective.hessian(u, &mut self.hessian);
        let diagonal = self.hessian.diagonal();
        let mean = diagonal.iter().map(|d| d.abs()).sum::<f64>() / diagonal.len() as f64;
        if !mean.is_finite() {
            return None;
        }
        self.shift = if self.shift > FIRST_SHIFT { self.shift / SHIFT_FACTOR } else { 0.0 };
        let mut added = 0.0;
        loop {
            let missing = self.shift * mean - added;
            if missing > 0.0 {
                self.hessian.add_diagonal(&vec![missing; diagonal.len()]);
                added += missing;
            }
            outcome.factorizations += 1;
            if self.factorize().is_ok() {
                break;
            }
            self.shift = (self.shift * SHIFT_FACTOR).max(FIRST_SHIFT);
            if self.shift > 1e6 {
                return None;
            }
        }
        self.step.copy_from_slice(&self.gradient);
        self.factor.as_ref()?.solve_one(&mut self.step);
        for d in &mut self.step {
            *d = -*d;
        }
        let slope: f64 = self.step.iter().zip(&self.gradient).map(|(d, g)| d * g).sum();
        slope.is_finite().then_some(slope)
    }

    fn factorize(&mut self) -> Result<(), FactorError> {
        match &mut self.factor {
            Some(factor) => factor.refactor(&self.hessian),
            None => {
                self.factor = Some(Cholesky::new(self.symbolic.clone(), &self.hessian)?);
                Ok(())
            }
        }
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
        let mut s = 1.0;
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

/// The Euclidean norm, summed in a fixed order.
pub(crate) fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}
