//! Poses in the making, without a solver: what they ask for, and what of it is written.

use super::*;
use crate::{Generation, Picture};
use std::path::Path;
use supple_model::VertexId;
use supple_project::method::{Points, Stage};
use supple_project::shot::{At, Body, BodyKind, Hold, Length, Method, Segment};

const FORCE: [f64; 3] = [0.0, 7.0, 0.0];

fn shot() -> Shot {
    let mut shot = Shot::new(Path::new("/p"), Body::new(BodyKind::Solid, "a.msh")).unwrap();
    shot.edit.method = Method::Control;
    shot
}

fn begun(shot: &Shot) -> PoseDraft {
    PoseDraft::begin(shot, None, When::Frame(12), 11).unwrap()
}

fn vertex(v: u32) -> Site {
    Site::Vertex(VertexId(v))
}

/// What the solver says of what is asked.
fn posed(draft: &PoseDraft, balance: Balance) -> Posed {
    let picture = Picture {
        generation: Generation::default(),
        stage: Arc::new(Stage::default()),
        frame: 0,
        points: Points::default(),
        input: None,
        strain: None,
        scenery: Vec::new(),
        depth: None,
        near: Vec::new(),
    };
    let force = draft.ask().hand.is_some().then_some(FORCE);
    Posed {
        ask: draft.ask().clone(),
        picture: Arc::new(picture),
        balance,
        force,
        residual: 0.0,
        seconds: 0.0,
    }
}

fn done(draft: &mut PoseDraft, then: PoseThen) {
    draft.plan(then.clone()).unwrap();
    let found = posed(draft, Balance::Found);
    assert_eq!(draft.go_on(&found).unwrap(), Some(then));
}

#[test]
fn loads_stack_and_pins_are_of_the_stage_that_follows() {
    let mut draft = begun(&shot());
    draft.pull(vertex(4), [0.0; 3]);
    draft.pull_to([0.0, 1.0, 0.0]);
    draft.let_go();
    draft.pull_to([9.0; 3]);
    assert_eq!(draft.ask().hand, Some(Hand { site: vertex(4), by: [0.0, 1.0, 0.0] }), "the hand is open");
    done(&mut draft, PoseThen::Freeze);
    draft.pull(vertex(5), [1.0, 0.0, 0.0]);
    done(&mut draft, PoseThen::Pin(vertex(6)));
    done(&mut draft, PoseThen::Pin(vertex(7)));
    draft.pull(vertex(8), [0.0; 3]);
    done(&mut draft, PoseThen::Key);
    let mut shot = shot();
    assert_eq!((draft.is_there(), draft.key(&mut shot)), (false, Some(0)));
    let pose = &shot.edit.poses[0];
    let load = |v: u32, stage| Load { site: vertex(v), push: Push::Force(FORCE), frames: None, stage };
    assert_eq!(pose.loads, [load(4, None), load(5, Some(2)), load(8, Some(3))]);
    let pin = |v: u32| Pin { site: vertex(v), stage: Some(3) };
    assert_eq!((&pose.pins, &pose.when, pose.hold), (&vec![pin(6), pin(7)], &When::Frame(12), Hold::Hard));
    let file = Path::new("/p/shot.toml");
    let text = shot.text(file).unwrap();
    assert_eq!(Shot::parse(file, &text).unwrap().edit.poses, shot.edit.poses, "{text}");
}

#[test]
fn a_pull_without_a_freeze_is_replaced_and_every_step_can_be_gone_back() {
    let mut draft = begun(&shot());
    let mut states = vec![draft.ask().clone()];
    let keep = |draft: &PoseDraft, states: &mut Vec<_>| states.push(draft.ask().clone());
    draft.pull(vertex(1), [1.0, 0.0, 0.0]);
    keep(&draft, &mut states);
    draft.pull(vertex(2), [1.0, 0.0, 0.0]);
    keep(&draft, &mut states);
    assert_eq!((draft.ask().hand.as_ref().unwrap().site.clone(), draft.ask().loads.len()), (vertex(2), 0));
    done(&mut draft, PoseThen::Freeze);
    keep(&draft, &mut states);
    done(&mut draft, PoseThen::Pin(vertex(3)));
    while let Some(before) = states.pop() {
        assert!(draft.back());
        assert_eq!(*draft.ask(), before);
    }
    assert!(!draft.back() && **draft.ask() == PoseAsk::default());
}

#[test]
fn what_is_planned_waits_for_the_body_to_rest() {
    let mut draft = begun(&shot());
    assert_eq!(draft.plan(PoseThen::Key), Err(PoseRefused::Nothing));
    assert_eq!(draft.plan(PoseThen::Freeze), Err(PoseRefused::NothingToFreeze));
    draft.pull(vertex(1), [1.0, 0.0, 0.0]);
    let old = posed(&draft, Balance::Found);
    draft.pull_to([2.0, 0.0, 0.0]);
    draft.plan(PoseThen::Freeze).unwrap();
    assert_eq!(draft.go_on(&old), Ok(None), "that is of another hand");
    let moving = posed(&draft, Balance::Moving);
    assert_eq!((draft.go_on(&moving), draft.then()), (Ok(None), Some(&PoseThen::Freeze)));
    let lost = posed(&draft, Balance::Lost);
    assert_eq!((draft.go_on(&lost), draft.then()), (Err(PoseRefused::GivesWay), None));
    let before = draft.ask().clone();
    let found = posed(&draft, Balance::Found);
    assert_eq!((draft.go_on(&found), draft.ask()), (Ok(None), &before), "nothing is planned any more");
}

#[test]
fn a_pull_that_is_dropped_has_not_been() {
    let mut draft = begun(&shot());
    assert!(!draft.drop_pull());
    draft.pull(vertex(1), [1.0, 0.0, 0.0]);
    assert!(draft.pulls() && draft.drop_pull() && !draft.pulls());
    assert!(**draft.ask() == PoseAsk::default() && !draft.back());
}

#[test]
fn a_pose_that_is_there_is_gone_on_with_and_written_over() {
    let mut shot = shot();
    let mut draft = begun(&shot);
    draft.pull(vertex(4), [0.0; 3]);
    done(&mut draft, PoseThen::Freeze);
    done(&mut draft, PoseThen::Pin(vertex(6)));
    draft.key(&mut shot);
    shot.edit.poses[0].hold = Hold::Soft(3.0);
    shot.edit.poses[0].group = Some("upper".into());
    let mut again = begun(&shot);
    assert!(again.is_there() && again.ask().loads == shot.edit.poses[0].loads);
    assert_eq!((again.ask().pins.len(), again.ask().stage, again.ask().hand.as_ref()), (1, 2, None));
    again.pull(vertex(9), [0.0; 3]);
    done(&mut again, PoseThen::Key);
    assert_eq!((again.key(&mut shot), shot.edit.poses.len()), (Some(0), 1));
    let pose = &shot.edit.poses[0];
    assert_eq!((pose.loads.len(), pose.hold, pose.group.as_deref()), (2, Hold::Soft(3.0), Some("upper")));
    let mut steps = 0;
    let mut back = begun(&shot);
    while back.back() {
        steps += 1;
    }
    assert_eq!((steps, &**back.ask()), (3, &PoseAsk::default()), "load, pin and load, one after the other");
    shot.edit.poses = vec![Pose::of_file(12, "a.obj")];
    assert_eq!(PoseDraft::begin(&shot, None, When::Frame(12), 11).unwrap_err(), PoseRefused::FromFile);
    assert!(!PoseDraft::begin(&shot, None, When::Frame(13), 12).unwrap().is_there());
}

/// While a pose was open its place went to another one.
#[test]
fn a_pose_that_went_away_meanwhile_is_written_anew() {
    let mut shot = shot();
    let mut draft = begun(&shot);
    draft.pull(vertex(4), [0.0; 3]);
    done(&mut draft, PoseThen::Key);
    draft.key(&mut shot);
    let again = begun(&shot);
    shot.edit.poses[0] = Pose::of_file(3, "a.obj");
    assert_eq!((again.key(&mut shot), shot.edit.poses.len()), (Some(1), 2));
    assert_eq!(shot.edit.poses[0], Pose::of_file(3, "a.obj"));
}

#[test]
fn poses_of_segments_are_keyed_in_them_and_moved_in_them() {
    let mut shot = shot();
    shot.edit.segments = vec![Segment::new(Length::Frames(24.0)); 2];
    let when = When::At(At::Frames(6.0));
    let mut draft = PoseDraft::begin(&shot, Some(1), when, 30).unwrap();
    draft.pull(vertex(1), [0.0; 3]);
    done(&mut draft, PoseThen::Key);
    assert_eq!((draft.key(&mut shot), shot.edit.segments[1].poses.len()), (Some(0), 1));
    let mut moved = |by: f64| {
        retime_pose(&mut shot, 0, by, [25.0, 49.0]);
        shot.edit.segments[1].poses[0].when.clone()
    };
    assert_eq!(moved(4.0), When::At(At::Frames(10.0)));
    assert_eq!(moved(40.0), When::At(At::End), "no farther than the segment goes");
    assert_eq!((moved(-3.0), moved(-99.0)), (When::At(At::Frames(21.0)), When::At(At::Frames(0.0))));
}

#[test]
fn poses_of_the_scene_stay_in_it() {
    let mut shot = shot();
    let range = Pose { when: When::Frames(5..=9), ..Pose::of_file(1, "b.pc2") };
    shot.edit.poses = vec![Pose::of_file(12, "a.obj"), range];
    let mut moved = |place: usize, by: f64| {
        retime_pose(&mut shot, place, by, [1.0, 20.0]);
        shot.edit.poses[place].when.clone()
    };
    assert_eq!((moved(0, 5.0), moved(0, 90.0)), (When::Frame(17), When::Frame(20)));
    assert_eq!((moved(1, 90.0), moved(1, -90.0)), (When::Frames(16..=20), When::Frames(1..=5)));
}

#[test]
fn a_pose_is_told_in_a_line() {
    let mut pose = Pose::of_file(12, "poses/crouch.obj");
    assert_eq!(pose_words(&pose), "frame 12 · crouch.obj");
    pose.hold = Hold::Soft(2.0);
    pose.group = Some("upper".into());
    assert_eq!(pose_words(&pose), "frame 12 · crouch.obj · group upper · soft 2");
    let load = Load { site: vertex(1), push: Push::Force(FORCE), frames: None, stage: None };
    let pin = Pin { site: vertex(1), stage: None };
    let pulled = Pose { file: None, loads: vec![load; 2], pins: vec![pin], ..Pose::of_file(3, "") };
    assert_eq!(pose_words(&pulled), "frame 3 · 2 loads, 1 pin");
}
