//! The body in few coordinates, simulated frame by frame.

use super::error::ControlError;

/// A simulation that is pushed frame by frame.
#[derive(Clone, Debug)]
pub struct ControlSimulation {
    frame: usize,
    before: Vec<f64>,
    now: Vec<f64>,
}

impl ControlSimulation {
    /// How many frames it has gone on.
    #[must_use]
    pub fn frame(&self) -> usize {
        self.frame
    }

    /// z of the frame before.
    #[must_use]
    pub fn before(&self) -> &[f64] {
        &self.before
    }

    /// z of this frame.
    #[must_use]
    pub fn now(&self) -> &[f64] {
        &self.now
    }

    /// Goes on to the next frame under a force beside the task's loads, r numbers.
    ///
    /// # Errors
    /// When the time step has no solution that is found; the simulation stays where it is.
    ///
    /// # Panics
    /// After the last frame.
    pub fn advance(&mut self, _force: &[f64]) -> Result<(), ControlError> {
        unimplemented!()
    }
}
