//! A `.bvh` with other numbers, and otherwise the same text.

use super::motion::{read_header, read_rows};
use super::skeleton::read_skeleton;
use super::words::Words;
use super::write::write_value;
use crate::{FormatError, Problem};
use std::io::Write;

/// Writes a BVH file anew, with some of its numbers replaced.
///
/// `changed` is asked for every number, by frame and by place in the frame, both from 0; what it gives is written with six
/// decimals. All else keeps its text to the byte: names, blanks, ends of lines, and the numbers for which it gives nothing.
///
/// # Errors
/// What [`read_bvh`](crate::read_bvh) says of the original, a number that is not finite, and those of `out`; what has been
/// written by then is to be thrown away.
pub fn rewrite_bvh(
    original: &[u8],
    changed: &mut dyn FnMut(usize, usize) -> Option<f64>,
    mut out: impl Write,
) -> Result<(), FormatError> {
    let mut words = Words::new(original);
    let channels = read_skeleton(&mut words)?.channel_count();
    let header = read_header(original, &mut words)?;
    let unwritable = |error| FormatError::whole_file(Problem::Unwritable(error));
    let mut written = 0;
    read_rows(original, &mut words, &header, channels, |entry| {
        if let Some(value) = changed(entry.frame, entry.index) {
            out.write_all(&original[written..entry.bytes.start]).map_err(unwritable)?;
            write_value(value, &mut out)?;
            written = entry.bytes.end;
        }
        Ok(())
    })?;
    out.write_all(&original[written..]).and_then(|()| out.flush()).map_err(unwritable)
}
