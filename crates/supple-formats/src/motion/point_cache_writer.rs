//! Writing PC2 and MDD: frames first, behind room for the header, which is written last, when the
//! number of frames is known.
//!
//! The header of an MDD grows with the number of frames. When another number came than was expected,
//! the frames are moved to where they belong, within the file and piece by piece.

use super::point_cache::{BYTES_PER_VERTEX, Layout};
use super::staged::Staged;
use super::{MotionSettings, MotionWriter, mdd, pc2};
use crate::{FormatError, Problem};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use supple_model::{FrameError, FrameSink};

/// How much is moved at once.
const PIECE: u64 = 1 << 20;

/// The most frames or vertices that the formats can count.
const MOST: usize = i32::MAX as usize;

pub(crate) struct PointCacheWriter {
    staged: Staged,
    path: PathBuf,
    layout: Layout,
    settings: MotionSettings,
    /// Where the frames begin.
    data_at: u64,
    /// How many there are so far.
    frames: usize,
    /// The bytes of one frame.
    buffer: Vec<u8>,
}

impl PointCacheWriter {
    pub fn new(path: &Path, layout: Layout, settings: MotionSettings) -> Result<Self, FormatError> {
        if settings.vertices > MOST {
            let what = format!("a motion of more than {MOST} vertices");
            return Err(FormatError::whole_file(Problem::Unsupported(what)));
        }
        let staged = Staged::new(path).map_err(unwritable)?;
        let data_at = header_length(layout, settings.expected_frames.min(MOST));
        let path = path.to_path_buf();
        Ok(Self { staged, path, layout, settings, data_at, frames: 0, buffer: Vec::new() })
    }

    fn frame_bytes(&self) -> u64 {
        BYTES_PER_VERTEX * self.settings.vertices as u64
    }

    fn write_frame(&mut self, positions: &[[f64; 3]]) -> Result<(), FormatError> {
        let frame = self.settings.number(self.frames);
        check_frame(positions, self.settings.vertices, frame)?;
        if self.frames == MOST {
            let what = format!("a motion of more than {MOST} frames");
            return Err(FormatError::whole_file(Problem::Unsupported(what)));
        }
        self.buffer.clear();
        match self.layout {
            Layout::Pc2 => encode(positions, frame, f32::to_le_bytes, &mut self.buffer)?,
            Layout::Mdd => {
                let time = self.settings.time(self.frames);
                if !(time as f32).is_finite() {
                    let what = format!("the time of frame {frame}, {time:?} seconds,");
                    return Err(FormatError::whole_file(Problem::NotFinite(what)));
                }
                encode(positions, frame, f32::to_be_bytes, &mut self.buffer)?;
            }
        }
        // Each frame is sent to its place, so that one that failed halfway leaves no trace.
        let at = self.data_at + self.frame_bytes() * self.frames as u64;
        let file = self.staged.file();
        file.seek(SeekFrom::Start(at)).and_then(|_| file.write_all(&self.buffer)).map_err(unwritable)?;
        self.frames += 1;
        Ok(())
    }

    fn complete(self) -> Result<(), FormatError> {
        if self.frames == 0 {
            return Err(FormatError::whole_file(Problem::NoFrames));
        }
        let data = self.frame_bytes() * self.frames as u64;
        let data_at = header_length(self.layout, self.frames);
        let header = match self.layout {
            Layout::Pc2 => pc2::header(&self.settings, self.frames),
            Layout::Mdd => mdd::header(&self.settings, self.frames),
        };
        let put = |mut staged: Staged| -> io::Result<()> {
            let file = staged.file();
            shift(file, self.data_at, data_at, data, PIECE)?;
            file.set_len(data_at + data)?;
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&header)?;
            staged.persist()
        };
        put(self.staged).map_err(unwritable)
    }
}

impl FrameSink for PointCacheWriter {
    fn write(&mut self, positions: &[[f64; 3]]) -> Result<(), FrameError> {
        self.write_frame(positions).map_err(|error| error.in_file(&self.path).into())
    }
}

impl MotionWriter for PointCacheWriter {
    fn finish(self: Box<Self>) -> Result<(), FormatError> {
        let path = self.path.clone();
        self.complete().map_err(|error| error.in_file(path))
    }
}

fn header_length(layout: Layout, frames: usize) -> u64 {
    match layout {
        Layout::Pc2 => pc2::HEADER,
        Layout::Mdd => mdd::header_length(frames),
    }
}

pub(crate) fn unwritable(error: io::Error) -> FormatError {
    FormatError::whole_file(Problem::Unwritable(error))
}

/// Checks the number of vertices of a frame, and that all are finite.
pub(crate) fn check_frame(positions: &[[f64; 3]], vertices: usize, frame: f64) -> Result<(), FormatError> {
    if positions.len() != vertices {
        return Err(FormatError::whole_file(Problem::OtherCount {
            what: "vertices",
            culprit: format!("frame {frame}"),
            found: positions.len(),
            reference: "the motion".to_owned(),
            expected: vertices,
        }));
    }
    for (vertex, position) in positions.iter().enumerate() {
        if let Some(&value) = position.iter().find(|x| !x.is_finite()) {
            return Err(FormatError::whole_file(Problem::NotFiniteAt { frame, vertex, value }));
        }
    }
    Ok(())
}

fn encode(
    positions: &[[f64; 3]],
    frame: f64,
    to_bytes: impl Fn(f32) -> [u8; 4],
    bytes: &mut Vec<u8>,
) -> Result<(), FormatError> {
    for (vertex, position) in positions.iter().enumerate() {
        for &value in position {
            let single = value as f32;
            if !single.is_finite() {
                let problem = Problem::BeyondSinglePrecision { frame, vertex, value };
                return Err(FormatError::whole_file(problem));
            }
            bytes.extend(to_bytes(single));
        }
    }
    Ok(())
}

/// Moves `length` bytes from `from` to `to`, in pieces: from the front when they move to the front,
/// from the back when they move to the back, so that nothing is overwritten before it was read.
pub(crate) fn shift(
    file: &mut (impl Read + Write + Seek),
    from: u64,
    to: u64,
    length: u64,
    piece: u64,
) -> io::Result<()> {
    if from == to {
        return Ok(());
    }
    let mut buffer = Vec::new();
    let mut moved = 0;
    while moved < length {
        let bytes = piece.min(length - moved);
        let offset = if to < from { moved } else { length - moved - bytes };
        buffer.resize(bytes as usize, 0);
        file.seek(SeekFrom::Start(from + offset))?;
        file.read_exact(&mut buffer)?;
        file.seek(SeekFrom::Start(to + offset))?;
        file.write_all(&buffer)?;
        moved += bytes;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn bytes_move_either_way_by_less_or_more_than_a_piece() {
        for (from, to) in [(30, 3), (9, 7), (7, 9), (3, 30), (5, 5)] {
            for length in [0, 1, 4, 8, 11] {
                let bytes: Vec<u8> = (0..50).collect();
                let expected = bytes[from..from + length].to_vec();
                let mut file = Cursor::new(bytes);
                shift(&mut file, from as u64, to as u64, length as u64, 4).unwrap();
                assert_eq!(file.into_inner()[to..to + length], expected, "{length} from {from} to {to}");
            }
        }
    }
}
