//! Names of joints, no two the same.
//!
//! Joints that are alone with their name keep it, and so does the first of several; the others, and the ends of limbs, get
//! a number. Names of joints go before those of ends, so that no end takes the name of a joint that comes later.

use crate::RigJoint;
use crate::error::quoted;
use std::collections::{HashMap, HashSet};

/// Makes the names unique, and says so if that changed one. Ends are named after the joint they hang on.
pub fn make_unique(joints: &mut [RigJoint]) -> Option<String> {
    let note = number_twins(joints);
    let mut taken: HashSet<String> =
        joints.iter().filter(|joint| !joint.end).map(|joint| joint.name.clone()).collect();
    let mut numbers = HashMap::new();
    for index in 0..joints.len() {
        if joints[index].end {
            let of = joints[index].parent.map_or("", |parent| joints[parent].name.as_str());
            joints[index].name = free_name(&format!("{of}_end"), "", 1, &mut numbers, &mut taken);
        }
    }
    note
}

/// Gives numbers to the joints whose name an earlier one has.
fn number_twins(joints: &mut [RigJoint]) -> Option<String> {
    let mut taken: HashSet<String> =
        joints.iter().filter(|joint| !joint.end).map(|joint| joint.name.clone()).collect();
    let mut seen = HashSet::new();
    let mut numbers = HashMap::new();
    let mut first = None;
    let mut renamed = 0_usize;
    for joint in joints.iter_mut().filter(|joint| !joint.end) {
        if seen.insert(joint.name.clone()) {
            continue;
        }
        let name = free_name(&joint.name, "_", 2, &mut numbers, &mut taken);
        let before = std::mem::replace(&mut joint.name, name);
        first.get_or_insert((before, joint.name.clone()));
        renamed += 1;
    }
    let (before, after) = first?;
    let others = match renamed - 1 {
        0 => String::new(),
        1 => ", and one joint more likewise".to_owned(),
        more => format!(", and {more} joints more likewise"),
    };
    let (before, after) = (quoted(&before), quoted(&after));
    Some(format!("two joints are named {before}: the second is called {after} here{others}"))
}

/// The first of NAME, NAME2, NAME3 that is free, with `between` before the number, beginning with number `from` (1 is not
/// written); it is taken then.
fn free_name(
    name: &str,
    between: &str,
    from: usize,
    numbers: &mut HashMap<String, usize>,
    taken: &mut HashSet<String>,
) -> String {
    let next = numbers.entry(name.to_owned()).or_insert(from);
    loop {
        let number = *next;
        *next += 1;
        let candidate = if number == 1 { name.to_owned() } else { format!("{name}{between}{number}") };
        if taken.insert(candidate.clone()) {
            return candidate;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joints(names: &[(&str, Option<usize>)]) -> Vec<RigJoint> {
        let joint = |(name, parent): &(&str, Option<usize>)| RigJoint {
            name: (*name).to_owned(),
            parent: *parent,
            offset: [0.0; 3],
            rest_rotation: RigJoint::NO_TURN,
            channels: Vec::new(),
            end: name.is_empty(),
        };
        names.iter().map(joint).collect()
    }

    fn names(joints: &[RigJoint]) -> Vec<&str> {
        joints.iter().map(|joint| joint.name.as_str()).collect()
    }

    #[test]
    fn ends_are_numbered_past_joints_of_that_name() {
        let mut foot =
            joints(&[("Foot", None), ("", Some(0)), ("", Some(0)), ("Foot_end2", Some(0)), ("", Some(3))]);
        assert_eq!(make_unique(&mut foot), None);
        assert_eq!(names(&foot), ["Foot", "Foot_end", "Foot_end3", "Foot_end2", "Foot_end2_end"]);
    }

    /// Some exporters call every bone "Bone".
    #[test]
    fn twins_are_numbered_past_names_of_the_file_and_said() {
        let mut bones = joints(&[
            ("Bone", None),
            ("Bone", Some(0)),
            ("Bone_2", Some(1)),
            ("Bone", Some(2)),
            ("", Some(3)),
            ("Bone_2", Some(0)),
        ]);
        let note = make_unique(&mut bones).unwrap();
        assert_eq!(names(&bones), ["Bone", "Bone_3", "Bone_2", "Bone_4", "Bone_4_end", "Bone_2_2"]);
        assert_eq!(
            note,
            "two joints are named \"Bone\": the second is called \"Bone_3\" here, and 2 joints more likewise"
        );
    }
}
