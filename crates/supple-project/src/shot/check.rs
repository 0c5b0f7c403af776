//! What sections of a shot say together.

use super::schema::{BodyKind, ELASTIC, Edit, Input, Method, Motion, NEEDS_A_FILE, SecondsPerFrame};
use super::{Shot, describe::*};

/// The method is that of the body where none is named, and all sections are as body and method need them.
pub(super) fn sections(mut shot: Shot, section: &Section<'_>) -> Result<Shot, ShotError> {
    let edit = section.optional("edit").map(|edit| edit.keys::<Edit>()).transpose()?;
    let motion = section.optional("motion").map(|motion| motion.keys::<Motion>()).transpose()?;
    if edit.as_ref().is_none_or(|edit| edit.optional("method").is_none()) {
        shot.edit.method = Method::of(shot.body.kind);
    }
    if let Some(edit) = &edit {
        fits(&shot, edit)?;
        shot.edit.check(edit)?;
    }
    if shot.body.kind == BodyKind::Character {
        for key in ["simulate", "load", "pin"] {
            section.demand(key, false, ELASTIC)?;
        }
        let plants = "is for elastic bodies; what a character stands on is a handle, as in `stay = true`";
        section.demand("contacts", false, plants)?;
    }
    motion.map_or(Ok(()), |motion| input(&shot, &motion))?;
    Ok(shot)
}

/// Characters have a method of their own.
fn fits(shot: &Shot, edit: &Section<'_>) -> Result<(), ShotError> {
    let (kind, method) = (shot.body.kind, shot.edit.method);
    let problem = match kind {
        BodyKind::Character => format!(
            "cannot be {:?} with a body of kind \"character\"; leave it out, or write \"character\"",
            method.name()
        ),
        other => format!(
            "is for a body of kind \"character\", and this body's kind is {:?}; choose another one",
            other.name()
        ),
    };
    edit.demand("method", (kind == BodyKind::Character) == (method == Method::Character), &problem)
}

/// `[motion]` is as body and method need it.
fn input(shot: &Shot, motion: &Section<'_>) -> Result<(), ShotError> {
    let is_chain = !shot.edit.segments.is_empty();
    let lengths = "cannot be combined with segments, which have their own lengths; remove it";
    motion.demand("frames", !is_chain, lengths)?;
    let is_fine = shot.edit.method != Method::Sparse || shot.motion.input == Input::Rest;
    let from_rest = "cannot be the input of the method \"sparse\", which makes a motion from rest; write `input = \"rest\"`";
    motion.demand("input", is_fine, from_rest)?;
    if shot.body.kind != BodyKind::Character {
        // A skeleton at rest has a file, whose unit and axis up they are.
        let is_file = matches!(shot.motion.input, Input::File(_));
        for key in ["unit", "up"] {
            motion.demand(key, is_file, NEEDS_A_FILE)?;
        }
        return Ok(());
    }
    let simulated = "cannot be \"simulate\" with a character; name a motion file, as in `input = \"walk.bvh\"`, or write \"rest\"";
    motion.demand("input", shot.motion.input != Input::Simulate, simulated)?;
    for key in ["object", "topology", "fit"] {
        motion.demand(key, false, ELASTIC)?;
    }
    let is_auto = shot.motion.seconds_per_frame == SecondsPerFrame::Auto;
    motion.demand("seconds_per_frame", is_auto, ELASTIC)
}
