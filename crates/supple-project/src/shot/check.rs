//! What sections of a shot say together.

use super::schema::{Input, Method, Motion};
use super::{Shot, describe::*};

/// `[motion]` is as `[edit]` needs it.
pub(super) fn sections(shot: &Shot, section: &Section<'_>) -> Result<(), ShotError> {
    let Some(motion) = section.optional("motion") else { return Ok(()) };
    let motion = motion.keys::<Motion>()?;
    let is_chain = !shot.edit.segments.is_empty();
    let lengths = "cannot be combined with segments, which have their own lengths; remove it";
    motion.demand("frames", !is_chain, lengths)?;
    let is_fine = shot.edit.method != Method::Sparse || shot.motion.input == Input::Rest;
    let from_rest = "cannot be the input of the method \"sparse\", which makes a motion from rest; write `input = \"rest\"`";
    motion.demand("input", is_fine, from_rest)
}
