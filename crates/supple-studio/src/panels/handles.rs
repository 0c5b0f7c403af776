//! The panel of the handles: a list with errors, and all of the one that is selected.

use crate::{Studio, colours};
use eframe::egui::{Button, ComboBox, DragValue, Label, RichText, Ui};
use supple_project::session::{HandleRow, HandleState, handle_list};
use supple_project::shot::{Axes, Goal, Handle, Hold, Site, When};

pub fn show(studio: &mut Studio, ui: &mut Ui) {
    let shot = studio.session.document.shot().clone();
    let rows = handle_list(&shot, studio.session.document.generation(), &studio.answer);
    if rows.is_empty() {
        ui.add(Label::new("No handles yet. Click or drag a point of the body in the left view.").wrap());
    }
    for (index, row) in rows.iter().enumerate() {
        line(studio, ui, index, row);
    }
    ui.separator();
    if let Some((index, handle)) = studio.selected.and_then(|i| shot.edit.handles.get(i).map(|h| (i, h))) {
        details(studio, ui, index, handle);
        ui.separator();
    }
    picked(studio, ui);
}

fn line(studio: &mut Studio, ui: &mut Ui, index: usize, row: &HandleRow) {
    let (mark, colour, words) = state(row);
    ui.horizontal(|ui| {
        ui.label(RichText::new(mark).color(colour)).on_hover_text(words.as_str());
        let is_selected = studio.selected == Some(index);
        let title =
            if row.muted { RichText::new(&row.title).strikethrough() } else { RichText::new(&row.title) };
        let label = ui.selectable_label(is_selected, title);
        if label.on_hover_text(format!("{}\n{words}", row.goal)).clicked() {
            studio.selected = Some(index);
            if let Some(mark) = studio.timeline.handles.get(index) {
                let number = studio.timeline.number(studio.view.frame);
                if !mark.frames.contains(&number) {
                    studio.view.frame = studio.timeline.index(*mark.frames.start());
                }
            }
        }
    });
    ui.indent(("goal", index), |ui| {
        ui.weak(&row.goal);
        if !matches!(row.state, HandleState::Met | HandleState::Unknown | HandleState::Muted) {
            ui.add(Label::new(RichText::new(words).color(colour)).wrap());
        }
    });
}

fn state(row: &HandleRow) -> (&'static str, eframe::egui::Color32, String) {
    match &row.state {
        HandleState::Unknown => ("…", colours::SKY, "not known yet".to_owned()),
        HandleState::Muted => ("–", eframe::egui::Color32::GRAY, "muted".to_owned()),
        HandleState::Wrong(why) => ("!", colours::RED, why.clone()),
        HandleState::Met => ("ok", colours::GREEN, "met".to_owned()),
        HandleState::Off { error, of_velocity, redundant } => {
            let unit = if *of_velocity { " per second" } else { "" };
            let why = if *redundant { "; it contradicts others" } else { "" };
            let colour = if row.soft { colours::ORANGE } else { colours::RED };
            ("≠", colour, format!("off by {error:.3e}{unit}{why}"))
        }
    }
}

fn details(studio: &mut Studio, ui: &mut Ui, index: usize, handle: &Handle) {
    ui.horizontal(|ui| {
        let muted = handle.muted == Some(true);
        let word = if muted { "Hear" } else { "Mute" };
        if ui.button(word).on_hover_text("Leave it alone for now, or not (H)").clicked() {
            studio.mute_selected();
        }
        if ui.button("Delete").on_hover_text("Delete this handle (X)").clicked() {
            studio.delete_selected();
        }
    });
    when(studio, ui, index, handle);
    kind(studio, ui, index, handle);
    numbers(studio, ui, index, handle);
    hold(studio, ui, index, handle);
    axes(studio, ui, index, handle);
    relative(studio, ui, index, handle);
}

fn when(studio: &mut Studio, ui: &mut Ui, index: usize, handle: &Handle) {
    let range = handle.when.range();
    let (mut from, mut to) = (*range.start(), *range.end());
    let first = studio.timeline.number(0);
    let last = studio.timeline.number(studio.timeline.frames.saturating_sub(1));
    ui.horizontal(|ui| {
        ui.label("Frames");
        let field = DragValue::new(&mut from).range(first..=last).update_while_editing(false);
        let begin = ui
            .add(field)
            .on_hover_text("The first frame it holds at")
            .accessible_name("First frame of handle");
        let field = DragValue::new(&mut to).range(from..=last).update_while_editing(false);
        let end =
            ui.add(field).on_hover_text("The last frame it holds at").accessible_name("Last frame of handle");
        if begin.changed() || end.changed() {
            let to = if begin.changed() && !end.changed() && range.start() == range.end() {
                from
            } else {
                to.max(from)
            };
            let when = if from == to { When::Frame(from) } else { When::Frames(from..=to) };
            studio.change_handle("Retime handle", index, |handle| handle.when = when);
        }
    });
}

/// What is asked: the kinds that are three numbers.
fn kind(studio: &mut Studio, ui: &mut Ui, index: usize, handle: &Handle) {
    let name = match handle.goal {
        Goal::By(_) => "Move by",
        Goal::To(_) => "Be at",
        Goal::Velocity(_) => "Have velocity",
        Goal::Plane { .. } => "Be in plane",
        Goal::Path(_) => "Follow path",
        Goal::Turn { .. } => "Turn",
    };
    let place = studio.handle_place(index).map(<[f64; 3]>::from);
    let moved = studio.moved_by(&handle.site);
    ComboBox::from_label("what is asked").selected_text(name).show_ui(ui, |ui| {
        let mut choose = |name: &str, hint: &str, goal: Option<Goal>| {
            let entry = ui.add_enabled(goal.is_some(), Button::selectable(false, name)).on_hover_text(hint);
            if let (true, Some(goal)) = (entry.clicked(), goal) {
                studio.change_handle("Change what is asked", index, |handle| handle.goal = goal);
            }
        };
        choose("Move by", "Away from where the input has it", moved.map(Goal::By));
        choose("Be at", "A place in the scene", place.map(Goal::To));
        choose("Have velocity", "Lengths per second of the playback", Some(Goal::Velocity([0.0; 3])));
        let plane = place.map(|point| Goal::Plane { normal: [0.0, 1.0, 0.0], point });
        choose("Be in plane", "Anywhere in the level plane through it", plane);
    });
}

/// The three numbers of a goal; the motion follows while they change, and one stay in a field is one step.
fn numbers(studio: &mut Studio, ui: &mut Ui, index: usize, handle: &Handle) {
    let mut goal = handle.goal.clone();
    let (Goal::By(numbers)
    | Goal::To(numbers)
    | Goal::Velocity(numbers)
    | Goal::Plane { point: numbers, .. }) = &mut goal
    else {
        return;
    };
    let size = studio.answer.stage.as_ref().map_or(1.0, |stage| stage.size);
    let (mut changed, mut active) = (false, false);
    ui.horizontal(|ui| {
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
            ui.label(RichText::new(name).color(colours::AXES[axis]));
            let field = DragValue::new(&mut numbers[axis]).speed(0.002 * size).max_decimals(5);
            let field = ui
                .add(field)
                .on_hover_text("Drag, or click and type")
                .accessible_name(format!("Goal {name}"));
            changed |= field.changed();
            active |= field.dragged() || field.has_focus();
        }
    });
    if changed {
        if !studio.draft.live {
            studio.session.document.begin_gesture("Set goal");
            studio.draft.live = true;
        }
        studio.view.hand = Some(index);
        studio.session.document.update_gesture(|shot| {
            if let Some(handle) = shot.edit.handles.get_mut(index) {
                handle.goal = goal;
            }
        });
    }
    if studio.draft.live && !active {
        studio.draft.live = false;
        studio.view.hand = None;
        studio.session.document.commit_gesture();
    }
}

fn hold(studio: &mut Studio, ui: &mut Ui, index: usize, handle: &Handle) {
    ui.horizontal(|ui| {
        let is_hard = matches!(handle.hold, Hold::Hard);
        if ui.radio(is_hard, "Hard").on_hover_text("It is met").clicked() && !is_hard {
            studio.set_hold(index, Hold::Hard);
        }
        if ui.radio(!is_hard, "Soft").on_hover_text("It may give, the less the more it weighs").clicked()
            && is_hard
        {
            studio.set_hold(index, Hold::Soft(1.0));
        }
        if let Hold::Soft(mut weight) = handle.hold {
            let field = DragValue::new(&mut weight).range(1e-6..=1e9).speed(0.05).update_while_editing(false);
            let field = ui.add(field.prefix("weight ")).accessible_name("Weight");
            if field.changed() {
                studio.set_hold(index, Hold::Soft(weight));
            }
        }
    });
}

fn axes(studio: &mut Studio, ui: &mut Ui, index: usize, handle: &Handle) {
    let mut axes = handle.axes.map_or([true; 3], |axes| axes.0);
    ui.horizontal(|ui| {
        ui.label("Holds").on_hover_text("The directions it holds in; in the others it is free");
        let mut changed = false;
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
            let name = RichText::new(name).color(colours::AXES[axis]);
            changed |= ui.checkbox(&mut axes[axis], name).changed();
        }
        if changed && axes.contains(&true) {
            let axes = (axes != [true; 3]).then_some(Axes(axes));
            studio.change_handle("Set axes", index, |handle| handle.axes = axes);
        }
    });
}

fn relative(studio: &mut Studio, ui: &mut Ui, index: usize, handle: &Handle) {
    ui.horizontal(|ui| match &handle.relative_to {
        None => {
            let hint = "Hold it as seen from another vertex: click that vertex next";
            if ui.button("Relative to …").on_hover_text(hint).clicked() {
                studio.picks_relative = true;
            }
        }
        Some(site) => {
            ui.label(match site {
                Site::Vertex(v) => format!("Seen from vertex {}", v.0),
                _ => "Seen from another site".to_owned(),
            });
            if ui.button("Make absolute").clicked() {
                studio.change_handle("Make absolute", index, |handle| handle.relative_to = None);
            }
        }
    });
}

/// What can be done with vertices that were picked by a box or a group.
fn picked(studio: &mut Studio, ui: &mut Ui) {
    let groups: Vec<(String, usize)> =
        studio.answer.stage.as_ref().and_then(|stage| stage.body.as_ref()).map_or(Vec::new(), |body| {
            body.groups.iter().map(|(name, members)| (name.to_owned(), members.len())).collect()
        });
    if !studio.picked.is_empty() {
        ui.label(format!("{} vertices are picked", studio.picked.len()));
        ui.horizontal(|ui| {
            if ui.button("Make a handle").on_hover_text("One handle for all of them (A)").clicked() {
                studio.add_handle_of_picked();
            }
            if ui.button("Anchor them").on_hover_text("They stay in place").clicked() {
                studio.anchor_picked();
            }
        });
    }
    let whole = ui.button("Handle of the centre of mass").on_hover_text("Moves the body as a whole");
    if whole.clicked() {
        studio.add_handle(Site::CenterOfMass);
    }
    if !groups.is_empty() {
        ui.menu_button("Handle of a group", |ui| {
            for (name, count) in groups {
                if ui.button(format!("{name} ({count} vertices)")).clicked() {
                    studio.add_handle(Site::Group(name));
                    ui.close();
                }
            }
        });
    }
}
