//! When an edit may happen, and how far it reaches in time and over the body.

use super::bodies::{
    FRAMES, Kind, LENGTH, START, Scene, apart, bend, frames, linear, pull, release, shape, swing, tip, z,
};
use std::f64::consts::{PI, TAU};
use supple_mesh::Vec3;
use supple_model::{Progress, VertexId};
use supple_project::Status;
use supple_project::shot::{Axes, Damping, End, Ends, Expert, Goal, Handle, SecondsPerFrame};
use supple_spacetime::Order;

const FRAME: i32 = START + 16;
const INDEX: usize = 16;
const BY: [f64; 3] = [-0.1, 0.4, 0.2];

fn length(z: &[f64]) -> f64 {
    z.iter().map(|z| z * z).sum::<f64>().sqrt()
}

/// A handle on the tip of a solid, and how the edit is to be made.
fn solid(choose: impl FnOnce(&mut supple_project::Shot)) -> Scene {
    let scene = Scene::new(Kind::Solid);
    let tip = tip(&scene.input());
    scene.with(|shot| shot.edit.handles = vec![pull(FRAME, tip, Goal::By(BY))]).with(choose)
}

#[test]
fn edit_and_velocity_vanish_at_clamped_ends_and_nowhere_else() {
    let (free, clamped) = (Some(End::Free), Some(End::Clamped));
    let ends = [(None, None), (clamped, clamped), (free, None), (free, clamped), (clamped, free)];
    for (start, end) in ends {
        for warp in [true, false] {
            let scene = solid(|shot| {
                shot.edit.ends = Ends::Apart { start, end };
                shot.edit.warp = warp;
            });
            let input = scene.input();
            let mut editor = scene.open();
            assert_eq!(release(&mut editor).status, Status::Settled);
            let moved = frames(&editor);
            let middle = length(&z(&editor, INDEX, Order::Position));
            let held_ends = [(0, start != free), (FRAMES - 1, end == clamped)];
            for (frame, is_held) in held_ends {
                let position = length(&z(&editor, frame, Order::Position)) / middle;
                let dt = editor.seconds_per_frame();
                let velocity = length(&z(&editor, frame, Order::Velocity)) * dt / middle;
                if is_held {
                    assert!(position < 1e-9 && velocity < 1e-9, "{position:e} {velocity:e} at {frame}");
                    assert!(apart(&moved[frame..=frame], &input[frame..=frame]) < 1e-9);
                } else {
                    assert!(position > 1e-3, "{position:e} at {frame} of {:?}", (start, end));
                }
            }
        }
    }
}

#[test]
fn free_ends_can_be_held() {
    for index in [0, FRAMES - 1] {
        let scene = solid(|shot| shot.edit.ends = Ends::Apart { start: Some(End::Free), end: None });
        let (input, tip) = (scene.input(), tip(&scene.input()));
        let held = pull(START + index as i32, tip, Goal::By(BY));
        let scene = scene.with(|shot| shot.edit.handles = vec![held]);
        let (moved, report) = scene.solved();
        assert_eq!(report.status, Status::Settled, "{report:?}");
        let change = moved[index][tip.index()] - input[index][tip.index()];
        assert!((change - Vec3::from(BY)).norm() < 1e-6 * LENGTH, "{change} at {index}");
    }
}

#[test]
fn both_ends_can_be_held_at_once() {
    // Held at the first and the last frame, at places that free swinging does not lead to.
    for [first, last] in [[BY, BY], [BY, BY.map(|x| -x)]] {
        let scene = solid(|shot| shot.edit.ends = Ends::Apart { start: Some(End::Free), end: None });
        let (input, tip) = (scene.input(), tip(&scene.input()));
        let asked = [(0, first), (FRAMES - 1, last)];
        let scene = scene.with(|shot| {
            let pull = |(index, by): (usize, [f64; 3])| pull(START + index as i32, tip, Goal::By(by));
            shot.edit.handles = asked.map(pull).to_vec();
        });
        let (moved, report) = scene.solved();
        assert_eq!(report.status, Status::Settled, "{report:?}");
        for (index, by) in asked {
            let change = moved[index][tip.index()] - input[index][tip.index()];
            assert!((change - Vec3::from(by)).norm() < 1e-6 * LENGTH, "{change} at {index}");
        }
    }
}

#[test]
fn a_loop_closes() {
    // The input swings once in 20 frames; a 21st repeats the first, or does not.
    const PERIOD: usize = 20;
    let made = |count: usize, at: usize| {
        let scene = Scene::moving(Kind::Solid, count, |frame, p| bend(p, swing((frame % PERIOD) as f64)));
        let tip = tip(&scene.input());
        scene.with(|shot| {
            shot.edit.ends = Ends::Loop;
            shot.edit.warp = false;
            shot.edit.handles = vec![pull(START + at as i32, tip, Goal::By(BY))];
        })
    };
    let edits = |count: usize, at: usize, order: Order| -> Vec<Vec<f64>> {
        let mut editor = made(count, at).open();
        release(&mut editor);
        (0..count).map(|frame| z(&editor, frame, order)).collect()
    };
    for order in [Order::Position, Order::Velocity] {
        let (whole, repeated) = (edits(PERIOD, 18, order), edits(PERIOD + 1, 18, order));
        let size = whole.iter().map(|z| length(z)).fold(0.0, f64::max);
        let off =
            |a: &[f64], b: &[f64]| length(&a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<_>>()) / size;
        assert!(off(&repeated[0], &repeated[PERIOD]) < 1e-9, "the last frame is the first again");
        assert!(length(&repeated[0]) > 0.1 * size, "and moves");
        assert!(whole.iter().zip(&repeated).all(|(a, b)| off(a, b) < 1e-9));
        // A circle has no beginning: the same pull later is the same edit later.
        let later = edits(PERIOD, 5, order);
        for (frame, now) in whole.iter().enumerate() {
            assert!(off(now, &later[(frame + PERIOD - 13) % PERIOD]) < 1e-9, "{frame}");
        }
    }
    // What nothing holds does not drift away, warped or not.
    let scene = Scene::new(Kind::Flying);
    let (input, tip) = (scene.input(), tip(&scene.input()));
    let scene = scene.with(|shot| {
        shot.edit.ends = Ends::Loop;
        shot.edit.handles = vec![pull(FRAME, tip, Goal::By(BY))];
    });
    let (moved, report) = scene.solved();
    assert_eq!(report.status, Status::Settled);
    assert!(apart(&moved, &input) < 2.0, "{}", apart(&moved, &input));
}

#[test]
fn nothing_changes_outside_of_a_window() {
    for warp in [true, false] {
        let scene = solid(|shot| {
            shot.edit.window = Some(START + 8..=START + 24);
            shot.edit.warp = warp;
        });
        let (moved, report) = scene.solved();
        assert_eq!(report.status, Status::Settled);
        let input = scene.input();
        let same = |range: std::ops::Range<usize>| apart(&moved[range.clone()], &input[range]);
        assert!(same(0..9) < 1e-13 && same(24..FRAMES) < 1e-13);
        assert!((10..24).all(|frame| same(frame..frame + 1) > 1e-4), "all between");
        // Where it reaches the end of the motion, that is free.
        let scene = scene.with(|shot| shot.edit.window = Some(START + 8..=START + FRAMES as i32 - 1));
        let moved = scene.solved().0;
        assert!(apart(&moved[..9], &input[..9]) < 1e-13);
        assert!(apart(&moved[FRAMES - 1..], &input[FRAMES - 1..]) > 1e-3);
    }
}

/// The part of the frames in which the tip moves by a tenth of what it was pulled.
fn lasts(scene: &Scene) -> usize {
    let (moved, _) = scene.solved();
    let (input, tip) = (scene.input(), tip(&scene.input()).index());
    let pulled = Vec3::from(BY).norm();
    (0..FRAMES).filter(|frame| (moved[*frame][tip] - input[*frame][tip]).norm() > 0.1 * pulled).count()
}

#[test]
fn reach_in_time_shortens_an_edit() {
    let reaching = |frames: Option<f64>| {
        lasts(&solid(|shot| shot.edit.expert = Some(Expert { fade: frames, ..Expert::default() })))
    };
    let lengths = [Some(2.0), Some(5.0), None].map(reaching);
    assert!(lengths[0] < lengths[1] && lengths[1] < lengths[2], "{lengths:?}");
    assert!(lengths[0] <= 9, "about two frames to either side: {lengths:?}");
}

/// A handle half way along a bar of many modes, without a warp: how much of the bar moves by half as much as it
/// at its frame, and how much on the mean.
fn spread(choose: impl FnOnce(&mut supple_project::Shot)) -> (f64, f64) {
    let scene = Scene::at_rest(Kind::Voxels);
    let middle = scene.body().positions().iter().position(|p| (p - Vec3::new(1.0, 0.4, 0.2)).norm() < 1e-9);
    let vertex = VertexId::new(middle.unwrap());
    let scene = scene.with(|shot| {
        shot.edit.modes = 60;
        shot.edit.warp = false;
        // Its height alone: that its slope stays is not asked.
        let axes = Some(Axes([false, true, false]));
        shot.edit.handles = vec![Handle { axes, ..pull(FRAME, vertex, Goal::By([0.0, 0.2, 0.0])) }];
    });
    let scene = scene.with(choose);
    let mut editor = scene.open();
    release(&mut editor);
    let edit = linear(&editor, INDEX);
    assert!((edit[vertex.index()].y - 0.2).abs() < 1e-9);
    let moves = edit.iter().filter(|p| p.norm() >= 0.1).count() as f64 / edit.len() as f64;
    (moves, edit.iter().map(|p| p.norm() / 0.2).sum::<f64>() / edit.len() as f64)
}

#[test]
fn reach_in_space_spreads_an_edit_or_localises_it() {
    let means = [-1.0, -0.5, 0.0, 0.5].map(|space| {
        let (_, mean) =
            spread(|shot| shot.edit.expert = Some(Expert { space: Some(space), ..Expert::default() }));
        mean
    });
    assert!(means.windows(2).all(|pair| pair[0] < pair[1]) && means[0] < 0.8 * means[2], "{means:?}");
}

#[test]
fn more_seconds_per_frame_make_edits_more_global() {
    // Barbič, Sin and Grinspun 2012, Fig. 8.
    let auto = Scene::at_rest(Kind::Voxels).open().seconds_per_frame();
    let seconds = |part: f64| SecondsPerFrame::Seconds(part * auto);
    let spreads = [0.01, 0.03, 0.1].map(|part| spread(|shot| shot.motion.seconds_per_frame = seconds(part)));
    assert!(spreads.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1), "{spreads:?}");
}

#[test]
fn wiggle_free_edits_swing_less() {
    // Pulled late and hardly damped, the body swings up to it; without wiggles it goes there.
    let turns = |wiggle_free: Option<f64>| {
        let scene = Scene::at_rest(Kind::Solid);
        let tip = tip(&scene.input());
        let scene = scene.with(|shot| {
            shot.edit.warp = false;
            shot.edit.damping = Some(Damping { mass: 0.0, stiffness: 1e-4 });
            shot.edit.expert = Some(Expert { wiggle_free, ..Expert::default() });
            shot.edit.handles = vec![pull(START + 30, tip, Goal::By([0.0, 0.4, 0.0]))];
        });
        let mut editor = scene.open();
        assert_eq!(release(&mut editor).status, Status::Settled);
        let velocity = |frame| shape(&editor, &z(&editor, frame, Order::Velocity))[tip.index()].y;
        let signs: Vec<bool> = (1..FRAMES).map(|frame| velocity(frame) > 0.0).collect();
        signs.windows(2).filter(|pair| pair[0] != pair[1]).count()
    };
    let counts = [None, Some(1.0), Some(0.05)].map(turns);
    assert!(counts[1] < counts[0] && counts[2] <= counts[1], "{counts:?}");
}

#[test]
fn by_default_the_first_mode_swings_once_in_24_frames_and_fast_modes_are_half_critically_damped() {
    for kind in [Kind::Solid, Kind::Flying, Kind::Cloth] {
        let scene = Scene::new(kind);
        let body = scene.body();
        let modes = body.elastic.modes(&body.free, 8, &Progress::silent()).unwrap();
        let rigid = if kind == Kind::Flying { 6 } else { 0 };
        let first = modes.eigenvalues()[rigid];
        assert!(first > 0.0 && (rigid == 0 || modes.eigenvalues()[rigid - 1] == 0.0));
        let expected = TAU / first.sqrt() / 24.0;
        let dt = scene.open().seconds_per_frame();
        assert!((dt / expected - 1.0).abs() < 1e-6, "{kind:?}: {dt} and {expected}");
        if kind == Kind::Solid {
            let damped = |damping| solid(|shot| shot.edit.damping = damping).solved().0;
            let by_default = damped(None);
            let stiffness = dt / PI;
            assert_eq!(by_default, damped(Some(Damping { mass: 0.0, stiffness })));
            assert!(
                apart(&by_default, &damped(Some(Damping { mass: 0.0, stiffness: 1.1 * stiffness }))) > 1e-4
            );
        }
    }
}
