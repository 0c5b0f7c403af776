//! Which vertices of a shot's skin are one: those that coincide in every frame of its input.

use super::{SourceError, frames_of};
use crate::shot::Shot;
use supple_mesh::Weld;
use supple_model::{FrameSource, Progress};

/// Which of so many vertices coincide in every frame of a shot's input. Nothing does where the input has no such vertices, or
/// cannot be read: opening the motion says why. Cancelled, it answers what it knows so far.
pub(crate) fn weld_of(shot: &Shot, vertices: usize, progress: &Progress) -> Weld {
    found(shot, vertices, progress).ok().flatten().unwrap_or_else(|| Weld::none(vertices))
}

/// Frames are read for as long as anything coincides, which is the first one alone in most files.
fn found(shot: &Shot, vertices: usize, progress: &Progress) -> Result<Option<Weld>, SourceError> {
    let Some((_, mut source, ..)) = frames_of(shot)? else { return Ok(None) };
    if source.vertices() != vertices || source.frames() == 0 {
        return Ok(None);
    }
    let mut places = vec![[0.0; 3]; vertices];
    source.read(0, &mut places)?;
    let mut weld = Weld::of(&places);
    for index in 1..shot.motion.frames.unwrap_or(usize::MAX).min(source.frames()) {
        if weld.is_none() || progress.check().is_err() {
            break;
        }
        source.read(index, &mut places)?;
        weld.part(&places);
    }
    Ok(Some(weld))
}
