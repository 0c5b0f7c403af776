//! Who does not see the window hears it: everything that can be pressed or changed has a name of its own, and what a name
//! does not say is said when it is pointed at.

use crate::studio::puppet::block;
use crate::studio::stage::{Stage, click, ctrl, key, place, press_id, shot, until};
use eframe::egui::{Event, Key};
use egui_kittest::kittest::{NodeT, Queryable};
use std::collections::BTreeMap;

/// Something that can be pressed or changed.
struct Control {
    role: String,
    name: String,
    /// What is said when it is pointed at.
    hint: String,
    is_disabled: bool,
}

const CONTROLS: [&str; 8] =
    ["Button", "CheckBox", "RadioButton", "SpinButton", "Slider", "TextInput", "ComboBox", "Link"];

/// Names that say all: the curves of a plot, which can be left out.
const PLAIN: [&str; 3] = ["along x", "along y", "along z"];

fn controls(stage: &Stage) -> Vec<Control> {
    fn visit(node: egui_kittest::Node<'_>, found: &mut Vec<Control>) {
        let here = node.accesskit_node();
        let role = format!("{:?}", here.role());
        if CONTROLS.contains(&role.as_str()) {
            found.push(Control {
                role,
                name: here.label().unwrap_or_default().clone(),
                hint: here.data().description().unwrap_or_default().to_owned(),
                is_disabled: here.is_disabled(),
            });
        }
        for child in node.children() {
            visit(child, found);
        }
    }
    let mut found = Vec::new();
    visit(stage.root(), &mut found);
    found
}

/// Fails if something has no words, the words of something else, or a field says no more than its name.
pub fn check(stage: &Stage, place: &str) {
    let found = controls(stage);
    assert!(found.len() > 10, "{place}: the walk finds what is there");
    let (mut names, mut wrong): (BTreeMap<(&str, &str), usize>, Vec<String>) = Default::default();
    for Control { role, name, hint, is_disabled } in &found {
        *names.entry((role, name)).or_default() += 1;
        if !name.chars().any(char::is_alphanumeric) {
            wrong.push(format!("a {role} without words: {name:?}"));
        }
        let is_field = !["Button", "TextInput"].contains(&role.as_str()) && !PLAIN.contains(&name.as_str());
        // A slider and the number beside it are one.
        let is_said = |other: &Control| other.name == *name && !other.hint.is_empty();
        if is_field && !is_disabled && hint.is_empty() && !found.iter().any(is_said) {
            wrong.push(format!("nothing is said of the {role} {name:?}"));
        }
    }
    let twice = names.iter().filter(|(_, count)| **count > 1);
    wrong.extend(twice.map(|((role, name), count)| format!("{count} times a {role} {name:?}")));
    assert!(wrong.is_empty(), "{place}: {wrong:#?}");
}

/// A studio with a handle of every kind of field.
fn with_handles(folder: &std::path::Path) -> Stage {
    let mut stage = block(folder, false);
    let rest = &stage.state().answer().stage.as_ref().unwrap().rest;
    let sum = |v: &usize| rest[*v].iter().sum::<f32>();
    let vertex = (0..rest.len()).max_by(|a, b| sum(a).total_cmp(&sum(b))).unwrap() as u32;
    let at = place(&mut stage, vertex);
    click(&mut stage, at);
    until(&mut stage, "a handle", |studio| studio.session().document.shot().edit.handles.len() == 1);
    press_id(&mut stage, "hold-soft");
    press_id(&mut stage, "play-range");
    stage
}

#[test]
fn every_panel_can_be_heard() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = with_handles(folder.path());
    for tab in ["tab-body", "tab-method", "tab-look", "tab-report", "tab-handles"] {
        press_id(&mut stage, tab);
        check(&stage, tab);
    }
    key(&mut stage, Key::A);
    check(&stage, "vertices selected");
    press_id(&mut stage, "tab-method");
    for field in ["window", "feel-lively", "own-damping", "wiggle-free", "automatic-time"] {
        press_id(&mut stage, field);
        check(&stage, field);
    }
    press_id(&mut stage, "tab-handles");
    press_id(&mut stage, "add-centre-of-mass");
    for kind in ["goal-to", "goal-velocity", "goal-plane", "goal-by"] {
        press_id(&mut stage, "constraint");
        press_id(&mut stage, kind);
        check(&stage, kind);
    }
    assert_eq!(shot(&stage).edit.handles.len(), 2);
}

#[test]
fn every_menu_and_dialog_can_be_heard() {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = with_handles(folder.path());
    for menu in ["menu-file", "menu-edit", "menu-view", "menu-samples", "menu-help"] {
        press_id(&mut stage, menu);
        check(&stage, menu);
        key(&mut stage, Key::Escape);
        stage.step();
    }
    for (dialog, words) in [(Key::O, "Open a file"), (Key::S, "Save as")] {
        ctrl(&mut stage, dialog);
        stage.step();
        assert!(stage.query_by_label(words).is_some(), "{words}");
        check(&stage, words);
        key(&mut stage, Key::Escape);
        stage.step();
    }
    ctrl(&mut stage, Key::I);
    stage.step();
    stage.event(Event::Text("typed.glb".to_owned()));
    stage.run_steps(2);
    assert!(stage.query_all_by_value("typed.glb").next().is_some(), "the path is asked first");
    key(&mut stage, Key::Escape);
    stage.step();
    key(&mut stage, Key::F1);
    stage.step();
    check(&stage, "the list of keys");
    ctrl(&mut stage, Key::Q);
    stage.step();
    assert!(stage.query_by_label_contains("has unsaved changes").is_some());
    check(&stage, "what was not saved");
}
