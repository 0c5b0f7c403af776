//! The whole way with the real numerics: a sample is opened, dragged, undone, saved and opened again.

use crate::fake::until;
use std::path::Path;
use std::sync::Arc;
use supple_model::VertexId;
use supple_project::Sample;
use supple_project::method::{Numerics, RealNumerics};
use supple_project::shot::{Goal, Handle, Input, Shot, Site, When};
use supple_session::{
    Document, Generation, HandleState, Home, Picture, Places, Snapshot, Solver, Wanted, handle_list,
};

fn document(folder: &Path, change: impl FnOnce(&mut Shot)) -> Document {
    let home = Home::in_folder(folder);
    let mut document = Document::sample(Sample::named("bar").unwrap(), &home).unwrap();
    document.change("make it small", |shot| {
        shot.motion.input = Input::Rest;
        shot.motion.frames = Some(30);
        shot.edit.modes = 20;
        change(shot);
    });
    document
}

fn wanted(document: &Document, hand: Option<usize>, frame: usize) -> Wanted {
    Wanted {
        generation: document.generation(),
        shot: document.shot().clone(),
        cache: document.cache(),
        hand,
        frame,
        playing: Some(frame),
        input: false,
        strain: false,
        probe: None,
        extras: Arc::default(),
        pose: None,
        shove: None,
    }
}

/// Every frame of a state, once it is settled with all modes.
fn motion(solver: &Solver, document: &Document) -> Vec<Vec<[f32; 3]>> {
    let generation = document.generation();
    let frames = document.shot().motion.frames.unwrap();
    let frame = |frame: usize| {
        solver.want(wanted(document, None, frame));
        let fits = |picture: &Arc<Picture>| (picture.generation, picture.frame) == (generation, frame);
        let is_there =
            |answer: &Snapshot| answer.is_current(generation) && answer.shown.as_ref().is_some_and(fits);
        until(solver, "a frame", is_there).shown.unwrap().points.drawn.clone()
    };
    (0..frames).map(frame).collect()
}

fn drag(document: &mut Document, solver: &Solver, index: usize, to: [f64; 3]) {
    document.begin_gesture("Drag handle");
    for event in 1..=10 {
        let part = f64::from(event) / 10.0;
        document.update_gesture(|shot| shot.edit.handles[index].goal = Goal::By(to.map(|x| x * part)));
        solver.want(wanted(document, Some(index), 20));
    }
    let generation = document.generation();
    let step =
        until(solver, "a step", |answer| answer.step.is_some_and(|step| step.generation == generation));
    assert_eq!(step.shown.unwrap().generation, generation);
    assert!(step.step.unwrap().error < 1e-3, "{:?}", step.step);
    assert!(document.commit_gesture());
}

#[test]
fn a_drag_is_undone_to_the_last_bit_and_survives_saving() {
    let folder = tempfile::tempdir().unwrap();
    let mut document = document(folder.path(), |_| {});
    let solver = Solver::new(Arc::<RealNumerics>::default(), || {});
    let before = motion(&solver, &document);
    let stage = solver.answer().stage.unwrap();
    let tip = (0..stage.rest.len()).max_by(|a, b| stage.rest[*a][0].total_cmp(&stage.rest[*b][0])).unwrap();
    let handle = Handle::new(When::Frame(21), Site::Vertex(VertexId::new(tip)), Goal::By([0.0; 3]));
    document.change("Add handle", |shot| shot.edit.handles.push(handle));
    assert_eq!(motion(&solver, &document), before, "a handle that asks nothing changes nothing");
    drag(&mut document, &solver, 0, [0.0, 0.1, 0.0]);
    let first = motion(&solver, &document);
    let changed = |frame: usize| first[frame] != before[frame];
    assert!((1..30).all(changed), "every frame but the first changes");
    drag(&mut document, &solver, 0, [0.0, -0.1, 0.1]);
    let second = motion(&solver, &document);
    assert_ne!(second, first);
    assert!(document.undo());
    assert!(motion(&solver, &document) == first, "undone to the last bit");
    assert!(document.undo() && document.undo());
    assert!(motion(&solver, &document) == before, "all of it");
    assert!(document.redo() && document.redo() && document.redo());
    assert!(motion(&solver, &document) == second, "and forth again");
    let home = Home::in_folder(folder.path());
    let path = folder.path().join("film").join("bar.toml");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    document.save_as(&path).unwrap();
    assert!(!document.is_changed());
    let shot = document.shot().clone();
    drop(document);
    let document = Document::open(&path, &home).unwrap();
    assert_eq!(document.shot(), &shot);
    let solver = Solver::new(Arc::<RealNumerics>::default(), || {});
    assert!(motion(&solver, &document) == second, "opened again it is the same to the last bit");
    assert_ne!(document.generation(), Generation::default());
}

fn largest(a: &[Vec<[f32; 3]>], b: &[Vec<[f32; 3]>]) -> f32 {
    let pairs = a.iter().flatten().zip(b.iter().flatten());
    pairs.flat_map(|(p, q)| (0..3).map(move |c| (p[c] - q[c]).abs())).fold(0.0, f32::max)
}

#[test]
fn a_handle_that_asks_for_what_is_there_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    // A skin that rides on voxels: the vertex that is taken hold of is one of the skin.
    let home = Home::in_folder(folder.path());
    let mut document = Document::sample(Sample::named("bird").unwrap(), &home).unwrap();
    document.change("make it small", |shot| {
        shot.motion.input = Input::Rest;
        shot.motion.frames = Some(20);
        shot.edit.modes = 12;
        shot.edit.handles = vec![Handle::new(When::Frame(99), Site::CenterOfMass, Goal::By([0.0; 3]))];
    });
    let solver = Solver::new(Arc::<RealNumerics>::default(), || {});
    let input = motion(&solver, &document);
    let stage = solver.answer().stage.unwrap();
    assert!(largest(&input[7..8], std::slice::from_ref(&stage.rest)) < 1e-6, "the input, at rest");
    let tip =
        (0..stage.rest.len()).max_by(|a, b| stage.rest[*a][2].total_cmp(&stage.rest[*b][2])).unwrap() as u32;
    let handle = |frame, by| Handle::new(When::Frame(frame), Site::Vertex(VertexId(tip)), Goal::By(by));
    let by = [0.0, 0.1 * stage.size, 0.0];
    document.change("Add handle", |shot| shot.edit.handles.push(handle(12, by)));
    let edited = motion(&solver, &document);
    let moved = edited[11][tip as usize][1] - input[11][tip as usize][1];
    assert!((f64::from(moved) - by[1]).abs() < 1e-4 * stage.size, "{moved}, not {by:?}");
    assert!(largest(&edited, &input) > 0.05 * stage.size as f32);
    solver.want(Wanted { probe: Some(tip), input: true, ..wanted(&document, None, 8) });
    let generation = document.generation();
    let answer = until(&solver, "a probe", |answer| {
        answer
            .probe
            .is_some_and(|probe| (probe.generation, probe.frame, probe.vertex) == (generation, 8, tip))
    });
    document.change("Add handle", |shot| shot.edit.handles.push(handle(9, answer.probe.unwrap().by)));
    let held = motion(&solver, &document);
    assert!(largest(&held, &edited) < 1e-5 * stage.size as f32, "{:e}", largest(&held, &edited));
    let report = until(&solver, "a report", |answer| {
        answer.report.as_ref().is_some_and(|report| report.generation == document.generation())
    });
    let rows = handle_list(document.shot(), document.generation(), &report);
    let wrong = "there is no frame 99; the motion has frames 1 to 20".to_owned();
    let states: Vec<_> = rows.into_iter().map(|row| row.state).collect();
    assert_eq!(states, [HandleState::Wrong(wrong), HandleState::Met, HandleState::Met]);
}

#[test]
fn a_shot_is_looked_at_first_then_dragged_then_has_all_its_modes() {
    let folder = tempfile::tempdir().unwrap();
    let document = document(folder.path(), |shot| shot.edit.modes = 90);
    let seen = std::sync::Mutex::new(Vec::new());
    let progress = supple_model::Progress::silent();
    let open = |progress: &supple_model::Progress| {
        RealNumerics::default().open(document.shot(), &document.cache(), progress, &mut |live| {
            let stage = live.stage().clone();
            seen.lock().unwrap().push((stage.modes, stage.wanted_modes, stage.can_edit()));
        })
    };
    open(&progress).unwrap();
    assert_eq!(*seen.lock().unwrap(), [(0, 90, false), (60, 90, true), (90, 90, true)]);
    seen.lock().unwrap().clear();
    progress.cancel();
    open(&progress).unwrap_err();
    assert!(seen.lock().unwrap().is_empty());
}

/// The window showed the plain mean of the points, the method holds their mean by mass: a handle of the centre of mass or
/// a group jumped by up to 14 % of the length when it was made, and its axis handle stood beside it.
#[test]
fn a_handle_that_asks_for_the_place_that_is_shown_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let near = |x: f64| Site::Near([x, 0.0, 0.0]);
    let pull = Handle::new(When::Frame(15), near(9.0), Goal::By([0.0, 0.6, 0.0]));
    let mut document = document(folder.path(), |shot| shot.edit.handles = vec![pull]);
    let solver = Solver::new(Arc::<RealNumerics>::default(), || {});
    let bent = motion(&solver, &document);
    solver.want(wanted(&document, None, 14));
    let at = |answer: &Snapshot| answer.shown.as_ref().is_some_and(|shown| shown.frame == 14);
    let picture = until(&solver, "the frame", at).shown.unwrap();
    let body = picture.stage.body.clone().unwrap();
    let mut sites = vec![Site::CenterOfMass, Site::Vertices((0..40).map(VertexId).collect())];
    sites.extend(body.groups.iter().take(2).map(|(name, _)| Site::Group(name.to_owned())));
    for site in sites {
        let place = picture.points.place(&site, &picture.stage).unwrap();
        let handle = Handle::new(When::Frame(15), site.clone(), Goal::To(place));
        document.change("Add handle", |shot| shot.edit.handles.push(handle));
        let held = motion(&solver, &document);
        let far = largest(&held, &bent) / picture.stage.size as f32;
        assert!(far < 1e-4, "{site:?} moves by {far:e} of the size");
        document.undo();
    }
}
