//! The fields of `sparse`: the time it takes, gravity, the solver, and the segment that is selected.

use super::super::fields;
use super::{Around, segment, shared, time};
use crate::Studio;
use crate::draft::Draft;
use crate::widgets::id;
use eframe::egui::{Checkbox, CollapsingHeader, DragValue, Ui};
use supple_project::shot::{Shot, Sparse, SparseSolver};
use supple_session::EARTH;

const SOLVERS: [(SparseSolver, &str, &str); 3] = [
    (SparseSolver::Newton, "Newton", "Few steps; finds large rotations and velocities"),
    (SparseSolver::GaussNewton, "Gauss-Newton", "Cheaper steps; can stop early at large rotations"),
    (SparseSolver::Bfgs, "BFGS", "Cheapest steps, and many of them"),
];

pub fn show(studio: &mut Studio, ui: &mut Ui) {
    let around = Around::of(studio);
    let has_segments = !studio.timeline.segments.is_empty();
    let selected = if has_segments { segment::head(studio, ui) } else { None };
    fields(studio, ui, |ui, shot, draft| {
        if let Some(place) = selected {
            segment::show(ui, shot, draft, place, &around);
        }
        if has_segments {
            ui.separator();
            ui.strong("All segments");
        }
        shared::modes(ui, shot, draft);
        if !has_segments {
            shared::ends(ui, shot, draft, "At rest");
            if around.is_open {
                shared::window(ui, shot, draft, &around);
            }
            shared::part(ui, shot, draft, &around.groups);
        }
        ui.separator();
        time::seconds(ui, shot, draft);
        time::damping(ui, shot, draft);
        ui.separator();
        gravity(ui, shot, draft);
        ui.separator();
        shared::warp(ui, shot, draft);
        let more = CollapsingHeader::new("Solver").id_salt("solver").show(ui, |ui| own(ui, shot, draft));
        id(more.header_response, "solver-settings");
    });
}

pub(super) fn gravity(ui: &mut Ui, shot: &mut Shot, draft: &mut Draft) {
    let mut falls = shot.edit.gravity.is_some();
    let flies = shot.edit.segments.iter().any(supple_project::shot::Segment::is_flight);
    let field = ui.add_enabled(!flies || !falls, Checkbox::new(&mut falls, "Gravity"));
    let field = field.on_hover_text("Acceleration of the body in flight, per second of playback");
    let field = field.on_disabled_hover_text("Flights need gravity");
    if field.changed() {
        shot.edit.gravity = falls.then_some(EARTH);
        shot.edit.weight = shot.edit.weight.filter(|_| falls);
    }
    draft.field(&id(field, "gravity"), "Set gravity");
    if let Some(gravity) = &mut shot.edit.gravity {
        ui.horizontal(|ui| {
            for (value, name) in gravity.iter_mut().zip(["x", "y", "z"]) {
                ui.label(name);
                let field = ui.add(DragValue::new(value).speed(0.05).max_decimals(4).suffix(" m/s²"));
                let field = field.on_hover_text("Downward is negative y");
                let field = field.accessible_name(format!("Gravity {name}"));
                draft.field(&id(field, &format!("gravity-{name}")), "Set gravity");
            }
        });
        if flies && *gravity == [0.0; 3] {
            draft.refuse(ui, "Flights need gravity");
        }
    }
    let mut weighs = shot.edit.weight == Some(true);
    let falls = shot.edit.gravity.is_some();
    let field = ui.add_enabled(falls, Checkbox::new(&mut weighs, "Weight on the ground"));
    let field = field.on_hover_text("The body sags under gravity on the ground, too");
    if field.changed() {
        shot.edit.weight = weighs.then_some(true);
    }
    draft.field(&id(field, "weight"), "Set weight");
}

/// What is in the table of the method's own.
fn own(ui: &mut Ui, shot: &mut Shot, draft: &mut Draft) {
    let before = match shot.edit.sparse_settings() {
        Ok(settings) => settings,
        Err(error) => {
            draft.refuse(ui, &error.to_string());
            return;
        }
    };
    let mut own = before;
    solver(ui, &mut own, draft);
    ui.horizontal(|ui| {
        let label = ui.label("Fade between segments");
        let field = DragValue::new(&mut own.fade).range(0.0..=1e6).speed(0.1).suffix(" frames");
        let hint = "Frames over which a shape fades if the anchors of the next segment do not allow it";
        let field = ui.add(field).on_hover_text(hint).labelled_by(label.id);
        draft.field(&id(field, "fade"), "Set fade");
    });
    if own != before && shot.edit.set_sparse_settings(own).is_err() {
        draft.refuse(ui, "These settings cannot be saved");
    }
}

fn solver(ui: &mut Ui, own: &mut Sparse, draft: &mut Draft) {
    let said = ("Steps", "solver", "How the solver takes its steps");
    shared::choice(ui, said, &SOLVERS, &mut own.solver, SparseSolver::name, draft);
}
