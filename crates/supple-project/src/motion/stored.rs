//! Frames in an entry of the cache: the number of vertices and of frames, then the positions frame by frame, then
//! whatever else belongs to them.

use crate::{Payload, PayloadWriter};
use std::io;
use supple_model::{FrameError, FrameSource};

/// Bytes before the first frame.
const HEADER: u64 = 16;

/// Frames in an entry of the cache.
pub(super) struct Stored {
    payload: Payload,
    vertices: usize,
    frames: usize,
}

impl Stored {
    /// Begins an entry.
    pub fn begin(payload: &mut PayloadWriter<'_>, vertices: usize, frames: usize) -> io::Result<()> {
        payload.u64(vertices as u64)?;
        payload.u64(frames as u64)
    }

    /// `None` when the entry is of something else.
    pub fn open(mut payload: Payload, vertices: usize, frames: usize) -> io::Result<Option<Self>> {
        let found = (payload.u64()?, payload.u64()?);
        Ok((found == (vertices as u64, frames as u64)).then_some(Self { payload, vertices, frames }))
    }

    /// What comes after the frames.
    pub fn rest(&mut self) -> io::Result<&mut Payload> {
        self.payload.go_to(self.at(self.frames))?;
        Ok(&mut self.payload)
    }

    fn at(&self, frame: usize) -> u64 {
        HEADER + 24 * self.vertices as u64 * frame as u64
    }
}

impl FrameSource for Stored {
    fn vertices(&self) -> usize {
        self.vertices
    }

    fn frames(&self) -> usize {
        self.frames
    }

    fn read(&mut self, index: usize, positions: &mut [[f64; 3]]) -> Result<(), FrameError> {
        let at = self.at(index);
        let mut read = || {
            self.payload.go_to(at)?;
            self.payload.f64s(3 * self.vertices)
        };
        let numbers = read().map_err(|error: io::Error| FrameError(Box::new(error)))?;
        positions.as_flattened_mut().copy_from_slice(&numbers);
        Ok(())
    }
}
