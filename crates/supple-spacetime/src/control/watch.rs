//! Who watches a search, and what it came to so far.

use super::model::Model;
use super::report::{ControlCost, ControlIterate, ControlPath, ControlStage};
use supple_model::{Cancelled, Progress};

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// In a minimum.
    Found,
    /// Out of iterations.
    OutOfSteps,
    /// No step helps.
    Stalled,
    /// The owner stopped it.
    Stopped,
}

/// What was done.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    pub feedback: usize,
    pub frames: usize,
    pub rollouts: usize,
    pub gradients: usize,
    pub forwards: usize,
}

impl Tally {
    pub fn iterations(&self) -> usize {
        self.feedback + self.frames
    }

    pub fn add(&mut self, other: &Self) {
        self.feedback += other.feedback;
        self.frames += other.frames;
        self.rollouts += other.rollouts;
        self.gradients += other.gradients;
        self.forwards += other.forwards;
    }
}

/// What a search found.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub z: Vec<f64>,
    pub ended: Ended,
    pub optimality: f64,
    pub tally: Tally,
}

/// Who watches.
pub(super) struct Watch<'a> {
    pub progress: &'a Progress,
    pub look: &'a mut dyn FnMut(&ControlIterate<'_>),
    /// Of a window: all frames of the whole motion, and where the window begins among them.
    pub whole: Option<(Vec<f64>, usize)>,
    /// Iterates so far.
    pub shown: usize,
}

impl Watch<'_> {
    /// Shows an iterate; whether the owner wants no other.
    pub fn seen(
        &mut self,
        model: &Model,
        (stage, iteration): (ControlStage, usize),
        cost: ControlCost,
        z: &[f64],
    ) -> Result<bool, Cancelled> {
        self.progress.report("controlling", 1.0 - 1.0 / (1.0 + 0.1 * self.shown as f64))?;
        self.shown += 1;
        let path = match &self.whole {
            None => model.path(z.to_vec()),
            Some((whole, first)) => composed(whole, *first, z, model.size()),
        };
        (self.look)(&ControlIterate { stage, iteration, cost, path: &path });
        Ok(self.progress.is_stopped())
    }
}

/// A window in its place; what comes after it holds still.
fn composed(whole: &[f64], first: usize, z: &[f64], r: usize) -> ControlPath {
    let mut all = whole.to_vec();
    let (from, to) = (first * r, first * r + z.len());
    all[from..to].copy_from_slice(z);
    let last = z[z.len() - r..].to_vec();
    all[to..].chunks_exact_mut(r).for_each(|frame| frame.copy_from_slice(&last));
    ControlPath::new(r, all)
}
