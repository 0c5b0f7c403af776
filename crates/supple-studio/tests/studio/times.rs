//! The timeline: the scene's own numbers, ranges, playing once, marks, the window; and what is stale.

use crate::puppet::{FRAMES, START, TOUCHES, block, block_on};
use crate::stage::{Stage, choose, click, ctrl, drag_with, key, place, shot, type_into, until};
use eframe::egui::{Key, Modifiers, PointerButton, Pos2, pos2};
use egui_kittest::kittest::Queryable;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use supple_project::shot::When;

/// Where a frame, counted from 0, is on the timeline, so far below its top.
fn on_line(stage: &Stage, frame: usize, below: f32) -> Pos2 {
    let line = stage.get_by_label("Timeline").rect();
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
    assert_eq!(stage.get_by_label("Frame").value().as_deref(), Some("Frame 106"));
    hold(&mut stage);
    assert_eq!(shot(&stage).edit.handles[0].when, When::Frame(START + 5));
    type_into(&mut stage, "Frame", "109");
    key(&mut stage, Key::Enter);
    assert_eq!(stage.state().frame(), 8);
    type_into(&mut stage, "Frame", "3");
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
    choose(&mut stage, "Range");
    for (field, number) in [("Range start", "103"), ("Range end", "105")] {
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
    choose(&mut stage, "Loop");
    played(&mut stage, 60);
    assert_eq!(stage.state().playing_frame(), 4, "it stays at the end");
    assert!(stage.query_by_label("Play").is_some(), "and has stopped");
    choose(&mut stage, "Range");
    choose(&mut stage, "Play");
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
    type_into(&mut stage, "Last frame of handle", "106");
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
    choose(&mut stage, "Method");
    choose(&mut stage, "Only some frames may change");
    assert_eq!(shot(&stage).edit.window, Some(START..=START + 9));
    let (from, to) = (on_line(&stage, 0, 55.0), on_line(&stage, 3, 55.0));
    drag(&mut stage, from, to);
    assert_eq!(shot(&stage).edit.window, Some(START + 3..=START + 9));
    let (from, to) = (on_line(&stage, 9, 55.0), on_line(&stage, 1, 55.0));
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
    let is_stale = |stage: &Stage| stage.query_by_label_contains("Stale").is_some();
    let touched = stage.state().answer().stage.as_ref().unwrap().contacts.at(*TOUCHES.start()).len();
    assert!(touched > 0 && !is_stale(&stage));
    let old = stage.state().answer().shown.clone().unwrap();
    waits.store(true, Ordering::Relaxed);
    choose(&mut stage, "Body");
    type_into(&mut stage, "Stiffness", "2e5");
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
