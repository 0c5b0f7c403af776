//! The keyboard: what keys do, in one list that is also shown. Blender's habits rule.

use crate::Studio;
use crate::axis_handle::Part;
use crate::camera::Camera;
use crate::dialogs::Leaving;
use crate::hand::Typed;
use eframe::egui::{self, Key, KeyboardShortcut, Modifiers};
use std::f64::consts::{FRAC_PI_2, PI};
use supple_project::session::SessionError;

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
    key(CTRL, Key::O, "Open a shot", |studio| studio.dialogs.open(&studio.session)),
    key(CTRL, Key::I, "Import a motion", |studio| studio.dialogs.import("".as_ref())),
    key(CTRL, Key::E, "Export the edited motion", |studio| studio.dialogs.export(&studio.session)),
    key(CTRL, Key::Q, "Quit", |studio| studio.dialogs.leave(Leaving::Quit, &studio.session)),
    key(CTRL, Key::Num1, "Look from behind", |studio| look_from(studio, PI, 0.0)),
    key(CTRL, Key::Num3, "Look from the left", |studio| look_from(studio, -FRAC_PI_2, 0.0)),
    key(CTRL, Key::Num7, "Look from below", |studio| look_from(studio, 0.0, -FRAC_PI_2)),
    key(SHIFT, Key::ArrowLeft, "First frame", |studio| studio.view.frame = 0),
    key(SHIFT, Key::ArrowRight, "Last frame", |studio| go(studio, isize::MAX)),
    key(SHIFT, Key::A, "Make a handle of the picked vertices", |studio| studio.add_handle_of_picked(None)),
    key(ALT, Key::A, "Pick nothing", |studio| studio.picked.clear()),
    key(ALT, Key::H, "Hear all handles again", Studio::hear_all),
    key(NONE, Key::Space, "Play or pause the right view", |studio| {
        let timeline = studio.timeline.clone();
        studio.playing.toggle(&timeline);
    }),
    key(NONE, Key::ArrowLeft, "A frame back", |studio| go(studio, -1)),
    key(NONE, Key::ArrowRight, "A frame on", |studio| go(studio, 1)),
    key(NONE, Key::ArrowDown, "To the handle before", |studio| to_handle(studio, false)),
    key(NONE, Key::ArrowUp, "To the next handle", |studio| to_handle(studio, true)),
    key(NONE, Key::G, "Take the selected handle; a click or Enter puts it down", |studio| {
        studio.take_selected(studio.mouse);
    }),
    key(NONE, Key::X, "Delete the handle; while dragging: along x", |studio| constrain_or_delete(studio, 0)),
    key(NONE, Key::Y, "While dragging: along y", |studio| studio.constrain(Part::Axis(1))),
    key(NONE, Key::Z, "While dragging: along z", |studio| studio.constrain(Part::Axis(2))),
    key(NONE, Key::N, "While dragging: across the surface", |studio| studio.constrain(Part::Normal)),
    key(NONE, Key::Escape, "Let go, or close this list", escape),
    key(NONE, Key::Delete, "Delete the handle", Studio::delete_selected),
    key(NONE, Key::H, "Mute the handle, or hear it again", Studio::mute_selected),
    key(NONE, Key::A, "Pick all vertices", Studio::pick_all),
    key(NONE, Key::B, "Draw a box over vertices to pick them", Studio::begin_box),
    key(NONE, Key::Num1, "Look from the front", |studio| look_from(studio, 0.0, 0.0)),
    key(NONE, Key::Num3, "Look from the right", |studio| look_from(studio, FRAC_PI_2, 0.0)),
    key(NONE, Key::Num7, "Look from above", |studio| look_from(studio, 0.0, FRAC_PI_2)),
    key(NONE, Key::Num9, "Look from the other side", |studio| studio.move_cameras(Camera::turn_around)),
    key(NONE, Key::Num4, "Turn the view left", |studio| studio.move_cameras(|eye| eye.turn(-TURN, 0.0))),
    key(NONE, Key::Num6, "Turn the view right", |studio| studio.move_cameras(|eye| eye.turn(TURN, 0.0))),
    key(NONE, Key::Num8, "Turn the view up", |studio| studio.move_cameras(|eye| eye.turn(0.0, TURN))),
    key(NONE, Key::Num2, "Turn the view down", |studio| studio.move_cameras(|eye| eye.turn(0.0, -TURN))),
    key(NONE, Key::Num5, "Perspective or parallel", |studio| {
        studio.move_cameras(|camera| camera.set_parallel(!camera.parallel));
    }),
    key(NONE, Key::Plus, "Nearer", |studio| studio.move_cameras(|camera| camera.zoom(1.0))),
    key(NONE, Key::Minus, "Farther", |studio| studio.move_cameras(|camera| camera.zoom(-1.0))),
    key(NONE, Key::Home, "Show all of the motion", Studio::frame_all),
    key(NONE, Key::Period, "Show what is selected", Studio::frame_selected),
    key(NONE, Key::Comma, "Show what is selected", Studio::frame_selected),
    key(NONE, Key::F, "Follow the body, or stop following", Studio::follow_or_not),
    key(NONE, Key::F1, "This list", |studio| studio.dialogs.show_keys = true),
];

/// What the mouse does.
pub const MOUSE: &[(&str, &str)] = &[
    ("Drag a point", "Pull it; the motion before and after follows"),
    ("Click a point", "Make a handle there, with an axis handle"),
    (
        "Drag an arrow, square or disc",
        "Pull along an axis, in a plane, in that of the screen; N across the surface",
    ),
    ("X, Y, Z while dragging", "Along that axis, with Shift across it; again: anywhere"),
    ("Digits while dragging", "That far, exactly; Tab to the next number, Enter keeps it"),
    ("Ctrl while dragging", "In round steps"),
    ("Drag beside the body", "Pick the vertices in a box; Shift adds to them, Ctrl takes away"),
    ("Shift and click a point", "Pick it beside the others, or no longer"),
    ("Drag a mark on the timeline", "Move the handle to another frame"),
    ("Middle button, or Alt and drag", "Turn the view; with Shift shift it, with Ctrl zoom"),
    ("Wheel", "Zoom to the mouse"),
    ("Right button while dragging", "Let go"),
];

/// Does what keys ask for, unless somebody types.
pub fn act(studio: &mut Studio, ctx: &egui::Context) {
    if studio.dialogs.is_modal() {
        return;
    }
    if studio.hand.is_some() {
        act_on_hand(studio, ctx);
    } else if ctx.egui_wants_keyboard_input() {
        return;
    }
    // Esc closes what has popped up before it lets go of anything.
    let has_menu = egui::Popup::is_any_open(ctx);
    for shortcut in SHORTCUTS {
        if has_menu && shortcut.keys.logical_key == Key::Escape {
            continue;
        }
        if ctx.input_mut(|input| input.consume_shortcut(&shortcut.keys)) {
            (shortcut.action)(studio);
        }
    }
}

/// What is typed while something is in the hand: planes and numbers.
fn act_on_hand(studio: &mut Studio, ctx: &egui::Context) {
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

/// What is done and the keys that do it, by what is done; several keys of one thing are one line.
pub fn list(ctx: &egui::Context) -> Vec<(&'static str, String)> {
    let mut all: Vec<(&str, String)> = Vec::new();
    for shortcut in SHORTCUTS {
        let keys = ctx.format_shortcut(&shortcut.keys);
        match all.iter_mut().find(|(does, _)| *does == shortcut.does) {
            Some((_, others)) => *others += &format!(", {keys}"),
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
    // What is in the hand is not a step yet: letting it go is all that is undone.
    let is_held = studio.hand.is_some();
    studio.let_go();
    let step = studio.session.document.undo_steps().next().map(str::to_owned);
    let before = studio.session.document.shot().clone();
    if let Some(step) = step.filter(|_| !is_held && studio.session.document.undo()) {
        studio.toasts.instead("Undone", format!("Undone: {step}"));
        studio.go_to_change(&before);
    }
}

pub fn redo(studio: &mut Studio) {
    let step = studio.session.document.redo_steps().next().map(str::to_owned);
    let before = studio.session.document.shot().clone();
    if let Some(step) = step.filter(|_| studio.session.document.redo()) {
        studio.toasts.instead("Done again", format!("Done again: {step}"));
        studio.go_to_change(&before);
    }
}

fn escape(studio: &mut Studio) {
    if studio.hand.is_none() && studio.dialogs.show_keys {
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
        studio.toasts.good(format!("{} is saved", studio.session.document.title()));
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
    if studio.hand.is_some() {
        studio.constrain(Part::Axis(axis));
    } else {
        studio.delete_selected();
    }
}
