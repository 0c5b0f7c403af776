//! The segment that is selected: how long it is, what holds the body, how it ends.

use super::super::body::anchor_words;
use super::super::number::{Number, Rule};
use super::Around;
use crate::Studio;
use crate::draft::Draft;
use crate::widgets::id;
use eframe::egui::{ComboBox, DragValue, Ui};
use supple_project::shot::{Anchor, End, Flight, Land, Length, Method, Segment, Shot};
use supple_session::{least_frames, set_flight};

/// What holds where a segment ends.
const ENDS: [(Option<End>, &str, &str); 3] = [
    (None, "Automatic", "At rest for the last segment, free for the others"),
    (Some(End::Free), "Free", "The next segment goes on from wherever it gets to"),
    (Some(End::Clamped), "At rest", "The body stands still in its rest shape"),
];

/// Which it is, and whether it is a flight; answers its place.
pub fn head(studio: &mut Studio, ui: &mut Ui) -> Option<usize> {
    let Some((place, words)) = studio.segment.zip(studio.segment_words()) else {
        ui.weak("Click a segment on the timeline to change it");
        return None;
    };
    ui.strong(words);
    if studio.session.document.shot().edit.method != Method::Control {
        kind(studio, ui, place);
    }
    Some(place)
}

/// Its fields.
pub fn show(ui: &mut Ui, shot: &mut Shot, draft: &mut Draft, place: usize, around: &Around) {
    let (modes, is_controlled) = (shot.edit.modes, shot.edit.method == Method::Control);
    let Some(segment) = shot.edit.segments.get_mut(place) else { return };
    let least = least_frames(segment);
    match &mut segment.length {
        Length::Frames(frames) => length(ui, frames, least, draft),
        Length::Flight(flight) => land(ui, flight, draft),
    }
    if !segment.is_flight() {
        anchors(ui, segment, draft, &around.groups);
        if !is_controlled {
            end(ui, segment, draft);
        }
    }
    own_modes(ui, segment, draft, modes);
}

/// On the ground or in flight.
fn kind(studio: &mut Studio, ui: &mut Ui, place: usize) {
    let Some(mark) = studio.timeline.segments.get(place).copied() else { return };
    let frames = mark.times[1] - mark.times[0];
    let choices = [
        (false, "On the ground", "segment-ground", "Anchored, and as long as you say"),
        (true, "In flight", "segment-flight", "Falls freely and ends where it lands"),
    ];
    ui.horizontal(|ui| {
        for (flies, name, called, hint) in choices {
            let choice = id(ui.radio(mark.flies == flies, name).on_hover_text(hint), called);
            if choice.clicked() && mark.flies != flies {
                let (step, flight) = ("Change segment", flies.then(Flight::default));
                studio.change_segments(step, |shot| set_flight(shot, place, flight, frames));
            }
        }
    });
}

fn length(ui: &mut Ui, frames: &mut f64, least: f64, draft: &mut Draft) {
    let hint = "How many frames it takes";
    let rule = Rule::Within(least, 1e6);
    let field = Number { name: "Length", unit: "frames", hint, step: "Resize segment", rule };
    id(field.show(ui, draft, frames), "segment-length");
}

fn land(ui: &mut Ui, flight: &mut Flight, draft: &mut Draft) {
    let mut as_rest = flight.land == Land::Rest;
    let field = ui.checkbox(&mut as_rest, "Land at the height of the rest shape");
    if field.changed() {
        flight.land = if as_rest { Land::Rest } else { Land::Height(1.0) };
    }
    let field = field.on_hover_text("Where the centre of mass is when the flight ends");
    draft.field(&id(field, "land-at-rest"), "Set landing");
    if let Land::Height(height) = &mut flight.land {
        let hint = "Height of the centre of mass at which the flight ends";
        let (name, step) = ("Landing height", "Set landing");
        let field = Number { name, unit: "m", hint, step, rule: Rule::Finite };
        id(field.show(ui, draft, height), "landing-height");
    }
}

fn anchors(ui: &mut Ui, segment: &mut Segment, draft: &mut Draft, groups: &[String]) {
    ui.horizontal(|ui| {
        let label = ui.label("Anchored by");
        let before = segment.anchors.clone();
        let name = match before.as_deref() {
            None => "the body's anchors".to_owned(),
            Some(anchors) => anchors.iter().map(anchor_words).collect::<Vec<_>>().join(", "),
        };
        let combo = ComboBox::from_id_salt("anchored").selected_text(name).show_ui(ui, |ui| {
            let own = ui.selectable_value(&mut segment.anchors, None, "the body's anchors");
            id(own, "anchors-of-body");
            for group in groups {
                let anchors = Some(vec![Anchor::Group(group.clone())]);
                let entry = ui.selectable_value(&mut segment.anchors, anchors, format!("group {group}"));
                id(entry, &format!("anchors-{group}"));
            }
        });
        let response = combo.response.on_hover_text("What stays in place during this segment");
        let mut response = id(response.labelled_by(label.id), "segment-anchors");
        if segment.anchors != before {
            response.mark_changed();
        }
        draft.field(&response, "Set segment anchors");
    });
}

fn end(ui: &mut Ui, segment: &mut Segment, draft: &mut Draft) {
    ui.horizontal(|ui| {
        let label = ui.label("Ends");
        let before = segment.end;
        let name = ENDS.iter().find(|(end, ..)| *end == before).map_or("", |(_, name, _)| name);
        let combo = ComboBox::from_id_salt("segment-end").selected_text(name).show_ui(ui, |ui| {
            for (end, name, hint) in ENDS {
                let entry = ui.selectable_value(&mut segment.end, end, name).on_hover_text(hint);
                id(entry, &format!("end-{}", name.to_lowercase().replace(' ', "-")));
            }
        });
        let response = combo.response.on_hover_text("What holds where this segment ends");
        let mut response = id(response.labelled_by(label.id), "segment-end");
        if segment.end != before {
            response.mark_changed();
        }
        draft.field(&response, "Set segment end");
    });
}

fn own_modes(ui: &mut Ui, segment: &mut Segment, draft: &mut Draft, modes: usize) {
    let mut own = segment.modes.is_some();
    let field = ui.checkbox(&mut own, "Custom number of modes");
    if field.changed() {
        segment.modes = own.then_some(modes);
    }
    let field = field.on_hover_text("Off: as many as the whole motion");
    draft.field(&id(field, "segment-own-modes"), "Set segment modes");
    if let Some(modes) = &mut segment.modes {
        let field = ui.add(DragValue::new(modes)).on_hover_text("Vibration modes of this segment");
        draft.field(&id(field.accessible_name("Segment modes"), "segment-modes"), "Set segment modes");
        if !(1..=20_000).contains(modes) {
            draft.refuse(ui, &format!("Segment modes must be 1 to 20000, got {modes}"));
        }
    }
}
