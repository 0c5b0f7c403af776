//! When frames are: one time step, or a step for each of them.

use super::error::{ControlError, ControlQuantity};

/// Seconds of the body's own time from each frame to the next.
#[derive(Clone, Debug, PartialEq)]
pub struct ControlTime {
    /// Seconds from frame k to frame k + 1; one less than there are frames.
    pub steps: Vec<f64>,
    /// Seconds from the frame before the first to the first.
    pub before: f64,
}

impl ControlTime {
    /// `frames` frames, all `step` seconds after one another.
    #[must_use]
    pub fn even(frames: usize, step: f64) -> Self {
        Self { steps: vec![step; frames.saturating_sub(1)], before: step }
    }

    /// Arcs, one after the other: (how many frames an arc goes on, seconds per frame).
    #[must_use]
    pub fn arcs(arcs: &[(usize, f64)]) -> Self {
        let steps: Vec<f64> = arcs.iter().flat_map(|(frames, step)| vec![*step; *frames]).collect();
        Self { before: steps.first().copied().unwrap_or_default(), steps }
    }

    /// The same after a motion whose last step took `before` seconds.
    #[must_use]
    pub fn after(self, before: f64) -> Self {
        Self { before, ..self }
    }

    /// How many frames there are.
    #[must_use]
    pub fn frames(&self) -> usize {
        self.steps.len() + 1
    }

    /// Seconds from the first frame to frame k.
    ///
    /// # Panics
    /// When there is no such frame.
    #[must_use]
    pub fn at(&self, frame: usize) -> f64 {
        self.steps[..frame].iter().sum()
    }

    pub(super) fn check(&self) -> Result<(), ControlError> {
        if self.steps.is_empty() {
            return Err(ControlError::TooShort { frames: self.frames() });
        }
        for value in self.steps.iter().chain([&self.before]).copied() {
            ControlQuantity::TimeStep.check(value)?;
        }
        Ok(())
    }

    /// Frames `first` … `last` alone.
    pub(super) fn part(&self, first: usize, last: usize) -> Self {
        let before = if first == 0 { self.before } else { self.steps[first - 1] };
        Self { steps: self.steps[first..last].to_vec(), before }
    }
}
