//! How exactly handles are held, while they are dragged and when they are let go.

use crate::error::{Quantity, SpacetimeError};
use crate::sqp::Tolerance;

/// How handles are held on the warped motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DragSettings {
    /// L, the size of the body, in the unit of its positions: the unit of tolerances and of steps.
    pub size: f64,
    /// What is enough for one event of a drag.
    pub drag: Tolerance,
    /// The most iterations of one event of a drag.
    pub drag_iterations: usize,
    /// The most iterations of an event that makes worn directions anew: what went astray on the way is put right.
    pub refresh_iterations: usize,
    /// What is enough when the handle is let go.
    pub release: Tolerance,
    /// The most iterations when the handle is let go.
    pub release_iterations: usize,
    /// Rows of all handles times their frames from which on they are solved for by iterations that need no memory for
    /// every pair: one vertex over some hundred frames.
    pub wide_from: usize,
}

impl DragSettings {
    /// Two iterations to 10⁻⁴ of the size per event; up to 100 to 10⁻⁷ at release.
    #[must_use]
    pub fn new(size: f64) -> Self {
        Self {
            size,
            drag: Tolerance { position: 1e-4, stationarity: 1e-2 },
            drag_iterations: 2,
            refresh_iterations: 8,
            release: Tolerance { position: 1e-7, stationarity: 1e-4 },
            release_iterations: 100,
            wide_from: 30_000,
        }
    }

    pub(super) fn check(&self) -> Result<(), SpacetimeError> {
        let positive = |quantity, value: f64| {
            if value > 0.0 && value.is_finite() {
                Ok(())
            } else {
                Err(SpacetimeError::BadNumber { quantity, value })
            }
        };
        positive(Quantity::BodySize, self.size)?;
        for tolerance in [self.drag, self.release] {
            positive(Quantity::Tolerance, tolerance.position)?;
            positive(Quantity::Tolerance, tolerance.stationarity)?;
        }
        Ok(())
    }
}
