//! PC2, point cache 2, little-endian:
//! ```text
//! byte  0   "POINTCACHE2" and a zero byte
//!      12   i32  version, 1
//!      16   i32  vertices
//!      20   f32  start: the scene's number of the first frame
//!      24   f32  rate: frames of the scene from one frame of the file to the next
//!      28   i32  frames
//!      32   f32  x y z of every vertex, frame after frame
//! ```

use super::point_cache::{Layout, check_length, count, length, read_at};
use super::{MotionFormat, MotionInfo, MotionSettings, PointCache};
use crate::{FormatError, Place, Problem};
use std::io::{Read, Seek};

const MAGIC: &[u8; 12] = b"POINTCACHE2\0";

/// How long the header is.
pub(super) const HEADER: u64 = 32;

/// Opens a PC2: checks the header against the length of the file, and reads no frame yet.
///
/// # Errors
/// Bytes that are not a PC2 of version 1, counts that are not above 0, more or fewer bytes than they
/// announce, a start or rate that is no number of frames. Where the reader itself fails, its error.
pub fn read_pc2<R: Read + Seek>(mut reader: R) -> Result<PointCache<R>, FormatError> {
    let length = length(&mut reader)?;
    let mut header = [0; HEADER as usize];
    let there = length.min(HEADER) as usize;
    read_at(&mut reader, 0, &mut header[..there])?;
    if !header.starts_with(MAGIC) {
        let expected = "a PC2 file, which begins with POINTCACHE2 and a zero byte";
        let found = String::from_utf8_lossy(&header[..there.min(MAGIC.len())]);
        return Err(FormatError::at_place(Place::Byte(0), Problem::expected(expected, &found)));
    }
    if length < HEADER {
        let expected = format!("a header of {HEADER} bytes");
        return Err(FormatError::whole_file(Problem::Expected { expected, found: format!("{length}") }));
    }
    let word = |at: usize| [header[at], header[at + 1], header[at + 2], header[at + 3]];
    let error = |at: usize, problem| Err(FormatError::at_place(Place::Byte(at), problem));
    let version = i32::from_le_bytes(word(12));
    if version != 1 {
        return error(12, Problem::Unsupported(format!("version {version} of PC2")));
    }
    let vertices = count(i32::from_le_bytes(word(16)), "vertices", 16)?;
    let start = f32::from_le_bytes(word(20));
    if !start.is_finite() {
        return error(20, Problem::NotFinite(format!("a start at frame {start}")));
    }
    let rate = f32::from_le_bytes(word(24));
    if !(rate.is_finite() && rate > 0.0) {
        let expected = "a rate above 0 frames".to_owned();
        return error(24, Problem::Expected { expected, found: rate.to_string() });
    }
    let frames = count(i32::from_le_bytes(word(28)), "frames", 28)?;
    check_length(length, HEADER, vertices, frames, 28)?;
    let info = MotionInfo {
        format: MotionFormat::Pc2,
        vertices,
        frames,
        start: Some(f64::from(start)),
        step: f64::from(rate),
        fps: None,
        times: Vec::new(),
    };
    Ok(PointCache::new(reader, Layout::Pc2, HEADER, info))
}

/// The header of a file with this many frames; both counts fit, as the writer has checked.
pub(super) fn header(settings: &MotionSettings, frames: usize) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(1_i32.to_le_bytes());
    bytes.extend((settings.vertices as i32).to_le_bytes());
    bytes.extend((settings.start as f32).to_le_bytes());
    bytes.extend((settings.step as f32).to_le_bytes());
    bytes.extend((frames as i32).to_le_bytes());
    bytes
}
