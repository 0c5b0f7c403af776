//! Every goal a handle may have, through a whole shot.

use super::{Scene, Solved, Vec3, at, over};
use nalgebra::{Quaternion, UnitQuaternion};
use supple_project::Status;
use supple_project::shot::{Distance, Ends, Goal, Handle, Move, Orientation, Site, When};

/// Solved, and all of it met.
fn met(scene: &Scene) -> Solved {
    let solved = scene.solved();
    assert_eq!(solved.report.status, Status::Settled, "{:?}", solved.report);
    assert!(solved.report.number("largest_move", "length").unwrap() > 0.01, "nothing was asked");
    solved
}

fn near(solved: &Solved, found: Vec3, expected: Vec3) {
    assert!((found - expected).norm() <= solved.small(), "{found:?}, not {expected:?}");
}

#[test]
fn a_hand_is_where_it_was_in_another_frame() {
    let solved = met(&Scene::walk().asking(at(44, "RightHand", Goal::SameAs(40))));
    near(&solved, solved.at("RightHand", 44), solved.at("RightHand", 40));
    assert!((solved.input("RightHand", 44) - solved.input("RightHand", 40)).norm() > 0.05);
}

#[test]
fn hands_are_as_far_apart_as_they_are_asked_to_be() {
    let apart = |frames: (i32, i32), distance| Handle {
        relative_to: Some(Site::joint("RightHand")),
        ..over(frames.0, frames.1, "LeftHand", Goal::Distance(distance))
    };
    let scene = Scene::walk().asking(apart((30, 50), Distance::Metres(0.3)));
    // Of the input, while one of them is pulled.
    let scene =
        scene.asking(apart((60, 80), Distance::Input)).asking(at(70, "LeftHand", Goal::By([0.1, 0.2, 0.0])));
    let solved = met(&scene);
    for frame in 30..=50 {
        let far = (solved.at("LeftHand", frame) - solved.at("RightHand", frame)).norm();
        assert!((far - 0.3).abs() <= solved.small(), "{frame}: {far}");
    }
    for frame in 60..=80 {
        let far = (solved.at("LeftHand", frame) - solved.at("RightHand", frame)).norm();
        let was = (solved.input("LeftHand", frame) - solved.input("RightHand", frame)).norm();
        assert!((far - was).abs() <= solved.small(), "{frame}: {far} {was}");
    }
}

#[test]
fn a_hand_is_somewhere_on_a_line() {
    let scene = Scene::walk();
    let hand = met(&Scene::walk().asking(at(1, "Head", Goal::By([0.0, 0.02, 0.0])))).input("RightHand", 35);
    let ends = [hand + Vec3::new(-1.0, 0.1, 0.05), hand + Vec3::new(1.0, 0.1, 0.05)];
    let rows: String =
        ends.iter().enumerate().map(|(k, p)| format!("{},{},{},{}\n", k + 1, p.x, p.y, p.z)).collect();
    let scene = scene.file("rail.csv", &format!("frame,x,y,z\n{rows}"));
    let scene = scene.asking(over(28, 42, "RightHand", Goal::Along("rail.csv".into())));
    let solved = met(&scene);
    for frame in 28..=42 {
        let off = solved.at("RightHand", frame) - ends[0];
        assert!(off.yz().norm() <= solved.small(), "{frame}: {off:?}");
        // It slides along: it is where it is easiest.
        let along = (solved.at("RightHand", frame) - solved.input("RightHand", frame)).x;
        assert!(along.abs() < 0.1, "{frame}: {along}");
    }
}

#[test]
fn a_hand_moves_as_fast_as_it_is_asked_to() {
    let solved = met(&Scene::walk().asking(at(40, "LeftHand", Goal::Velocity([0.5, 1.0, -0.3]))));
    let fps = solved.character.clock.fps;
    let velocity = (solved.at("LeftHand", 41) - solved.at("LeftHand", 39)) * (0.5 * fps);
    assert!((velocity - Vec3::new(0.5, 1.0, -0.3)).norm() <= solved.small() * fps, "{velocity:?}");
}

#[test]
fn the_centre_of_mass_and_what_is_seen_from_elsewhere() {
    let by = Vec3::new(0.05, -0.08, 0.06);
    let com = Handle::new(When::Frame(30), Site::CenterOfMass, Goal::By(by.into()));
    let seen =
        Handle { relative_to: Some(Site::joint("Head")), ..at(60, "LeftHand", Goal::To([0.3, -0.1, -0.2])) };
    let solved = met(&Scene::walk().asking(com).asking(seen));
    let skeleton = &solved.character.figure.skeleton;
    let com = |world: &supple_character::World| supple_character::Point::CenterOfMass.at(skeleton, world);
    near(&solved, com(&solved.world(30)) - com(solved.character.input(29)), by);
    near(&solved, solved.at("LeftHand", 60) - solved.at("Head", 60), Vec3::new(0.3, -0.1, -0.2));
}

#[test]
fn a_head_is_turned_as_it_is_asked_to_be() {
    // Half a radian about y, of a length that is not one.
    let (s, c) = (0.25_f64.sin(), 0.25_f64.cos());
    let goal = Goal::Orientation(Orientation::Quaternion([0.0, 2.0 * s, 0.0, 2.0 * c]));
    let solved = met(&Scene::walk().asking(over(30, 34, "Head", goal)));
    let turned = UnitQuaternion::from_quaternion(Quaternion::new(c, 0.0, s, 0.0));
    let head = solved.character.joint("Head").unwrap();
    for frame in 30..=34 {
        let found = UnitQuaternion::from_matrix(&solved.world(frame).rotations[head]);
        assert!(found.angle_to(&turned) < 1e-5, "{frame}: {}", found.angle_to(&turned));
    }
}

/// Feet that may stand elsewhere step to where the hips want them, and stand still there.
#[test]
fn plants_that_float_go_along_and_stand_still() {
    let toes = [("LeftFoot_end", 29, 48), ("RightFoot_end", 13, 32), ("RightFoot_end", 45, 64)];
    let scene = toes.iter().fold(Scene::walk(), |scene, (toe, first, last)| {
        scene.asking(over(*first, *last, toe, Goal::Stay { at: None }))
    });
    let scene = scene.asking(over(30, 60, "Hips", Goal::By([0.0, 0.0, 0.35])));
    let solved = met(&scene);
    for (toe, first, last) in toes {
        let place = solved.at(toe, first);
        (first..=last).for_each(|frame| near(&solved, solved.at(toe, frame), place));
    }
    let went = solved.at("LeftFoot_end", 40) - solved.input("LeftFoot_end", 40);
    assert!(went.norm() > 0.02, "{went:?}");
    // One that is fixed stays.
    let fixed = Goal::Stay { at: Some(Move::By([0.0; 3])) };
    let solved = met(&Scene::walk().asking(over(29, 48, "LeftFoot_end", fixed)).asking(over(
        30,
        60,
        "Hips",
        Goal::By([0.0, 0.0, 0.1]),
    )));
    for frame in 29..=48 {
        assert!((solved.at("LeftFoot_end", frame) - solved.input("LeftFoot_end", frame)).norm() < 1e-5);
    }
}

/// The last frame repeats the first in pose and velocity, wherever it is on the floor.
#[test]
fn a_walk_becomes_a_cycle() {
    let scene = Scene::walk().with(|shot| {
        // Two steps and a bit.
        shot.motion.frames = Some(68);
        shot.edit.ends = Ends::Loop;
    });
    let solved = met(&scene);
    let (motion, last) = (&solved.motion, 67);
    for joint in 0..motion.joints() {
        let turn = |a: usize, b: usize| motion.rotation(a, joint).inverse() * motion.rotation(b, joint);
        if joint > 0 {
            assert!(turn(0, last).angle() < 1e-5, "{joint}: {}", turn(0, last).angle());
        }
        let speeds = turn(0, 1).scaled_axis() - turn(last - 1, last).scaled_axis();
        assert!(speeds.norm() < 1e-5, "{joint}: {speeds:?}");
    }
    let rise = motion.translation(last, 0).y - motion.translation(0, 0).y;
    assert!(rise.abs() <= solved.small(), "{rise}");
    assert!(motion.translation(last, 0).x - motion.translation(0, 0).x > 2.0, "it still walks");
}
