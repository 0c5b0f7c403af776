//! What handles of a character may ask, and what only they may.

use super::goal::FOR_CHARACTERS;
use super::{Goal, Handle, Method, Site, When};
use crate::shot::describe::*;

/// A handle of an elastic body asks for nothing that only characters can do.
pub(super) fn refuse(method: Method, section: &Section<'_>) -> Result<(), ShotError> {
    let problem = format!("is for the method \"character\", and this shot's method is {:?}", method.name());
    let keys = FOR_CHARACTERS.iter().chain(&["offset", "layer", "prop"]);
    keys.copied().try_for_each(|key| section.demand(key, false, &problem))
}

/// A handle of a character asks for what it can do.
pub(super) fn check(handle: &Handle, section: &Section<'_>) -> Result<(), ShotError> {
    site(&handle.site, section)?;
    if let (Some(site_of), Some(field)) = (&handle.relative_to, section.optional("relative_to")) {
        site(site_of, &field.keys::<Site>()?)?;
    }
    section.demand("points", false, "is for several vertices; a joint is one point, so remove it")?;
    let turn = "is for elastic bodies; turn a joint of a character with `orientation`";
    section.demand("turn", false, turn)?;
    let key = handle.goal.key();
    if !handle.goal.takes_axes() {
        section.demand("axes", false, &format!("cannot be combined with `{key}`; remove one of them"))?;
    }
    if !handle.goal.takes_relative_to() {
        let problem = format!("cannot be combined with `{key}`; remove one of them");
        section.demand("relative_to", false, &problem)?;
    }
    match &handle.goal {
        Goal::Distance(_) => {
            let problem = "needs `relative_to`, as in `relative_to = { joint = \"RightHand\" }`";
            section.demand("distance", handle.relative_to.is_some(), problem)
        }
        Goal::SameAs(frame) => {
            let is_other = handle.when != When::Frame(*frame);
            section.demand("same_as", is_other, "is the frame of the handle itself; name another one")
        }
        Goal::Orientation(_) => {
            let is_joint = handle.site != Site::CenterOfMass;
            section.demand("orientation", is_joint, "is for a joint; the centre of mass does not turn")?;
            section.demand("offset", false, "means nothing with `orientation`: all of a bone turns alike")
        }
        Goal::Stay { .. } => {
            let is_range = matches!(handle.when, When::Frames(_));
            section.demand("stay", is_range, "needs `frames = [first, last]` to stay for")
        }
        _ => Ok(()),
    }
}

fn site(site: &Site, section: &Section<'_>) -> Result<(), ShotError> {
    let is_fine = matches!(site, Site::Joint { .. } | Site::CenterOfMass);
    let problem = "is for meshes; a character is held by a `joint`, as in `joint = \"LeftHand\"`";
    section.demand(site.key(), is_fine, problem)
}
