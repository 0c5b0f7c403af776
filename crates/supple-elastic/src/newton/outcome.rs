//! When a minimisation stops, and how it went.

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
    /// Whether H was other than positive definite on the way.
    pub shifted: bool,
    /// The norm of the gradient at the end.
    pub residual: f64,
    /// Φ before the first iteration and after each.
    pub values: Vec<f64>,
}
