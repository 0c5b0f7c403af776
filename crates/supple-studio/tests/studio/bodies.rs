//! The panels of body and method, strain colours, and what is drawn while something is dragged.

use crate::studio::fake::{Fake, Stand};
use crate::studio::stage::{
    Stage, click, ctrl, find, place, press_id, see, sees, set, settle, shot, studio, try_find, until,
};
use crate::studio::views::picture;
use eframe::egui::accesskit::Toggled;
use eframe::egui::{Key, vec2};
use egui_kittest::kittest::NodeT;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use supple_project::Sample;
use supple_project::method::RealNumerics;
use supple_project::shot::{Anchor, Body, BodyKind, Feel, Input, Reach, Region, SecondsPerFrame, Spread};
use supple_session::{Document, Home};

fn block(folder: &Path, fake: &Arc<Fake>) -> Stage {
    let home = Home::in_folder(folder);
    let document = Document::sample(Sample::named("block").unwrap(), &home).unwrap();
    let mut stage = studio(document, &home, Arc::new(Stand(fake.clone())), false);
    until(&mut stage, "open", |studio| studio.answer().is_current(studio.session().document.generation()));
    stage
}

fn steps(stage: &Stage) -> usize {
    stage.state().session().document.undo_steps().count()
}

#[test]
fn what_is_shown_stays_marked_stale_until_the_new_body_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let fake = Arc::new(Fake::default());
    let mut stage = block(folder.path(), &fake);
    assert!(!sees(&stage, "Out of date"));
    press_id(&mut stage, "tab-body");
    fake.holds_openings.store(true, Ordering::Relaxed);
    if try_find(&stage, "own-material").is_some() {
        press_id(&mut stage, "own-material");
    }
    set(&mut stage, "stiffness", "7e5");
    assert_eq!(shot(&stage).body.material.unwrap().young, 7e5);
    see(&mut stage, "Out of date: showing the result before your last change");
    assert!(stage.state().answer().shown.is_some(), "the old one is still there to look at");
    fake.holds_openings.store(false, Ordering::Relaxed);
    until(&mut stage, "the new one", |studio| {
        studio.answer().is_current(studio.session().document.generation())
    });
    stage.step();
    assert!(!sees(&stage, "Out of date"));
}

#[test]
fn fields_of_the_body_are_single_steps_and_wrong_values_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = block(folder.path(), &Arc::default());
    press_id(&mut stage, "tab-body");
    if try_find(&stage, "own-material").is_some() {
        press_id(&mut stage, "own-material");
    }
    let begin = steps(&stage);
    press_id(&mut stage, "material-preset");
    press_id(&mut stage, "material-jelly");
    assert_eq!((shot(&stage).body.material.unwrap().young, steps(&stage)), (1e4, begin + 1));
    set(&mut stage, "density", "800");
    assert_eq!((shot(&stage).body.material.unwrap().density, steps(&stage)), (800.0, begin + 2));
    set(&mut stage, "poisson", "0.7");
    assert!(sees(&stage, "Poisson's ratio must be between -1 and 0.5, got 0.7"));
    assert_eq!((shot(&stage).body.material.unwrap().poisson, steps(&stage)), (0.45, begin + 2), "not taken");
    press_id(&mut stage, "revert");
    assert!(!sees(&stage, "must be between"));
    set(&mut stage, "poisson", "0.3");
    assert_eq!((shot(&stage).body.material.unwrap().poisson, steps(&stage)), (0.3, begin + 3));
    let anchors = shot(&stage).body.anchors.len();
    press_id(&mut stage, "add-anchor");
    press_id(&mut stage, "anchor-below");
    assert_eq!((shot(&stage).body.anchors.len(), steps(&stage)), (anchors + 1, begin + 4));
    assert!(try_find(&stage, "anchor-height").is_some());
    ctrl(&mut stage, Key::Z);
    assert_eq!(shot(&stage).body.anchors.len(), anchors);
}

#[test]
fn a_region_has_numbers_of_its_own_and_cannot_be_empty() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = block(folder.path(), &Arc::default());
    let home = Home::in_folder(folder.path());
    let mut document = Document::sample(Sample::named("block").unwrap(), &home).unwrap();
    document.change("Add region", |shot| {
        shot.body.regions =
            vec![Region { group: "mast".into(), young: Some(2e7), poisson: None, density: None }];
        shot.body.anchors = vec![Anchor::Box { min: [0.0; 3], max: [1.0; 3] }];
    });
    drop(std::mem::replace(&mut stage, studio(document, &home, Arc::new(Stand(Arc::default())), false)));
    stage.step();
    press_id(&mut stage, "tab-body");
    set(&mut stage, "stiffness-mast", "3e7");
    assert_eq!(shot(&stage).body.regions[0].young, Some(3e7));
    press_id(&mut stage, "own-density-mast");
    assert!(shot(&stage).body.regions[0].density.is_some());
    press_id(&mut stage, "own-density-mast");
    press_id(&mut stage, "own-stiffness-mast");
    assert!(sees(&stage, "Region mast changes nothing"));
    assert_eq!(shot(&stage).body.regions[0].young, Some(3e7), "not taken");
    press_id(&mut stage, "revert");
    set(&mut stage, "corner-min-x", "2");
    assert!(sees(&stage, "The box is empty along x"));
    press_id(&mut stage, "tab-handles");
    press_id(&mut stage, "tab-body");
    assert!(!sees(&stage, "The box is empty"), "what is wrong does not go along");
    press_id(&mut stage, "remove-region-mast");
    assert!(shot(&stage).body.regions.is_empty());
}

#[test]
fn every_control_of_the_method_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = block(folder.path(), &Arc::default());
    press_id(&mut stage, "tab-method");
    set(&mut stage, "modes", "0");
    assert!(sees(&stage, "Modes must be 1 to 20000, got 0"));
    set(&mut stage, "modes", "9");
    assert_eq!(shot(&stage).edit.modes, 9);
    press_id(&mut stage, "feel-smooth");
    assert_eq!(shot(&stage).edit.feel, Feel::Smooth);
    set(&mut stage, "reach", "12");
    assert_eq!(shot(&stage).edit.reach, Some(Reach(12.0)));
    set(&mut stage, "spread", "0.5");
    assert_eq!(shot(&stage).edit.spread, Some(Spread(0.5)));
    press_id(&mut stage, "feel-lively");
    assert_eq!(shot(&stage).edit.feel, Feel::Lively);
    press_id(&mut stage, "fades");
    set(&mut stage, "fade-length", "12");
    set(&mut stage, "space", "-0.5");
    assert_eq!((shot(&stage).edit.expert().fade, shot(&stage).edit.expert().space), (Some(12.0), Some(-0.5)));
    press_id(&mut stage, "own-damping");
    set(&mut stage, "damping-mass", "0.2");
    assert_eq!(shot(&stage).edit.damping.unwrap().mass, 0.2);
    press_id(&mut stage, "wiggle-free");
    set(&mut stage, "wiggle-free-weight", "-1");
    assert!(sees(&stage, "Smoothness in space must be greater than 0"));
    press_id(&mut stage, "revert");
    assert_eq!(shot(&stage).edit.expert().wiggle_free, Some(1.0));
    if shot(&stage).motion.seconds_per_frame == SecondsPerFrame::Auto {
        press_id(&mut stage, "automatic-time");
    }
    set(&mut stage, "seconds-per-frame", "0.02");
    assert_eq!(shot(&stage).motion.seconds_per_frame, SecondsPerFrame::Seconds(0.02));
    for name in ["warp", "exact", "window", "loop-motion", "part"] {
        assert!(try_find(&stage, name).is_some(), "{name}");
    }
}

/// A sheet of cloth of 80 × 80 vertices, hung up by one side.
fn sheet(folder: &Path) -> Stage {
    let side = 80_u32;
    let points: String = (0..side * side)
        .map(|v| format!("v {} {} 0\n", f64::from(v % side) / 79.0, f64::from(v / side) / 79.0))
        .collect();
    let square = |k: u32| {
        let a = k / (side - 1) * side + k % (side - 1) + 1;
        format!("f {a} {} {}\nf {} {} {a}\n", a + 1, a + side + 1, a + side + 1, a + side)
    };
    let faces: String = (0..(side - 1) * (side - 1)).map(square).collect();
    let mesh = folder.join("sheet.obj");
    std::fs::write(&mesh, points + &faces).unwrap();
    let home = Home::in_folder(folder);
    let mut document = Document::sample(Sample::named("block").unwrap(), &home).unwrap();
    document.change("hang up a sheet", |shot| {
        shot.body = Body::new(BodyKind::Cloth, mesh);
        shot.body.anchors = vec![Anchor::Above { axis: supple_project::shot::Axis::Y, at: 0.99 }];
        (shot.motion.input, shot.motion.frames) = (Input::Rest, Some(4));
        (shot.edit.modes, shot.contacts) = (6, None);
        shot.edit.handles.clear();
    });
    studio(document, &home, Arc::<RealNumerics>::default(), true)
}

#[test]
fn fewer_triangles_are_drawn_while_something_is_dragged() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = sheet(folder.path());
    settle(&mut stage);
    stage.key_press(Key::Space);
    press_id(&mut stage, "tab-look");
    // It is by itself where there is no graphics processor.
    let coarser = find(&stage, "look-coarse").accesskit_node().toggled();
    if coarser != Some(Toggled::True) {
        press_id(&mut stage, "look-coarse");
    }
    let all = 2 * 79 * 79;
    stage.render().unwrap();
    assert_eq!(stage.state().drawn_triangles(), all);
    let at = place(&mut stage, 40);
    click(&mut stage, at);
    settle(&mut stage);
    stage.drag_at(at);
    stage.step();
    stage.hover_at(at + vec2(0.0, 25.0));
    stage.step();
    until(&mut stage, "a step", |studio| studio.answer().step.is_some());
    // They are made beside the window, when they are first asked for.
    let mut few = all;
    for k in 0..200 {
        stage.hover_at(at + vec2(0.0, 25.0 + (k % 10) as f32));
        stage.step();
        stage.step();
        stage.render().unwrap();
        few = few.min(stage.state().drawn_triangles());
        if few < all {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert!(few <= 12_000, "{few} of {all} while it is dragged");
    stage.drop_at(at + vec2(0.0, 25.0));
    stage.step();
    settle(&mut stage);
    stage.render().unwrap();
    assert_eq!(stage.state().drawn_triangles(), all, "all of them are back");
    press_id(&mut stage, "look-strain");
    see(&mut stage, "Strain, maximum");
    picture(&mut stage, "strain-legend");
    let strain = stage.state().answer().shown.as_ref().unwrap().strain.clone().unwrap();
    assert_eq!(strain.drawn.len(), 6400);
}
