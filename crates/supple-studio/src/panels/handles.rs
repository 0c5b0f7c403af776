//! The panel of the handles: a list with errors, all of the one that is selected, and what can be made of vertices.

use super::poses;
use crate::numbers::metres;
use crate::widgets::id;
use crate::{Studio, colours};
use eframe::egui::{Label, RichText, Ui};
use supple_project::Reason;
use supple_project::shot::{Site, Together};
use supple_session::{HandleRow, HandleState, handle_list};

pub fn show(studio: &mut Studio, ui: &mut Ui) {
    if studio.takes_poses() {
        poses::show(studio, ui);
    }
    let has_none = !studio.takes_handles() && studio.session.document.shot().edit.handle_count() == 0;
    // While the body is posed nothing else is edited.
    if has_none || studio.posing.is_some() {
        return;
    }
    let shot = studio.session.document.shot().clone();
    let rows = handle_list(&shot, studio.session.document.generation(), &studio.snapshot);
    add(studio, ui);
    ui.separator();
    if rows.is_empty() {
        let hint = match studio.has_character() {
            true => {
                "No handles yet. Drag a joint in the left view, or click it and drag its arrows. Find plants \
                     keeps feet where they stand; P plants the joint that is selected."
            }
            false => {
                "No handles yet. Drag a point on the body in the left view, or click it and drag its \
                      arrows. To select several vertices, drag on the background or press B."
            }
        };
        ui.add(Label::new(hint).wrap());
    }
    for (index, row) in rows.iter().enumerate() {
        line(studio, ui, index, row);
    }
    ui.separator();
    if let Some((index, handle)) = studio.selected.and_then(|i| Some((i, shot.edit.handle(i)?))) {
        super::handle::show(studio, ui, index, handle);
    }
}

fn line(studio: &mut Studio, ui: &mut Ui, index: usize, row: &HandleRow) {
    let (mark, colour, words) = state(row);
    let colour = colours::text(colour, ui.visuals());
    ui.horizontal(|ui| {
        ui.label(RichText::new(mark).color(colour)).on_hover_text(words.as_str());
        let is_selected = studio.selected == Some(index);
        let title =
            if row.muted { RichText::new(&row.title).strikethrough() } else { RichText::new(&row.title) };
        let label = ui.selectable_label(is_selected, title);
        if label.on_hover_text(format!("{}\n{words}", row.goal)).clicked() {
            studio.selected = Some(index);
            if let Some(mark) = studio.timeline.handles.get(index) {
                let number = studio.timeline.number(studio.view.frame);
                if !mark.frames.contains(&number) {
                    studio.view.frame = studio.timeline.index(*mark.frames.start());
                }
            }
        }
    });
    ui.indent(("goal", index), |ui| {
        ui.weak(&row.goal);
        if !matches!(row.state, HandleState::Met | HandleState::Unknown | HandleState::Muted) {
            ui.add(Label::new(RichText::new(words).color(colour)).wrap());
        }
        if matches!(row.state, HandleState::Wrong(_)) && studio.is_on_anchor(index) {
            let hint = "Remove all anchors so that this point can move";
            if id(ui.button("Release anchors").on_hover_text(hint), "release-anchors").clicked() {
                studio.release_anchors();
            }
        }
    });
}

fn state(row: &HandleRow) -> (&'static str, eframe::egui::Color32, String) {
    match &row.state {
        HandleState::Unknown => ("…", colours::SKY, "Not solved yet".to_owned()),
        HandleState::Muted => ("–", eframe::egui::Color32::GRAY, "muted".to_owned()),
        HandleState::Wrong(why) => ("!", colours::RED, why.clone()),
        HandleState::Met => ("ok", colours::GREEN, "met".to_owned()),
        HandleState::Off { error, of_velocity, redundant, reason, missing } => {
            let unit = if *of_velocity { "/s" } else { "" };
            let short = missing.map_or(String::new(), |part| format!(" ({:.0} % of the drag)", 100.0 * part));
            let why = match reason {
                Some(Reason::OutOfReach) => "; out of reach: the body follows as far as it can",
                Some(Reason::Contradicts) => "; conflicts with other handles",
                None if *redundant => "; limited by other handles or contacts",
                None => "",
            };
            let is_granted = row.soft || *reason == Some(Reason::OutOfReach);
            let colour = if is_granted { colours::ORANGE } else { colours::RED };
            ("!", colour, format!("{}{unit} short{short}{why}", metres(*error)))
        }
    }
}

/// What can be done with vertices that were picked by a box or a group.
fn picked(studio: &mut Studio, ui: &mut Ui) {
    if !studio.picked.is_empty() {
        ui.label(format!("{} vertices selected", studio.picked.len()));
        ui.horizontal_wrapped(|ui| {
            let hint = "One handle on the average of the vertices (Shift+A)";
            if id(ui.button("Add handle").on_hover_text(hint), "add-handle-mean").clicked() {
                studio.add_handle_of_picked(None);
            }
            let hint = "One handle that holds every vertex with the same offset";
            if id(ui.button("Add handle on every vertex").on_hover_text(hint), "add-handle-each").clicked() {
                studio.add_handle_of_picked(Some(Together::Each));
            }
            let hint = "Hold these vertices in place";
            if id(ui.button("Anchor").on_hover_text(hint), "anchor-picked").clicked() {
                studio.anchor_picked();
            }
            if ui.button("Deselect").on_hover_text("Deselect all vertices (Alt+A)").clicked() {
                studio.picked.clear();
            }
        });
    }
}

/// What makes handles, at a place of its own: nothing that deletes one ever comes to be there.
fn add(studio: &mut Studio, ui: &mut Ui) {
    let groups: Vec<(String, usize)> =
        studio.snapshot.stage.as_ref().and_then(|stage| stage.body.as_ref()).map_or(Vec::new(), |body| {
            body.groups.iter().map(|(name, members)| (name.to_owned(), members.len())).collect()
        });
    ui.horizontal_wrapped(|ui| {
        let whole = ui.button("Add centre-of-mass handle").on_hover_text("Moves the whole body");
        if id(whole, "add-centre-of-mass").clicked() {
            studio.add_handle(Site::CenterOfMass);
        }
        if studio.has_character() {
            let hint = "Plant the selected or picked joint at this frame, or over the playback range (P)";
            if id(ui.button("Plant").on_hover_text(hint), "plant").clicked() {
                studio.plant();
            }
            let hint = "Add a plant wherever a foot stands in the original motion";
            if id(ui.button("Find plants").on_hover_text(hint), "find-plants").clicked() {
                studio.find_plants();
            }
        }
        if groups.is_empty() {
            return;
        }
        let menu = ui.menu_button("Add group handle", |ui| {
            for (name, count) in groups {
                let entry = ui.button(format!("{name} ({count} vertices)"));
                if id(entry, &format!("group-{name}")).clicked() {
                    studio.add_handle(Site::Group(name));
                    ui.close();
                }
            }
        });
        id(menu.response, "add-group-handle");
    });
    picked(studio, ui);
}
