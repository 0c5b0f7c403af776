//! What PC2 and MDD have in common: after a header, frame after frame of f32 coordinates, x y z of
//! every vertex, so that frame i begins at `data_at` + 12·vertices·i.

use super::{MotionInfo, MotionReader};
use crate::{FormatError, Place, Problem, SurfaceFile};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use supple_model::{FrameError, FrameSource};

/// Three f32.
pub(super) const BYTES_PER_VERTEX: u64 = 12;

/// Which of the two; they differ in header and byte order.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Layout {
    Pc2,
    Mdd,
}

/// A PC2 or MDD, of which one frame is in memory at a time: see [`crate::read_pc2`] and
/// [`crate::read_mdd`].
#[derive(Debug)]
pub struct PointCache<R> {
    reader: R,
    path: Option<PathBuf>,
    layout: Layout,
    data_at: u64,
    info: MotionInfo,
    /// The bytes of one frame.
    buffer: Vec<u8>,
}

impl<R: Read + Seek> PointCache<R> {
    pub(super) fn new(reader: R, layout: Layout, data_at: u64, info: MotionInfo) -> Self {
        Self { reader, path: None, layout, data_at, info, buffer: Vec::new() }
    }

    pub(crate) fn in_file(self, path: &Path) -> Self {
        Self { path: Some(path.to_path_buf()), ..self }
    }

    fn read_frame(&mut self, index: usize, positions: &mut [[f64; 3]]) -> Result<(), FormatError> {
        let bytes = BYTES_PER_VERTEX * self.info.vertices as u64;
        let at = self.data_at + bytes * index as u64;
        // No more than the file holds: its length was checked.
        self.buffer.resize(bytes as usize, 0);
        read_at(&mut self.reader, at, &mut self.buffer)?;
        match self.layout {
            Layout::Pc2 => decode(&self.buffer, f32::from_le_bytes, positions),
            Layout::Mdd => decode(&self.buffer, f32::from_be_bytes, positions),
        }
        let not_finite = |position: &[f64; 3]| position.iter().position(|x| !x.is_finite());
        match positions.iter().enumerate().find_map(|(v, position)| Some((v, not_finite(position)?))) {
            None => Ok(()),
            Some((vertex, axis)) => {
                let place = Place::Byte((at + BYTES_PER_VERTEX * vertex as u64) as usize + 4 * axis);
                let (frame, value) = (self.info.number(index), positions[vertex][axis]);
                Err(FormatError::at_place(place, Problem::NotFiniteAt { frame, vertex, value }))
            }
        }
    }
}

impl<R: Read + Seek + Send> FrameSource for PointCache<R> {
    fn vertices(&self) -> usize {
        self.info.vertices
    }

    fn frames(&self) -> usize {
        self.info.frames
    }

    fn read(&mut self, index: usize, positions: &mut [[f64; 3]]) -> Result<(), FrameError> {
        crate::asked::check_asked(self, index, positions);
        self.read_frame(index, positions).map_err(|error| match &self.path {
            Some(path) => error.in_file(path).into(),
            None => error.into(),
        })
    }
}

impl<R: Read + Seek + Send> MotionReader for PointCache<R> {
    fn info(&self) -> &MotionInfo {
        &self.info
    }

    fn topology(&self) -> Option<&SurfaceFile> {
        None
    }
}

fn decode(bytes: &[u8], from_bytes: impl Fn([u8; 4]) -> f32, positions: &mut [[f64; 3]]) {
    let (numbers, _) = bytes.as_chunks::<4>();
    for (position, numbers) in positions.iter_mut().zip(numbers.chunks_exact(3)) {
        for (x, bytes) in position.iter_mut().zip(numbers) {
            *x = f64::from(from_bytes(*bytes));
        }
    }
}

/// How long the file is.
pub(super) fn length(reader: &mut impl Seek) -> Result<u64, FormatError> {
    reader.seek(SeekFrom::End(0)).map_err(unreadable)
}

pub(super) fn read_at(reader: &mut (impl Read + Seek), at: u64, bytes: &mut [u8]) -> Result<(), FormatError> {
    reader.seek(SeekFrom::Start(at)).and_then(|_| reader.read_exact(bytes)).map_err(unreadable)
}

fn unreadable(error: std::io::Error) -> FormatError {
    FormatError::whole_file(Problem::Unreadable(error))
}

/// A count of the header, at byte `at` of it: at least one.
pub(super) fn count(number: i32, what: &'static str, at: usize) -> Result<usize, FormatError> {
    let error = |problem| Err(FormatError::at_place(Place::Byte(at), problem));
    match usize::try_from(number) {
        Ok(0) => error(Problem::Empty(what)),
        Ok(count) => Ok(count),
        Err(_) => {
            let expected = format!("a number of {what} above 0");
            error(Problem::Expected { expected, found: number.to_string() })
        }
    }
}

/// Checks that a file of this `length` holds exactly the frames it announces at byte `announced_at`.
pub(super) fn check_length(
    length: u64,
    data_at: u64,
    vertices: usize,
    frames: usize,
    announced_at: usize,
) -> Result<(), FormatError> {
    // Counts below 2^31 each: the product fits in 128 bits, not in 64.
    let frame = u128::from(BYTES_PER_VERTEX) * vertices as u128;
    let due = u128::from(data_at) + frame * frames as u128;
    let there = u128::from(length);
    if there < due {
        let found = (there.saturating_sub(u128::from(data_at)) / frame) as usize;
        let problem = Problem::MissingFrames { announced: frames, found };
        return Err(FormatError::at_place(Place::Byte(announced_at), problem));
    }
    if there > due {
        let problem = Problem::TrailingBytes { bytes: (there - due) as u64 };
        return Err(FormatError::at_place(Place::Byte(due as usize), problem));
    }
    Ok(())
}
