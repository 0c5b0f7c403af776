//! What an edit came to, as this method knows it.

use super::Smoothness;
use crate::method::report::{HandleOutcome, warnings};
use supple_model::{Status, VertexId};
use supple_spacetime::StartReport;

/// What an edit came to.
#[derive(Clone, Debug, PartialEq)]
pub struct EditReport {
    /// How the solution ended.
    pub status: Status,
    /// Iterations it took.
    pub iterations: usize,
    /// How far the edit is from the least costly one, as a part of its size.
    pub stationarity: f64,
    /// What the edit costs: ½∫f² and what else its energy counts.
    pub energy: f64,
    /// What the errors of soft handles cost.
    pub penalty: f64,
    /// The edits it was chosen from, in the order they were tried; none on the linear edit, which has one solution.
    pub starts: Vec<StartReport>,
    /// What holds the body, in words: its anchors, or what is around the part that may change.
    pub held: &'static str,
    /// Every handle, muted ones left out.
    pub handles: Vec<HandleOutcome>,
    /// The largest control force; none if nothing is edited.
    pub force: Option<ForcePeak>,
    /// ‖f‖ in the modes frame by frame, its largest value until the next frame.
    pub force_over_time: Vec<f64>,
    /// How freely modes take part; none for a lively edit.
    pub smoothness: Option<Smoothness>,
    /// How much volume changes; none for what has no volume.
    pub volume: Option<VolumeChange>,
    /// Elements turned inside out, in the frame that has most of them by the edit; none for what has no volume.
    pub inverted: Option<Inverted>,
    /// What became of the contacts.
    pub contacts: ContactOutcome,
    /// How the edit gets along with floor and obstacles; none where there are none.
    pub penetration: Option<Penetration>,
}

impl EditReport {
    /// See [`Report::warnings`](crate::method::Report::warnings).
    pub fn warnings(&self) -> impl Iterator<Item = String> {
        warnings(&self.handles, self.held)
    }
}

/// When the control force is largest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForcePeak {
    /// When, in the scene's frames.
    pub frame: f64,
    /// ‖f‖ in the modes, N/√kg.
    pub norm: f64,
    /// The largest force on one vertex of the body, N, and that vertex; none where the skin moves, which
    /// weighs nothing.
    pub largest: Option<(f64, VertexId)>,
}

/// How much an edit changes the volume of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct VolumeChange {
    /// The largest change, as a part of the input's volume at that frame; negative if it shrinks.
    pub largest: f64,
    /// When, the scene's number.
    pub frame: i32,
}

/// Elements that are turned inside out in one frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inverted {
    /// How many the edit turned there though the input has them right: more than in any other frame, or as many as in
    /// any later one.
    pub count: usize,
    /// Which frame, the scene's number.
    pub frame: i32,
    /// How many the input itself has turned there.
    pub input: usize,
}

/// What became of the contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactOutcome {
    /// How many the input has.
    pub all: usize,
    /// How many clusters stand for them.
    pub clusters: usize,
    /// How many parts are planted.
    pub plants: usize,
    /// How far the linear edit moves a cluster's contact out of its plane, as a part of the size.
    pub linear_drift: f64,
    /// How far the motion as it is shown moves any contact out of its plane, as a part of the size.
    pub drift: f64,
}

/// How an edit gets along with floor and obstacles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Penetration {
    /// What is pushed farthest into one of them, farther than in the input; none if nothing is.
    pub deepest: Option<Deepest>,
    /// How many vertices are held on their surface, each frame counted.
    pub held: usize,
}

/// A vertex that is deeper in something than in the input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deepest {
    /// Which, of those that are written.
    pub vertex: VertexId,
    /// When, the scene's number.
    pub frame: i32,
    /// How much deeper.
    pub depth: f64,
}
