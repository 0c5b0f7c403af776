//! The frames: their number, the time between them, and a line of numbers for each.

use super::words::{Words, lossy, number};
use crate::{FormatError, Problem};
use std::ops::Range;

/// What is said before the rows.
pub struct Header {
    pub frames: usize,
    pub seconds_per_frame: f64,
    /// The line that says how many frames there are.
    line: usize,
}

/// One number of the motion, and the bytes that write it.
pub struct Entry {
    pub frame: usize,
    /// Which number of its frame.
    pub index: usize,
    pub value: f64,
    pub bytes: Range<usize>,
}

/// Reads `Frames:` and `Frame Time:`, in either order.
pub fn read_header(bytes: &[u8], words: &mut Words<'_>) -> Result<Header, FormatError> {
    let (mut frames, mut seconds) = (None, None);
    while frames.is_none() || seconds.is_none() {
        let expected = if frames.is_none() { "Frames: and a number" } else { "Frame Time: and seconds" };
        let line = words.next_line().map(|range| &bytes[range]);
        let unexpected = || words.unexpected(expected, line.map(<[u8]>::trim_ascii));
        let text = line.ok_or_else(unexpected)?;
        if let Some(value) = after(text, &["frame", "time"]) {
            let time = number(value, "a time in seconds").map_err(|problem| words.error(problem))?;
            // So many frames in a second that they cannot be counted are none.
            if time <= 0.0 || time.recip().is_infinite() {
                return Err(words.unexpected("a time of more than 0 seconds between frames", Some(value)));
            }
            if seconds.replace(time).is_some() {
                return Err(unexpected());
            }
        } else if let Some(value) = after(text, &["frames"]) {
            let count = lossy(value).parse::<usize>();
            let count = count.map_err(|_| words.unexpected("a number of frames", Some(value)))?;
            if frames.replace((count, words.line())).is_some() {
                return Err(unexpected());
            }
        } else {
            return Err(unexpected());
        }
    }
    match (frames, seconds) {
        (Some((0, line)), _) => Err(FormatError::at(line, Problem::Empty("frames"))),
        (Some((frames, line)), Some(seconds_per_frame)) => Ok(Header { frames, seconds_per_frame, line }),
        _ => Err(words.unexpected("Frames: and Frame Time:", None)),
    }
}

/// What stands behind these words and a colon, if the line begins with them.
fn after<'a>(line: &'a [u8], keys: &[&str]) -> Option<&'a [u8]> {
    let mut rest = line.trim_ascii();
    for key in keys {
        let (start, end) = rest.split_at_checked(key.len())?;
        if !start.eq_ignore_ascii_case(key.as_bytes()) {
            return None;
        }
        rest = end.trim_ascii_start();
    }
    Some(rest.strip_prefix(b":").unwrap_or(rest).trim_ascii())
}

/// Reads the rows, each of so many `channels`, and hands over one number after another.
pub fn read_rows(
    bytes: &[u8],
    words: &mut Words<'_>,
    header: &Header,
    channels: usize,
    mut take: impl FnMut(Entry) -> Result<(), FormatError>,
) -> Result<(), FormatError> {
    for frame in 0..header.frames {
        let Some(line) = words.next_line() else {
            let (announced, found) = (header.frames, frame);
            return Err(FormatError::at(header.line, Problem::MissingFrames { announced, found }));
        };
        let mut index = 0;
        let mut at = line.start;
        while let Some(range) = next_number(&bytes[..line.end], at) {
            at = range.end;
            if index < channels {
                let value = number(&bytes[range.clone()], "a number");
                let value = value.map_err(|problem| words.error(problem))?;
                take(Entry { frame, index, value, bytes: range })?;
            }
            index += 1;
        }
        if index != channels {
            let expected = format!("{channels} numbers, one for each channel");
            return Err(words.error(Problem::Expected { expected, found: index.to_string() }));
        }
    }
    match words.next_line() {
        None => Ok(()),
        Some(line) => {
            let expected =
                format!("the end of the file after frame {}, the last it announces", header.frames);
            Err(words.unexpected(expected, Some(&bytes[line])))
        }
    }
}

/// The bytes of the next word from `at` on.
fn next_number(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let rest = &bytes[at..];
    let start = at + rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
    let length = bytes[start..].iter().position(u8::is_ascii_whitespace);
    Some(start..length.map_or(bytes.len(), |length| start + length))
}
