//! What cannot be reached gives way, is told, and drags nothing along.

use super::{Scene, Solved, at, over};
use supple_project::shot::{Goal, Handle, Move};
use supple_project::{Reason, Status};

/// The walk with its feet where they stand, ankles and toes.
pub fn standing() -> Scene {
    let sample = Scene::sample("walk-3d");
    let plants = sample.shot.edit.handles.into_iter().map(|handle| match handle.goal {
        Goal::Stay { .. } => Handle { goal: Goal::Stay { at: Some(Move::By([0.0; 3])) }, ..handle },
        _ => handle,
    });
    let plants: Vec<Handle> = plants.collect();
    Scene::walk().with(|shot| shot.edit.handles = plants)
}

/// How far the toes are from where they stood, at most.
fn slipped(scene: &Scene, solved: &Solved) -> f64 {
    let toes = scene.shot.edit.handles.iter().filter(|handle| matches!(handle.goal, Goal::Stay { .. }));
    let off = |handle: &Handle| {
        let supple_project::shot::Site::Joint { name, .. } = &handle.site else { panic!("a joint") };
        let far = |frame: i32| (solved.at(name, frame) - solved.input(name, frame)).norm();
        handle.when.range().map(far).fold(0.0, f64::max)
    };
    toes.map(off).fold(0.0, f64::max)
}

fn check(pull: Handle) {
    let scene = standing().asking(pull);
    let solved = scene.solved();
    let hand = scene.shot.edit.handles.len() - 1;
    let slip = slipped(&scene, &solved);
    let turn = solved.largest_turn();
    println!(
        "{:?}, hand {:.3} m, plants {slip:.4} m, turn {turn:.0}°, {} steps",
        solved.report.status,
        solved.handle(hand).error,
        solved.report.iterations
    );
    assert_eq!(solved.report.status, Status::Compromise, "{:?}", solved.report);
    assert_eq!(solved.handle(hand).reason, Some(Reason::OutOfReach));
    assert!(solved.handle(hand).error > 0.8, "{}", solved.handle(hand).error);
    assert!(slip <= 0.01, "{slip}");
    assert!(turn <= 120.0, "{turn}");
    // Only the hand is to blame.
    let others = &solved.report.handles[..hand];
    assert!(others.iter().all(|handle| handle.reason != Some(Reason::OutOfReach)), "{others:?}");
}

/// An arm, a back and a leg are some 2 m from toe to hand; the goal is a metre farther from where the foot stands.
#[test]
fn a_hand_a_metre_out_of_reach_leaves_the_feet_where_they_are() {
    let scene = standing();
    let toe = scene.character();
    let foot = toe.input(44).positions[toe.joint("RightFoot_end").unwrap()];
    check(at(45, "LeftHand", Goal::To([foot.x + 2.0, foot.y + 1.2, foot.z - 2.0])));
}

#[test]
fn nor_does_a_hand_that_is_out_of_reach_in_all_frames() {
    check(over(1, 88, "LeftHand", Goal::By([0.6, 0.5, -2.6])));
}
