//! What stays in place: below or above a height, in a box, a group, vertices that were picked.

use super::super::number::{Number, Rule};
use crate::draft::Draft;
use crate::widgets::id;
use eframe::egui::{ComboBox, DragValue, Ui};
use supple_project::shot::{Anchor, Axis, Shot};

const AXES: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];

pub fn anchors(ui: &mut Ui, shot: &mut Shot, draft: &mut Draft, groups: &[String]) {
    ui.separator();
    ui.strong("Anchors").on_hover_text("Vertices held in place. With no anchors the body moves freely");
    let mut gone = None;
    for (index, anchor) in shot.body.anchors.iter_mut().enumerate() {
        ui.push_id(("anchor", index), |ui| {
            ui.horizontal(|ui| {
                let words = words(anchor);
                ui.label(&words);
                let remove = ui.small_button("×").on_hover_text("Remove");
                let remove = remove.accessible_name(format!("Remove anchor {words}"));
                if id(remove, &format!("remove-anchor-{index}")).clicked() {
                    gone = Some(index);
                }
            });
            ui.indent("numbers", |ui| numbers(ui, anchor, draft));
        });
    }
    if let Some(index) = gone {
        shot.body.anchors.remove(index);
        draft.change("Remove anchor");
    }
    let menu = ui.menu_button("Add anchor", |ui| {
        let mut new = None;
        if id(ui.button("Below a height"), "anchor-below").clicked() {
            new = Some(Anchor::Below { axis: Axis::Y, at: 0.0 });
        }
        if id(ui.button("Above a height"), "anchor-above").clicked() {
            new = Some(Anchor::Above { axis: Axis::Y, at: 0.0 });
        }
        if id(ui.button("In a box"), "anchor-box").clicked() {
            new = Some(Anchor::Box { min: [-0.1; 3], max: [0.1; 3] });
        }
        for group in groups {
            if id(ui.button(format!("Group {group}")), &format!("anchor-group-{group}")).clicked() {
                new = Some(Anchor::Group(group.clone()));
            }
        }
        if let Some(anchor) = new {
            shot.body.anchors.push(anchor);
            draft.change("Add anchor");
            ui.close();
        }
    });
    id(menu.response, "add-anchor");
}

/// What an anchor holds, in words.
pub fn words(anchor: &Anchor) -> String {
    match anchor {
        Anchor::Vertices(list) => format!("{} vertices", list.len()),
        Anchor::Group(name) => format!("group {name}"),
        Anchor::Below { axis, at } => format!("below {} = {at} m", axis.name()),
        Anchor::Above { axis, at } => format!("above {} = {at} m", axis.name()),
        Anchor::Box { .. } => "in a box".to_owned(),
        Anchor::File(path) => format!("file {}", path.display()),
    }
}

fn numbers(ui: &mut Ui, anchor: &mut Anchor, draft: &mut Draft) {
    match anchor {
        Anchor::Below { axis, at } | Anchor::Above { axis, at } => {
            let before = *axis;
            ui.horizontal(|ui| {
                let label = ui.label("Axis");
                let combo = ComboBox::from_id_salt("axis").selected_text(axis.name()).show_ui(ui, |ui| {
                    for each in AXES {
                        ui.selectable_value(axis, each, each.name());
                    }
                });
                let response = combo.response.on_hover_text("Axis the height is measured along");
                let mut response = response.labelled_by(label.id);
                if *axis != before {
                    response.mark_changed();
                }
                draft.field(&response, "Set anchor");
            });
            let hint = "Vertices are held up to this coordinate of the rest shape";
            let field = Number { name: "Height", unit: "m", hint, step: "Set anchor", rule: Rule::Finite };
            id(field.show(ui, draft, at), "anchor-height");
        }
        Anchor::Box { min, max } => {
            corner(ui, min, ["Minimum corner", "corner-min"], draft);
            corner(ui, max, ["Maximum corner", "corner-max"], draft);
            if let Some(axis) = AXES.into_iter().find(|axis| min[axis.index()] > max[axis.index()]) {
                draft.refuse(
                    ui,
                    &format!("The box is empty along {}: its minimum must be below its maximum", axis.name()),
                );
            }
        }
        Anchor::Vertices(_) | Anchor::Group(_) | Anchor::File(_) => {}
    }
}

fn corner(ui: &mut Ui, corner: &mut [f64; 3], [name, called]: [&str; 2], draft: &mut Draft) {
    ui.horizontal(|ui| {
        ui.label(name);
        for (value, axis) in corner.iter_mut().zip(AXES) {
            let field = ui.add(DragValue::new(value).speed(0.01).max_decimals(6));
            let field = field.on_hover_text("In metres, in the rest shape");
            let field = field.accessible_name(format!("{name} {}", axis.name()));
            draft.field(&id(field, &format!("{called}-{}", axis.name())), "Set anchor");
        }
    });
}
