//! How keys are solved for, and what it came to.

use supple_model::Status;

/// Which method finds the least cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Solver {
    /// Newton's, with a trust region.
    #[default]
    Newton,
    /// The same without the curvature of the warp.
    GaussNewton,
    /// Quasi-Newton, from the Hessian at rest.
    Bfgs,
}

/// How keys are solved for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SparseSettings {
    /// The method.
    pub solver: Solver,
    /// Steps in all.
    pub iterations: usize,
    /// In how many stages what is asked for is approached.
    pub stages: usize,
    /// |η + Cᵀ∂E/∂y| over the larger of its two parts at which a minimum is taken for found.
    pub stationarity: f64,
    /// The gap at which what is hard holds.
    pub gap: f64,
}

impl Default for SparseSettings {
    fn default() -> Self {
        Self { solver: Solver::Newton, iterations: 500, stages: 1, stationarity: 1e-9, gap: 1e-7 }
    }
}

/// What solving for keys came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SparseReport {
    /// How it ended.
    pub status: Status,
    /// Steps.
    pub iterations: usize,
    /// |η + Cᵀ∂E/∂y| over the larger of its parts, evaluated at the end.
    pub stationarity: f64,
    /// ½|η|², the cost of the force, pins included.
    pub energy: f64,
    /// What the keys cost that were not met.
    pub penalty: f64,
    /// The largest gap of what is hard.
    pub gap: f64,
}
