//! The eyes of the views: turned, shifted, zoomed, along axes, on what is selected. Where vertices fall tells.

use crate::studio::puppet::block;
use crate::studio::stage::{
    Stage, click, ctrl, drag_with, edit_view, key, move_to, place, press_id, shot, until,
};
use eframe::egui::{Event, Key, Modifiers, MouseWheelUnit, PointerButton, Pos2, TouchPhase, Vec2, vec2};

const NONE: Modifiers = Modifiers::NONE;

/// Where the origin and the tips of the axes x, y, z are in the left view.
fn axes(stage: &Stage) -> [Pos2; 4] {
    let view = edit_view(stage);
    let at = |p: [f64; 3]| stage.state().point_on_screen(p, view).unwrap();
    [at([0.0; 3]), at([1.0, 0.0, 0.0]), at([0.0, 1.0, 0.0]), at([0.0, 0.0, 1.0])]
}

/// How x, y and z run on the screen.
fn ways(stage: &Stage) -> [Vec2; 3] {
    let [o, x, y, z] = axes(stage);
    [x - o, y - o, z - o]
}

/// All vertices of the body on the screen, and the box around them.
fn outline(stage: &Stage) -> eframe::egui::Rect {
    let view = edit_view(stage);
    let count = stage.state().answer().stage.as_ref().unwrap().rest.len() as u32;
    let points = (0..count).map(|v| stage.state().place_on_screen(v, view).unwrap());
    eframe::egui::Rect::from_points(&points.collect::<Vec<_>>())
}

#[test]
fn the_keypad_looks_along_every_axis_exactly() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = block(folder.path(), false);
    // Which axis points at the eye, which to the right, which up; with a sign.
    let views = [
        (Key::Num1, NONE, [(0, 1.0), (1, 1.0)]),
        (Key::Num3, NONE, [(2, -1.0), (1, 1.0)]),
        (Key::Num7, NONE, [(0, 1.0), (2, -1.0)]),
        (Key::Num1, Modifiers::COMMAND, [(0, -1.0), (1, 1.0)]),
        (Key::Num3, Modifiers::COMMAND, [(2, 1.0), (1, 1.0)]),
        (Key::Num7, Modifiers::COMMAND, [(0, 1.0), (2, 1.0)]),
    ];
    for (number, modifiers, [(across, right), (upward, up)]) in views {
        stage.key_press_modifiers(modifiers, number);
        stage.step();
        let ways = ways(&stage);
        let length = ways[across].length();
        assert!(length > 50.0, "{number:?}");
        assert!((ways[across] - vec2(right * length, 0.0)).length() < 0.01, "{number:?} {ways:?}");
        assert!((ways[upward] - vec2(0.0, -up * length)).length() < 0.01, "{number:?} {ways:?}");
        let depth = 3 - across - upward;
        assert!(ways[depth].length() < 0.01, "{number:?} looks along the third: {ways:?}");
    }
    key(&mut stage, Key::Num1);
    key(&mut stage, Key::Num9);
    assert!(ways(&stage)[0].x < -50.0, "from the other side x runs to the left");
}

#[test]
fn turning_leaves_an_axis_view_for_perspective_and_keys_turn_by_fifteen_degrees() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = block(folder.path(), false);
    key(&mut stage, Key::Num1);
    let long = ways(&stage)[0].length();
    key(&mut stage, Key::Num5);
    key(&mut stage, Key::Num5);
    key(&mut stage, Key::Num6);
    let turned = ways(&stage);
    // Perspective was switched off by hand, so that it stays off.
    let cosine = f64::from(turned[0].x / long);
    assert!((cosine - 15_f64.to_radians().cos()).abs() < 1e-3, "{cosine}");
    for _ in 0..5 {
        key(&mut stage, Key::Num6);
    }
    assert!(ways(&stage)[0].x.abs() < 0.05, "six times fifteen degrees are a right angle");
    key(&mut stage, Key::Num5);
    let depth = |stage: &Stage| {
        let view = edit_view(stage);
        let at = |p: [f64; 3]| stage.state().point_on_screen(p, view).unwrap();
        let near = (at([1.0, 0.0, 0.0]) - at([1.0, 1.0, 0.0])).length();
        let far = (at([-1.0, 0.0, 0.0]) - at([-1.0, 1.0, 0.0])).length();
        near / far
    };
    assert!(depth(&stage) > 1.05, "in perspective what is near is larger");
    key(&mut stage, Key::Num3);
    assert!((depth(&stage) - 1.0).abs() < 1e-3, "an axis view is parallel");
    let middle = edit_view(&stage).center();
    drag_with(&mut stage, [middle, middle + vec2(30.0, 0.0)], PointerButton::Middle, NONE);
    assert!(depth(&stage) > 1.05, "turning it goes back to perspective");
}

#[test]
fn the_middle_button_turns_shifts_and_zooms_and_so_does_alt() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = block(folder.path(), false);
    key(&mut stage, Key::Num5);
    let middle = edit_view(&stage).center();
    for (button, modifiers) in [(PointerButton::Middle, NONE), (PointerButton::Primary, Modifiers::ALT)] {
        key(&mut stage, Key::Home);
        let (before, shot_before) = (ways(&stage), shot(&stage).clone());
        drag_with(&mut stage, [middle, middle + vec2(40.0, 0.0)], button, modifiers);
        let turned = ways(&stage);
        assert!((turned[1] - before[1]).length() < 0.1, "up stays up: {turned:?}");
        assert!((turned[0] - before[0]).length() > 10.0, "x turns");
        let outline = outline(&stage);
        drag_with(&mut stage, [middle, middle + vec2(60.0, -35.0)], button, modifiers | Modifiers::SHIFT);
        let shifted = self::outline(&stage).center() - outline.center();
        assert!((shifted - vec2(60.0, -35.0)).length() < 0.5, "it goes with the mouse: {shifted:?}");
        let long = ways(&stage)[1].length();
        drag_with(&mut stage, [middle, middle + vec2(0.0, -40.0)], button, modifiers | Modifiers::CTRL);
        assert!(ways(&stage)[1].length() > 1.1 * long, "upward is nearer");
        assert_eq!(*shot(&stage), shot_before, "looking edits nothing");
    }
}

#[test]
fn the_wheel_zooms_to_the_mouse_in_both_views() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = block(folder.path(), false);
    key(&mut stage, Key::Num1);
    let vertex = top_corner(&stage);
    let corner = place(&mut stage, vertex);
    let before = ways(&stage)[0].length();
    move_to(&mut stage, corner);
    for _ in 0..12 {
        let delta = vec2(0.0, 1.0);
        stage.event(Event::MouseWheel {
            unit: MouseWheelUnit::Line,
            delta,
            phase: TouchPhase::Move,
            source: eframe::egui::MouseWheelSource::Wheel,
            modifiers: NONE,
        });
        for _ in 0..12 {
            stage.step();
        }
    }
    let now = place(&mut stage, vertex);
    assert!(ways(&stage)[0].length() > 1.5 * before, "nearer");
    assert!((now - corner).length() < 1.5, "what is under the mouse stays there: {corner} {now}");
}

/// The vertex nearest to the eye of the first view: x, y and z are all largest.
fn top_corner(stage: &Stage) -> u32 {
    let rest = &stage.state().answer().stage.as_ref().unwrap().rest;
    let sum = |v: &usize| rest[*v].iter().sum::<f32>();
    (0..rest.len()).max_by(|a, b| sum(a).total_cmp(&sum(b))).unwrap() as u32
}

#[test]
fn all_is_framed_and_so_is_what_is_selected() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = block(folder.path(), false);
    let view = edit_view(&stage);
    let fills = |stage: &Stage| {
        let box_ = outline(stage);
        assert!(view.contains_rect(box_), "all of it is in the view: {box_:?}");
        (box_.width() / view.width()).max(box_.height() / view.height())
    };
    assert!((0.6..0.95).contains(&fills(&stage)), "as it is opened: {}", fills(&stage));
    key(&mut stage, Key::Num1);
    drag_with(
        &mut stage,
        [view.center(), view.center() + vec2(300.0, 90.0)],
        PointerButton::Middle,
        Modifiers::SHIFT,
    );
    for _ in 0..8 {
        key(&mut stage, Key::Minus);
    }
    key(&mut stage, Key::Home);
    assert!((0.6..0.95).contains(&fills(&stage)), "after Home: {}", fills(&stage));
    let small = ways(&stage)[0].length();
    let vertex = top_corner(&stage);
    let at = place(&mut stage, vertex);
    click(&mut stage, at);
    until(&mut stage, "a handle", |studio| studio.session().document.shot().edit.handles.len() == 1);
    key(&mut stage, Key::Period);
    let at = place(&mut stage, vertex);
    assert!((at - view.center()).length() < 1.0, "the handle is in the middle: {at}");
    assert!(ways(&stage)[0].length() > 2.0 * small, "and near");
    ctrl(&mut stage, Key::Z);
    key(&mut stage, Key::Period);
    assert!((0.6..0.95).contains(&fills(&stage)), "nothing is selected: all");
}

#[test]
fn views_that_are_apart_are_moved_one_by_one() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = block(folder.path(), false);
    press_id(&mut stage, "menu-view");
    press_id(&mut stage, "link-views");
    key(&mut stage, Key::Escape);
    let before = ways(&stage);
    let right = edit_view(&stage).center() + vec2(edit_view(&stage).width(), 0.0);
    drag_with(&mut stage, [right, right + vec2(80.0, 20.0)], PointerButton::Middle, NONE);
    key(&mut stage, Key::Num7);
    assert_eq!(ways(&stage), before, "the left one stays");
    let middle = edit_view(&stage).center();
    move_to(&mut stage, middle);
    key(&mut stage, Key::Num7);
    assert_ne!(ways(&stage), before, "keys are for the one under the mouse");
}

/// A body that travelled five metres left an empty view: only its rest shape was framed.
#[test]
fn a_body_that_travels_is_in_sight_from_begin_to_end() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = crate::studio::puppet::travelling(folder.path(), false, 0.55);
    let view = edit_view(&stage);
    let check = |stage: &mut Stage, when: &str| {
        for frame in [0, 5, 9] {
            crate::studio::stage::go_to(stage, frame);
            place(stage, 0);
            assert!(view.contains_rect(outline(stage)), "frame {frame} {when}: {:?}", outline(stage));
        }
    };
    check(&mut stage, "as it is opened");
    drag_with(
        &mut stage,
        [view.center(), view.center() + vec2(300.0, 90.0)],
        PointerButton::Middle,
        Modifiers::SHIFT,
    );
    key(&mut stage, Key::Home);
    check(&mut stage, "after Home");
}

/// The body was framed for a window of another shape than it then had.
#[test]
fn the_body_stays_in_sight_in_a_window_that_changes_its_shape() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = block(folder.path(), false);
    for (wide, high) in [(800.0, 900.0), (1700.0, 520.0)] {
        stage.set_size(vec2(wide, high));
        stage.run_steps(4);
        let view = edit_view(&stage);
        let seen = outline(&stage);
        let fills = (seen.width() / view.width()).max(seen.height() / view.height());
        assert!(view.contains_rect(seen) && fills > 0.6, "{wide} by {high}: {fills} of {view:?}");
    }
}

/// There was no way to stay with a body that travels.
#[test]
fn both_views_follow_the_body_at_a_key() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = crate::studio::puppet::travelling(folder.path(), false, 0.55);
    crate::studio::stage::go_to(&mut stage, 2);
    key(&mut stage, Key::F);
    let view = edit_view(&stage);
    let near = place(&mut stage, 0);
    let fills = outline(&stage).height() / view.height();
    assert!((0.5..0.95).contains(&fills), "the body alone is framed: {fills}");
    crate::studio::stage::go_to(&mut stage, 8);
    let later = place(&mut stage, 0);
    assert!((later - near).length() < 1.0, "it stays where it is on the screen: {near} {later}");
    key(&mut stage, Key::F);
    let now = place(&mut stage, 0);
    assert!((now - later).length() < 1.0, "nothing jumps when it is not followed any more");
    crate::studio::stage::go_to(&mut stage, 7);
    assert!((place(&mut stage, 0) - now).length() > 20.0, "but it goes on");
}

/// What a press would take was not to be seen before.
#[test]
fn the_vertex_under_the_mouse_is_lit_before_it_is_taken() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = block(folder.path(), false);
    let vertex = top_corner(&stage);
    let at = place(&mut stage, vertex);
    move_to(&mut stage, at);
    stage.step();
    assert_eq!(stage.state().hovered(), Some(vertex));
    click(&mut stage, at);
    until(&mut stage, "a handle", |studio| studio.session().document.shot().edit.handles.len() == 1);
    let taken = &shot(&stage).edit.handles[0].site;
    assert!(matches!(taken, supple_project::shot::Site::Vertex(v) if v.0 == vertex));
    let beside = edit_view(&stage).left_bottom() + vec2(20.0, -120.0);
    move_to(&mut stage, beside);
    stage.step();
    assert_eq!(stage.state().hovered(), None);
}
