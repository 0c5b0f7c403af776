//! What the window remembers and clears up: its look, notices, menus, files that are not there, anchors in the way.

use crate::studio::puppet::{Puppet, STEP, TOUCHES, block};
use crate::studio::stage::{
    Stage, click, ctrl, edit_view, find, go_to, is_current, key, press_id, settle, shot, studio, try_find,
    type_into, until,
};
use eframe::egui::{Key, Rect, ThemePreference};
use egui_kittest::kittest::Queryable;
use std::sync::Arc;
use supple_model::VertexId;
use supple_project::Sample;
use supple_project::method::RealNumerics;
use supple_project::shot::{Goal, Handle, Input, Site, When};
use supple_session::{Document, Home};

/// Theme, size and panel were forgotten at every start.
#[test]
fn theme_size_and_panel_are_remembered() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = block(folder.path(), false);
    press_id(&mut stage, "tab-report");
    stage.ctx.set_theme(ThemePreference::Light);
    stage.ctx.set_zoom_factor(1.25);
    stage.run_steps(60);
    drop(stage);
    // The tests' own window sets a theme of its own after this one was read.
    let written = std::fs::read_to_string(Home::in_folder(folder.path()).window()).unwrap();
    assert!(written.contains("theme light\n"), "{written}");
    let mut stage = block(folder.path(), false);
    stage.step();
    assert_eq!(stage.ctx.zoom_factor(), 1.25);
    assert!(stage.query_by_label("Solver: Idle").is_some(), "the report is open");
}

/// Samples were in the order of their names, and the first ones a newcomer tried took a minute and a half.
#[test]
fn samples_that_are_ready_at_once_come_first() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = block(folder.path(), false);
    press_id(&mut stage, "menu-samples");
    let top = |name: &str| find(&stage, name).rect().top();
    let last = ["bird", "bar", "block", "beam", "flower"].map(|name| top(&format!("sample-{name}")));
    let slow = ["cloth", "curtain", "dinosaur", "t-rex", "bridge", "dragon"];
    let slow = slow.map(|name| top(&format!("sample-{name}")));
    assert!(slow.is_sorted(), "the sooner the higher: {slow:?}");
    assert!(last.iter().all(|ready| slow.iter().all(|slow| ready < slow)), "{last:?} {slow:?}");
    // Motions of keys are not simulated, and stood under a title that said so.
    let titles = ["samples-simulated", "samples-of-keys"].map(top);
    assert!(last[4] < titles[0] && titles[0] < slow[0], "{titles:?}");
    assert!(slow[5] < titles[1] && titles[1] < top("sample-block-stretch"), "{titles:?}");
    // A walk through poses and a bird of another material stood under motions from a few keys, and what is new would be
    // among the characters.
    let (poses, materials) = (top("samples-of-poses"), top("samples-of-materials"));
    let (keyed, characters) = (top("sample-buddha"), top("samples-of-characters"));
    assert!(keyed < poses && poses < top("sample-biped-walk") && top("sample-biped-walk") < materials);
    assert!(materials < top("sample-bird-flap") && top("sample-bird-flap") < characters);
    for sample in supple_project::SAMPLES {
        let is_last = top(&format!("sample-{}", sample.name)) > characters;
        assert_eq!(is_last, sample.is_of_character(), "{} is in no part of the menu", sample.name);
    }
}

/// The menu was higher than the window, and samples beyond its end could not be reached.
#[test]
fn every_sample_can_be_reached_in_a_window_of_any_height() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = block(folder.path(), false);
    press_id(&mut stage, "menu-samples");
    let window = Rect::from_min_size(eframe::egui::Pos2::ZERO, eframe::egui::vec2(1360.0, 820.0));
    let last = supple_project::SAMPLES.iter().rfind(|sample| sample.is_of_character()).unwrap();
    let entry = format!("sample-{}", last.name);
    assert!(!window.contains_rect(find(&stage, &entry).rect()), "they are more than fit");
    stage.hover_at(find(&stage, "sample-bird").rect().center());
    for _ in 0..60 {
        let (unit, phase) = (eframe::egui::MouseWheelUnit::Line, eframe::egui::TouchPhase::Move);
        let source = eframe::egui::MouseWheelSource::Wheel;
        let (delta, modifiers) = (eframe::egui::vec2(0.0, -3.0), eframe::egui::Modifiers::NONE);
        stage.event(eframe::egui::Event::MouseWheel { unit, delta, phase, source, modifiers });
        stage.step();
    }
    stage.run_steps(10);
    let there = find(&stage, &entry).rect();
    assert!(window.contains_rect(there), "{there:?}");
    click(&mut stage, there.center());
    stage.run_steps(2);
    press_id(&mut stage, "unsaved-discard");
    until(&mut stage, "the sample", |studio| studio.session().document.title() == last.name);
}

/// Blue and green dots on the body were explained nowhere.
#[test]
fn every_colour_in_a_view_has_its_chip() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = block(folder.path(), false);
    settle(&mut stage);
    go_to(&mut stage, *TOUCHES.start());
    for (chip, switch) in [("chip-anchored", "look-anchors"), ("chip-contact", "look-contacts")] {
        assert!(try_find(&stage, chip).is_some(), "{chip}");
        press_id(&mut stage, "tab-look");
        press_id(&mut stage, switch);
        stage.run_steps(3);
        assert!(try_find(&stage, chip).is_none(), "what is not drawn is not explained: {chip}");
    }
}

/// Notices of what went wrong stayed until they were closed one by one.
#[test]
fn notices_of_errors_leave_by_themselves() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = block(folder.path(), false);
    stage.state_mut().open_files(&[folder.path().join("film.mov")]);
    stage.run_steps(600);
    assert_eq!(stage.state().notices().count(), 1, "there is time to read it");
    stage.run_steps(660);
    assert_eq!(stage.state().notices().count(), 0);
}

/// Esc was taken by the window before menus heard of it.
#[test]
fn esc_closes_menus_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = block(folder.path(), false);
    for (menu, entry) in
        [("menu-file", "do-import-motion"), ("menu-view", "follow"), ("menu-samples", "sample-bar")]
    {
        press_id(&mut stage, menu);
        assert!(try_find(&stage, entry).is_some(), "{menu}");
        key(&mut stage, Key::Escape);
        stage.run_steps(4);
        assert!(try_find(&stage, entry).is_none(), "{menu} is closed");
    }
}

/// Long words made the side panel wider and pushed the views about.
#[test]
fn the_side_panel_stays_as_wide_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = block(folder.path(), false);
    let view = edit_view(&stage);
    press_id(&mut stage, "add-centre-of-mass");
    assert_eq!(edit_view(&stage), view, "with a handle");
    for tab in ["body", "method", "look", "report", "handles"] {
        press_id(&mut stage, &format!("tab-{tab}"));
        stage.run_steps(2);
        assert_eq!(edit_view(&stage), view, "the panel {tab}");
    }
}

/// The list of keys was in no order, and cut off; and cut off again when there were more of them.
#[test]
fn the_list_of_keys_is_sorted_and_whole() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = block(folder.path(), false);
    key(&mut stage, Key::F1);
    stage.run_steps(4);
    let window = Rect::from_min_size(eframe::egui::Pos2::ZERO, eframe::egui::vec2(1360.0, 820.0));
    let first = stage.get_by_label("Orbit left").rect();
    for words in [
        "Drag a point on the body",
        "One frame back",
        "Follow the body on or off",
        "Orbit up",
        "Undo",
        "Zoom out",
    ] {
        let places: Vec<Rect> = stage.get_all_by_label(words).map(|node| node.rect()).collect();
        assert!(places.iter().any(|place| window.contains_rect(*place)), "{words} is to be seen: {places:?}");
    }
    let second = stage.get_by_label("Orbit right").rect();
    assert!(second.top() > first.top() && (second.left() - first.left()).abs() < 1.0, "one below the other");
    assert_eq!(stage.query_all_by_label("Redo").count(), 1, "two keys of one thing are one line");
    assert!(stage.query_by_label(". or ,").is_some(), "keys are called as they are printed on them");
}

/// A shot whose mesh is not there went on showing the body of the shot before, and called it stale.
#[test]
fn a_shot_without_its_mesh_shows_nothing_and_asks_where_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = block(folder.path(), false);
    let film = Sample::named("block").unwrap().write(&folder.path().join("film")).unwrap();
    let before = supple_project::shot::Shot::load(&film).unwrap();
    let files = before.files();
    let mesh = files.iter().find(|file| before.resolve(file).is_file()).unwrap().clone();
    let (there, elsewhere) = (before.resolve(&mesh), folder.path().join("elsewhere.msh"));
    let elsewhere = elsewhere.with_extension(there.extension().unwrap_or_default());
    std::fs::rename(&there, &elsewhere).unwrap();
    stage.state_mut().open_files(&[film]);
    stage.run_steps(2);
    press_id(&mut stage, "unsaved-discard");
    until(&mut stage, "what is wrong", |studio| studio.answer().failure.is_some());
    stage.run_steps(3);
    assert!(stage.state().answer().shown.is_none(), "nothing of the shot before is shown");
    assert!(stage.query_by_label_contains("Out of date").is_none());
    let name = mesh.file_name().unwrap().to_string_lossy().into_owned();
    assert!(stage.query_all_by_label_contains(&name).next().is_some(), "it says what is missing");
    press_id(&mut stage, "locate-0");
    type_into(&mut stage, "file-path", &elsewhere.display().to_string());
    press_id(&mut stage, "file-go");
    until(&mut stage, "the body", |studio| studio.answer().failure.is_none() && is_current(studio));
    assert!(try_find(&stage, "locate-0").is_none());
    assert_eq!(stage.state().session().document.undo_steps().next(), Some("Locate file"));
}

/// A handle on what the anchors hold cannot move, and says so; the button beside it takes the anchors away.
#[test]
fn anchors_in_the_way_of_a_handle_are_released() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::in_folder(folder.path());
    let mut document = Document::sample(Sample::named("bar").unwrap(), &home).unwrap();
    let body = supple_project::Body::load(document.shot()).unwrap();
    let seen = body.skin.as_ref().map_or(body.positions().len(), |skin| skin.mesh.positions().len());
    let held = (0..seen).map(VertexId::new).find(|v| body.is_anchored(*v)).unwrap();
    document.change("let it rest", |shot| {
        (shot.motion.input, shot.motion.frames, shot.edit.modes) = (Input::Rest, Some(12), 6);
        shot.edit.handles = vec![Handle::new(When::Frame(6), Site::Vertex(held), Goal::By([0.0, 0.1, 0.0]))];
    });
    let mut stage = studio(document, &home, Arc::<RealNumerics>::default(), false);
    until(&mut stage, "what is wrong", |studio| studio.answer().problems.iter().any(Option::is_some));
    stage.run_steps(2);
    press_id(&mut stage, "release-anchors");
    assert!(shot(&stage).body.anchors.is_empty());
    settle(&mut stage);
    assert!(stage.state().answer().problems.iter().all(Option::is_none), "it can be moved now");
    assert!(try_find(&stage, "release-anchors").is_none());
    ctrl(&mut stage, Key::Z);
    assert!(!shot(&stage).body.anchors.is_empty(), "one step of undo");
}

/// While another shot was opened, the body of the one before was still shown.
#[test]
fn another_document_clears_the_view_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::in_folder(folder.path());
    let document = Document::sample(Sample::named("block").unwrap(), &home).unwrap();
    let waits: Arc<std::sync::atomic::AtomicBool> = Arc::default();
    let puppet = Puppet { waits: waits.clone(), step: STEP };
    let mut stage: Stage = studio(document, &home, Arc::new(puppet), false);
    until(&mut stage, "open", is_current);
    waits.store(true, std::sync::atomic::Ordering::Relaxed);
    let other = Sample::named("block").unwrap().write(&folder.path().join("other")).unwrap();
    stage.state_mut().open_files(&[other]);
    until(&mut stage, "an opening", |studio| studio.answer().opening.is_some());
    stage.run_steps(3);
    assert!(stage.state().answer().shown.is_none() && stage.state().answer().played.is_none());
    waits.store(false, std::sync::atomic::Ordering::Relaxed);
    until(&mut stage, "the other", is_current);
    find(&stage, "timeline");
}
