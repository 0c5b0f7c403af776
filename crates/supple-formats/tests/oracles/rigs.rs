//! Skeletons that move, to Blender and back: joints are at the same places.

use crate::oracles::run;
use serde_json::{Value, json};
use std::fs::{self, File};
use std::path::Path;
use supple_formats::{Channel, RigClip, RigFile, RigJoint, Transform, load_rig, write_bvh};

const FRAMES: usize = 6;

/// All orders in which a joint can turn about three axes.
const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// A trunk with two arms. All turn in one order; the root and one joint move, too, before they turn or after it.
fn rig(order: [usize; 3]) -> (RigFile, RigClip) {
    let turns = order.map(Channel::Turn).to_vec();
    let moves = [0, 1, 2].map(Channel::Move).to_vec();
    let joint = |name: &str, parent, offset, channels: &[Channel]| RigJoint {
        name: name.to_owned(),
        parent,
        offset,
        rest_rotation: RigJoint::NO_TURN,
        channels: channels.to_vec(),
        end: channels.is_empty(),
    };
    let joints = vec![
        joint("hips", None, [0.5, 9.0, -1.0], &[moves.clone(), turns.clone()].concat()),
        joint("chest", Some(0), [0.0, 4.0, 0.25], &turns),
        joint("left", Some(1), [2.0, 1.5, 0.0], &[turns.clone(), moves].concat()),
        joint("hand", Some(2), [3.0, 0.0, 0.5], &turns),
        joint("hand_end", Some(3), [1.0, -0.5, 0.0], &[]),
        joint("right", Some(1), [-2.0, 1.5, 0.0], &turns),
        joint("right_end", Some(5), [-3.0, 0.0, 0.5], &[]),
    ];
    let file = RigFile { joints, ..RigFile::default() };
    let count = file.channel_count();
    let first = file.first_channels();
    let mut values = vec![0.0; FRAMES * count];
    for (frame, row) in values.chunks_exact_mut(count).enumerate() {
        for (joint, first) in file.joints.iter().zip(&first) {
            for (k, channel) in joint.channels.iter().enumerate() {
                let wave = (1.3 * frame as f64 + 0.9 * (first + k) as f64).sin();
                row[first + k] = match *channel {
                    Channel::Move(axis) => joint.offset[axis] + 0.5 * wave,
                    Channel::Turn(_) => 75.0 * wave,
                };
            }
        }
    }
    (file, RigClip { name: String::new(), seconds_per_frame: 0.04, frames: FRAMES, values })
}

/// The turn by so many degrees about an axis.
fn turn(axis: usize, degrees: f64) -> Transform {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let (b, c) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut out = Transform::IDENTITY;
    (out.0[b][b], out.0[c][c], out.0[b][c], out.0[c][b]) = (cos, cos, -sin, sin);
    out
}

/// Where all joints are in one frame.
fn places(file: &RigFile, row: &[f64]) -> Vec<[f64; 3]> {
    let mut placed: Vec<Transform> = Vec::new();
    for (joint, first) in file.joints.iter().zip(file.first_channels()) {
        let mut here = Transform::IDENTITY;
        (0..3).for_each(|axis| here.0[axis][3] = joint.offset[axis]);
        for (channel, value) in joint.channels.iter().zip(&row[first..]) {
            if let Channel::Move(axis) = *channel {
                here.0[axis][3] = *value;
            }
        }
        for (channel, value) in joint.channels.iter().zip(&row[first..]) {
            if let Channel::Turn(axis) = *channel {
                here = here.after(&turn(axis, *value));
            }
        }
        placed.push(joint.parent.map_or(here, |parent| placed[parent].after(&here)));
    }
    placed.iter().map(|place| place.apply([0.0; 3])).collect()
}

fn all_places(file: &RigFile, clip: &RigClip) -> Vec<Vec<[f64; 3]>> {
    clip.values.chunks_exact(file.channel_count()).map(|row| places(file, row)).collect()
}

fn name(order: [usize; 3]) -> String {
    order.map(|axis| ["X", "Y", "Z"][axis]).concat()
}

/// What Blender made of ours: the same joints, by name, where ours are.
fn check_theirs(path: &Path, file: &RigFile, expected: &[Vec<[f64; 3]>]) {
    let theirs = load_rig(path).unwrap();
    let found = all_places(&theirs, &theirs.clips[0]);
    assert_eq!(found.len(), expected.len(), "frames of {}", path.display());
    assert!((theirs.clips[0].seconds_per_frame - 0.04).abs() < 1e-6);
    for (index, joint) in file.joints.iter().enumerate() {
        let at = theirs.joints.iter().position(|found| found.name == joint.name);
        let at = at.unwrap_or_else(|| panic!("{} has no {}", path.display(), joint.name));
        for (frame, (found, expected)) in found.iter().zip(expected).enumerate() {
            let off = (0..3).map(|i| (found[at][i] - expected[index][i]).abs()).fold(0.0, f64::max);
            assert!(off < 1e-4, "{} is off by {off} in frame {frame} of {}", joint.name, path.display());
        }
    }
}

/// Other readers lose the order of turns, or add what moves to the offset instead of putting it in its place.
#[test]
#[ignore = "needs the virtual environment of oracles"]
fn blender_reads_and_writes_bvh() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut expected = Vec::new();
    for order in ORDERS {
        let (file, clip) = rig(order);
        write_bvh(&file, &clip, File::create(folder.join(format!("{}.bvh", name(order)))).unwrap()).unwrap();
        let joints: Vec<Value> = file
            .joints
            .iter()
            .map(|joint| json!({ "name": joint.name, "parent": joint.parent, "end": joint.end }))
            .collect();
        expected.push(json!({ "name": name(order), "joints": joints, "frames": all_places(&file, &clip) }));
    }
    fs::write(folder.join("ours.json"), Value::from(expected).to_string()).unwrap();
    run("check_bvh.py", &[folder]);
    for order in ORDERS {
        let (file, clip) = rig(order);
        let expected = all_places(&file, &clip);
        check_theirs(&folder.join(format!("{}-theirs.bvh", name(order))), &file, &expected);
    }
}
