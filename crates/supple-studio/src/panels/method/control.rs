//! The fields of `control`: its poses, the time it takes, damping, weight, the basis and the solver.

use super::super::fields;
use super::{Around, shared, time};
use crate::Studio;
use crate::draft::Draft;
use crate::widgets::id;
use eframe::egui::{Checkbox, CollapsingHeader, ComboBox, DragValue, Ui};
use supple_project::shot::{Control, ControlSolver, Edit, FrameTime, Guess, Hold, Pose, Shot};

const SOLVERS: [(ControlSolver, &str, &str); 2] = [
    (ControlSolver::Newton, "Newton", "Few steps, each with simulations"),
    (ControlSolver::Cg, "Conjugate gradients", "As published; slow, and for soft poses only"),
];

const GUESSES: [(Guess, &str, &str); 3] = [
    (Guess::Zero, "No forces", "What the body does when nothing pushes it"),
    (Guess::Pd, "Springs", "Springs and dampers pull it from pose to pose"),
    (Guess::Arcs, "Balanced", "The body in balance under loads between those of its poses"),
];

pub fn show(studio: &mut Studio, ui: &mut Ui) {
    let around = Around::of(studio);
    let has_segments = !studio.timeline.segments.is_empty();
    fields(studio, ui, |ui, shot, draft| {
        poses(ui, &shot.edit);
        if !has_segments && around.is_open {
            shared::window(ui, shot, draft, &around);
        }
        ui.separator();
        time::seconds(ui, shot, draft);
        time::damping(ui, shot, draft);
        ui.separator();
        own(ui, shot, draft);
    });
}

/// What poses there are, in words.
fn poses(ui: &mut Ui, edit: &Edit) {
    let all: Vec<&Pose> =
        edit.poses.iter().chain(edit.segments.iter().flat_map(|segment| &segment.poses)).collect();
    if all.is_empty() {
        ui.label("No key poses yet. Add [[edit.pose]] to the shot: a file, or loads and pins.");
        return;
    }
    ui.strong(format!("{} key poses", all.len()));
    for (number, pose) in (1..).zip(all) {
        let from = match &pose.file {
            Some(file) => file.display().to_string(),
            None => "loads and pins".to_owned(),
        };
        let hold = match pose.hold {
            Hold::Hard => String::new(),
            Hold::Soft(weight) => format!(", hold {weight}"),
        };
        ui.label(format!("{number}: {}, {from}{hold}", pose.when));
    }
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
    let mut varies = own.time == FrameTime::PerKey;
    let field = ui.add(Checkbox::new(&mut varies, "Time of each pose"));
    let field = field.on_hover_text("Frames take the time the body would swing in from pose to pose");
    own.time = if varies { FrameTime::PerKey } else { FrameTime::Fixed };
    draft.field(&id(field, "per-key"), "Set time of poses");
    ui.horizontal(|ui| {
        let label = ui.label("Modes");
        let field = DragValue::new(&mut own.basis.modes).range(0..=200).speed(0.1);
        let hint = "Vibration modes besides the poses; more give more swing that nobody keyed";
        let field = ui.add(field).on_hover_text(hint).labelled_by(label.id);
        draft.field(&id(field, "control-modes"), "Set modes");
    });
    let field = ui.add(Checkbox::new(&mut own.basis.tangents, "Ways between poses"));
    let field = field.on_hover_text("The shapes by which the body leaves each pose for the next");
    draft.field(&id(field, "tangents"), "Set ways between poses");
    CollapsingHeader::new("Solver").id_salt("solver").show(ui, |ui| solver(ui, &mut own, draft));
    if own != before && shot.edit.set_control_settings(&own).is_err() {
        draft.refuse(ui, "These settings cannot be saved");
    }
}

fn solver(ui: &mut Ui, own: &mut Control, draft: &mut Draft) {
    let (solver, guess) = (own.solver, own.guess);
    ui.horizontal(|ui| {
        let label = ui.label("Steps");
        let name = SOLVERS.iter().find(|(of, ..)| *of == solver).map_or("", |(_, name, _)| name);
        let combo = ComboBox::from_id_salt("control-steps").selected_text(name).show_ui(ui, |ui| {
            for (solver, name, hint) in SOLVERS {
                let entry = ui.selectable_value(&mut own.solver, solver, name).on_hover_text(hint);
                id(entry, &format!("control-solver-{}", solver.name()));
            }
        });
        let response = combo.response.on_hover_text("How the solver takes its steps");
        let mut response = id(response.labelled_by(label.id), "control-solver");
        if own.solver != solver {
            response.mark_changed();
        }
        draft.field(&response, "Set solver");
    });
    ui.horizontal(|ui| {
        let label = ui.label("Begins with");
        let name = GUESSES.iter().find(|(of, ..)| *of == guess).map_or("", |(_, name, _)| name);
        let combo = ComboBox::from_id_salt("guess").selected_text(name).show_ui(ui, |ui| {
            for (guess, name, hint) in GUESSES {
                let entry = ui.selectable_value(&mut own.guess, guess, name).on_hover_text(hint);
                id(entry, &format!("guess-{}", guess.name()));
            }
        });
        let response = combo.response.on_hover_text("The motion the solver begins with");
        let mut response = id(response.labelled_by(label.id), "guess");
        if own.guess != guess {
            response.mark_changed();
        }
        draft.field(&response, "Set first guess");
    });
}
