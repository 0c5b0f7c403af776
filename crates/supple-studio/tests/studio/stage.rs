//! A studio without a window, and what is done to it.

use eframe::egui::{Event, Key, Modifiers, PointerButton, Pos2, Rect, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use supple_project::Sample;
use supple_project::method::{Numerics, RealNumerics};
use supple_project::shot::Shot;
use supple_session::{Document, Home};
use supple_studio::Studio;

pub type Stage = Harness<'static, Studio>;

/// A studio on a document.
pub fn studio(document: Document, home: &Home, numerics: Arc<dyn Numerics>, draws: bool) -> Stage {
    studio_at(document, home, numerics, draws, 1.0)
}

/// A studio on a screen with so many pixels in a point.
pub fn studio_at(
    document: Document,
    home: &Home,
    numerics: Arc<dyn Numerics>,
    draws: bool,
    pixels: f32,
) -> Stage {
    let builder = Harness::builder().with_size(vec2(1360.0, 820.0)).with_step_dt(1.0 / 60.0);
    let builder = builder.with_pixels_per_point(pixels);
    let builder = if draws { builder.wgpu() } else { builder };
    let home = home.clone();
    builder.build_eframe(move |context| Studio::new(context, document, &home, numerics, home.recoverable()))
}

/// A studio with the product's numerics on a sample.
pub fn sample(name: &str, folder: &Path, draws: bool) -> Stage {
    let home = Home::in_folder(folder);
    let document = Document::sample(Sample::named(name).unwrap(), &home).unwrap();
    studio(document, &home, Arc::<RealNumerics>::default(), draws)
}

/// Goes on until something is so.
pub fn until(stage: &mut Stage, what: &str, done: impl Fn(&Studio) -> bool) {
    let begin = Instant::now();
    loop {
        stage.step();
        if done(stage.state()) {
            return;
        }
        let state = stage.state();
        let said: Vec<&str> = state.notices().collect();
        let work = (state.answer().work, &state.answer().opening, &state.answer().failure);
        assert!(begin.elapsed() < Duration::from_secs(60), "{what}: {said:?} {work:?} {:?}", words_of(stage));
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Goes on until what is shown is what the document says, with all modes, and reported.
pub fn settle(stage: &mut Stage) {
    until(stage, "settled", |studio| {
        let generation = studio.session().document.generation();
        let told = studio.answer().report.as_ref().is_some_and(|report| report.generation == generation);
        studio.answer().is_current(generation) && told
    });
}

pub fn shot(stage: &Stage) -> &Shot {
    stage.state().session().document.shot()
}

/// The rectangle of the left viewport.
pub fn edit_view(stage: &Stage) -> Rect {
    find(stage, "edit-view").rect()
}

/// Whether the left viewport shows what the document says, at the frame that is edited.
pub fn is_current(studio: &Studio) -> bool {
    let wanted = (studio.session().document.generation(), studio.frame());
    studio.answer().shown.as_ref().is_some_and(|shown| (shown.generation, shown.frame) == wanted)
}

/// Where a vertex is in the left viewport, once that shows what the document says, and the panels have found their places
/// around it.
pub fn place(stage: &mut Stage, vertex: u32) -> Pos2 {
    until(stage, "a current picture", is_current);
    stage.run_steps(2);
    until(stage, "a picture that stays", is_current);
    stage.state().place_on_screen(vertex, edit_view(stage)).unwrap()
}

/// Goes to a frame, counted from 0, by the arrow keys.
pub fn go_to(stage: &mut Stage, frame: usize) {
    while stage.state().frame() != frame {
        let key = if stage.state().frame() < frame { Key::ArrowRight } else { Key::ArrowLeft };
        stage.key_press(key);
        stage.step();
    }
    until(stage, "the frame", |studio| {
        studio.answer().shown.as_ref().is_some_and(|shown| shown.frame == frame)
    });
}

/// The first frames of the motion as it is settled: going through all of a long one by key takes its time.
pub fn motion(stage: &mut Stage, frames: usize) -> Vec<Vec<[f32; 3]>> {
    settle(stage);
    let now = stage.state().frame();
    let generation = stage.state().session().document.generation();
    let mut motion = Vec::new();
    for frame in 0..frames {
        go_to(stage, frame);
        until(stage, "the state", |studio| {
            studio.answer().shown.as_ref().is_some_and(|shown| shown.generation == generation)
        });
        motion.push(stage.state().answer().shown.as_ref().unwrap().points.drawn.clone());
    }
    go_to(stage, now);
    motion
}

/// Drags the mouse along places, waiting for the answer to each.
pub fn drag(stage: &mut Stage, from: Pos2, along: &[Pos2]) {
    stage.hover_at(from);
    stage.step();
    stage.drag_at(from);
    stage.step();
    for to in along {
        stage.hover_at(*to);
        stage.step();
        until(stage, "a step", |studio| {
            let generation = studio.session().document.generation();
            studio.answer().shown.as_ref().is_some_and(|shown| shown.generation == generation)
        });
    }
    stage.drop_at(*along.last().unwrap());
    stage.step();
}

/// Puts a button of the mouse down at a place.
pub fn press(stage: &mut Stage, at: Pos2, button: PointerButton, modifiers: Modifiers) {
    stage.hover_at(at);
    stage.event(Event::ModifiersChanged(modifiers));
    stage.event(Event::PointerButton { pos: at, button, pressed: true, modifiers });
    stage.step();
}

/// Moves the mouse, whatever it holds.
pub fn move_to(stage: &mut Stage, to: Pos2) {
    stage.hover_at(to);
    stage.step();
}

/// Lets the button go, and all modifiers.
pub fn lift(stage: &mut Stage, at: Pos2, button: PointerButton, modifiers: Modifiers) {
    stage.event(Event::PointerButton { pos: at, button, pressed: false, modifiers });
    stage.event(Event::ModifiersChanged(Modifiers::NONE));
    stage.step();
    stage.step();
}

/// Drags with a button and modifiers, in a few steps.
pub fn drag_with(stage: &mut Stage, [from, to]: [Pos2; 2], button: PointerButton, modifiers: Modifiers) {
    press(stage, from, button, modifiers);
    for part in [0.4, 0.8, 1.0] {
        move_to(stage, from + (to - from) * part);
    }
    lift(stage, to, button, modifiers);
}

/// Presses a key.
pub fn key(stage: &mut Stage, key: Key) {
    stage.key_press(key);
    stage.step();
}

/// Types characters as a keyboard does: the key, and the text of it.
pub fn type_text(stage: &mut Stage, text: &str) {
    for character in text.chars() {
        let name = character.to_string();
        if let Some(key) = Key::from_name(&name) {
            stage.key_down(key);
        }
        stage.event(Event::Text(name));
        stage.step();
    }
}

/// Clicks at a place.
pub fn click(stage: &mut Stage, at: Pos2) {
    stage.hover_at(at);
    stage.step();
    stage.drag_at(at);
    stage.step();
    stage.drop_at(at);
    stage.step();
}

/// Types over what is in a field.
pub fn type_into(stage: &mut Stage, field: &str, text: &str) {
    find(stage, field).focus();
    stage.step();
    stage.key_press_modifiers(Modifiers::COMMAND, Key::A);
    stage.step();
    stage.event(Event::Text(text.to_owned()));
    stage.step();
}

pub fn ctrl(stage: &mut Stage, key: Key) {
    stage.key_press_modifiers(Modifiers::COMMAND, key);
    stage.step();
}

/// Whether something like this was said.
pub fn says(studio: &Studio, words: &str) -> bool {
    studio.notices().any(|notice| notice.contains(words))
}

/// Goes on until something with these words in its name is to be seen.
pub fn see(stage: &mut Stage, words: &str) {
    let begin = Instant::now();
    while stage.query_all_by_label_contains(words).next().is_none() {
        assert!(begin.elapsed() < Duration::from_secs(60), "there is no {words:?} in {:?}", words_of(stage));
        stage.step();
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Whether something with these words in its name is to be seen.
pub fn sees(stage: &Stage, words: &str) -> bool {
    stage.query_all_by_label_contains(words).next().is_some()
}

/// All that is to be read in the window.
fn words_of(stage: &Stage) -> Vec<String> {
    use egui_kittest::kittest::NodeT;
    let all = stage.query_all_by(|_| true);
    all.filter_map(|node| node.accesskit_node().value().or(node.accesskit_node().label())).collect()
}

/// Types over the number in a field, and leaves it.
pub fn set(stage: &mut Stage, field: &str, text: &str) {
    find(stage, field).click();
    stage.step();
    type_into(stage, field, text);
    stage.key_press(Key::Enter);
    stage.step();
    stage.step();
}

/// The widget with this name of its own, which stays when its words change.
pub fn find<'a>(stage: &'a Stage, id: &'a str) -> egui_kittest::Node<'a> {
    let found = try_find(stage, id);
    found.unwrap_or_else(|| panic!("there is no {id:?} in {:?}", words_of(stage)))
}

/// The widget with this name of its own, if it is there.
pub fn try_find<'a>(stage: &'a Stage, id: &'a str) -> Option<egui_kittest::Node<'a>> {
    stage.query_by(|node| node.author_id() == Some(id))
}

/// Clicks the widget with this name of its own.
pub fn press_id(stage: &mut Stage, id: &str) {
    find(stage, id).click();
    stage.run_steps(3);
}
