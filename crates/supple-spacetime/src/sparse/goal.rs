//! What is asked of a body at one time, as a cost of what is read of it.

use faer::Mat;

/// Modal coordinates and velocities at a key.
#[derive(Clone, Copy, Debug)]
pub struct KeyState<'a> {
    /// z.
    pub position: &'a [f64],
    /// ż, per second of the body's own time; empty where the goal does not read it.
    pub velocity: &'a [f64],
}

/// A cost of what is read.
#[derive(Clone, Debug, Default)]
pub struct Cost {
    /// E, with multipliers and penalties of what is hard.
    pub cost: f64,
    /// By how much what is hard is missed, in units of the tolerance's scale; a number for each multiplier.
    pub gaps: Vec<f64>,
    /// ∂E/∂w, a number for each that is read.
    pub forces: Vec<f64>,
}

/// What is asked of a body at one time: E(w(z, ż)), w what is read of it. E is quadratic; w bends as the body does.
///
/// To read is cheap, rows and curvature are not: the solver reads several times with the same rows.
pub trait Goal: Send + Sync {
    /// Whether velocities are read; then all derivatives are by 2r numbers, positions first.
    fn reads_velocity(&self) -> bool;

    /// How many numbers are to hold exactly, and the penalty of each: λ·c + ½ρc² is its cost, c its gap.
    fn penalties(&self) -> Vec<f64>;

    /// w at a state.
    fn read(&self, state: KeyState<'_>) -> Vec<f64>;

    /// E at w, when `part` of the way that is asked for is asked (1: all of it), under multipliers λ.
    fn cost(&self, read: &[f64], part: f64, multipliers: &[f64]) -> Cost;

    /// J = ∂w/∂(z, ż): a row of r or 2r numbers for each number that is read.
    fn rows(&self, state: KeyState<'_>) -> Vec<f64>;

    /// Jᵀ ∂²E/∂w² J, r×r or 2r×2r.
    fn squares(&self, rows: &[f64]) -> Mat<f64>;

    /// Σ f ∂²w/∂(z, ż)² under forces on what is read; none where w is linear.
    fn curvature(&self, state: KeyState<'_>, forces: &[f64]) -> Option<Mat<f64>>;
}
