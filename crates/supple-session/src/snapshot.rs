//! What there is to see.

use crate::{Extras, Generation, Picture, SolverError};
use std::sync::Arc;
use supple_project::Report;
use supple_project::method::{Balance, Iterate, PoseAsk, Stage};

/// What there is to see. Clones share everything.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// What was opened.
    pub stage: Option<Arc<Stage>>,
    /// The frame that is edited.
    pub shown: Option<Arc<Picture>>,
    /// The frame that is played.
    pub played: Option<Arc<Picture>>,
    /// What is wrong with each handle.
    pub problems: Arc<Vec<Option<String>>>,
    /// What the edit comes to.
    pub report: Option<Arc<Reported>>,
    /// How far the edit moves the vertex that was asked for.
    pub probe: Option<Probe>,
    /// What else was wanted.
    pub seen: Option<Arc<Seen>>,
    /// The last step of a drag.
    pub step: Option<Step>,
    /// A body that is being opened.
    pub opening: Option<Opening>,
    /// Why the shot cannot be opened.
    pub failure: Option<SolverError>,
    /// Why the last wish could not be followed.
    pub trouble: Option<SolverError>,
    /// What the solver is doing.
    pub work: Work,
    /// How much of an edit is found, 0 to 1, where that takes long.
    pub solving: Option<f64>,
    /// The step of the solver that is shown, while an edit is found in steps.
    pub iterate: Option<Iterate>,
    /// The pose that is being made.
    pub posed: Option<Arc<Posed>>,
}

impl Snapshot {
    /// Whether the frame that is shown is that of a state of the document, with all modes.
    #[must_use]
    pub fn is_current(&self, generation: Generation) -> bool {
        let of_all_modes = self.stage.as_ref().is_some_and(|stage| stage.modes == stage.wanted_modes);
        of_all_modes
            && self.opening.is_none()
            && self.shown.as_ref().is_some_and(|shown| shown.generation == generation)
    }
}

/// What the solver is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Work {
    /// Nothing but showing frames.
    #[default]
    Idle,
    /// Following the hand.
    Dragging,
    /// Finding the edit of all handles.
    Settling,
    /// Going through all frames for the report.
    Reporting,
    /// Posing the body.
    Posing,
}

/// A pose that is being made.
#[derive(Debug)]
pub struct Posed {
    /// What was asked for.
    pub ask: Arc<PoseAsk>,
    /// The body.
    pub picture: Arc<Picture>,
    /// Whether it rests.
    pub balance: Balance,
    /// The force of the hand, N.
    pub force: Option<[f64; 3]>,
    /// The forces that are left, as a part of the loads.
    pub residual: f64,
    /// Seconds this step took.
    pub seconds: f64,
}

/// What an edit comes to.
#[derive(Debug)]
pub struct Reported {
    /// The state of the document it is of.
    pub generation: Generation,
    /// The report. Its handles are called by their place in the shot, the first 1.
    pub report: Report,
    /// Seconds it took to find the edit.
    pub settle_seconds: f64,
}

/// A step of a drag.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// The state of the document it is of.
    pub generation: Generation,
    /// The error of the worst hard handle, as a part of the size.
    pub error: f64,
    /// Seconds from the wish to the frame that is shown.
    pub seconds: f64,
}

/// How far the opening of a body is.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening {
    /// The state of the document it is of.
    pub generation: Generation,
    /// What is being done.
    pub what: String,
    /// How much of it is done, 0 to 1.
    pub fraction: f64,
    /// How many seconds are left, as far as what is being done tells.
    pub seconds_left: Option<f64>,
}

/// How far an edit moves a vertex, to full precision: what a new handle there has to ask so that nothing changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Probe {
    /// The state of the document.
    pub generation: Generation,
    /// Which vertex, as a handle's `vertex` counts.
    pub vertex: u32,
    /// Which frame, counted from 0.
    pub frame: usize,
    /// From where the input has it to where it is.
    pub by: [f64; 3],
}

/// What was seen of a motion at once.
#[derive(Debug)]
pub struct Seen {
    /// The state of the document.
    pub generation: Generation,
    /// What was wanted.
    pub extras: Arc<Extras>,
    /// The points of each frame of the strobe.
    pub strobe: Vec<Vec<[f32; 3]>>,
    /// Where each vertex of the traces is, frame by frame.
    pub traces: Vec<Vec<[f32; 3]>>,
    /// Where the input has it.
    pub input_traces: Vec<Vec<[f32; 3]>>,
    /// The size of the edit's force on the first of them, frame by frame; m/s².
    pub force: Vec<f64>,
}
