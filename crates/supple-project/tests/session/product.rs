//! The whole way with the real numerics: a sample is opened, dragged, undone, saved and opened again.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use supple_model::VertexId;
use supple_project::Sample;
use supple_project::session::{Answer, Document, Generation, Home, Picture, Solver, Supple, Wanted};
use supple_project::shot::{Goal, Handle, Input, Shot, Site, When};

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
    }
}

fn until(solver: &Solver, what: &str, done: impl Fn(&Answer) -> bool) -> Answer {
    let begin = Instant::now();
    loop {
        let answer = solver.answer();
        if done(&answer) {
            return answer;
        }
        assert!(begin.elapsed() < Duration::from_secs(60), "{what}: {answer:?}");
        std::thread::sleep(Duration::from_millis(2));
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
            |answer: &Answer| answer.is_current(generation) && answer.shown.as_ref().is_some_and(fits);
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
    let solver = Solver::new(Arc::new(Supple), || {});
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
    let solver = Solver::new(Arc::new(Supple), || {});
    assert!(motion(&solver, &document) == second, "opened again it is the same to the last bit");
    assert_ne!(document.generation(), Generation::default());
}
