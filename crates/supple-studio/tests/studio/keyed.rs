//! The choice of a method, and the panel of sparse keys.

use crate::studio::names;
use crate::studio::puppet::{FRAMES, keyed, simulated};
use crate::studio::stage::{Stage, ctrl, find, press_id, says, set, shot, try_find, until};
use eframe::egui::Key;
use egui_kittest::kittest::NodeT;
use supple_project::shot::{Damping, Ends, Feel, Input, Method, SecondsPerFrame, Sparse, SparseSolver};

fn steps(stage: &Stage) -> usize {
    stage.state().session().document.undo_steps().count()
}

/// Chooses a method in its list.
fn choose_method(stage: &mut Stage, name: &str) {
    press_id(stage, "method");
    press_id(stage, name);
}

#[test]
fn a_method_is_chosen_in_one_step_and_what_it_drops_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = keyed(folder.path(), false);
    press_id(&mut stage, "tab-method");
    press_id(&mut stage, "gravity");
    press_id(&mut stage, "window");
    let (before, count) = (shot(&stage).clone(), steps(&stage));
    choose_method(&mut stage, "method-drag");
    assert_eq!((shot(&stage).edit.method, steps(&stage)), (Method::Drag, count + 1));
    assert!(says(stage.state(), "Method: Drag. No longer used: gravity. Undo brings it back."));
    assert_eq!(shot(&stage).edit.window, before.edit.window, "both have that");
    press_id(&mut stage, "feel-lively");
    assert_eq!(shot(&stage).edit.feel, Feel::Lively);
    choose_method(&mut stage, "method-sparse");
    assert!(says(stage.state(), "Method: Sparse keys. No longer used: feel."));
    for _ in 0..3 {
        ctrl(&mut stage, Key::Z);
    }
    assert_eq!(*shot(&stage), before);
    until(&mut stage, "open", |studio| studio.answer().is_current(studio.session().document.generation()));
}

#[test]
fn methods_that_cannot_be_chosen_are_greyed() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = simulated(folder.path());
    assert_ne!(shot(&stage).motion.input, Input::Rest);
    press_id(&mut stage, "tab-method");
    press_id(&mut stage, "method");
    let is_grey = |stage: &Stage, id: &str| find(stage, id).accesskit_node().is_disabled();
    for (id, grey) in [
        ("method-drag", false),
        ("method-sparse", true),
        ("method-material", false),
        ("method-control", true),
        ("method-character", true),
    ] {
        assert_eq!(is_grey(&stage, id), grey, "{id}");
    }
    press_id(&mut stage, "method-sparse");
    assert_eq!(shot(&stage).edit.method, Method::Drag);
}

#[test]
fn fields_of_sparse_keys_are_single_steps() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = keyed(folder.path(), false);
    press_id(&mut stage, "tab-method");
    let begin = steps(&stage);
    set(&mut stage, "modes", "24");
    press_id(&mut stage, "automatic-time");
    set(&mut stage, "seconds-per-frame", "0.01");
    press_id(&mut stage, "own-damping");
    press_id(&mut stage, "gravity");
    set(&mut stage, "gravity-y", "-1.62");
    press_id(&mut stage, "weight");
    press_id(&mut stage, "solver-settings");
    press_id(&mut stage, "solver");
    press_id(&mut stage, "solver-bfgs");
    set(&mut stage, "fade", "6");
    press_id(&mut stage, "loop-motion");
    let edit = &shot(&stage).edit;
    assert_eq!((edit.modes, edit.gravity, edit.weight), (24, Some([0.0, -1.62, 0.0]), Some(true)));
    assert_eq!(shot(&stage).motion.seconds_per_frame, SecondsPerFrame::Seconds(0.01));
    assert_eq!((edit.damping, edit.ends), (Some(Damping { mass: 0.1, stiffness: 0.01 }), Ends::Loop));
    assert_eq!(edit.sparse_settings().unwrap(), Sparse { solver: SparseSolver::Bfgs, fade: 6.0 });
    assert_eq!(steps(&stage), begin + 10);
    set(&mut stage, "fade", "-1");
    assert_eq!(shot(&stage).edit.sparse_settings().unwrap().fade, 0.0, "no less than nothing");
    press_id(&mut stage, "gravity");
    assert_eq!((shot(&stage).edit.gravity, shot(&stage).edit.weight), (None, None), "no weight without");
}

#[test]
fn all_of_it_can_be_heard() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = keyed(folder.path(), false);
    press_id(&mut stage, "tab-method");
    press_id(&mut stage, "solver-settings");
    names::check(&stage, "sparse keys");
    press_id(&mut stage, "gravity");
    names::check(&stage, "gravity");
    press_id(&mut stage, "use-segments");
    names::check(&stage, "a segment");
    press_id(&mut stage, "segment-own-modes");
    press_id(&mut stage, "add-flight");
    names::check(&stage, "a flight");
    press_id(&mut stage, "land-at-rest");
    names::check(&stage, "a height");
    press_id(&mut stage, "tab-handles");
    press_id(&mut stage, "add-centre-of-mass");
    names::check(&stage, "a key");
    assert!(shot(&stage).edit.handle_count() == 1 && try_find(&stage, "handle-at").is_some());
    assert_eq!(
        shot(&stage).edit.segments[0].length,
        supple_project::shot::Length::Frames((FRAMES - 1) as f64)
    );
}
