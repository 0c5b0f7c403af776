//! Characters in the window: joints are planted, plants found and dragged on the timeline, layers made; each one step.

use crate::studio::names;
use crate::studio::stage::{
    Stage, click, ctrl, drag, drag_with, find, go_to, key, lift, move_to, place, press, press_id, says,
    settle, shot, studio, try_find, type_text, until,
};
use eframe::egui::{Key, Modifiers, PointerButton, Pos2, pos2, vec2};
use egui_kittest::kittest::Queryable;
use std::path::Path;
use std::sync::Arc;
use supple_model::Progress;
use supple_project::method::{Method, RealNumerics};
use supple_project::shot::{Goal, Handle, Move, Shot, Site, When};
use supple_project::{CharacterMethod, Sample};
use supple_session::{Document, Home, Places, Timeline};

/// The middle of the first lane of handles, below the top of the timeline, and how far lanes are apart at most.
const FIRST: f32 = 40.0;
const APART: f32 = 12.0;

/// A planar walk without handles, or with others, at rest in the right view.
fn walk_with(folder: &Path, change: impl FnOnce(&mut Shot)) -> Stage {
    let home = Home::in_folder(folder);
    let mut document = Document::sample(Sample::named("walk-2d").unwrap(), &home).unwrap();
    document.change("begin without handles", |shot| {
        shot.edit.handles.clear();
        change(shot);
    });
    let mut stage = studio(document, &home, Arc::<RealNumerics>::default(), false);
    settle(&mut stage);
    key(&mut stage, Key::Space);
    stage
}

fn walk(folder: &Path) -> Stage {
    walk_with(folder, |_| {})
}

fn stays(joint: &str, frames: std::ops::RangeInclusive<i32>) -> Handle {
    Handle::new(When::Frames(frames), Site::joint(joint), Goal::Stay { at: None })
}

/// Where a joint is in the left view.
fn at(stage: &mut Stage, joint: &str) -> Pos2 {
    let point = stage.state().answer().stage.as_ref().unwrap().point_of(joint).unwrap();
    place(stage, u32::try_from(point).unwrap())
}

fn steps(stage: &Stage) -> Vec<String> {
    stage.state().session().document.undo_steps().map(str::to_owned).collect()
}

fn last(stage: &Stage) -> &Handle {
    shot(stage).edit.handles.last().unwrap()
}

/// Where a frame is in a lane of the timeline.
fn on_lane(stage: &Stage, number: i32, lane: usize) -> Pos2 {
    let timeline = Timeline::of(shot(stage), stage.state().answer().stage.as_ref().unwrap());
    let line = find(stage, "timeline").rect();
    let apart = APART.min(48.0 / timeline.lanes as f32);
    let x = line.left() + 14.0 + (line.width() - 28.0) * timeline.part(number) as f32;
    pos2(x, line.top() + FIRST + apart * lane as f32)
}

#[test]
fn a_joint_that_is_clicked_is_planted_by_a_key_in_one_step() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = walk(folder.path());
    go_to(&mut stage, 40);
    key(&mut stage, Key::P);
    assert!(says(stage.state(), "Click a joint"), "nothing is picked");
    let joint = at(&mut stage, "LeftFoot_end");
    click(&mut stage, joint);
    until(&mut stage, "a handle", |studio| studio.session().document.shot().edit.handles.len() == 1);
    let before = steps(&stage).len();
    key(&mut stage, Key::P);
    // Half a second around frame 41, at 30 frames a second.
    assert_eq!(*last(&stage), stays("LeftFoot_end", 33..=49));
    assert_eq!((steps(&stage).len(), steps(&stage)[0].as_str()), (before + 1, "Plant"));
    assert!(says(stage.state(), "1 joint planted, frames 33 to 49"));
    settle(&mut stage);
    key(&mut stage, Key::P);
    assert!(says(stage.state(), "planted here already"));
    ctrl(&mut stage, Key::Z);
    assert_eq!(last(&stage).when, When::Frame(41));
    ctrl(&mut stage, Key::Z);
    assert!(shot(&stage).edit.handles.is_empty());
}

/// Under the mouse it is planted without being clicked; what was pulled stays where it was pulled to.
#[test]
fn a_joint_under_the_mouse_is_planted_and_a_pulled_one_where_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = walk(folder.path());
    go_to(&mut stage, 20);
    let head = at(&mut stage, "Head");
    stage.hover_at(head);
    stage.run_steps(3);
    key(&mut stage, Key::P);
    assert_eq!(*last(&stage), stays("Head", 13..=29));
    ctrl(&mut stage, Key::Z);
    settle(&mut stage);
    let head = at(&mut stage, "Head");
    press(&mut stage, head, PointerButton::Primary, Modifiers::NONE);
    move_to(&mut stage, head + vec2(0.0, 10.0));
    until(&mut stage, "a handle in the hand", |studio| studio.session().document.in_gesture());
    move_to(&mut stage, head + vec2(0.0, 25.0));
    lift(&mut stage, head + vec2(0.0, 25.0), PointerButton::Primary, Modifiers::NONE);
    settle(&mut stage);
    assert!(matches!(last(&stage).goal, Goal::By(_)), "{:?}", last(&stage));
    key(&mut stage, Key::P);
    let Goal::Stay { at: Some(Move::To(to)) } = last(&stage).goal else { panic!("{:?}", last(&stage)) };
    let shown = stage.state().answer().shown.clone().unwrap();
    let point = shown.stage.point_of("Head").unwrap();
    let drawn = shown.points.drawn[point].map(f64::from);
    assert!((0..3).all(|c| (to[c] - drawn[c]).abs() < 1e-6), "{to:?} {drawn:?}");
}

#[test]
fn plants_are_found_beside_the_window_and_added_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = walk(folder.path());
    let before = steps(&stage).len();
    press_id(&mut stage, "find-plants");
    until(&mut stage, "plants", |studio| !studio.session().document.shot().edit.handles.is_empty());
    let found = shot(&stage).edit.handles.clone();
    assert!(found.len() >= 4 && found.iter().all(|handle| matches!(handle.goal, Goal::Stay { at: None })));
    assert_eq!((steps(&stage).len(), steps(&stage)[0].as_str()), (before + 1, "Find plants"));
    until(&mut stage, "a notice", |studio| says(studio, &format!("{} plants found", found.len())));
    press_id(&mut stage, "find-plants");
    until(&mut stage, "a notice", |studio| says(studio, "All plants are held already"));
    assert_eq!(shot(&stage).edit.handles, found);
    // Those of one point that follow each other share a lane.
    let timeline = Timeline::of(shot(&stage), stage.state().answer().stage.as_ref().unwrap());
    let sites: Vec<&Site> = found.iter().map(|handle| &handle.site).collect();
    let different = sites.iter().enumerate().filter(|(k, site)| !sites[..*k].contains(site)).count();
    assert_eq!(timeline.lanes, different);
    settle(&mut stage);
    let report = stage.state().answer().report.clone().unwrap();
    assert_eq!(report.report.status, supple_model::Status::Settled);
    ctrl(&mut stage, Key::Z);
    assert!(shot(&stage).edit.handles.is_empty());
}

#[test]
fn both_ends_of_a_plant_and_all_of_it_are_dragged_on_the_timeline() {
    let folder = tempfile::tempdir().unwrap();
    let plants =
        [stays("LeftFoot_end", 20..=40), stays("LeftFoot_end", 50..=60), stays("RightFoot_end", 10..=30)];
    let mut stage = walk_with(folder.path(), |shot| shot.edit.handles.extend(plants));
    let middle = on_lane(&stage, 32, 0);
    click(&mut stage, middle);
    assert_eq!((stage.state().selected(), stage.state().frame()), (Some(0), 31), "a click goes there");
    let mut drag = |[from, to]: [i32; 2], lane: usize| {
        let ends = [on_lane(&stage, from, lane), on_lane(&stage, to, lane)];
        drag_with(&mut stage, ends, PointerButton::Primary, Modifiers::NONE);
        let ranges = shot(&stage).edit.handles.iter().map(|handle| handle.when.range()).collect::<Vec<_>>();
        (ranges, steps(&stage)[0].clone(), stage.state().selected())
    };
    let retimed = || "Retime handle".to_owned();
    assert_eq!(drag([20, 25], 0), (vec![25..=40, 50..=60, 10..=30], retimed(), Some(0)), "its first frame");
    assert_eq!(drag([40, 36], 0), (vec![25..=36, 50..=60, 10..=30], retimed(), Some(0)), "its last frame");
    assert_eq!(drag([55, 58], 0), (vec![25..=36, 53..=63, 10..=30], retimed(), Some(1)), "all of it");
    assert_eq!(
        drag([30, 4], 1),
        (vec![25..=36, 53..=63, 10..=11], retimed(), Some(2)),
        "two frames at least"
    );
    let count = steps(&stage).len();
    for _ in 0..4 {
        ctrl(&mut stage, Key::Z);
    }
    assert_eq!((steps(&stage).len(), shot(&stage).edit.handles[0].when.range()), (count - 4, 20..=40));
}

/// A heel is a point of the foot and not its joint: its mark was drawn at the ankle, and the centre of mass in the middle of all
/// points of bones.
#[test]
fn a_point_of_a_bone_is_shown_where_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let point = |name: &str, offset| Site::Joint { name: name.into(), offset };
    let sites = [
        point("LeftFoot", [-0.05, -0.08, 0.02]),
        point("LeftFoot_end", [0.01, 0.0, 0.03]),
        Site::CenterOfMass,
    ];
    // What asks for nothing changes nothing.
    let handle = |site: Site| Handle::new(When::Frames(20..=40), site, Goal::By([0.0; 3]));
    let mut stage = walk_with(folder.path(), |shot| shot.edit.handles.extend(sites.clone().map(handle)));
    go_to(&mut stage, 30);
    let method = CharacterMethod::open(shot(&stage), &Progress::silent()).unwrap();
    let picture = stage.state().answer().shown.clone().unwrap();
    let marks = method.marks(30);
    assert_eq!(marks.len(), 3);
    for (mark, site) in marks.iter().zip(&sites) {
        let shown = picture.points.place(site, &picture.stage).unwrap();
        assert!((0..3).all(|c| (shown[c] - mark.at[c]).abs() < 1e-5), "{site:?}: {shown:?} {:?}", mark.at);
    }
}

#[test]
fn handles_of_near_frames_are_marked_where_they_act() {
    let folder = tempfile::tempdir().unwrap();
    let plants = [stays("LeftFoot_end", 20..=40), stays("RightFoot_end", 30..=60)];
    let mut stage = walk_with(folder.path(), |shot| shot.edit.handles.extend(plants));
    let marks = |stage: &mut Stage, frame: usize| {
        go_to(stage, frame);
        settle(stage);
        stage.state().answer().shown.as_ref().unwrap().near.clone()
    };
    // The scene's numbers begin with 1.
    let found = marks(&mut stage, 44);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].handle, found[0].away, found[0].stays), (0, 5, true));
    go_to(&mut stage, 39);
    let shown = stage.state().answer().shown.clone().unwrap();
    let drawn = shown.points.drawn[shown.stage.point_of("LeftFoot_end").unwrap()];
    assert!((0..3).all(|c| (drawn[c] - found[0].at[c]).abs() < 1e-5));
    assert_eq!(marks(&mut stage, 70).len(), 1, "half a second is near");
    assert!(marks(&mut stage, 80).is_empty());
}

#[test]
fn a_floating_plant_is_dragged_from_where_it_is_and_a_click_leaves_it_floating() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = walk_with(folder.path(), |shot| shot.edit.handles.push(stays("LeftFoot_end", 29..=42)));
    // From the front: a planar figure goes nowhere else.
    key(&mut stage, Key::Num1);
    go_to(&mut stage, 35);
    settle(&mut stage);
    let foot = at(&mut stage, "LeftFoot_end");
    let before = steps(&stage).len();
    click(&mut stage, foot);
    assert_eq!((last(&stage).goal.clone(), steps(&stage).len()), (Goal::Stay { at: None }, before));
    drag(&mut stage, foot, &[foot + vec2(0.0, -6.0), foot + vec2(0.0, -20.0)]);
    let Goal::Stay { at: Some(Move::To(to)) } = last(&stage).goal else { panic!("{:?}", last(&stage)) };
    assert_eq!((steps(&stage).len(), steps(&stage)[0].as_str()), (before + 1, "Drag handle"));
    settle(&mut stage);
    for frame in [28, 35, 41] {
        go_to(&mut stage, frame);
        let shown = stage.state().answer().shown.clone().unwrap();
        let drawn = shown.points.drawn[shown.stage.point_of("LeftFoot_end").unwrap()].map(f64::from);
        assert!((0..3).all(|c| (to[c] - drawn[c]).abs() < 1e-5), "frame {frame}: {to:?} {drawn:?}");
    }
}

/// Two hands carry a treasure: one was moved, and it tore.
#[test]
fn handles_on_one_thing_are_moved_as_one() {
    let folder = tempfile::tempdir().unwrap();
    let on = |joint: &str, prop: Option<&str>| Handle {
        prop: prop.map(str::to_owned),
        ..Handle::new(When::Frame(41), Site::joint(joint), Goal::By([0.0; 3]))
    };
    let handles = [on("LeftForeArm_end", Some("box")), on("RightForeArm_end", Some("box")), on("Head", None)];
    let mut stage = walk_with(folder.path(), |shot| shot.edit.handles.extend(handles));
    go_to(&mut stage, 40);
    settle(&mut stage);
    let (before, hand) = (steps(&stage).len(), at(&mut stage, "LeftForeArm_end"));
    drag(&mut stage, hand, &[hand + vec2(0.0, -6.0), hand + vec2(4.0, -20.0)]);
    let goals: Vec<&Goal> = shot(&stage).edit.handles.iter().map(|handle| &handle.goal).collect();
    assert!(
        goals[0] == goals[1] && *goals[0] != Goal::By([0.0; 3]) && *goals[2] == Goal::By([0.0; 3]),
        "{goals:?}"
    );
    assert_eq!(steps(&stage).len(), before + 1);
}

#[test]
fn layers_are_made_named_smoothed_and_chosen_each_in_one_step() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = walk_with(folder.path(), |shot| {
        let hand = Handle::new(When::Frame(40), Site::joint("LeftForeArm_end"), Goal::By([0.1, 0.1, 0.0]));
        shot.edit.handles.push(hand);
    });
    press_id(&mut stage, "tab-method");
    let begin = steps(&stage).len();
    press_id(&mut stage, "add-layer");
    assert_eq!(steps(&stage)[0], "Add layer");
    find(&stage, "layer-0-name").focus();
    stage.run_steps(2);
    stage.key_press_modifiers(Modifiers::COMMAND, Key::A);
    stage.step();
    type_text(&mut stage, "arms");
    stage.key_press(Key::Enter);
    stage.run_steps(3);
    assert_eq!(
        (shot(&stage).edit.layers[0].name.as_str(), steps(&stage)[0].as_str()),
        ("arms", "Rename layer")
    );
    press_id(&mut stage, "layer-0-smooths");
    assert_eq!(shot(&stage).edit.layers[0].smoothing, Some(0.2));
    press_id(&mut stage, "layer-0-own-keys");
    let keys = |stage: &Stage| (shot(stage).edit.layers[0].keys, shot(stage).edit.layers[0].key_seconds);
    assert_eq!(keys(&stage), (Some(12), None), "as the edit has them");
    press_id(&mut stage, "layer-0-counts-keys");
    assert_eq!(keys(&stage), (None, Some(0.2)));
    press_id(&mut stage, "add-layer");
    names::check(&stage, "layers");
    press_id(&mut stage, "layer-1-delete");
    assert_eq!(steps(&stage).len(), begin + 7);
    press_id(&mut stage, "tab-handles");
    stage.get_by_label_contains("joint LeftForeArm_end").click();
    stage.run_steps(3);
    press_id(&mut stage, "handle-layer");
    press_id(&mut stage, "handle-layer-1");
    assert_eq!((last(&stage).layer.as_deref(), steps(&stage)[0].as_str()), (Some("arms"), "Choose layer"));
    names::check(&stage, "a handle with a layer");
    press_id(&mut stage, "tab-method");
    press_id(&mut stage, "layer-0-window");
    let window = shot(&stage).edit.layers[0].window.clone().unwrap();
    assert!(window.contains(&40), "it holds its handle: {window:?}");
    settle(&mut stage);
    press_id(&mut stage, "layer-0-muted");
    assert_eq!(shot(&stage).edit.layers[0].muted, Some(true));
    press_id(&mut stage, "layer-0-delete");
    assert_eq!((shot(&stage).edit.layers.len(), &last(&stage).layer), (0, &None));
    assert!(try_find(&stage, "layer-0-name").is_none());
    ctrl(&mut stage, Key::Z);
    assert_eq!(last(&stage).layer.as_deref(), Some("arms"));
    assert_eq!(steps(&stage).len(), begin + 10);
}

#[test]
fn curves_and_keys_of_the_edit_are_single_steps() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = walk(folder.path());
    press_id(&mut stage, "tab-method");
    let begin = steps(&stage).len();
    press_id(&mut stage, "curve");
    press_id(&mut stage, "curve-linear");
    let settings = |stage: &Stage| shot(stage).edit.character_settings().unwrap();
    assert_eq!(settings(&stage).curve, supple_project::shot::Curve::Linear);
    assert_eq!(settings(&stage).keys, Some(12), "as the sample has it");
    press_id(&mut stage, "counts-keys");
    assert_eq!((settings(&stage).keys, settings(&stage).key_seconds), (None, None), "the default");
    assert_eq!(steps(&stage).len(), begin + 2);
    names::check(&stage, "a character");
}
