//! What only a lively edit has: physical time, damping, fading. Greyed where the feel is smooth, and kept.

use super::super::number::{Number, Rule};
use super::time;
use crate::draft::Draft;
use crate::widgets::id;
use eframe::egui::{CollapsingHeader, Ui};
use supple_project::shot::{Expert, Feel, Shot};

pub fn show(ui: &mut Ui, shot: &mut Shot, draft: &mut Draft) {
    let is_lively = shot.edit.feel == Feel::Lively;
    let title = if is_lively { "Lively edits" } else { "Lively edits (feel is Smooth: no effect)" };
    CollapsingHeader::new(title).id_salt("lively").default_open(is_lively).show(ui, |ui| {
        ui.add_enabled_ui(is_lively, |ui| {
            time::seconds(ui, shot, draft);
            time::damping(ui, shot, draft);
            let mut expert = shot.edit.expert();
            fade(ui, &mut expert, draft);
            space(ui, &mut expert, draft);
            wiggle_free(ui, &mut expert, draft);
            if expert != shot.edit.expert() {
                shot.edit.expert = (expert != Expert::default()).then_some(expert);
            }
        });
    });
}

fn fade(ui: &mut Ui, expert: &mut Expert, draft: &mut Draft) {
    let mut fades = expert.fade.is_some();
    let field = id(ui.checkbox(&mut fades, "Fade"), "fades");
    if field.changed() {
        expert.fade = fades.then_some(24.0);
    }
    draft.field(&field.on_hover_text("Off: an edit dies out with the vibration"), "Set fade");
    if let Some(frames) = &mut expert.fade {
        let hint = "Frames until an edit has faded out";
        let rule = Rule::Positive;
        let length = Number { name: "  Fade length", unit: "frames", hint, step: "Set fade", rule };
        id(length.show(ui, draft, frames), "fade-length");
    }
}

fn space(ui: &mut Ui, expert: &mut Expert, draft: &mut Draft) {
    let mut space = expert.space.unwrap_or(0.0);
    let before = space;
    let hint = "How far an edit spreads over the body: 0 follows the material, higher is more global, lower \
                more local";
    let (name, step) = ("Spread over the body", "Set spread over the body");
    let field = Number { name, unit: "", hint, step, rule: Rule::Finite };
    id(field.show(ui, draft, &mut space), "space");
    if space != before {
        expert.space = Some(space);
    }
}

fn wiggle_free(ui: &mut Ui, expert: &mut Expert, draft: &mut Draft) {
    let mut calm = expert.wiggle_free.is_some();
    let field = id(ui.checkbox(&mut calm, "Smooth (no wobble)"), "wiggle-free");
    if field.changed() {
        expert.wiggle_free = calm.then_some(1.0);
    }
    draft.field(&field.on_hover_text("Edits do not swing back and forth"), "Set smooth (no wobble)");
    if let Some(weight) = &mut expert.wiggle_free {
        let (name, step) = ("  Smoothness in space", "Set smooth (no wobble)");
        let hint = "Weight of smoothness in space; 1 equals the weight of the first vibration mode";
        let field = Number { name, unit: "", hint, step, rule: Rule::Positive };
        id(field.show(ui, draft, weight), "wiggle-free-weight");
    }
}
