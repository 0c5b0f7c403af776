//! MDD, big-endian:
//! ```text
//! byte  0   i32  frames
//!       4   i32  vertices
//!       8   f32  time of every frame, in seconds
//!           f32  x y z of every vertex, frame after frame
//! ```
//! Times stand for frames t_i = (start + i) / fps, but have only 24 bits: see `rate`.

use super::point_cache::{Layout, check_length, count, length, read_at};
use super::rate::{even_rate, rounding};
use super::{MotionFormat, MotionInfo, MotionSettings, PointCache};
use crate::{FormatError, Place, Problem};
use std::io::{Read, Seek};

const COUNTS: u64 = 8;

/// How long the header is, table of times included.
pub(super) fn header_length(frames: usize) -> u64 {
    COUNTS + 4 * frames as u64
}

/// Opens an MDD: checks the header against the length of the file, and reads the times but no frame.
///
/// # Errors
/// Counts that are not above 0, more or fewer bytes than they announce, a time that is not finite.
/// Where the reader itself fails, its error.
pub fn read_mdd<R: Read + Seek>(mut reader: R) -> Result<PointCache<R>, FormatError> {
    let length = length(&mut reader)?;
    if length < COUNTS {
        let expected = "the numbers of frames and vertices, 8 bytes".to_owned();
        return Err(FormatError::whole_file(Problem::Expected { expected, found: format!("{length}") }));
    }
    let mut counts = [0; COUNTS as usize];
    read_at(&mut reader, 0, &mut counts)?;
    let [a, b, c, d, e, f, g, h] = counts;
    let frames = count(i32::from_be_bytes([a, b, c, d]), "frames", 0)?;
    let vertices = count(i32::from_be_bytes([e, f, g, h]), "vertices", 4)?;
    let data_at = header_length(frames);
    check_length(length, data_at, vertices, frames, 0)?;
    let times = read_times(&mut reader, frames)?;
    let fps = even_rate(&times);
    let info = MotionInfo {
        format: MotionFormat::Mdd,
        vertices,
        frames,
        start: fps.and_then(|fps| start(&times, fps)),
        step: 1.0,
        fps,
        times,
    };
    Ok(PointCache::new(reader, Layout::Mdd, data_at, info))
}

/// The table of times; the file is long enough for it.
fn read_times(reader: &mut (impl Read + Seek), frames: usize) -> Result<Vec<f64>, FormatError> {
    let mut bytes = vec![0; 4 * frames];
    read_at(reader, COUNTS, &mut bytes)?;
    let (words, _) = bytes.as_chunks::<4>();
    let times: Vec<f64> = words.iter().map(|word| f64::from(f32::from_be_bytes(*word))).collect();
    match times.iter().position(|time| !time.is_finite()) {
        None => Ok(times),
        Some(i) => {
            let place = Place::Byte(COUNTS as usize + 4 * i);
            let what = format!("the time of frame {}, {},", i + 1, times[i]);
            Err(FormatError::at_place(place, Problem::NotFinite(what)))
        }
    }
}

fn start(times: &[f64], fps: f64) -> Option<f64> {
    let first = *times.first().filter(|first| **first != 0.0)?;
    let number = first * fps;
    let whole = number.round();
    Some(if (number - whole).abs() <= rounding(times) * fps { whole } else { number })
}

/// The header of a file with this many frames; both counts fit, as the writer has checked.
pub(super) fn header(settings: &MotionSettings, frames: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(header_length(frames) as usize);
    bytes.extend((frames as i32).to_be_bytes());
    bytes.extend((settings.vertices as i32).to_be_bytes());
    for i in 0..frames {
        bytes.extend((settings.time(i) as f32).to_be_bytes());
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_give_back_the_first_frame() {
        let table = |first: f64, fps: f64| -> Vec<f64> {
            (0..240).map(|i| f64::from(((first + f64::from(i)) / fps) as f32)).collect()
        };
        for fps in [24.0, 25.0, 30_000.0 / 1001.0, 60.0, 12.5] {
            for first in [1.0, 1001.0, -30.0, 0.5] {
                let found = start(&table(first, fps), fps).unwrap();
                assert!((found - first).abs() < 1e-3, "{found} for {first} at {fps}");
            }
        }
        assert_eq!(start(&table(1001.0, 24.0), 24.0), Some(1001.0));
        assert_eq!(start(&table(0.0, 24.0), 24.0), None, "0 is what programs write for any frame");
    }
}
