//! What is drawn along the frames: numbers, the window, the range, contacts, marks of handles, where it is.

use super::{lane, poses, segments, x_of};
use crate::{Studio, colours};
use eframe::egui::{Align2, Color32, FontId, Painter, Rect, Shape, Stroke, StrokeKind, Ui, pos2, vec2};
use supple_session::Timeline;

/// Draws the track of the timeline on `line`.
pub fn paint(studio: &Studio, timeline: &Timeline, ui: &Ui, line: Rect) {
    let painter = ui.painter();
    let visuals = ui.visuals();
    let shade = |colour: Color32| colours::line(colour, visuals);
    let track =
        Rect::from_min_max(pos2(line.left(), line.top() + 22.0), pos2(line.right(), line.bottom() - 4.0));
    painter.rect_filled(track.expand2(vec2(6.0, 0.0)), 3.0, visuals.extreme_bg_color);
    let x = |number: i32| x_of(timeline, line, number);
    let band = |from: i32, to: i32, top: f32, bottom: f32, colour: Color32| {
        let area = Rect::from_min_max(pos2(x(from) - 2.0, top), pos2(x(to) + 2.0, bottom));
        painter.rect_filled(area, 2.0, colour);
    };
    if let Some(window) = &timeline.window {
        band(*window.start(), *window.end(), track.bottom() - 8.0, track.bottom(), shade(colours::SKY));
    }
    if let Some(range) = &studio.playing.range {
        band(*range.start(), *range.end(), track.top(), track.top() + 4.0, shade(Color32::GRAY));
    }
    if studio.look.contacts {
        for touching in &timeline.contacts {
            band(
                *touching.start(),
                *touching.end(),
                track.bottom() - 4.0,
                track.bottom(),
                shade(colours::GREEN),
            );
        }
    }
    // What is planted, each plant its own piece of the band above the window's.
    for plant in &timeline.plants {
        let [top, bottom] = [12.0, 9.0].map(|above| track.bottom() - above);
        band(*plant.start(), *plant.end(), top, bottom, shade(colours::GREEN));
    }
    ticks(timeline, ui, painter, line, track);
    let played = x(timeline.number(studio.playing.frame));
    painter.line_segment(
        [pos2(played, track.top()), pos2(played, track.bottom())],
        Stroke::new(1.5, shade(Color32::GRAY)),
    );
    segments::paint(studio, timeline, ui, line);
    poses::paint(studio, timeline, ui, line);
    marks(studio, timeline, ui, line);
    let now = x(timeline.number(studio.view.frame));
    painter.line_segment(
        [pos2(now, line.top() + 16.0), pos2(now, track.bottom())],
        Stroke::new(2.0, shade(colours::ORANGE)),
    );
    let label = timeline.number(studio.view.frame).to_string();
    let galley = painter.layout_no_wrap(label, FontId::proportional(12.0), Color32::BLACK);
    let half = galley.size().x / 2.0 + 5.0;
    let tag = Rect::from_min_max(pos2(now - half, line.top() + 2.0), pos2(now + half, line.top() + 18.0));
    painter.rect_filled(tag, 3.0, colours::ORANGE);
    painter.galley(tag.center() - galley.size() / 2.0, galley, Color32::BLACK);
}

/// Marks of handles, the selected one last, over the others.
fn marks(studio: &Studio, timeline: &Timeline, ui: &Ui, line: Rect) {
    let (painter, visuals) = (ui.painter(), ui.visuals());
    let shade = |colour: Color32| colours::line(colour, visuals);
    let order = (0..timeline.handles.len()).filter(|k| studio.selected != Some(*k)).chain(studio.selected);
    for (index, mark) in order.filter_map(|index| Some((index, timeline.handles.get(index)?))) {
        let kind = if mark.stays { colours::GREEN } else { colours::PURPLE };
        let colour = shade(if mark.muted { Color32::GRAY } else { kind });
        let y = line.top() + lane(index, timeline);
        let [from, to] = mark.times.map(|time| x_of(timeline, line, time));
        let is_selected = studio.selected == Some(index);
        if mark.stays && to > from {
            plant(painter, [from, to], y, colour, is_selected.then_some(visuals.strong_text_color()));
            continue;
        }
        painter.line_segment([pos2(from, y), pos2(to, y)], Stroke::new(3.0, colour));
        if to > from {
            painter.line_segment([pos2(to, y - 5.0), pos2(to, y + 5.0)], Stroke::new(3.0, colour));
        }
        let size = if is_selected { 7.0 } else { 5.0 };
        let corners = [vec2(0.0, -size), vec2(size, 0.0), vec2(0.0, size), vec2(-size, 0.0)];
        let outline = if is_selected { visuals.strong_text_color() } else { Color32::BLACK };
        let diamond = corners.map(|corner| pos2(from, y) + corner).to_vec();
        painter.add(Shape::convex_polygon(diamond, colour, Stroke::new(1.5, outline)));
    }
}

/// A plant: a band with an end to drag on both sides, outlined where it is selected.
fn plant(painter: &Painter, [from, to]: [f32; 2], y: f32, colour: Color32, outline: Option<Color32>) {
    let (half, part) = if outline.is_some() { (4.5, 0.9) } else { (3.5, 0.6) };
    let band = Rect::from_min_max(pos2(from, y - half), pos2(to, y + half));
    painter.rect_filled(band, 2.0, colour.gamma_multiply(part));
    for x in [from, to] {
        painter.line_segment([pos2(x, y - half - 1.0), pos2(x, y + half + 1.0)], Stroke::new(3.0, colour));
    }
    if let Some(outline) = outline {
        painter.rect_stroke(band.expand(1.5), 2.0, Stroke::new(1.5, outline), StrokeKind::Outside);
    }
}

/// Numbers of frames, as many as there is room for.
fn ticks(timeline: &Timeline, ui: &Ui, painter: &Painter, line: Rect, track: Rect) {
    let room = (line.width() / 56.0).max(1.0);
    let about = timeline.clock.frames as f32 / room;
    let steps = [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000];
    let step = steps.into_iter().find(|step| *step as f32 >= about).unwrap_or(10_000);
    let weak = ui.visuals().weak_text_color();
    for index in 0..timeline.clock.frames {
        let number = timeline.number(index);
        if number.rem_euclid(step) == 0 {
            let x = x_of(timeline, line, number);
            painter.line_segment([pos2(x, track.top()), pos2(x, track.top() + 6.0)], Stroke::new(1.0, weak));
            let font = FontId::proportional(11.0);
            painter.text(pos2(x, line.top() + 10.0), Align2::CENTER_CENTER, number.to_string(), font, weak);
        }
    }
}
