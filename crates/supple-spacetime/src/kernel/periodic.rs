//! The kernel of a loop of N frames, where the state after N frames is the first state again.
//!
//! With W = (I − Φᴺ)⁻¹ the state of every frame has the covariance C = W Q_N Wᵀ, and m = (i − j) mod N frames
//! later
//!
//! > P(i,j) = Φᵐ C + Q_m (Φ^{N−m})ᵀ Wᵀ.
//!
//! The second term is what reaches frame i the other way round; Φ^{i−j}P_j alone would forget it. A mode whose
//! free motion returns to itself after N frames has no W: it drifts (λ = 0) or swings (undamped) at no cost.

use super::open::{noise_table, transition_table};
use super::oscillator::inverse;
use super::reach::Factored;
use super::table::Table;
use crate::error::SpacetimeError;
use nalgebra::Matrix2;

/// Loops with |det(I − Φᴺ)| below this are refused; above, at least seven digits are right.
const RESONANT: f64 = 1e-9;

/// The tables of a loop.
#[derive(Clone, Debug)]
pub(crate) struct Periodic {
    /// P(m, 0), m = 0..N−1, scaled.
    pub lag: Table,
    /// Φ, one frame.
    pub transition: Table,
    /// Q, one frame, scaled.
    pub noise: Table,
    /// W.
    pub around: Table,
}

impl Periodic {
    pub fn new(modes: &[Factored], factors: &[f64], period: usize, dt: f64) -> Result<Self, SpacetimeError> {
        let transition = transition_table(modes, period + 1, dt);
        let noise = noise_table(modes, &transition, period + 1, dt);
        for (mode, factored) in modes.iter().enumerate() {
            let open = Matrix2::identity() - transition.get(period, mode);
            if factored.oscillator.eigenvalue == 0.0 {
                return Err(SpacetimeError::DriftingLoop { mode });
            }
            if open.determinant().abs() < RESONANT {
                return Err(SpacetimeError::ResonantLoop { mode });
            }
        }
        let count = modes.len();
        let around = Table::new(1, count, |_, k| inverse(&(Matrix2::identity() - transition.get(period, k))));
        let mut lag = Table::new(period, count, |m, k| {
            let W = around.get(0, k);
            let C = W * noise.get(period, k) * W.transpose();
            let back = transition.get(period - m, k).transpose() * W.transpose();
            transition.get(m, k) * C + noise.get(m, k) * back
        });
        lag.scale(factors);
        let mut step = Table::new(1, count, |_, k| noise.get(1, k));
        step.scale(factors);
        let transition = Table::new(1, count, |_, k| transition.get(1, k));
        Ok(Self { lag, transition, noise: step, around })
    }
}
