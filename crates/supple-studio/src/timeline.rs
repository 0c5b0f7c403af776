//! The timeline: playing, scrubbing, and what is marked along the frames.

use crate::{Studio, colours};
use eframe::egui::{
    self, Align2, Color32, CursorIcon, DragValue, FontId, Painter, Pos2, Rect, Role, Sense, Shape, Stroke,
    Ui, WidgetInfo, pos2, vec2,
};
use supple_project::session::Timeline;
use supple_project::shot::When;

const HEIGHT: f32 = 62.0;
const SIDE: f32 = 14.0;
/// The mouse takes a mark this near, in points.
const NEAR: f32 = 7.0;

/// Shows it, at the bottom of the window.
pub fn show(studio: &mut Studio, ui: &mut Ui) {
    egui::Panel::bottom("timeline").show(ui, |ui| {
        ui.add_space(4.0);
        controls(studio, ui);
        track(studio, ui);
    });
}

fn controls(studio: &mut Studio, ui: &mut Ui) {
    let timeline = studio.timeline.clone();
    let last = timeline.frames.saturating_sub(1);
    ui.horizontal(|ui| {
        if ui.button("|<").on_hover_text("First frame (Shift+Left)").accessible_name("First frame").clicked()
        {
            studio.view.frame = 0;
        }
        let (mark, name) = if studio.playing.on { ("Pause", "Pause") } else { ("Play", "Play") };
        let hint = format!("{name} the right view (Space)");
        if ui.button(mark).on_hover_text(hint).accessible_name(name).clicked() {
            studio.playing.toggle(&timeline);
        }
        if ui.button(">|").on_hover_text("Last frame (Shift+Right)").accessible_name("Last frame").clicked() {
            studio.view.frame = last;
        }
        ui.checkbox(&mut studio.playing.loops, "Loop").on_hover_text("Begin again at the end");
        ui.separator();
        let mut number = timeline.number(studio.view.frame);
        let range = timeline.number(0)..=timeline.number(last);
        let field = DragValue::new(&mut number).range(range.clone()).prefix("Frame ");
        let field =
            ui.add(field).on_hover_text("The frame that is edited, as the scene counts (Left, Right)");
        if field.accessible_name("Frame").changed() {
            studio.view.frame = timeline.index(number);
        }
        ui.label(format!("{:.2} s of {:.2} s", timeline.seconds(studio.view.frame), timeline.seconds(last)));
        ui.separator();
        let mut limited = studio.playing.range.is_some();
        let hint = "Play only some of the frames";
        if ui.checkbox(&mut limited, "Range").on_hover_text(hint).changed() {
            let window = timeline.window.clone().unwrap_or(range.clone());
            studio.playing.range = limited.then_some(window);
            studio.playing.jump(studio.playing.frame);
        }
        if let Some(playing) = studio.playing.range.clone() {
            let (mut from, mut to) = (*playing.start(), *playing.end());
            let begin = ui.add(DragValue::new(&mut from).range(*range.start()..=to));
            let begin = begin.on_hover_text("The first frame that is played").accessible_name("Range start");
            let end = ui.add(DragValue::new(&mut to).range(from..=*range.end()));
            let end = end.on_hover_text("The last frame that is played").accessible_name("Range end");
            if begin.changed() || end.changed() {
                studio.playing.range = Some(from..=to);
                studio.playing.jump(studio.playing.frame);
            }
        }
        ui.label(format!("{} frames a second", timeline.fps));
    });
}

/// What of the track is under the mouse when it goes down.
#[derive(Clone, Copy, PartialEq)]
enum Grip {
    Scrub,
    Handle(usize),
    WindowStart,
    WindowEnd,
}

fn track(studio: &mut Studio, ui: &mut Ui) {
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::CLICK | Sense::DRAG);
    response.widget_info(|| WidgetInfo::labeled(Role::Slider, true, "Timeline"));
    let timeline = studio.timeline.clone();
    if timeline.frames == 0 {
        return;
    }
    let line = Rect::from_min_max(rect.min + vec2(SIDE, 0.0), rect.max - vec2(SIDE, 0.0));
    paint(studio, ui, line);
    let id = response.id.with("grip");
    let pressed = ui.input(|input| input.pointer.primary_pressed());
    if let (true, true, Some(at)) =
        (pressed, response.is_pointer_button_down_on(), response.interact_pointer_pos())
    {
        let grip = grip_at(studio, line, at);
        if let Grip::Handle(index) = grip {
            studio.selected = Some(index);
            studio.view.frame = timeline.index(*timeline.handles[index].frames.start());
            studio.session.document.begin_gesture("Retime handle");
        } else if grip != Grip::Scrub {
            studio.session.document.begin_gesture("Set window");
        }
        let begin = (grip, timeline.clone());
        ui.memory_mut(|memory| memory.data.insert_temp(id, std::sync::Arc::new(begin)));
    }
    let begun: Option<std::sync::Arc<(Grip, Timeline)>> = ui.memory(|memory| memory.data.get_temp(id));
    if let (Some(begun), Some(at)) = (&begun, response.interact_pointer_pos())
        && response.is_pointer_button_down_on()
    {
        drag(studio, begun.0, &begun.1, line, at, ui);
    }
    if begun.is_some() && !response.is_pointer_button_down_on() {
        ui.memory_mut(|memory| memory.data.remove::<std::sync::Arc<(Grip, Timeline)>>(id));
        if begun.is_some_and(|begun| begun.0 != Grip::Scrub) {
            studio.session.document.commit_gesture();
        }
    }
    if let Some(at) = response.hover_pos() {
        let icon = match grip_at(studio, line, at) {
            Grip::Scrub => CursorIcon::Default,
            _ => CursorIcon::ResizeHorizontal,
        };
        ui.ctx().set_cursor_icon(icon);
    }
}

fn x_of(timeline: &Timeline, line: Rect, number: i32) -> f32 {
    line.left() + line.width() * timeline.part(number) as f32
}

fn frame_at(timeline: &Timeline, line: Rect, at: Pos2) -> usize {
    timeline.at(f64::from((at.x - line.left()) / line.width().max(1.0)))
}

fn grip_at(studio: &Studio, line: Rect, at: Pos2) -> Grip {
    let timeline = &studio.timeline;
    let middle = line.top() + 40.0;
    let away = |index: usize| (x_of(timeline, line, *timeline.handles[index].frames.start()) - at.x).abs();
    let near =
        (0..timeline.handles.len()).filter(|index| away(*index) < NEAR && (at.y - middle).abs() < 10.0);
    if let Some(index) = near.min_by(|a, b| away(*a).total_cmp(&away(*b))) {
        return Grip::Handle(index);
    }
    if let Some(window) = &timeline.window
        && at.y > line.top() + 50.0
    {
        if (x_of(timeline, line, *window.start()) - at.x).abs() < NEAR {
            return Grip::WindowStart;
        }
        if (x_of(timeline, line, *window.end()) - at.x).abs() < NEAR {
            return Grip::WindowEnd;
        }
    }
    Grip::Scrub
}

fn drag(studio: &mut Studio, grip: Grip, begun: &Timeline, line: Rect, at: Pos2, ui: &Ui) {
    let frame = frame_at(begun, line, at);
    let number = begun.number(frame);
    match grip {
        Grip::Scrub => studio.view.frame = frame,
        Grip::Handle(index) => {
            let Some(origin) = ui.input(|input| input.pointer.press_origin()) else { return };
            let by = number - begun.number(frame_at(begun, line, origin));
            let moved = begun.retimed(&begun.handles[index].frames, by);
            let when = match moved.start() == moved.end() {
                true => When::Frame(*moved.start()),
                false => When::Frames(moved.clone()),
            };
            studio.view.frame = begun.index(*moved.start());
            studio.session.document.update_gesture(|shot| {
                if let Some(handle) = shot.edit.handles.get_mut(index) {
                    handle.when = when;
                }
            });
        }
        Grip::WindowStart | Grip::WindowEnd => {
            let Some(window) = begun.window.clone() else { return };
            let window = match grip {
                Grip::WindowStart => number.min(*window.end() - 1)..=*window.end(),
                _ => *window.start()..=number.max(*window.start() + 1),
            };
            studio.session.document.update_gesture(|shot| shot.edit.window = Some(window));
        }
    }
}

fn paint(studio: &Studio, ui: &Ui, line: Rect) {
    let (timeline, painter) = (&studio.timeline, ui.painter());
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
    ticks(timeline, ui, painter, line, track);
    let played = x(timeline.number(studio.playing.frame));
    painter.line_segment(
        [pos2(played, track.top()), pos2(played, track.bottom())],
        Stroke::new(1.5, shade(Color32::GRAY)),
    );
    for (index, mark) in timeline.handles.iter().enumerate() {
        let colour = shade(if mark.muted { Color32::GRAY } else { colours::PURPLE });
        let (from, to, y) = (x(*mark.frames.start()), x(*mark.frames.end()), line.top() + 40.0);
        painter.line_segment([pos2(from, y), pos2(to, y)], Stroke::new(3.0, colour));
        let size = if studio.selected == Some(index) { 8.0 } else { 6.0 };
        let corners = [vec2(0.0, -size), vec2(size, 0.0), vec2(0.0, size), vec2(-size, 0.0)];
        let outline =
            if studio.selected == Some(index) { visuals.strong_text_color() } else { Color32::BLACK };
        let diamond = corners.map(|corner| pos2(from, y) + corner).to_vec();
        painter.add(Shape::convex_polygon(diamond, colour, Stroke::new(1.5, outline)));
    }
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

/// Numbers of frames, as many as there is room for.
fn ticks(timeline: &Timeline, ui: &Ui, painter: &Painter, line: Rect, track: Rect) {
    let room = (line.width() / 56.0).max(1.0);
    let about = timeline.frames as f32 / room;
    let steps = [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000];
    let step = steps.into_iter().find(|step| *step as f32 >= about).unwrap_or(10_000);
    let weak = ui.visuals().weak_text_color();
    for index in 0..timeline.frames {
        let number = timeline.number(index);
        if number.rem_euclid(step) == 0 {
            let x = x_of(timeline, line, number);
            painter.line_segment([pos2(x, track.top()), pos2(x, track.top() + 6.0)], Stroke::new(1.0, weak));
            let font = FontId::proportional(11.0);
            painter.text(pos2(x, line.top() + 10.0), Align2::CENTER_CENTER, number.to_string(), font, weak);
        }
    }
}
