//! Joints that a shot makes others than its file has them: hinges, tied ones, and those that are left out.

use super::{Scene, Solved, at};
use std::path::Path;
use supple_character::{Motion, Turns};
use supple_formats::{Channel, RigClip, load_rig, write_bvh};
use supple_project::shot::{Goal, Joint, Shape, Shot, Turns as ShotTurns};

const ENDS: [&str; 5] = ["LeftHand_end", "RightHand_end", "LeftFoot_end", "RightFoot_end", "Head_end"];

/// Writes the walk with a knee that wobbles as captures do, with so many frames for each that it has.
fn wobbling(file: &Path, finer: usize) {
    let mut rig = load_rig(file).unwrap();
    let (width, clip) = (rig.channel_count(), rig.clips.remove(0));
    let knee = rig.joints.iter().position(|joint| joint.name == "LeftLeg").unwrap();
    let first = rig.first_channels()[knee];
    let frames = (clip.frames - 1) * finer + 1;
    let row = |f: isize| {
        let f = f.clamp(0, clip.frames as isize - 1) as usize;
        &clip.values[f * width..(f + 1) * width]
    };
    let mut values = Vec::new();
    for frame in 0..frames {
        let (f, u) = ((frame / finer) as isize, (frame % finer) as f64 / finer as f64);
        let seconds = frame as f64 / finer as f64 * clip.seconds_per_frame;
        for c in 0..width {
            // Catmull and Rom's curve through the frames.
            let [a, b, d, e] = [-1, 0, 1, 2].map(|k| row(f + k)[c]);
            let curve = b + 0.5
                * u
                * ((d - a) + u * ((2.0 * a - 5.0 * b + 4.0 * d - e) + u * (3.0 * (b - d) + e - a)));
            let turn = rig.joints[knee].channels.get(c.wrapping_sub(first));
            let wobble = match turn {
                Some(Channel::Turn(0)) => 4.0 * (9.0 * seconds).sin(),
                Some(Channel::Turn(1)) => 3.0 * (7.0 * seconds + 1.0).cos(),
                _ => 0.0,
            };
            values.push(curve + wobble);
        }
    }
    let seconds_per_frame = clip.seconds_per_frame / finer as f64;
    let finer = RigClip { frames, values, seconds_per_frame, ..clip };
    write_bvh(&rig, &finer, std::fs::File::create(file).unwrap()).unwrap();
}

fn joints(shot: &mut Shot, joints: Vec<Joint>) {
    let Shape::Skeleton(skeleton) = &mut shot.body.shape else { panic!("a skeleton") };
    skeleton.joints = joints;
}

fn hinged(finer: usize) -> (Solved, Motion) {
    let scene = Scene::walk();
    wobbling(&scene.shot.resolve(Path::new("walk-3d.bvh")), finer);
    let as_it_is = scene.character();
    let scene = scene.with(|shot| {
        let hinge =
            |name: &str| Joint { name: name.into(), turns: Some(ShotTurns::Hinge), ..Joint::default() };
        joints(shot, ["LeftLeg", "RightLeg", "LeftForeArm"].map(hinge).to_vec());
    });
    (scene.solved(), as_it_is.motion)
}

/// How far ends are from where the file has them, at most.
fn off(solved: &Solved, file: &Motion, names: &[&str]) -> f64 {
    let skeleton = &solved.character.figure.skeleton;
    let far = |f: usize| {
        let (a, b) = (file.world(skeleton, f), solved.character.input(f));
        let joints = names.iter().map(|name| solved.character.joint(name).unwrap());
        joints.map(|j| (a.positions[j] - b.positions[j]).norm()).fold(0.0, f64::max)
    };
    (0..file.frames()).map(far).fold(0.0, f64::max)
}

/// Knees turn about one axis, feet and hands stay, and the edit is as smooth in seconds whatever the frame rate.
#[test]
fn knees_made_hinges_leave_feet_and_hands_where_they_are() {
    let mut motions = Vec::new();
    for finer in [1, 4] {
        let (solved, file) = hinged(finer);
        let skeleton = &solved.character.figure.skeleton;
        let knee = solved.character.joint("LeftLeg").unwrap();
        let Turns::Hinge(axis) = skeleton.joints()[knee].turns else { panic!("a hinge") };
        let mean = supple_character::use_of(&solved.character.motion, knee, 0).mean;
        for f in 0..solved.motion.frames() {
            let turn = (mean.inverse() * solved.motion.rotation(f, knee)).scaled_axis();
            assert!(turn.cross(&axis).norm() < 1e-6, "frame {f}: {turn:?}");
        }
        let far = off(&solved, &file, &ENDS);
        let ratio = solved.acceleration(&solved.motion) / solved.acceleration(&file);
        println!("{} frames: ends {far:.5} m, accelerations {ratio:.3}", file.frames());
        assert!(far < 1e-3, "{far}");
        assert!(ratio < 1.2, "{ratio}");
        motions.push(solved);
    }
    let (coarse, fine) = (&motions[0], &motions[1]);
    let differ = (0..coarse.motion.frames()).map(|f| {
        let (a, b) = (coarse.character.input(f), fine.character.input(4 * f));
        a.positions.iter().zip(&b.positions).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
    });
    let differ = differ.fold(0.0, f64::max);
    println!("30 and 120 frames a second differ by {differ:.5} m");
    assert!(differ < 1e-3, "{differ}");
}

#[test]
fn tied_arms_do_the_same() {
    let scene = Scene::walk().with(|shot| {
        let tie =
            |name: &str, to: &str| Joint { name: name.into(), tie: Some(to.into()), ..Joint::default() };
        joints(shot, vec![tie("RightArm", "LeftArm"), tie("RightForeArm", "LeftForeArm")]);
    });
    let solved = scene.asking(at(40, "LeftHand", Goal::By([0.1, 0.3, 0.0]))).solved();
    for (a, b) in [("LeftArm", "RightArm"), ("LeftForeArm", "RightForeArm")] {
        let turn = |name: &str, f: usize| {
            let joint = solved.character.joint(name).unwrap();
            solved.character.motion.rotation(f, joint).inverse() * solved.motion.rotation(f, joint)
        };
        assert!(turn(a, 39).angle() > 0.02, "{a}: {}", turn(a, 39).angle());
        for f in 0..solved.motion.frames() {
            assert!(turn(a, f).angle_to(&turn(b, f)) < 1e-12, "{a} {b} at {f}");
        }
    }
}

#[test]
fn what_is_dropped_is_neither_drawn_nor_turned() {
    let free = Scene::walk().character();
    let drop = |name: &str| Joint { name: name.into(), drop: true, ..Joint::default() };
    let scene = Scene::walk().with(|shot| joints(shot, vec![drop("LeftHand"), drop("LeftFoot")]));
    let solved = scene.asking(at(40, "LeftHand", Goal::By([0.1, 0.3, 0.0]))).solved();
    let figure = &solved.character.figure;
    assert_eq!(figure.skeleton.freedoms() + 6, free.figure.skeleton.freedoms());
    // Two bones of six points each, from the wrist and the ankle on: what leads there stays.
    assert_eq!(solved.character.bones.rest.len() + 12, free.bones.rest.len());
    for name in ["LeftHand", "LeftFoot"] {
        let joint = solved.character.joint(name).unwrap();
        for f in 0..solved.motion.frames() {
            assert_eq!(solved.motion.rotation(f, joint), free.motion.rotation(f, joint));
        }
    }
}
