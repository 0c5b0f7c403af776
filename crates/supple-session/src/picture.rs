//! A frame on the stage, ready to be drawn.

use crate::{Generation, Wanted};
use std::sync::Arc;
use supple_project::method::{NearMark, Play, Points, ShownPoints, Stage};
use supple_project::picture::Strain;

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
    /// Where the scenery of the stage is in this frame, as far as it moves.
    pub scenery: Vec<Option<ShownPoints>>,
    /// How far the hand pushes it through floor or obstacles; letting go takes that back.
    pub depth: Option<f64>,
    /// Handles that hold in frames not far away.
    pub near: Vec<NearMark>,
}

/// The points of a frame, and of which it is.
pub(crate) struct Made {
    /// The state of the document.
    pub generation: Generation,
    /// Counted from 0.
    pub frame: usize,
    pub points: Points,
}

impl Picture {
    /// A frame that was made, with that of the input and its strain if they are wanted.
    pub(crate) fn of(play: &mut dyn Play, stage: &Arc<Stage>, wanted: &Wanted, made: Made) -> Arc<Self> {
        let Made { generation, frame, points } = made;
        let input = wanted.input.then(|| play.input(frame));
        let strain = wanted.strain.then(|| Strain::of(stage, &points));
        let scenery = stage.scenery.iter().map(|scenery| scenery.at(frame)).collect();
        let (depth, near) = (play.depth(frame), play.near(frame));
        Arc::new(Self {
            generation,
            stage: stage.clone(),
            frame,
            points,
            input,
            strain,
            scenery,
            depth,
            near,
        })
    }
}
