//! What a step did, and what there is to measure after it.

use crate::Status;
use supple_model::ContactKind;

/// What a step did.
#[derive(Clone, Debug, PartialEq)]
pub struct StepReport {
    /// The worst of the pieces in which the step was taken.
    pub status: Status,
    /// Iterations of Newton's method.
    pub iterations: usize,
    /// Factorizations, some of which may have found a matrix that was not positive definite.
    pub factorizations: usize,
    /// The norm of what is left of the forces, newtons; the largest of the pieces.
    pub residual: f64,
    /// Minimisations; more than one when contacts were found on the way or friction changed.
    pub rounds: usize,
    /// How often a step was cut in halves because it did not converge.
    pub cuts: usize,
    /// Steps taken without damping by stiffness, because there it would have driven the motion.
    pub undamped: usize,
    /// How often the step was halved, at most, to keep the energy.
    pub halved: usize,
    /// Pieces of the step damped by a share of implicit Euler, because Newmark's method would have gained energy from
    /// nowhere.
    pub calmed: usize,
    /// Points stopped where they met an obstacle, because the rounds did not settle how they go on.
    pub stopped: usize,
}

impl StepReport {
    pub(super) fn new() -> Self {
        Self {
            status: Status::Converged,
            iterations: 0,
            factorizations: 0,
            residual: 0.0,
            rounds: 0,
            cuts: 0,
            undamped: 0,
            halved: 0,
            calmed: 0,
            stopped: 0,
        }
    }
}

/// A point that touched an obstacle in the last step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepContact {
    /// What of the body touches: its place in the list of points that was given with the obstacles.
    pub point: usize,
    /// The unit normal of the obstacle, pointing to the body.
    pub normal: [f64; 3],
    /// Whether friction held it.
    pub kind: ContactKind,
    /// What the obstacle did to the point, newtons: its impulse over the duration of the step.
    pub force: [f64; 3],
}

/// Where energy is, joules.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Energies {
    /// ½ vᵀ M v.
    pub kinetic: f64,
    /// E(u).
    pub strain: f64,
    /// −Σ m g·u: zero at rest.
    pub gravity: f64,
}

impl Energies {
    /// All of it.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.kinetic + self.strain + self.gravity
    }
}

/// How much motion there is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Momentum {
    /// Σ m v, newton seconds.
    pub linear: [f64; 3],
    /// Σ m x × v about the origin, newton metre seconds.
    pub angular: [f64; 3],
}
