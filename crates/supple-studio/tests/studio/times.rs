//! The timeline: the scene's own numbers, ranges, playing once, marks, the window; and what is stale.

use crate::studio::puppet::{FRAMES, STANDS, START, TOUCHES, block, block_on};
use crate::studio::stage::{
    Stage, click, ctrl, drag_with, find, key, place, press_id, says, shot, type_into, until,
};
use eframe::egui::{Event, Key, Modifiers, PointerButton, Pos2, pos2, vec2};
use egui_kittest::kittest::Queryable;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use supple_project::shot::{Site, When};
use supple_session::Timeline;

/// Where a frame, counted from 0, is on the timeline, so far below its top.
fn on_line(stage: &Stage, frame: usize, below: f32) -> Pos2 {
    let line = find(stage, "timeline").rect();
    let width = line.width() - 28.0;
    pos2(line.left() + 14.0 + width * frame as f32 / (FRAMES - 1) as f32, line.top() + below)
}

fn drag(stage: &mut Stage, from: Pos2, to: Pos2) {
    drag_with(stage, [from, to], PointerButton::Primary, Modifiers::NONE);
}

fn hold(stage: &mut Stage) {
    let rest = &stage.state().answer().stage.as_ref().unwrap().rest;
    let sum = |v: &usize| rest[*v].iter().sum::<f32>();
    let vertex = (0..rest.len()).max_by(|a, b| sum(a).total_cmp(&sum(b))).unwrap() as u32;
    let (at, count) = (place(stage, vertex), shot(stage).edit.handles.len());
    click(stage, at);
    until(stage, "a handle", |studio| studio.session().document.shot().edit.handles.len() == count + 1);
}

#[test]
fn frames_have_the_numbers_of_the_scene() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = block(folder.path(), false);
    assert_eq!(stage.state().frame(), 5, "the middle");
    assert_eq!(find(&stage, "frame").value().as_deref(), Some("Frame 106"));
    hold(&mut stage);
    assert_eq!(shot(&stage).edit.handles[0].when, When::Frame(START + 5));
    type_into(&mut stage, "frame", "109");
    key(&mut stage, Key::Enter);
    assert_eq!(stage.state().frame(), 8);
    type_into(&mut stage, "frame", "3");
    key(&mut stage, Key::Enter);
    assert_eq!(stage.state().frame(), 0, "what is outside is the nearest there is");
    stage.key_press_modifiers(Modifiers::SHIFT, Key::ArrowRight);
    stage.step();
    assert_eq!(stage.state().frame(), FRAMES - 1);
    assert!(stage.query_by_label("0.38 s of 0.38 s").is_some(), "and seconds");
    key(&mut stage, Key::ArrowDown);
    assert_eq!(stage.state().frame(), 5, "to the handle before");
}

#[test]
fn a_range_is_played_and_without_loop_it_stops_at_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = block(folder.path(), false);
    press_id(&mut stage, "play-range");
    for (field, number) in [("range-start", "103"), ("range-end", "105")] {
        type_into(&mut stage, field, number);
        key(&mut stage, Key::Enter);
    }
    let played = |stage: &mut Stage, steps: usize| {
        let mut frames = Vec::new();
        for _ in 0..steps {
            stage.step();
            frames.push(stage.state().playing_frame());
        }
        frames
    };
    key(&mut stage, Key::Space);
    let frames = played(&mut stage, 60);
    assert!(
        (2..=4).all(|frame| frames.contains(&frame)) && frames.iter().all(|frame| (2..=4).contains(frame))
    );
    assert!(frames.windows(2).any(|pair| pair == [4, 2]), "round and round: {frames:?}");
    press_id(&mut stage, "play-loop");
    played(&mut stage, 60);
    assert_eq!(stage.state().playing_frame(), 4, "it stays at the end");
    assert!(stage.query_by_label("Play").is_some(), "and has stopped");
    press_id(&mut stage, "play-range");
    press_id(&mut stage, "play");
    played(&mut stage, 60);
    assert_eq!(stage.state().playing_frame(), FRAMES - 1);
    key(&mut stage, Key::Space);
    assert!(played(&mut stage, 4).iter().all(|frame| *frame < 4), "from the begin again");
}

#[test]
fn marks_are_dragged_and_a_range_of_frames_by_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = block(folder.path(), false);
    hold(&mut stage);
    let when = |stage: &Stage| shot(stage).edit.handles[0].when.clone();
    let (from, to) = (on_line(&stage, 5, 40.0), on_line(&stage, 2, 40.0));
    drag(&mut stage, from, to);
    assert_eq!((when(&stage), stage.state().frame()), (When::Frame(START + 2), 2));
    type_into(&mut stage, "handle-last", "106");
    key(&mut stage, Key::Enter);
    assert_eq!(when(&stage), When::Frames(START + 2..=START + 5));
    let (from, to) = (on_line(&stage, 5, 40.0), on_line(&stage, 7, 40.0));
    drag(&mut stage, from, to);
    assert_eq!(when(&stage), When::Frames(START + 2..=START + 7), "the end alone");
    let (from, to) = (on_line(&stage, 2, 40.0), on_line(&stage, 9, 40.0));
    drag(&mut stage, from, to);
    assert_eq!(when(&stage), When::Frames(START + 4..=START + 9), "all of it, as far as it goes");
    for wanted in [START + 2..=START + 7, START + 2..=START + 5] {
        ctrl(&mut stage, Key::Z);
        assert_eq!(when(&stage), When::Frames(wanted), "each drag is a step");
    }
}

#[test]
fn the_window_of_the_edit_is_set_and_dragged() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = block(folder.path(), false);
    press_id(&mut stage, "tab-method");
    press_id(&mut stage, "window");
    assert_eq!(shot(&stage).edit.window, Some(START + 3..=START + 7), "around the frame that is edited");
    let (from, to) = (on_line(&stage, 7, 90.0), on_line(&stage, 9, 90.0));
    drag(&mut stage, from, to);
    assert_eq!(shot(&stage).edit.window, Some(START + 3..=START + 9));
    let (from, to) = (on_line(&stage, 9, 90.0), on_line(&stage, 1, 90.0));
    drag(&mut stage, from, to);
    assert_eq!(shot(&stage).edit.window, Some(START + 3..=START + 4), "it does not turn over");
    ctrl(&mut stage, Key::Z);
    assert_eq!(shot(&stage).edit.window, Some(START + 3..=START + 9));
}

#[test]
fn another_material_leaves_the_old_motion_marked_as_stale_until_the_new_one_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let waits = Arc::new(AtomicBool::new(false));
    let mut stage = block_on(folder.path(), false, 1.0, waits.clone());
    let is_stale = |stage: &Stage| stage.query_by_label_contains("Out of date").is_some();
    let touched = stage.state().answer().stage.as_ref().unwrap().contacts.at(*TOUCHES.start()).len();
    assert!(touched > 0 && !is_stale(&stage));
    let old = stage.state().answer().shown.clone().unwrap();
    waits.store(true, Ordering::Relaxed);
    press_id(&mut stage, "tab-body");
    type_into(&mut stage, "stiffness", "2e5");
    key(&mut stage, Key::Enter);
    until(&mut stage, "an opening", |studio| studio.answer().opening.is_some());
    stage.step();
    assert!(is_stale(&stage), "it says so");
    let shown = stage.state().answer().shown.clone().unwrap();
    assert_eq!(shown.points, old.points, "and shows what there was");
    waits.store(false, Ordering::Relaxed);
    until(&mut stage, "the new body", |studio| {
        studio.answer().is_current(studio.session().document.generation())
    });
    stage.step();
    assert!(!is_stale(&stage));
}

/// Feet slid wherever anything else was pulled, and nothing showed where they stand.
#[test]
fn plants_are_kept_by_a_switch_and_shown_on_the_timeline() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = block(folder.path(), false);
    let on = stage.state().answer().stage.clone().unwrap();
    let timeline = Timeline::of(shot(&stage), &on);
    assert_eq!(timeline.plants, [START + *STANDS.start() as i32..=START + *STANDS.end() as i32]);
    let keeps = |stage: &Stage| {
        let contacts = shot(stage).contacts.as_ref();
        contacts.and_then(|contacts| contacts.detect.as_ref()).is_some_and(|detect| detect.plants)
    };
    press_id(&mut stage, "tab-method");
    let before = stage.state().session().document.undo_steps().count();
    for wanted in [!keeps(&stage), keeps(&stage)] {
        press_id(&mut stage, "keep-plants");
        assert_eq!(keeps(&stage), wanted);
    }
    assert_eq!(stage.state().session().document.undo_steps().count(), before + 2, "each is a step");
}

/// What a view shows was said nowhere: two pictures of one body, and no word.
#[test]
fn views_say_what_they_show() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = block(folder.path(), false);
    crate::studio::stage::go_to(&mut stage, 7);
    assert!(crate::studio::stage::sees(&stage, "Edit · frame 108"));
    let played = START + stage.state().playing_frame() as i32;
    assert!(crate::studio::stage::sees(&stage, &format!("Result · frame {played}")));
}

/// Down and up between two frames of the window, as a quick finger does.
fn short_click(stage: &mut Stage, at: Pos2) {
    stage.hover_at(at);
    stage.step();
    for pressed in [true, false] {
        let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
        stage.event(Event::PointerButton { pos: at, button, pressed, modifiers });
    }
    stage.step();
    stage.step();
}

/// Clicks of less than a tenth of a second went down and up within one frame of the window, and were lost.
#[test]
fn short_clicks_are_heard() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = block(folder.path(), false);
    let at = on_line(&stage, 2, 8.0);
    short_click(&mut stage, at);
    assert_eq!(stage.state().frame(), 2, "on the timeline");
    let at = on_line(&stage, 7, 8.0);
    short_click(&mut stage, at);
    assert_eq!(stage.state().frame(), 7, "and again");
    let rest = &stage.state().answer().stage.as_ref().unwrap().rest;
    let sum = |v: &usize| rest[*v].iter().sum::<f32>();
    let vertex = (0..rest.len()).max_by(|a, b| sum(a).total_cmp(&sum(b))).unwrap() as u32;
    let at = place(&mut stage, vertex);
    short_click(&mut stage, at);
    until(&mut stage, "a handle", |studio| studio.session().document.shot().edit.handles.len() == 1);
}

/// Two handles on a frame drew one diamond, and dragging it moved the one that was not selected.
#[test]
fn handles_on_the_same_frame_have_lanes_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = block(folder.path(), false);
    for _ in 0..2 {
        press_id(&mut stage, "add-centre-of-mass");
    }
    let when = |stage: &Stage, index: usize| shot(stage).edit.handles[index].when.clone();
    assert_eq!((when(&stage, 0), when(&stage, 1)), (When::Frame(START + 5), When::Frame(START + 5)));
    let (from, to) = (on_line(&stage, 5, 52.0), on_line(&stage, 7, 52.0));
    drag(&mut stage, from, to);
    assert_eq!((when(&stage, 0), when(&stage, 1)), (When::Frame(START + 5), When::Frame(START + 7)));
    let (from, to) = (on_line(&stage, 5, 40.0), on_line(&stage, 2, 40.0));
    drag(&mut stage, from, to);
    assert_eq!((when(&stage, 0), when(&stage, 1)), (When::Frame(START + 2), When::Frame(START + 7)));
    // Lanes of many come close; the selected one is the one that moves.
    ctrl(&mut stage, Key::Z);
    ctrl(&mut stage, Key::Z);
    for _ in 0..14 {
        press_id(&mut stage, "add-centre-of-mass");
    }
    let last = shot(&stage).edit.handles.len() - 1;
    assert_eq!((last, stage.state().selected()), (15, Some(15)));
    let y = 40.0 + 15.0 * 48.0 / 16.0;
    let (from, to) = (on_line(&stage, 5, y - 3.0), on_line(&stage, 8, y));
    drag(&mut stage, from, to);
    let moved: Vec<usize> = (0..=last).filter(|k| when(&stage, *k) != When::Frame(START + 5)).collect();
    assert_eq!(moved, [15], "the selected one alone");
}

/// The tooltip of the timeline lay over the buttons that play.
#[test]
fn the_hint_of_the_timeline_leaves_the_transport_free() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = block(folder.path(), false);
    let at = on_line(&stage, 0, 8.0);
    stage.hover_at(at);
    for _ in 0..90 {
        stage.step();
    }
    let hint = stage.get_by_label_contains("drag to go to a frame").rect();
    for name in ["first-frame", "play", "last-frame", "play-loop", "frame"] {
        assert!(!find(&stage, name).rect().intersects(hint), "{name} is covered");
    }
}

/// Undo neither selected what it was about, nor went there, nor said what it undid.
#[test]
fn undo_says_what_it_undid_and_goes_there() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = block(folder.path(), false);
    hold(&mut stage);
    press_id(&mut stage, "add-centre-of-mass");
    let at = on_line(&stage, 9, 8.0);
    click(&mut stage, at);
    stage.key_press(Key::Delete);
    stage.step();
    assert_eq!((shot(&stage).edit.handles.len(), stage.state().selected()), (1, None));
    ctrl(&mut stage, Key::Z);
    assert_eq!((stage.state().selected(), stage.state().frame()), (Some(1), 5), "it is back, and seen");
    assert!(says(stage.state(), "Undone: Delete handle"));
    click(&mut stage, at);
    ctrl(&mut stage, Key::Z);
    assert_eq!((stage.state().selected(), stage.state().frame()), (None, 5), "where it was made");
    ctrl(&mut stage, Key::Y);
    assert_eq!(stage.state().selected(), Some(1));
    assert!(says(stage.state(), "Redone: Add handle"));
    assert_eq!(shot(&stage).edit.handles[1].site, Site::CenterOfMass);
}

/// *Delete* came to be where the button that makes a handle had been: a second click deleted the first one's handle.
#[test]
fn adding_stays_where_it_is_and_deleting_is_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = block(folder.path(), false);
    let button = find(&stage, "add-centre-of-mass").rect();
    for count in 1..=3 {
        click(&mut stage, button.center());
        stage.step();
        assert_eq!(shot(&stage).edit.handles.len(), count, "click {count}");
        assert_eq!(find(&stage, "add-centre-of-mass").rect(), button, "it stays");
        assert!(!find(&stage, "delete-handle").rect().intersects(button.expand2(vec2(0.0, 4.0))));
    }
}
