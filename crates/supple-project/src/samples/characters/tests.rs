use super::*;
use crate::character::{Character, Rig};
use crate::samples::{Made, Sample};
use crate::shot::{Body, Goal, Handle, Shape, Site, Turns as ShotTurns};
use nalgebra::Vector3;
use supple_character::{Motion, Point, Turns};
use supple_model::Progress;

/// Name, freedoms, keys, frames, and whether the start is frozen: Table 1.
const TABLE: &[(&str, usize, usize, usize, bool)] = &[
    ("jump-2d", 9, 7, 37, true),
    ("walk-2d", 14, 12, 81, false),
    ("slide-2d", 14, 6, 55, true),
    ("walk-3d", 57, 10, 88, true),
    ("walk-3d-no-feet", 35, 10, 88, true),
    ("slide-3d", 37, 5, 54, false),
    ("thief", 49, 10, 100, false),
];

fn made(name: &str) -> (Shot, Rig) {
    let Made::Character(act) = Sample::named(name).unwrap().made else { panic!("{name}: a character") };
    let mut shot = Shot::new(std::path::Path::new("."), Body::character(format!("{name}.bvh"))).unwrap();
    let file = act(&mut shot).unwrap();
    (shot, Rig::new(file, 1.0, 1).unwrap())
}

/// Freedoms of a rig once the shot's joints are tied, dropped and hinged, counted by hand.
fn freedoms(shot: &Shot, rig: &Rig) -> usize {
    let Shape::Skeleton(skeleton) = &shot.body.shape else { panic!("a skeleton") };
    let joints = rig.skeleton.joints();
    let said = |j: usize| skeleton.joint(&joints[j].name);
    let count = |j: usize| {
        let moves = joints[j].moves.iter().filter(|moves| **moves).count();
        if rig.skeleton.chain(j).any(|j| said(j).is_some_and(|joint| joint.drop)) {
            return 0;
        }
        moves
            + match said(j) {
                Some(joint) if joint.tie.is_some() => 0,
                Some(joint) if joint.turns == Some(ShotTurns::Hinge) => 1,
                _ => joints[j].turns.freedoms(),
            }
    };
    for joint in &skeleton.joints {
        assert!(rig.skeleton.find(&joint.name).is_some(), "{}", joint.name);
    }
    (0..joints.len()).map(count).sum()
}

/// Where a handle's site is, frame by frame.
fn path(rig: &Rig, motion: &Motion, handle: &Handle) -> Vec<Vector3<f64>> {
    let Site::Joint { name, offset } = &handle.site else { panic!("a joint") };
    let joint = rig.skeleton.find(name).unwrap_or_else(|| panic!("no joint {name}"));
    let point = Point::Joint { joint, offset: (*offset).into() };
    let at = |frame: i32| point.at(&rig.skeleton, &motion.world(&rig.skeleton, frame as usize - 1));
    handle.when.range().map(at).collect()
}

#[test]
fn they_are_as_large_as_in_the_table() {
    for (name, dofs, keys, frames, is_frozen) in TABLE {
        let folder = tempfile::tempdir().unwrap();
        let shot = Shot::load(&Sample::named(name).unwrap().write(folder.path()).unwrap()).unwrap();
        let file = supple_formats::load_rig(shot.resolve(shot.body.shape.file())).unwrap();
        let rig = Rig::new(file, 1.0, 1).unwrap();
        assert_eq!(rig.file.clips[0].frames, *frames, "{name}");
        assert_eq!(freedoms(&shot, &rig), *dofs, "{name}");
        let character = Character::load(&shot, &Progress::silent()).unwrap();
        assert_eq!(character.figure.skeleton.freedoms(), *dofs, "{name}");
        assert_eq!(shot.edit.character_settings().unwrap().keys, Some(*keys), "{name}");
        let crate::shot::Ends::Apart { start, .. } = shot.edit.ends else { panic!("{name}: no loop") };
        assert_eq!(start == Some(End::Clamped), *is_frozen, "{name}");
        let last = shot.edit.handles.iter().map(|handle| *handle.when.range().end()).max();
        assert!(last.unwrap() <= *frames as i32, "{name}");
    }
}

/// Plants that slide in the input would be pulled by their own handles.
#[test]
fn feet_stand_still_where_they_are_planted() {
    for (name, ..) in TABLE {
        let (shot, rig) = made(name);
        let motion = rig.motion(&rig.file.clips[0]);
        let plants = shot.edit.handles.iter().filter(|handle| matches!(handle.goal, Goal::Stay { .. }));
        let mut count = 0;
        for handle in plants {
            let path = path(&rig, &motion, handle);
            let slide = path.iter().map(|p| (p - path[0]).norm()).fold(0.0, f64::max);
            assert!(slide < 1e-9, "{name}: {:?} slides {slide}", handle.when);
            count += 1;
        }
        assert!(count >= 2, "{name}");
    }
}

/// Nothing is under the floor, no limb is torn to its end, and no joint jumps from frame to frame.
#[test]
fn motions_are_smooth_and_above_the_floor() {
    for (name, ..) in TABLE {
        let (_, rig) = made(name);
        let motion = rig.motion(&rig.file.clips[0]);
        let worlds: Vec<_> = (0..motion.frames()).map(|f| motion.world(&rig.skeleton, f)).collect();
        let seconds = rig.file.clips[0].seconds_per_frame;
        for (frame, world) in worlds.iter().enumerate() {
            let low = world.positions.iter().map(|p| p.y).fold(f64::INFINITY, f64::min);
            assert!(low > -0.01, "{name}: {low} at frame {}", frame + 1);
        }
        for (frame, three) in worlds.windows(3).enumerate() {
            for (j, joint) in rig.skeleton.joints().iter().enumerate() {
                let [a, b, c] = [0, 1, 2].map(|k| three[k].positions[j]);
                let acceleration = (a - 2.0 * b + c).norm() / (seconds * seconds);
                assert!(
                    acceleration < 160.0,
                    "{name}: {acceleration} m/s² of {} at frame {}",
                    joint.name,
                    frame + 2
                );
            }
        }
    }
}

/// Knees and elbows turn about one axis, and never the wrong way.
#[test]
fn knees_and_elbows_are_hinges() {
    for (name, ..) in TABLE {
        let (_, rig) = made(name);
        let motion = rig.motion(&rig.file.clips[0]);
        for (j, joint) in rig.skeleton.joints().iter().enumerate() {
            let way = match joint.name.as_str() {
                "LeftLeg" | "RightLeg" => -1.0,
                "LeftForeArm" | "RightForeArm" => 1.0,
                _ => continue,
            };
            assert!(matches!(joint.turns, Turns::Ball | Turns::Hinge(_)));
            for frame in 0..motion.frames() {
                let turn = motion.rotation(frame, j).scaled_axis();
                assert!(
                    turn.xy().norm() < 1e-9 && way * turn.z > 0.02,
                    "{name}: {} at {frame}: {turn}",
                    joint.name
                );
            }
        }
    }
}

/// The thief's hands are as far apart as the treasure is wide, from the frame in which they take it.
#[test]
fn the_thief_has_both_hands_on_the_treasure() {
    let (shot, rig) = made("thief");
    let motion = rig.motion(&rig.file.clips[0]);
    let hold = shot.edit.handles.iter().find(|handle| matches!(handle.goal, Goal::Distance(_))).unwrap();
    let other = Handle { site: hold.relative_to.clone().unwrap(), ..hold.clone() };
    let (left, right) = (path(&rig, &motion, hold), path(&rig, &motion, &other));
    for (a, b) in left.iter().zip(&right) {
        assert!(((a - b).norm() - 0.32).abs() < 1e-9, "{}", (a - b).norm());
    }
    assert_eq!(shot.edit.handles.iter().filter(|h| h.prop.as_deref() == Some("treasure")).count(), 2);
}
