//! The fields of `drag`. Feel, reach and spread come first; what only a lively edit has is greyed where the feel is smooth.

use super::super::fields;
use super::{Around, feel, lively, shared};
use crate::Studio;
use crate::draft::Draft;
use crate::widgets::id;
use eframe::egui::Ui;
use supple_project::shot::Shot;

pub fn show(studio: &mut Studio, ui: &mut Ui) {
    let around = Around::of(studio);
    fields(studio, ui, |ui, shot, draft| {
        feel::show(ui, shot, draft, around.fps);
        ui.separator();
        shared::modes(ui, shot, draft);
        shared::ends(ui, shot, draft, "Match original");
        if around.is_open {
            shared::window(ui, shot, draft, &around);
        }
        shared::part(ui, shot, draft, &around.groups);
        ui.separator();
        shared::warp(ui, shot, draft);
        plants(ui, shot, draft);
        if let Some(contacts) = &mut shot.contacts {
            let mut keeps = !contacts.off;
            let field = ui.checkbox(&mut keeps, "Keep contacts");
            contacts.off = !keeps;
            draft.field(
                &field.on_hover_text("Contacts of the original stay in the edit"),
                "Set keep contacts",
            );
        }
        ui.separator();
        lively::show(ui, shot, draft);
    });
}

/// Whether what stands for a while is kept there.
fn plants(ui: &mut Ui, shot: &mut Shot, draft: &mut Draft) {
    let detect = shot.contacts.as_ref().and_then(|contacts| contacts.detect.as_ref());
    let mut keeps = detect.is_some_and(|detect| detect.plants);
    let field = id(ui.checkbox(&mut keeps, "Keep plants"), "keep-plants");
    if field.changed() {
        shot.set_plants(keeps);
    }
    draft.field(&field.on_hover_text("Parts that stand still on the ground stay planted"), "Set keep plants");
}
