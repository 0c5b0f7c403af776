//! A shot that is opened again reads and prepares only what its changed settings ask for.

#![expect(clippy::unwrap_used, reason = "a step that fails is a test that fails")]

use crate::edit::bodies::{Kind, START, Scene, pull, tip};
use std::fs;
use std::sync::Arc;
use supple_mesh::Vec3;
use supple_model::{Progress, ProgressSink};
use supple_project::Cache;
use supple_project::method::{Live, Numerics, RealNumerics};
use supple_project::shot::{Contacts, Damping, Detect, Floor, Goal, Shot};

/// Takes down which stages were reported.
#[derive(Default)]
struct Stages(std::sync::Mutex<Vec<String>>);

impl ProgressSink for Stages {
    fn update(&self, stage: &str, _: f64) {
        let mut stages = self.0.lock().unwrap();
        if stages.last().is_none_or(|last| last != stage) {
            stages.push(stage.to_owned());
        }
    }
}

/// The last of what an opening delivers, how many there were, and its stages.
fn open(numerics: &RealNumerics, shot: &Shot, cache: &Cache) -> (Box<dyn Live>, usize, Vec<String>) {
    let stages = Arc::new(Stages::default());
    let mut delivered = Vec::new();
    numerics.open(shot, cache, &Progress::new(stages.clone()), &mut |live| delivered.push(live)).unwrap();
    let count = delivered.len();
    let stages = stages.0.lock().unwrap().clone();
    (delivered.pop().unwrap(), count, stages)
}

fn solved(live: &mut dyn Live, shot: &Shot, frame: usize) -> Vec<[f32; 3]> {
    assert!(live.ask(&shot.edit, &Progress::silent()).unwrap().iter().all(Option::is_none));
    live.settle(&Progress::silent()).unwrap();
    live.points(frame).drawn
}

/// Whatever was changed, all files were read again.
#[test]
fn a_change_of_damping_reads_no_file_and_gives_what_a_fresh_opening_gives() {
    for kind in [Kind::Solid, Kind::Skin] {
        let scene = Scene::new(kind);
        let tip = tip(&scene.input());
        let shot =
            scene.with(|shot| shot.edit.handles = vec![pull(START + 17, tip, Goal::By([0.0, 0.3, 0.1]))]);
        let (cache, numerics) = (shot.cache(), RealNumerics::default());
        let (_, count, _) = open(&numerics, &shot.shot, &cache);
        assert_eq!(count, 2, "the input to look at, then what can be edited");
        let mut changed = shot.shot.clone();
        changed.edit.damping = Some(Damping { mass: 2.0, stiffness: 0.03 });
        let (mut fresh, ..) = open(&RealNumerics::default(), &changed, &cache);
        let expected = solved(fresh.as_mut(), &changed, 20);
        for file in fs::read_dir(shot.folder.path()).unwrap().map(|file| file.unwrap().path()) {
            if file.is_dir() { fs::remove_dir_all(&file).unwrap() } else { fs::remove_file(&file).unwrap() }
        }
        let (mut again, count, stages) = open(&numerics, &changed, &cache);
        assert_eq!(count, 1, "{kind:?}: {stages:?}");
        let is_repeated = |stage: &String| stage.ends_with("frames") || stage.contains("modes");
        assert!(!stages.iter().any(is_repeated), "{kind:?}: {stages:?}");
        assert!(solved(again.as_mut(), &changed, 20) == expected, "{kind:?}");
    }
}

/// Opening with few modes first and then with all built the warp and all its frames twice.
#[test]
fn few_modes_first_and_then_all_read_the_frames_once() {
    let scene = Scene::new(Kind::Solid).with(|shot| shot.edit.modes = 80);
    let (_, count, stages) = open(&RealNumerics::default(), &scene.shot, &scene.cache());
    assert_eq!(count, 3, "the input, 60 modes, all of them");
    for once in ["reading frames", "preparing frames"] {
        assert_eq!(stages.iter().filter(|stage| *stage == once).count(), 1, "{once}: {stages:?}");
    }
}

/// Opening said that it was preparing contacts of a body that touches nothing.
#[test]
fn contacts_are_spoken_of_only_where_there_are_some() {
    let speaks = |scene: &Scene| {
        let (_, _, stages) = open(&RealNumerics::default(), &scene.shot, &scene.cache());
        stages.iter().any(|stage| stage == "preparing contacts")
    };
    let scene = Scene::new(Kind::Solid);
    assert!(!speaks(&scene));
    let near = Detect { floor: Some(0.0), within: 0.5, ..Detect::default() };
    assert!(speaks(&scene.with(|shot| shot.contacts = Some(Contacts::detected(near)))));
}

/// A mesh that was changed outside must not be taken for the one that was read.
#[test]
fn a_file_that_has_changed_is_read_again() {
    let scene = Scene::new(Kind::Solid);
    let (cache, numerics) = (scene.cache(), RealNumerics::default());
    open(&numerics, &scene.shot, &cache);
    let before = Scene::new(Kind::Solid);
    fs::copy(before.folder.path().join("input.pc2"), scene.folder.path().join("input.pc2")).unwrap();
    let touched = fs::File::options().write(true).open(scene.folder.path().join("input.pc2")).unwrap();
    touched.set_modified(std::time::SystemTime::now() + std::time::Duration::from_secs(5)).unwrap();
    let (_, count, _) = open(&numerics, &scene.shot, &cache);
    assert_eq!(count, 2, "it is looked at again");
}

/// The report solved the edit again, to the end, whatever had been shown before.
#[test]
fn a_stopped_edit_is_reported_as_it_is_shown() {
    let scene = Scene::new(Kind::Solid);
    let tip = tip(&scene.input());
    let scene =
        scene.with(|shot| shot.edit.handles = vec![pull(START + 17, tip, Goal::By([-0.3, 0.6, 0.4]))]);
    let (mut live, ..) = open(&RealNumerics::default(), &scene.shot, &scene.cache());
    live.ask(&scene.shot.edit, &Progress::silent()).unwrap();
    let stopped = Progress::silent();
    stopped.stop();
    live.settle(&stopped).unwrap();
    let shown = live.points(17).drawn;
    let report = live.report(&Progress::silent(), &mut |_| {}).unwrap();
    assert_eq!(report.status, supple_project::Status::Stopped);
    assert!(live.points(17).drawn == shown);
    live.settle(&Progress::silent()).unwrap();
    let report = live.report(&Progress::silent(), &mut |_| {}).unwrap();
    assert_eq!(report.status, supple_project::Status::Settled);
}

/// The floor was drawn around the body at rest, and a body that goes somewhere left it.
#[test]
fn the_floor_is_under_all_of_the_motion() {
    let pose = |frame: usize, p: &Vec3| p + Vec3::new(0.2 * frame as f64, 0.0, 0.0);
    let scene = Scene::moving(Kind::Flying, 30, pose)
        .with(|shot| shot.simulate.floor = Some(Floor { height: -1.0, friction: 0.0 }));
    let mut delivered = Vec::new();
    let (numerics, silent) = (RealNumerics::default(), Progress::silent());
    numerics.open(&scene.shot, &scene.cache(), &silent, &mut |live| delivered.push(live)).unwrap();
    for live in &delivered {
        let stage = live.stage();
        let far = |points: &[[f32; 3]]| points.iter().map(|p| p[0]).fold(f32::NEG_INFINITY, f32::max);
        let floor = stage.scenery.last().unwrap();
        assert!(far(&floor.points) > far(&stage.way.outline), "{:?}", floor.points);
        assert!(floor.points.iter().all(|p| p[1] <= -1.0), "{:?}", floor.points);
    }
}
