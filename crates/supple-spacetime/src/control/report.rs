//! What was found, and what it came to.

use super::task::ControlStart;
use supple_model::Status;

/// Frames of a motion in r coordinates, with the one before the first: two frames say where a motion is and how fast.
#[derive(Clone, Debug, PartialEq)]
pub struct ControlPath {
    coordinates: usize,
    /// The frame before the first, then all frames.
    values: Vec<f64>,
}

impl ControlPath {
    pub(super) fn new(coordinates: usize, values: Vec<f64>) -> Self {
        Self { coordinates, values }
    }

    /// How many frames there are, without the one before the first.
    #[must_use]
    pub fn frames(&self) -> usize {
        self.values.len() / self.coordinates - 1
    }

    /// How many numbers a frame has.
    #[must_use]
    pub fn coordinates(&self) -> usize {
        self.coordinates
    }

    /// The frame before the first.
    #[must_use]
    pub fn before(&self) -> &[f64] {
        &self.values[..self.coordinates]
    }

    /// z of a frame.
    ///
    /// # Panics
    /// When there is no such frame.
    #[must_use]
    pub fn frame(&self, frame: usize) -> &[f64] {
        &self.values[(frame + 1) * self.coordinates..][..self.coordinates]
    }

    /// All frames, without the one before the first.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values[self.coordinates..]
    }

    /// Where a motion starts that goes on from here: the last two frames.
    #[must_use]
    pub fn end(&self) -> ControlStart {
        let r = self.coordinates;
        let last = self.values.len() - r;
        ControlStart::Frames {
            before: self.values[last - r..last].to_vec(),
            first: self.values[last..].to_vec(),
        }
    }

    /// The frame before the first, then all frames.
    pub(super) fn all(&self) -> &[f64] {
        &self.values
    }
}

/// What a motion costs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ControlCost {
    /// ½ Σ h‖w‖², the control forces.
    pub energy: f64,
    /// ½ Σ ω‖z − z̄‖² of the soft keys.
    pub penalty: f64,
    /// penalty + ε·energy, what is minimised; of a free start with the energy of the forces that lead there.
    pub objective: f64,
}

/// How near a motion comes to a key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ControlKeyReport {
    /// Where it stands.
    pub frame: usize,
    /// Whether it must be met exactly.
    pub is_hard: bool,
    /// ‖A z − b‖, in the units of what is asked; of whole poses and components the mass-weighted distance.
    pub error: f64,
    /// ‖b‖.
    pub size: f64,
    /// The same of its velocity; 0 where none is asked for.
    pub velocity_error: f64,
}

/// What solving for a motion came to.
#[derive(Clone, Debug, PartialEq)]
pub struct ControlReport {
    /// How it ended. A minimum that was found is a local one.
    pub status: Status,
    /// What the motion costs.
    pub cost: ControlCost,
    /// ε.
    pub effort: f64,
    /// Iterations with feedback (of conjugate gradients: none).
    pub feedback_iterations: usize,
    /// Iterations on all frames at once (of conjugate gradients: all).
    pub iterations: usize,
    /// Simulations under feedback, several step lengths at once counted as one.
    pub rollouts: usize,
    /// Gradients by the adjoint method; of conjugate gradients only.
    pub gradients: usize,
    /// Forward simulations; of conjugate gradients and guesses.
    pub forwards: usize,
    /// How far from a minimum: the part of the objective that the next step would gain, its root; of conjugate gradients the
    /// size of the gradient beside that of its two parts. Infinite where the search ended before it was known.
    pub optimality: f64,
    /// Each key, in the order they were given.
    pub keys: Vec<ControlKeyReport>,
}

/// A motion that meets its keys, and the forces that make it.
#[derive(Clone, Debug, PartialEq)]
pub struct ControlSolution {
    /// The motion.
    pub path: ControlPath,
    /// w: r numbers for each frame but the last, the force around that frame which leads to the next.
    pub forces: Vec<f64>,
    /// What it came to.
    pub report: ControlReport,
}

/// What the solver is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlStage {
    /// Simulating with feedback.
    Feedback,
    /// All frames at once.
    Frames,
    /// Conjugate gradients.
    Cg,
}

/// A motion on the way to the one wanted.
#[derive(Clone, Copy, Debug)]
pub struct ControlIterate<'a> {
    /// What the solver is doing.
    pub stage: ControlStage,
    /// Iterations of this stage so far.
    pub iteration: usize,
    /// What the motion costs.
    pub cost: ControlCost,
    /// The motion so far, of all frames; of a chain that is solved in windows, those not reached yet hold still.
    pub path: &'a ControlPath,
}
