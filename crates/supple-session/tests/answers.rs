//! The thread that answers: the latest wish wins, and what is old is told from what is new.

use crate::fake::{Fake, Stand, end_jobs, until, wanted};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use supple_model::VertexId;
use supple_project::Sample;
use supple_project::method::LiveError;
use supple_project::shot::{Goal, Handle, Site, When};
use supple_session::{Document, Extras, Home, Notice, Session, Solver, SolverError, View, Wanted, Work};

fn document(folder: &Path) -> Document {
    let home = Home::in_folder(folder);
    let mut document = Document::sample(Sample::named("block").unwrap(), &home).unwrap();
    document.change("Add handle", |shot| {
        shot.edit.handles = vec![Handle::new(When::Frame(5), Site::Vertex(VertexId(1)), Goal::By([0.0; 3]))];
    });
    document
}

fn pull(document: &mut Document, x: f64) {
    document.update_gesture(|shot| shot.edit.handles[0].goal = Goal::By([x, 0.0, 0.0]));
}

#[test]
fn the_latest_wish_wins_and_both_frames_follow_the_hand() {
    let folder = tempfile::tempdir().unwrap();
    let (fake, mut document) = (Arc::new(Fake::default()), document(folder.path()));
    let woken = Arc::new(AtomicUsize::new(0));
    let theirs = woken.clone();
    let solver = Solver::new(Arc::new(Stand(fake.clone())), move || {
        theirs.fetch_add(1, Ordering::Relaxed);
    });
    solver.want(wanted(&document, None));
    until(&solver, "open", |answer| answer.is_current(document.generation()));
    let woken_before = woken.load(Ordering::Relaxed);
    document.begin_gesture("Drag");
    fake.holds_drags.store(true, Ordering::Relaxed);
    solver.want(wanted(&document, Some(0)));
    while fake.count("drag") == 0 {
        std::thread::yield_now();
    }
    for step in 1..=100 {
        pull(&mut document, f64::from(step));
        solver.want(wanted(&document, Some(0)));
    }
    fake.holds_drags.store(false, Ordering::Relaxed);
    let last = document.generation();
    let answer = until(&solver, "the last step", |answer| {
        answer.shown.as_ref().is_some_and(|shown| shown.generation == last)
            && answer.played.as_ref().is_some_and(|played| played.generation == last)
    });
    assert_eq!(fake.count("drag"), 2, "what was overtaken was never looked at: {:?}", fake.log);
    assert_eq!((answer.work, fake.count("grab")), (Work::Dragging, 1));
    let (shown, played) = (answer.shown.unwrap(), answer.played.unwrap());
    assert_eq!((shown.frame, shown.points.drawn[0]), (4, [50.0, 0.0, 0.0]));
    assert_eq!((played.frame, played.points.drawn[0]), (9, [100.0, 0.0, 0.0]));
    assert_eq!(shown.input.as_ref().unwrap().drawn[0], [0.0; 3]);
    document.commit_gesture();
    assert_eq!(document.generation(), last, "letting go changes nothing");
    solver.want(wanted(&document, None));
    let is_told = |answer: &supple_session::Snapshot| {
        answer.report.as_ref().is_some_and(|report| report.generation == last)
    };
    let answer = until(&solver, "the report", is_told);
    assert_eq!(answer.shown.unwrap().points, shown.points);
    assert!(woken.load(Ordering::Relaxed) > woken_before);
}

#[test]
fn a_move_of_the_hand_waits_for_one_part_of_a_played_frame_at_most() {
    let folder = tempfile::tempdir().unwrap();
    let (fake, mut document) = (Arc::new(Fake::default()), document(folder.path()));
    let solver = Solver::new(Arc::new(Stand(fake.clone())), || {});
    // Nothing plays yet, so that no part is made before they are counted.
    solver.want(Wanted { playing: None, ..wanted(&document, None) });
    until(&solver, "open", |answer| answer.report.is_some());
    fake.makes_parts.store(true, Ordering::Relaxed);
    fake.log.lock().unwrap().clear();
    let parts = |count: usize| {
        while fake.count("part") < count {
            std::thread::yield_now();
        }
    };
    let mut generations = Vec::new();
    document.begin_gesture("Drag");
    for step in 1..=4 {
        pull(&mut document, f64::from(step));
        generations.push(document.generation());
        solver.want(wanted(&document, Some(0)));
        if step > 1 {
            // The part that the step before waits in.
            fake.parts.fetch_add(1, Ordering::Relaxed);
        }
        parts(step as usize);
    }
    let log = fake.log.lock().unwrap().clone();
    let order: Vec<&str> = log.iter().map(String::as_str).filter(|line| !line.starts_with("grab")).collect();
    assert_eq!(order, ["drag 1", "part", "drag 2", "part", "drag 3", "part", "drag 4", "part"]);
    let played = solver.answer().played.unwrap();
    assert_eq!(
        (played.generation, played.points.drawn[0][0]),
        (generations[0], 1.0),
        "begun at the first move"
    );
    fake.parts.fetch_add(100, Ordering::Relaxed);
    // The frame that is being made was begun at the third move; another follows it.
    let last = generations[3];
    let answer = until(&solver, "the last move, played", |answer| {
        answer.played.as_ref().is_some_and(|played| played.generation == last)
    });
    assert_eq!(answer.played.unwrap().points.drawn[0][0], 4.0);
}

#[test]
fn a_hand_takes_what_is_settled_and_lets_go_of_another_body() {
    let folder = tempfile::tempdir().unwrap();
    let (fake, mut document) = (Arc::new(Fake::default()), document(folder.path()));
    let solver = Solver::new(Arc::new(Stand(fake.clone())), || {});
    solver.want(wanted(&document, None));
    until(&solver, "open", |answer| answer.is_current(document.generation()));
    assert_eq!(fake.count("follow"), 1);
    let step = |document: &Document| {
        solver.want(wanted(document, Some(0)));
        let generation = document.generation();
        until(&solver, "a step", |answer| answer.step.is_some_and(|step| step.generation == generation));
    };
    document.begin_gesture("Drag");
    pull(&mut document, 5.0);
    step(&document);
    pull(&mut document, 6.0);
    step(&document);
    assert_eq!((fake.count("follow"), fake.count("grab")), (1, 1), "{:?}", fake.log);
    assert_eq!((fake.count("drag 5"), fake.count("drag 6")), (1, 1), "from where it was settled");
    // Another handle changes under the hand: all of them are followed again.
    let other = Handle::new(When::Frame(2), Site::Vertex(VertexId(2)), Goal::By([0.0, 1.0, 0.0]));
    document.update_gesture(|shot| shot.edit.handles.push(other));
    step(&document);
    assert_eq!((fake.count("follow"), fake.count("grab")), (2, 2), "{:?}", fake.log);
    assert_eq!(solver.answer().shown.unwrap().points.drawn[0], [3.0, 0.5, 0.0]);
    fake.holds_openings.store(true, Ordering::Relaxed);
    document.update_gesture(|shot| shot.edit.modes = 33);
    solver.want(wanted(&document, Some(0)));
    let answer = until(&solver, "progress", |answer| answer.opening.is_some() && answer.work == Work::Idle);
    assert!(
        answer.shown.unwrap().generation != document.generation(),
        "the old body does not pass for the new"
    );
    assert!(solver.answer().played.unwrap().generation != document.generation());
    fake.holds_openings.store(false, Ordering::Relaxed);
    step(&document);
    assert_eq!(fake.count("grab"), 3);
}

#[test]
fn what_is_old_keeps_its_generation_while_another_body_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    let (fake, mut document) = (Arc::new(Fake::default()), document(folder.path()));
    let solver = Solver::new(Arc::new(Stand(fake.clone())), || {});
    solver.want(wanted(&document, None));
    let first = document.generation();
    until(&solver, "open", |answer| answer.is_current(first));
    fake.holds_openings.store(true, Ordering::Relaxed);
    document.change("Set modes", |shot| shot.edit.modes = 31);
    solver.want(wanted(&document, None));
    let answer = until(&solver, "progress", |answer| {
        answer.opening.as_ref().is_some_and(|opening| opening.what == "waiting")
    });
    assert_eq!(answer.opening.unwrap().generation, document.generation());
    assert_eq!(answer.shown.as_ref().unwrap().generation, first, "the old one is still shown, as an old one");
    assert!(!solver.answer().is_current(document.generation()));
    // The document goes on; the opening that nobody needs any more is cancelled.
    document.change("Set modes", |shot| shot.edit.modes = 32);
    solver.want(wanted(&document, None));
    while fake.count("open 32") == 0 {
        std::thread::yield_now();
    }
    assert_eq!(solver.answer().stage.unwrap().modes, 60);
    fake.holds_openings.store(false, Ordering::Relaxed);
    let answer = until(&solver, "the new one", |answer| answer.is_current(document.generation()));
    assert_eq!((answer.stage.unwrap().modes, answer.opening), (32, None));
    document.undo();
    document.undo();
    assert_eq!(document.generation(), first);
    assert!(!solver.answer().is_current(first), "it shows the other one until it is opened again");
    solver.want(wanted(&document, None));
    until(&solver, "the first one again", |answer| answer.is_current(first));
}

#[test]
fn an_opening_can_be_cancelled_and_tried_again_and_says_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let (fake, mut document) = (Arc::new(Fake::default()), document(folder.path()));
    fake.holds_openings.store(true, Ordering::Relaxed);
    let solver = Solver::new(Arc::new(Stand(fake.clone())), || {});
    solver.want(wanted(&document, None));
    until(&solver, "progress", |answer| {
        answer.opening.as_ref().is_some_and(|opening| opening.what == "waiting")
    });
    solver.cancel_opening();
    let answer = until(&solver, "the end of it", |answer| answer.opening.is_none());
    assert_eq!(answer.failure, Some(SolverError::OpeningCancelled));
    assert!(answer.stage.is_none() && answer.shown.is_none(), "nothing has changed");
    fake.holds_openings.store(false, Ordering::Relaxed);
    solver.open_again();
    until(&solver, "opened", |answer| answer.is_current(document.generation()));
    let words = "seven modes are no good; choose eight".to_owned();
    for (modes, why) in [(7, SolverError::Method(LiveError::Said(words))), (13, SolverError::OpeningPanicked)]
    {
        document.change("Set modes", |shot| shot.edit.modes = modes);
        solver.want(wanted(&document, None));
        let answer = until(&solver, "a failure", |answer| answer.failure.as_ref() == Some(&why));
        assert!(!answer.is_current(document.generation()) && answer.shown.is_some());
    }
    document.change("Set modes", |shot| shot.edit.modes = 8);
    solver.want(wanted(&document, None));
    until(&solver, "all is well", |answer| {
        answer.is_current(document.generation()) && answer.failure.is_none()
    });
}

#[test]
fn solving_that_takes_long_says_how_far_it_is_and_is_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let (fake, mut document) = (Arc::new(Fake::default()), document(folder.path()));
    let solver = Solver::new(Arc::new(Stand(fake.clone())), || {});
    solver.want(wanted(&document, None));
    until(&solver, "open", |answer| answer.report.is_some());
    fake.holds_edits.store(true, Ordering::Relaxed);
    document.change("Pull", |shot| shot.edit.handles[0].goal = Goal::By([1.0, 0.0, 0.0]));
    solver.want(wanted(&document, None));
    until(&solver, "progress", |answer| answer.solving == Some(0.5));
    solver.cancel_solving();
    let answer = until(&solver, "stopped", |answer| answer.trouble.is_some());
    assert_eq!((answer.trouble, answer.solving), (Some(SolverError::SolvingStopped), None));
    let settled = fake.count("settle");
    solver.want(Wanted { frame: 2, ..wanted(&document, None) });
    until(&solver, "another frame", |answer| answer.shown.as_ref().is_some_and(|shown| shown.frame == 2));
    assert_eq!(fake.count("settle"), settled, "nobody wants to wait for it again");
    assert_ne!(solver.answer().shown.unwrap().generation, document.generation(), "and it is not shown as if");
    fake.holds_edits.store(false, Ordering::Relaxed);
    document.change("Pull", |shot| shot.edit.handles[0].goal = Goal::By([2.0, 0.0, 0.0]));
    solver.want(wanted(&document, None));
    let generation = document.generation();
    let answer = until(&solver, "solved", |answer| {
        answer.report.as_ref().is_some_and(|told| told.generation == generation)
    });
    assert!(answer.trouble.is_none());
}

#[test]
fn a_session_brings_it_together_once_per_frame() {
    let folder = tempfile::tempdir().unwrap();
    let (fake, document) = (Arc::new(Fake::default()), document(folder.path()));
    let home = Home::in_folder(folder.path());
    let mut session = Session::new(document, &home, Arc::new(Stand(fake)), || {});
    let extras = Arc::new(Extras { strobe: vec![0, 9], traces: vec![1] });
    let view = View { frame: 3, playing: Some(7), extras: extras.clone(), ..View::default() };
    session.document.change("Pull", |shot| {
        shot.edit.handles[0].goal = Goal::By([0.0, 10.0, 0.0]);
        shot.edit.handles.push(Handle::new(When::Frame(5), Site::CenterOfMass, Goal::By([101.0, 0.0, 0.0])));
    });
    let generation = session.document.generation();
    session.update(&view);
    // What was opened is worked on before the opening is known to have ended.
    let answer = until(&session.solver, "all of it", |answer| {
        let seen = answer.seen.as_ref();
        answer.is_current(generation)
            && seen.is_some_and(|seen| seen.generation == generation && seen.extras == extras)
    });
    assert_eq!(answer.problems.as_slice(), [None, Some("too far".to_owned())]);
    let seen = answer.seen.as_ref().unwrap();
    assert_eq!(seen.strobe.iter().map(|points| points[0][1]).collect::<Vec<_>>(), [1.0, 10.0]);
    assert_eq!(
        seen.traces[0].iter().map(|p| p[1]).collect::<Vec<_>>(),
        (1..=10).map(|y| y as f32).collect::<Vec<_>>()
    );
    assert!(seen.input_traces[0].iter().all(|p| *p == [1.0, 0.0, 0.0]));
    let (answer, notices) = session.update(&view);
    assert!(notices.is_empty() && answer.is_current(generation));
    let rows = supple_session::handle_list(session.document.shot(), generation, &answer);
    assert_eq!(rows[0].title, "vertex 1 · frame 5");
    assert_eq!((rows[0].goal.as_str(), rows[1].title.as_str()), ("moved 10 m", "centre of mass · frame 5"));
    assert_eq!(rows[1].state, supple_session::HandleState::Wrong("too far".to_owned()));
    assert!(session.wants_update_in().is_some(), "to autosave");
    let file = folder.path().join("film.toml");
    assert!(!session.save_as(&file).unwrap() && session.is_saving(), "files of the sample come along");
    let said = end_jobs(&mut session);
    assert!(said.iter().any(|notice| notice.to_string() == "Saved film.toml"), "{said:?}");
    assert!(session.save_as(&file).unwrap() && !session.is_saving(), "they are there already");
    assert_eq!(session.wants_update_in(), None);
    assert_eq!(session.recent().paths(), std::slice::from_ref(&file));
    let number = session.number();
    session.open_sample(Sample::named("beam").unwrap());
    session.document.change("Go on", |shot| shot.edit.modes = 9);
    let said = end_jobs(&mut session);
    assert!(said.iter().any(|notice| matches!(notice, Notice::NotOpened(_))), "{said:?}");
    assert_eq!((session.document.title(), session.number()), ("film.toml", number));
    session.open_sample(Sample::named("bar").unwrap());
    end_jobs(&mut session);
    assert_eq!(session.number(), number + 1);
    assert!(session.open(&folder.path().join("none.toml")).is_err());
    assert_eq!(session.document.title(), "bar", "what could not be opened changes nothing");
    session.open(&file).unwrap();
    assert_eq!(session.document.shot().edit.handles.len(), 2);
}

/// Saving to another folder changes every path of the shot, and used to open, and prepare, all of it anew.
#[test]
fn saving_reads_nothing_again() {
    let folder = tempfile::tempdir().unwrap();
    let (fake, mut document) = (Arc::new(Fake::default()), document(folder.path()));
    let solver = Solver::new(Arc::new(Stand(fake.clone())), || {});
    solver.want(wanted(&document, None));
    until(&solver, "open", |answer| answer.is_current(document.generation()));
    let film = folder.path().join("elsewhere");
    std::fs::create_dir_all(&film).unwrap();
    let before = document.shot().clone();
    document.save_as(&film.join("film.toml")).unwrap();
    assert_ne!(before.folder(), document.shot().folder());
    solver.want(Wanted { frame: 6, ..wanted(&document, None) });
    let frame = |at: usize| {
        move |answer: &supple_session::Snapshot| answer.shown.as_ref().is_some_and(|shown| shown.frame == at)
    };
    until(&solver, "another frame", frame(6));
    assert!(document.undo(), "the states before have moved, too");
    solver.want(Wanted { frame: 7, ..wanted(&document, None) });
    until(&solver, "the state before", frame(7));
    assert_eq!(fake.count("open"), 1, "one opening serves all");
    document.change("Set modes", |shot| shot.edit.modes = 11);
    solver.want(wanted(&document, None));
    until(&solver, "another body", |answer| answer.is_current(document.generation()));
    assert_eq!(fake.count("open"), 2, "another body is another opening");
}
