//! The panel of the method: how the motion answers. Feel, reach and spread come first; what only a lively edit has is
//! greyed where the feel is smooth.

mod feel;
mod lively;

use super::fields;
use crate::Studio;
use crate::draft::Draft;
use eframe::egui::{ComboBox, DragValue, Label, Ui};
use std::ops::RangeInclusive;
use supple_project::shot::{End, Ends, Shot};

pub fn show(studio: &mut Studio, ui: &mut Ui) {
    let timeline = studio.timeline.clone();
    let around = studio.playing.range.clone().unwrap_or_else(|| timeline.around(studio.view.frame));
    let frames = [timeline.number(0), timeline.number(timeline.clock.frames.saturating_sub(1))];
    let body = studio.snapshot.stage.as_ref().and_then(|stage| stage.body.clone());
    let groups: Vec<String> =
        body.map_or(Vec::new(), |body| body.groups.iter().map(|(name, _)| name.to_owned()).collect());
    ui.strong("Drag");
    let about = "Drag a point at any frame; the body and the frames around it follow.";
    ui.add(Label::new(about).wrap());
    ui.separator();
    fields(studio, ui, |ui, shot, draft| {
        feel::show(ui, shot, draft, timeline.clock.fps);
        ui.separator();
        ui.horizontal(|ui| {
            let label = ui.label("Modes");
            let field = ui.add(DragValue::new(&mut shot.edit.modes)).labelled_by(label.id);
            draft.field(
                &field.on_hover_text(
                    "Vibration modes used for the edit; more give finer detail and solve slower",
                ),
                "Set modes",
            );
        });
        if !(1..=20_000).contains(&shot.edit.modes) {
            draft.refuse(ui, &format!("Modes must be 1 to 20000, got {}", shot.edit.modes));
        }
        ends(ui, shot, draft);
        if timeline.clock.frames > 0 {
            window(ui, shot, draft, frames, &around);
        }
        part(ui, shot, draft, &groups);
        ui.separator();
        let warp = ui.checkbox(&mut shot.edit.warp, "Preserve shape (rotate instead of stretch)");
        draft.field(
            &warp.on_hover_text("Large edits bend and rotate instead of stretching"),
            "Set preserve shape",
        );
        let exact = ui
            .add_enabled(shot.edit.warp, eframe::egui::Checkbox::new(&mut shot.edit.exact, "Exact handles"));
        let hint = "Handles are met on the final shape. Off: faster, handles of large edits can be missed";
        draft.field(&exact.on_hover_text(hint), "Set exact handles");
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
    let field = ui.checkbox(&mut keeps, "Keep plants");
    if field.changed() {
        shot.set_plants(keeps);
    }
    draft.field(&field.on_hover_text("Parts that stand still on the ground stay planted"), "Set keep plants");
}

fn ends(ui: &mut Ui, shot: &mut Shot, draft: &mut Draft) {
    let mut loops = shot.edit.ends == Ends::Loop;
    let field = ui.checkbox(&mut loops, "Loop motion");
    if field.changed() {
        shot.edit.ends = if loops { Ends::Loop } else { Ends::default() };
    }
    draft.field(&field.on_hover_text("The last frame continues into the first"), "Set start and end");
    let Ends::Apart { start, end } = &mut shot.edit.ends else { return };
    for (value, name) in [(start, "Start"), (end, "End")] {
        let before = *value;
        let text = match value {
            None => "Automatic",
            Some(End::Clamped) => "Match original",
            Some(End::Free) => "Free",
        };
        let combo = ComboBox::from_label(name).selected_text(text).show_ui(ui, |ui| {
            ui.selectable_value(value, None, "Automatic");
            ui.selectable_value(value, Some(End::Clamped), "Match original");
            ui.selectable_value(value, Some(End::Free), "Free");
        });
        let hint = "Keep the first or last frame as in the original?";
        let mut response = combo.response.on_hover_text(hint);
        if *value != before {
            response.mark_changed();
        }
        draft.field(&response, "Set start and end");
    }
}

fn window(
    ui: &mut Ui,
    shot: &mut Shot,
    draft: &mut Draft,
    [first, last]: [i32; 2],
    around: &RangeInclusive<i32>,
) {
    let mut has = shot.edit.window.is_some();
    let field = ui.checkbox(&mut has, "Limit to a frame range");
    if field.changed() {
        shot.edit.window = has.then(|| around.clone());
    }
    draft.field(&field.on_hover_text("Frames outside the range do not change"), "Set frame range");
    if let Some(window) = shot.edit.window.clone() {
        let (mut from, mut to) = (*window.start(), *window.end());
        ui.horizontal(|ui| {
            ui.label("  from");
            let field =
                ui.add(DragValue::new(&mut from).range(first..=to)).accessible_name("First editable frame");
            draft.field(&field.on_hover_text("First frame that can change"), "Set frame range");
            ui.label("to");
            let field =
                ui.add(DragValue::new(&mut to).range(from..=last)).accessible_name("Last editable frame");
            draft.field(&field.on_hover_text("Last frame that can change"), "Set frame range");
        });
        shot.edit.window = Some(from..=to);
    }
}

/// The part of the body that may change.
fn part(ui: &mut Ui, shot: &mut Shot, draft: &mut Draft, groups: &[String]) {
    ui.horizontal(|ui| {
        let label = ui.label("Affected region");
        let before = shot.edit.part.clone();
        let name = before.clone().unwrap_or("Whole body".to_owned());
        let combo = ComboBox::from_id_salt("part").selected_text(name).show_ui(ui, |ui| {
            ui.selectable_value(&mut shot.edit.part, None, "Whole body");
            for group in groups {
                ui.selectable_value(&mut shot.edit.part, Some(group.clone()), group);
            }
            if groups.is_empty() {
                ui.weak("The mesh has no groups");
            }
        });
        let response = combo.response.on_hover_text("Everything else stays as in the original");
        let mut response = response.labelled_by(label.id);
        if shot.edit.part != before {
            response.mark_changed();
        }
        draft.field(&response, "Set affected region");
    });
}
