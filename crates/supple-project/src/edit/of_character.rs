//! A handle on a joint of a character, as the shot will have it.

use super::{EditFailed, NewGoal, NewHandle, NewSite};
use crate::shot::{Handle, Shot, Site, When};
use crate::source::Space;
use std::path::Path;

/// The handle that is asked for; `joints` are those of the skeleton, as far as its file can be read.
pub(super) fn make(
    path: &Path,
    new: &NewHandle,
    shot: &Shot,
    joints: Option<&[String]>,
    space: &Space,
) -> Result<Handle, EditFailed> {
    let file = || path.to_path_buf();
    let site = match &new.site {
        NewSite::Joint { name, offset } => {
            check_joint(path, name, joints)?;
            // Along axes of its own, whichever axis of the file points up.
            Site::Joint { name: name.clone(), offset: offset.map(|x| x * space.unit) }
        }
        NewSite::CenterOfMass => Site::CenterOfMass,
        NewSite::Near(_) | NewSite::Vertex(_) | NewSite::Group(_) => {
            return Err(EditFailed::NoMesh { shot: file() });
        }
    };
    if let (NewGoal::Stay(_), When::Frame(frame)) = (&new.goal, &new.when) {
        return Err(EditFailed::StaysForNone { frame: *frame });
    }
    if let Some(layer) = new.layer.as_ref().filter(|layer| shot.edit.layer(layer).is_none()) {
        let advice = shot.edit.layer_advice(layer);
        return Err(EditFailed::NoLayer { shot: file(), layer: layer.clone(), advice });
    }
    let goal = new.goal.goal(|point| space.inside(point));
    Ok(Handle {
        layer: new.layer.clone(),
        prop: new.prop.clone(),
        ..Handle::new(new.when.clone(), site, goal)
    })
}

/// A joint has to be one of the skeleton, where that is known.
fn check_joint(path: &Path, joint: &str, joints: Option<&[String]>) -> Result<(), EditFailed> {
    let Some(joints) = joints.filter(|joints| joints.iter().all(|name| name != joint)) else { return Ok(()) };
    let known: Vec<&str> = joints.iter().map(String::as_str).collect();
    let advice = crate::shot::advice(joint, &known);
    Err(EditFailed::NoJoint { shot: path.to_path_buf(), joint: joint.to_owned(), advice })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_joint_finds_its_name_and_what_is_not_known_is_left_alone() {
        let joints = ["Hips", "LeftToeBase", "LeftToeBase_end"].map(str::to_owned);
        let check = |joint: &str, joints: Option<&[String]>| check_joint(Path::new("a.toml"), joint, joints);
        assert!(check("LeftToeBase", Some(&joints)).is_ok());
        assert!(check("LeftTobase", None).is_ok());
        let said = check("LeftTobase", Some(&joints)).unwrap_err().to_string();
        assert_eq!(said, "a.toml: there is no joint \"LeftTobase\"; did you mean `LeftToeBase`?");
    }
}
