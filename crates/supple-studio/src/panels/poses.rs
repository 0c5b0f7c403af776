//! The poses of the shot: a list, and the fields of the one that is selected.

use super::fields;
use crate::Studio;
use crate::draft::Draft;
use crate::widgets::{field_error, id};
use eframe::egui::{Button, ComboBox, DragValue, Id, Label, TextEdit, Ui};
use supple_project::shot::{Components, Hold, Method, Pose, Shot};
use supple_session::pose_words;

pub fn show(studio: &mut Studio, ui: &mut Ui) {
    ui.horizontal(|ui| {
        ui.strong("Poses");
        let can = studio.posing.is_none();
        let button = ui.add_enabled(can, Button::new("Pose here"));
        let hint = "Pose the body at the current frame by pulling at it (Shift+P)";
        if id(button.on_hover_text(hint), "pose-from-panel").clicked() {
            studio.begin_pose();
        }
    });
    let shot = studio.session.document.shot().clone();
    let poses: Vec<_> = shot.edit.all_poses().collect();
    if poses.is_empty() && studio.posing.is_none() {
        let hint = "No poses yet. Go to a frame and choose Pose: drag the body with the mouse, freeze, pin, and key it.";
        ui.add(Label::new(hint).wrap());
    }
    for (place, (segment, pose)) in poses.iter().enumerate() {
        let segment = segment.map_or(String::new(), |segment| format!("segment {}, ", segment + 1));
        let words = format!("{segment}{}", pose_words(pose));
        let row = id(ui.selectable_label(studio.pose == Some(place), words), &format!("pose-{place}"));
        if row.clicked() {
            studio.select_pose(place);
        }
    }
    if let Some((place, pose)) = studio.pose.and_then(|place| Some((place, shot.edit.pose(place)?.1))) {
        one(studio, ui, place, pose);
    }
    ui.separator();
}

/// The pose that is selected.
fn one(studio: &mut Studio, ui: &mut Ui, place: usize, pose: &Pose) {
    ui.horizontal_wrapped(|ui| {
        let is_own = pose.file.is_none() && studio.posing.is_none();
        let edit = ui.add_enabled(is_own, Button::new("Edit pose"));
        let edit =
            edit.on_hover_text("Pull at it again").on_disabled_hover_text("Only poses that were pulled");
        if id(edit, "pose-edit").clicked() {
            studio.reopen_pose(place);
        }
        let delete = ui.button("Delete pose").on_hover_text("X or Delete");
        if id(delete, "pose-delete").clicked() {
            studio.delete_pose();
        }
    });
    let stage = studio.snapshot.stage.as_ref();
    let body = stage.and_then(|stage| stage.body.as_ref());
    let groups: Vec<String> =
        body.map_or(Vec::new(), |body| body.groups.iter().map(|(name, _)| name.to_owned()).collect());
    let method = studio.session.document.shot().edit.method;
    fields(studio, ui, |ui, shot, draft| {
        with(shot, place, |pose| hold(ui, pose, draft));
        with(shot, place, |pose| group(ui, pose, draft, &groups));
        if method == Method::Control {
            with(shot, place, |pose| components(ui, (pose, place), draft));
        }
    });
}

fn with(shot: &mut Shot, place: usize, change: impl FnOnce(&mut Pose)) {
    if let Some(pose) = shot.edit.pose_mut(place) {
        change(pose);
    }
}

fn hold(ui: &mut Ui, pose: &mut Pose, draft: &mut Draft) {
    ui.horizontal(|ui| {
        let is_hard = pose.hold == Hold::Hard;
        let hard = ui.radio(is_hard, "Hard").on_hover_text("Met exactly");
        if id(hard, "pose-hard").clicked() && !is_hard {
            pose.hold = Hold::Hard;
            draft.change("Set hold of pose");
        }
        let soft = ui.radio(!is_hard, "Soft").on_hover_text("Met as closely as the firmness says");
        if id(soft, "pose-soft").clicked() && is_hard {
            pose.hold = Hold::Soft(1.0);
            draft.change("Set hold of pose");
        }
        if let Hold::Soft(firmness) = &mut pose.hold {
            let field = DragValue::new(firmness).range(1e-9..=1e12).speed(0.05).prefix("firmness ");
            let field = ui.add(field.update_while_editing(false)).on_hover_text("More is met more closely");
            draft.field(&id(field.accessible_name("Pose firmness"), "pose-firmness"), "Set hold of pose");
        }
    });
}

fn group(ui: &mut Ui, pose: &mut Pose, draft: &mut Draft, groups: &[String]) {
    let can = pose.components.is_none() && !groups.is_empty();
    ui.add_enabled_ui(can, |ui| {
        ui.horizontal(|ui| {
            let label = ui.label("Of");
            let before = pose.group.clone();
            let name = before.clone().unwrap_or("the whole body".to_owned());
            let combo = ComboBox::from_id_salt("pose-group").selected_text(name).show_ui(ui, |ui| {
                let whole = ui.selectable_value(&mut pose.group, None, "the whole body");
                id(whole, "pose-group-whole");
                for group in groups {
                    let entry = ui.selectable_value(&mut pose.group, Some(group.clone()), group);
                    id(entry, &format!("pose-group-{group}"));
                }
            });
            let hint = "Only these vertices take the pose";
            let mut response = id(combo.response.on_hover_text(hint).labelled_by(label.id), "pose-group");
            if pose.group != before {
                response.mark_changed();
            }
            draft.field(&response, "Set group of pose");
        });
    });
}

/// The numbers of the components, as they are typed.
fn components(ui: &mut Ui, (pose, place): (&mut Pose, usize), draft: &mut Draft) {
    let written = pose.components.as_ref().map_or(String::new(), |components| {
        components.0.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    });
    let typed = Id::unique(("components", place));
    ui.horizontal(|ui| {
        let label = ui.label("Shapes");
        let mut text = ui.data(|data| data.get_temp::<String>(typed)).unwrap_or_else(|| written.clone());
        let field = TextEdit::singleline(&mut text).desired_width(120.0).hint_text("all");
        let field = ui.add_enabled(pose.group.is_none(), field).labelled_by(label.id);
        let hint = "Shapes this pose applies to, by number, as in 1, 2, 5; empty: all";
        let mut field = id(field.on_hover_text(hint), "pose-components");
        let (has_changed, is_left) = (field.changed(), field.lost_focus());
        if has_changed {
            ui.data_mut(|data| data.insert_temp(typed, text.clone()));
        }
        let Some(read) = numbers(&text) else {
            field_error(ui, "Write numbers from 1 on, as in 1, 2, 5");
            return;
        };
        if is_left {
            ui.data_mut(|data| data.remove::<String>(typed));
            if pose.components != read {
                pose.components = read;
                field.mark_changed();
                draft.field(&field, "Set shapes of pose");
            }
        }
    });
}

/// Numbers that were typed; nothing where one is none.
fn numbers(text: &str) -> Option<Option<Components>> {
    let words: Vec<&str> = text.split([',', ' ']).filter(|word| !word.is_empty()).collect();
    let numbers: Option<Vec<usize>> =
        words.iter().map(|word| word.parse().ok().filter(|number| *number > 0)).collect();
    numbers.map(|numbers| (!numbers.is_empty()).then_some(Components(numbers)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_numbers_from_one_on() {
        assert_eq!(numbers(" 1, 2 5"), Some(Some(Components(vec![1, 2, 5]))));
        assert_eq!((numbers(""), numbers("0"), numbers("1, x")), (Some(None), None, None));
    }
}
