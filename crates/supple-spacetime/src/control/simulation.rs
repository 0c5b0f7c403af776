//! The body in few coordinates, simulated frame by frame.

use super::error::ControlError;
use super::model::Model;
use super::report::ControlPath;
use super::rollout::extrapolate;
use super::small::add;
use super::stepper::{EXACT, Stepper};
use std::sync::Arc;

/// A simulation that is pushed frame by frame.
#[derive(Clone, Debug)]
pub struct ControlSimulation {
    model: Arc<Model>,
    frame: usize,
    /// Three frames before the next, and room for it.
    z: Vec<f64>,
    /// Of two of them.
    R: Vec<f64>,
    stepper: Stepper,
}

impl ControlSimulation {
    pub(super) fn new(model: Arc<Model>, before: &[f64], first: &[f64]) -> Self {
        let r = model.size();
        let z = [before, before, first, first].concat();
        let mut R = vec![0.0; 3 * r];
        model.dynamics.force(&z[r..3 * r], &mut R[..2 * r]);
        Self { stepper: Stepper::new(r, EXACT), model, frame: 0, z, R }
    }

    /// Goes on from a frame of a motion, counted from 0.
    pub(super) fn within(model: Arc<Model>, path: &ControlPath, frame: usize) -> Self {
        let r = model.size();
        let [before, now] = match frame {
            0 => [path.before(), path.frame(0)],
            _ => [path.frame(frame - 1), path.frame(frame)],
        };
        let mut simulation = Self::new(model, before, now);
        if frame > 0 {
            let last = if frame > 1 { path.frame(frame - 2) } else { path.before() };
            simulation.z[..r].copy_from_slice(last);
        }
        simulation.frame = frame;
        simulation
    }

    /// How many frames it has gone on.
    #[must_use]
    pub fn frame(&self) -> usize {
        self.frame
    }

    /// Whether there is no frame to go on to.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.frame >= self.model.rows.equations.len()
    }

    /// z of the frame before.
    #[must_use]
    pub fn before(&self) -> &[f64] {
        let r = self.model.size();
        &self.z[r..2 * r]
    }

    /// z of this frame.
    #[must_use]
    pub fn now(&self) -> &[f64] {
        let r = self.model.size();
        &self.z[2 * r..3 * r]
    }

    /// Goes on to the next frame under a force beside the task's loads, r numbers.
    ///
    /// # Errors
    /// When the time step has no solution that is found; the simulation stays where it is.
    ///
    /// # Panics
    /// After the last frame.
    pub fn advance(&mut self, force: &[f64]) -> Result<(), ControlError> {
        assert!(!self.is_over(), "the motion is over");
        let r = self.model.size();
        let mut all = force.to_vec();
        add(&mut all, 1.0, &self.model.rows.loads[self.frame * r..][..r]);
        // Of the first step the frame before the two is not known.
        let from = if self.frame == 0 { 1 } else { 0 };
        extrapolate(&mut self.z[from * r..], 3 - from, r);
        let equation = self.model.rows.equations[self.frame];
        let dynamics = &*self.model.dynamics;
        if !self.stepper.step(dynamics, &equation, &all, &mut self.z[r..], &mut self.R) {
            return Err(ControlError::Simulation { frame: self.frame + 1 });
        }
        self.z.copy_within(r.., 0);
        self.R.copy_within(r.., 0);
        self.frame += 1;
        Ok(())
    }
}
