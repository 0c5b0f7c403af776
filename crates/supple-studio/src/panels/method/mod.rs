//! The panel of the method: how the motion answers. Feel, reach and spread come first; what only a lively edit has is
//! greyed where the feel is smooth.

mod feel;
mod lively;

use super::{Draft, fields};
use crate::Studio;
use eframe::egui::{ComboBox, DragValue, Label, Ui};
use std::ops::RangeInclusive;
use supple_project::shot::{End, Ends, Shot};

pub fn show(studio: &mut Studio, ui: &mut Ui) {
    let timeline = studio.timeline.clone();
    let around = studio.playing.range.clone().unwrap_or_else(|| timeline.around(studio.view.frame));
    let frames = [timeline.number(0), timeline.number(timeline.clock.frames.saturating_sub(1))];
    let body = studio.answer.stage.as_ref().and_then(|stage| stage.body.clone());
    let groups: Vec<String> =
        body.map_or(Vec::new(), |body| body.groups.iter().map(|(name, _)| name.to_owned()).collect());
    ui.strong("Drag");
    let about = "Pull a point at any frame: the body and the frames around it follow.";
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
            draft.refuse(ui, &format!("Modes have to be 1 to 20000, not {}", shot.edit.modes));
        }
        ends(ui, shot, draft);
        if timeline.clock.frames > 0 {
            window(ui, shot, draft, frames, &around);
        }
        part(ui, shot, draft, &groups);
        ui.separator();
        let warp = ui.checkbox(&mut shot.edit.warp, "Turn, do not stretch");
        draft.field(
            &warp.on_hover_text("Large edits turn parts of the body instead of swelling them"),
            "Set warp",
        );
        let exact = ui
            .add_enabled(shot.edit.warp, eframe::egui::Checkbox::new(&mut shot.edit.exact, "Exact handles"));
        let hint = "Handles hold on what is shown, not on a linear edit that is turned afterwards";
        draft.field(&exact.on_hover_text(hint), "Set exact");
        plants(ui, shot, draft);
        if let Some(contacts) = &mut shot.contacts {
            let mut keeps = !contacts.off;
            let field = ui.checkbox(&mut keeps, "Keep contacts");
            contacts.off = !keeps;
            draft.field(
                &field.on_hover_text("What touches in the input touches in the edit"),
                "Switch contacts",
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
    draft.field(
        &field.on_hover_text("Parts that stand still for a while stay where they stand"),
        "Switch plants",
    );
}

fn ends(ui: &mut Ui, shot: &mut Shot, draft: &mut Draft) {
    let mut loops = shot.edit.ends == Ends::Loop;
    let field = ui.checkbox(&mut loops, "Motion is a loop");
    if field.changed() {
        shot.edit.ends = if loops { Ends::Loop } else { Ends::default() };
    }
    draft.field(&field.on_hover_text("The last frame is the first again"), "Set ends");
    let Ends::Apart { start, end } = &mut shot.edit.ends else { return };
    for (value, name) in [(start, "start"), (end, "end")] {
        let before = *value;
        let text = match value {
            None => "by itself",
            Some(End::Clamped) => "as the input",
            Some(End::Free) => "free",
        };
        let combo = ComboBox::from_label(format!("at the {name}")).selected_text(text).show_ui(ui, |ui| {
            ui.selectable_value(value, None, "by itself");
            ui.selectable_value(value, Some(End::Clamped), "as the input");
            ui.selectable_value(value, Some(End::Free), "free");
        });
        let hint = "Whether the edit begins and ends as the input, or anywhere";
        let mut response = combo.response.on_hover_text(hint);
        if *value != before {
            response.mark_changed();
        }
        draft.field(&response, "Set ends");
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
    let field = ui.checkbox(&mut has, "Only some frames may change");
    if field.changed() {
        shot.edit.window = has.then(|| around.clone());
    }
    draft.field(&field.on_hover_text("The window: frames outside stay as they are"), "Set window");
    if let Some(window) = shot.edit.window.clone() {
        let (mut from, mut to) = (*window.start(), *window.end());
        ui.horizontal(|ui| {
            ui.label("  from");
            let field = ui.add(DragValue::new(&mut from).range(first..=to)).accessible_name("Window start");
            draft.field(&field.on_hover_text("The first frame that may change"), "Set window");
            ui.label("to");
            let field = ui.add(DragValue::new(&mut to).range(from..=last)).accessible_name("Window end");
            draft.field(&field.on_hover_text("The last frame that may change"), "Set window");
        });
        shot.edit.window = Some(from..=to);
    }
}

/// The part of the body that may change.
fn part(ui: &mut Ui, shot: &mut Shot, draft: &mut Draft, groups: &[String]) {
    ui.horizontal(|ui| {
        let label = ui.label("Part that may change");
        let before = shot.edit.part.clone();
        let name = before.clone().unwrap_or("all of it".to_owned());
        let combo = ComboBox::from_id_salt("part").selected_text(name).show_ui(ui, |ui| {
            ui.selectable_value(&mut shot.edit.part, None, "all of it");
            for group in groups {
                ui.selectable_value(&mut shot.edit.part, Some(group.clone()), group);
            }
            if groups.is_empty() {
                ui.weak("the mesh has no groups");
            }
        });
        let response = combo.response.on_hover_text("All else stays as the input has it");
        let mut response = response.labelled_by(label.id);
        if shot.edit.part != before {
            response.mark_changed();
        }
        draft.field(&response, "Set part");
    });
}
