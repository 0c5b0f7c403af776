//! What only a lively edit has: physical time, damping, fading. Greyed where the feel is smooth, and kept.

use super::super::number::{Number, Rule};
use crate::draft::Draft;
use eframe::egui::{CollapsingHeader, Ui};
use supple_project::shot::{Damping, Expert, Feel, SecondsPerFrame, Shot};

pub fn show(ui: &mut Ui, shot: &mut Shot, draft: &mut Draft) {
    let is_lively = shot.edit.feel == Feel::Lively;
    let title = if is_lively { "Lively edits" } else { "Lively edits (feel is Smooth: no effect)" };
    CollapsingHeader::new(title).id_salt("lively").default_open(is_lively).show(ui, |ui| {
        ui.add_enabled_ui(is_lively, |ui| {
            seconds(ui, shot, draft);
            damping(ui, shot, draft);
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

fn seconds(ui: &mut Ui, shot: &mut Shot, draft: &mut Draft) {
    let mut automatic = shot.motion.seconds_per_frame == SecondsPerFrame::Auto;
    let field = ui.checkbox(&mut automatic, "Automatic time per frame");
    if field.changed() {
        shot.motion.seconds_per_frame = if automatic {
            SecondsPerFrame::Auto
        } else {
            SecondsPerFrame::Seconds(1.0 / shot.motion.clock().fps)
        };
    }
    draft.field(&field.on_hover_text("The slowest vibration swings once in 24 frames"), "Set time per frame");
    if let SecondsPerFrame::Seconds(seconds) = &mut shot.motion.seconds_per_frame {
        let (name, step) = ("Time per frame", "Set time per frame");
        let hint = "Physical time between two frames; a longer time spreads edits over more frames";
        Number { name, unit: "s", hint, step, rule: Rule::Positive }.show(ui, draft, seconds);
    }
}

fn damping(ui: &mut Ui, shot: &mut Shot, draft: &mut Draft) {
    let mut own = shot.edit.damping.is_some();
    let field = ui.checkbox(&mut own, "Custom damping");
    if field.changed() {
        shot.edit.damping = own.then_some(Damping { mass: 0.1, stiffness: 0.01 });
    }
    draft.field(&field.on_hover_text("How fast vibration dies out. Off: automatic"), "Set damping");
    if let Some(damping) = &mut shot.edit.damping {
        let fields = [
            (&mut damping.mass, "  Slow swings", "1/s", "Damping proportional to mass"),
            (&mut damping.stiffness, "  Fast swings", "s", "Damping proportional to stiffness"),
        ];
        for (value, name, unit, hint) in fields {
            let field = Number { name, unit, hint, step: "Set damping", rule: Rule::NotNegative };
            field.show(ui, draft, value);
        }
    }
}

fn fade(ui: &mut Ui, expert: &mut Expert, draft: &mut Draft) {
    let mut fades = expert.fade.is_some();
    let field = ui.checkbox(&mut fades, "Fade");
    if field.changed() {
        expert.fade = fades.then_some(24.0);
    }
    draft.field(&field.on_hover_text("Off: an edit dies out with the vibration"), "Set fade");
    if let Some(frames) = &mut expert.fade {
        let hint = "Frames until an edit has faded out";
        Number { name: "  Fade length", unit: "frames", hint, step: "Set fade", rule: Rule::Positive }
            .show(ui, draft, frames);
    }
}

fn space(ui: &mut Ui, expert: &mut Expert, draft: &mut Draft) {
    let mut space = expert.space.unwrap_or(0.0);
    let before = space;
    let hint = "How far an edit spreads over the body: 0 follows the material, higher is more global, lower \
                more local";
    Number {
        name: "Spread over the body",
        unit: "",
        hint,
        step: "Set spread over the body",
        rule: Rule::Finite,
    }
    .show(ui, draft, &mut space);
    if space != before {
        expert.space = Some(space);
    }
}

fn wiggle_free(ui: &mut Ui, expert: &mut Expert, draft: &mut Draft) {
    let mut calm = expert.wiggle_free.is_some();
    let field = ui.checkbox(&mut calm, "Smooth (no wobble)");
    if field.changed() {
        expert.wiggle_free = calm.then_some(1.0);
    }
    draft.field(&field.on_hover_text("Edits do not swing back and forth"), "Set smooth (no wobble)");
    if let Some(weight) = &mut expert.wiggle_free {
        let (name, step) = ("  Smoothness in space", "Set smooth (no wobble)");
        let hint = "Weight of smoothness in space; 1 equals the weight of the first vibration mode";
        Number { name, unit: "", hint, step, rule: Rule::Positive }.show(ui, draft, weight);
    }
}
