//! Handles out of reach: followed as far as the body goes without being torn, and said to be.

use super::bodies::{FRAMES, Kind, LENGTH, START, Scene, bend, frames, pull, release, tip};
use std::path::Path;
use std::sync::{Arc, Mutex};
use supple_mesh::Vec3;
use supple_model::{Progress, ProgressSink, VertexId};
use supple_project::shot::{Axes, Feel, Goal, Handle, Hold, Shot, Site, When};
use supple_project::{Body, Cache, DragMethod, EditError, EditReport, Reason, Sample, Status};

const FRAME: i32 = START + 16;
const INDEX: usize = 16;
/// How many times as long as in the input a pulled piece may become.
const LIMIT: f64 = 1.5;

/// The gull, without its handle.
fn gull(folder: &Path) -> (Shot, Arc<Body>, Cache) {
    let path = Sample::named("bird").unwrap().write(folder).unwrap();
    let mut shot = Shot::load(&path).unwrap();
    shot.edit.handles.clear();
    let body = Arc::new(Body::load(&shot).unwrap());
    (shot, body, Cache::of_shot(&path))
}

/// The vertex farthest along a direction.
fn farthest(editor: &DragMethod, direction: Vec3) -> VertexId {
    let along = |v: &usize| editor.rest()[*v].dot(&direction);
    VertexId::new((0..editor.rest().len()).max_by(|a, b| along(a).total_cmp(&along(b))).unwrap())
}

/// How far a vertex is from the nearest of others along the surface of a body, edge by edge.
fn distance(body: &Body, places: &[Vec3], from: VertexId, to: impl Fn(usize) -> bool) -> f64 {
    let mut far = vec![f64::INFINITY; places.len()];
    far[from.index()] = 0.0;
    loop {
        let mut changed = false;
        for triangle in &body.surface {
            for (a, b) in [(0, 1), (1, 2), (2, 0), (1, 0), (2, 1), (0, 2)] {
                let (a, b) = (triangle[a].index(), triangle[b].index());
                let there = far[a] + (places[a] - places[b]).norm();
                if there < far[b] {
                    (far[b], changed) = (there, true);
                }
            }
        }
        if !changed {
            return (0..places.len()).filter(|v| to(*v)).map(|v| far[v]).fold(f64::INFINITY, f64::min);
        }
    }
}

/// The largest displacement of some vertices at some frames.
fn moved(a: &[Vec<Vec3>], b: &[Vec<Vec3>], at: impl Fn(usize) -> bool, of: impl Fn(&Vec3) -> bool) -> f64 {
    let frames = (0..a.len()).filter(|frame| at(*frame));
    let pairs = frames.flat_map(|frame| a[frame].iter().zip(&b[frame]));
    pairs.filter(|(a, _)| of(a)).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max)
}

#[test]
fn a_bar_is_pulled_to_its_limit_and_no_farther() {
    for kind in [Kind::Solid, Kind::Voxels, Kind::Springs] {
        let scene = Scene::at_rest(kind);
        let (input, body) = (scene.input(), scene.body());
        let tip = tip(&input);
        // To three times its length.
        let scene =
            scene.with(|shot| shot.edit.handles = vec![pull(FRAME, tip, Goal::By([2.0 * LENGTH, 0.0, 0.0]))]);
        let (edited, report) = scene.solved();
        assert_eq!(report.status, Status::Compromise, "{kind:?}: {report:?}");
        let handle = &report.handles[0];
        assert_eq!(handle.reason, Some(Reason::OutOfReach), "{kind:?}: {report:?}");
        let held = |v: usize| body.positions()[v].x <= 1e-9;
        let length = |places: &[Vec3]| distance(&body, places, tip, held);
        let stretch = length(&edited[INDEX]) / length(&input[INDEX]);
        assert!(stretch <= LIMIT * (1.0 + 1e-6) && stretch > 0.95 * LIMIT, "{kind:?}: {stretch}");
        let gone = edited[INDEX][tip.index()] - input[INDEX][tip.index()];
        let short = 1.0 - gone.x / (2.0 * LENGTH);
        assert!((handle.shortfall() - short).abs() < 1e-6, "{kind:?}: {} {short}", handle.shortfall());
        assert!(gone.yz().norm() < 1e-6, "on the straight line: {gone}");
        assert!(report.energy.is_finite() && report.energy > 0.0);
        let warnings: Vec<String> = report.warnings().collect();
        let expected = "handle 1: dragged 2.0 times as far as its distance to the anchors; out of reach, ";
        assert!(warnings.len() == 1 && warnings[0].starts_with(expected), "{kind:?}: {warnings:?}");
        // Half of it is half as far.
        let scene = scene.with(|shot| shot.edit.part = Some("outer".into()));
        let (_, report) = scene.solved();
        let warnings: Vec<String> = report.warnings().collect();
        let expected = if kind == Kind::Voxels { "3.3" } else { "3.0" };
        let expected = format!(
            "handle 1: dragged {expected} times as far as its distance to the edge of the edited part"
        );
        assert!(warnings.len() == 1 && warnings[0].starts_with(&expected), "{kind:?}: {warnings:?}");
    }
}

#[test]
fn what_can_be_reached_is_reached() {
    // Pulled straight, a body that the input bends grows no longer.
    for kind in [Kind::Solid, Kind::Voxels, Kind::Springs] {
        let scene = Scene::moving(kind, FRAMES, |_, p| bend(p, 2.0));
        let (input, body) = (scene.input(), scene.body());
        let tip = tip(&[body.positions().to_vec()]);
        let place = body.positions()[tip.index()] * 0.97;
        let scene = scene.with(|shot| shot.edit.handles = vec![pull(FRAME, tip, Goal::To(place.into()))]);
        let (edited, report) = scene.solved();
        assert_eq!(report.status, Status::Settled, "{kind:?}: {report:?}");
        assert_eq!(report.handles[0].reason, None);
        assert!((edited[INDEX][tip.index()] - place).norm() < 1e-6 * LENGTH);
        assert!((place - input[INDEX][tip.index()]).norm() > 0.4 * LENGTH, "a long way");
        assert_eq!(report.warnings().count(), 0, "{report:?}");
    }
}

#[test]
fn one_coordinate_is_out_of_reach_as_well() {
    let scene = Scene::at_rest(Kind::Solid);
    let tip = tip(&scene.input());
    let up = |hold| Handle {
        axes: Some(Axes([false, true, false])),
        hold: Some(hold),
        ..pull(FRAME, tip, Goal::By([0.0, 5.0 * LENGTH, 0.0]))
    };
    let scene = scene.with(|shot| shot.edit.handles = vec![up(Hold::Hard)]);
    let (edited, report) = scene.solved();
    assert_eq!((report.status, report.handles[0].reason), (Status::Compromise, Some(Reason::OutOfReach)));
    let gone = edited[INDEX][tip.index()].y - scene.input()[INDEX][tip.index()].y;
    assert!(gone > LENGTH && gone < LIMIT * LENGTH, "{gone}");
    // Soft handles give by themselves, and plain edits stretch as they like.
    let scene = scene.with(|shot| shot.edit.handles = vec![up(Hold::Soft(1.0))]);
    assert_eq!(scene.solved().1.handles[0].reason, None);
    let scene = scene.with(|shot| (shot.edit.handles, shot.edit.warp) = (vec![up(Hold::Hard)], false));
    assert_eq!(scene.solved().1.status, Status::Settled);
}

fn reasons(report: &EditReport) -> Vec<Option<Reason>> {
    report.handles.iter().map(|handle| handle.reason).collect()
}

#[test]
fn handles_that_contradict_each_other_are_told_from_those_out_of_reach() {
    let mut scene = Scene::at_rest(Kind::Solid);
    let (input, body) = (scene.input(), scene.body());
    let tip = tip(&input);
    let up = |by: f64| pull(FRAME, tip, Goal::By([0.0, by, 0.0]));
    // Two places at once; either could be.
    scene.shot.edit.handles = vec![up(0.3), up(-0.1)];
    let (_, report) = scene.solved();
    assert_eq!(report.status, Status::Compromise);
    assert_eq!(reasons(&report), [Some(Reason::Contradicts); 2], "{report:?}");
    // A place seen from itself: alone, it can contradict nothing.
    let itself = Handle { relative_to: Some(Site::Vertex(tip)), ..up(0.3) };
    scene.shot.edit.handles = vec![itself.clone()];
    assert_eq!(reasons(&scene.solved().1), [Some(Reason::OutOfReach)]);
    // Nor does it beside one that is met.
    scene.shot.edit.handles = vec![itself, pull(FRAME + 6, tip, Goal::By([0.0, 0.1, 0.0]))];
    assert_eq!(reasons(&scene.solved().1), [Some(Reason::OutOfReach), None]);
    // Torn apart: tip and middle, nearer to each other than to what is held.
    scene.shot.edit.modes = 80;
    let near = |v: &usize| (body.positions()[*v] - body.positions()[tip.index()] + Vec3::x() * 0.6667).norm();
    let middle = VertexId::new((0..input[0].len()).min_by(|a, b| near(a).total_cmp(&near(b))).unwrap());
    let aside = |vertex, by: f64| pull(FRAME, vertex, Goal::By([by, 0.0, 0.0]));
    scene.shot.edit.handles = vec![aside(tip, 0.3), aside(middle, -0.3)];
    let (edited, report) = scene.solved();
    assert_eq!(report.status, Status::Compromise, "{report:?}");
    assert_eq!(reasons(&report), [Some(Reason::Contradicts); 2], "{report:?}");
    let apart = |places: &[Vec3]| (places[tip.index()] - places[middle.index()]).norm();
    let stretch = apart(&edited[INDEX]) / apart(&input[INDEX]);
    assert!(stretch <= LIMIT * (1.0 + 1e-6) && stretch > 1.4, "{stretch}");
    // Alone, either is met.
    scene.shot.edit.handles = vec![aside(middle, -0.3)];
    assert_eq!(reasons(&scene.solved().1), [None]);
}

#[test]
fn a_hand_that_goes_too_far_is_followed_as_far_as_the_body_goes() {
    let scene = Scene::new(Kind::Solid);
    let (input, body) = (scene.input(), scene.body());
    let tip = tip(&input);
    let mut editor = scene.open();
    let key = editor.add(pull(FRAME, tip, Goal::By([0.0, 0.1, 0.0]))).unwrap();
    release(&mut editor);
    let silent = Progress::silent();
    editor.grab(key, INDEX, &silent).unwrap();
    let length = distance(&body, &input[INDEX], tip, |v| body.positions()[v].x <= 1e-9);
    let mut u = vec![0.0; 3 * editor.rest().len()];
    let mut before: Option<Vec3> = None;
    for event in 1..=60 {
        let shift = [0.1 * f64::from(event), 0.0, 0.0];
        let mut step = editor.drag(shift, &silent).unwrap();
        for _ in 0..3 {
            step = editor.drag(shift, &silent).unwrap();
        }
        editor.shown(&mut u).unwrap();
        let at = editor.rest()[tip.index()] + Vec3::from_column_slice(&u[3 * tip.index()..][..3]);
        assert!(step.error < 1e-3, "event {event}: {step:?}");
        assert!(at.norm() <= LIMIT * length + 0.4, "event {event}: {at}");
        assert!(step.is_out_of_reach == (event > 13 || before.is_some()), "event {event}: {step:?}");
        if step.is_out_of_reach {
            // The hand moves the body no more.
            let gone = before.map_or(0.0, |before| (at - before).norm());
            assert!(gone < 0.01 * LENGTH, "event {event}: {gone}");
            before = Some(at);
        }
    }
    // And back.
    let back = editor.drag([0.2, 0.0, 0.0], &silent).unwrap();
    assert!(!back.is_out_of_reach);
    editor.drag([6.0, 0.0, 0.0], &silent).unwrap();
    editor.put_down().unwrap();
    let report = release(&mut editor);
    assert_eq!((report.status, report.handles[0].reason), (Status::Compromise, Some(Reason::OutOfReach)));
    // What was dragged where does not matter.
    let handle = editor.handles().next().unwrap().1.clone();
    let (alone, fresh) = scene.with(|shot| shot.edit.handles = vec![handle]).solved();
    assert_eq!(frames(&editor), alone);
    assert_eq!((report.energy, report.status), (fresh.energy, fresh.status));
}

/// Stops the work when it is that far.
struct StopAt(f64, Mutex<Option<Progress>>);

impl ProgressSink for StopAt {
    fn update(&self, _: &str, fraction: f64) {
        if fraction > self.0
            && let Some(progress) = &*self.1.lock().unwrap()
        {
            progress.cancel();
        }
    }
}

#[test]
fn stopping_while_a_handle_is_followed_changes_nothing() {
    let scene = Scene::at_rest(Kind::Voxels);
    let tip = tip(&scene.input());
    let mut editor = scene.open();
    let far = |by: f64| pull(FRAME, tip, Goal::By([by, 0.0, 0.0]));
    let key = editor.add(far(3.0)).unwrap();
    let first = release(&mut editor);
    let before = frames(&editor);
    editor.set(key, far(4.0)).unwrap();
    // Of settling, the first solution is one half.
    let sink = Arc::new(StopAt(0.1, Mutex::new(None)));
    let progress = Progress::new(sink.clone());
    *sink.1.lock().unwrap() = Some(progress.clone());
    assert!(matches!(editor.settle(&progress), Err(EditError::Cancelled(_))));
    assert_eq!(frames(&editor), before);
    editor.set(key, far(3.0)).unwrap();
    assert_eq!(release(&mut editor), first);
    assert_eq!(frames(&editor), before);
}

#[test]
fn the_tail_of_the_gull_does_not_tear_its_wings_off() {
    let folder = tempfile::tempdir().unwrap();
    let (shot, body, cache) = gull(folder.path());
    let mut editor = DragMethod::open(&shot, body, &cache, &Progress::silent()).unwrap();
    let input = frames(&editor);
    let tip = farthest(&editor, -Vec3::x());
    // Where the fan of the tail begins.
    let off = |v: &usize| (editor.rest()[*v] - Vec3::new(-0.54, 0.02, -0.08)).norm();
    let root = (0..editor.rest().len()).min_by(|a, b| off(a).total_cmp(&off(b))).unwrap();
    for (vertex, least, most, energy) in [(tip, 1.0, 1.3, 1.5e5), (VertexId::new(root), 1.8, 2.3, 4e4)] {
        for (frame, by) in [(30, [0.0, 0.3, 0.0]), (140, [-0.3, 0.0, 0.0]), (140, [0.0, 0.0, 0.3])] {
            let key = editor.add(pull(editor.clock().start.0 + frame, vertex, Goal::By(by))).unwrap();
            let report = release(&mut editor);
            let handle = &report.handles[0];
            assert!(report.energy.is_finite() && report.energy < energy, "{report:?}");
            let over = handle.over_distance.unwrap();
            assert!(over > least && over < most, "{over}");
            assert_eq!(report.warnings().count(), 1, "{report:?}");
            match report.status {
                Status::Settled => assert!(handle.reason.is_none() && handle.shortfall() < 1e-5),
                Status::Compromise => assert_eq!(handle.reason, Some(Reason::OutOfReach)),
                other => panic!("{other:?}: {report:?}"),
            }
            let edited = frames(&editor);
            let away = |index: usize| index.abs_diff(frame as usize) >= 70;
            let wings = moved(&input, &edited, away, |p| p.z.abs() > 0.4);
            assert!(wings < 0.5 * 0.3, "{wings} at {frame} by {by:?}");
            let all = moved(&input, &edited, |_| true, |_| true);
            assert!(all < 2.0 * 0.3, "{all} at {frame} by {by:?}");
            editor.remove(key).unwrap();
        }
    }
}

#[test]
fn the_wing_of_the_gull_can_be_pulled_at_any_beat() {
    let folder = tempfile::tempdir().unwrap();
    let (shot, body, cache) = gull(folder.path());
    let mut editor = DragMethod::open(&shot, body, &cache, &Progress::silent()).unwrap();
    let input = frames(&editor);
    let wing = farthest(&editor, -Vec3::z());
    for frame in [100, 140] {
        let key = editor.add(pull(editor.clock().start.0 + frame, wing, Goal::By([0.0, 0.4, 0.1]))).unwrap();
        let report = release(&mut editor);
        assert_eq!((report.status, report.handles[0].reason), (Status::Settled, None), "{report:?}");
        assert!(report.energy < 1e3 && report.warnings().count() == 0, "{report:?}");
        let edited = frames(&editor);
        let all = moved(&input, &edited, |_| true, |_| true);
        assert!(all < 1.2 * 0.17_f64.sqrt(), "{all} at {frame}");
        editor.remove(key).unwrap();
    }
}

#[test]
fn a_vertex_that_hardly_moves_is_pulled_hardly_anywhere() {
    let folder = tempfile::tempdir().unwrap();
    let (shot, body, cache) = gull(folder.path());
    // One that rides mostly on anchors, but not only.
    let rows = body.skin.as_ref().unwrap().embedding.rows();
    let moving = rows.map(|(corners, weights)| -> f64 {
        corners.iter().zip(weights).filter(|(v, _)| body.free.index(**v).is_some()).map(|(_, w)| w).sum()
    });
    let moving: Vec<f64> = moving.collect();
    let vertex = VertexId::new(moving.iter().position(|part| (0.2..0.4).contains(part)).unwrap());
    let mut editor = DragMethod::open(&shot, body, &cache, &Progress::silent()).unwrap();
    editor.add(pull(editor.clock().start.0 + 60, vertex, Goal::By([0.0, 0.3, 0.0]))).unwrap();
    let report = release(&mut editor);
    assert_eq!(report.warnings().count(), 1, "{report:?}");
    assert_eq!((report.status, report.handles[0].reason), (Status::Compromise, Some(Reason::OutOfReach)));
    assert!(report.handles[0].shortfall() > 0.3, "{report:?}");
}

/// The gull's own handle, put off to frame 140, was said to contradict other handles though there are none: a handle that is
/// missed alone is out of reach.
#[test]
fn a_handle_alone_contradicts_nothing_wherever_it_is_put() {
    let folder = tempfile::tempdir().unwrap();
    let (mut shot, body, cache) = gull(folder.path());
    let own = Shot::load(&folder.path().join("bird.toml")).unwrap().edit.handles[0].clone();
    let mut asked = None;
    for (frame, is_absolute, feel) in [
        (100, false, Feel::Lively),
        (140, false, Feel::Lively),
        (140, true, Feel::Lively),
        (140, false, Feel::Smooth),
        (140, true, Feel::Smooth),
    ] {
        let mut handle = Handle { when: When::Frame(frame), ..own.clone() };
        if let (true, Some(to)) = (is_absolute, asked) {
            handle.goal = Goal::To(to);
        }
        (shot.edit.feel, shot.edit.handles) = (feel, vec![handle]);
        let mut editor = DragMethod::open(&shot, body.clone(), &cache, &Progress::silent()).unwrap();
        let report = release(&mut editor);
        asked = asked.or_else(|| Some(editor.marks(99)[0].asked.into()));
        let handle = &report.handles[0];
        assert_ne!(handle.reason, Some(Reason::Contradicts), "{handle:?}");
        match report.status {
            Status::Settled => assert!(handle.error < 1e-6 * editor.size(), "{handle:?}"),
            status => {
                assert_eq!((status, handle.reason), (Status::Compromise, Some(Reason::OutOfReach)));
            }
        }
    }
}
