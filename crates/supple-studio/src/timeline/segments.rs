//! The lane of segments: its buttons, what of it is under the mouse, and how it is drawn.

use super::{NEAR, time_at, x_of};
use crate::segments::length_words;
use crate::widgets::id;
use crate::{Studio, colours};
use eframe::egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Ui, pos2, vec2};
use supple_project::shot::{At, Method, When};
use supple_session::{SegmentMark, Timeline, resize_segment};

/// Where the lane is, below the top of the line.
const LANE: [f32; 2] = [25.0, 43.0];
/// How much higher the timeline is with it.
pub const HIGHER: f32 = 22.0;

/// What of the lane is under the mouse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SegmentGrip {
    /// The segment.
    Body(usize),
    /// Its end, which can be dragged.
    End(usize),
}

/// The buttons that change segments, where the method has them.
pub fn buttons(studio: &mut Studio, ui: &mut Ui) {
    if !studio.has_segments() {
        return;
    }
    let can_fly = studio.session.document.shot().edit.method == Method::Sparse;
    let press = |ui: &mut Ui, name: &str, hint: &str, called: &str, enabled: bool| {
        let button = ui.add_enabled(enabled, eframe::egui::Button::new(name)).on_hover_text(hint);
        id(button, called).clicked()
    };
    if studio.timeline.segments.is_empty() {
        let hint = "Make the whole motion the first segment; more can follow, each with its own anchors";
        if press(ui, "Use segments", hint, "use-segments", true) {
            studio.use_segments();
        }
        return;
    }
    let hint = "Add a segment after the selected one, or at the end";
    if press(ui, "Add segment", hint, "add-segment", true) {
        studio.add_segment(false);
    }
    let hint = "Add a flight: the body falls freely until it lands";
    if can_fly && press(ui, "Add flight", hint, "add-flight", true) {
        studio.add_segment(true);
    }
    if press(ui, "Split segment", "Split the segment at the current frame", "split-segment", true) {
        studio.split_segment();
    }
    let is_selected = studio.segment.is_some();
    let hint = "Delete the selected segment and its handles";
    if press(ui, "Delete segment", hint, "delete-segment", is_selected) {
        studio.delete_segment();
    }
    match studio.segment_words() {
        Some(words) => ui.label(words),
        None => ui.weak("Click a segment to select it"),
    };
}

/// What of the lane is at a place.
pub fn grip_at(timeline: &Timeline, line: Rect, at: Pos2) -> Option<SegmentGrip> {
    if !(line.top() + LANE[0]..=line.top() + LANE[1]).contains(&at.y) {
        return None;
    }
    let x = |time: f64| x_of(timeline, line, time);
    let away = |(_, mark): &(usize, &SegmentMark)| (x(mark.times[1]) - at.x).abs();
    let marks = || timeline.segments.iter().enumerate();
    // How long a flight is, is found.
    let edges = marks().filter(|(_, mark)| !mark.flies).filter(|mark| away(mark) < NEAR);
    if let Some((place, _)) = edges.min_by(|a, b| away(a).total_cmp(&away(b))) {
        return Some(SegmentGrip::End(place));
    }
    let is_inside = |(_, mark): &(usize, &SegmentMark)| (x(mark.times[0])..x(mark.times[1])).contains(&at.x);
    marks().find(is_inside).map(|(place, _)| SegmentGrip::Body(place))
}

/// The mouse has gone from one place to another with the end of a segment.
pub fn drag_end(studio: &mut Studio, place: usize, begun: &Timeline, line: Rect, [from, to]: [Pos2; 2]) {
    let Some(mark) = begun.segments.get(place) else { return };
    let gone = time_at(begun, line, to) - time_at(begun, line, from);
    let frames = (mark.times[1] - mark.times[0] + gone).round();
    studio.session.document.update_gesture(|shot| resize_segment(shot, place, frames));
}

/// When a key of a segment holds that is dragged by so many frames: it stays in its segment.
pub fn retimed(begun: &Timeline, handle: usize, gone: f64) -> Option<(When, f64)> {
    let mark = begun.handles.get(handle)?;
    let [start, end] = begun.segments.get(mark.segment?)?.times;
    let frames = (mark.times[0] - start + gone).round().max(0.0);
    Some(match start + frames > end - 0.5 {
        true => (When::At(At::End), end),
        false => (When::At(At::Frames(frames)), start + frames),
    })
}

/// Draws the lane.
pub fn paint(studio: &Studio, timeline: &Timeline, ui: &Ui, line: Rect) {
    for (place, mark) in timeline.segments.iter().enumerate() {
        let [from, to] = mark.times.map(|time| x_of(timeline, line, time));
        let low = pos2(from + 1.0, line.top() + LANE[0]);
        let area = Rect::from_min_max(low, pos2((to - 1.0).max(from + 2.0), line.top() + LANE[1]));
        segment(studio, ui, (place, mark), area);
    }
}

fn segment(studio: &Studio, ui: &Ui, (place, mark): (usize, &SegmentMark), area: Rect) {
    let (painter, visuals) = (ui.painter(), ui.visuals());
    let is_selected = studio.segment == Some(place);
    let colour = colours::line(if mark.flies { colours::SKY } else { colours::GREEN }, visuals);
    let outline =
        if is_selected { Stroke::new(2.5, visuals.strong_text_color()) } else { Stroke::new(1.0, colour) };
    let shade = colour.gamma_multiply(0.25);
    if mark.flies {
        arc(painter, area.shrink2(vec2(1.0, 2.0)), shade, colour);
    }
    let fill = if mark.flies { Color32::TRANSPARENT } else { shade };
    painter.rect(area, 3.0, fill, outline, StrokeKind::Inside);
    let words = [format!("{} · {}", place + 1, length_words(mark)), (place + 1).to_string()];
    let font = FontId::proportional(11.0);
    let inside = painter.with_clip_rect(area.intersect(ui.clip_rect()));
    for words in words {
        let galley = painter.layout_no_wrap(words, font.clone(), visuals.text_color());
        if galley.size().x + 10.0 < area.width() {
            let (align, from) = match mark.flies {
                true => (Align2::CENTER_CENTER, area.center() + vec2(0.0, 1.0)),
                false => (Align2::LEFT_CENTER, area.left_center() + vec2(6.0, 0.0)),
            };
            let at = align.anchor_size(from, galley.size());
            inside.galley(at.min, galley, visuals.text_color());
            return;
        }
    }
}

/// The way of a throw.
fn arc(painter: &Painter, area: Rect, fill: Color32, colour: Color32) {
    let point = |k: u32| {
        let part = k as f32 / 16.0;
        let height = 4.0 * part * (1.0 - part);
        pos2(area.left() + part * area.width(), area.bottom() - height * area.height())
    };
    let points: Vec<Pos2> = (0..=16).map(point).collect();
    painter.add(Shape::convex_polygon(points.clone(), fill, Stroke::NONE));
    painter.add(Shape::line(points, Stroke::new(1.5, colour)));
}
