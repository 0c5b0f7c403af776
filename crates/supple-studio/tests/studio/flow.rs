//! The whole way: a sample is opened, a point pulled, undone, saved, opened again.

use crate::studio::stage::{
    click, ctrl, drag, edit_view, go_to, motion, press_id, sample, settle, shot, type_into, until,
};
use eframe::egui::{Key, Modifiers, Pos2, vec2};
use supple_project::shot::{Goal, Site};

/// The frames that are compared: what is edited, and a little more.
const FRAMES: usize = 68;

/// Where a vertex of the right wing is on the screen, and which.
fn tip(stage: &crate::studio::stage::Stage) -> (u32, Pos2) {
    let rest = &stage.state().answer().stage.as_ref().unwrap().rest;
    let vertex = (0..rest.len()).max_by(|a, b| rest[*a][2].total_cmp(&rest[*b][2])).unwrap() as u32;
    let rect = edit_view(stage);
    (vertex, stage.state().place_on_screen(vertex, rect).unwrap())
}

#[test]
fn a_point_is_pulled_at_frame_60_undone_saved_and_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = sample("bird", folder.path(), false);
    settle(&mut stage);
    stage.key_press(Key::Space);
    let handles = shot(&stage).edit.handles.len();
    go_to(&mut stage, 60);
    let before = motion(&mut stage, FRAMES);
    let (_, at) = tip(&stage);
    click(&mut stage, at);
    until(&mut stage, "a handle", |studio| {
        studio.session().document.shot().edit.handles.len() == handles + 1
    });
    let made = shot(&stage).edit.handles[handles].clone();
    assert!(matches!(made.site, Site::Vertex(_)) && matches!(made.goal, Goal::By(_)));
    assert_eq!(*made.when.range().start(), 61, "the scene counts from 1");
    let held = motion(&mut stage, FRAMES);
    let size = stage.state().answer().stage.as_ref().unwrap().size as f32;
    let far = |a: &[Vec<[f32; 3]>], b: &[Vec<[f32; 3]>]| {
        let pairs = a.iter().flatten().zip(b.iter().flatten());
        pairs.flat_map(|(p, q)| (0..3).map(move |c| (p[c] - q[c]).abs())).fold(0.0, f32::max)
    };
    assert!(
        far(&held, &before) < 1e-5 * size,
        "holding what is there changes nothing: {}",
        far(&held, &before)
    );
    let steps: Vec<Pos2> = (1..=6).map(|k| at + vec2(2.0, -9.0) * k as f32).collect();
    drag(&mut stage, at, &steps);
    let names: Vec<&str> = stage.state().session().document.undo_steps().collect();
    assert_eq!(names, ["Drag handle", "Add handle"], "one drag is one step");
    let pulled = motion(&mut stage, FRAMES);
    let is_moved = |frame: usize| pulled[frame] != held[frame];
    assert!((1..pulled.len()).all(is_moved), "they change from the first on");
    assert!(far(&pulled[60..61], &held[60..61]) > 0.02 * size);
    ctrl(&mut stage, Key::Z);
    assert!(motion(&mut stage, FRAMES) == held, "undone to the last bit");
    ctrl(&mut stage, Key::Z);
    assert!(motion(&mut stage, FRAMES) == before, "Whole body");
    for _ in 0..2 {
        stage.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
        stage.step();
    }
    assert!(motion(&mut stage, FRAMES) == pulled, "and forth again");
    let file = folder.path().join("film.toml");
    ctrl(&mut stage, Key::S);
    type_into(&mut stage, "file-path", &file.display().to_string());
    press_id(&mut stage, "file-go");
    until(&mut stage, "saved", |studio| !studio.session().document.is_changed());
    assert_eq!(stage.state().session().document.title(), "film.toml");
    let saved = shot(&stage).clone();
    ctrl(&mut stage, Key::O);
    type_into(&mut stage, "file-path", &file.display().to_string());
    press_id(&mut stage, "file-go");
    assert_eq!(*shot(&stage), saved);
    assert_eq!(stage.state().session().document.undo_steps().count(), 0, "a document of its own");
    assert!(motion(&mut stage, FRAMES) == pulled, "the same to the last bit");
}

#[test]
fn a_point_is_pulled_straight_away_and_let_go_of() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = sample("bird", folder.path(), false);
    settle(&mut stage);
    stage.key_press(Key::Space);
    let (handles, before) = (shot(&stage).edit.handles.len(), shot(&stage).clone());
    go_to(&mut stage, 30);
    let (_, at) = tip(&stage);
    stage.hover_at(at);
    stage.drag_at(at);
    stage.step();
    for k in 1..=4 {
        stage.hover_at(at + vec2(0.0, -8.0) * k as f32);
        stage.step();
    }
    until(&mut stage, "a handle in the hand", |studio| {
        studio.session().document.in_gesture()
            && studio.session().document.shot().edit.handles.len() == handles + 1
    });
    stage.hover_at(at + vec2(0.0, -40.0));
    stage.step();
    until(&mut stage, "an answer", |studio| {
        let generation = studio.session().document.generation();
        studio.answer().step.is_some_and(|step| step.generation == generation && step.error < 1e-3)
    });
    stage.key_press(Key::Escape);
    stage.step();
    assert_eq!(*shot(&stage), before, "as if it had never begun");
    stage.drop_at(at);
    stage.step();
    assert_eq!(stage.state().session().document.undo_steps().count(), 0);
    pull_a_group(&mut stage);
}

/// A group can be taken where a skin is all that moves: it is what rides on it.
fn pull_a_group(stage: &mut crate::studio::stage::Stage) {
    let opened = stage.state().answer().stage.clone().unwrap();
    let body = opened.body.as_ref().unwrap();
    assert!(opened.anchored.len() > 10 && opened.anchored.len() < opened.rest.len() / 2, "the trunk stays");
    let (name, _) = body.groups.iter().find(|(name, _)| *name != "body").unwrap();
    press_id(stage, "add-group-handle");
    press_id(stage, &format!("group-{name}"));
    until(stage, "its place", crate::studio::stage::is_current);
    assert!(matches!(&shot(stage).edit.handles.last().unwrap().site, Site::Group(group) if group == name));
    stage.key_press(Key::G);
    stage.step();
    assert!(stage.state().session().document.in_gesture(), "it is somewhere, and can be taken");
    stage.key_press(Key::Escape);
    stage.step();
}
