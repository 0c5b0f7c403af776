//! What an export says beforehand, against what it writes.

use crate::files::{run, small_bar, waving};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use supple_project::method::RealNumerics;
use supple_project::shot::Axis;
use supple_project::{ExportOptions, ExportOriginal, ExportPlan, Import, MotionFile, Sample, Space};
use supple_session::{Document, Home, Outcome, Picture, Session, View};

/// A picture of what a document shows.
fn picture(document: Document, home: &Home) -> (Session, Arc<Picture>) {
    let mut session = Session::new(document, home, Arc::<RealNumerics>::default(), || {});
    loop {
        let (answer, _) = session.update(&View::default());
        if let Some(picture) = answer.shown.filter(|picture| picture.stage.can_edit()) {
            return (session, picture);
        }
        assert!(answer.failure.is_none(), "{:?}", answer.failure);
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn plan(session: &Session, picture: &Picture, path: &Path, options: ExportOptions) -> ExportPlan {
    let shot = session.document.shot();
    let original = ExportOriginal::of(shot).unwrap();
    ExportPlan::of(path, &picture.stage, &picture.points, shot, options, &original).unwrap()
}

#[test]
fn every_format_is_about_as_large_as_said() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::in_folder(folder.path());
    let (session, picture) = picture(small_bar(folder.path()), &home);
    for name in ["a.pc2", "a.mdd", "a.usda", "a.glb", "a.gltf", "a.####.obj", "a.ply"] {
        let path = folder.path().join(name);
        let plan = plan(&session, &picture, &path, ExportOptions::default());
        assert_eq!((plan.frames, plan.count(), plan.replaces.is_none()), ([1, 12], 12, true), "{name}");
        run(session.document.export_task(&path, ExportOptions::default())).unwrap();
        let bytes: u64 = plan.files.iter().map(|file| fs::metadata(file).unwrap().len()).sum();
        let ratio = plan.bytes as f64 / bytes as f64;
        assert!((0.75..1.35).contains(&ratio), "{name}: {} said, {bytes} written", plan.bytes);
        let again = self::plan(&session, &picture, &path, ExportOptions::default());
        assert_eq!(again.replaces.as_ref(), plan.files.first(), "{name}");
    }
}

#[test]
fn some_frames_are_those_of_all() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::in_folder(folder.path());
    let task = small_bar(folder.path()).import_task(waving(folder.path()));
    let Ok(Outcome::Imported(_, document)) = run(task) else { panic!("imported") };
    let (session, picture) = picture(*document, &home);
    let (all, some) = (folder.path().join("all.pc2"), folder.path().join("some.pc2"));
    run(session.document.export_task(&all, ExportOptions::default())).unwrap();
    let options = ExportOptions { frames: Some([3, 5]), ..ExportOptions::default() };
    let plan = plan(&session, &picture, &some, options);
    assert_eq!((plan.frames, plan.count(), plan.vertices), ([3, 5], 3, 12));
    let shot = session.document.shot();
    let skin = ExportOptions { skin: true, ..options };
    let original = ExportOriginal::of(shot).unwrap();
    let refused = ExportPlan::of(&some, &picture.stage, &picture.points, shot, skin, &original).unwrap_err();
    assert!(refused.to_string().contains("no skin"), "cloth has none");
    run(session.document.export_task(&some, options)).unwrap();
    let read = |path: &Path, index: usize| {
        let mut motion = supple_formats::open_motion(path).unwrap();
        let mut places = vec![[0.0; 3]; motion.vertices()];
        motion.read(index, &mut places).unwrap();
        (motion.info().start, motion.frames(), places)
    };
    let (start, count, first) = read(&some, 0);
    assert_eq!((start, count), (Some(3.0), 3));
    assert_eq!(first, read(&all, 2).2);
    assert_eq!(read(&some, 2).2, read(&all, 4).2);
}

#[test]
fn a_wrong_export_is_refused_before_it_begins() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::in_folder(folder.path());
    let (session, picture) = picture(small_bar(folder.path()), &home);
    let shot = session.document.shot();
    let original = ExportOriginal::of(shot).unwrap();
    let refused = |path: &Path, options: ExportOptions| {
        let planned = ExportPlan::of(path, &picture.stage, &picture.points, shot, options, &original);
        planned.unwrap_err().to_string()
    };
    let (all, here) = (ExportOptions::default(), folder.path());
    assert!(refused(&here.join("film.mov"), all).contains("film.mov: unknown motion format"));
    assert!(refused(Path::new(""), all).contains("a path"));
    assert!(refused(&here.join("none").join("a.pc2"), all).contains("there is no folder"));
    let frames = ExportOptions { frames: Some([3, 13]), ..all };
    assert!(refused(&here.join("a.pc2"), frames).contains("has frames 1 to 12"));
}

#[test]
fn a_motion_goes_back_into_the_space_of_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::in_folder(folder.path());
    let document = Document::sample(Sample::named("bar").unwrap(), &home).unwrap();
    let waving = waving(folder.path());
    let file = MotionFile { unit: Some(0.01), up: Some(Axis::Z), ..waving.file.clone() };
    let Ok(Outcome::Imported(_, document)) = run(document.import_task(Import { file, ..waving })) else {
        panic!("imported")
    };
    let (session, picture) = picture(*document, &home);
    let plan = plan(&session, &picture, &folder.path().join("a.usda"), ExportOptions::default());
    assert_eq!(plan.space, Space { unit: 0.01, up: Axis::Z });
    assert_eq!(plan.over, None, "it did not come from USD");
}
