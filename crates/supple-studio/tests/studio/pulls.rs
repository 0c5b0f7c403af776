//! Every way a handle goes where it is told: arrows, squares, disc, normal, keys, numbers, steps.

use crate::studio::puppet::{GROUND, START, block};
use crate::studio::stage::{
    Stage, click, ctrl, drag_with, edit_view, is_current, key, lift, move_to, place, press, see, sees, shot,
    type_text, until,
};
use eframe::egui::{Event, Key, Modifiers, PointerButton, Pos2, vec2};
use supple_project::shot::{Goal, When};
use supple_session::normal_at;

const NONE: Modifiers = Modifiers::NONE;
const LEFT: PointerButton = PointerButton::Primary;
/// Points an arrow is long, and the middle of a square as a part of that.
const ARROW: f64 = 78.0;
const SQUARE: f64 = 0.39;

/// A studio in parallel view with a handle on the edge between right and top, as near as it goes; and which vertex.
fn held(folder: &std::path::Path) -> (Stage, u32) {
    let mut stage = block(folder, false);
    key(&mut stage, Key::Num5);
    let rest = &stage.state().answer().stage.as_ref().unwrap().rest;
    let largest = |c: usize| rest.iter().map(|p| p[c]).fold(f32::MIN, f32::max);
    let (x, y, z) = (largest(0), largest(1), largest(2));
    let is_there = |v: &usize| rest[*v][0] == x && rest[*v][1] == y && rest[*v][2] < z;
    let vertex =
        (0..rest.len()).filter(is_there).max_by(|a, b| rest[*a][2].total_cmp(&rest[*b][2])).unwrap() as u32;
    let at = place(&mut stage, vertex);
    click(&mut stage, at);
    until(&mut stage, "a handle", |studio| studio.session().document.shot().edit.handles.len() == 1);
    place(&mut stage, vertex);
    (stage, vertex)
}

fn by(stage: &Stage) -> [f64; 3] {
    let Goal::By(by) = shot(stage).edit.handles[0].goal else { panic!("it moves by something") };
    by
}

/// A body went through the floor in the hand, and nobody said so.
#[test]
fn how_deep_it_is_in_an_obstacle_is_said_while_it_is_pulled() {
    let folder = tempfile::tempdir().unwrap();
    let (mut stage, vertex) = held(folder.path());
    let height = point(&stage, vertex)[1];
    let down = height - GROUND;
    for (more, words) in [(-0.01, None), (0.25, Some("inside an obstacle"))] {
        key(&mut stage, Key::G);
        key(&mut stage, Key::Y);
        type_text(&mut stage, &format!("-{:.4}", down + more));
        match words {
            Some(words) => see(&mut stage, words),
            None => {
                until(&mut stage, "a step", is_current);
                stage.run_steps(3);
                assert!(!sees(&stage, "inside an obstacle"));
            }
        }
        key(&mut stage, Key::Escape);
        stage.run_steps(3);
        assert!(!sees(&stage, "inside an obstacle"), "it is in no hand any more");
    }
}

/// The place of a vertex in the scene.
fn point(stage: &Stage, vertex: u32) -> [f64; 3] {
    stage.state().answer().shown.as_ref().unwrap().points.drawn[vertex as usize].map(f64::from)
}

/// Where on the screen something is that is `points` of the screen along a direction from a place. In a parallel view
/// the squares of what the three axes are long on the screen sum to twice the square of a length.
fn beside(stage: &Stage, at: [f64; 3], along: [f64; 3], points: f64) -> Pos2 {
    let view = edit_view(stage);
    let project = |p: [f64; 3]| stage.state().point_on_screen(p, view).unwrap();
    let long = (0..3).map(|k| {
        let tip = [0, 1, 2].map(|c| at[c] + f64::from(u8::from(c == k)));
        f64::from((project(tip) - project(at)).length_sq())
    });
    let per_length = (long.sum::<f64>() / 2.0).sqrt();
    project([0, 1, 2].map(|c| at[c] + along[c] * points / per_length))
}

fn axis(k: usize) -> [f64; 3] {
    [0, 1, 2].map(|c| f64::from(u8::from(c == k)))
}

#[test]
fn every_arrow_moves_along_its_axis_only() {
    let folder = tempfile::tempdir().unwrap();
    let (mut stage, vertex) = held(folder.path());
    for k in 0..3 {
        place(&mut stage, vertex);
        let at = point(&stage, vertex);
        let [from, to] = [0.75, 1.25].map(|part| beside(&stage, at, axis(k), part * ARROW));
        // The mouse goes aside, too; that does not count.
        drag_with(&mut stage, [from, to + vec2(5.0, 4.0)], LEFT, NONE);
        let moved = by(&stage);
        assert!(moved[k] > 0.01, "along {k}: {moved:?}");
        assert_eq!(([moved[(k + 1) % 3], moved[(k + 2) % 3]]), [0.0; 2], "along {k} only: {moved:?}");
        assert_eq!(stage.state().session().document.undo_steps().next(), Some("Drag handle"));
        ctrl(&mut stage, Key::Z);
        assert_eq!(by(&stage), [0.0; 3], "one step");
    }
}

#[test]
fn every_square_moves_in_its_plane_and_the_disc_with_the_mouse() {
    let folder = tempfile::tempdir().unwrap();
    let (mut stage, vertex) = held(folder.path());
    for k in 0..3 {
        place(&mut stage, vertex);
        let at = point(&stage, vertex);
        let across = [0, 1, 2].map(|c| if c == k { 0.0 } else { SQUARE });
        let from = beside(&stage, at, across, ARROW);
        drag_with(&mut stage, [from, from + vec2(23.0, -31.0)], LEFT, NONE);
        let moved = by(&stage);
        assert_eq!(moved[k], 0.0, "across {k}: {moved:?}");
        assert!(moved[(k + 1) % 3].abs() > 1e-3 && moved[(k + 2) % 3].abs() > 1e-3, "{moved:?}");
        ctrl(&mut stage, Key::Z);
    }
    let from = place(&mut stage, vertex);
    drag_with(&mut stage, [from, from + vec2(40.0, 25.0)], LEFT, NONE);
    let to = place(&mut stage, vertex);
    assert!((to - from - vec2(40.0, 25.0)).length() < 0.1, "the point stays under the mouse: {from} {to}");
}

#[test]
fn the_fourth_arrow_moves_across_the_surface_only() {
    let folder = tempfile::tempdir().unwrap();
    let (mut stage, vertex) = held(folder.path());
    place(&mut stage, vertex);
    let shown = stage.state().answer().shown.clone().unwrap();
    let normal = normal_at(&shown.points.drawn, &shown.stage.triangles, vertex).unwrap();
    assert!(normal.iter().filter(|x| x.abs() > 0.2).count() > 1, "it is no axis: {normal:?}");
    let at = point(&stage, vertex);
    let [from, to] = [0.55, 1.2].map(|part| beside(&stage, at, normal, part * ARROW));
    drag_with(&mut stage, [from, to], LEFT, NONE);
    let moved = by(&stage);
    let length = moved.iter().map(|x| x * x).sum::<f64>().sqrt();
    assert!(length > 0.01 && (0..3).all(|c| (moved[c] - normal[c] * length).abs() < 1e-9), "{moved:?}");
}

#[test]
fn keys_say_where_a_drag_goes_and_again_anywhere() {
    let folder = tempfile::tempdir().unwrap();
    let (mut stage, vertex) = held(folder.path());
    let at = place(&mut stage, vertex);
    press(&mut stage, at, LEFT, NONE);
    move_to(&mut stage, at + vec2(30.0, -22.0));
    let free = by(&stage);
    assert!(free.iter().all(|x| x.abs() > 1e-4), "{free:?}");
    for (k, axis) in [Key::X, Key::Y, Key::Z].into_iter().enumerate() {
        key(&mut stage, axis);
        let moved = by(&stage);
        let others = [moved[(k + 1) % 3], moved[(k + 2) % 3]];
        assert!(moved[k] != 0.0 && others == [0.0; 2], "{axis:?} before the mouse moves again: {moved:?}");
        stage.key_press_modifiers(Modifiers::SHIFT, axis);
        stage.step();
        let moved = by(&stage);
        assert!(moved[k] == 0.0 && moved[(k + 1) % 3] != 0.0, "Shift and {axis:?}: {moved:?}");
    }
    key(&mut stage, Key::N);
    assert_ne!(by(&stage)[2], free[2]);
    key(&mut stage, Key::N);
    assert_eq!(by(&stage), free, "the same key again lets it go anywhere");
    assert_eq!(shot(&stage).edit.handles.len(), 1, "X deletes nothing while something is dragged");
    lift(&mut stage, at, LEFT, NONE);
}

#[test]
fn control_goes_in_round_steps() {
    let folder = tempfile::tempdir().unwrap();
    let (mut stage, vertex) = held(folder.path());
    let at = place(&mut stage, vertex);
    press(&mut stage, at, LEFT, NONE);
    key(&mut stage, Key::Y);
    stage.event(Event::ModifiersChanged(Modifiers::CTRL));
    let mut seen = Vec::new();
    for k in 1..12 {
        move_to(&mut stage, at - vec2(0.0, 9.0 * k as f32));
        // The body's size is 1, and its steps a fiftieth of that.
        let steps = by(&stage)[1] / 0.02;
        assert!((steps - steps.round()).abs() < 1e-9, "{steps} steps");
        seen.push(steps.round() as i32);
    }
    seen.dedup();
    assert!(seen.len() > 4 && seen.is_sorted(), "{seen:?}");
    stage.event(Event::ModifiersChanged(NONE));
    move_to(&mut stage, at - vec2(0.0, 100.3));
    let steps = by(&stage)[1] / 0.02;
    assert!((steps - steps.round()).abs() > 1e-6, "without it as the mouse goes");
    lift(&mut stage, at, LEFT, NONE);
}

#[test]
fn a_handle_is_taken_by_g_and_moved_by_a_typed_number() {
    let folder = tempfile::tempdir().unwrap();
    let (mut stage, _) = held(folder.path());
    let steps = stage.state().session().document.undo_steps().count();
    let middle = edit_view(&stage).center();
    move_to(&mut stage, middle);
    key(&mut stage, Key::G);
    key(&mut stage, Key::X);
    type_text(&mut stage, "1.5");
    assert_eq!(by(&stage), [1.5, 0.0, 0.0], "before Enter");
    assert!(stage.state().session().document.in_gesture());
    move_to(&mut stage, middle + vec2(60.0, 30.0));
    assert_eq!(by(&stage), [1.5, 0.0, 0.0], "the mouse does not count");
    type_text(&mut stage, "-");
    assert_eq!(by(&stage), [-1.5, 0.0, 0.0]);
    key(&mut stage, Key::Backspace);
    assert_eq!(by(&stage), [-1.0, 0.0, 0.0]);
    key(&mut stage, Key::Z);
    assert_eq!(by(&stage), [0.0, 0.0, -1.0], "another axis, the same number");
    key(&mut stage, Key::Enter);
    assert!(!stage.state().session().document.in_gesture());
    assert_eq!(stage.state().session().document.undo_steps().count(), steps + 1, "one step");
    assert_eq!(by(&stage), [0.0, 0.0, -1.0]);
    key(&mut stage, Key::G);
    type_text(&mut stage, ".25");
    key(&mut stage, Key::Tab);
    key(&mut stage, Key::Tab);
    type_text(&mut stage, "2");
    assert_eq!(by(&stage), [0.25, 0.0, 1.0], "x, then y and z behind Tab");
    key(&mut stage, Key::Escape);
    assert_eq!(by(&stage), [0.0, 0.0, -1.0], "Esc lets go");
    assert_eq!(stage.state().session().document.undo_steps().count(), steps + 1);
}

#[test]
fn what_g_holds_follows_the_mouse_until_a_click_and_is_let_go_by_the_right_button() {
    let folder = tempfile::tempdir().unwrap();
    let (mut stage, vertex) = held(folder.path());
    let at = place(&mut stage, vertex);
    let mouse = at + vec2(-60.0, 80.0);
    move_to(&mut stage, mouse);
    key(&mut stage, Key::G);
    move_to(&mut stage, mouse + vec2(35.0, -20.0));
    let moved = place(&mut stage, vertex) - at;
    assert!((moved - vec2(35.0, -20.0)).length() < 0.1, "as far as the mouse, from wherever: {moved:?}");
    click(&mut stage, mouse + vec2(35.0, -20.0));
    assert!(!stage.state().session().document.in_gesture());
    assert_eq!(shot(&stage).edit.handles.len(), 1, "the click puts it down, and does nothing else");
    let kept = by(&stage);
    for lets_go in [PointerButton::Secondary, PointerButton::Extra1] {
        move_to(&mut stage, mouse);
        key(&mut stage, Key::G);
        move_to(&mut stage, mouse + vec2(10.0, 10.0));
        assert_ne!(by(&stage), kept);
        if lets_go == PointerButton::Secondary {
            press(&mut stage, mouse, lets_go, NONE);
            lift(&mut stage, mouse, lets_go, NONE);
        } else {
            ctrl(&mut stage, Key::Z);
        }
        assert_eq!(by(&stage), kept, "let go, and nothing before it is undone");
    }
    key(&mut stage, Key::ArrowRight);
    key(&mut stage, Key::G);
    assert!(!stage.state().session().document.in_gesture(), "it does not hold at this frame");
    assert_eq!(shot(&stage).edit.handles[0].when, When::Frame(START + 5));
}
