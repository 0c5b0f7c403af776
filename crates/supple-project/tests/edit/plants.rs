//! What stands still for a while stays where it stands.

use super::bodies::{FRAMES, Kind, START, Scene, frames, pull, release, tip};
use supple_mesh::Vec3;
use supple_model::{Progress, VertexId};
use supple_project::shot::{Feel, Goal, Shot};
use supple_project::{DragMethod, Status};

const STANDS: std::ops::RangeInclusive<usize> = 10..=22;
const INDEX: usize = 16;

/// A beam that nothing holds: it glides, stands on its end at x = 0 for a while as the rest swings on, and glides on.
fn walker() -> Scene {
    let pose = |frame: usize, p: &Vec3| {
        let gone = frame as f64 - (frame as f64).clamp(*STANDS.start() as f64, *STANDS.end() as f64);
        let share = p.x / 2.0;
        p + Vec3::new(0.0, 0.35 * share * (frame as f64 * 0.35).sin(), 0.05 * gone)
    };
    Scene::moving(Kind::Flying, FRAMES, pose)
        .with(|shot| (shot.edit.modes, shot.edit.feel) = (60, Feel::Smooth))
}

fn planted(shot: &mut Shot) {
    shot.set_plants(true);
}

/// How far the standing end moves while it stands, at most.
fn slip(editor: &DragMethod, input: &[Vec<Vec3>], shift: Vec3) -> f64 {
    let moved = frames(editor);
    let standing = editor.contacts().plants[0].vertices.clone();
    let of = |index: usize| {
        standing
            .iter()
            .map(|v| (moved[index][v.index()] - input[index][v.index()] - shift).norm())
            .fold(0.0, f64::max)
    };
    STANDS.map(of).fold(0.0, f64::max)
}

/// Feet slid along when anything else was pulled.
#[test]
fn a_part_that_stands_stays_there_when_another_is_pulled() {
    let scene = walker();
    let input = scene.input();
    let end = tip(&input);
    let by = Vec3::new(0.0, 0.3, 0.2);
    let scene =
        scene.with(|shot| shot.edit.handles = vec![pull(START + INDEX as i32, end, Goal::By(by.into()))]);
    let free = scene.solved().0;
    let scene = scene.with(planted);
    let mut editor = scene.open();
    let plants = &editor.contacts().plants;
    assert_eq!(plants.len(), 1, "{plants:?}");
    assert_eq!(plants[0].frames, STANDS);
    assert!(plants[0].vertices.iter().all(|v| editor.rest()[v.index()].x < 0.6), "{plants:?}");
    let standing = plants[0].vertices.clone();
    let report = release(&mut editor);
    assert_eq!((report.status, report.contacts.plants), (Status::Settled, 1), "{report:?}");
    let slipped = slip(&editor, &input, Vec3::zeros());
    let before = |v: &VertexId| (free[INDEX][v.index()] - input[INDEX][v.index()]).norm();
    let before = standing.iter().map(before).fold(0.0, f64::max);
    assert!(slipped < 0.01 * editor.size() && slipped < 0.2 * before, "{slipped}, {before} without");
    // Nothing flies off for it.
    let moved = frames(&editor);
    let far = moved.iter().flatten().zip(input.iter().flatten()).map(|(a, b)| (a - b).norm());
    let far = far.fold(0.0, f64::max) / by.norm();
    assert!(far <= 1.5, "{far}");
}

/// A handle on a foot fought the plant; now it takes it along for as long as it stands.
#[test]
fn a_handle_on_a_plant_moves_it_over_all_its_frames() {
    let scene = walker().with(planted);
    let input = scene.input();
    let foot = scene.open().contacts().at(INDEX)[0].vertex();
    let by = Vec3::new(0.05, 0.1, -0.1);
    let scene =
        scene.with(|shot| shot.edit.handles = vec![pull(START + INDEX as i32, foot, Goal::By(by.into()))]);
    let mut editor = scene.open();
    let report = release(&mut editor);
    let handle = &report.handles[0];
    assert_eq!(handle.plant, Some(START + 10..=START + 22), "{report:?}");
    assert!(handle.error < 1e-5 * editor.size(), "{report:?}");
    let slipped = slip(&editor, &input, by);
    assert!(slipped < 0.01 * editor.size(), "{slipped}");
    assert!(report.contacts.drift < 1e-6, "{report:?}");
}

/// In the hand it fought on until it was let go.
#[test]
fn a_handle_on_a_plant_follows_the_hand() {
    let scene = walker().with(planted);
    let input = scene.input();
    let foot = scene.open().contacts().at(INDEX)[0].vertex();
    let nothing = pull(START + INDEX as i32, foot, Goal::By([0.0; 3]));
    let mut editor = scene.with(|shot| shot.edit.handles = vec![nothing]).open();
    let (key, _) = editor.handles().next().unwrap();
    release(&mut editor);
    editor.grab(key, INDEX, &Progress::silent()).unwrap();
    let mut u = vec![0.0; 3 * editor.rest().len()];
    for event in 1..=8 {
        let by = Vec3::new(0.0, 0.02, -0.02) * f64::from(event);
        editor.drag(by.into(), &Progress::silent()).unwrap();
        editor.shown(&mut u).unwrap();
        let there = editor.rest()[foot.index()] + Vec3::from_column_slice(&u[3 * foot.index()..][..3]);
        let off = (there - input[INDEX][foot.index()] - by).norm();
        assert!(off < 1e-3 * editor.size(), "event {event}: {off}");
    }
    editor.put_down().unwrap();
    let report = release(&mut editor);
    assert_eq!(report.handles[0].plant, Some(START + 10..=START + 22), "{report:?}");
    let slipped = slip(&editor, &input, Vec3::new(0.0, 0.16, -0.16));
    assert!(slipped < 0.01 * editor.size(), "{slipped}");
}

/// Where a swing turned, what was still for a moment above a foot was taken for a part of it: too large for one.
#[test]
fn what_is_still_for_a_moment_above_a_foot_is_not_of_it() {
    let pose = |frame: usize, p: &Vec3| {
        let gone = frame as f64 - (frame as f64).clamp(*STANDS.start() as f64, *STANDS.end() as f64);
        let share = p.x / 2.0;
        // Turns in the middle of the stand.
        let swing = 0.12 * share * share * (0.26 * (frame as f64 - 16.0)).cos();
        p + Vec3::new(0.0, swing, 0.05 * gone)
    };
    let scene = Scene::moving(Kind::Flying, FRAMES, pose).with(planted);
    let editor = scene.open();
    let plants = &editor.contacts().plants;
    assert_eq!(plants.iter().map(|plant| plant.frames.clone()).collect::<Vec<_>>(), [STANDS], "{plants:?}");
}

/// In a pause all stands: planting that would leave nothing to edit.
#[test]
fn a_body_at_rest_for_a_while_is_not_planted() {
    let pose = |frame: usize, p: &Vec3| {
        let gone = frame as f64 - (frame as f64).clamp(10.0, 22.0);
        p + Vec3::new(0.0, 0.0, 0.05 * gone)
    };
    let scene = Scene::moving(Kind::Flying, FRAMES, pose).with(planted);
    assert!(scene.open().contacts().plants.is_empty());
    let mut shot = scene.shot.clone();
    shot.set_plants(false);
    assert_eq!(shot.contacts, None);
}
