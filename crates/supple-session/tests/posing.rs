//! A pose on the solver's thread: it follows the hand, plays the motion meanwhile, and leaves the edit alone.

use crate::fake::{Fake, Stand, until};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use supple_model::{Progress, VertexId};
use supple_project::method::{Balance, Hand, PoseAsk, RealNumerics, Shove};
use supple_project::shot::{Method, Motion, Push, Site, When};
use supple_project::{Sample, key_poses};
use supple_session::{Document, Generation, Home, PoseDraft, PoseThen, Snapshot, Solver, Wanted, Work};

fn document(folder: &Path) -> Document {
    let home = Home::in_folder(folder);
    let mut document = Document::sample(Sample::named("block").unwrap(), &home).unwrap();
    document.change("keys", |shot| {
        shot.edit.handles.clear();
        shot.edit.choose(Method::Sparse);
        shot.motion = Motion { frames: Some(10), fps: Some(24.0), ..Motion::default() };
    });
    document
}

fn wanted(document: &Document, pose: Option<Arc<PoseAsk>>) -> Wanted {
    Wanted {
        generation: document.generation(),
        shot: document.shot().clone(),
        cache: document.cache(),
        hand: None,
        frame: 4,
        playing: Some(9),
        input: true,
        strain: false,
        probe: None,
        extras: Arc::default(),
        pose,
        shove: None,
    }
}

fn pull(x: f64) -> Option<Arc<PoseAsk>> {
    let hand = Some(Hand { site: Site::Vertex(VertexId(1)), by: [x, 0.0, 0.0] });
    Some(Arc::new(PoseAsk { hand, ..PoseAsk::default() }))
}

fn balance(answer: &Snapshot) -> Option<Balance> {
    answer.posed.as_ref().map(|posed| posed.balance)
}

/// A body that was pushed goes on from where it is, until it is played from an earlier frame again.
#[test]
fn a_push_goes_on_until_the_motion_begins_again() {
    let folder = tempfile::tempdir().unwrap();
    let (fake, document) = (Arc::new(Fake::default()), document(folder.path()));
    let solver = Solver::new(Arc::new(Stand(fake.clone())), || {});
    let plays = |frame: usize, shove: Option<Shove>| {
        solver.want(Wanted { playing: Some(frame), shove, ..wanted(&document, None) });
        let of = |answer: &Snapshot| answer.played.as_ref().is_some_and(|played| played.frame == frame);
        until(&solver, "plays", of).played.unwrap().points.drawn[0]
    };
    solver.want(wanted(&document, None));
    until(&solver, "open", |answer| answer.report.is_some() && answer.work == Work::Idle);
    let [free, shove] = [None, Some(Shove { vertex: 0, by: [2.0, 0.0, 0.0] })];
    let (before, pushed) = (plays(3, free), plays(4, shove));
    assert!(pushed[0] > before[0] + 1.0, "{pushed:?} {before:?}");
    plays(6, free);
    assert_eq!((fake.count("push 3"), fake.count("push 4 true"), fake.count("push 6 false")), (0, 1, 1));
    assert_eq!((plays(2, free), fake.count("push 2")), (plays(2, free), 0), "from the start again");
    plays(5, free);
    assert_eq!(fake.count("push 5"), 0);
}

/// Poses of files are fitted before a motion is found: who pulled at the body waited for that.
#[test]
fn a_pose_does_not_wait_until_others_are_fitted() {
    let folder = tempfile::tempdir().unwrap();
    let (fake, document) = (Arc::new(Fake::default()), document(folder.path()));
    fake.holds_asks.store(true, Ordering::Relaxed);
    let solver = Solver::new(Arc::new(Stand(fake.clone())), || {});
    solver.want(wanted(&document, None));
    until(&solver, "fitting", |answer| answer.solving.is_some());
    solver.want(wanted(&document, pull(1.0)));
    until(&solver, "posed", |answer| balance(answer) == Some(Balance::Found));
    assert_eq!(fake.count("settle"), 0);
    fake.holds_asks.store(false, Ordering::Relaxed);
    solver.want(wanted(&document, None));
    until(&solver, "found", |answer| answer.report.is_some() && answer.work == Work::Idle);
}

/// A motion that cannot be was looked for again with every frame that was played.
#[test]
fn what_cannot_be_is_not_tried_again_for_another_frame() {
    let folder = tempfile::tempdir().unwrap();
    let (fake, document) = (Arc::new(Fake::default()), document(folder.path()));
    fake.fails.store(true, Ordering::Relaxed);
    let solver = Solver::new(Arc::new(Stand(fake.clone())), || {});
    solver.want(wanted(&document, None));
    until(&solver, "no motion", |answer| answer.trouble.is_some());
    for frame in [1, 2, 3] {
        solver.want(Wanted { playing: Some(frame), ..wanted(&document, None) });
        let plays = |answer: &Snapshot| answer.played.as_ref().is_some_and(|played| played.frame == frame);
        let answer = until(&solver, "plays", plays);
        assert!(answer.trouble.is_some(), "still said");
    }
    assert_eq!(fake.count("settle"), 1);
}

#[test]
fn the_latest_hand_wins_and_nothing_is_edited_meanwhile() {
    let folder = tempfile::tempdir().unwrap();
    let (fake, document) = (Arc::new(Fake::default()), document(folder.path()));
    let solver = Solver::new(Arc::new(Stand(fake.clone())), || {});
    solver.want(wanted(&document, None));
    let is_told = |answer: &Snapshot| answer.report.is_some() && answer.work == Work::Idle;
    until(&solver, "open", is_told);
    let settled = fake.count("settle");
    fake.pose_steps.store(5, Ordering::Relaxed);
    fake.holds_poses.store(true, Ordering::Relaxed);
    solver.want(wanted(&document, pull(0.0)));
    while fake.count("pose") == 0 {
        std::thread::yield_now();
    }
    for step in 1..=50 {
        solver.want(wanted(&document, pull(f64::from(step))));
    }
    fake.holds_poses.store(false, Ordering::Relaxed);
    let answer = until(&solver, "the pose", |answer| balance(answer) == Some(Balance::Found));
    assert_eq!(fake.count("pose 0"), 1, "a step that was begun ends, though the hand has gone on");
    assert_eq!(fake.count("pose"), 1 + 6, "what was overtaken was never looked at: {:?}", fake.log);
    let posed = answer.posed.unwrap();
    assert_eq!((posed.picture.points.drawn[0], posed.force), ([50.0, 0.0, 0.0], Some([50.0, 0.0, 0.0])));
    let mut other = wanted(&document, pull(50.0));
    other.playing = Some(3);
    solver.want(other);
    until(&solver, "another frame", |answer| answer.played.as_ref().is_some_and(|played| played.frame == 3));
    assert_eq!((fake.count("pose"), fake.count("settle"), fake.count("begin")), (7, settled, 1));
    solver.want(wanted(&document, pull(101.0)));
    let answer = until(&solver, "trouble", |answer| answer.trouble.is_some());
    assert_eq!(answer.trouble.unwrap().to_string(), "too far");
    solver.want(wanted(&document, None));
    let answer = until(&solver, "the end", |answer| answer.posed.is_none());
    assert_eq!((answer.work, answer.trouble, fake.count("settle")), (Work::Idle, None, settled));
}

#[test]
fn a_pose_that_is_left_is_stopped_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let (fake, document) = (Arc::new(Fake::default()), document(folder.path()));
    let solver = Solver::new(Arc::new(Stand(fake.clone())), || {});
    solver.want(wanted(&document, None));
    until(&solver, "open", |answer| answer.is_current(document.generation()));
    fake.holds_poses.store(true, Ordering::Relaxed);
    solver.want(wanted(&document, pull(1.0)));
    while fake.count("pose") == 0 {
        std::thread::yield_now();
    }
    // It is held still, and would be for good.
    let mut last = wanted(&document, None);
    last.playing = Some(2);
    solver.want(last);
    until(&solver, "the motion", |answer| answer.played.as_ref().is_some_and(|played| played.frame == 2));
    assert!(solver.answer().posed.is_none());
}

#[test]
fn steps_of_a_solver_are_shown_and_are_no_state_of_the_document() {
    let folder = tempfile::tempdir().unwrap();
    let (fake, document) = (Arc::new(Fake::default()), document(folder.path()));
    fake.iterates.store(3, Ordering::Relaxed);
    fake.holds_edits.store(true, Ordering::Relaxed);
    let solver = Solver::new(Arc::new(Stand(fake.clone())), || {});
    solver.want(wanted(&document, None));
    let is_third = |answer: &Snapshot| answer.iterate.is_some_and(|iterate| iterate.number == 3);
    let answer = until(&solver, "the third step", is_third);
    assert_eq!((answer.work, answer.iterate.unwrap().objective), (Work::Settling, 1.0 / 3.0));
    let (shown, played) = (answer.shown.clone().unwrap(), answer.played.clone().unwrap());
    assert_eq!((shown.frame, played.frame, shown.generation), (4, 9, Generation::default()));
    assert!(!answer.is_current(document.generation()));
    fake.holds_edits.store(false, Ordering::Relaxed);
    let answer = until(&solver, "the edit", |answer| answer.is_current(document.generation()));
    assert_eq!(answer.iterate, None);
}

/// From the first pull to the shot: what was seen is what the shot asks for.
#[test]
fn a_body_is_pulled_frozen_pinned_and_keyed_with_the_real_numerics() {
    let folder = tempfile::tempdir().unwrap();
    let mut document = document(folder.path());
    let solver = Solver::new(Arc::new(RealNumerics::default()), || {});
    solver.want(wanted(&document, None));
    let stage = until(&solver, "open", |answer| answer.is_current(document.generation())).stage.unwrap();
    let top = (0..stage.rest.len()).max_by(|a, b| stage.rest[*a][1].total_cmp(&stage.rest[*b][1])).unwrap();
    let site = Site::Vertex(VertexId::new(top));
    let mut draft = PoseDraft::begin(document.shot(), None, When::Frame(5), 4).unwrap();
    let away = 0.1 * stage.size;
    for (then, by) in [(PoseThen::Freeze, [away, 0.0, 0.0]), (PoseThen::Key, [away, 0.0, away])] {
        draft.pull(site.clone(), [0.0; 3]);
        draft.pull_to(by);
        draft.plan(then.clone()).unwrap();
        solver.want(wanted(&document, Some(draft.ask().clone())));
        let ask = draft.ask().clone();
        let rests = |answer: &Snapshot| {
            answer.posed.as_ref().is_some_and(|posed| posed.ask == ask && posed.balance == Balance::Found)
        };
        let answer = until(&solver, "a pose", rests);
        assert_eq!(draft.go_on(answer.posed.as_ref().unwrap()).unwrap(), Some(then));
    }
    document.change("Key pose", |shot| assert_eq!(draft.key(shot), Some(0)));
    let pose = &document.shot().edit.poses[0];
    let forces: Vec<[f64; 3]> = (pose.loads.iter())
        .map(|load| if let Push::Force(force) = load.push { force } else { panic!("no track") })
        .collect();
    assert!(forces.len() == 2 && forces[0][0] > 0.0 && forces[1][2] > 0.0, "{forces:?}");
    let seen = solver.answer().posed.unwrap().picture.clone();
    let (body, clock) = (stage.body.clone().unwrap(), document.shot().motion.clock());
    let found = key_poses(document.shot(), &body, clock, &Progress::silent()).unwrap();
    let places = seen.points.body.as_ref().unwrap_or(&seen.points.drawn);
    let asked = body.positions().iter().zip(found[0].displacement.chunks_exact(3));
    let differ =
        asked.zip(places).flat_map(|((x, u), p)| (0..3).map(move |c| (x[c] + u[c] - f64::from(p[c])).abs()));
    let error = differ.fold(0.0, f64::max);
    assert!(error < 1e-5 * stage.size, "{error}");
    solver.want(wanted(&document, None));
    until(&solver, "the motion", |answer| answer.is_current(document.generation()) && answer.posed.is_none());
}
