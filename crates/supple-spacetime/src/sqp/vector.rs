//! Vectors of the edit's space, kept twice: as loads and as what these move.
//!
//! With u = P g, the scalar product ⟨a,b⟩ = aᵀP⁻¹b is g_aᵀ b: P is never inverted, and sums of vectors need no
//! product with it.

use crate::rows::dot;

/// A vector of the edit's space: its loads g, and P g.
#[derive(Clone, Debug)]
pub(crate) struct Vector {
    /// g, then one entry per soft row.
    pub dual: Vec<f64>,
    /// P g, then 1/w times those.
    pub primal: Vec<f64>,
}

impl Vector {
    pub fn zero(length: usize) -> Self {
        Self { dual: vec![0.0; length], primal: vec![0.0; length] }
    }

    /// ⟨a, b⟩ = g_aᵀ P g_b.
    pub fn dot(&self, other: &Self) -> f64 {
        dot(&self.dual, &other.primal)
    }

    /// Adds `factor` times another.
    pub fn add(&mut self, factor: f64, other: &Self) {
        add(&mut self.dual, factor, &other.dual);
        add(&mut self.primal, factor, &other.primal);
    }
}

/// x += f y.
pub(crate) fn add(x: &mut [f64], f: f64, y: &[f64]) {
    for (x, y) in x.iter_mut().zip(y) {
        *x += f * y;
    }
}
