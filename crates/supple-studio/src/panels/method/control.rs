//! The fields of `control`: what the motion is made of, what force costs, the time it takes, and the segment that is selected.

use super::super::fields;
use super::super::number::{Number, Rule};
use super::{Around, segment, shared, sparse, time};
use crate::Studio;
use crate::draft::Draft;
use crate::widgets::id;
use eframe::egui::{CollapsingHeader, DragValue, Response, Ui};
use supple_project::shot::{Control, ControlSolver, Effort, FrameTime, Guess, Recorded, Shot};

const SOLVERS: [(ControlSolver, &str, &str); 2] = [
    (ControlSolver::Newton, "Newton", "Few steps, each with simulations; the usual choice"),
    (ControlSolver::Cg, "Conjugate gradients", "As published; many small steps, much slower"),
];
const GUESSES: [(Guess, &str, &str); 3] = [
    (Guess::Zero, "No forces", "The body moves as it would without forces"),
    (Guess::Pd, "Springs and dampers", "Pulled along a line from pose to pose"),
    (Guess::Arcs, "From balance to balance", "Through shapes in balance between the poses"),
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
        } else if around.is_open {
            shared::window(ui, shot, draft, &around);
        }
        time::seconds(ui, shot, draft);
        own(ui, shot, draft);
        ui.separator();
        time::damping(ui, shot, draft);
        sparse::gravity(ui, shot, draft);
    });
}

/// What is in the table of the method's own.
fn own(ui: &mut Ui, shot: &mut Shot, draft: &mut Draft) {
    let before = match shot.edit.control_settings() {
        Ok(settings) => settings,
        Err(error) => {
            draft.refuse(ui, &error.to_string());
            return;
        }
    };
    let mut own = before.clone();
    let mut per_key = own.time == FrameTime::PerKey;
    let field = ui.checkbox(&mut per_key, "Time between poses as the body would swing");
    own.time = if per_key { FrameTime::PerKey } else { FrameTime::Fixed };
    let hint = "Each stretch between two poses takes the time the body needs to swing from one to the other";
    draft.field(&id(field.on_hover_text(hint), "per-key"), "Set time between poses");
    ui.separator();
    effort(ui, &mut own, draft);
    ui.separator();
    ui.strong("Shapes the motion is made of");
    basis(ui, &mut own, draft);
    let header = CollapsingHeader::new("Solver").id_salt("solver");
    id(header.show(ui, |ui| solver(ui, &mut own, draft)).header_response, "solver-settings");
    if own != before && shot.edit.set_control_settings(&own).is_err() {
        draft.refuse(ui, "These settings cannot be saved");
    }
}

/// What force costs.
fn effort(ui: &mut Ui, own: &mut Control, draft: &mut Draft) {
    let mut automatic = own.effort == Effort::Auto;
    let field = ui.checkbox(&mut automatic, "Automatic cost of force");
    if field.changed() {
        own.effort = if automatic { Effort::Auto } else { Effort::Of(1e-6) };
    }
    let hint =
        "Low enough that soft poses are met closely. Off: a higher cost follows the poses more loosely";
    draft.field(&id(field.on_hover_text(hint), "effort-auto"), "Set cost of force");
    if let Effort::Of(effort) = &mut own.effort {
        let hint = "Cost of forces compared with missing soft poses";
        let (name, step) = ("Cost of force", "Set cost of force");
        id(Number { name, unit: "", hint, step, rule: Rule::Positive }.show(ui, draft, effort), "effort");
    }
}

fn basis(ui: &mut Ui, own: &mut Control, draft: &mut Draft) {
    const STEP: &str = "Set shapes";
    let basis = &mut own.basis;
    ui.weak("The poses themselves are always among them");
    let field = ui.checkbox(&mut basis.tangents, "Ways from each pose to the next");
    let hint = "How the body leaves each pose; without them it moves stiffly between the poses";
    draft.field(&id(field.on_hover_text(hint), "tangents"), STEP);
    let hint = "More shapes on the way from pose to pose, for poses that are far apart";
    let field = count(ui, "Shapes in between", &mut basis.samples, 0..=200, hint);
    draft.field(&id(field, "samples"), STEP);
    match &basis.recorded {
        None => {
            let hint = "Modes for secondary motion; more give finer detail and solve slower";
            let field = count(ui, "Vibration modes", &mut basis.modes, 0..=500, hint);
            draft.field(&id(field, "control-modes"), STEP);
        }
        Some(Recorded::Simulate) => {
            ui.label("Shapes of the simulated motion");
        }
        Some(Recorded::File(file)) => {
            ui.label(format!("Shapes of {}", file.display()));
        }
    }
    let mut limited = basis.size.is_some();
    let field = ui.checkbox(&mut limited, "Limit their number");
    if field.changed() {
        basis.size = limited.then_some(30);
    }
    draft.field(&id(field.on_hover_text("Keeps the most useful shapes"), "basis-limited"), STEP);
    if let Some(size) = &mut basis.size {
        let field = count(ui, "  at most", size, 1..=1000, "How many shapes there are at most");
        draft.field(&id(field, "basis-size"), STEP);
    }
}

fn solver(ui: &mut Ui, own: &mut Control, draft: &mut Draft) {
    shared::choice(
        ui,
        ("Steps", "control-solver", "How the solver takes its steps"),
        &SOLVERS,
        &mut own.solver,
        ControlSolver::name,
        draft,
    );
    shared::choice(
        ui,
        ("Begins with", "guess", "The motion the solver begins with"),
        &GUESSES,
        &mut own.guess,
        Guess::name,
        draft,
    );
    let mut cut = own.keys_per_window.is_some();
    let field = ui.checkbox(&mut cut, "Solve a few poses at a time");
    if field.changed() {
        own.keys_per_window = cut.then_some(2);
    }
    let hint = "Long motions are cut at poses, and solved piece by piece";
    draft.field(&id(field.on_hover_text(hint), "windows"), "Set poses at a time");
    if let Some(keys) = &mut own.keys_per_window {
        let field = count(ui, "  poses at a time", keys, 1..=1000, hint);
        draft.field(&id(field, "keys-per-window"), "Set poses at a time");
    }
}

fn count(
    ui: &mut Ui,
    name: &str,
    value: &mut usize,
    range: std::ops::RangeInclusive<usize>,
    hint: &str,
) -> Response {
    ui.horizontal(|ui| {
        let label = ui.label(name).on_hover_text(hint);
        let field = ui.add(DragValue::new(value).range(range).speed(0.2));
        field.on_hover_text(hint).labelled_by(label.id)
    })
    .inner
}
