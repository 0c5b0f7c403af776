//! The keyboard: what keys do, in one list that is also shown. Blender's habits rule.

use crate::Studio;
use crate::axis_handle::Part;
use crate::camera::Camera;
use crate::dialogs::Leaving;
use crate::gesture::Typed;
use crate::messages::Message;
use eframe::egui::{self, Key, KeyboardShortcut, Modifiers};
use std::f64::consts::{FRAC_PI_2, PI};
use supple_session::{PoseThen, SessionError};

/// What the view turns by at a key, in radians: fifteen degrees.
const TURN: f64 = PI / 12.0;

/// A key and what it does.
pub struct Shortcut {
    pub keys: KeyboardShortcut,
    /// What it does, in words.
    pub does: &'static str,
    action: fn(&mut Studio),
}

const NONE: Modifiers = Modifiers::NONE;
const CTRL: Modifiers = Modifiers::COMMAND;
const SHIFT: Modifiers = Modifiers::SHIFT;
const ALT: Modifiers = Modifiers::ALT;
const BOTH: Modifiers = Modifiers { shift: true, ..Modifiers::COMMAND };

const fn key(modifiers: Modifiers, key: Key, does: &'static str, action: fn(&mut Studio)) -> Shortcut {
    Shortcut { keys: KeyboardShortcut::new(modifiers, key), does, action }
}

/// All keys. Those with more modifiers come first, as egui wants it.
pub const SHORTCUTS: &[Shortcut] = &[
    key(BOTH, Key::Z, "Redo", redo),
    key(BOTH, Key::S, "Save as", |studio| studio.dialogs.save_as(&studio.session)),
    key(CTRL, Key::Z, "Undo", undo),
    key(CTRL, Key::Y, "Redo", redo),
    key(CTRL, Key::S, "Save", save),
    key(CTRL, Key::O, "Open shot", |studio| studio.dialogs.open(&studio.session)),
    key(CTRL, Key::I, "Import motion", |studio| studio.dialogs.import("".as_ref())),
    key(CTRL, Key::E, "Export edited motion", |studio| studio.dialogs.export(&studio.session)),
    key(CTRL, Key::Q, "Quit", |studio| studio.dialogs.leave(Leaving::Quit, &studio.session)),
    key(CTRL, Key::Num1, "View from the back", |studio| look_from(studio, PI, 0.0)),
    key(CTRL, Key::Num3, "View from the left", |studio| look_from(studio, -FRAC_PI_2, 0.0)),
    key(CTRL, Key::Num7, "View from the bottom", |studio| look_from(studio, 0.0, -FRAC_PI_2)),
    key(SHIFT, Key::ArrowLeft, "First frame", |studio| studio.view.frame = 0),
    key(SHIFT, Key::ArrowRight, "Last frame", |studio| go(studio, isize::MAX)),
    key(SHIFT, Key::P, "Pose the body at this frame", Studio::begin_pose),
    key(SHIFT, Key::A, "Add handle from selection", |studio| studio.add_handle_of_picked(None)),
    key(ALT, Key::A, "Deselect all vertices", |studio| studio.picked.clear()),
    key(ALT, Key::H, "Unmute all handles", Studio::hear_all),
    key(NONE, Key::Space, "Play or pause", |studio| {
        let timeline = studio.timeline.clone();
        studio.playing.toggle(&timeline);
    }),
    key(NONE, Key::ArrowLeft, "One frame back", |studio| go(studio, -1)),
    key(NONE, Key::ArrowRight, "One frame forward", |studio| go(studio, 1)),
    key(NONE, Key::ArrowDown, "Go to the previous handle", |studio| to_handle(studio, false)),
    key(NONE, Key::ArrowUp, "Go to the next handle", |studio| to_handle(studio, true)),
    key(NONE, Key::G, "Move the selected handle or part; click or Enter to confirm", Studio::grab),
    key(NONE, Key::R, "Rotate the selected part; click or Enter to confirm", Studio::rotate),
    key(NONE, Key::P, "Plant the joint at this frame or range", Studio::plant),
    key(NONE, Key::X, "Delete handle or pose; while dragging: move along X", |studio| {
        constrain_or_delete(studio, 0);
    }),
    key(NONE, Key::Y, "While dragging: move along Y", |studio| studio.constrain(Part::Axis(1))),
    key(NONE, Key::Z, "While dragging: move along Z", |studio| studio.constrain(Part::Axis(2))),
    key(NONE, Key::N, "While dragging: move along the normal", |studio| studio.constrain(Part::Normal)),
    key(NONE, Key::Escape, "Cancel, or close this list", escape),
    key(NONE, Key::Delete, "Delete handle or pose", Studio::delete_selected),
    key(NONE, Key::H, "Mute or unmute the handle", Studio::mute_selected),
    key(NONE, Key::A, "Select all vertices", Studio::pick_all),
    key(NONE, Key::B, "Box-select vertices", Studio::begin_box),
    key(NONE, Key::Num1, "View from the front", |studio| look_from(studio, 0.0, 0.0)),
    key(NONE, Key::Num3, "View from the right", |studio| look_from(studio, FRAC_PI_2, 0.0)),
    key(NONE, Key::Num7, "View from the top", |studio| look_from(studio, 0.0, FRAC_PI_2)),
    key(NONE, Key::Num9, "View from the opposite side", |studio| studio.move_cameras(Camera::turn_around)),
    key(NONE, Key::Num4, "Orbit left", |studio| studio.move_cameras(|eye| eye.turn(-TURN, 0.0))),
    key(NONE, Key::Num6, "Orbit right", |studio| studio.move_cameras(|eye| eye.turn(TURN, 0.0))),
    key(NONE, Key::Num8, "Orbit up", |studio| studio.move_cameras(|eye| eye.turn(0.0, TURN))),
    key(NONE, Key::Num2, "Orbit down", |studio| studio.move_cameras(|eye| eye.turn(0.0, -TURN))),
    key(NONE, Key::Num5, "Perspective or orthographic", |studio| {
        studio.move_cameras(|camera| camera.set_parallel(!camera.parallel));
    }),
    key(NONE, Key::Plus, "Zoom in", |studio| studio.move_cameras(|camera| camera.zoom(1.0))),
    key(NONE, Key::Minus, "Zoom out", |studio| studio.move_cameras(|camera| camera.zoom(-1.0))),
    key(NONE, Key::Home, "Frame all", Studio::frame_all),
    key(NONE, Key::Period, "Frame selected", Studio::frame_selected),
    key(NONE, Key::Comma, "Frame selected", Studio::frame_selected),
    key(NONE, Key::F, "Follow the body on or off", Studio::follow_or_not),
    key(NONE, Key::F1, "Keyboard shortcuts", |studio| studio.dialogs.show_keys = true),
];

/// Keys while a pose is made; they come before the others, and those without a use there do nothing meanwhile.
const POSE_KEYS: &[Shortcut] = &[
    key(NONE, Key::Enter, "While posing: key the pose", |studio| studio.plan_pose(PoseThen::Key)),
    key(NONE, Key::F, "While posing: freeze the load", |studio| studio.plan_pose(PoseThen::Freeze)),
    key(NONE, Key::P, "While posing: pin the selected vertices", Studio::pin_picked),
    key(NONE, Key::Escape, "While posing: cancel", Studio::escape_pose),
    key(SHIFT, Key::A, "", |_| {}),
    key(SHIFT, Key::P, "", |_| {}),
    key(NONE, Key::G, "", |_| {}),
    key(NONE, Key::R, "", |_| {}),
    key(NONE, Key::X, "", |_| {}),
    key(NONE, Key::H, "", |_| {}),
    key(NONE, Key::Delete, "", |_| {}),
];

/// What the mouse does.
pub const MOUSE: &[(&str, &str)] = &[
    ("Drag a point on the body", "Edit this frame; the frames before and after follow"),
    ("Click a point on the body", "Add a handle with move arrows"),
    (
        "Drag an arrow, square or disc of a handle",
        "Move along an axis, in a plane or in the view plane; N: along the normal",
    ),
    ("X, Y, Z while dragging", "Lock to that axis; with Shift: to the plane of the other two; again: unlock"),
    (
        "Type a number while dragging",
        "Move by exactly that much, or rotate by that many degrees; Tab: next axis, Enter: confirm",
    ),
    ("Ctrl while dragging", "Snap to round steps"),
    ("Drag on the background", "Box-select vertices; Shift adds, Ctrl removes"),
    ("Shift-click a vertex", "Add it to the selection, or remove it"),
    ("Drag a handle on the timeline", "Move it to another frame"),
    ("Drag an end of a plant on the timeline", "Make it begin earlier or last longer"),
    ("Drag a pose on the timeline", "Move it to another frame"),
    ("Drag the end of a segment", "Make it longer or shorter; click a segment to select it"),
    ("Middle-drag, or Alt-drag", "Orbit; with Shift: pan; with Ctrl: zoom"),
    ("Wheel", "Zoom to the cursor"),
    ("Right-click while dragging", "Cancel"),
];

/// Does what keys ask for, unless somebody types.
pub fn act(studio: &mut Studio, ctx: &egui::Context) {
    if studio.dialogs.is_modal() {
        return;
    }
    if studio.gesture.is_some() {
        act_on_gesture(studio, ctx);
    } else if ctx.egui_wants_keyboard_input() {
        return;
    }
    // Esc closes what has popped up before it lets go of anything.
    let has_menu = egui::Popup::is_any_open(ctx);
    let of_pose = if studio.posing.is_some() { POSE_KEYS } else { &[] };
    for shortcut in of_pose.iter().chain(SHORTCUTS) {
        if has_menu && shortcut.keys.logical_key == Key::Escape {
            continue;
        }
        if ctx.input_mut(|input| input.consume_shortcut(&shortcut.keys)) {
            (shortcut.action)(studio);
        }
    }
}

/// What is typed while something is in the hand: planes and numbers.
fn act_on_gesture(studio: &mut Studio, ctx: &egui::Context) {
    // Tab is for numbers here; egui would go to the next field with it, and take the keys there.
    ctx.memory_mut(|memory| memory.focused().into_iter().for_each(|id| memory.surrender_focus(id)));
    for (axis, key) in [Key::X, Key::Y, Key::Z].into_iter().enumerate() {
        if ctx.input_mut(|input| input.consume_key(SHIFT, key)) {
            studio.constrain(Part::Plane(axis));
        }
    }
    let typed: String = ctx.input(|input| {
        let text = |event: &egui::Event| match event {
            egui::Event::Text(text) => Some(text.clone()),
            _ => None,
        };
        input.events.iter().filter_map(text).collect()
    });
    for character in typed.chars() {
        studio.type_number(|typed, _| {
            typed.push(character);
        });
    }
    // The keys of the numbers mean nothing else meanwhile.
    for key in NUMBERS {
        ctx.input_mut(|input| input.consume_key(NONE, *key));
    }
    if ctx.input_mut(|input| input.consume_key(NONE, Key::Backspace)) {
        studio.type_number(|typed, _| typed.back());
    }
    if ctx.input_mut(|input| input.consume_key(NONE, Key::Tab)) {
        studio.type_number(Typed::next);
    }
    if ctx.input_mut(|input| input.consume_key(NONE, Key::Enter)) {
        studio.put_down();
    }
}

/// The keys of numbers.
const NUMBERS: &[Key] = &[
    Key::Num0,
    Key::Num1,
    Key::Num2,
    Key::Num3,
    Key::Num4,
    Key::Num5,
    Key::Num6,
    Key::Num7,
    Key::Num8,
    Key::Num9,
    Key::Period,
    Key::Comma,
    Key::Minus,
    Key::Plus,
];

/// Names of keys, and what is printed on them.
const PRINTED: [(&str, &str); 4] = [("Period", "."), ("Comma", ","), ("Plus", "+"), ("Minus", "-")];

/// What is done and the keys that do it, by what is done; several keys of one thing are one line.
pub fn list(ctx: &egui::Context) -> Vec<(&'static str, String)> {
    let mut all: Vec<(&str, String)> = Vec::new();
    let named = POSE_KEYS.iter().filter(|shortcut| !shortcut.does.is_empty());
    for shortcut in SHORTCUTS.iter().chain(named) {
        let keys = ctx.format_shortcut(&shortcut.keys);
        let keys = PRINTED.iter().fold(keys, |keys, (name, printed)| keys.replace(name, printed));
        match all.iter_mut().find(|(does, _)| *does == shortcut.does) {
            Some((_, others)) => *others += &format!(" or {keys}"),
            None => all.push((shortcut.does, keys)),
        }
    }
    all.sort_by_key(|(does, _)| does.to_lowercase());
    all
}

/// The keys of something that is done, for menus.
pub fn of(does: &str, ctx: &egui::Context) -> String {
    let shortcut = SHORTCUTS.iter().find(|shortcut| shortcut.does == does);
    shortcut.map_or(String::new(), |shortcut| ctx.format_shortcut(&shortcut.keys))
}

pub fn undo(studio: &mut Studio) {
    if studio.posing.is_some() {
        studio.pose_back();
        return;
    }
    // What is in the hand is not a step yet: letting it go is all that is undone.
    let is_held = studio.gesture.is_some();
    studio.let_go();
    let step = studio.session.document.undo_steps().next().map(str::to_owned);
    let before = studio.session.document.shot().clone();
    if let Some(step) = step.filter(|_| !is_held && studio.session.document.undo()) {
        studio.toasts.say(Message::Undone(step));
        studio.go_to_change(&before);
    }
}

pub fn redo(studio: &mut Studio) {
    if studio.posing.is_some() {
        return;
    }
    let step = studio.session.document.redo_steps().next().map(str::to_owned);
    let before = studio.session.document.shot().clone();
    if let Some(step) = step.filter(|_| studio.session.document.redo()) {
        studio.toasts.say(Message::Redone(step));
        studio.go_to_change(&before);
    }
}

fn escape(studio: &mut Studio) {
    if studio.gesture.is_none() && studio.dialogs.show_keys {
        studio.dialogs.show_keys = false;
    } else {
        studio.let_go();
    }
}

pub fn save(studio: &mut Studio) {
    let Some(path) = studio.session.document.path().map(std::path::Path::to_path_buf) else {
        studio.dialogs.save_as(&studio.session);
        return;
    };
    let saved = studio.session.save_as(&path);
    if matches!(saved, Err(SessionError::ChangedOnDisk { .. })) {
        studio.dialogs.overwrite();
    } else if studio.hear(saved) == Some(true) {
        studio.say_saved();
    }
}

fn go(studio: &mut Studio, by: isize) {
    let last = studio.timeline.clock.frames.saturating_sub(1);
    studio.view.frame = studio.view.frame.saturating_add_signed(by).min(last);
}

/// Goes to the next frame with a handle, or the one before.
fn to_handle(studio: &mut Studio, onward: bool) {
    let now = studio.timeline.number(studio.view.frame);
    let starts = studio.timeline.handles.iter().map(|mark| *mark.frames.start()).enumerate();
    let next = match onward {
        true => starts.filter(|(_, frame)| *frame > now).min_by_key(|(_, frame)| *frame),
        false => starts.filter(|(_, frame)| *frame < now).max_by_key(|(_, frame)| *frame),
    };
    if let Some((index, number)) = next {
        studio.view.frame = studio.timeline.index(number);
        studio.selected = Some(index);
    }
}

pub fn look_from(studio: &mut Studio, yaw: f64, pitch: f64) {
    studio.move_cameras(|camera| camera.look_from(yaw, pitch));
}

fn constrain_or_delete(studio: &mut Studio, axis: usize) {
    if studio.gesture.is_some() {
        studio.constrain(Part::Axis(axis));
    } else {
        studio.delete_selected();
    }
}
