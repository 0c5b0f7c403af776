//! How far an edit reaches: costs of positions and velocities, turned into another oscillator.
//!
//! Adding ½ε∫z² + ½η∫ż² to the energy ½∫f², f = z̈ + 2δż + λz, pulls an edit back to zero, so that it reaches
//! less far in time. In frequencies the sum is |λ − ω² + 2iδω|² + ε + ηω², a positive quartic, which is again
//! |λ' − ω² + 2iδ'ω|² for
//!
//! > λ'² = λ² + ε, δ'² = (λ' − λ + 2δ² + η/2)/2.
//!
//! In time, with f' = z̈ + 2δ'ż + λ'z and the states s₀, s_e at the ends,
//!
//! > ½∫(f² + εz² + ηż²) = ½∫f'² − ½ s_eᵀ G s_e + ½ s₀ᵀ G s₀,
//! > G = [[2(δ'λ' − δλ), λ' − λ], [λ' − λ, 2(δ' − δ)]].
//!
//! So every such energy is the kernel of another oscillator, with G at ends that are free. Barbič 2012,
//! Eq. 10, the energy without oscillations ½∫z̈² + μλz², is the same with λ = δ = 0 and ε = μλ.
//!
//! Differences such as λ' − λ are written as ε/(λ' + λ): a stiff mode barely feels ε, and subtracting would
//! leave nothing of it.

use super::Oscillator;
use crate::error::{Quantity, SpacetimeError};
use nalgebra::Matrix2;

/// What an edit costs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Energy {
    /// ½∫f², f the force that the equations of motion lack: edits swing along (Barbič 2012, Eq. 1).
    #[default]
    Force,
    /// ½∫z̈² + μλz²: smooth in time and space, without oscillations (Barbič 2012, Eq. 10).
    WiggleFree {
        /// μ ≥ 0, in 1/s², the weight of smoothness in space.
        smoothness: f64,
    },
    /// That of one time profile for all modes, see [`Kernel::smooth`](crate::Kernel::smooth): one bump, no forces.
    Smooth {
        /// Frames after which 5 % are left, > 0.
        reach: f64,
    },
}

/// What it costs an edit to be away from the input. Zero is as far as the energy goes by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reach {
    /// ε ≥ 0, in 1/s⁴: the cost ½ε∫z².
    pub position: f64,
    /// η ≥ 0, in 1/s²: the cost ½η∫ż².
    pub velocity: f64,
}

/// The energy of one mode as that of an oscillator: λ', δ' and what is left at free ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Factored {
    /// λ, δ of the energy without costs of positions and velocities.
    pub from: Oscillator,
    /// λ', δ'.
    pub oscillator: Oscillator,
    /// G.
    pub end: Matrix2<f64>,
    /// det G, computed without cancellation.
    pub end_determinant: f64,
    /// λ' − λ.
    pub eigenvalue_gain: f64,
    /// δ' − δ.
    pub delta_gain: f64,
}

impl Factored {
    pub fn new(mode: Oscillator, energy: Energy, reach: Reach) -> Self {
        let (from, epsilon) = match energy {
            Energy::Force | Energy::Smooth { .. } => (mode, reach.position),
            Energy::WiggleFree { smoothness } => {
                (Oscillator { eigenvalue: 0.0, delta: 0.0 }, reach.position + smoothness * mode.eigenvalue)
            }
        };
        let Oscillator { eigenvalue: lambda, delta } = from;
        let half_eta = 0.5 * reach.velocity;
        let stiffer = lambda.hypot(epsilon.sqrt());
        let d = if epsilon > 0.0 { epsilon / (stiffer + lambda) } else { 0.0 };
        let damped = (delta * delta + 0.5 * (d + half_eta)).sqrt();
        let sum = damped + delta;
        let x = if sum > 0.0 { 0.5 * (d + half_eta) / sum } else { 0.0 };
        let end = Matrix2::new(2.0 * (damped * d + lambda * x), d, d, 2.0 * x);
        let end_determinant =
            if sum > 0.0 { 4.0 * lambda * x * x + d * (d * x + 2.0 * damped * half_eta) / sum } else { 0.0 };
        Self {
            from,
            oscillator: Oscillator { eigenvalue: stiffer, delta: damped },
            end,
            end_determinant,
            eigenvalue_gain: d,
            delta_gain: x,
        }
    }

    /// G⁻¹, the covariance of a free start, if anything holds it.
    pub fn free_start(&self) -> Option<Matrix2<f64>> {
        let (G, det) = (&self.end, self.end_determinant);
        let inverse = Matrix2::new(G[(1, 1)] / det, -G[(0, 1)] / det, -G[(1, 0)] / det, G[(0, 0)] / det);
        (det > 0.0 && inverse.iter().all(|x| x.is_finite())).then_some(inverse)
    }

    /// The covariance of a state that forces made out of rest, long before: Φ P Φᵀ + Q = P over any time, with the cost
    /// of that time in λ' and δ', so that no G is left.
    pub fn arriving(&self) -> Option<Matrix2<f64>> {
        let Oscillator { eigenvalue: lambda, delta } = self.oscillator;
        let steady = Matrix2::new(0.25 / (delta * lambda), 0.0, 0.0, 0.25 / delta);
        (delta > 0.0 && lambda > 0.0 && steady.iter().all(|x| x.is_finite())).then_some(steady)
    }
}

/// Refuses costs that are negative or not finite.
pub(super) fn check(energy: Energy, reach: Reach) -> Result<(), SpacetimeError> {
    let smoothness = match energy {
        Energy::Force => 0.0,
        Energy::WiggleFree { smoothness } => smoothness,
        Energy::Smooth { reach } if reach.is_finite() && reach > 0.0 => return Ok(()),
        Energy::Smooth { reach } => {
            return Err(SpacetimeError::BadNumber { quantity: Quantity::Reach, value: reach });
        }
    };
    for (quantity, value) in [
        (Quantity::ReachPosition, reach.position),
        (Quantity::ReachVelocity, reach.velocity),
        (Quantity::Smoothness, smoothness),
    ] {
        if !(value.is_finite() && value >= 0.0) {
            return Err(SpacetimeError::BadNumber { quantity, value });
        }
    }
    Ok(())
}
