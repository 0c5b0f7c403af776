//! The body is posed by hand: pulled, frozen, pinned and keyed; poses on the timeline and in their panel.

use crate::studio::names;
use crate::studio::puppet::{FRAMES, START, keyed};
use crate::studio::stage::{
    Stage, click, ctrl, drag, drag_with, find, go_to, key, place, press_id, says, see, set, shot, try_find,
    until,
};
use eframe::egui::{Key, Modifiers, PointerButton, Pos2, pos2, vec2};
use egui_kittest::kittest::NodeT;
use std::path::Path;
use supple_project::shot::{
    At, ControlSolver, Effort, FrameTime, Guess, Hold, Method, Pose, Push, Shot, When,
};
use supple_session::Timeline;
use supple_studio::Studio;

/// The middle of the lane of poses, below the top of the timeline.
const LANE: f32 = 38.0;

/// A vertex of the top, which nothing holds.
fn top(stage: &Stage) -> u32 {
    let rest = &stage.state().answer().stage.as_ref().unwrap().rest;
    (0..rest.len()).max_by(|a, b| rest[*a][1].total_cmp(&rest[*b][1])).unwrap() as u32
}

/// Where it is on the screen.
fn place_of_top(stage: &mut Stage) -> Pos2 {
    let vertex = top(stage);
    place(stage, vertex)
}

fn steps(stage: &Stage) -> usize {
    stage.state().session().document.undo_steps().count()
}

fn step(stage: &Stage) -> &str {
    stage.state().session().document.undo_steps().next().unwrap()
}

/// A block of ten frames that is being posed at the fifth.
fn posed(folder: &Path) -> Stage {
    let mut stage = keyed(folder, false);
    go_to(&mut stage, 4);
    press_id(&mut stage, "pose");
    see(&mut stage, "The body rests");
    stage
}

/// Pulls at the top, and waits until the body rests.
fn pull(stage: &mut Stage, by: [f32; 2]) {
    let at = place_of_top(stage);
    drag(stage, at, &[at + vec2(by[0], by[1]) * 0.5, at + vec2(by[0], by[1])]);
    see(stage, "The body rests");
}

fn ends(stage: &mut Stage) {
    until(stage, "keyed", |studio| studio.posing().is_none());
}

#[test]
fn a_pose_is_pulled_and_keyed_as_one_step() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = posed(folder.path());
    let (before, count) = (shot(&stage).clone(), steps(&stage));
    let from = place_of_top(&mut stage);
    pull(&mut stage, [60.0, 0.0]);
    assert_eq!(*shot(&stage), before, "nothing is in the shot yet");
    let moved = place_of_top(&mut stage) - from;
    assert!((20.0..60.0).contains(&moved.x), "the body follows, not all of the way: {moved}");
    key(&mut stage, Key::Enter);
    ends(&mut stage);
    assert_eq!((steps(&stage), step(&stage)), (count + 1, "Key pose"));
    let pose = &shot(&stage).edit.poses[0];
    assert_eq!((&pose.when, pose.hold, pose.pins.len()), (&When::Frame(START + 4), Hold::Hard, 0));
    let [load] = pose.loads.as_slice() else { panic!("{pose:?}") };
    assert!(matches!(load.push, Push::Force([x, ..]) if x.abs() > 0.0) && load.stage.is_none());
    assert_eq!(stage.state().selected_pose(), Some(0));
    ctrl(&mut stage, Key::Z);
    assert_eq!(*shot(&stage), before);
}

#[test]
fn loads_stack_pins_hold_and_back_goes_one_by_one() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = posed(folder.path());
    let before = shot(&stage).clone();
    press_id(&mut stage, "pose-key");
    assert!(says(stage.state(), "Nothing to key yet"));
    assert!(find(&stage, "pose-pin").accesskit_node().is_disabled(), "nothing is picked");
    pull(&mut stage, [50.0, 0.0]);
    key(&mut stage, Key::F);
    until(&mut stage, "frozen", |studio| studio.posing().is_some_and(|ask| ask.stage == 2));
    see(&mut stage, "The body rests");
    let at = place_of_top(&mut stage);
    click(&mut stage, at);
    assert_eq!(stage.state().picked().len(), 1, "a click picks");
    press_id(&mut stage, "pose-pin");
    until(&mut stage, "pinned", |studio| studio.posing().is_some_and(|ask| ask.pins.len() == 1));
    assert!(stage.state().picked().is_empty());
    let ask = |stage: &Stage| stage.state().posing().unwrap().clone();
    assert_eq!((ask(&stage).loads.len(), ask(&stage).pins[0].stage), (1, Some(2)));
    ctrl(&mut stage, Key::Z);
    assert_eq!((ask(&stage).loads.len(), ask(&stage).pins.len()), (1, 0));
    press_id(&mut stage, "pose-back");
    assert!(ask(&stage).loads.is_empty() && ask(&stage).hand.is_some(), "the pull again, not frozen");
    press_id(&mut stage, "pose-back");
    assert_eq!(ask(&stage), Default::default());
    key(&mut stage, Key::Escape);
    assert!(stage.state().posing().is_none() && *shot(&stage) == before, "cancelled, nothing changes");
    until(&mut stage, "no pose", |studio| studio.answer().posed.is_none());
}

#[test]
fn escape_drops_a_pull_first_and_so_does_the_right_button() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = posed(folder.path());
    let at = place_of_top(&mut stage);
    let pulls = |stage: &mut Stage| {
        crate::studio::stage::press(stage, at, PointerButton::Primary, Modifiers::NONE);
        crate::studio::stage::move_to(stage, at + vec2(40.0, 0.0));
        assert!(stage.state().posing().unwrap().hand.is_some());
    };
    pulls(&mut stage);
    key(&mut stage, Key::Escape);
    assert_eq!(stage.state().posing(), Some(&Default::default()), "the pose stays");
    crate::studio::stage::lift(&mut stage, at, PointerButton::Primary, Modifiers::NONE);
    pulls(&mut stage);
    crate::studio::stage::press(&mut stage, at, PointerButton::Secondary, Modifiers::NONE);
    assert_eq!(stage.state().posing(), Some(&Default::default()));
    // What means something else otherwise means nothing here.
    crate::studio::stage::lift(&mut stage, at, PointerButton::Secondary, Modifiers::NONE);
    let before = shot(&stage).clone();
    [Key::X, Key::G, Key::R, Key::Delete].into_iter().for_each(|other| key(&mut stage, other));
    ctrl(&mut stage, Key::Y);
    assert!(*shot(&stage) == before && stage.state().posing().is_some());
}

/// The body of a controlled motion is pushed in the right view while it plays; nothing of that is in the shot.
#[test]
fn what_plays_is_pushed() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = keyed(folder.path(), false);
    let vertex = top(&stage);
    let at = |stage: &Stage| {
        let rect = find(stage, "play-view").rect();
        stage.state().place_on_screen(vertex, rect).unwrap()
    };
    let from = at(&stage);
    let pull = |stage: &mut Stage| {
        crate::studio::stage::press(stage, from, PointerButton::Primary, Modifiers::NONE);
        crate::studio::stage::move_to(stage, from + vec2(30.0, 0.0));
    };
    // What plays now is no motion of forces.
    key(&mut stage, Key::Space);
    until(&mut stage, "plays", |studio| studio.answer().played.is_some() && studio.answer().report.is_some());
    pull(&mut stage);
    assert_eq!(stage.state().shove(), None);
    crate::studio::stage::lift(&mut stage, from, PointerButton::Primary, Modifiers::NONE);
    press_id(&mut stage, "tab-method");
    press_id(&mut stage, "method");
    press_id(&mut stage, "method-control");
    see(&mut stage, "Drag the body to push it while it plays");
    let before = shot(&stage).clone();
    pull(&mut stage);
    let shove = stage.state().shove().unwrap();
    assert!(shove.by.iter().any(|by| by.abs() > 1e-3), "{shove:?}");
    let rest = stage.state().answer().stage.as_ref().unwrap().rest[0];
    let gives = move |studio: &Studio| {
        let played = studio.answer().played.as_ref().unwrap();
        [0, 1, 2].map(|c| f64::from(played.points.drawn[0][c] - rest[c]))
    };
    until(&mut stage, "gives way", move |studio| {
        gives(studio).iter().zip(shove.by).all(|(moved, by)| (moved - by).abs() < 1e-4)
    });
    crate::studio::stage::lift(&mut stage, from + vec2(30.0, 0.0), PointerButton::Primary, Modifiers::NONE);
    assert_eq!(stage.state().shove(), None);
    until(&mut stage, "finds back", move |studio| gives(studio).iter().all(|moved| moved.abs() < 1e-6));
    assert_eq!(*shot(&stage), before);
    assert!(!crate::studio::stage::sees(&stage, "Drag the body to push it"), "no news any more");
}

#[test]
fn a_pose_is_opened_again_and_changed_in_one_step() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = posed(folder.path());
    pull(&mut stage, [50.0, 0.0]);
    press_id(&mut stage, "pose-key");
    ends(&mut stage);
    go_to(&mut stage, 0);
    press_id(&mut stage, "tab-handles");
    press_id(&mut stage, "pose-0");
    assert_eq!(stage.state().frame(), 4, "its frame is shown");
    press_id(&mut stage, "pose-edit");
    see(&mut stage, "The body rests");
    assert_eq!(stage.state().posing().map(|ask| (ask.loads.len(), ask.stage)), Some((1, 2)));
    pull(&mut stage, [0.0, 30.0]);
    let count = steps(&stage);
    key(&mut stage, Key::Enter);
    ends(&mut stage);
    assert_eq!((steps(&stage), step(&stage)), (count + 1, "Change pose"));
    let poses = &shot(&stage).edit.poses;
    assert_eq!((poses.len(), poses[0].loads.len(), poses[0].loads[1].stage), (1, 2, Some(2)));
}

/// A block with a pose at the seventh frame.
fn with_poses(folder: &Path) -> Stage {
    let mut stage = keyed(folder, false);
    go_to(&mut stage, 6);
    press_id(&mut stage, "pose");
    see(&mut stage, "The body rests");
    pull(&mut stage, [50.0, 0.0]);
    press_id(&mut stage, "pose-key");
    ends(&mut stage);
    stage
}

/// Where a time, in frames from the first, is in the lane of poses.
fn on_lane(stage: &mut Stage, time: f64, below: f32) -> Pos2 {
    let timeline = Timeline::of(shot(stage), stage.state().answer().stage.as_ref().unwrap());
    let part = timeline.part(f64::from(START) + time) as f32;
    let line = find(stage, "timeline").rect();
    pos2(line.left() + 14.0 + (line.width() - 28.0) * part, line.top() + below)
}

fn drag_mark(stage: &mut Stage, [from, to]: [f64; 2], below: f32) {
    let ends = [on_lane(stage, from, below), on_lane(stage, to, below)];
    drag_with(stage, ends, PointerButton::Primary, Modifiers::NONE);
}

#[test]
fn poses_are_selected_moved_and_deleted_on_the_timeline() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = with_poses(folder.path());
    let count = steps(&stage);
    drag_mark(&mut stage, [6.0, 2.0], LANE);
    assert_eq!(shot(&stage).edit.poses[0].when, When::Frame(START + 2));
    assert_eq!((steps(&stage), step(&stage), stage.state().frame()), (count + 1, "Retime pose", 2));
    drag_mark(&mut stage, [2.0, 40.0], LANE);
    assert_eq!(shot(&stage).edit.poses[0].when, When::Frame(START + FRAMES as i32 - 1), "as far as it goes");
    ctrl(&mut stage, Key::Z);
    let at = on_lane(&mut stage, 2.0, LANE);
    click(&mut stage, at);
    assert_eq!((stage.state().selected_pose(), steps(&stage)), (Some(0), count + 1), "a click selects");
    key(&mut stage, Key::X);
    assert_eq!((shot(&stage).edit.poses.len(), step(&stage)), (0, "Delete pose"));
    ctrl(&mut stage, Key::Z);
    assert_eq!(shot(&stage).edit.poses.len(), 1);
}

#[test]
fn poses_of_a_segment_stay_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = with_poses(folder.path());
    press_id(&mut stage, "use-segments");
    let when = |stage: &Stage| shot(stage).edit.segments[0].poses[0].when.clone();
    assert_eq!(when(&stage), When::At(At::Frames(6.0)));
    drag_mark(&mut stage, [6.0, 3.0], LANE + 22.0);
    assert_eq!(when(&stage), When::At(At::Frames(3.0)));
    drag_mark(&mut stage, [3.0, 99.0], LANE + 22.0);
    assert_eq!(when(&stage), When::At(At::End));
}

#[test]
fn fields_of_a_pose_are_single_steps() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = with_poses(folder.path());
    press_id(&mut stage, "tab-method");
    press_id(&mut stage, "method");
    press_id(&mut stage, "method-control");
    press_id(&mut stage, "tab-handles");
    press_id(&mut stage, "pose-0");
    let count = steps(&stage);
    let pose = |stage: &Stage| -> Pose { shot(stage).edit.poses[0].clone() };
    press_id(&mut stage, "pose-soft");
    set(&mut stage, "pose-firmness", "9");
    assert_eq!((pose(&stage).hold, steps(&stage)), (Hold::Soft(9.0), count + 2));
    press_id(&mut stage, "pose-hard");
    set(&mut stage, "pose-components", "1, 3");
    assert_eq!(pose(&stage).components.unwrap().0, [1, 3]);
    set(&mut stage, "pose-components", " ");
    assert_eq!((pose(&stage).components, pose(&stage).hold), (None, Hold::Hard));
    press_id(&mut stage, "pose-group");
    press_id(&mut stage, "pose-group-top");
    assert_eq!((pose(&stage).group.as_deref(), steps(&stage)), (Some("top"), count + 6));
    names::check(&stage, "a pose");
    press_id(&mut stage, "pose-delete");
    assert!(shot(&stage).edit.poses.is_empty() && try_find(&stage, "pose-delete").is_none());
}

#[test]
fn fields_of_control_are_single_steps() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = keyed(folder.path(), false);
    press_id(&mut stage, "tab-method");
    press_id(&mut stage, "method");
    press_id(&mut stage, "method-control");
    assert_eq!(shot(&stage).edit.method, Method::Control);
    assert!(try_find(&stage, "add-flight").is_none() && try_find(&stage, "pose").is_some());
    let begin = steps(&stage);
    let own = |shot: &Shot| shot.edit.control_settings().unwrap();
    press_id(&mut stage, "per-key");
    press_id(&mut stage, "effort-auto");
    set(&mut stage, "effort", "0.5");
    press_id(&mut stage, "tangents");
    set(&mut stage, "samples", "4");
    set(&mut stage, "control-modes", "18");
    press_id(&mut stage, "basis-limited");
    press_id(&mut stage, "solver-settings");
    names::check(&stage, "control");
    press_id(&mut stage, "control-solver");
    press_id(&mut stage, "control-solver-cg");
    press_id(&mut stage, "guess");
    press_id(&mut stage, "guess-arcs");
    press_id(&mut stage, "windows");
    let now = own(shot(&stage));
    assert_eq!((now.time, now.effort), (FrameTime::PerKey, Effort::Of(0.5)));
    assert_eq!((now.basis.tangents, now.basis.samples, now.basis.modes), (false, 4, 18));
    assert_eq!((now.solver, now.guess), (ControlSolver::Cg, Guess::Arcs));
    assert_eq!((now.basis.size, now.keys_per_window, steps(&stage)), (Some(30), Some(2), begin + 10));
}

/// Control knows no handles: a pull at the body said nothing, and did nothing.
#[test]
fn a_pull_without_a_pose_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = keyed(folder.path(), false);
    press_id(&mut stage, "tab-method");
    press_id(&mut stage, "method");
    press_id(&mut stage, "method-control");
    let before = shot(&stage).clone();
    let at = place_of_top(&mut stage);
    drag_with(&mut stage, [at, at + vec2(40.0, 0.0)], PointerButton::Primary, Modifiers::NONE);
    assert!(says(stage.state(), "Choose Pose (Shift+P) and pull at the body"));
    assert_eq!(*shot(&stage), before);
}

#[test]
fn poses_are_for_methods_that_take_them_and_not_over_files() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = crate::studio::puppet::block(folder.path(), false);
    stage.key_press_modifiers(Modifiers::SHIFT, Key::P);
    stage.step();
    assert!(says(stage.state(), "Poses are for the methods Sparse keys and Control"));
    assert!(try_find(&stage, "pose").is_none() && stage.state().posing().is_none());
}
