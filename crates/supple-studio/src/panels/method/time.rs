//! Fields of physical time: how much of it is between two frames, and how fast vibration dies.

use super::super::number::{Number, Rule};
use crate::draft::Draft;
use crate::widgets::id;
use eframe::egui::Ui;
use supple_project::shot::{Damping, SecondsPerFrame, Shot};

/// Physical time between two frames.
pub fn seconds(ui: &mut Ui, shot: &mut Shot, draft: &mut Draft) {
    let mut automatic = shot.motion.seconds_per_frame == SecondsPerFrame::Auto;
    let field = id(ui.checkbox(&mut automatic, "Automatic time per frame"), "automatic-time");
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
        let field = Number { name, unit: "s", hint, step, rule: Rule::Positive };
        id(field.show(ui, draft, seconds), "seconds-per-frame");
    }
}

/// How vibration dies.
pub fn damping(ui: &mut Ui, shot: &mut Shot, draft: &mut Draft) {
    let mut own = shot.edit.damping.is_some();
    let field = id(ui.checkbox(&mut own, "Custom damping"), "own-damping");
    if field.changed() {
        shot.edit.damping = own.then_some(Damping { mass: 0.1, stiffness: 0.01 });
    }
    draft.field(&field.on_hover_text("How fast vibration dies out. Off: automatic"), "Set damping");
    if let Some(damping) = &mut shot.edit.damping {
        let fields = [
            ("damping-mass", &mut damping.mass, "  Slow swings", "1/s", "Damping proportional to mass"),
            (
                "damping-stiffness",
                &mut damping.stiffness,
                "  Fast swings",
                "s",
                "Damping proportional to stiffness",
            ),
        ];
        for (called, value, name, unit, hint) in fields {
            let field = Number { name, unit, hint, step: "Set damping", rule: Rule::NotNegative };
            id(field.show(ui, draft, value), called);
        }
    }
}
