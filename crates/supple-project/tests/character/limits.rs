//! How far joints may turn: by a channel, away from where the bone points at rest, about it.

use super::{Scene, Solved, Vec3, at, over};
use nalgebra::UnitQuaternion;
use supple_project::Status;
use supple_project::shot::{Axis, Bound, Goal, Handle, Limit, Orientation, Shape};

fn limited(joint: &str, bound: Option<Bound>, handle: Handle) -> Solved {
    let scene = Scene::walk().asking(handle).with(|shot| {
        if let (Shape::Skeleton(skeleton), Some(bound)) = (&mut shot.body.shape, bound) {
            skeleton.limits = vec![Limit { joint: joint.into(), bound }];
        }
    });
    let solved = scene.solved();
    assert_eq!(solved.report.status, Status::Settled, "{:?}", solved.report);
    solved
}

/// The largest angle of a joint in all frames, in degrees.
fn largest(solved: &Solved, joint: &str, of: &dyn Fn(&UnitQuaternion<f64>) -> f64) -> f64 {
    let joint = solved.character.joint(joint).unwrap();
    let angle = |f: usize| of(&solved.motion.rotation(f, joint));
    (0..solved.motion.frames()).map(angle).fold(f64::NEG_INFINITY, f64::max).to_degrees()
}

/// With a limit, and without it.
fn check(joint: &str, bound: Bound, most: f64, handle: &Handle, of: &dyn Fn(&UnitQuaternion<f64>) -> f64) {
    let free = largest(&limited(joint, None, handle.clone()), joint, of);
    let kept = limited(joint, Some(bound.clone()), handle.clone());
    let found = largest(&kept, joint, of);
    println!("{bound:?}: {free:.1}° without, {found:.2}° with");
    assert!(free > most + 3.0, "{bound:?}: {free} without it");
    assert!(found <= most + 0.1, "{bound:?}: {found}");
    assert!(kept.report.number("limits", "passed").unwrap() <= 0.1);
}

#[test]
fn an_elbow_bends_no_farther_than_its_channel_may() {
    // The hand goes to the shoulder.
    let pull = at(40, "LeftHand", Goal::By([0.15, 0.42, 0.0]));
    let bent = |turned: &UnitQuaternion<f64>| turned.scaled_axis().z;
    check("LeftForeArm", Bound::Axis { axis: Axis::Z, degrees: -2.0..=45.0 }, 45.0, &pull, &bent);
}

#[test]
fn an_upper_arm_stays_in_its_cone() {
    let pull = at(40, "LeftHand", Goal::By([0.2, 0.5, -0.2]));
    let lean = |turned: &UnitQuaternion<f64>| (turned * Vec3::y()).y.clamp(-1.0, 1.0).acos();
    check("LeftArm", Bound::Cone(35.0), 35.0, &pull, &lean);
}

#[test]
fn a_forearm_twists_no_farther_than_it_may() {
    // The palm is turned, which the wrist has to do then.
    let turned = UnitQuaternion::from_axis_angle(&Vec3::y_axis(), 1.2);
    let quaternion = Orientation::Quaternion([turned.i, turned.j, turned.k, turned.w]);
    let pull = over(38, 42, "LeftHand", Goal::Orientation(quaternion));
    let twist = |turned: &UnitQuaternion<f64>| (2.0 * turned.j.atan2(turned.w)).abs();
    check("LeftForeArm", Bound::Twist(-1.0..=1.0), 1.0, &pull, &twist);
}
