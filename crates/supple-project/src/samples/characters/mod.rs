//! The built-in shots of characters: the examples of Gleicher 1997, Table 1, with its freedoms, keys and frames.
//!
//! Their motion is made here, by formulas: feet that really stand, hips thrown in a parabola, hands on a treasure.

mod ask;
mod bones;
mod feet;
mod figure;
mod jump;
mod thief;
mod walk;

pub(super) use bones::strobe;

use crate::ShotError;
use crate::shot::{End, Shot};
use supple_formats::RigFile;

/// Fills in what a shot asks of its character, and answers the character's file.
pub(super) type Act = fn(&mut Shot) -> Result<RigFile, ShotError>;

pub(super) const JUMP_2D: Act = jump::plane;
pub(super) const SLIDE_2D: Act = walk::plane_slide;
pub(super) const SLIDE_3D: Act = walk::space_slide;
pub(super) const THIEF: Act = thief::space;
pub(super) const WALK_2D: Act = walk::plane;
pub(super) const WALK_3D: Act = walk::space;
pub(super) const WALK_3D_NO_FEET: Act = walk::without_feet;

/// How free an edit is in time.
struct Kept {
    /// The keys of its curve.
    keys: usize,
    /// Whether it begins as the input does.
    start: End,
}

#[cfg(test)]
mod tests;
