//! Segments on the timeline: added, split, deleted, made longer; keys in them.

use crate::studio::puppet::{FPS, FRAMES, START, keyed};
use crate::studio::stage::{
    Stage, click, ctrl, drag_with, find, go_to, key, place, press_id, says, set, shot, try_find, type_text,
    until,
};
use eframe::egui::{Key, Modifiers, PointerButton, Pos2, pos2, vec2};
use egui_kittest::kittest::NodeT;
use supple_project::shot::{Anchor, At, End, Flight, Goal, Land, Length, Segment, Site, When};
use supple_session::Timeline;

/// The middle of the lane of segments, and the lane of the first handle, below the top of the timeline.
const SEGMENTS: f32 = 34.0;
const KEYS: f32 = 62.0;

/// A block of ten frames that is one segment.
fn chain(folder: &std::path::Path) -> Stage {
    let mut stage = keyed(folder, false);
    press_id(&mut stage, "use-segments");
    stage
}

/// What is on the timeline, once it is solved.
fn timeline(stage: &mut Stage) -> Timeline {
    until(stage, "solved", |studio| studio.answer().is_current(studio.session().document.generation()));
    stage.step();
    Timeline::of(shot(stage), stage.state().answer().stage.as_ref().unwrap())
}

/// Where a time, in frames from the first, is on the timeline, so far below its top.
fn on_line(stage: &mut Stage, time: f64, below: f32) -> Pos2 {
    let part = timeline(stage).part(f64::from(START) + time) as f32;
    let line = find(stage, "timeline").rect();
    pos2(line.left() + 14.0 + (line.width() - 28.0) * part, line.top() + below)
}

fn drag(stage: &mut Stage, [from, to]: [f64; 2], below: f32) {
    let (from, to) = (on_line(stage, from, below), on_line(stage, to, below));
    drag_with(stage, [from, to], PointerButton::Primary, Modifiers::NONE);
}

fn lengths(stage: &Stage) -> Vec<Option<f64>> {
    let length = |segment: &Segment| match segment.length {
        Length::Frames(frames) => Some(frames),
        Length::Flight(_) => None,
    };
    shot(stage).edit.segments.iter().map(length).collect()
}

fn step(stage: &Stage) -> &str {
    stage.state().session().document.undo_steps().next().unwrap()
}

#[test]
fn a_motion_becomes_segments_with_its_keys_in_one_step() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = keyed(folder.path(), false);
    press_id(&mut stage, "add-centre-of-mass");
    let before = shot(&stage).clone();
    press_id(&mut stage, "use-segments");
    assert_eq!((lengths(&stage), step(&stage)), (vec![Some((FRAMES - 1) as f64)], "Use segments"));
    let edit = &shot(&stage).edit;
    assert_eq!((edit.handles.len(), &edit.segments[0].handles[0].when), (0, &When::At(At::Frames(5.0))));
    assert_eq!((shot(&stage).motion.frames, stage.state().selected_segment()), (None, Some(0)));
    ctrl(&mut stage, Key::Z);
    assert_eq!(*shot(&stage), before);
    press_id(&mut stage, "use-segments");
    press_id(&mut stage, "delete-segment");
    assert_eq!(*shot(&stage), before, "the only one leaves the motion as it was");
}

#[test]
fn segments_are_split_added_and_deleted_each_in_one_step() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = chain(folder.path());
    go_to(&mut stage, 4);
    press_id(&mut stage, "split-segment");
    assert_eq!((lengths(&stage), step(&stage)), (vec![Some(4.0), Some(5.0)], "Split segment"));
    assert_eq!(stage.state().selected_segment(), Some(1));
    let at = on_line(&mut stage, 2.0, SEGMENTS);
    click(&mut stage, at);
    assert_eq!((stage.state().selected_segment(), stage.state().frame()), (Some(0), 4), "a click selects it");
    press_id(&mut stage, "add-flight");
    assert_eq!((lengths(&stage), step(&stage)), (vec![Some(4.0), None, Some(5.0)], "Add flight"));
    assert_eq!(shot(&stage).edit.gravity, Some([0.0, -9.81, 0.0]));
    let found = timeline(&mut stage);
    assert_eq!((found.segments[1].times, found.clock.frames), ([105.0, 108.0], 13), "as it was found");
    go_to(&mut stage, 6);
    let before = shot(&stage).clone();
    press_id(&mut stage, "split-segment");
    assert!(says(stage.state(), "A flight cannot be split: it ends where it lands"));
    press_id(&mut stage, "add-flight");
    assert!(says(stage.state(), "A flight cannot follow a flight"));
    let at = on_line(&mut stage, 2.0, SEGMENTS);
    click(&mut stage, at);
    press_id(&mut stage, "delete-segment");
    assert!(says(stage.state(), "A flight cannot be the first segment"));
    assert_eq!(*shot(&stage), before, "none of that did anything");
    let at = on_line(&mut stage, 11.0, SEGMENTS);
    click(&mut stage, at);
    press_id(&mut stage, "add-segment");
    assert_eq!(lengths(&stage), [Some(4.0), None, Some(5.0), Some(FPS)]);
    press_id(&mut stage, "delete-segment");
    assert_eq!((lengths(&stage).len(), step(&stage)), (3, "Delete segment"));
    assert_eq!(stage.state().selected_segment(), None);
    for wanted in [4, 3, 2, 1] {
        ctrl(&mut stage, Key::Z);
        assert_eq!(lengths(&stage).len(), wanted, "each is a step");
    }
}

#[test]
fn the_end_of_a_segment_is_dragged_and_its_keys_stay_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = chain(folder.path());
    go_to(&mut stage, 4);
    press_id(&mut stage, "split-segment");
    drag(&mut stage, [4.0, 6.0], SEGMENTS);
    assert_eq!((lengths(&stage), step(&stage)), (vec![Some(6.0), Some(5.0)], "Resize segment"));
    assert_eq!(timeline(&mut stage).clock.frames, 12, "those behind it move on");
    drag(&mut stage, [11.0, 12.0], SEGMENTS);
    assert_eq!(lengths(&stage), [Some(6.0), Some(6.0)], "there is room behind the last");
    go_to(&mut stage, 3);
    press_id(&mut stage, "tab-handles");
    press_id(&mut stage, "add-centre-of-mass");
    drag(&mut stage, [6.0, 1.0], SEGMENTS);
    assert_eq!(lengths(&stage), [Some(3.0), Some(6.0)], "no shorter than its key");
    ctrl(&mut stage, Key::Z);
    assert_eq!(lengths(&stage), [Some(6.0), Some(6.0)]);
}

#[test]
fn a_handle_goes_into_the_segment_of_its_frame() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = chain(folder.path());
    go_to(&mut stage, 4);
    press_id(&mut stage, "split-segment");
    press_id(&mut stage, "tab-handles");
    let rest = &stage.state().answer().stage.as_ref().unwrap().rest;
    let sum = |v: &usize| rest[*v].iter().sum::<f32>();
    let corner = (0..rest.len()).max_by(|a, b| sum(a).total_cmp(&sum(b))).unwrap() as u32;
    for (frame, segment, at) in [(7, 1, At::Frames(3.0)), (4, 0, At::End), (2, 0, At::Frames(2.0))] {
        go_to(&mut stage, frame);
        let place = place(&mut stage, corner);
        click(&mut stage, place);
        until(&mut stage, "a handle", |studio| {
            let edit = &studio.session().document.shot().edit;
            let index = studio.selected().unwrap_or(usize::MAX);
            edit.segment_of(index) == Some(segment) && edit.handle(index).unwrap().when == When::At(at)
        });
    }
    assert_eq!(shot(&stage).edit.handle_count(), 3);
    // The same place again takes the handle that is there.
    go_to(&mut stage, 7);
    let at = place(&mut stage, corner);
    click(&mut stage, at);
    stage.run_steps(4);
    assert_eq!((shot(&stage).edit.handle_count(), stage.state().selected()), (3, Some(2)));
    key(&mut stage, Key::G);
    type_text(&mut stage, ".25");
    key(&mut stage, Key::Enter);
    assert_eq!(shot(&stage).edit.segments[1].handles[0].goal, Goal::By([0.25, 0.0, 0.0]));
    key(&mut stage, Key::Delete);
    assert!(shot(&stage).edit.segments[1].handles.is_empty());
    ctrl(&mut stage, Key::Z);
    assert_eq!((stage.state().selected(), stage.state().frame()), (Some(2), 7), "it is back, and seen");
}

#[test]
fn keys_are_dragged_inside_their_segment() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = chain(folder.path());
    go_to(&mut stage, 4);
    press_id(&mut stage, "split-segment");
    press_id(&mut stage, "tab-handles");
    go_to(&mut stage, 6);
    press_id(&mut stage, "add-centre-of-mass");
    let when = |stage: &Stage| shot(stage).edit.handle(0).unwrap().when.clone();
    assert_eq!(when(&stage), When::At(At::Frames(2.0)));
    drag(&mut stage, [6.0, 8.0], KEYS);
    assert_eq!((when(&stage), stage.state().frame()), (When::At(At::Frames(4.0)), 8));
    drag(&mut stage, [8.0, 9.4], KEYS);
    assert_eq!(when(&stage), When::At(At::End), "the end is the end, however long it is");
    drag(&mut stage, [9.0, 1.0], KEYS);
    assert_eq!(when(&stage), When::At(At::Frames(0.0)), "no farther than it goes");
    assert_eq!(shot(&stage).edit.segment_of(0), Some(1));
    press_id(&mut stage, "handle-at-end");
    assert_eq!(when(&stage), When::At(At::End));
    press_id(&mut stage, "handle-at-end");
    set(&mut stage, "handle-at", "1.5");
    assert_eq!(when(&stage), When::At(At::Frames(1.5)), "between frames, too");
    assert_eq!(timeline(&mut stage).handles[0].times, [106.5; 2]);
}

#[test]
fn the_fields_of_a_segment_are_single_steps() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = chain(folder.path());
    go_to(&mut stage, 4);
    press_id(&mut stage, "split-segment");
    let steps = |stage: &Stage| stage.state().session().document.undo_steps().count();
    let begin = steps(&stage);
    let segment = |stage: &Stage| shot(stage).edit.segments[1].clone();
    set(&mut stage, "segment-length", "7.5");
    press_id(&mut stage, "segment-anchors");
    press_id(&mut stage, "anchors-top");
    press_id(&mut stage, "segment-end");
    press_id(&mut stage, "end-free");
    press_id(&mut stage, "segment-own-modes");
    set(&mut stage, "segment-modes", "12");
    let now = segment(&stage);
    assert_eq!((now.length, now.end, now.modes), (Length::Frames(7.5), Some(End::Free), Some(12)));
    assert_eq!((now.anchors, steps(&stage)), (Some(vec![Anchor::Group("top".into())]), begin + 5));
    set(&mut stage, "segment-length", "0");
    assert_eq!(segment(&stage).length, Length::Frames(7.5), "not taken");
    press_id(&mut stage, "revert");
    press_id(&mut stage, "segment-flight");
    let now = segment(&stage);
    assert_eq!((now.length, now.anchors, now.end), (Length::Flight(Flight::default()), None, None));
    press_id(&mut stage, "land-at-rest");
    set(&mut stage, "landing-height", "0.4");
    let low = Flight { land: Land::Height(0.4) };
    assert_eq!((segment(&stage).length, steps(&stage)), (Length::Flight(low), begin + 8));
    assert!(find(&stage, "gravity").accesskit_node().is_disabled(), "nothing flies without");
    timeline(&mut stage);
    press_id(&mut stage, "segment-ground");
    assert_eq!(segment(&stage).length, Length::Frames(3.0), "as long as it flew");
    let at = on_line(&mut stage, 1.0, SEGMENTS);
    click(&mut stage, at);
    press_id(&mut stage, "segment-flight");
    assert!(says(stage.state(), "A flight cannot be the first segment"));
    assert!(try_find(&stage, "land-at-rest").is_none());
}

#[test]
fn velocities_of_keys_are_arrows_that_can_be_dragged() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = chain(folder.path());
    go_to(&mut stage, 4);
    press_id(&mut stage, "split-segment");
    press_id(&mut stage, "tab-handles");
    press_id(&mut stage, "add-centre-of-mass");
    assert_eq!(shot(&stage).edit.handle(0).unwrap().when, When::At(At::End));
    press_id(&mut stage, "constraint");
    press_id(&mut stage, "goal-velocity");
    key(&mut stage, Key::G);
    key(&mut stage, Key::Y);
    type_text(&mut stage, "2");
    key(&mut stage, Key::Enter);
    let velocity = |stage: &Stage| match shot(stage).edit.handle(0).unwrap().goal {
        Goal::Velocity(velocity) => velocity,
        ref other => panic!("{other:?}"),
    };
    assert_eq!(velocity(&stage), [0.0, 2.0, 0.0]);
    timeline(&mut stage);
    key(&mut stage, Key::Num1);
    let view = crate::studio::stage::edit_view(&stage);
    let shown = stage.state().answer().shown.clone().unwrap();
    let centre = supple_session::Places::place(&shown.points, &Site::CenterOfMass, &shown.stage).unwrap();
    let tip = [centre[0], centre[1] + 2.0 * 4.0 / FPS, centre[2]];
    let tip = stage.state().point_on_screen(tip, view).unwrap();
    click(&mut stage, view.left_bottom() + vec2(20.0, -60.0));
    assert_eq!(stage.state().selected(), None);
    drag_with(&mut stage, [tip, tip + vec2(40.0, 0.0)], PointerButton::Primary, Modifiers::NONE);
    let [x, y, z] = velocity(&stage);
    assert!(x > 0.5 && (y - 2.0).abs() < 1e-3 && z.abs() < 1e-3, "along the screen: {x} {y} {z}");
}
