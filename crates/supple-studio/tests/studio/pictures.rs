//! What a person sees, in pictures: marks that are switched, lines of pairs and velocities, screens with more pixels.

use crate::studio::puppet::{START, TOUCHES, block, block_on, keyed};
use crate::studio::stage::{
    Stage, click, drag, edit_view, find, go_to, key, place, press_id, shot, type_text, until,
};
use crate::studio::views::{differing, picture};
use eframe::egui::{Key, Pos2, vec2};
use std::sync::Arc;

fn corner(stage: &Stage, way: [f32; 3]) -> u32 {
    let rest = &stage.state().answer().stage.as_ref().unwrap().rest;
    let along = |v: &usize| (0..3).map(|c| rest[*v][c] * way[c]).sum::<f32>();
    (0..rest.len()).max_by(|a, b| along(a).total_cmp(&along(b))).unwrap() as u32
}

fn hold(stage: &mut Stage, vertex: u32) -> Pos2 {
    let count = shot(stage).edit.handles.len();
    let at = place(stage, vertex);
    click(stage, at);
    until(stage, "a handle", |studio| studio.session().document.shot().edit.handles.len() == count + 1);
    place(stage, vertex)
}

#[test]
fn contacts_anchors_grid_and_handles_are_shown_and_switched() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = block(folder.path(), true);
    go_to(&mut stage, *TOUCHES.start());
    let vertex = corner(&stage, [1.0, 1.0, 1.0]);
    hold(&mut stage, vertex);
    press_id(&mut stage, "tab-look");
    let view = edit_view(&stage);
    let mut last = picture(&mut stage, "marks");
    for name in ["contacts", "anchors", "grid", "handles"] {
        press_id(&mut stage, &format!("look-{name}"));
        let now = picture(&mut stage, &format!("without-{name}"));
        let count = differing(&last, &now, view);
        assert!(count > 30, "{name}: {count} pixels differ");
        last = now;
    }
    press_id(&mut stage, "look-contacts");
    let touching = picture(&mut stage, "touching");
    assert!(differing(&last, &touching, view) > 30);
    go_to(&mut stage, *TOUCHES.end() + 1);
    press_id(&mut stage, "look-contacts");
    let without = picture(&mut stage, "not-touching");
    press_id(&mut stage, "look-contacts");
    let with = picture(&mut stage, "not-touching-either");
    assert_eq!(differing(&without, &with, view), 0, "nothing touches in this frame");
}

#[test]
fn pairs_are_lines_and_velocities_arrows() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = block(folder.path(), true);
    let (one, other) = (corner(&stage, [1.0, 1.0, 1.0]), corner(&stage, [-1.0, 1.0, 1.0]));
    hold(&mut stage, one);
    let view = edit_view(&stage);
    let alone = picture(&mut stage, "alone");
    press_id(&mut stage, "relative-to");
    let at = place(&mut stage, other);
    click(&mut stage, at);
    place(&mut stage, one);
    let pair = picture(&mut stage, "pair");
    let middle = at + (place(&mut stage, one) - at) * 0.5;
    let near = eframe::egui::Rect::from_center_size(middle, vec2(24.0, 24.0));
    let count = differing(&alone, &pair, near.intersect(view));
    assert!(count > 15, "a line between both: {count} pixels differ");
    press_id(&mut stage, "make-absolute");
    press_id(&mut stage, "constraint");
    press_id(&mut stage, "goal-velocity");
    key(&mut stage, Key::G);
    key(&mut stage, Key::Y);
    type_text(&mut stage, "2");
    let typed = picture(&mut stage, "typed");
    key(&mut stage, Key::Enter);
    assert!(differing(&alone, &typed, view) > 100, "an arrow upward, and the number");
    assert_eq!(*shot(&stage).edit.handles[0].when.range().start(), START + 5);
}

#[test]
fn twice_the_pixels_hit_the_same_vertices_in_pictures_twice_as_large() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let mut seen = Vec::new();
    for (folder, pixels) in folders.iter().zip([1.0_f32, 2.0]) {
        let mut stage = block_on(folder.path(), true, pixels, Arc::default());
        let ways = [[1.0, 1.0, 1.0], [-1.0, 1.0, 1.0]];
        let places: Vec<Pos2> =
            ways.map(|way| corner(&stage, way)).map(|vertex| hold(&mut stage, vertex)).into();
        drag(&mut stage, places[1], &[places[1] + vec2(9.0, -20.0), places[1] + vec2(12.0, -40.0)]);
        let picture = picture(&mut stage, &format!("pixels-{pixels}"));
        assert_eq!(picture.size, [1360, 820].map(|points| points * pixels as u32));
        let handles: Vec<_> = shot(&stage).edit.handles.iter().map(|handle| handle.site.clone()).collect();
        seen.push((places, handles, shot(&stage).edit.handles[1].goal.clone()));
    }
    let far = seen[0].0.iter().zip(&seen[1].0).map(|(a, b)| (*a - *b).length()).fold(0.0, f32::max);
    assert!(far < 1.0, "the same places: {far} points apart");
    assert_eq!(seen[0].1, seen[1].1, "the same vertices");
    let supple_project::shot::Goal::By(one) = seen[0].2 else { panic!("it moves by something") };
    let supple_project::shot::Goal::By(two) = seen[1].2 else { panic!("it moves by something") };
    assert!((0..3).all(|c| (one[c] - two[c]).abs() < 0.01), "as far: {one:?} {two:?}");
}

/// The body seemed to hang anywhere, and its edges were stairs where a processor draws it.
#[test]
fn a_shadow_falls_on_the_ground_and_edges_are_smooth_once_all_stands_still() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = block(folder.path(), true);
    let view = edit_view(&stage);
    press_id(&mut stage, "tab-report");
    let is_slow = crate::studio::stage::sees(&stage, "No GPU");
    stage.ctx.set_theme(eframe::egui::Theme::Light);
    press_id(&mut stage, "tab-look");
    let quick = picture(&mut stage, "edges-quick");
    stage.run_steps(30);
    let fine = picture(&mut stage, "edges-fine");
    let count = differing(&quick, &fine, view);
    assert!(!is_slow || count > 40, "{count} pixels differ");
    let again = picture(&mut stage, "edges-again");
    assert_eq!(differing(&fine, &again, view), 0, "and then it stays");
    press_id(&mut stage, "look-shadow");
    let without = picture(&mut stage, "no-shadow");
    let count = differing(&quick, &without, view);
    assert!(count > 200, "{count} pixels differ");
}

/// The grid lay under the rest shape: a body that travels left it behind.
#[test]
fn the_grid_is_below_what_is_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = crate::studio::puppet::travelling(folder.path(), true, 5.0);
    go_to(&mut stage, 9);
    key(&mut stage, Key::F);
    stage.run_steps(2);
    let view = edit_view(&stage);
    press_id(&mut stage, "tab-look");
    let with = picture(&mut stage, "grid-far");
    press_id(&mut stage, "look-grid");
    let without = picture(&mut stage, "grid-far-without");
    let left = eframe::egui::Rect::from_min_max(view.min, view.center_bottom());
    let right = eframe::egui::Rect::from_min_max(view.center_top(), view.max);
    for half in [left, right] {
        let count = differing(&with, &without, half);
        assert!(count > 1000, "{count} pixels differ");
    }
}

#[test]
fn segments_are_drawn_end_to_end_and_flights_otherwise() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = keyed(folder.path(), true);
    press_id(&mut stage, "use-segments");
    go_to(&mut stage, 4);
    press_id(&mut stage, "split-segment");
    press_id(&mut stage, "tab-handles");
    press_id(&mut stage, "add-centre-of-mass");
    press_id(&mut stage, "constraint");
    press_id(&mut stage, "goal-velocity");
    key(&mut stage, Key::G);
    type_text(&mut stage, "1");
    key(&mut stage, Key::Tab);
    type_text(&mut stage, "2");
    key(&mut stage, Key::Enter);
    until(&mut stage, "solved", crate::studio::stage::is_current);
    let ground = picture(&mut stage, "segments-ground");
    let line = find(&stage, "timeline").rect();
    click(&mut stage, line.left_top() + vec2(200.0, 34.0));
    press_id(&mut stage, "add-flight");
    until(&mut stage, "solved", crate::studio::stage::is_current);
    let flight = picture(&mut stage, "segments-flight");
    let lane = eframe::egui::Rect::from_min_size(line.left_top() + vec2(0.0, 24.0), vec2(line.width(), 20.0));
    assert!(differing(&ground, &flight, lane) > 300);
    click(&mut stage, line.left_top() + vec2(200.0, 34.0));
    let other = picture(&mut stage, "segments-selected");
    assert!(differing(&flight, &other, lane) > 100, "what is selected is seen");
    stage.ctx.set_theme(eframe::egui::Theme::Light);
    stage.run_steps(3);
    picture(&mut stage, "segments-light");
}

#[test]
fn a_part_is_seen_while_it_is_turned_and_when_it_is_held() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = keyed(folder.path(), true);
    press_id(&mut stage, "add-group-handle");
    press_id(&mut stage, "group-top");
    press_id(&mut stage, "points-each");
    let view = edit_view(&stage);
    until(&mut stage, "solved", crate::studio::stage::is_current);
    let before = picture(&mut stage, "part-held");
    key(&mut stage, Key::R);
    key(&mut stage, Key::Y);
    type_text(&mut stage, "40");
    until(&mut stage, "a step", crate::studio::stage::is_current);
    let turned = picture(&mut stage, "part-turned");
    assert!(differing(&before, &turned, view) > 200);
    key(&mut stage, Key::Enter);
    press_id(&mut stage, "tab-method");
    picture(&mut stage, "part-method");
}
