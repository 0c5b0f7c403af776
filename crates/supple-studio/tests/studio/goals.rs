//! What a handle may hold and ask: velocities, pairs, groups, directions, picked vertices.

use crate::studio::puppet::{FPS, STEP, block};
use crate::studio::stage::{
    Stage, click, ctrl, drag_with, edit_view, key, move_to, place, press, press_id, shot, try_find,
    type_text, until,
};
use eframe::egui::{Key, Modifiers, PointerButton, Rect, vec2};
use egui_kittest::kittest::Queryable;
use supple_project::shot::{Anchor, Axes, Goal, Handle, Site, Together};

const NONE: Modifiers = Modifiers::NONE;
const LEFT: PointerButton = PointerButton::Primary;
/// An arrow is as long as the way of so many frames.
const ARROW_FRAMES: f64 = 4.0;

fn handle(stage: &Stage) -> &Handle {
    shot(stage).edit.handles.last().unwrap()
}

/// The vertices of the edge between right and top, from the far end to the near one.
fn edge(stage: &Stage) -> Vec<u32> {
    let rest = &stage.state().answer().stage.as_ref().unwrap().rest;
    let largest = |c: usize| rest.iter().map(|p| p[c]).fold(f32::MIN, f32::max);
    let (x, y) = (largest(0), largest(1));
    let mut edge: Vec<u32> = (0..rest.len() as u32).filter(|v| rest[*v as usize][..2] == [x, y]).collect();
    edge.sort_by(|a, b| rest[*a as usize][2].total_cmp(&rest[*b as usize][2]));
    edge
}

fn hold(stage: &mut Stage, vertex: u32) {
    let count = shot(stage).edit.handles.len();
    let at = place(stage, vertex);
    click(stage, at);
    until(stage, "a handle", |studio| studio.session().document.shot().edit.handles.len() == count + 1);
    place(stage, vertex);
}

fn shown(stage: &Stage, vertex: u32) -> [f64; 3] {
    stage.state().answer().shown.as_ref().unwrap().points.drawn[vertex as usize].map(f64::from)
}

/// Chooses another kind of goal for the selected handle.
fn ask_for(stage: &mut Stage, kind: &str) {
    press_id(stage, "constraint");
    press_id(stage, kind);
}

#[test]
fn a_velocity_begins_as_it_is_and_its_tip_can_be_dragged() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = block(folder.path(), false);
    key(&mut stage, Key::Num1);
    let vertex = *edge(&stage).last().unwrap();
    hold(&mut stage, vertex);
    until(&mut stage, "its way", |studio| {
        studio.answer().seen.as_ref().is_some_and(|seen| !seen.traces.is_empty())
    });
    ask_for(&mut stage, "goal-velocity");
    let Goal::Velocity([x, y, z]) = handle(&stage).goal else { panic!("a velocity") };
    assert!((x - STEP * FPS).abs() < 1e-3 && y.abs() < 1e-3 && z.abs() < 1e-3, "as it moves: {x} {y} {z}");
    let at = place(&mut stage, vertex);
    let view = edit_view(&stage);
    let p = shown(&stage, vertex);
    let tip = stage.state().point_on_screen([p[0] + x * ARROW_FRAMES / FPS, p[1], p[2]], view).unwrap();
    assert!((tip - at).length() > 5.0);
    // Nothing else is selected, so that the tip alone is there to be taken.
    click(&mut stage, view.left_bottom() + vec2(20.0, -60.0));
    assert_eq!(stage.state().selected(), None);
    drag_with(&mut stage, [tip, tip + vec2(0.0, -50.0)], LEFT, NONE);
    assert_eq!(stage.state().selected(), Some(0));
    let Goal::Velocity(moved) = handle(&stage).goal else { panic!("a velocity") };
    let length = 50.0
        / f64::from((stage.state().point_on_screen([p[0], p[1] + 1.0, p[2]], view).unwrap() - at).length());
    let wanted = length * FPS / ARROW_FRAMES;
    assert!((moved[1] - y - wanted).abs() < 1e-3 * wanted, "{moved:?} but {wanted}");
    assert!((moved[0] - x).abs() < 1e-6, "upward only: {moved:?}");
    let undo: Vec<&str> = stage.state().session().document.undo_steps().take(2).collect();
    assert_eq!(undo, ["Drag handle", "Change constraint"]);
    key(&mut stage, Key::G);
    key(&mut stage, Key::Z);
    type_text(&mut stage, "3");
    key(&mut stage, Key::Enter);
    let Goal::Velocity(typed) = handle(&stage).goal else { panic!("a velocity") };
    assert!((typed[2] - moved[2] - 3.0).abs() < 1e-9, "numbers are velocities: {typed:?}");
}

#[test]
fn a_pair_is_chosen_and_unchosen_and_nothing_jumps() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = block(folder.path(), false);
    let (one, other) = (edge(&stage)[1], *edge(&stage).last().unwrap());
    hold(&mut stage, other);
    key(&mut stage, Key::G);
    type_text(&mut stage, ".1");
    key(&mut stage, Key::Enter);
    hold(&mut stage, one);
    for kind in ["goal-by", "goal-to"] {
        if kind == "goal-to" {
            ask_for(&mut stage, kind);
        }
        let before = handle(&stage).goal.clone();
        press_id(&mut stage, "relative-to");
        // A vertex is not relative to its own vertex; dragging pulls nothing meanwhile.
        let at = place(&mut stage, one);
        drag_with(&mut stage, [at, at + vec2(12.0, 0.0)], LEFT, NONE);
        assert_eq!(handle(&stage).relative_to, None);
        assert!(stage.state().notices().any(|notice| notice.contains("relative to its own vertex")));
        let at = place(&mut stage, other);
        click(&mut stage, at);
        assert_eq!(shot(&stage).edit.handles.len(), 2, "the mark of a handle is no handle to take now");
        assert!(
            matches!(handle(&stage).relative_to, Some(Site::Vertex(v)) if v.0 == other),
            "{kind} {:?}",
            handle(&stage)
        );
        place(&mut stage, one);
        let (p, q) = (shown(&stage, one), shown(&stage, other));
        let wanted = match kind {
            "goal-to" => [0, 1, 2].map(|c| p[c] - q[c]),
            _ => [-0.1, 0.0, 0.0],
        };
        let (Goal::By(goal) | Goal::To(goal)) = handle(&stage).goal else { panic!("three numbers") };
        assert!((0..3).all(|c| (goal[c] - wanted[c]).abs() < 1e-6), "{kind} {goal:?} but {wanted:?}");
        assert!(stage.query_by_label(&format!("Relative to vertex {other}")).is_some());
        press_id(&mut stage, "make-absolute");
        assert_eq!(handle(&stage).relative_to, None);
        let (Goal::By(back) | Goal::To(back), Goal::By(was) | Goal::To(was)) =
            (&handle(&stage).goal, &before)
        else {
            panic!("three numbers")
        };
        assert!((0..3).all(|c| (back[c] - was[c]).abs() < 1e-6), "{kind}: {back:?} but {was:?}");
    }
}

#[test]
fn a_group_and_directions_are_held() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = block(folder.path(), false);
    press_id(&mut stage, "add-group-handle");
    press_id(&mut stage, "group-top");
    assert_eq!(handle(&stage).site, Site::Group("top".into()));
    assert_eq!(stage.state().selected(), Some(0));
    press_id(&mut stage, "points-each");
    assert_eq!(handle(&stage).points, Some(Together::Each));
    press_id(&mut stage, "points-mean");
    assert_eq!(handle(&stage).points, None);
    press_id(&mut stage, "axis-x");
    press_id(&mut stage, "axis-z");
    assert_eq!(handle(&stage).axes, Some(Axes([false, true, false])));
    press_id(&mut stage, "axis-y");
    assert_eq!(
        handle(&stage).axes,
        Some(Axes([false, true, false])),
        "it cannot hold in no direction at all"
    );
    press_id(&mut stage, "axis-x");
    press_id(&mut stage, "axis-z");
    assert_eq!(handle(&stage).axes, None, "all three are what needs no words");
    ctrl(&mut stage, Key::Z);
    assert_eq!(handle(&stage).axes, Some(Axes([true, true, false])), "each is a step");
    ask_for(&mut stage, "goal-plane");
    assert!(try_find(&stage, "axis-x").is_none(), "a plane has a direction of its own");
}

/// Picks the vertices in a rectangle with the mouse.
fn pick(stage: &mut Stage, area: Rect, modifiers: Modifiers) {
    drag_with(stage, [area.min, area.max], LEFT, modifiers);
}

#[test]
fn vertices_are_picked_by_boxes_and_clicks_over_the_body_too() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = block(folder.path(), false);
    key(&mut stage, Key::Num1);
    let before = shot(&stage).clone();
    let seen = |stage: &Stage| stage.state().picked().to_vec();
    let view = edit_view(&stage);
    let corner = *edge(&stage).last().unwrap();
    let all = Rect::from_min_max(view.min + vec2(3.0, 60.0), view.max - vec2(3.0, 3.0));
    pick(&mut stage, all, NONE);
    let front = seen(&stage);
    let z = |v: u32| stage.state().answer().stage.as_ref().unwrap().rest[v as usize][2];
    assert!(front.len() > 8 && front.contains(&corner), "{front:?}");
    assert!(front.iter().all(|v| z(*v) == z(corner)), "only what faces the eye");
    let at = place(&mut stage, corner);
    let small = Rect::from_center_size(at, vec2(16.0, 16.0));
    pick(&mut stage, small, Modifiers::SHIFT);
    assert_eq!(seen(&stage), front, "Shift adds what is there already");
    key(&mut stage, Key::B);
    pick(&mut stage, small, Modifiers::CTRL);
    assert_eq!(seen(&stage).len(), front.len() - 1, "Ctrl takes away, begun over the body after B");
    assert!(!seen(&stage).contains(&corner));
    press(&mut stage, at, LEFT, Modifiers::SHIFT);
    crate::studio::stage::lift(&mut stage, at, LEFT, Modifiers::SHIFT);
    assert_eq!(seen(&stage), front, "Shift and a click pick one");
    stage.key_press_modifiers(Modifiers::ALT, Key::A);
    stage.step();
    assert!(seen(&stage).is_empty());
    key(&mut stage, Key::A);
    let surface = stage.state().answer().stage.as_ref().unwrap().triangles.as_flattened().to_vec();
    let mut surface: Vec<u32> = surface;
    surface.sort_unstable();
    surface.dedup();
    assert_eq!(seen(&stage), surface, "A picks all");
    click(&mut stage, view.left_bottom() + vec2(20.0, -20.0));
    assert!(seen(&stage).is_empty(), "a click beside it picks nothing");
    assert_eq!(*shot(&stage), before, "picking edits nothing");
}

#[test]
fn what_is_picked_becomes_one_handle_each_or_anchors() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = block(folder.path(), false);
    let view = edit_view(&stage);
    let all = Rect::from_min_max(view.min + vec2(3.0, 60.0), view.max - vec2(3.0, 3.0));
    let anchors = shot(&stage).body.anchors.len();
    for (button, points) in [("add-handle-mean", None), ("add-handle-each", Some(Together::Each))] {
        pick(&mut stage, all, NONE);
        let count = stage.state().picked().len();
        press_id(&mut stage, button);
        assert!(matches!(&handle(&stage).site, Site::Vertices(list) if list.len() == count), "{button}");
        assert_eq!(handle(&stage).points, points);
        assert!(stage.state().picked().is_empty());
        key(&mut stage, Key::Delete);
        assert!(shot(&stage).edit.handles.is_empty());
    }
    pick(&mut stage, all, NONE);
    let count = stage.state().picked().len();
    press_id(&mut stage, "anchor-picked");
    assert!(matches!(&shot(&stage).body.anchors[anchors..], [Anchor::Vertices(list)] if list.len() == count));
    until(&mut stage, "the new body", |studio| {
        studio.answer().is_current(studio.session().document.generation())
    });
    let held = stage.state().answer().stage.as_ref().unwrap().body.as_ref().unwrap().anchors.len();
    assert!(held >= count, "{held}");
    press_id(&mut stage, "tab-body");
    press_id(&mut stage, &format!("remove-anchor-{anchors}"));
    assert_eq!(shot(&stage).body.anchors.len(), anchors);
    move_to(&mut stage, view.center());
}
