//! Files: import, bake, export and save as, with the real thing.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use supple_formats::{MotionSettings, SurfaceFile};
use supple_model::{Frame, VertexId};
use supple_project::method::RealNumerics;
use supple_project::shot::{Goal, Handle, Input, Site, When};
use supple_project::{Body, ExportOptions, Import, ImportKind, MotionFile, Sample};
use supple_session::{Document, Home, JobError, Jobs, Notice, Outcome, Session, Task, View};

pub fn small_bar(folder: &Path) -> Document {
    let mut document = Document::sample(Sample::named("bar").unwrap(), &Home::in_folder(folder)).unwrap();
    document.change("make it small", |shot| {
        (shot.motion.input, shot.motion.frames, shot.edit.modes) = (Input::Rest, Some(12), 8);
        let handle = Handle::new(When::Frame(8), Site::Near([9.0, 0.0, 0.0]), Goal::By([0.0, 0.1, 0.0]));
        shot.edit.handles = vec![handle];
    });
    document
}

pub fn run(task: Task) -> Result<Outcome, JobError> {
    let mut jobs = Jobs::new(|| {});
    jobs.start(task);
    loop {
        if let Some(finished) = jobs.finished().pop() {
            return finished.result;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// A strip of cloth that waves, as a point cache with its faces in another file.
pub fn waving(folder: &Path) -> Import {
    let places = |frame: usize| -> Vec<[f64; 3]> {
        let wave = |x: f64| (x + frame as f64 * 0.3).sin() * 0.1 * x;
        (0..12).map(|k| [(k / 2) as f64 * 0.2, wave((k / 2) as f64 * 0.2), (k % 2) as f64 * 0.2]).collect()
    };
    let triangles =
        (0..5).flat_map(|k| [[2 * k, 2 * k + 1, 2 * k + 2], [2 * k + 1, 2 * k + 3, 2 * k + 2]]).collect();
    let surface = SurfaceFile { positions: places(0), triangles, ..SurfaceFile::default() };
    let (topology, path) = (folder.join("strip.obj"), folder.join("strip.pc2"));
    let mut bytes = Vec::new();
    supple_formats::write_obj(&surface, &mut bytes).unwrap();
    std::fs::write(&topology, bytes).unwrap();
    let mut writer =
        supple_formats::create_motion(&path, MotionSettings::new(12, Frame(1), 24.0, 6), None).unwrap();
    (0..6).for_each(|frame| writer.write(&places(frame)).unwrap());
    writer.finish().unwrap();
    Import {
        file: MotionFile { path, topology: Some(topology), ..MotionFile::default() },
        kind: ImportKind::Cloth,
        ..Import::default()
    }
}

/// Waits for what the session says next.
fn next_notice(session: &mut Session) -> Notice {
    loop {
        let (_, mut notices) = session.update(&View::default());
        if let Some(notice) = notices.pop() {
            return notice;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// What the session says of a task, while which the shot was changed or not.
fn notice_of(session: &mut Session, task: Task, change: bool) -> Notice {
    session.jobs.start(task);
    if change {
        session.document.change("Set modes", |shot| shot.edit.modes = 9);
    }
    next_notice(session)
}

fn listing(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for item in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        if item.path().is_dir() { found.extend(listing(&item.path())) } else { found.push(item.path()) }
    }
    found.sort();
    found
}

/// An import used to replace the shot that was open, file and all, so that saving wrote it over the other shot.
#[test]
fn an_import_is_an_untitled_shot_called_after_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    std::fs::create_dir_all(&data).unwrap();
    let home = Home::in_folder(folder.path());
    let document = small_bar(folder.path());
    let import = waving(&data);
    let there = listing(&data);
    let mut session = Session::new(document, &home, Arc::<RealNumerics>::default(), || {});
    let other = folder.path().join("other.toml");
    session.document.save_as(&other).unwrap();
    let kept = std::fs::read(&other).unwrap();
    session.import(import);
    let notice = next_notice(&mut session);
    let words = notice.to_string();
    assert!(!notice.is_error() && words.starts_with("Import strip.pc2: 6 frames"), "{notice:?}");
    assert_eq!((session.document.title(), session.document.path()), ("strip", None));
    assert_eq!(session.document.undo_steps().count(), 0);
    assert!(session.document.is_changed(), "it is not saved yet");
    assert_eq!(listing(&data), there, "nothing is written beside what is imported");
    let body = Body::load(session.document.shot()).unwrap();
    assert_eq!(body.positions().len(), 12);
    let film = folder.path().join("film").join("strip.toml");
    std::fs::create_dir_all(film.parent().unwrap()).unwrap();
    session.save_as(&film).unwrap();
    crate::fake::end_jobs(&mut session);
    assert!(!session.document.is_changed() && session.document.path() == Some(film.as_path()));
    assert_eq!(std::fs::read(&other).unwrap(), kept, "the other shot stays as it was");
    drop(session);
    let document = Document::open(&film, &home).unwrap();
    assert_eq!(Body::load(document.shot()).unwrap().positions().len(), 12);
    let Input::File(input) = &document.shot().motion.input else { panic!("a file") };
    assert_eq!(
        document.shot().resolve(input).canonicalize().unwrap(),
        data.join("strip.pc2").canonicalize().unwrap()
    );
}

#[test]
fn a_cancelled_job_leaves_everything_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let mut document = small_bar(folder.path());
    let (before, generation) = (document.shot().clone(), document.generation());
    let out = folder.path().join("out").join("bar.pc2");
    std::fs::create_dir_all(out.parent().unwrap()).unwrap();
    std::fs::write(&out, b"somebody's work").unwrap();
    let import = waving(folder.path());
    let files = listing(folder.path());
    let tasks = [
        document.export_task(&out, ExportOptions::default()),
        document.bake_task().unwrap(),
        document.import_task(import),
        document.copy_task(&folder.path().join("out").join("film.toml")).unwrap(),
    ];
    let mut jobs = Jobs::new(|| {});
    let count = tasks.len();
    for task in tasks {
        let id = jobs.start(task);
        jobs.cancel(id);
    }
    let mut ended = Vec::new();
    while ended.len() < count {
        ended.extend(jobs.finished());
    }
    for job in ended {
        assert!(matches!(job.result, Err(JobError::Cancelled)), "{}", job.kind);
    }
    assert_eq!((document.shot(), document.generation()), (&before, generation));
    let is_cached = |file: &PathBuf| file.starts_with(folder.path().join("cache"));
    let left: Vec<PathBuf> = listing(folder.path()).into_iter().filter(|file| !is_cached(file)).collect();
    assert_eq!(left, files);
    assert_eq!(std::fs::read(&out).unwrap(), b"somebody's work");
}

#[test]
fn a_bake_is_undone_and_goes_stale_when_the_shot_changes() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::in_folder(folder.path());
    let document = small_bar(folder.path());
    let before = document.shot().clone();
    let mut session = Session::new(document, &home, Arc::<RealNumerics>::default(), || {});
    let bake = |session: &mut Session, change: bool| {
        let task = session.document.bake_task().unwrap();
        notice_of(session, task, change)
    };
    let notice = bake(&mut session, true);
    assert!(matches!(notice, Notice::BakeOutdated), "{notice:?}");
    assert_eq!(session.document.undo_steps().next(), Some("Set modes"));
    session.document.undo();
    let notice = bake(&mut session, false);
    assert!(matches!(notice, Notice::Baked), "{notice:?}");
    let baked = session.document.shot().clone();
    assert!(baked.edit.handles.is_empty() && matches!(baked.motion.input, Input::File(_)));
    session.document.undo();
    assert_eq!(*session.document.shot(), before);
    session.document.redo();
    let out = folder.path().join("out.pc2");
    let Ok(Outcome::Exported(exported)) = run(session.document.export_task(&out, ExportOptions::default()))
    else {
        panic!("exported")
    };
    assert_eq!((exported.written.frames, exported.report.handles.len()), (12, 0));
    let edited = folder.path().join("edited.pc2");
    session.document.undo();
    run(session.document.export_task(&edited, ExportOptions::default())).unwrap();
    assert_eq!(
        std::fs::read(out).unwrap(),
        std::fs::read(edited).unwrap(),
        "the same motion, baked or edited"
    );
}

/// The beam of the samples swings after a push: the shot becomes one of the material that is found, with a table of its own,
/// until that is undone; and a shot that was changed meanwhile stays as it is.
#[test]
fn a_material_is_recovered_as_one_step_of_undo() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::in_folder(folder.path());
    let document = Document::sample(Sample::named("beam").unwrap(), &home).unwrap();
    let before = document.shot().clone();
    let mut session = Session::new(document, &home, Arc::<RealNumerics>::default(), || {});
    let recover = |session: &mut Session, change: bool| {
        let task = session.document.recover_task().unwrap();
        notice_of(session, task, change)
    };
    let notice = recover(&mut session, true);
    assert!(matches!(notice, Notice::RecoveryOutdated), "{notice:?}");
    session.document.undo();
    let notice = recover(&mut session, false);
    let Notice::Recovered(found) = &notice else { panic!("{notice:?}") };
    let held = found.held_out.unwrap();
    assert!(held.error <= held.unoptimised / 3.0, "{held:?}");
    let said = notice.to_string();
    assert!(said.contains("the strongest at") && said.ends_with("Undo restores the shot."), "{said}");
    let shot = session.document.shot().clone();
    assert_eq!(shot.edit.method, supple_project::shot::Method::Material);
    let table = shot.edit.material_settings().unwrap().file.unwrap();
    assert!(shot.resolve(&table).is_file(), "{}", table.display());
    session.document.undo();
    assert_eq!(*session.document.shot(), before);
}

#[test]
fn what_is_wrong_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let mut document = small_bar(folder.path());
    let none = Import {
        file: MotionFile { path: folder.path().join("none.pc2"), ..MotionFile::default() },
        ..Import::default()
    };
    let words = run(document.import_task(none)).unwrap_err().to_string();
    assert!(words.contains("none.pc2"), "{words}");
    let words =
        run(document.export_task(&folder.path().join("a.xyz"), ExportOptions::default())).unwrap_err();
    assert!(words.to_string().contains("a.xyz"), "{words}");
    document.change("Set vertex", |shot| shot.edit.handles[0].site = Site::Vertex(VertexId(1 << 30)));
    let words =
        run(document.export_task(&folder.path().join("a.pc2"), ExportOptions::default())).unwrap_err();
    assert!(words.to_string().contains("handle 1"), "{words}");
    assert!(!folder.path().join("a.pc2").exists());
}

#[test]
fn saving_elsewhere_moves_paths_in_every_step_and_writes_over_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::in_folder(folder.path());
    let mut document = small_bar(folder.path());
    let (one, two) = (folder.path().join("one"), folder.path().join("two"));
    std::fs::create_dir_all(&one).unwrap();
    std::fs::create_dir_all(&two).unwrap();
    std::fs::write(one.join("bar.inp"), b"somebody's work").unwrap();
    document.save_as(&one.join("bar.toml")).unwrap();
    assert_eq!(std::fs::read(one.join("bar.inp")).unwrap(), b"somebody's work");
    assert!(one.join("bar-2.inp").exists());
    let text = std::fs::read_to_string(one.join("bar.toml")).unwrap();
    std::fs::write(one.join("bar.toml"), format!("# a comment\n{text}")).unwrap();
    document.change("Set modes", |shot| shot.edit.modes = 9);
    document.save().unwrap();
    let text = std::fs::read_to_string(one.join("bar.toml")).unwrap();
    assert!(text.starts_with("# a comment\n") && text.contains("modes = 9"), "{text}");
    document.save_as(&two.join("other.toml")).unwrap();
    assert_eq!((document.title(), document.is_changed()), ("other.toml", false));
    assert!(document.undo());
    Body::load(document.shot()).unwrap();
    assert_eq!(document.shot().folder(), two);
    let read_only = folder.path().join("no").join("such").join("folder.toml");
    let (shot, generation) = (document.shot().clone(), document.generation());
    document.save_as(&read_only).unwrap_err();
    assert_eq!((document.shot(), document.generation()), (&shot, generation));
    assert_eq!(document.path(), Some(two.join("other.toml").as_path()));
    let other = Document::open(&one.join("bar.toml"), &home).unwrap();
    Body::load(other.shot()).unwrap();
}

/// An import that takes long used to replace whatever had been done meanwhile.
#[test]
fn an_import_waits_when_the_shot_is_changed_in_the_meantime() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::in_folder(folder.path());
    let mut session = Session::new(small_bar(folder.path()), &home, Arc::<RealNumerics>::default(), || {});
    session.import(waving(folder.path()));
    session.document.change("Set modes", |shot| shot.edit.modes = 9);
    while !session.has_arrived() {
        session.update(&View::default());
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(session.document.undo_steps().next(), Some("Set modes"), "the shot stays");
    assert!(session.open_arrived().is_some_and(|notice| notice.to_string().contains("6 frames")));
    assert_eq!(session.document.title(), "strip");
    assert!(!session.has_arrived());
}

/// The command line, or another window, may have written the file since it was opened; saving lost that.
#[test]
fn a_file_that_another_program_wrote_is_not_written_over_unasked() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::in_folder(folder.path());
    let film = folder.path().join("film.toml");
    let mut document = small_bar(folder.path());
    document.save_as(&film).unwrap();
    let mut other = Document::open(&film, &home).unwrap();
    for modes in [9, 10] {
        document.change("Set modes", |shot| shot.edit.modes = modes);
        document.save().unwrap();
    }
    other.change("Set modes", |shot| shot.edit.modes = 7);
    let refused = other.save().unwrap_err();
    assert!(matches!(refused, supple_session::SessionError::ChangedOnDisk { .. }), "{refused}");
    assert_eq!(Document::open(&film, &home).unwrap().shot().edit.modes, 10);
    assert!(other.is_changed() && other.is_changed_on_disk());
    other.allow_overwriting();
    other.save().unwrap();
    assert_eq!(Document::open(&film, &home).unwrap().shot().edit.modes, 7);
    std::fs::remove_file(&film).unwrap();
    other.change("Set modes", |shot| shot.edit.modes = 6);
    other.save().unwrap();
    assert!(film.exists(), "what is gone can only be written again");
}
