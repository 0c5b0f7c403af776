//! What is optimised of a material, and how far.

use super::error::{MaterialError, MaterialQuantity};
use crate::sqp::Tolerance;

/// What of a material may be another one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Optimise {
    /// Nothing: only the motion.
    None,
    /// Stiffness and damping of every shape.
    Stiffness,
    /// The shapes too.
    #[default]
    All,
}

/// How a material is optimised.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MaterialSettings {
    /// L, the size of the body, in the unit of its positions: the unit of tolerances and of steps.
    pub size: f64,
    /// How many shapes the body is to have beside its rigid modes.
    pub shapes: usize,
    /// In how many frames the first shape swings once at the start: all stiffnesses are multiplied by one factor. As the
    /// modes say if `None`.
    pub period: Option<f64>,
    /// How far frequencies may go, as a factor up and down: stiffnesses by its square.
    pub range: f64,
    /// s: mode j moves (λ₁/λ_j)ˢ times as easily as it would.
    pub space: f64,
    /// α and β of the least damping d ≥ α + βλ, in the body's own time, λ as it is after [`Self::period`]. The start has it.
    pub floor: [f64; 2],
    /// What may be another one.
    pub optimise: Optimise,
    /// The most rounds.
    pub rounds: usize,
    /// A round that lowers the energy by less than this part is the last.
    pub gain: f64,
    /// Steps on the shapes in a round.
    pub shape_steps: usize,
    /// What is enough of the motion while it is dragged,
    pub drag: Tolerance,
    /// in at most so many iterations at once.
    pub drag_iterations: usize,
    /// What is enough when the handles are let go,
    pub release: Tolerance,
    /// in at most so many iterations at once.
    pub release_iterations: usize,
}

impl MaterialSettings {
    /// 30 shapes, the first of which swings once in 24 frames; frequencies within a quarter and four times of that.
    #[must_use]
    pub fn new(size: f64) -> Self {
        Self {
            size,
            shapes: 30,
            period: Some(24.0),
            range: 4.0,
            space: 1.0,
            floor: [0.0; 2],
            optimise: Optimise::All,
            rounds: 100,
            gain: 1e-3,
            shape_steps: 50,
            drag: Tolerance { position: 1e-4, stationarity: 1e-2 },
            drag_iterations: 2,
            release: Tolerance { position: 1e-7, stationarity: 1e-4 },
            release_iterations: 100,
        }
    }

    pub(super) fn check(&self) -> Result<(), MaterialError> {
        let need = |is_right: bool, quantity: MaterialQuantity, value: f64| {
            if is_right && value.is_finite() {
                Ok(())
            } else {
                Err(MaterialError::BadNumber { quantity, value })
            }
        };
        need(self.size > 0.0, MaterialQuantity::Size, self.size)?;
        if let Some(period) = self.period {
            need(period > 0.0, MaterialQuantity::Period, period)?;
        }
        need(self.range >= 1.0, MaterialQuantity::Range, self.range)?;
        need(true, MaterialQuantity::Space, self.space)?;
        for value in self.floor {
            need(value >= 0.0, MaterialQuantity::Floor, value)?;
        }
        need(self.gain >= 0.0, MaterialQuantity::Gain, self.gain)?;
        for tolerance in [self.drag, self.release] {
            need(tolerance.position > 0.0, MaterialQuantity::Tolerance, tolerance.position)?;
            need(tolerance.stationarity > 0.0, MaterialQuantity::Tolerance, tolerance.stationarity)?;
        }
        if self.shapes == 0 { Err(MaterialError::NoShapes) } else { Ok(()) }
    }
}
