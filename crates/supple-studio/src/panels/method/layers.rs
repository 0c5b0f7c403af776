//! Layers of a character: edits on top of each other, each with frames, keys and smoothing of its own.

use super::Around;
use super::character::{Named, curve, keys};
use crate::draft::Draft;
use crate::widgets::{field_error, id};
use eframe::egui::{CollapsingHeader, DragValue, TextEdit, Ui};
use supple_project::shot::{KeySpacing, Layer, Shot};
use supple_session::{add_layer, delete_layer, layer_name_problem, rename_layer};

/// Over how many seconds a layer is smoothed at first.
const SMOOTHING: f64 = 0.2;

/// Shows all of them, and what adds one.
pub fn show(ui: &mut Ui, shot: &mut Shot, draft: &mut Draft, around: &Around) {
    ui.horizontal(|ui| {
        ui.strong("Layers");
        let hint = "Add an edit on top of the others; handles choose their layer in Handles";
        if id(ui.button("Add layer").on_hover_text(hint), "add-layer").clicked() {
            add_layer(shot);
            draft.change("Add layer");
        }
    });
    if shot.edit.layers.is_empty() {
        ui.weak("One edit meets all handles.");
    }
    let mut deleted = None;
    for place in 0..shot.edit.layers.len() {
        let title = shot.edit.layers[place].name.clone();
        let header = CollapsingHeader::new(title).id_salt(("layer", place)).default_open(true);
        let shown = header.show(ui, |ui| {
            if head(ui, shot, draft, place) {
                deleted = Some(place);
            }
            layer(ui, shot, draft, place, around);
        });
        id(shown.header_response, &format!("layer-{place}"));
    }
    if let Some(place) = deleted {
        delete_layer(shot, place);
        draft.change("Delete layer");
    }
}

/// Its name, whether it is heard; answers whether it shall go.
fn head(ui: &mut Ui, shot: &mut Shot, draft: &mut Draft, place: usize) -> bool {
    name(ui, shot, draft, place);
    let mut goes = false;
    let of = of(&shot.edit.layers[place]);
    ui.horizontal(|ui| {
        let mut muted = shot.edit.layers[place].muted == Some(true);
        let field = ui.checkbox(&mut muted, "Muted").on_hover_text("Ignore this layer and its handles");
        if field.changed() {
            shot.edit.layers[place].muted = muted.then_some(true);
        }
        let field = field.accessible_name(format!("Muted{of}"));
        draft.field(&id(field, &format!("layer-{place}-muted")), "Mute layer");
        let button = ui.button("Delete layer").on_hover_text("Its handles move to the edit below all layers");
        let button = button.accessible_name(format!("Delete{of}"));
        goes = id(button, &format!("layer-{place}-delete")).clicked();
    });
    goes
}

/// What fields of a layer are called behind their names, where they are heard.
fn of(layer: &Layer) -> String {
    format!(" of layer {}", layer.name)
}

/// Its name, which becomes that of the layer when the field is left: on the way it may be that of another.
fn name(ui: &mut Ui, shot: &mut Shot, draft: &mut Draft, place: usize) {
    let memory = ui.scope_id().with(("layer name", place));
    let typed: Option<String> = ui.memory(|memory_of| memory_of.data.get_temp(memory));
    let mut words = typed.unwrap_or_else(|| shot.edit.layers[place].name.clone());
    let field = ui.add(TextEdit::singleline(&mut words).desired_width(160.0).hint_text("Name"));
    let called = format!("Name{}", of(&shot.edit.layers[place]));
    let field = field.on_hover_text("Name that handles use").accessible_name(called);
    let field = id(field, &format!("layer-{place}-name"));
    if field.has_focus() {
        draft.is_active = true;
        ui.memory_mut(|memory_of| memory_of.data.insert_temp(memory, words.clone()));
        if let Some(problem) = layer_name_problem(shot, place, &words) {
            field_error(ui, problem);
        }
    } else if field.lost_focus() {
        ui.memory_mut(|memory_of| memory_of.data.remove::<String>(memory));
        if shot.edit.layers[place].name != words && layer_name_problem(shot, place, &words).is_none() {
            rename_layer(shot, place, &words);
            draft.change("Rename layer");
        }
    }
}

fn layer(ui: &mut Ui, shot: &mut Shot, draft: &mut Draft, place: usize, around: &Around) {
    let others = shot.edit.character_settings().unwrap_or_default();
    let layer = &mut shot.edit.layers[place];
    if around.is_open {
        window(ui, layer, draft, place, around);
    }
    let (prefix, of) = (format!("layer-{place}-"), of(layer));
    let named = Named { prefix: &prefix, of: &of, step: "Set keys of layer" };
    let mut has_own = layer.keys.is_some() || layer.key_seconds.is_some() || layer.curve.is_some();
    let field = ui.checkbox(&mut has_own, "Custom keys");
    if field.changed() {
        (layer.keys, layer.key_seconds, layer.curve) = (None, None, None);
        if has_own {
            set_keys(layer, others.spacing());
        }
    }
    let field = field.on_hover_text("Off: as the edit below all layers");
    let field = field.accessible_name(format!("Custom keys{of}"));
    draft.field(&id(field, &format!("{prefix}own-keys")), named.step);
    if has_own {
        let mut shape = layer.curve(&others);
        curve(ui, draft, &mut shape, &named);
        if shape != layer.curve(&others) {
            layer.curve = Some(shape);
        }
        let mut spacing = layer.spacing(&others);
        keys(ui, draft, &mut spacing, &named);
        if spacing != layer.spacing(&others) {
            set_keys(layer, spacing);
        }
    }
    smoothing(ui, layer, draft, place);
}

/// A layer says how far its keys are apart even where that is the default: the edit may say otherwise.
fn set_keys(layer: &mut Layer, spacing: KeySpacing) {
    (layer.keys, layer.key_seconds) = match spacing {
        KeySpacing::Count(keys) => (Some(keys), None),
        KeySpacing::Seconds(seconds) => (None, Some(seconds)),
    };
}

/// The frames that it may change.
fn window(ui: &mut Ui, layer: &mut Layer, draft: &mut Draft, place: usize, around: &Around) {
    const STEP: &str = "Set frames of layer";
    let [first, last] = around.frames;
    let mut has = layer.window.is_some();
    let field =
        ui.checkbox(&mut has, "Only these frames").on_hover_text("The layer fades to nothing where they end");
    if field.changed() {
        layer.window = has.then(|| around.range.clone());
    }
    let field = field.accessible_name(format!("Only these frames{}", of(layer)));
    draft.field(&id(field, &format!("layer-{place}-window")), STEP);
    let Some(window) = layer.window.clone() else { return };
    let (mut from, mut to, of) = (*window.start(), *window.end(), of(layer));
    ui.horizontal(|ui| {
        for (value, range, name, called) in [
            (&mut from, first..=*window.end(), "First frame", "from"),
            (&mut to, *window.start()..=last, "Last frame", "to"),
        ] {
            ui.label(called);
            let field = DragValue::new(value).range(range).update_while_editing(false);
            let field = ui.add(field).on_hover_text(name).accessible_name(format!("{name}{of}"));
            draft.field(&id(field, &format!("layer-{place}-{called}")), STEP);
        }
    });
    layer.window = Some(from..=to);
}

/// Over how long it avoids accelerations.
fn smoothing(ui: &mut Ui, layer: &mut Layer, draft: &mut Draft, place: usize) {
    const STEP: &str = "Set smoothing";
    ui.horizontal(|ui| {
        let mut smooths = layer.smoothing.is_some();
        let field = ui.checkbox(&mut smooths, "Smoothing");
        if field.changed() {
            layer.smoothing = smooths.then_some(SMOOTHING);
        }
        let field = field.on_hover_text("Avoids sudden changes: no snap to a handle and back");
        let field = field.accessible_name(format!("Smoothing{}", of(layer)));
        draft.field(&id(field, &format!("layer-{place}-smooths")), STEP);
        let of = of(layer);
        if let Some(seconds) = &mut layer.smoothing {
            let field = DragValue::new(seconds).range(0.0..=10.0).speed(0.005).suffix(" s");
            let field = ui.add(field.update_while_editing(false)).on_hover_text("Over how many seconds");
            let field = field.accessible_name(format!("Smoothing time{of}"));
            draft.field(&id(field, &format!("layer-{place}-smoothing")), STEP);
        }
    });
}
