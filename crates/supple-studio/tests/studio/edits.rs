//! Handles by keys, panels and the timeline; nothing is computed.

use crate::studio::fake::{Fake, Stand};
use crate::studio::stage::{Stage, click, ctrl, edit_view, find, place, press_id, shot, studio, until};
use eframe::egui::{Key, Modifiers, pos2, vec2};
use std::path::Path;
use std::sync::Arc;
use supple_project::Sample;
use supple_project::shot::{Goal, Hold, Site, When};
use supple_session::{Document, Home};

/// A studio on a triangle of ten frames.
fn triangle(folder: &Path) -> Stage {
    let home = Home::in_folder(folder);
    let mut document = Document::sample(Sample::named("block").unwrap(), &home).unwrap();
    document.change("begin without handles", |shot| shot.edit.handles.clear());
    let mut stage = studio(document, &home, Arc::new(Stand(Arc::new(Fake::default()))), false);
    until(&mut stage, "open", |studio| studio.answer().is_current(studio.session().document.generation()));
    stage
}

fn add_handle(stage: &mut Stage, vertex: u32) {
    let count = shot(stage).edit.handles.len();
    let at = place(stage, vertex);
    click(stage, at);
    until(stage, "a handle", |studio| studio.session().document.shot().edit.handles.len() == count + 1);
}

#[test]
fn a_handle_is_made_muted_softened_and_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = triangle(folder.path());
    add_handle(&mut stage, 1);
    assert!(matches!(shot(&stage).edit.handles[0].site, Site::Vertex(v) if v.0 == 1));
    assert_eq!(shot(&stage).edit.handles[0].when, When::Frame(6), "the middle of ten frames");
    stage.key_press(Key::H);
    stage.step();
    assert_eq!(shot(&stage).edit.handles[0].muted, Some(true));
    press_id(&mut stage, "mute-handle");
    assert_eq!(shot(&stage).edit.handles[0].muted, None);
    press_id(&mut stage, "hold-soft");
    assert_eq!(shot(&stage).edit.handles[0].hold, Some(Hold::Soft(1.0)));
    stage.key_press(Key::X);
    stage.step();
    assert!(shot(&stage).edit.handles.is_empty());
    ctrl(&mut stage, Key::Z);
    assert_eq!(shot(&stage).edit.handles[0].hold, Some(Hold::Soft(1.0)), "deleting is undone");
}

#[test]
fn clicking_a_vertex_again_takes_its_handle_instead_of_a_second_one() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = triangle(folder.path());
    add_handle(&mut stage, 1);
    add_handle(&mut stage, 2);
    let at = place(&mut stage, 1);
    click(&mut stage, at);
    for _ in 0..10 {
        stage.step();
    }
    assert_eq!(shot(&stage).edit.handles.len(), 2);
}

#[test]
fn a_goal_is_typed_and_dragged_along_an_axis() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = triangle(folder.path());
    add_handle(&mut stage, 1);
    find(&stage, "goal-y").click();
    stage.step();
    crate::studio::stage::type_into(&mut stage, "goal-y", "0.25");
    stage.key_press(Key::Enter);
    stage.step();
    stage.step();
    assert_eq!(shot(&stage).edit.handles[0].goal, Goal::By([0.0, 0.25, 0.0]));
    let before = stage.state().session().document.undo_steps().count();
    let at = place(&mut stage, 1);
    let steps = [1.0, 2.0, 3.0].map(|k| at + vec2(7.0, -20.0) * k);
    stage.hover_at(at);
    stage.drag_at(at);
    stage.step();
    stage.key_press(Key::Y);
    for to in steps {
        stage.hover_at(to);
        stage.step();
    }
    stage.drop_at(steps[2]);
    stage.step();
    let Goal::By([x, y, z]) = shot(&stage).edit.handles[0].goal else { panic!("it moves by something") };
    assert!(x == 0.0 && z == 0.0 && y > 0.3, "along y alone: {x} {y} {z}");
    assert_eq!(stage.state().session().document.undo_steps().count(), before + 1);
}

#[test]
fn vertices_in_a_box_become_one_handle() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = triangle(folder.path());
    let view = edit_view(&stage);
    let (from, to) = (view.min + vec2(5.0, 45.0), view.max - vec2(5.0, 10.0));
    stage.hover_at(from);
    stage.drag_at(from);
    stage.step();
    for part in [0.3, 0.7, 1.0] {
        stage.hover_at(from + (to - from) * part);
        stage.step();
    }
    stage.drop_at(to);
    stage.step();
    stage.key_press_modifiers(Modifiers::SHIFT, Key::A);
    stage.step();
    let handle = shot(&stage).edit.handles.first().expect("a handle of what was in the box");
    assert!(matches!(&handle.site, Site::Vertices(list) if list.len() == 3), "{handle:?}");
}

#[test]
fn a_handle_is_retimed_along_the_timeline_as_one_step() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = triangle(folder.path());
    add_handle(&mut stage, 1);
    let line = find(&stage, "timeline").rect();
    // Ten frames between the margins of 14 points; the sixth is that of the handle.
    let x = |index: f32| line.left() + 14.0 + (line.width() - 28.0) * index / 9.0;
    let y = line.top() + 40.0;
    let steps = stage.state().session().document.undo_steps().count();
    stage.hover_at(pos2(x(5.0), y));
    stage.drag_at(pos2(x(5.0), y));
    stage.step();
    for index in [6.0, 7.0, 8.0] {
        stage.hover_at(pos2(x(index), y));
        stage.step();
    }
    stage.drop_at(pos2(x(8.0), y));
    stage.step();
    stage.step();
    assert_eq!(shot(&stage).edit.handles[0].when, When::Frame(9));
    assert_eq!(stage.state().session().document.undo_steps().count(), steps + 1);
    assert_eq!(stage.state().frame(), 8, "the frame goes along");
    stage.drag_at(pos2(x(2.0), line.top() + 8.0));
    stage.step();
    stage.drop_at(pos2(x(2.0), line.top() + 8.0));
    stage.step();
    assert_eq!(stage.state().frame(), 2, "scrubbed");
}
