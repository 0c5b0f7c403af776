//! The kernel of a loop of N frames, where the state after N frames is the first state again.
//!
//! With W = (I − Φᴺ)⁻¹ the state of every frame has the covariance C = W Q_N Wᵀ, and m = (i − j) mod N frames
//! later
//!
//! > P(i,j) = Φᵐ C + Q_m (Φ^{N−m})ᵀ Wᵀ.
//!
//! for whole m and for any other time m < N. The second term is what reaches frame i the other way round; Φ^{i−j}P_j alone would forget it. A mode whose
//! free motion returns to itself after N frames has no W: it drifts (λ = 0) or swings (undamped) at no cost.

use super::modes::Modes;
use super::moment::{Moment, lag};
use super::open::{noise_table, transition_table};
use super::oscillator::inverse;
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
    /// N.
    period: usize,
}

impl Periodic {
    pub fn new(modes: &Modes, period: usize) -> Result<Self, SpacetimeError> {
        let transition = transition_table(modes, period + 1);
        let noise = noise_table(modes, &transition, period + 1);
        for (mode, factored) in modes.factored.iter().enumerate() {
            let open = Matrix2::identity() - transition.get(period, mode);
            if factored.oscillator.eigenvalue == 0.0 {
                return Err(SpacetimeError::DriftingLoop { mode });
            }
            if open.determinant().abs() < RESONANT {
                return Err(SpacetimeError::ResonantLoop { mode });
            }
        }
        let count = modes.count();
        let around = Table::new(1, count, |_, k| inverse(&(Matrix2::identity() - transition.get(period, k))));
        let mut lag = Table::new(period, count, |m, k| {
            let W = around.get(0, k);
            let C = W * noise.get(period, k) * W.transpose();
            let back = transition.get(period - m, k).transpose() * W.transpose();
            transition.get(m, k) * C + noise.get(m, k) * back
        });
        lag.scale(&modes.factors);
        let mut step = Table::new(1, count, |_, k| noise.get(1, k));
        step.scale(&modes.factors);
        let transition = Table::new(1, count, |_, k| transition.get(1, k));
        Ok(Self { lag, transition, noise: step, around, period })
    }

    /// P(i,j)\[a,b\] of every mode, i ≥ j within the loop.
    pub fn covariance(
        &self,
        modes: &Modes,
        (later, a): (&Moment, usize),
        (earlier, b): (&Moment, usize),
        out: &mut [f64],
    ) {
        let m = match lag(later, earlier) {
            (_, Some(lag)) => return out.copy_from_slice(self.lag.entry(lag, a, b)),
            (lag, None) => lag,
        };
        let (ahead, back) = (modes.transition(m), modes.transition(self.period as f64 - m));
        for (k, out) in out.iter_mut().enumerate() {
            let Q = modes.factored[k].oscillator.noise(m * modes.dt) * modes.factors[k];
            let W = self.around.get(0, k);
            let P = ahead.get(0, k) * self.lag.get(0, k) + Q * back.get(0, k).transpose() * W.transpose();
            *out = P[(a, b)];
        }
    }
}
