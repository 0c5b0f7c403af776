//! A motion that follows a hand, and how smooth edits are.

use crate::walker::{self, FPS, at, hold};
use nalgebra::{DMatrix, DVector, Vector3};
use supple_character::{Constraint, Curve, Drag, Edit, Goal, Motion, SMOOTHING, Targets, release};
use supple_model::Progress;

const FRAMES: usize = 200;

/// The walker's toes where they stand, and its left hand at a frame.
fn scene() -> (Edit, Motion) {
    let (mut edit, motion) = walker::edit(FRAMES, Vec::new());
    let names = walker::names(&edit.figure.skeleton);
    let skeleton = &edit.figure.skeleton;
    let place = |frame: usize, joint: usize| Goal::At(Targets::One(at(skeleton, &motion, frame, joint)));
    let mut all: Vec<Constraint> = vec![hold((90, 90), names.hands[0], place(90, names.hands[0]))];
    for side in 0..2 {
        let toe = names.toes[side];
        all.extend(walker::stances(FRAMES, side).into_iter().map(|f| hold(f, toe, place(f.0, toe))));
    }
    edit.constraints = all;
    (edit, motion)
}

/// Drags the hand from one shift to another in steps of 15 mm; answers what is missing at the end.
fn drag(drag: &mut Drag, from: Vector3<f64>, to: Vector3<f64>) -> f64 {
    let steps = ((to - from).norm() / 0.015).ceil() as usize;
    (1..=steps).fold(0.0, |_, k| drag.step(&from.lerp(&to, k as f64 / steps as f64)))
}

#[test]
fn a_dragged_hand_follows_and_feet_stay() {
    let (edit, motion) = scene();
    let hand = walker::names(&edit.figure.skeleton).hands[0];
    let by = Vector3::new(0.1, 0.25, 0.1);
    let target = at(&edit.figure.skeleton, &motion, 90, hand) + by;
    let mut taken = Drag::new(edit.clone(), motion.clone(), &[0]);
    assert_eq!(taken.motion(), motion, "nothing jumps when a point is taken");
    let missing = drag(&mut taken, Vector3::zeros(), by);
    assert!(missing <= 3e-3, "{missing}");
    let place = taken.world(90).positions[hand];
    assert!(((place - target).norm() - missing).abs() < 1e-12);
    assert!((at(&edit.figure.skeleton, &taken.motion(), 90, hand) - place).norm() < 1e-12);
    assert!(taken.rows() > 50);
    for constraint in &edit.constraints[1..] {
        let Goal::At(Targets::One(home)) = &constraint.goal else { panic!("feet are held by places") };
        for frame in (constraint.frames.0..=constraint.frames.1).step_by(edit.every()) {
            let p = constraint.point.at(&edit.figure.skeleton, &taken.world(frame));
            assert!((p - home).norm() < 5e-3, "{frame} {}", (p - home).norm());
        }
    }
}

/// d(f) of a joint: how far it is turned from its input, in its own axes, or moved.
fn displacement(before: &Motion, after: &Motion, frame: usize, joint: usize) -> [f64; 6] {
    let turn = (before.rotation(frame, joint).inverse() * after.rotation(frame, joint)).scaled_axis();
    let shift = after.translation(frame, joint) - before.translation(frame, joint);
    [turn.x, turn.y, turn.z, shift.x, shift.y, shift.z]
}

/// The part of a curve over the frames that is not in the span of the keys, and its size.
fn beside(curve: &Curve, values: &DVector<f64>) -> (f64, f64) {
    let basis = DMatrix::from_fn(FRAMES, curve.keys(), |frame, key| {
        let mut x = vec![0.0; curve.keys()];
        x[key] = 1.0;
        let mut d = [0.0];
        curve.at(frame, &x, &mut d);
        d[0]
    });
    let x = (basis.transpose() * &basis)
        .cholesky()
        .expect("keys are independent")
        .solve(&(basis.transpose() * values));
    ((values - basis * x).amax(), values.amax())
}

#[test]
fn a_drag_has_nothing_between_its_keys() {
    let (edit, motion) = scene();
    let curve = edit.curve(&edit.layers[0]);
    assert!(curve.keys() < FRAMES / 10);
    let mut taken = Drag::new(edit, motion.clone(), &[0]);
    drag(&mut taken, Vector3::zeros(), Vector3::new(0.1, 0.2, 0.0));
    let out = taken.motion();
    let mut largest: f64 = 0.0;
    for joint in 0..motion.joints() {
        for k in 0..6 {
            let d = DVector::from_fn(FRAMES, |f, _| displacement(&motion, &out, f, joint)[k]);
            let (off, size) = beside(&curve, &d);
            assert!(off < 1e-9, "{joint} {k}: {off} of {size}");
            largest = largest.max(size);
        }
    }
    assert!(largest > 0.1, "{largest}");
}

/// What the last layer adds is slow: 90 % of its energy is below 1/(2πℓ).
#[test]
fn the_last_layer_adds_what_is_slow() {
    let (edit, motion) = walker::edit(FRAMES, Vec::new());
    let skeleton = &edit.figure.skeleton;
    let names = walker::names(skeleton);
    // Feet that only stay have no keyed layer: all of the edit is the last one's.
    let slid = walker::walk(skeleton, FRAMES, 0.03);
    let mut clean = edit.clone();
    for side in 0..2 {
        let stays = walker::stances(FRAMES, side).into_iter();
        clean.constraints.extend(stays.map(|frames| hold(frames, names.toes[side], Goal::Stay)));
    }
    let out = release(&clean, &slid, &Progress::silent()).expect("nobody cancels").motion;
    let limit = 1.0 / (std::f64::consts::TAU * SMOOTHING);
    let (mut slow, mut all) = (0.0, 0.0);
    for joint in 0..motion.joints() {
        for k in 0..6 {
            // Mirrored at both ends, so that the ends do not look like steps.
            let d: Vec<f64> = (0..FRAMES).map(|f| displacement(&slid, &out, f, joint)[k]).collect();
            for wave in 0..FRAMES {
                let of =
                    |f: usize| (std::f64::consts::PI * wave as f64 * (f as f64 + 0.5) / FRAMES as f64).cos();
                let part: f64 = d.iter().enumerate().map(|(f, d)| d * of(f)).sum();
                let energy = part * part * if wave == 0 { 0.5 } else { 1.0 };
                let hertz = wave as f64 * FPS / (2.0 * FRAMES as f64);
                all += energy;
                slow += if hertz < limit { energy } else { 0.0 };
            }
        }
    }
    println!("{:.4} of the energy is below {limit:.2} Hz", slow / all);
    assert!(all > 0.0 && slow >= 0.9 * all, "{}", slow / all);
}

/// A hand dragged out of reach, and back again.
#[test]
fn a_hand_dragged_out_of_reach_does_not_tear_at_the_figure() {
    let (edit, motion) = scene();
    let mut taken = Drag::new(edit.clone(), motion.clone(), &[0]);
    let by = Vector3::new(1.6, 0.4, 1.6);
    let missing = drag(&mut taken, Vector3::zeros(), by);
    let (turn, joint, frame) = walker::largest_turn(&motion, &taken.motion());
    let joint = &edit.figure.skeleton.joints()[joint].name;
    let mut off: f64 = 0.0;
    for constraint in &edit.constraints[1..] {
        let Goal::At(Targets::One(home)) = &constraint.goal else { panic!("feet are held by places") };
        for frame in (constraint.frames.0..=constraint.frames.1).step_by(edit.every()) {
            let p = constraint.point.at(&edit.figure.skeleton, &taken.world(frame));
            off = off.max((p - home).norm());
        }
    }
    let back = drag(&mut taken, by, Vector3::zeros());
    let left = walker::farthest(&edit.figure.skeleton, &motion, &taken.motion());
    println!(
        "missing {missing:.3}, turn {turn:.0} of {joint} at {frame}, plants {off:.4}; back {back:.4}, {left:.4}"
    );
    assert!(missing > 0.3 && off <= 0.01 && turn <= 120.0, "{missing} {off} {turn}");
    assert!(back <= 3e-3, "{back} {left}");
}

/// A thing held by both hands: one hand is moved, and the other goes as far.
#[test]
fn what_is_in_the_hand_is_moved_as_one() {
    let (mut edit, motion) = scene();
    let hands = walker::names(&edit.figure.skeleton).hands;
    let place = at(&edit.figure.skeleton, &motion, 100, hands[1]);
    edit.constraints.push(hold((100, 100), hands[1], Goal::At(Targets::One(place))));
    let last = edit.constraints.len() - 1;
    let by = Vector3::new(0.05, 0.1, 0.02);
    let mut taken = Drag::new(edit.clone(), motion.clone(), &[last, 0]);
    let missing = drag(&mut taken, Vector3::zeros(), by);
    assert!(missing <= 3e-3, "{missing}");
    for (hand, frame) in [(hands[0], 90), (hands[1], 100)] {
        let went = taken.world(frame).positions[hand] - at(&edit.figure.skeleton, &motion, frame, hand);
        assert!((went - by).norm() <= missing + 1e-12, "{went:?}");
    }
    // And only them.
    let mut alone = Drag::new(edit.clone(), motion.clone(), &[last]);
    drag(&mut alone, Vector3::zeros(), by);
    let went = alone.world(90).positions[hands[0]] - at(&edit.figure.skeleton, &motion, 90, hands[0]);
    assert!(went.norm() < 5e-3, "{went:?}");
}
