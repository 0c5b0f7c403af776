//! The three plain controls: how an edit feels, how many frames and how much of the body it takes along.

use super::super::number::{Number, Rule};
use crate::draft::Draft;
use crate::widgets::id;
use eframe::egui::Ui;
use supple_project::shot::{Feel, Reach, Shot, Spread};

pub fn show(ui: &mut Ui, shot: &mut Shot, draft: &mut Draft, fps: f64) {
    ui.horizontal(|ui| {
        ui.label("Feel");
        let choices = [
            (Feel::Smooth, "Smooth", "feel-smooth", "An edit fades in and out smoothly; nothing swings back"),
            (Feel::Lively, "Lively", "feel-lively", "Physical: the body swings before and after the edit"),
        ];
        for (feel, name, called, hint) in choices {
            let field = id(ui.radio_value(&mut shot.edit.feel, feel, name), called);
            draft.field(&field.on_hover_text(hint), "Set feel");
        }
    });
    let is_smooth = shot.edit.feel == Feel::Smooth;
    ui.add_enabled_ui(is_smooth, |ui| {
        let mut frames = shot.edit.reach.map_or(fps, |reach| reach.0);
        let before = frames;
        let hint = "Frames before and after a handle until the edit has faded to 5 %";
        let reach = Number { name: "Reach", unit: "frames", hint, step: "Set reach", rule: Rule::Positive };
        id(reach.show(ui, draft, &mut frames), "reach");
        if frames != before {
            shot.edit.reach = Some(Reach(frames));
        }
        spread(ui, shot, draft);
    });
}

fn spread(ui: &mut Ui, shot: &mut Shot, draft: &mut Draft) {
    let mut share = shot.edit.spread.unwrap_or_default().0;
    let before = share;
    let hint = "Share of the body that follows at least half of the edit, 0.05 to 1";
    let rule = Rule::Within(*Spread::RANGE.start(), *Spread::RANGE.end());
    let field = Number { name: "Spread", unit: "", hint, step: "Set spread", rule };
    id(field.show(ui, draft, &mut share), "spread");
    if share != before {
        shot.edit.spread = Some(Spread(share));
    }
}
