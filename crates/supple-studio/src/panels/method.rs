//! The panel of the method: how the motion answers, with its few controls.

use super::number::{Number, Rule};
use super::{Draft, fields};
use crate::Studio;
use eframe::egui::{ComboBox, DragValue, Label, Ui};
use supple_project::shot::{Damping, End, Ends, Reach, SecondsPerFrame, Shot};

pub fn show(studio: &mut Studio, ui: &mut Ui) {
    let timeline = studio.timeline.clone();
    let frames = [timeline.number(0), timeline.number(timeline.frames.saturating_sub(1))];
    let body = studio.answer.stage.as_ref().and_then(|stage| stage.body.clone());
    let groups: Vec<String> =
        body.map_or(Vec::new(), |body| body.groups.iter().map(|(name, _)| name.to_owned()).collect());
    ui.strong("Drag");
    let about =
        "Pulls spread through the body's own vibrations, so that the motion keeps its weight and wobble.";
    ui.add(Label::new(about).wrap());
    ui.separator();
    fields(studio, ui, |ui, shot, draft| {
        ui.horizontal(|ui| {
            let label = ui.label("Modes");
            let field = ui.add(DragValue::new(&mut shot.edit.modes)).labelled_by(label.id);
            draft.field(
                &field.on_hover_text("Ways of vibrating an edit is made of: more are finer, and slower"),
                "Set modes",
            );
        });
        if !(1..=20_000).contains(&shot.edit.modes) {
            draft.refuse(ui, &format!("Modes have to be 1 to 20000, not {}", shot.edit.modes));
        }
        seconds(ui, shot, draft);
        damping(ui, shot, draft);
        ends(ui, shot, draft);
        window(ui, shot, draft, frames);
        reach(ui, shot, draft);
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
        wiggle(ui, shot, draft);
        if let Some(contacts) = &mut shot.contacts {
            let mut keeps = !contacts.off;
            let field = ui.checkbox(&mut keeps, "Keep contacts");
            contacts.off = !keeps;
            draft.field(
                &field.on_hover_text("What touches in the input touches in the edit"),
                "Switch contacts",
            );
        }
    });
}

fn seconds(ui: &mut Ui, shot: &mut Shot, draft: &mut Draft) {
    let mut automatic = shot.motion.seconds_per_frame == SecondsPerFrame::Auto;
    let field = ui.checkbox(&mut automatic, "Time per frame by itself");
    if field.changed() {
        shot.motion.seconds_per_frame = if automatic {
            SecondsPerFrame::Auto
        } else {
            SecondsPerFrame::Seconds(1.0 / shot.motion.rate())
        };
    }
    draft.field(
        &field.on_hover_text("So that the slowest vibration swings once in 24 frames"),
        "Set time per frame",
    );
    if let SecondsPerFrame::Seconds(seconds) = &mut shot.motion.seconds_per_frame {
        let (name, step) = ("Time per frame", "Set time per frame");
        let hint = "Physical time between two frames: the longer, the farther edits reach";
        Number { name, unit: "s", hint, step, rule: Rule::Positive }.show(ui, draft, seconds);
    }
}

fn damping(ui: &mut Ui, shot: &mut Shot, draft: &mut Draft) {
    let mut own = shot.edit.damping.is_some();
    let field = ui.checkbox(&mut own, "Own damping");
    if field.changed() {
        shot.edit.damping = own.then_some(Damping { mass: 0.1, stiffness: 0.01 });
    }
    draft.field(&field.on_hover_text("How vibration dies; otherwise chosen for you"), "Set damping");
    if let Some(damping) = &mut shot.edit.damping {
        let fields = [
            (&mut damping.mass, "  of slow swings", "1/s", "Proportional to mass"),
            (&mut damping.stiffness, "  of fast swings", "s", "Proportional to stiffness"),
        ];
        for (value, name, unit, hint) in fields {
            let field = Number { name, unit, hint, step: "Set damping", rule: Rule::NotNegative };
            field.show(ui, draft, value);
        }
    }
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

fn window(ui: &mut Ui, shot: &mut Shot, draft: &mut Draft, [first, last]: [i32; 2]) {
    let mut has = shot.edit.window.is_some();
    let field = ui.checkbox(&mut has, "Only some frames may change");
    if field.changed() {
        shot.edit.window = has.then_some(first..=last);
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

/// How far an edit reaches in time and over the body.
fn reach(ui: &mut Ui, shot: &mut Shot, draft: &mut Draft) {
    let mut own = shot.edit.reach.is_some();
    let field = ui.checkbox(&mut own, "Own reach");
    if field.changed() {
        shot.edit.reach = own.then_some(Reach { frames: Some(24.0), space: 0.0 });
    }
    let hint = "How far an edit reaches; otherwise as far as the body's vibration carries it";
    draft.field(&field.on_hover_text(hint), "Set reach");
    let Some(reach) = &mut shot.edit.reach else { return };
    let mut in_time = reach.frames.is_some();
    let field = ui.checkbox(&mut in_time, "  in time");
    if field.changed() {
        reach.frames = in_time.then_some(24.0);
    }
    draft.field(&field.on_hover_text("Otherwise it dies as slowly as vibration does"), "Set reach");
    if let Some(frames) = &mut reach.frames {
        let hint = "The frames over which an edit dies away";
        let field =
            Number { name: "  dies within", unit: "frames", hint, step: "Set reach", rule: Rule::Positive };
        field.show(ui, draft, frames);
    }
    let hint = "Over the body: 0 as the material says, more is more global, less more local";
    let field = Number { name: "  in space", unit: "", hint, step: "Set reach", rule: Rule::Finite };
    field.show(ui, draft, &mut reach.space);
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

fn wiggle(ui: &mut Ui, shot: &mut Shot, draft: &mut Draft) {
    let mut calm = shot.edit.wiggle_free.is_some();
    let field = ui.checkbox(&mut calm, "Wiggle-free");
    if field.changed() {
        shot.edit.wiggle_free = calm.then_some(1.0);
    }
    draft.field(&field.on_hover_text("Smooth edits that do not swing"), "Set wiggle-free");
    if let Some(weight) = &mut shot.edit.wiggle_free {
        let (name, step) = ("  smooth in space", "Set wiggle-free");
        let hint = "How much smoothness in space counts: 1 as much as the first mode's swinging did";
        Number { name, unit: "", hint, step, rule: Rule::Positive }.show(ui, draft, weight);
    }
}
