//! The fields of `material`: what the motion is made of, what of it may change, and how far.

use super::super::fields;
use super::super::number::{Number, Rule};
use super::{Around, shared, time};
use crate::Studio;
use crate::draft::Draft;
use crate::widgets::id;
use eframe::egui::{ComboBox, DragValue, Ui};
use supple_project::shot::{MaterialEdit, Optimise, Shot};

const CHANGES: [(Optimise, &str, &str); 3] = [
    (
        Optimise::All,
        "Stiffness and shapes",
        "How fast each shape swings, how that dies, and the shapes themselves",
    ),
    (Optimise::Stiffness, "Stiffness only", "Stiffness and damping of each shape"),
    (Optimise::None, "Nothing", "The material stays as it is, to compare"),
];

pub fn show(studio: &mut Studio, ui: &mut Ui) {
    let around = Around::of(studio);
    fields(studio, ui, |ui, shot, draft| {
        own(ui, shot, draft);
        ui.separator();
        shared::modes(ui, shot, draft);
        shared::ends(ui, shot, draft, "Match original");
        if around.is_open {
            shared::window(ui, shot, draft, &around);
        }
        shared::part(ui, shot, draft, &around.groups);
        ui.separator();
        time::seconds(ui, shot, draft);
        time::damping(ui, shot, draft);
    });
}

/// What is in the table of the method's own.
fn own(ui: &mut Ui, shot: &mut Shot, draft: &mut Draft) {
    let before = match shot.edit.material_settings() {
        Ok(settings) => settings,
        Err(error) => {
            draft.refuse(ui, &error.to_string());
            return;
        }
    };
    let mut own = before.clone();
    changes(ui, &mut own, draft);
    if own.file.is_none() {
        shapes(ui, &mut own, shot.edit.modes, draft);
        period(ui, &mut own, draft);
    }
    let hint = "How many times as fast or as slow a shape may become";
    let (name, step) = ("Range of speeds", "Set range of speeds");
    let field = Number { name, unit: "", hint, step, rule: Rule::Within(1.0, 1e3) };
    id(field.show(ui, draft, &mut own.range), "material-range");
    if own.file.is_none() {
        let hint = "How much large shapes come before small ones: 1 as usual, 0 not at all";
        let (name, step) = ("Large shapes first", "Set large shapes first");
        let field = Number { name, unit: "", hint, step, rule: Rule::Within(0.0, 4.0) };
        id(field.show(ui, draft, &mut own.space), "material-space");
    }
    if own != before && shot.edit.set_material_settings(&own).is_err() {
        draft.refuse(ui, "These settings cannot be saved");
    }
}

/// What of the material may change.
fn changes(ui: &mut Ui, own: &mut MaterialEdit, draft: &mut Draft) {
    ui.horizontal(|ui| {
        let label = ui.label("May change");
        let before = own.optimise;
        let name = CHANGES.iter().find(|(of, ..)| *of == before).map_or("", |(_, name, _)| name);
        let combo = ComboBox::from_id_salt("optimise").selected_text(name).show_ui(ui, |ui| {
            for (choice, name, hint) in CHANGES {
                let entry = ui.selectable_value(&mut own.optimise, choice, name).on_hover_text(hint);
                id(entry, &format!("optimise-{}", choice.name()));
            }
        });
        let hint = "What may change in the material so that the motion needs little force";
        let mut response = id(combo.response.on_hover_text(hint).labelled_by(label.id), "optimise");
        if own.optimise != before {
            response.mark_changed();
        }
        draft.field(&response, "Set what may change");
    });
}

fn shapes(ui: &mut Ui, own: &mut MaterialEdit, modes: usize, draft: &mut Draft) {
    ui.horizontal(|ui| {
        let hint = "How many shapes the motion is made of, mixtures of the modes; fewer are faster";
        let label = ui.label("Shapes").on_hover_text(hint);
        let mut count = own.shapes(modes);
        let field = ui.add(DragValue::new(&mut count).range(1..=modes.max(1)).speed(0.2));
        if field.changed() {
            own.shapes = Some(count);
        }
        draft.field(&id(field.on_hover_text(hint).labelled_by(label.id), "shapes"), "Set shapes");
    });
    if own.shapes.is_some_and(|shapes| shapes > modes) {
        draft.refuse(ui, &format!("There are {modes} modes to make shapes of"));
    }
}

fn period(ui: &mut Ui, own: &mut MaterialEdit, draft: &mut Draft) {
    let mut automatic = own.period.is_none();
    let field = id(ui.checkbox(&mut automatic, "Automatic first speed"), "period-auto");
    if field.changed() {
        own.period = (!automatic).then_some(24.0);
    }
    let hint = "The first shape begins by swinging once in 24 frames. Off: begin nearer to the motion you have in mind";
    draft.field(&field.on_hover_text(hint), "Set first speed");
    if let Some(period) = &mut own.period {
        let hint = "Frames in which the first shape swings once, to begin with";
        let (name, step) = ("  Swings once in", "Set first speed");
        let field = Number { name, unit: "frames", hint, step, rule: Rule::Positive };
        id(field.show(ui, draft, period), "period");
    }
}
