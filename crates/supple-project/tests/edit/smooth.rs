//! The smooth feel: what an animator expects of a pull on anybody's motion.

use super::bodies::{FRAMES, KINDS, Kind, LENGTH, START, Scene, apart, pull, tip};
use supple_mesh::Vec3;
use supple_project::Status;
use supple_project::shot::{Damping, End, Ends, Expert, Feel, Goal, Reach, SecondsPerFrame, Spread};

const BY: [f64; 3] = [-0.05, 0.2, 0.1];
const REACH: f64 = 8.0;

/// A body whose tip is pulled at a frame, counted from 0.
fn pulled(kind: Kind, index: usize) -> Scene {
    let scene = Scene::new(kind);
    let tip = tip(&scene.input());
    scene.with(|shot| {
        shot.edit.feel = Feel::Smooth;
        shot.edit.reach = Some(Reach(REACH));
        shot.edit.handles = vec![pull(START + index as i32, tip, Goal::By(BY))];
    })
}

/// The largest change of any vertex, frame by frame, over the pull.
fn changes(moved: &[Vec<Vec3>], input: &[Vec<Vec3>]) -> Vec<f64> {
    let of = |frame: usize| apart(&moved[frame..=frame], &input[frame..=frame]);
    (0..moved.len()).map(|frame| of(frame) / Vec3::from(BY).norm()).collect()
}

#[test]
fn a_pull_comes_and_goes_once_and_nothing_moves_farther() {
    for kind in KINDS {
        for index in [0, 16, FRAMES - 1] {
            let scene = pulled(kind, index);
            let (input, tip) = (scene.input(), tip(&scene.input()));
            let (moved, report) = scene.solved();
            assert_eq!(report.status, Status::Settled, "{kind:?} {index}: {report:?}");
            let change = moved[index][tip.index()] - input[index][tip.index()];
            assert!((change - Vec3::from(BY)).norm() < 1e-6 * LENGTH, "{kind:?} {index}: {change}");
            let changes = changes(&moved, &input);
            assert!(changes[index] < 1.25, "{kind:?} {index}: {}", changes[index]);
            for (frame, change) in changes.iter().enumerate() {
                let far = frame.abs_diff(index) as f64 / REACH;
                let most = if far >= 1.5 {
                    0.02
                } else if far >= 1.0 {
                    0.08
                } else {
                    1.6
                };
                assert!(*change <= most, "{kind:?}, {frame} for {index}: {change}");
            }
        }
    }
}

#[test]
fn the_window_and_written_ends_hold() {
    let scene = pulled(Kind::Solid, 16).with(|shot| shot.edit.window = Some(START + 12..=START + 22));
    let (input, (moved, report)) = (scene.input(), scene.solved());
    assert_eq!(report.status, Status::Settled);
    let changes = changes(&moved, &input);
    for (frame, change) in changes.iter().enumerate() {
        match frame {
            13..=21 => assert!(*change > 0.0, "{frame}"),
            _ => assert!(*change < 1e-12, "{frame}: {change}"),
        }
    }
    // It leaves and arrives without a jump.
    assert!(changes[13] < 0.25 && changes[21] < 0.15, "{changes:?}");

    let clamped = Ends::Apart { start: Some(End::Clamped), end: Some(End::Clamped) };
    let scene = pulled(Kind::Cloth, 3).with(|shot| shot.edit.ends = clamped);
    let (input, (moved, _)) = (scene.input(), scene.solved());
    assert!(apart(&moved[..1], &input[..1]) < 1e-12 && apart(&moved[1..2], &input[1..2]) > 1e-3);
    let scene = pulled(Kind::Solid, 0).with(|shot| shot.edit.ends = clamped);
    let error = scene.try_open().unwrap_err().to_string();
    assert!(error.contains("frame 5 is clamped"), "{error}");
}

#[test]
fn a_loop_has_no_seam() {
    let scene = pulled(Kind::Solid, 1).with(|shot| shot.edit.ends = Ends::Loop);
    let (input, (moved, report)) = (scene.input(), scene.solved());
    assert_eq!(report.status, Status::Settled);
    let changes = changes(&moved, &input);
    assert!(changes[FRAMES - 1] > 0.3, "it reaches around: {changes:?}");
}

#[test]
fn more_of_the_body_follows_where_more_is_asked_for() {
    let share = |spread: f64| {
        let scene = pulled(Kind::Voxels, 16).with(|shot| shot.edit.spread = Some(Spread(spread)));
        let (input, (moved, _)) = (scene.input(), scene.solved());
        let half = 0.5 * Vec3::from(BY).norm();
        let pairs = || moved[16].iter().zip(&input[16]);
        pairs().filter(|(a, b)| (*a - *b).norm() > half).count() as f64 / pairs().count() as f64
    };
    let shares = [0.1, 0.3, 0.6].map(share);
    assert!(shares[0] < shares[1] && shares[1] <= shares[2], "{shares:?}");
}

#[test]
fn it_has_no_forces_and_says_what_has_no_effect() {
    let scene = pulled(Kind::Solid, 16).with(|shot| {
        shot.edit.reach = Some(Reach(1000.0));
        shot.edit.damping = Some(Damping::default());
        shot.motion.seconds_per_frame = SecondsPerFrame::Seconds(0.5);
        shot.edit.expert = Some(Expert { fade: Some(3.0), ..Expert::default() });
    });
    let editor = scene.open();
    assert_eq!(
        editor.notes,
        [
            "`reach = 1000` is longer than the motion; using 36 frames",
            "`damping` and `seconds_per_frame` and `fade` of [edit.expert] have no effect on a smooth edit; \
             set `feel = \"lively\"` to use them",
        ]
    );
    let (_, report) = scene.solved();
    assert!(report.force.is_none() && report.force_over_time.is_empty() && report.energy > 0.0);
    let smoothness = report.smoothness.unwrap();
    // Two dozen modes of a coarse bar are few.
    assert!(smoothness.cutoff > 0.0 && (1.0..2.0).contains(&smoothness.amplification), "{smoothness:?}");
    assert!(pulled(Kind::Solid, 16).open().notes.is_empty());
}

#[test]
fn lively_free_bodies_come_home_unless_they_are_let_go() {
    let at_the_end = |end: Option<End>| {
        let scene = Scene::moving(Kind::Flying, 90, |_, p| *p);
        let tip = tip(&scene.input());
        let scene = scene.with(|shot| {
            shot.edit.ends = Ends::Apart { start: None, end };
            shot.edit.handles = vec![pull(START + 20, tip, Goal::By(BY))];
        });
        let (input, (moved, report)) = (scene.input(), scene.solved());
        assert_eq!(report.status, Status::Settled);
        apart(&moved[89..], &input[89..]) / Vec3::from(BY).norm()
    };
    let (home, gone) = (at_the_end(None), at_the_end(Some(End::Free)));
    assert!(home < 0.2 && gone > 1.0, "{home}, {gone}");
}
