//! Reading `.bvh`.

use super::motion::{read_header, read_rows};
use super::skeleton::read_skeleton;
use super::words::Words;
use crate::{FormatError, RigClip, RigFile, check_memory};

/// Reads a BVH file: its joints, and one clip of at least one frame, which has no name.
///
/// # Errors
/// Braces that do not match, a joint without OFFSET or CHANNELS, two roots, no channels at all, a row with more or fewer
/// numbers than there are channels or one that is not finite, more or fewer rows than announced, too many joints or too
/// many inside of each other.
pub fn read_bvh(bytes: &[u8]) -> Result<RigFile, FormatError> {
    let mut words = Words::new(bytes);
    let mut file = read_skeleton(&mut words)?;
    let header = read_header(bytes, &mut words)?;
    let channels = file.channel_count();
    // Whatever is announced: a number takes two bytes at least, the last one a single one.
    let most = (words.left() / 2 + 1).min(header.frames.saturating_mul(channels));
    let memory = check_memory(most as u64, 8, || format!("{} frames", header.frames));
    memory.map_err(|problem| FormatError::whole_file(problem.into()))?;
    let mut values = Vec::with_capacity(most);
    read_rows(bytes, &mut words, &header, channels, |entry| {
        values.push(entry.value);
        Ok(())
    })?;
    let (seconds_per_frame, frames) = (header.seconds_per_frame, header.frames);
    file.clips.push(RigClip { name: String::new(), seconds_per_frame, frames, values });
    Ok(file)
}
