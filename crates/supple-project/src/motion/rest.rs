//! A motion in which nothing moves.

use crate::body::Body;
use crate::shot::Shot;
use supple_model::{FrameError, FrameSource};

/// The body at rest in every frame.
pub(super) struct AtRest {
    positions: Vec<[f64; 3]>,
    frames: usize,
}

impl AtRest {
    pub fn of(body: &Body, shot: &Shot) -> Self {
        let positions = body.positions().iter().map(|p| (*p).into()).collect();
        Self { positions, frames: shot.motion.clock().frames }
    }
}

impl FrameSource for AtRest {
    fn vertices(&self) -> usize {
        self.positions.len()
    }

    fn frames(&self) -> usize {
        self.frames
    }

    fn read(&mut self, _: usize, positions: &mut [[f64; 3]]) -> Result<(), FrameError> {
        positions.copy_from_slice(&self.positions);
        Ok(())
    }
}
