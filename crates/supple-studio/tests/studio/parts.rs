//! Parts that are picked, moved and turned: they become partial keys.

use crate::studio::puppet::{START, block, keyed};
use crate::studio::stage::{
    Stage, ctrl, drag_with, edit_view, go_to, key, move_to, place, press_id, says, set, shot, type_text,
    until,
};
use eframe::egui::{Key, Modifiers, PointerButton, Rect, vec2};
use nalgebra::Vector3;
use supple_project::shot::{At, Goal, Handle, Hold, Move, Site, Together, When};

/// Picks the upper vertices that are seen from the front.
fn pick_top(stage: &mut Stage) -> Vec<u32> {
    key(stage, Key::Num1);
    let view = edit_view(stage);
    let rest = &stage.state().answer().stage.as_ref().unwrap().rest;
    let top = rest.iter().map(|p| p[1]).fold(f32::MIN, f32::max);
    let corner = rest.iter().position(|p| p[1] == top).unwrap() as u32;
    let y = place(stage, corner).y;
    let area = Rect::from_x_y_ranges(view.left() + 5.0..=view.right() - 5.0, y - 12.0..=y + 12.0);
    key(stage, Key::B);
    drag_with(stage, [area.min, area.max], PointerButton::Primary, Modifiers::NONE);
    let picked = stage.state().picked().to_vec();
    assert!(picked.len() > 2, "{picked:?}");
    picked
}

fn handle(stage: &Stage) -> &Handle {
    shot(stage).edit.handle(0).unwrap()
}

fn shown(stage: &mut Stage, vertex: u32) -> Vector3<f64> {
    until(stage, "a current picture", crate::studio::stage::is_current);
    Vector3::from(stage.state().answer().shown.as_ref().unwrap().points.drawn[vertex as usize].map(f64::from))
}

fn step(stage: &Stage) -> &str {
    stage.state().session().document.undo_steps().next().unwrap()
}

#[test]
fn a_picked_part_that_is_moved_is_a_key_in_one_step() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = keyed(folder.path(), false);
    let before = shot(&stage).clone();
    let picked = pick_top(&mut stage);
    key(&mut stage, Key::G);
    assert_eq!(shot(&stage).edit.handle_count(), 1, "it is in the hand");
    key(&mut stage, Key::Escape);
    assert_eq!((shot(&stage).edit.handle_count(), stage.state().picked()), (0, picked.as_slice()));
    assert_eq!(stage.state().selected(), None, "as if it had not been");
    key(&mut stage, Key::G);
    key(&mut stage, Key::Y);
    type_text(&mut stage, ".2");
    key(&mut stage, Key::Enter);
    let made = handle(&stage);
    assert!(matches!(&made.site, Site::Vertices(list) if list.len() == picked.len()));
    assert_eq!((made.points, made.hold, &made.when), (Some(Together::Each), None, &When::Frame(START + 5)));
    let Goal::By(by) = made.goal else { panic!("{made:?}") };
    assert!((by[1] - 0.2).abs() < 1e-9 && by[0].abs() < 1e-9, "{by:?}");
    assert_eq!((stage.state().selected(), step(&stage)), (Some(0), "Move part"));
    assert!(stage.state().picked().is_empty());
    ctrl(&mut stage, Key::Z);
    assert_eq!(*shot(&stage), before, "one step");
}

#[test]
fn a_part_is_turned_by_numbers_about_axes_and_moved_on() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = keyed(folder.path(), false);
    press_id(&mut stage, "use-segments");
    press_id(&mut stage, "tab-handles");
    let picked = pick_top(&mut stage);
    let before = shown(&mut stage, picked[0]);
    key(&mut stage, Key::R);
    key(&mut stage, Key::Y);
    type_text(&mut stage, "90");
    key(&mut stage, Key::Enter);
    assert_eq!(step(&stage), "Rotate part");
    let made = handle(&stage).clone();
    assert_eq!((made.points, &made.when), (Some(Together::Each), &When::At(At::Frames(5.0))));
    let Goal::Turn { turn, then: None } = made.goal else { panic!("{made:?}") };
    assert_eq!((turn.axis, turn.degrees), ([0.0, 1.0, 0.0], 90.0));
    let away = before - Vector3::from(turn.about);
    let wanted = Vector3::from(turn.about) + Vector3::new(away.z, away.y, -away.x);
    assert!((shown(&mut stage, picked[0]) - wanted).norm() < 1e-5, "the motion follows");
    key(&mut stage, Key::R);
    key(&mut stage, Key::Y);
    type_text(&mut stage, "300");
    key(&mut stage, Key::Enter);
    let Goal::Turn { turn, .. } = handle(&stage).goal else { panic!("a turn") };
    assert_eq!(turn.degrees, 390.0, "on and on about one axis");
    key(&mut stage, Key::G);
    type_text(&mut stage, ".3");
    key(&mut stage, Key::Enter);
    let Goal::Turn { turn, then: Some(Move::By(by)) } = handle(&stage).goal else { panic!("moved on") };
    assert_eq!((turn.degrees, by), (390.0, [0.3, 0.0, 0.0]));
    set(&mut stage, "handle-angle", "45");
    let Goal::Turn { turn, then: Some(Move::By(by)) } = handle(&stage).goal else {
        panic!("in the panel, too")
    };
    assert_eq!((turn.degrees, by), (45.0, [0.3, 0.0, 0.0]));
    ctrl(&mut stage, Key::Z);
    ctrl(&mut stage, Key::Z);
    assert!(matches!(handle(&stage).goal, Goal::Turn { then: None, .. }));
}

#[test]
fn the_mouse_turns_a_part_about_the_view_and_ctrl_in_steps() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = keyed(folder.path(), false);
    let picked = pick_top(&mut stage);
    let (view, shown) = (edit_view(&stage), stage.state().answer().shown.clone().unwrap());
    let site = Site::Vertices(picked.iter().map(|v| supple_model::VertexId(*v)).collect());
    let middle = supple_session::Places::place(&shown.points, &site, &shown.stage).unwrap();
    let at = stage.state().point_on_screen(middle, view).unwrap();
    move_to(&mut stage, at + vec2(60.0, 0.0));
    key(&mut stage, Key::R);
    // A quarter against the clock; the screen counts downward.
    for to in [vec2(42.0, -42.0), vec2(0.0, -60.0)] {
        move_to(&mut stage, at + to);
    }
    let angle = |stage: &Stage| match handle(stage).goal {
        Goal::Turn { turn, .. } => (turn.degrees, turn.axis),
        ref other => panic!("{other:?}"),
    };
    let (degrees, axis) = angle(&stage);
    assert!((degrees - 90.0).abs() < 0.5 && axis[2] > 0.99, "{degrees} about {axis:?}");
    stage.event(eframe::egui::Event::ModifiersChanged(Modifiers::CTRL));
    move_to(&mut stage, at + vec2(-7.0, -60.0));
    assert_eq!(angle(&stage).0, 95.0, "whole steps");
    stage.event(eframe::egui::Event::ModifiersChanged(Modifiers::NONE));
    drag_with(&mut stage, [at + vec2(0.0, -60.0); 2], PointerButton::Primary, Modifiers::NONE);
    assert!((angle(&stage).0 - 90.0).abs() < 0.5, "a click puts it down");
    assert_eq!((shot(&stage).edit.handle_count(), step(&stage)), (1, "Rotate part"));
}

#[test]
fn a_new_key_of_a_turned_part_asks_for_what_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = keyed(folder.path(), false);
    key(&mut stage, Key::A);
    let picked = stage.state().picked().to_vec();
    key(&mut stage, Key::R);
    type_text(&mut stage, "30");
    key(&mut stage, Key::Enter);
    let before = shown(&mut stage, picked[0]);
    // The same part once more.
    key(&mut stage, Key::A);
    key(&mut stage, Key::G);
    key(&mut stage, Key::Enter);
    let Goal::Turn { turn, .. } = shot(&stage).edit.handle(1).unwrap().goal else {
        panic!("turned as it is")
    };
    assert!((turn.degrees - 30.0).abs() < 0.01, "{turn:?}");
    assert!((shown(&mut stage, picked[0]) - before).norm() < 1e-5, "nothing jumps");
}

#[test]
fn what_cannot_be_turned_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = keyed(folder.path(), false);
    press_id(&mut stage, "add-centre-of-mass");
    key(&mut stage, Key::R);
    assert!(says(stage.state(), "This handle cannot be rotated"));
    let folder = tempfile::tempdir().unwrap();
    let mut stage = block(folder.path(), false);
    let picked = pick_top(&mut stage);
    key(&mut stage, Key::R);
    assert!(says(stage.state(), "To rotate a part, choose the method Sparse keys."));
    key(&mut stage, Key::G);
    assert_eq!((shot(&stage).edit.handle_count(), stage.state().picked()), (0, picked.as_slice()));
}

#[test]
fn a_hard_handle_on_a_group_is_held_softly_once_it_is_turned() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = keyed(folder.path(), false);
    go_to(&mut stage, 5);
    press_id(&mut stage, "add-group-handle");
    press_id(&mut stage, "group-top");
    press_id(&mut stage, "hold-soft");
    press_id(&mut stage, "hold-hard");
    assert_eq!(handle(&stage).hold, Some(Hold::Hard));
    key(&mut stage, Key::R);
    type_text(&mut stage, "10");
    key(&mut stage, Key::Enter);
    assert_eq!((handle(&stage).hold, handle(&stage).points), (None, Some(Together::Each)));
}
