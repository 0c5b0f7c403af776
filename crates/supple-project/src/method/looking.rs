//! A shot that can be looked at while its modes are prepared.

use super::live::{Live, LiveError, Play};
use super::player::Player;
use super::report::Report;
use super::stage::{Points, Stage};
use super::way::Way;
use crate::body::Body;
use crate::motion::InputMotion;
use crate::scenery::Scenery;
use crate::shot::{Edit, Shot};
use std::sync::Arc;
use supple_model::Progress;

/// So many frames tell where the input goes, of what may be read from a slow disk.
const LOOKS: usize = 12;

/// The input, before anything can be edited.
pub(super) struct Looking {
    stage: Arc<Stage>,
    player: Player,
}

impl Looking {
    pub fn new(shot: &Shot, body: Arc<Body>, input: InputMotion) -> Result<Self, LiveError> {
        let mut stage = Stage {
            clock: input.clock,
            wanted_modes: shot.edit.modes,
            warnings: input.warnings.iter().map(ToString::to_string).collect(),
            ..Stage::of_body(body.clone(), input.of, Scenery::around(shot, &body))
        };
        let mut player = Player::of_input(shot, body, input)?;
        let way = Way::of(stage.clock.frames, LOOKS, |frame| player.input(frame));
        stage.set_way(way, shot);
        Ok(Self { stage: Arc::new(stage), player })
    }
}

impl Play for Looking {
    fn points(&mut self, frame: usize) -> Points {
        self.player.points(frame)
    }

    fn input(&mut self, frame: usize) -> Arc<Points> {
        self.player.input(frame)
    }
}

impl Live for Looking {
    fn stage(&self) -> &Arc<Stage> {
        &self.stage
    }

    fn ask(&mut self, edit: &Edit, _: &Progress) -> Result<Vec<Option<String>>, LiveError> {
        Ok(vec![None; edit.all_handles().count()])
    }

    fn grab(&mut self, _: usize, _: usize, _: &Progress) -> Result<(), LiveError> {
        Err(LiveError::NotYet)
    }

    fn drag(&mut self, _: [f64; 3], _: &Progress) -> Result<f64, LiveError> {
        Err(LiveError::NotYet)
    }

    fn refresh(&mut self, _: &Progress) -> Result<(), LiveError> {
        Ok(())
    }

    fn put_down(&mut self) {}

    fn settle(&mut self, _: &Progress) -> Result<(), LiveError> {
        Ok(())
    }

    fn report(&mut self, _: &Progress, _: &mut dyn FnMut(&mut dyn Play)) -> Result<Report, LiveError> {
        Err(LiveError::NotYet)
    }

    fn force_at(&mut self, _: u32) -> Vec<f64> {
        Vec::new()
    }

    fn moved_by(&mut self, _: u32, _: usize) -> [f64; 3] {
        [0.0; 3]
    }
}
