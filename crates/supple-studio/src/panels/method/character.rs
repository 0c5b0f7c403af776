//! The fields of `character`: what the edit is made of, where it begins and ends, and its layers.

use super::super::fields;
use super::{Around, layers, shared};
use crate::Studio;
use crate::draft::Draft;
use crate::widgets::id;
use eframe::egui::{ComboBox, DragValue, Ui};
use supple_project::shot::{Character, Curve, KeySpacing, Shot};
use supple_session::fit_layers;

/// What curves are between their keys.
pub const CURVES: [(Curve, &str, &str); 4] = [
    (Curve::BSpline, "Smooth", "Smoothest; the default"),
    (Curve::Cubic, "Through keys", "Smooth, and exactly through its keys"),
    (Curve::Linear, "Straight", "Straight from key to key"),
    (Curve::Hierarchical, "Broad and narrow", "As smooth; broad changes are found before narrow ones"),
];

pub fn show(studio: &mut Studio, ui: &mut Ui) {
    let around = Around::of(studio);
    fields(studio, ui, |ui, shot, draft| {
        own(ui, shot, draft);
        shared::ends(ui, shot, draft, "Match original");
        if around.is_open {
            shared::window(ui, shot, draft, &around);
        }
        ui.separator();
        layers::show(ui, shot, draft, &around);
        // Windows hold their handles, whatever was changed.
        if draft.is_dirty && !draft.is_active {
            fit_layers(shot);
        }
    });
}

/// What is in the table of the method's own.
fn own(ui: &mut Ui, shot: &mut Shot, draft: &mut Draft) {
    let before = match shot.edit.character_settings() {
        Ok(settings) => settings,
        Err(error) => {
            draft.refuse(ui, &error.to_string());
            return;
        }
    };
    let mut own: Character = before;
    let named = Named { prefix: "", of: "", step: "Set keys" };
    curve(ui, draft, &mut own.curve, &named);
    let mut spacing = own.spacing();
    keys(ui, draft, &mut spacing, &named);
    if spacing != own.spacing() {
        (own.keys, own.key_seconds) = said(spacing);
    }
    if own != before && shot.edit.set_character_settings(own).is_err() {
        draft.refuse(ui, "These settings cannot be saved");
    }
}

/// What the fields of curves are called, which layers have, too.
pub struct Named<'a> {
    /// What comes before their names.
    pub prefix: &'a str,
    /// What comes after them where they are heard and not seen.
    pub of: &'a str,
    /// What a step of undo is called.
    pub step: &'static str,
}

impl Named<'_> {
    fn id(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    fn heard(&self, name: &str) -> String {
        format!("{name}{}", self.of)
    }
}

/// What a curve is between its keys.
pub fn curve(ui: &mut Ui, draft: &mut Draft, value: &mut Curve, named: &Named<'_>) {
    ui.horizontal(|ui| {
        ui.label("Curve");
        let before = *value;
        let name = CURVES.iter().find(|(of, ..)| *of == before).map_or("", |(_, name, _)| name);
        let combo = ComboBox::from_id_salt(named.id("curve")).selected_text(name).show_ui(ui, |ui| {
            for (curve, name, hint) in CURVES {
                let entry = ui.selectable_value(value, curve, name).on_hover_text(hint);
                id(entry, &named.id(&format!("curve-{}", curve.name())));
            }
        });
        let response = combo.response.on_hover_text("Shape of the edit between two keys");
        let mut response = id(response.accessible_name(named.heard("Curve")), &named.id("curve"));
        if *value != before {
            response.mark_changed();
        }
        draft.field(&response, named.step);
    });
}

/// How far keys are apart.
pub fn keys(ui: &mut Ui, draft: &mut Draft, spacing: &mut KeySpacing, named: &Named<'_>) {
    ui.horizontal(|ui| {
        let mut counts = matches!(spacing, KeySpacing::Count(_));
        let field = ui.checkbox(&mut counts, "Fixed number of keys");
        if field.changed() {
            *spacing = if counts { KeySpacing::Count(10) } else { KeySpacing::default() };
        }
        let field = field.on_hover_text("Few keys make an edit broad, many keep it near its handle");
        let field = field.accessible_name(named.heard("Fixed number of keys"));
        draft.field(&id(field, &named.id("counts-keys")), named.step);
        match spacing {
            KeySpacing::Count(keys) => {
                let field = ui.add(DragValue::new(keys).range(1..=100_000).update_while_editing(false));
                let field =
                    field.on_hover_text("How many keys").accessible_name(named.heard("Number of keys"));
                draft.field(&id(field, &named.id("keys")), named.step);
            }
            KeySpacing::Seconds(seconds) => {
                let field = DragValue::new(seconds).range(0.01..=100.0).speed(0.005).suffix(" s apart");
                let field = ui.add(field.update_while_editing(false));
                let field = field
                    .on_hover_text("Time between keys")
                    .accessible_name(named.heard("Seconds between keys"));
                draft.field(&id(field, &named.id("key-seconds")), named.step);
            }
        }
    });
}

/// What a shot says of how far keys are apart: `keys`, or else `key_seconds`; neither for what is the default.
pub fn said(spacing: KeySpacing) -> (Option<usize>, Option<f64>) {
    match spacing {
        KeySpacing::Count(keys) => (Some(keys), None),
        spacing if spacing == KeySpacing::default() => (None, None),
        KeySpacing::Seconds(seconds) => (None, Some(seconds)),
    }
}
