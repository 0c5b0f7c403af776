//! A motion that is looked at while it is simulated.

use super::rest::AtRest;
use std::sync::{Arc, Mutex, PoisonError};
use supple_model::{FrameError, FrameSource};

/// The frames there are so far, in single precision: for the eye only. The last of them stands for those to come, and
/// the body at rest before there is any.
pub(super) struct PartialSimulation {
    frames: Arc<Mutex<Vec<Vec<[f32; 3]>>>>,
    rest: AtRest,
}

/// Where frames are added.
#[derive(Clone)]
pub(super) struct Growth(Arc<Mutex<Vec<Vec<[f32; 3]>>>>);

impl PartialSimulation {
    pub fn new(rest: AtRest) -> (Self, Growth) {
        let frames = Arc::default();
        (Self { frames: Arc::clone(&frames), rest }, Growth(frames))
    }
}

impl Growth {
    /// Adds a frame, unless nobody looks any more.
    pub fn add(&self, positions: &[[f64; 3]]) {
        if Arc::strong_count(&self.0) > 1 {
            let single = positions.iter().map(|p| p.map(|x| x as f32)).collect();
            self.0.lock().unwrap_or_else(PoisonError::into_inner).push(single);
        }
    }

    /// Takes all frames back, for a simulation that begins anew.
    pub fn begin_again(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

impl FrameSource for PartialSimulation {
    fn vertices(&self) -> usize {
        self.rest.vertices()
    }

    fn frames(&self) -> usize {
        self.rest.frames()
    }

    fn read(&mut self, index: usize, positions: &mut [[f64; 3]]) -> Result<(), FrameError> {
        let frames = self.frames.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(frame) = frames.get(index).or(frames.last()) else {
            drop(frames);
            return self.rest.read(index, positions);
        };
        positions.iter_mut().zip(frame).for_each(|(to, from)| *to = from.map(f64::from));
        Ok(())
    }
}
