//! What is minimised.

use supple_numerics::sparse::BlockMatrix;

/// What is minimised. Displacements are full vectors (anchored vertices hold what they are told),
/// gradient and Hessian are over the free vertices.
pub(crate) trait Objective {
    /// Φ(u), and the sum of the sizes of its terms, which bounds its rounding.
    fn value(&mut self, u: &[f64]) -> Value;

    /// Overwrites `gradient` with ∂Φ/∂u.
    fn gradient(&mut self, u: &[f64], gradient: &mut [f64]);

    /// Overwrites `hessian` with ∂²Φ/∂u², or something near that is more often positive definite.
    fn hessian(&mut self, u: &[f64], hessian: &mut BlockMatrix);

    /// How far a coordinate may go in one iteration. Where Φ is not convex a long step may land beyond what
    /// a short one would have met.
    fn longest_step(&self) -> f64 {
        f64::INFINITY
    }

    /// Whether to give up at `u`, asked after every iteration; `shifted` tells whether H has been other than
    /// positive definite on the way.
    fn runs_away(&self, _u: &[f64], _shifted: bool) -> bool {
        false
    }
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
