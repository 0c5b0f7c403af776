//! Skeletons that move: what is read of them, and what stays when they are written.

#![expect(clippy::unwrap_used, reason = "helpers of tests, in which a failure may panic")]

use crate::samples::rigs::{BVH, ODD_BVH};
use proptest::collection::vec;
use proptest::num::f64::{NEGATIVE, NORMAL, POSITIVE, SUBNORMAL, ZERO};
use proptest::prelude::*;
use std::fs;
use supple_formats::{Channel, RigClip, RigFile, RigJoint, load_rig, read_bvh, rewrite_bvh, write_bvh};

fn names(file: &RigFile) -> Vec<&str> {
    file.joints.iter().map(|joint| joint.name.as_str()).collect()
}

fn parents(file: &RigFile) -> Vec<Option<usize>> {
    file.joints.iter().map(|joint| joint.parent).collect()
}

fn rewritten(original: &str, mut changed: impl FnMut(usize, usize) -> Option<f64>) -> String {
    let mut out = Vec::new();
    rewrite_bvh(original.as_bytes(), &mut changed, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// Trees in the order of a file, with channels of any kind and number, and a few frames.
fn rig() -> impl Strategy<Value = (RigFile, RigClip)> {
    let number = || POSITIVE | NEGATIVE | NORMAL | SUBNORMAL | ZERO;
    let channels =
        Just((0..3).flat_map(|axis| [Channel::Move(axis), Channel::Turn(axis)]).collect::<Vec<_>>());
    let channels = (channels.prop_shuffle(), 0..7_usize)
        .prop_map(|(channels, count)| channels.into_iter().take(count).collect::<Vec<_>>());
    let joint = (prop::array::uniform3(number()), channels, 0..4_usize, any::<bool>());
    (vec(joint, 1..12), 1..4_usize, vec(-1e9..1e9, 72 * 3)).prop_map(|(parts, frames, mut values)| {
        // From the root to the last joint: the next one hangs on any of them.
        let mut path: Vec<usize> = Vec::new();
        let mut joints: Vec<RigJoint> = Vec::new();
        for (index, (offset, mut channels, up, end)) in parts.into_iter().enumerate() {
            path.truncate(path.len().saturating_sub(up).max(1));
            let parent = path.last().copied();
            let name = format!("joint{index}");
            let end =
                end && parent.is_some_and(|parent| joints.iter().all(|j| j.parent != Some(parent) || !j.end));
            let name = match parent {
                Some(parent) if end => format!("{}_end", joints[parent].name),
                _ => name,
            };
            match parent {
                None if channels.is_empty() => channels.push(Channel::Turn(1)),
                _ if end => channels.clear(),
                _ => {}
            }
            if !end {
                path.push(index);
            }
            joints.push(RigJoint { name, parent, offset, rest_rotation: RigJoint::NO_TURN, channels, end });
        }
        let file = RigFile { joints, ..RigFile::default() };
        values.truncate(frames * file.channel_count());
        (file, RigClip { name: String::new(), seconds_per_frame: 1.0 / 120.0, frames, values })
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read_again((file, clip) in rig()) {
        let mut bytes = Vec::new();
        write_bvh(&file, &clip, &mut bytes).unwrap();
        let again = read_bvh(&bytes).unwrap();
        prop_assert_eq!(&again.joints, &file.joints);
        let bits = |file: &RigFile| file.joints.iter().flat_map(|j| j.offset).map(f64::to_bits).collect::<Vec<_>>();
        prop_assert_eq!(bits(&again), bits(&file));
        let found = &again.clips[0];
        prop_assert_eq!((found.frames, found.seconds_per_frame), (clip.frames, clip.seconds_per_frame));
        prop_assert_eq!(found.values.len(), clip.values.len());
        // Six decimals, to the round-off of numbers of 1e9.
        prop_assert!(found.values.iter().zip(&clip.values).all(|(a, b)| (a - b).abs() < 6.2e-7));
        let mut twice = Vec::new();
        write_bvh(&again, found, &mut twice).unwrap();
        prop_assert_eq!(&twice, &bytes);
        let values = &clip.values;
        let mut changed = |frame: usize, index: usize| Some(values[frame * values.len() / clip.frames + index]);
        let mut replaced = Vec::new();
        rewrite_bvh(&bytes, &mut changed, &mut replaced).unwrap();
        prop_assert_eq!(&replaced, &bytes);
    }
}

#[test]
fn joints_channels_and_frames_are_those_of_the_file() {
    let file = read_bvh(BVH.as_bytes()).unwrap();
    assert_eq!(names(&file), ["Hips", "LeftLeg", "LeftLeg_end"]);
    assert_eq!(parents(&file), [None, Some(0), Some(1)]);
    assert_eq!(file.joints[1].offset, [0.5, -4.25, 0.0]);
    assert_eq!(file.joints[2].offset, [0.0, -4.5, 1e-5]);
    assert_eq!(file.joints.iter().map(|joint| joint.end).collect::<Vec<_>>(), [false, false, true]);
    use Channel::{Move, Turn};
    assert_eq!(file.joints[0].channels, [Move(0), Move(1), Move(2), Turn(2), Turn(1), Turn(0)]);
    assert_eq!((file.channel_count(), file.first_channels()), (7, vec![0, 6, 7]));
    let [clip] = &file.clips[..] else { panic!("{} clips", file.clips.len()) };
    assert_eq!((clip.frames, clip.seconds_per_frame), (2, 0.008_333_3));
    let values = [0.0, 9.0, 0.0, 10.0, 20.0, 30.0, 12.5, 0.1, 9.25, -0.5, -10.0, 20.0, -0.5, 12.75];
    assert_eq!(clip.values, values);
    assert_eq!((file.unit, file.up, file.notes), (None, None, Vec::new()));
}

/// Programs agree on little: cases, colons, where braces stand, OFFSET after CHANNELS, ends with a name or without OFFSET.
#[test]
fn every_way_of_writing_is_read() {
    let file = read_bvh(ODD_BVH.as_bytes()).unwrap();
    assert_eq!(names(&file), ["Bip01 Hips", "Foot", "Foot_end", "Foot_end2", "Foot_2"]);
    assert_eq!(parents(&file), [None, Some(0), Some(1), Some(1), Some(0)]);
    use Channel::{Move, Turn};
    assert_eq!(file.joints[0].channels, [Turn(1), Move(0), Turn(2)]);
    assert_eq!((file.joints[0].offset, file.joints[2].offset), ([1.0, 2.0, -3.0], [0.0, 0.0, 1.0]));
    assert_eq!(file.joints[3].offset, [0.0; 3]);
    assert_eq!((file.clips[0].frames, file.clips[0].seconds_per_frame), (2, 0.04));
    assert_eq!(file.clips[0].values, [1.0, 2.0, 3.0, 4.0, -1.0, -2.0, -3.0, -4.0]);
    assert_eq!(file.notes, ["two joints are named \"Foot\": the second is called \"Foot_2\" here"]);
    for text in [BVH, ODD_BVH] {
        let old = text.replace("\r\n", "\n").replace('\n', "\r");
        let expected = read_bvh(text.as_bytes()).unwrap();
        assert_eq!(read_bvh(old.as_bytes()).unwrap(), expected);
        assert_eq!(
            read_bvh(text.trim_end().as_bytes()).unwrap(),
            expected,
            "without an end of the last line"
        );
    }
}

/// Names, blanks and digits of what is not edited used to be lost on the way through other programs.
#[test]
fn what_is_not_changed_keeps_its_text() {
    for text in [BVH, ODD_BVH, BVH.trim_end()] {
        assert_eq!(rewritten(text, |_, _| None), text);
    }
    let mut asked = Vec::new();
    let changed = rewritten(BVH, |frame, index| {
        asked.push((frame, index));
        ((frame, index) == (1, 2)).then_some(-0.123_456_789)
    });
    assert_eq!(changed, BVH.replace("9.25 -0.5 -10", "9.25 -0.123457 -10"));
    let all: Vec<_> = (0..2).flat_map(|frame| (0..7).map(move |index| (frame, index))).collect();
    assert_eq!(asked, all);
    let changed = rewritten(ODD_BVH, |frame, index| (index == 3).then_some(frame as f64 + 0.5));
    assert_eq!(changed, ODD_BVH.replace("2 3 4 ", "2 3 0.500000 ").replace("-3 -4 ", "-3 1.500000 "));
}

#[test]
fn numbers_that_are_none_are_not_written() {
    let refused = |value: f64| {
        let changed = &mut |_, _| Some(value);
        rewrite_bvh(BVH.as_bytes(), changed, Vec::new()).unwrap_err().to_string()
    };
    assert_eq!(refused(f64::NAN), "NaN is not a finite number");
    assert_eq!(refused(f64::INFINITY), "inf is not a finite number");
}

/// A rig made elsewhere may have its joints in any order that has parents first; in BVH they are inside of each other.
#[test]
fn joints_in_another_order_take_their_numbers_with_them() {
    let joint = |name: &str, parent, channels: &[Channel]| RigJoint {
        name: name.to_owned(),
        parent,
        offset: [0.25, -1.5, 1e-7],
        rest_rotation: RigJoint::NO_TURN,
        channels: channels.to_vec(),
        end: name.ends_with("end"),
    };
    let turn = [Channel::Turn(0)];
    let joints = vec![
        joint("hips", None, &turn),
        joint("left leg", Some(0), &turn),
        joint("right{leg}", Some(0), &turn),
        joint("foot", Some(1), &turn),
        joint("end", Some(2), &[]),
    ];
    let values = vec![1.0, 2.0, 3.0, 4.0, -1.0, -2.0, -3.0, -4.0];
    let clip = RigClip { name: "a".into(), seconds_per_frame: 1.0 / 24.0, frames: 2, values };
    let mut out = Vec::new();
    write_bvh(&RigFile { joints, ..RigFile::default() }, &clip, &mut out).unwrap();
    let read = read_bvh(&out).unwrap();
    assert_eq!(names(&read), ["hips", "left_leg", "foot", "right_leg_", "right_leg__end"]);
    assert_eq!(parents(&read), [None, Some(0), Some(1), Some(0), Some(3)]);
    assert!(read.joints.iter().all(|joint| joint.offset == [0.25, -1.5, 1e-7]));
    assert_eq!(read.clips[0].seconds_per_frame.to_bits(), clip.seconds_per_frame.to_bits());
    assert_eq!(read.clips[0].values, [1.0, 2.0, 4.0, 3.0, -1.0, -2.0, -4.0, -3.0]);
}

#[test]
fn what_the_format_has_no_room_for_is_said() {
    let file = read_bvh(BVH.as_bytes()).unwrap();
    let clip = &file.clips[0];
    let refused = |change: &dyn Fn(&mut RigFile, &mut RigClip)| {
        let (mut file, mut clip) = (file.clone(), clip.clone());
        change(&mut file, &mut clip);
        write_bvh(&file, &clip, Vec::new()).unwrap_err().to_string()
    };
    let turned = refused(&|file, _| file.joints[1].rest_rotation = [1.0, 0.0, 0.0, 0.0]);
    assert_eq!(turned, "a turn at rest in a .bvh file (joint \"LeftLeg\") is not supported");
    let moving = refused(&|file, _| file.joints[2].channels.push(Channel::Turn(0)));
    assert_eq!(moving, "an end that moves in a .bvh file (joint \"LeftLeg_end\") is not supported");
    let twice = refused(&|file, _| file.joints[1].channels.push(Channel::Turn(0)));
    assert_eq!(
        twice,
        "a channel twice, or one of no axis, in a .bvh file (joint \"LeftLeg\") is not supported"
    );
    assert!(refused(&|file, _| file.joints[1].channels[0] = Channel::Move(3)).contains("one of no axis"));
    assert!(refused(&|file, _| file.joints[1].parent = None).contains("of 2 roots"));
    assert!(refused(&|file, _| file.joints[1].parent = Some(2)).contains("a joint before its parent"));
    assert!(
        refused(&|file, _| (file.joints[1].end, file.joints[1].channels) = (true, Vec::new()))
            .contains("a joint on an end")
    );
    assert!(refused(&|file, _| file.joints[1].offset[0] = f64::NAN).contains("not finite"));
    assert!(refused(&|_, clip| clip.seconds_per_frame = 0.0).contains("0 seconds"));
    assert!(refused(&|_, clip| clip.frames = 0).contains("without channels or frames"));
    assert!(refused(&|_, clip| clip.values[3] = f64::NAN).contains("NaN is not a finite number"));
    let short = refused(&|_, clip| clip.frames = 3);
    assert_eq!(
        short,
        "the clip has 14 values, but a clip of 3 frames has 21: they must have the same number"
    );
}

#[test]
fn a_rig_is_loaded_by_its_ending() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("walk.BVH");
    fs::write(&path, BVH).unwrap();
    assert_eq!(load_rig(&path).unwrap().clips[0].name, "walk");
    fs::write(&path, &BVH[..BVH.len() - 10]).unwrap();
    let error = load_rig(&path).unwrap_err().to_string();
    assert_eq!(
        error,
        format!("{}: line 20: expected 7 numbers, one for each channel, found 6", path.display())
    );
    let error = load_rig(folder.path().join("walk.fbx")).unwrap_err().to_string();
    assert!(error.ends_with("walk.fbx: unknown skeleton format: expected .bvh"), "{error}");
}
