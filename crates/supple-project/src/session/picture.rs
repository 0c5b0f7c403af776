//! A frame on the stage, ready to be drawn.

use super::wishes::Wanted;
use super::{Generation, Strain};
use crate::method::{Play, Points, Stage};
use std::sync::Arc;

/// A frame of the edited motion, ready to be drawn.
#[derive(Debug)]
pub struct Picture {
    /// The state of the document it shows.
    pub generation: Generation,
    /// The stage its points are those of.
    pub stage: Arc<Stage>,
    /// Which frame, counted from 0.
    pub frame: usize,
    /// Its points.
    pub points: Points,
    /// The same frame of the input, where that was wanted.
    pub input: Option<Arc<Points>>,
    /// How far it is strained, where that was wanted.
    pub strain: Option<Strain>,
    /// How far the hand pushes it through floor or obstacles; letting go takes that back.
    pub depth: Option<f64>,
}

impl Picture {
    /// The points of a frame, with those of the input and their strain if they are wanted.
    pub(super) fn of(
        play: &mut dyn Play,
        stage: &Arc<Stage>,
        wanted: &Wanted,
        (generation, frame): (Generation, usize),
        points: Points,
    ) -> Arc<Self> {
        let input = wanted.input.then(|| play.input(frame));
        let strain = wanted.strain.then(|| Strain::of(stage, &points));
        let depth = play.depth(frame);
        Arc::new(Self { generation, stage: stage.clone(), frame, points, input, strain, depth })
    }
}
