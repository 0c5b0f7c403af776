//! The released motion is a function of the shot: however its handles came to be.

use super::bodies::{Kind, LENGTH, START, Scene, apart, frames, pull, release};
use proptest::prelude::*;
use supple_model::VertexId;
use supple_project::shot::{Axes, Goal, Handle, Hold, Shot, Site, Together, When};
use supple_project::{DragMethod, HandleKey};

/// What is done to an editor.
#[derive(Clone, Debug)]
enum Step {
    Add(Handle),
    /// Of the handles there are, the n-th, counted around.
    Set(usize, Handle),
    /// The same goal farther: a drag.
    Drag(usize, [f64; 3]),
    Remove(usize),
    Release,
}

fn handle() -> impl Strategy<Value = Handle> {
    let by = prop::array::uniform3(-0.3..0.3f64);
    let goal = prop_oneof![
        5 => by.clone().prop_map(Goal::By),
        2 => by.clone().prop_map(|by| Goal::To([1.6 + by[0], 0.3 + by[1], 0.2 + by[2]])),
        1 => by.prop_map(|by| Goal::Velocity(by.map(|x| 5.0 * x))),
    ];
    let site = prop_oneof![
        // Vertices of the far half: columns 4 to 6 of the rows of seven.
        4 => (0..9u32, 4..7u32).prop_map(|(row, column)| Site::Vertex(VertexId(7 * row + column))),
        1 => Just(Site::Group("right".into())),
        1 => Just(Site::CenterOfMass),
    ];
    let when = prop_oneof![
        4 => (START + 4..START + 34).prop_map(When::Frame),
        1 => (START + 4..START + 30).prop_map(|frame| When::Frames(frame..=frame + 1)),
    ];
    let hold = prop_oneof![4 => Just(Hold::Hard), 1 => (1.0..1e3f64).prop_map(Hold::Soft)];
    let axes = prop_oneof![4 => Just(None), 1 => Just(Some(Axes([false, true, true])))];
    (when, site, goal, hold, axes).prop_map(|(when, site, goal, hold, axes)| Handle {
        hold: Some(hold),
        axes,
        points: Some(Together::Mean),
        ..Handle::new(when, site, goal)
    })
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => handle().prop_map(Step::Add),
        2 => (0..8usize, handle()).prop_map(|(n, handle)| Step::Set(n, handle)),
        3 => (0..8usize, prop::array::uniform3(-0.3..0.3f64)).prop_map(|(n, by)| Step::Drag(n, by)),
        2 => (0..8usize).prop_map(Step::Remove),
        2 => Just(Step::Release),
    ]
}

fn take(editor: &mut DragMethod, step: &Step) {
    let keys: Vec<(HandleKey, Handle)> = editor.handles().map(|(key, h)| (key, h.clone())).collect();
    let nth = |n: usize| (!keys.is_empty()).then(|| keys[n % keys.len()].clone());
    match step {
        Step::Add(handle) if keys.len() < 4 => {
            editor.add(handle.clone()).unwrap();
        }
        Step::Add(_) => {}
        Step::Set(n, handle) => {
            if let Some((key, _)) = nth(*n) {
                editor.set(key, handle.clone()).unwrap();
            }
        }
        Step::Drag(n, by) => {
            if let Some((key, handle)) = nth(*n) {
                editor.set(key, Handle { goal: Goal::By(*by), ..handle }).unwrap();
            }
        }
        Step::Remove(n) => {
            if let Some((key, _)) = nth(*n) {
                editor.remove(key).unwrap();
            }
        }
        Step::Release => {
            release(editor);
        }
    }
}

fn same_as_fresh(scene: &Scene, steps: &[Step]) -> Result<(), TestCaseError> {
    let mut editor = scene.open();
    for step in steps {
        take(&mut editor, step);
    }
    let report = release(&mut editor);
    let mut shot: Shot = scene.shot.clone();
    shot.edit.handles = editor.handles().map(|(_, handle)| handle.clone()).collect();
    let progress = supple_model::Progress::silent();
    let mut fresh = DragMethod::open(&shot, editor.body().clone(), &scene.cache(), &progress).unwrap();
    let expected = release(&mut fresh);
    let off = apart(&frames(&editor), &frames(&fresh)) / LENGTH;
    prop_assert!(off <= 1e-9, "{off:e}; {:?}", shot.edit.handles);
    prop_assert_eq!((report.status, report.energy), (expected.status, expected.energy));
    // And letting go again changes nothing.
    let before = frames(&editor);
    release(&mut editor);
    prop_assert!(frames(&editor) == before, "{:?}", shot.edit.handles);
    Ok(())
}

fn sequences(cases: u32, choose: fn(&mut Shot)) {
    let scene = Scene::new(Kind::Solid).with(choose);
    scene.open();
    // The cases are the same at every run, and nothing is written beside the source.
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let rng = proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha);
    let mut runner = proptest::test_runner::TestRunner::new_with_rng(config, rng);
    let steps = prop::collection::vec(step(), 1..9);
    runner.run(&steps, |steps| same_as_fresh(&scene, &steps)).unwrap();
}

#[test]
fn of_the_linear_edit_whatever_was_done_before() {
    sequences(24, |shot| shot.edit.warp = false);
}

#[test]
fn of_an_edit_warped_afterwards_whatever_was_done_before() {
    sequences(12, |shot| shot.edit.exact = false);
}

#[test]
fn of_the_exact_edit_whatever_was_done_before() {
    sequences(12, |shot| shot.edit.modes = 16);
}

#[test]
fn a_velocity_learns_nothing_from_the_last_time_it_was_let_go() {
    let scene = Scene::new(Kind::Flying);
    let handles = [
        pull(START + 12, VertexId(6), Goal::Velocity([0.0, 6.0, -3.0])),
        pull(START + 20, VertexId(6), Goal::By([0.1, 0.2, 0.0])),
    ];
    let mut editor = scene.open();
    let keys = handles.clone().map(|handle| editor.add(handle).unwrap());
    release(&mut editor);
    let first = frames(&editor);
    editor.set(keys[1], pull(START + 20, VertexId(6), Goal::By([-0.4, 0.5, 0.3]))).unwrap();
    release(&mut editor);
    assert!(apart(&frames(&editor), &first) > 0.1);
    editor.set(keys[1], handles[1].clone()).unwrap();
    release(&mut editor);
    assert_eq!(frames(&editor), first);
}
