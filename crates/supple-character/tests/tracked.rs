//! A motion from tracked points alone, on a figure at rest.

use crate::walker::{self, at, hold};
use supple_character::{CurveKind, Edit, Figure, Goal, Keys, Layer, Metric, Motion, Targets, release};
use supple_model::Progress;

/// Every so many frames of the walk is one of the film.
const EVERY: usize = 4;
const FRAMES: usize = 48;

/// Follows some joints of the walk, each hidden in some frames; answers what is missing and whether it settled.
fn tracked(joints: &[&str]) -> (f64, bool) {
    let skeleton = walker::skeleton();
    let truth = walker::walk(&skeleton, FRAMES * EVERY, 0.0);
    let rest = Motion::rest(&skeleton, FRAMES);
    let layer = Layer {
        curve: CurveKind::BSpline,
        keys: Keys::Seconds(0.2),
        window: (0, FRAMES - 1),
        clamped: [false; 2],
        smoothing: 0.0,
    };
    let mut edit = Edit {
        figure: Figure::new(skeleton.clone(), Vec::new(), 1, &rest),
        constraints: Vec::new(),
        layers: vec![layer],
        is_loop: false,
        frame_seconds: EVERY as f64 / walker::FPS,
        metric: Metric::Blocks,
    };
    for (k, name) in joints.iter().enumerate() {
        let joint = skeleton.find(name).expect("it is a joint of the walker");
        let is_hidden = |frame: usize| k > 0 && (5 * k..5 * k + 7).contains(&frame);
        let seen = |frame: usize| (!is_hidden(frame)).then(|| at(&skeleton, &truth, frame * EVERY, joint));
        let path = (0..FRAMES).map(seen).collect();
        edit.constraints.push(hold((0, FRAMES - 1), joint, Goal::At(Targets::Each(path))));
    }
    let solution = release(&edit, &rest, &Progress::silent()).expect("nobody cancels");
    println!("{joints:?}: {:?}, {} steps, settled {}", solution.misses, solution.steps, solution.is_settled);
    (solution.misses.iter().copied().fold(0.0, f64::max), solution.is_settled)
}

const POINTS: [&str; 8] =
    ["Hips", "LeftHand", "RightHand", "LeftFoot", "RightFoot", "Head", "LeftLeg", "RightForeArm"];

#[test]
fn tracked_points_make_a_motion() {
    for count in [3, 5, 6, 7, 8] {
        let (missing, is_settled) = tracked(&POINTS[..count]);
        assert!(missing < 2e-6 && is_settled, "{count}: {missing:e}");
    }
}
