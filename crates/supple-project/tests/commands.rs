//! What the commands of the command line call: one function each, of plain arguments, with typed errors.
#![expect(clippy::unwrap_used, reason = "a step that fails is a test that fails")]

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use supple_model::{Progress, ProgressSink};
use supple_project::cache::CacheFailed;
use supple_project::edit::{EditFailed, EditOptions, FeelOptions, NewGoal, NewHandle, NewSite, edit};
use supple_project::picture::{PlotFailed, PlotOf, PlotOptions, Refusal, RenderFailed, RenderOptions};
use supple_project::prepare::{ModesFailed, PrepareFailed, PrepareOptions, prepare};
use supple_project::samples::{self, SampleOptions};
use supple_project::shot::{Feel, When};
use supple_project::solution::{
    PoseFailed, PoseOptions, SimulateFailed, SimulateOptions, SolveFailed, SolveOptions, pose, simulate,
    solve,
};
use supple_project::{OpenError, Shot, cache, picture};

/// A built-in shot in a folder.
fn sample(name: &str, folder: &Path) -> PathBuf {
    let options = SampleOptions { folder: Some(folder.join(name)), full: false };
    samples::write(name, &options, &Progress::silent()).unwrap().shot
}

/// Hears warnings, and ends the work when so much of it is done.
struct Impatient {
    until: f64,
    progress: Mutex<Option<Progress>>,
    warnings: Mutex<Vec<String>>,
}

impl ProgressSink for Impatient {
    fn update(&self, _: &str, fraction: f64) {
        if fraction >= self.until {
            self.progress.lock().unwrap().iter().for_each(Progress::cancel);
        }
    }

    fn warn(&self, warning: &str) {
        self.warnings.lock().unwrap().push(warning.to_owned());
    }
}

#[test]
fn a_simulation_that_is_cancelled_keeps_its_frames_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let (shot, output) = (sample("beam", folder.path()), folder.path().join("beam.pc2"));
    let sink = Arc::new(Impatient { until: 0.5, progress: Mutex::default(), warnings: Mutex::default() });
    let progress = Progress::new(sink.clone());
    *sink.progress.lock().unwrap() = Some(progress.clone());
    let options = SimulateOptions { frames: Some(12), ..SimulateOptions::default() };
    let error = simulate(&shot, &output, &options, &progress).unwrap_err();
    assert!(matches!(error, SimulateFailed::Simulate(_)), "{error:?}");
    let warnings = sink.warnings.lock().unwrap().clone();
    let [warning] = warnings.as_slice() else { panic!("{warnings:?}") };
    assert!(warning.ends_with(&format!("of 12 frames are done and saved in {}", output.display())));
    let kept = supple_formats::open_motion(&output).unwrap().frames();
    assert!((1..12).contains(&kept) && warning.starts_with(&format!("{kept} of")), "{warning}");

    let answer = simulate(&shot, &output, &options, &Progress::silent()).unwrap();
    assert_eq!((answer.frames, answer.points, answer.output), (12, "body", output));
}

#[test]
fn a_shot_is_edited_solved_and_goes_on_from_there() {
    let folder = tempfile::tempdir().unwrap();
    let (shot, progress) = (sample("beam", folder.path()), Progress::silent());
    let before = edit(&shot, &EditOptions::default(), &progress).unwrap();
    assert_eq!(before.done, "listed");
    let feel = FeelOptions { feel: Some(Feel::Smooth), reach: Some(9.0), spread: None };
    let answer = edit(&shot, &EditOptions { feel, ..EditOptions::default() }, &progress).unwrap();
    assert_eq!((answer.done, answer.feel, answer.reach), ("set", Some("smooth"), Some(9.0)));
    let handle = NewHandle {
        when: When::Frame(20),
        segment: None,
        site: NewSite::Vertex(3),
        goal: NewGoal::By([0.0, 0.05, 0.0]),
        hold: None,
        layer: None,
        prop: None,
        in_file: false,
    };
    #[expect(clippy::reversed_empty_ranges, reason = "this is what is wrong with it")]
    let late = NewHandle { when: When::Frames(20..=3), ..handle.clone() };
    let add = |handle: NewHandle| EditOptions { add: Some(handle), ..EditOptions::default() };
    let error = edit(&shot, &add(late), &progress).unwrap_err();
    assert!(matches!(error, EditFailed::EndsBefore { frame: 20, until: 3 }), "{error:?}");
    let remove = EditOptions { remove: Some(0), ..EditOptions::default() };
    let error = edit(&shot, &remove, &progress).unwrap_err();
    assert!(matches!(error, EditFailed::NoHandle { handle: 0, .. }), "{error:?}");
    let added = edit(&shot, &add(handle), &progress).unwrap();
    assert_eq!((added.done, added.handles[0].handle), ("added", before.handles.len() + 1));

    let (output, next) = (folder.path().join("edited.pc2"), folder.path().join("next.toml"));
    let baked = SolveOptions { bake: Some(next.clone()), ..SolveOptions::default() };
    let solved = solve(&shot, &output, &baked, &progress).unwrap();
    assert_eq!((solved.status, solved.points, solved.baked), ("settled", "body", Some(next.clone())));
    assert!(solved.handles.iter().all(|handle| handle.relative_error < 1e-6), "{:?}", solved.handles);
    assert!(edit(&next, &EditOptions::default(), &progress).unwrap().handles.is_empty());
    let over = SolveOptions { bake: Some(shot.clone()), ..SolveOptions::default() };
    let error = solve(&shot, &output, &over, &progress).unwrap_err();
    assert!(matches!(error, SolveFailed::Overwrites(_)), "{error:?}");
}

#[test]
fn modes_are_prepared_once() {
    let folder = tempfile::tempdir().unwrap();
    let (shot, progress) = (sample("bar", folder.path()), Progress::silent());
    let options = PrepareOptions { modes: Some(6) };
    let [first, again] = [(); 2].map(|()| prepare(&shot, &options, &progress).unwrap());
    assert!(!first.from_cache && again.from_cache);
    assert_eq!((first.frequencies.len(), first.frequencies), (6, again.frequencies));
    let error = prepare(&shot, &PrepareOptions { modes: Some(1 << 20) }, &progress).unwrap_err();
    assert!(matches!(error, PrepareFailed::Modes(ModesFailed::Eigen { .. })), "{error:?}");
    let listed = cache::list(Some(&shot)).unwrap();
    let cleared = cache::clear(Some(&shot)).unwrap();
    assert!(!listed.entries.is_empty());
    assert_eq!((listed.entries.len(), listed.bytes), (cleared.entries, cleared.bytes));
    let error = cache::list(Some(&folder.path().join("gone.toml"))).unwrap_err();
    assert!(matches!(error, CacheFailed::NoShot { .. }), "{error:?}");
}

#[test]
fn what_cannot_be_drawn_plotted_or_posed_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let (shot, progress) = (sample("bar", folder.path()), Progress::silent());
    let picture = folder.path().join("bar.png");
    let mut options = RenderOptions { size: Some([64, 48]), ..RenderOptions::default() };
    let drawn = picture::render(&shot, &picture, &options, &progress).unwrap();
    assert_eq!((drawn.width, drawn.height, drawn.edited), (64, 48, false));
    assert!(picture.exists());
    options.camera.turntable = true;
    let error = picture::render(&shot, &picture, &options, &progress).unwrap_err();
    assert!(matches!(error, RenderFailed::Refused { problem: Refusal::TurntableStands, .. }), "{error:?}");
    let error = picture::plot(&shot, &picture, PlotOf::Convergence, &PlotOptions::default(), &progress);
    assert!(matches!(error, Err(PlotFailed::NoEdits { .. })), "{error:?}");
    let mesh = folder.path().join("bent.obj");
    let error = pose(&shot, &mesh, &PoseOptions::default(), &progress).unwrap_err();
    assert!(matches!(error, PoseFailed::NoForce { .. }), "{error:?}");
    let heavy = PoseOptions { weight: true, ..PoseOptions::default() };
    let posed = pose(&shot, &mesh, &heavy, &progress).unwrap();
    assert_eq!((posed.failure(), posed.stages.len()), (None, 1));
    let mut bare = Shot::load(&shot).unwrap();
    bare.body.skin = None;
    bare.save(&shot).unwrap();
    let error = pose(&shot, &mesh, &PoseOptions { skin: true, weight: true }, &progress).unwrap_err();
    assert!(matches!(error, PoseFailed::Open(OpenError::NoSkin { .. })), "{error:?}");
}
