//! All of the handle that is selected.

use crate::widgets::id;
use crate::{Studio, colours};
use eframe::egui::{Button, ComboBox, DragValue, RadioButton, RichText, Ui};
use supple_project::shot::{At, Axes, Goal, Handle, Hold, Method, Move, Site, Together, When};
use supple_session::{goal_words, may_answer};

pub fn show(studio: &mut Studio, ui: &mut Ui, index: usize, handle: &Handle) {
    ui.horizontal(|ui| {
        let muted = handle.muted == Some(true);
        let word = if muted { "Unmute" } else { "Mute" };
        let mute = ui.button(word).on_hover_text("Ignore this handle while muted (H)");
        if id(mute, "mute-handle").clicked() {
            studio.mute_selected();
        }
        if id(ui.button("Delete").on_hover_text("Delete this handle (X)"), "delete-handle").clicked() {
            studio.delete_selected();
        }
    });
    when(studio, ui, index, handle);
    kind(studio, ui, index, handle);
    numbers(studio, ui, index, handle);
    hold(studio, ui, index, handle);
    points(studio, ui, index, handle);
    layer(studio, ui, index, handle);
    if handle.goal.takes_axes() {
        axes(studio, ui, index, handle);
    }
    if handle.goal.takes_relative_to() {
        relative(studio, ui, index, handle);
    }
}

fn when(studio: &mut Studio, ui: &mut Ui, index: usize, handle: &Handle) {
    if studio.timeline.clock.frames == 0 {
        // Nothing is opened yet, and no frame is known: a field would make it the only one there is.
        return;
    }
    if let When::At(at) = handle.when {
        inside(studio, ui, index, at);
        return;
    }
    let range = handle.when.range();
    let (mut from, mut to) = (*range.start(), *range.end());
    let first = studio.timeline.number(0);
    let last = studio.timeline.number(studio.timeline.clock.frames.saturating_sub(1));
    ui.horizontal(|ui| {
        ui.label("Frames");
        let field = DragValue::new(&mut from).range(first..=last).update_while_editing(false);
        let begin = ui.add(field).on_hover_text("First frame this handle is active");
        let begin = id(begin.accessible_name("First frame of handle"), "handle-first");
        let field = DragValue::new(&mut to).range(from..=last).update_while_editing(false);
        let end = ui.add(field).on_hover_text("Last frame this handle is active");
        let end = id(end.accessible_name("Last frame of handle"), "handle-last");
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

/// When in its segment: so many frames after it begins, or where it ends.
fn inside(studio: &mut Studio, ui: &mut Ui, index: usize, at: At) {
    let segment = studio.session.document.shot().edit.segment_of(index);
    let Some(mark) = segment.and_then(|segment| studio.timeline.segments.get(segment)).copied() else {
        return;
    };
    let length = mark.times[1] - mark.times[0];
    let retime = |studio: &mut Studio, at: At| {
        studio.change_handle("Retime handle", index, |handle| handle.when = When::At(at));
    };
    ui.horizontal(|ui| {
        let mut is_end = at == At::End;
        let field = ui.checkbox(&mut is_end, "At the end of the segment");
        let field = field.on_hover_text("Stays at the end, however long the segment is");
        if id(field, "handle-at-end").changed() {
            let inside = (length / 2.0).round().min(length);
            retime(studio, if is_end { At::End } else { At::Frames(inside) });
        }
    });
    let At::Frames(mut frames) = at else { return };
    ui.horizontal(|ui| {
        let label = ui.label("Frames into the segment");
        let field = DragValue::new(&mut frames).range(0.0..=length).speed(0.1).max_decimals(3);
        let field = ui.add(field.update_while_editing(false)).labelled_by(label.id);
        if id(field.on_hover_text("Counted from where the segment begins"), "handle-at").changed() {
            retime(studio, At::Frames(frames));
        }
    });
}

/// What is asked: the kinds that are three numbers.
fn kind(studio: &mut Studio, ui: &mut Ui, index: usize, handle: &Handle) {
    let name = match handle.goal {
        Goal::By(_) => "Offset",
        Goal::To(_) => "Position",
        Goal::Velocity(_) => "Velocity",
        Goal::Plane { .. } => "In plane",
        Goal::Path(_) => "Path",
        Goal::Turn { .. } => "Rotation",
        Goal::Along(_) => "On a curve",
        Goal::Stay { .. } => "Plant",
        Goal::Distance(_) => "Distance",
        Goal::SameAs(_) => "Same place",
        Goal::Orientation(_) => "Orientation",
        Goal::Inside(_) => "Inside",
        Goal::Outside(_) => "Outside",
    };
    let is_character = studio.session.document.shot().edit.method == Method::Character;
    let is_range = matches!(handle.when, When::Frames(_));
    let origin = studio.origin_of(handle.relative_to.as_ref());
    let place =
        studio.handle_place(index).zip(origin).map(|(place, origin)| <[f64; 3]>::from(place - origin));
    let moved = studio.moved_by(&handle.site, handle.relative_to.as_ref());
    let velocity = studio.velocity_of(&handle.site).filter(|_| handle.relative_to.is_none());
    let combo = ComboBox::from_label("Constraint").selected_text(name).show_ui(ui, |ui| {
        let mut choose = |name: &str, called: &str, hint: &str, goal: Option<Goal>| {
            let entry = ui.add_enabled(goal.is_some(), Button::selectable(false, name)).on_hover_text(hint);
            if let (true, Some(goal)) = (id(entry, called).clicked(), goal) {
                studio.change_handle("Change constraint", index, |handle| handle.goal = goal);
            }
        };
        choose("Offset", "goal-by", "Offset from the original motion, in metres", moved.map(Goal::By));
        choose("Position", "goal-to", "Position in the scene, in metres", place.map(Goal::To));
        choose(
            "Velocity",
            "goal-velocity",
            "Velocity in m/s of playback time",
            Some(Goal::Velocity(velocity.unwrap_or_default())),
        );
        let plane = place.map(|point| Goal::Plane { normal: [0.0, 1.0, 0.0], point });
        choose("In plane", "goal-plane", "Anywhere in the horizontal plane through the point", plane);
        if is_character {
            let plant = is_range.then_some(Goal::Stay { at: None });
            choose(
                "Plant",
                "goal-stay",
                "One place for all of its frames, wherever is easiest; needs a range of frames",
                plant,
            );
        }
    });
    id(combo.response.on_hover_text("What the handle controls"), "constraint");
}

/// The three numbers of a goal; the motion follows while they change, and one stay in a field is one step.
fn numbers(studio: &mut Studio, ui: &mut Ui, index: usize, handle: &Handle) {
    let mut goal = handle.goal.clone();
    if let Goal::Turn { turn, .. } = &mut goal {
        let field = DragValue::new(&mut turn.degrees).speed(0.5).max_decimals(3).suffix("°");
        let field = ui.add(field).on_hover_text("How far it is rotated; drag, or click to type");
        let field = id(field.accessible_name("Angle"), "handle-angle");
        let (changed, active) = (field.changed(), field.dragged() || field.has_focus());
        follow(studio, index, goal, changed, active);
        return;
    }
    let unit = if matches!(goal, Goal::Velocity(_)) { " m/s" } else { " m" };
    let (Goal::By(numbers)
    | Goal::To(numbers)
    | Goal::Velocity(numbers)
    | Goal::Plane { point: numbers, .. }
    | Goal::Stay { at: Some(Move::To(numbers) | Move::By(numbers)) }) = &mut goal
    else {
        ui.weak(goal_words(&goal));
        return;
    };
    let size = studio.snapshot.stage.as_ref().map_or(1.0, |stage| stage.size);
    let decimals = (5.0 - size.max(1e-6).log10()).clamp(3.0, 9.0) as usize;
    let (mut changed, mut active) = (false, false);
    ui.horizontal(|ui| {
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
            ui.label(RichText::new(name).color(colours::text(colours::AXES[axis], ui.visuals())));
            let field =
                DragValue::new(&mut numbers[axis]).speed(0.002 * size).max_decimals(decimals).suffix(unit);
            let field = ui.add(field).on_hover_text("Drag, or click to type");
            let field = id(field.accessible_name(format!("Goal {name}")), &format!("goal-{name}"));
            changed |= field.changed();
            active |= field.dragged() || field.has_focus();
        }
    });
    follow(studio, index, goal, changed, active);
}

/// The motion follows a goal while it is changed; all of that is one step.
fn follow(studio: &mut Studio, index: usize, goal: Goal, changed: bool, active: bool) {
    if changed {
        if !studio.draft.live {
            studio.session.document.begin_gesture("Set goal");
            studio.draft.live = true;
        }
        studio.view.hand = Some(index);
        studio.session.document.update_gesture(|shot| shot.edit.set_goal(index, goal));
    }
    if studio.draft.live && !active {
        studio.draft.live = false;
        studio.view.hand = None;
        studio.session.document.commit_gesture();
    }
}

fn hold(studio: &mut Studio, ui: &mut Ui, index: usize, handle: &Handle) {
    let method = studio.session.document.shot().edit.method;
    let hold = handle.firmness(method);
    let is_soft = method == Method::Sparse && handle.points == Some(Together::Each);
    ui.horizontal(|ui| {
        let is_hard = matches!(hold, Hold::Hard);
        let hard = ui.add_enabled(!is_soft, RadioButton::new(is_hard, "Hard")).on_hover_text("Met exactly");
        let hard = hard.on_disabled_hover_text("Vertices that are held one by one cannot all be met exactly");
        if id(hard, "hold-hard").clicked() && !is_hard {
            studio.set_hold(index, Hold::Hard);
        }
        let soft = ui.radio(!is_hard, "Soft").on_hover_text("Pulls towards the goal without reaching it");
        if id(soft, "hold-soft").clicked() && is_hard {
            studio.set_hold(index, Hold::Soft(1.0));
        }
        if let Hold::Soft(mut weight) = hold {
            let field = DragValue::new(&mut weight).range(1e-6..=1e9).speed(0.05).update_while_editing(false);
            let hint = "A single soft handle stops 1/(1 + firmness) short: 1 goes half-way, 99 nearly all \
                        the way";
            let field = ui.add(field.prefix("firmness ")).on_hover_text(hint).accessible_name("Firmness");
            if id(field, "firmness").changed() {
                studio.set_hold(index, Hold::Soft(weight));
            }
        }
    });
}

/// What a handle on several points holds.
fn points(studio: &mut Studio, ui: &mut Ui, index: usize, handle: &Handle) {
    if !matches!(handle.site, Site::Vertices(_) | Site::Group(_)) || matches!(handle.goal, Goal::Turn { .. })
    {
        return;
    }
    let now = handle.points.unwrap_or_default();
    let choices = [
        (
            Together::Mean,
            "Average",
            "points-mean",
            "Holds the average of the vertices; they can rotate around it",
        ),
        (Together::Each, "Every vertex", "points-each", "Holds every vertex, all with the same offset"),
    ];
    ui.horizontal(|ui| {
        for (choice, name, called, hint) in choices {
            let field = id(ui.radio(now == choice, name).on_hover_text(hint), called);
            if field.clicked() && now != choice {
                let points = (choice != Together::default()).then_some(choice);
                let is_sparse = studio.session.document.shot().edit.method == Method::Sparse;
                studio.change_handle("Set points", index, |handle| {
                    handle.points = points;
                    if is_sparse && choice == Together::Each {
                        handle.hold = handle.hold.filter(|hold| *hold != Hold::Hard);
                    }
                });
            }
        }
    });
}

/// The layer that answers it.
fn layer(studio: &mut Studio, ui: &mut Ui, index: usize, handle: &Handle) {
    let layers = studio.session.document.shot().edit.layers.clone();
    if layers.is_empty() {
        return;
    }
    const BELOW: &str = "below all layers";
    ui.horizontal(|ui| {
        let label = ui.label("Layer");
        let name = handle.layer.clone().unwrap_or_else(|| BELOW.to_owned());
        let combo = ComboBox::from_id_salt("handle-layer").selected_text(name).show_ui(ui, |ui| {
            let choices = std::iter::once(None).chain(layers.iter().map(Some));
            for (place, layer) in choices.enumerate() {
                let name = layer.map(|layer| layer.name.clone());
                let can_be = layer.is_none_or(|layer| may_answer(layer, handle));
                let words = name.clone().unwrap_or_else(|| BELOW.to_owned());
                let entry = ui.add_enabled(can_be, Button::selectable(handle.layer == name, words));
                let entry = entry.on_disabled_hover_text("The handle is outside the frames of this layer");
                if id(entry, &format!("handle-layer-{place}")).clicked() {
                    studio.change_handle("Choose layer", index, |handle| handle.layer = name);
                }
            }
        });
        let response = combo.response.on_hover_text("The layer that meets this handle");
        id(response.labelled_by(label.id), "handle-layer");
    });
}

fn axes(studio: &mut Studio, ui: &mut Ui, index: usize, handle: &Handle) {
    let mut axes = handle.axes.map_or([true; 3], |axes| axes.0);
    ui.horizontal(|ui| {
        ui.label("Axes").on_hover_text("Axes this handle controls; it is free along the others");
        let mut changed = false;
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
            let word = RichText::new(name).color(colours::text(colours::AXES[axis], ui.visuals()));
            let field = ui.checkbox(&mut axes[axis], word).on_hover_text(format!("Control {name}"));
            let field = id(field.accessible_name(format!("Axis {name}")), &format!("axis-{name}"));
            changed |= field.changed();
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
            let hint = "Hold relative to another vertex: click the reference vertex next";
            if id(ui.button("Relative to …").on_hover_text(hint), "relative-to").clicked() {
                studio.picks_relative = true;
            }
        }
        Some(site) => {
            ui.label(match site {
                Site::Vertex(v) => format!("Relative to vertex {}", v.0),
                Site::Joint { name, .. } => format!("Relative to joint {name}"),
                _ => "Relative to another point".to_owned(),
            });
            let hint = "Hold in scene space; the motion does not change";
            if id(ui.button("Make absolute").on_hover_text(hint), "make-absolute").clicked() {
                studio.set_origin("Make absolute", index, None);
            }
        }
    });
}
