//! The menu bar, and beside it what runs.

use crate::dialogs::Leaving;
use crate::widgets::id;
use crate::{Studio, keys};
use eframe::egui::{self, Button, MenuBar, ProgressBar, ThemePreference, Ui};
use std::f64::consts::{FRAC_PI_2, PI};
use supple_project::{SAMPLES, Sample};
use supple_session::JobKind;

/// Shows it, at the top of the window.
pub fn show(studio: &mut Studio, ui: &mut Ui) {
    egui::Panel::top("menu").show(ui, |ui| {
        MenuBar::new().ui(ui, |ui| {
            id(ui.menu_button("File", |ui| file(studio, ui)).response, "menu-file");
            id(ui.menu_button("Edit", |ui| edit(studio, ui)).response, "menu-edit");
            id(ui.menu_button("View", |ui| view(studio, ui)).response, "menu-view");
            id(ui.menu_button("Samples", |ui| samples(studio, ui)).response, "menu-samples");
            id(ui.menu_button("Help", |ui| help(studio, ui)).response, "menu-help");
            ui.separator();
            running(studio, ui);
        });
    });
}

/// An entry that says its keys; answers whether it was chosen.
fn entry(ui: &mut Ui, name: &str, does: &str, enabled: bool) -> bool {
    let keys = keys::of(does, ui.ctx());
    let button = ui.add_enabled(enabled, Button::new(name).shortcut_text(keys));
    // What it does is also what its key is found by.
    let chosen = id(button, &format!("do-{}", does.to_lowercase().replace(' ', "-"))).clicked();
    if chosen {
        ui.close();
    }
    chosen
}

fn file(studio: &mut Studio, ui: &mut Ui) {
    if entry(ui, "Open …", "Open shot", true) {
        studio.dialogs.open(&studio.session);
    }
    ui.menu_button("Open recent", |ui| {
        let paths = studio.session.recent().paths();
        if paths.is_empty() {
            ui.weak("No recent files");
        }
        for path in paths {
            if ui.button(path.display().to_string()).clicked() {
                studio.dialogs.leave(Leaving::Open(path), &studio.session);
                ui.close();
            }
        }
    });
    if entry(ui, "Save", "Save", true) {
        keys::save(studio);
    }
    if entry(ui, "Save as …", "Save as", true) {
        studio.dialogs.save_as(&studio.session);
    }
    ui.separator();
    if entry(ui, "Import motion …", "Import motion", true) {
        studio.dialogs.import("".as_ref());
    }
    if entry(ui, "Export motion …", "Export edited motion", true) {
        studio.dialogs.export(&studio.session);
    }
    let hint = "Make the edited motion the new original and clear the handles";
    if ui.button("Bake edit").on_hover_text(hint).clicked() {
        let task = studio.session.document.bake_task();
        if let Some(task) = studio.hear(task) {
            studio.session.jobs.start(task);
        }
        ui.close();
    }
    let hint = "Find what material the original motion is of, from its first half, and edit it with that";
    if ui.button("Recover material").on_hover_text(hint).clicked() {
        let task = studio.session.document.recover_task();
        if let Some(task) = studio.hear(task) {
            studio.session.jobs.start(task);
        }
        ui.close();
    }
    ui.separator();
    if entry(ui, "Quit", "Quit", true) {
        studio.dialogs.leave(Leaving::Quit, &studio.session);
    }
}

fn edit(studio: &mut Studio, ui: &mut Ui) {
    let named = |verb: &str, step: Option<&str>| match step {
        Some(step) => format!("{verb}: {step}"),
        None => verb.to_owned(),
    };
    let document = &studio.session.document;
    let (back, forth) = (document.undo_steps().next(), document.redo_steps().next());
    let (undo, can_undo) = (named("Undo", back), back.is_some());
    let (redo, can_redo) = (named("Redo", forth), forth.is_some());
    if entry(ui, &undo, "Undo", can_undo) {
        keys::undo(studio);
    }
    if entry(ui, &redo, "Redo", can_redo) {
        keys::redo(studio);
    }
    ui.separator();
    let (selected, pose) = (studio.selected.is_some(), studio.pose.is_some());
    let name = if pose && !selected { "Delete pose" } else { "Delete handle" };
    if entry(ui, name, "Delete handle or pose", selected || pose) {
        studio.delete_selected();
    }
    if entry(ui, "Mute handle", "Mute or unmute the handle", selected) {
        studio.mute_selected();
    }
    let picked = !studio.picked.is_empty();
    if entry(ui, "Add handle from selection", "Add handle from selection", picked) {
        studio.add_handle_of_picked(None);
    }
    let can_pose = studio.takes_poses() && studio.posing.is_none();
    if entry(ui, "Pose the body", "Pose the body at this frame", can_pose) {
        studio.begin_pose();
    }
}

fn view(studio: &mut Studio, ui: &mut Ui) {
    if entry(ui, "Frame all", "Frame all", true) {
        studio.frame_all();
    }
    if entry(ui, "Frame selected", "Frame selected", true) {
        studio.frame_selected();
    }
    let mut follows = studio.follows.is_some();
    let hint = "Both views move with the body (F)";
    if id(ui.checkbox(&mut follows, "Follow the body").on_hover_text(hint), "follow").changed() {
        studio.follow_or_not();
    }
    let sides = [
        ("Front", "View from the front", 0.0, 0.0),
        ("Right", "View from the right", FRAC_PI_2, 0.0),
        ("Top", "View from the top", 0.0, FRAC_PI_2),
        ("Back", "View from the back", PI, 0.0),
        ("Left", "View from the left", -FRAC_PI_2, 0.0),
        ("Bottom", "View from the bottom", 0.0, -FRAC_PI_2),
    ];
    for (name, does, yaw, pitch) in sides {
        if entry(ui, name, does, true) {
            keys::look_from(studio, yaw, pitch);
        }
    }
    let mut parallel = studio.cameras[0].parallel;
    let hint = "Switch off perspective (5)";
    if ui.checkbox(&mut parallel, "Orthographic").on_hover_text(hint).changed() {
        studio.move_cameras(|camera| camera.set_parallel(parallel));
    }
    let hint = "Orbit, pan and zoom both views together";
    let field = ui.checkbox(&mut studio.linked, "Link views").on_hover_text(hint);
    if id(field, "link-views").changed() && studio.linked {
        studio.cameras[1] = studio.cameras[0];
    }
    ui.separator();
    ui.label("Theme");
    let mut theme = ui.ctx().options(|options| options.theme_preference);
    let before = theme;
    let themes = [
        (ThemePreference::Dark, "Dark", "theme-dark", "Dark theme"),
        (ThemePreference::Light, "Light", "theme-light", "Light theme"),
        (ThemePreference::System, "System", "theme-system", "Follow the desktop's theme"),
    ];
    for (choice, name, called, hint) in themes {
        id(ui.radio_value(&mut theme, choice, name).on_hover_text(hint), called);
    }
    if theme != before {
        ui.ctx().set_theme(theme);
    }
    let mut zoom = ui.ctx().zoom_factor();
    let slider = egui::Slider::new(&mut zoom, 0.6..=2.5).text("Interface scale").update_while_editing(false);
    let slider = ui.add(slider).on_hover_text("Size of text and controls (Ctrl+Plus, Ctrl+Minus)");
    if slider.drag_stopped() || slider.lost_focus() {
        ui.ctx().set_zoom_factor(zoom);
    }
}

/// A part of the menu of samples: what it and its title are called, and its samples, by how soon they can be edited.
/// Those of characters are the last part, whatever there is.
const PARTS: [(&str, &str, &[&str]); 6] = [
    ("samples-at-once", "", &["bird", "bar", "block", "beam", "flower"]),
    (
        "samples-simulated",
        "Simulated on opening (up to 30 s)",
        &["cloth", "curtain", "beam-recovery", "dinosaur-recovery", "dinosaur", "t-rex", "bridge", "dragon"],
    ),
    (
        "samples-of-keys",
        "Motion from a few keys",
        &[
            "block-stretch",
            "block-tilt",
            "block-twist",
            "x-jump",
            "x-walk",
            "x-handspring",
            "cactus-jump",
            "cactus-triple-jump",
            "buddha",
        ],
    ),
    (
        "samples-of-poses",
        "Motion through key poses",
        &["pansy", "fish", "elephant", "biped-walk", "spring-bridge"],
    ),
    (
        "samples-of-materials",
        "Material that suits the motion",
        &["flower-circle", "flower-near", "bird-flap", "skateboard", "t-rex-jump"],
    ),
    ("samples-of-characters", "Characters", &[]),
];

/// Which part of the menu a sample is in, and where in it.
fn place_in_menu(sample: &Sample) -> (usize, usize) {
    let place = |names: &[&str]| names.iter().position(|name| *name == sample.name);
    let found = PARTS.iter().enumerate().find_map(|(part, (_, _, names))| Some((part, place(names)?)));
    found.unwrap_or((PARTS.len() - 1, 0))
}

fn samples(studio: &mut Studio, ui: &mut Ui) {
    let mut all: Vec<&'static Sample> = SAMPLES.iter().collect();
    all.sort_by_key(|sample| place_in_menu(sample));
    studio.thumbnails.update(&all, ui.ctx());
    let room = (ui.ctx().content_rect().bottom() - ui.cursor().top() - 24.0).max(120.0);
    egui::ScrollArea::vertical().max_height(room).min_scrolled_height(room).show(ui, |ui| {
        let mut part = 0;
        for sample in all {
            let (of, _) = place_in_menu(sample);
            if of != part {
                part = of;
                ui.separator();
                id(ui.weak(PARTS[of].1), PARTS[of].0);
            }
            ui.horizontal(|ui| {
                studio.thumbnails.show(sample.name, ui);
                let button = ui.button(sample.name).on_hover_text(sample.about);
                if id(button, &format!("sample-{}", sample.name)).clicked() {
                    studio.dialogs.leave(Leaving::Sample(sample.name), &studio.session);
                    ui.close();
                }
            });
        }
    });
}

fn help(studio: &mut Studio, ui: &mut Ui) {
    if entry(ui, "Keyboard and mouse", "Keyboard shortcuts", true) {
        studio.dialogs.show_keys = true;
    }
    ui.label(concat!("Supple ", env!("CARGO_PKG_VERSION")));
}

/// Openings and jobs, each with a way to stop it.
fn running(studio: &mut Studio, ui: &mut Ui) {
    if let Some(opening) = studio.snapshot.opening.clone() {
        let left = opening.seconds_left.filter(|left| *left >= 1.0);
        let left = left.map_or(String::new(), |left| format!(", {left:.0} s left"));
        let text = format!("{}{left}", opening.what);
        let bar = ProgressBar::new(opening.fraction as f32).desired_width(150.0).text(text);
        ui.add(bar);
        let stop = ui.small_button("×").on_hover_text("Stop preparing").accessible_name("Stop preparing");
        if stop.clicked() {
            studio.session.solver.cancel_opening();
        }
    } else if studio.snapshot.failure.is_some() && ui.button("Try again").clicked() {
        studio.session.solver.open_again();
    }
    if let Some(fraction) = studio.snapshot.solving {
        ui.add(ProgressBar::new(fraction as f32).desired_width(150.0).text("Solving"));
        let keep = "Stop and keep the best so far";
        if ui.small_button("Stop").on_hover_text(keep).accessible_name(keep).clicked() {
            studio.session.solver.stop_solving();
        }
        let cancel = ui.small_button("×").on_hover_text("Cancel solving").accessible_name("Cancel solving");
        if cancel.clicked() {
            studio.session.solver.cancel_solving();
        }
    }
    for job in studio.session.jobs.running() {
        if job.kind == JobKind::Autosave {
            continue;
        }
        let text = match &job.what {
            None => job.kind.to_string(),
            Some(what) => format!("{}: {what}", job.kind),
        };
        ui.add(ProgressBar::new(job.fraction as f32).desired_width(280.0).text(text));
        let name = format!("Cancel {}", job.kind);
        let cancel = ui.small_button("×").on_hover_text(&name).accessible_name(name.as_str());
        if id(cancel, "cancel-job").clicked() {
            studio.session.jobs.cancel(job.id);
        }
    }
}
