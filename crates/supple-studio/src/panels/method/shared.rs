//! Fields that several methods have.

use super::Around;
use crate::draft::Draft;
use crate::widgets::id;
use eframe::egui::{Checkbox, ComboBox, DragValue, Ui};
use supple_project::shot::{End, Ends, Shot};

/// How many modes.
pub fn modes(ui: &mut Ui, shot: &mut Shot, draft: &mut Draft) {
    ui.horizontal(|ui| {
        let label = ui.label("Modes");
        let field = ui.add(DragValue::new(&mut shot.edit.modes)).labelled_by(label.id);
        let field = id(field, "modes");
        let hint = "Vibration modes used for the edit; more give finer detail and solve slower";
        draft.field(&field.on_hover_text(hint), "Set modes");
    });
    if !(1..=20_000).contains(&shot.edit.modes) {
        draft.refuse(ui, &format!("Modes must be 1 to 20000, got {}", shot.edit.modes));
    }
}

/// Whether edits turn with the body, and whether handles are met then.
pub fn warp(ui: &mut Ui, shot: &mut Shot, draft: &mut Draft) {
    let warp = ui.checkbox(&mut shot.edit.warp, "Preserve shape (rotate instead of stretch)");
    let warp = id(warp, "warp");
    let hint = "Large edits bend and rotate instead of stretching";
    draft.field(&warp.on_hover_text(hint), "Set preserve shape");
    let exact = ui.add_enabled(shot.edit.warp, Checkbox::new(&mut shot.edit.exact, "Exact handles"));
    let exact = id(exact, "exact");
    let hint = "Handles are met on the final shape. Off: faster, handles of large edits can be missed";
    draft.field(&exact.on_hover_text(hint), "Set exact handles");
}

/// What holds where the motion begins and ends; `clamped` is what it is called if it is nothing new there.
pub fn ends(ui: &mut Ui, shot: &mut Shot, draft: &mut Draft, clamped: &str) {
    let mut loops = shot.edit.ends == Ends::Loop;
    let field = id(ui.checkbox(&mut loops, "Loop motion"), "loop-motion");
    if field.changed() {
        shot.edit.ends = if loops { Ends::Loop } else { Ends::default() };
    }
    draft.field(&field.on_hover_text("The last frame continues into the first"), "Set start and end");
    let Ends::Apart { start, end } = &mut shot.edit.ends else { return };
    for (value, name) in [(start, "Start"), (end, "End")] {
        let before = *value;
        let text = match value {
            None => "Automatic",
            Some(End::Clamped) => clamped,
            Some(End::Free) => "Free",
        };
        let combo = ComboBox::from_label(name).selected_text(text).show_ui(ui, |ui| {
            ui.selectable_value(value, None, "Automatic");
            ui.selectable_value(value, Some(End::Clamped), clamped);
            ui.selectable_value(value, Some(End::Free), "Free");
        });
        let hint = format!("{clamped}: nothing changes there. Free: it ends up wherever the edit takes it");
        let mut response = combo.response.on_hover_text(hint);
        if *value != before {
            response.mark_changed();
        }
        draft.field(&response, "Set start and end");
    }
}

/// The frames that may change.
pub fn window(ui: &mut Ui, shot: &mut Shot, draft: &mut Draft, around: &Around) {
    let [first, last] = around.frames;
    let mut has = shot.edit.window.is_some();
    let field = id(ui.checkbox(&mut has, "Limit to a frame range"), "window");
    if field.changed() {
        shot.edit.window = has.then(|| around.range.clone());
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
pub fn part(ui: &mut Ui, shot: &mut Shot, draft: &mut Draft, groups: &[String]) {
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
        let mut response = id(response.labelled_by(label.id), "part");
        if shot.edit.part != before {
            response.mark_changed();
        }
        draft.field(&response, "Set affected region");
    });
}

/// A list to choose from.
pub fn choice<T: Copy + PartialEq>(
    ui: &mut Ui,
    (title, called, about): (&str, &str, &str),
    choices: &[(T, &str, &str)],
    value: &mut T,
    word: fn(T) -> &'static str,
    draft: &mut Draft,
) {
    ui.horizontal(|ui| {
        let label = ui.label(title);
        let before = *value;
        let name = choices.iter().find(|(of, ..)| *of == before).map_or("", |(_, name, _)| name);
        let combo = ComboBox::from_id_salt(called).selected_text(name).show_ui(ui, |ui| {
            for (choice, name, hint) in choices {
                let entry = ui.selectable_value(value, *choice, *name).on_hover_text(*hint);
                id(entry, &format!("{called}-{}", word(*choice)));
            }
        });
        let mut response = id(combo.response.on_hover_text(about).labelled_by(label.id), called);
        if *value != before {
            response.mark_changed();
        }
        draft.field(&response, "Set solver");
    });
}
