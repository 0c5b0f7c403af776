//! What is asked of a body at one time, as a cost of its modal state.

use faer::Mat;

/// Modal coordinates and velocities at a key.
#[derive(Clone, Copy, Debug)]
pub struct KeyState<'a> {
    /// z.
    pub position: &'a [f64],
    /// ż, per second of the body's own time; empty where the goal does not read it.
    pub velocity: &'a [f64],
}

/// How much of an [`Expansion`] is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wanted {
    /// The cost, and the gaps of what is hard.
    Cost,
    /// The gradient too.
    Gradient,
    /// And a Hessian without the curvature of what is measured.
    GaussNewton,
    /// And the whole Hessian.
    Newton,
}

/// A cost around a state.
#[derive(Clone, Debug, Default)]
pub struct Expansion {
    /// E, with multipliers and penalties of what is hard.
    pub cost: f64,
    /// By how much what is hard is missed, in units of the tolerance's scale; a number for each multiplier.
    pub gaps: Vec<f64>,
    /// ∂E/∂(z, ż), r or 2r numbers.
    pub gradient: Vec<f64>,
    /// ∂²E/∂(z, ż)², r×r or 2r×2r.
    pub hessian: Option<Mat<f64>>,
}

/// What is asked of a body at one time.
pub trait Goal: Send + Sync {
    /// Whether velocities are read; then all derivatives are by 2r numbers, positions first.
    fn reads_velocity(&self) -> bool;

    /// How many numbers are to hold exactly, and the penalty of each: λ·c + ½ρc² is its cost, c its gap.
    fn penalties(&self) -> Vec<f64>;

    /// The cost around a state, when `part` of the way that is asked for is asked (1: all of it), under multipliers λ.
    fn expand(&self, state: KeyState<'_>, part: f64, multipliers: &[f64], wanted: Wanted) -> Expansion;
}
