//! A motion to be controlled: what is asked of which body, checked.

use super::error::{ControlError, ControlGiven};
use super::report::{ControlCost, ControlIterate, ControlPath, ControlSolution};
use super::settings::{ControlGuess, ControlSettings, TrackSettings};
use super::simulation::ControlSimulation;
use super::task::ControlTask;
use super::track::Tracker;
use std::sync::Arc;
use supple_model::{Progress, ReducedDynamics};

/// A body in few coordinates, and the motion that is asked of it.
#[derive(Clone, Debug)]
pub struct ControlProblem {
    dynamics: Arc<dyn ReducedDynamics>,
    task: ControlTask,
}

impl ControlProblem {
    /// What is asked of a body.
    ///
    /// # Errors
    /// When a number is not what it must be, a key stands outside or where another does, or a free start has fewer than
    /// two keys.
    pub fn new(dynamics: Arc<dyn ReducedDynamics>, task: ControlTask) -> Result<Self, ControlError> {
        task.check(dynamics.coordinates())?;
        Ok(Self { dynamics, task })
    }

    /// r.
    #[must_use]
    pub fn coordinates(&self) -> usize {
        self.dynamics.coordinates()
    }

    /// What is asked for.
    #[must_use]
    pub fn task(&self) -> &ControlTask {
        &self.task
    }

    /// 1e-4·τ³, τ the mean time from key to key, the start counting as one: of what moves freely a key of weight 1 misses
    /// a few parts in ten thousand.
    #[must_use]
    pub fn auto_effort(&self) -> f64 {
        unimplemented!()
    }

    /// The motion of given frames, r numbers each, from the start of the task; of a free start, from rest.
    ///
    /// # Errors
    /// When there are not r finite numbers for every frame.
    pub fn path(&self, frames: &[f64]) -> Result<ControlPath, ControlError> {
        ControlGiven::Guess.check(frames, self.coordinates() * self.task.time.frames())?;
        unimplemented!()
    }

    /// w of a motion: the forces that it needs, r numbers for each frame but the last.
    ///
    /// # Panics
    /// When it has another size.
    #[must_use]
    pub fn forces(&self, _path: &ControlPath) -> Vec<f64> {
        unimplemented!()
    }

    /// What a motion costs under an effort ε.
    ///
    /// # Panics
    /// When it has another size.
    #[must_use]
    pub fn cost(&self, _path: &ControlPath, _effort: f64) -> ControlCost {
        unimplemented!()
    }

    /// The derivative of the objective by every frame that is not given, r numbers each: frame 1 to the last; of a free
    /// start the frame before the first and frame 0, too.
    ///
    /// # Panics
    /// When it has another size.
    #[must_use]
    pub fn gradient(&self, _path: &ControlPath, _effort: f64) -> Vec<f64> {
        unimplemented!()
    }

    /// The derivative of the objective by the forces that make a motion (Eq. 11 and 12), exact, w's own numbers.
    ///
    /// # Panics
    /// When it has another size.
    #[must_use]
    pub fn gradient_of_forces(&self, _path: &ControlPath, _effort: f64) -> Vec<f64> {
        unimplemented!()
    }

    /// The motion that forces make from the task's start (a free start: at rest in its first key), under its loads: the
    /// replay of a solution.
    ///
    /// # Errors
    /// When there are not r finite numbers for each frame but the last, a time step has no solution, or on
    /// cancellation.
    pub fn simulate(&self, forces: &[f64], progress: &Progress) -> Result<ControlPath, ControlError> {
        progress.check()?;
        ControlGiven::Forces.check(forces, 0)?;
        unimplemented!()
    }

    /// The same frame by frame, from any two frames.
    ///
    /// # Errors
    /// When a frame has not r finite numbers.
    pub fn simulation(&self, before: &[f64], first: &[f64]) -> Result<ControlSimulation, ControlError> {
        ControlGiven::Before.check(before, self.coordinates())?;
        ControlGiven::First.check(first, self.coordinates())?;
        unimplemented!()
    }

    /// Forces that hold a motion against pushes: those of the solution and feedback from where the body is.
    ///
    /// # Errors
    /// When a number of the settings cannot be used.
    pub fn tracker(
        &self,
        _solution: &ControlSolution,
        settings: &TrackSettings,
    ) -> Result<Tracker, ControlError> {
        settings.check()?;
        unimplemented!()
    }

    /// The motion that meets its keys at the least cost near the guess. `look` sees every iterate.
    ///
    /// # Errors
    /// When a setting cannot be used, the guess has another size, the body has no force along it, or on cancellation.
    pub fn solve(
        &self,
        settings: &ControlSettings,
        _guess: &ControlGuess,
        _progress: &Progress,
        _look: &mut dyn FnMut(&ControlIterate<'_>),
    ) -> Result<ControlSolution, ControlError> {
        settings.check()?;
        unimplemented!()
    }
}
