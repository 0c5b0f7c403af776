//! Poses over and on the timeline: the buttons that make one, and diamonds that can be dragged in time.

use super::{NEAR, time_at, x_of};
use crate::posing::PoseWords;
use crate::widgets::id;
use crate::{Studio, colours};
use eframe::egui::{Button, Pos2, Rect, Shape, Stroke, Ui, pos2, vec2};
use supple_session::{PoseThen, Timeline, retime_pose};

/// Where the lane is, below what is over it.
const LANE: f32 = 38.0;
/// How much higher the timeline is with it.
pub const HIGHER: f32 = 16.0;

/// The button that begins a pose, or those of the pose that is being made.
pub fn buttons(studio: &mut Studio, ui: &mut Ui) {
    if !studio.takes_poses() {
        return;
    }
    let press = |ui: &mut Ui, name: &str, hint: &str, called: &str, enabled: bool| {
        let button = ui.add_enabled(enabled, Button::new(name)).on_hover_text(hint);
        id(button, called).clicked()
    };
    if studio.posing.is_none() {
        let hint = "Pose the body at the current frame by pulling at it (Shift+P)";
        if press(ui, "Pose", hint, "pose", studio.timeline.clock.frames > 0) {
            studio.begin_pose();
        }
        ui.separator();
        return;
    }
    if press(ui, "Freeze", "Keep this load; the next pull adds to it (F)", "pose-freeze", true) {
        studio.plan_pose(PoseThen::Freeze);
    }
    let has_picked = !studio.picked.is_empty();
    if press(ui, "Pin", "Hold the selected vertices where they are now (P)", "pose-pin", has_picked) {
        studio.pin_picked();
    }
    if press(ui, "Back", "Undo the last pull, load or pin (Ctrl+Z)", "pose-back", true) {
        studio.pose_back();
    }
    if press(ui, "Key it", "Make this a pose of the shot (Enter)", "pose-key", true) {
        studio.plan_pose(PoseThen::Key);
    }
    if press(ui, "Cancel", "Leave without a change (Esc)", "pose-cancel", true) {
        studio.cancel_pose();
    }
    ui.separator();
    if let Some(words) = studio.pose_words() {
        id(ui.label(said(studio, words)), "pose-state");
    }
}

/// How far the pose is, in words.
fn said(studio: &Studio, words: PoseWords) -> String {
    let posing = studio.posing.as_ref();
    let waits = posing.and_then(|posing| posing.draft.then()).is_some();
    let force = studio.snapshot.posed.as_ref().and_then(|posed| posed.force);
    let size = force.map(|force| force.iter().map(|f| f * f).sum::<f64>().sqrt());
    let force = size.map_or(String::new(), |size| format!(" · force {}", newtons(size)));
    match words {
        PoseWords::Beginning => "Preparing the body …".to_owned(),
        PoseWords::Moving if waits => format!("Waiting for the body to rest{force}"),
        PoseWords::Moving => format!("The body follows{force}"),
        PoseWords::Rests => format!("The body rests{force}"),
        PoseWords::GivesWay => "The body gives way under these loads".to_owned(),
    }
}

/// A force with three digits.
fn newtons(size: f64) -> String {
    match size {
        0.0 => "0 N".to_owned(),
        size if (0.01..1e4).contains(&size) => {
            let places = (2.0 - size.log10().floor()).clamp(0.0, 4.0) as usize;
            format!("{size:.places$} N")
        }
        size => format!("{size:.2e} N"),
    }
}

/// How much higher the timeline is.
pub fn higher(timeline: &Timeline) -> f32 {
    if timeline.poses.is_empty() { 0.0 } else { HIGHER }
}

fn y(timeline: &Timeline, line: Rect) -> f32 {
    let over = if timeline.segments.is_empty() { 0.0 } else { super::segments::HIGHER };
    line.top() + LANE + over
}

/// The pose whose mark is at a place.
pub fn grip_at(timeline: &Timeline, line: Rect, at: Pos2) -> Option<usize> {
    let away = |time: f64| (pos2(x_of(timeline, line, time), y(timeline, line)) - at).length();
    let near = timeline.poses.iter().map(|mark| (mark.place, away(mark.time)));
    let nearest = near.filter(|(_, away)| *away < NEAR + 1.0).min_by(|a, b| a.1.total_cmp(&b.1));
    nearest.map(|(place, _)| place)
}

/// The mouse has gone from one place to another with a pose, which was there when that began.
pub fn drag(studio: &mut Studio, place: usize, begun: &Timeline, line: Rect, [from, to]: [Pos2; 2]) {
    let Some(mark) = begun.poses.iter().find(|mark| mark.place == place) else { return };
    let gone = time_at(begun, line, to) - time_at(begun, line, from);
    let now =
        studio.timeline.poses.iter().find(|mark| mark.place == place).map_or(mark.time, |mark| mark.time);
    // What it has gone already is not gone again.
    let by = gone.round() - (now - mark.time);
    let last = begun.number(begun.clock.frames.saturating_sub(1));
    let whole = [f64::from(begun.clock.start.0), f64::from(last)];
    let range = mark.segment.and_then(|segment| begun.segments.get(segment)).map_or(whole, |mark| mark.times);
    studio.session.document.update_gesture(|shot| retime_pose(shot, place, by, range));
    let time = (mark.time + gone.round()).clamp(range[0], range[1]);
    studio.view.frame = begun.index(time.round() as i32);
}

/// Draws the marks.
pub fn paint(studio: &Studio, timeline: &Timeline, ui: &Ui, line: Rect) {
    let (painter, visuals) = (ui.painter(), ui.visuals());
    let colour = colours::line(colours::SKY, visuals);
    for mark in &timeline.poses {
        let at = pos2(x_of(timeline, line, mark.time), y(timeline, line));
        let is_selected = studio.pose == Some(mark.place);
        let size = if is_selected { 8.0 } else { 6.5 };
        let outline = if is_selected { visuals.strong_text_color() } else { visuals.extreme_bg_color };
        let corners = [vec2(0.0, -size), vec2(size, 0.0), vec2(0.0, size), vec2(-size, 0.0)];
        let diamond = corners.map(|corner| at + corner).to_vec();
        painter.add(Shape::convex_polygon(diamond, colour, Stroke::new(1.5, outline)));
    }
}

#[cfg(test)]
mod tests {
    use super::newtons;

    #[test]
    fn forces_have_three_digits() {
        let words = [0.0, 0.012345, 1.5, 312.6, 2.5e6].map(newtons);
        assert_eq!(words, ["0 N", "0.0123 N", "1.50 N", "313 N", "2.50e6 N"]);
    }
}
