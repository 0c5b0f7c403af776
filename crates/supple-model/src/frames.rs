//! Motion as frames that are read and written one at a time, so that it never has to fit in memory.

use std::error::Error;
use std::fmt;

/// The scene's own number of a frame; the first frame of a motion may have any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Frame(pub i32);

impl fmt::Display for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "frame {}", self.0)
    }
}

/// Why a frame could not be read or written: the message of whoever tried.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct FrameError(#[from] pub Box<dyn Error + Send + Sync>);

/// Where frames come from. Frames are counted from 0 here, whatever the scene calls them.
pub trait FrameSource: Send {
    /// How many points each frame has.
    fn vertices(&self) -> usize;

    /// How many frames there are.
    fn frames(&self) -> usize;

    /// Overwrites `positions` with the points of frame `index`, in any order of frames.
    ///
    /// # Errors
    /// When the frame cannot be read or holds a number that is not finite.
    ///
    /// # Panics
    /// When there is no such frame, or `positions` has not [`Self::vertices`] entries.
    fn read(&mut self, index: usize, positions: &mut [[f64; 3]]) -> Result<(), FrameError>;
}

/// Where frames go, first to last.
pub trait FrameSink {
    /// Takes the next frame.
    ///
    /// # Errors
    /// When it cannot be written, or has not as many points as the frames before.
    fn write(&mut self, positions: &[[f64; 3]]) -> Result<(), FrameError>;
}

impl FrameSink for Vec<Vec<[f64; 3]>> {
    fn write(&mut self, positions: &[[f64; 3]]) -> Result<(), FrameError> {
        self.push(positions.to_vec());
        Ok(())
    }
}

/// Frames held in memory.
impl FrameSource for Vec<Vec<[f64; 3]>> {
    fn vertices(&self) -> usize {
        self.first().map_or(0, Vec::len)
    }

    fn frames(&self) -> usize {
        self.len()
    }

    fn read(&mut self, index: usize, positions: &mut [[f64; 3]]) -> Result<(), FrameError> {
        positions.copy_from_slice(&self[index]);
        Ok(())
    }
}
