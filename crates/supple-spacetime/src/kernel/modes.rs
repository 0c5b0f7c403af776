//! The modes of a kernel of oscillators, and what they do between frames.

use super::oscillator::Oscillator;
use super::reach::Factored;
use super::settings::Settings;
use super::table::Table;
use crate::error::{Quantity, SpacetimeError};

/// The modes of a kernel; none for the smooth kernel.
#[derive(Clone, Debug, Default)]
pub(crate) struct Modes {
    /// Every mode as the oscillator of its energy.
    pub factored: Vec<Factored>,
    /// How easily each moves: what its covariances are multiplied by.
    pub factors: Vec<f64>,
    /// Seconds per frame.
    pub dt: f64,
}

impl Modes {
    /// # Errors
    /// When there are none, or a number cannot be what it is.
    pub fn new(modes: &[Oscillator], settings: &Settings) -> Result<Self, SpacetimeError> {
        check(modes)?;
        let factor = |mode: &Oscillator| Factored::new(*mode, settings.energy, settings.reach_of(*mode));
        Ok(Self {
            factored: modes.iter().map(factor).collect(),
            factors: space_factors(modes, settings.spread)?,
            dt: settings.dt,
        })
    }

    pub fn count(&self) -> usize {
        self.factored.len()
    }

    /// Φ over so many frames.
    pub fn transition(&self, frames: f64) -> Table {
        Table::new(1, self.count(), |_, k| self.factored[k].oscillator.transition(frames * self.dt))
    }
}

fn check(modes: &[Oscillator]) -> Result<(), SpacetimeError> {
    if modes.is_empty() {
        return Err(SpacetimeError::NoModes);
    }
    for (mode, Oscillator { eigenvalue, delta }) in modes.iter().enumerate() {
        for (quantity, value) in [(Quantity::Eigenvalue, *eigenvalue), (Quantity::Damping, *delta)] {
            // The square must fit too, for the discriminant λ − δ² and for λ' = √(λ² + ε).
            if !((value * value).is_finite() && value >= 0.0) {
                return Err(SpacetimeError::BadMode { mode, quantity, value });
            }
        }
    }
    Ok(())
}

/// (λ₁/λ_k)^s, 1 for rigid modes.
fn space_factors(modes: &[Oscillator], spread: f64) -> Result<Vec<f64>, SpacetimeError> {
    let elastic = modes.iter().map(|mode| mode.eigenvalue).filter(|value| *value > 0.0);
    let lowest = elastic.fold(f64::INFINITY, f64::min);
    let factor = |value: f64| if value > 0.0 { (lowest / value).powf(spread) } else { 1.0 };
    let factors: Vec<f64> = modes.iter().map(|mode| factor(mode.eigenvalue)).collect();
    if factors.iter().all(|x| x.is_finite()) {
        Ok(factors)
    } else {
        Err(SpacetimeError::BadNumber { quantity: Quantity::Spread, value: spread })
    }
}
