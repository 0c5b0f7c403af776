//! The timeline: playing, scrubbing, and what is marked along the frames.

mod paint;
mod poses;
mod segments;

use crate::Studio;
use crate::widgets::id;
use eframe::egui::{self, CursorIcon, DragValue, Pos2, Rect, Role, Sense, Ui, WidgetInfo, vec2};
use paint::paint;
use segments::SegmentGrip;
use std::sync::Arc;
use supple_project::shot::When;
use supple_session::{Timeline, fit_layers};

/// How high it is: it stays so, however many handles there are.
const HEIGHT: f32 = 98.0;
/// The middle of the first lane, and how far the lanes of a few handles are apart; those of many share the same room.
const LANES: [f32; 3] = [40.0, 12.0, 48.0];
const SIDE: f32 = 14.0;
/// The mouse takes a mark this near, in points.
const NEAR: f32 = 7.0;

/// Shows it, at the bottom of the window.
pub fn show(studio: &mut Studio, ui: &mut Ui) {
    egui::Panel::bottom("timeline").show(ui, |ui| {
        ui.add_space(4.0);
        controls(studio, ui);
        buttons(studio, ui);
        track(studio, ui);
    });
}

/// The buttons over the track: those of a pose that is being made, or of poses and segments.
fn buttons(studio: &mut Studio, ui: &mut Ui) {
    if studio.has_segments() || studio.takes_poses() {
        ui.horizontal(|ui| {
            poses::buttons(studio, ui);
            if studio.posing.is_none() {
                segments::buttons(studio, ui);
            }
        });
    }
}

fn controls(studio: &mut Studio, ui: &mut Ui) {
    let timeline = studio.timeline.clone();
    let last = timeline.clock.frames.saturating_sub(1);
    ui.horizontal(|ui| {
        let first = ui.button("|<").on_hover_text("First frame (Shift+Left)").accessible_name("First frame");
        if id(first, "first-frame").clicked() {
            studio.view.frame = 0;
        }
        let (mark, name) = if studio.playing.on { ("Pause", "Pause") } else { ("Play", "Play") };
        let hint = format!("{name} the right view (Space)");
        if id(ui.button(mark).on_hover_text(hint).accessible_name(name), "play").clicked() {
            studio.playing.toggle(&timeline);
        }
        let end = ui.button(">|").on_hover_text("Last frame (Shift+Right)").accessible_name("Last frame");
        if id(end, "last-frame").clicked() {
            studio.view.frame = last;
        }
        let loops = ui.checkbox(&mut studio.playing.loops, "Loop").on_hover_text("Repeat from the start");
        id(loops, "play-loop");
        ui.separator();
        let mut number = timeline.number(studio.view.frame);
        let range = timeline.number(0)..=timeline.number(last);
        let field = DragValue::new(&mut number).range(range.clone()).prefix("Frame ");
        let field = ui.add(field).on_hover_text("Current frame (Left, Right)");
        if id(field.accessible_name("Frame"), "frame").changed() {
            studio.view.frame = timeline.index(number);
        }
        ui.label(format!("{:.2} s of {:.2} s", timeline.seconds(studio.view.frame), timeline.seconds(last)));
        ui.separator();
        let mut limited = studio.playing.range.is_some();
        let hint = "Play only a range of frames";
        if id(ui.checkbox(&mut limited, "Range").on_hover_text(hint), "play-range").changed() {
            let window = timeline.window.clone().unwrap_or(range.clone());
            studio.playing.range = limited.then_some(window);
            studio.playing.jump(studio.playing.frame);
        }
        if let Some(playing) = studio.playing.range.clone().filter(|_| timeline.clock.frames > 0) {
            let (mut from, mut to) = (*playing.start(), *playing.end());
            let begin = ui.add(DragValue::new(&mut from).range(*range.start()..=to));
            let begin = begin.on_hover_text("First frame to play").accessible_name("Range start");
            let begin = id(begin, "range-start");
            let end = ui.add(DragValue::new(&mut to).range(from..=*range.end()));
            let end = end.on_hover_text("Last frame to play").accessible_name("Range end");
            let end = id(end, "range-end");
            if begin.changed() || end.changed() {
                studio.playing.range = Some(from..=to);
                studio.playing.jump(studio.playing.frame);
            }
        }
        ui.label(format!("{} fps", timeline.clock.fps));
        if !studio.hint.is_empty() {
            ui.separator();
            ui.weak(studio.hint);
        }
    });
}

/// What of the track is under the mouse when it goes down.
#[derive(Clone, Copy, PartialEq)]
enum Grip {
    Scrub,
    Handle(usize),
    /// The first of the frames of a plant.
    PlantStart(usize),
    /// The last of the frames a handle holds at.
    HandleEnd(usize),
    WindowStart,
    WindowEnd,
    Segment(SegmentGrip),
    Pose(usize),
}

impl Grip {
    /// What the step of undo is called that a drag of it makes; none for what is only looked at.
    fn step(self) -> Option<&'static str> {
        match self {
            Self::Scrub | Self::Segment(SegmentGrip::Body(_)) => None,
            Self::Handle(_) | Self::PlantStart(_) | Self::HandleEnd(_) => Some("Retime handle"),
            Self::WindowStart | Self::WindowEnd => Some("Set frame range"),
            Self::Segment(SegmentGrip::End(_)) => Some("Resize segment"),
            Self::Pose(_) => Some("Retime pose"),
        }
    }

    fn hint(self) -> &'static str {
        match self {
            Self::Scrub => "Click or drag to go to a frame",
            Self::Handle(_) => "Drag this handle to another frame",
            Self::PlantStart(_) => "Drag the first frame of this plant",
            Self::HandleEnd(_) => "Drag the last frame of this handle",
            Self::WindowStart | Self::WindowEnd => "Drag this end of the editable frame range",
            Self::Segment(SegmentGrip::Body(_)) => "Click to select this segment",
            Self::Segment(SegmentGrip::End(_)) => "Drag to make this segment longer or shorter",
            Self::Pose(_) => "Drag this pose to another frame",
        }
    }
}

fn track(studio: &mut Studio, ui: &mut Ui) {
    let timeline = studio.timeline.clone();
    let height = HEIGHT + higher(&timeline);
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::CLICK | Sense::DRAG);
    response.widget_info(|| WidgetInfo::labeled(Role::Slider, true, "Timeline"));
    if timeline.clock.frames == 0 {
        return;
    }
    let line = Rect::from_min_max(rect.min + vec2(SIDE, 0.0), rect.max - vec2(SIDE, 0.0));
    let held = response.id.with("grip");
    let begun: Option<Arc<(Grip, Timeline)>> = ui.memory(|memory| memory.data.get_temp(held));
    // Nothing moves away under the mouse while a segment becomes longer.
    let width = begun.as_ref().map_or(timeline.width, |begun| begun.1.width);
    paint(studio, &Timeline { width, ..timeline.clone() }, ui, line);
    let pressed = ui.input(|input| input.pointer.primary_pressed());
    // A short click goes down and up between two frames of the window.
    let is_down = response.is_pointer_button_down_on() || response.clicked();
    if let (true, true, Some(at)) = (pressed, is_down, response.interact_pointer_pos()) {
        let grip = grip_at(studio, line, at);
        take(studio, grip, &timeline, frame_at(&timeline, line, at));
        ui.memory_mut(|memory| memory.data.insert_temp(held, Arc::new((grip, timeline.clone()))));
    }
    let begun: Option<Arc<(Grip, Timeline)>> = ui.memory(|memory| memory.data.get_temp(held));
    if let (Some(begun), Some(at)) = (&begun, response.interact_pointer_pos())
        && is_down
    {
        drag(studio, begun.0, &begun.1, line, at, ui);
    }
    if begun.is_some() && !response.is_pointer_button_down_on() {
        ui.memory_mut(|memory| memory.data.remove::<Arc<(Grip, Timeline)>>(held));
        if begun.is_some_and(|begun| begun.0.step().is_some()) {
            studio.session.document.commit_gesture();
        }
    }
    let under = response.hover_pos().map(|at| grip_at(studio, line, at));
    if under.is_some_and(|under| under.step().is_some()) {
        ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
    }
    // Said beside the transport: a tooltip would cover it.
    let hint = under.unwrap_or(Grip::Scrub).hint();
    studio.hint = if under.is_some() { hint } else { "" };
    ui.ctx().accesskit_node_builder(response.id, |node| node.set_description(hint));
    id(response, "timeline");
}

/// The mouse went down on something, at this frame.
fn take(studio: &mut Studio, grip: Grip, timeline: &Timeline, frame: usize) {
    match grip {
        // A plant is taken anywhere between its ends.
        Grip::Handle(index) if timeline.handles[index].stays => {
            (studio.selected, studio.pose, studio.view.frame) = (Some(index), None, frame);
        }
        Grip::Handle(index) | Grip::PlantStart(index) | Grip::HandleEnd(index) => {
            (studio.selected, studio.pose) = (Some(index), None);
            let frames = &timeline.handles[index].frames;
            let number = if let Grip::HandleEnd(_) = grip { frames.end() } else { frames.start() };
            studio.view.frame = timeline.index(*number);
        }
        Grip::Segment(SegmentGrip::Body(place) | SegmentGrip::End(place)) => studio.select_segment(place),
        Grip::Pose(place) => studio.select_pose(place),
        Grip::Scrub | Grip::WindowStart | Grip::WindowEnd => {}
    }
    if let Some(step) = grip.step() {
        studio.session.document.begin_gesture(step);
    }
}

/// How much higher it is than one without segments and poses.
fn higher(timeline: &Timeline) -> f32 {
    let of_segments = if timeline.segments.is_empty() { 0.0 } else { segments::HIGHER };
    of_segments + poses::higher(timeline)
}

/// Where the lane of a handle is, below the top of the line.
fn lane(index: usize, timeline: &Timeline) -> f32 {
    let [first, apart, room] = LANES;
    let count = timeline.lanes.max(1) as f32;
    let lane = timeline.handles.get(index).map_or(0, |mark| mark.lane);
    first + higher(timeline) + lane as f32 * apart.min(room / count)
}

fn x_of(timeline: &Timeline, line: Rect, time: impl Into<f64>) -> f32 {
    line.left() + line.width() * timeline.part(time) as f32
}

/// Frames from the first to a place, whole or not, outside too.
fn time_at(timeline: &Timeline, line: Rect, at: Pos2) -> f64 {
    f64::from((at.x - line.left()) / line.width().max(1.0)) * timeline.width
}

fn frame_at(timeline: &Timeline, line: Rect, at: Pos2) -> usize {
    timeline.at(f64::from((at.x - line.left()) / line.width().max(1.0)))
}

fn grip_at(studio: &Studio, line: Rect, at: Pos2) -> Grip {
    let timeline = &studio.timeline;
    let marks = timeline.handles.iter().enumerate().flat_map(|(index, mark)| {
        let [start, end] = mark.times;
        let begin = if mark.stays && end > start { Grip::PlantStart(index) } else { Grip::Handle(index) };
        let end = (end > start).then_some((Grip::HandleEnd(index), end));
        // Between its ends, wherever that is.
        let between =
            f64::clamp(f64::from(timeline.clock.start.0) + time_at(timeline, line, at), start, mark.times[1]);
        let whole = (begin != Grip::Handle(index)).then_some((Grip::Handle(index), between));
        [Some((begin, start)), end, whole].into_iter().flatten()
    });
    let of = |grip: Grip| match grip {
        Grip::Handle(index) | Grip::PlantStart(index) | Grip::HandleEnd(index) => index,
        _ => usize::MAX,
    };
    let away = |(grip, number): (Grip, f64)| {
        let across = (at.y - line.top() - lane(of(grip), timeline)).abs();
        let along = (x_of(timeline, line, number) - at.x).abs();
        // An end is taken before what is between the ends.
        let is_whole = matches!(grip, Grip::Handle(index) if timeline.handles[index].stays);
        (grip, if is_whole { along + 0.6 * NEAR } else { along }, across)
    };
    let near: Vec<_> = marks.map(away).filter(|(_, along, across)| *along < NEAR && *across < 8.0).collect();
    // What is selected wins where marks are close; otherwise the nearest.
    let selected = near.iter().find(|(grip, ..)| Some(of(*grip)) == studio.selected);
    let far = |(_, along, across): &&(Grip, f32, f32)| along.hypot(*across);
    let nearest = near.iter().min_by(|a, b| far(a).total_cmp(&far(b)));
    let wins = selected.filter(|selected| nearest.is_some_and(|nearest| far(selected) - far(&nearest) < 4.0));
    if let Some((grip, ..)) = wins.or(nearest) {
        return *grip;
    }
    if let Some(place) = poses::grip_at(timeline, line, at) {
        return Grip::Pose(place);
    }
    if let Some(grip) = segments::grip_at(timeline, line, at) {
        return Grip::Segment(grip);
    }
    if let Some(window) = &timeline.window
        && at.y > line.bottom() - 14.0
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
    let origin = ui.input(|input| input.pointer.press_origin());
    match grip {
        Grip::Scrub => studio.view.frame = frame,
        Grip::Segment(SegmentGrip::Body(_)) => {}
        Grip::Pose(place) => {
            if let Some(origin) = origin {
                poses::drag(studio, place, begun, line, [origin, at]);
            }
        }
        Grip::Segment(SegmentGrip::End(place)) => {
            if let Some(origin) = origin {
                segments::drag_end(studio, place, begun, line, [origin, at]);
            }
        }
        Grip::Handle(index) if begun.handles[index].segment.is_some() => {
            let Some(origin) = origin else { return };
            let gone = time_at(begun, line, at) - time_at(begun, line, origin);
            if let Some((when, time)) = segments::retimed(begun, index, gone) {
                retime(studio, index, when);
                studio.view.frame = begun.index(time.round() as i32);
            }
        }
        Grip::PlantStart(index) => {
            let end = *begun.handles[index].frames.end();
            let start = number.min(end - 1);
            retime(studio, index, over(start, end));
            studio.view.frame = begun.index(start);
        }
        Grip::Handle(index) => {
            let Some(origin) = origin else { return };
            let by = number - begun.number(frame_at(begun, line, origin));
            let moved = begun.retimed(&begun.handles[index].frames, by);
            retime(studio, index, over(*moved.start(), *moved.end()));
            let stays = begun.handles[index].stays;
            studio.view.frame = if stays { frame } else { begun.index(*moved.start()) };
        }
        Grip::HandleEnd(index) => {
            let mark = &begun.handles[index];
            // What stands has two frames at least.
            let end = number.max(*mark.frames.start() + i32::from(mark.stays));
            retime(studio, index, over(*mark.frames.start(), end));
            studio.view.frame = begun.index(end);
        }
        Grip::WindowStart | Grip::WindowEnd => {
            let Some(window) = begun.window.clone() else { return };
            let window = match grip {
                Grip::WindowStart => number.min(*window.end() - 1)..=*window.end(),
                _ => *window.start()..=number.max(*window.start() + 1),
            };
            studio.session.document.update_gesture(|shot| {
                shot.edit.window = Some(window);
                fit_layers(shot);
            });
        }
    }
}

/// From one frame to another.
fn over(start: i32, end: i32) -> When {
    if start == end { When::Frame(start) } else { When::Frames(start..=end) }
}

/// Gives a handle other frames, a gesture being under way.
fn retime(studio: &mut Studio, index: usize, when: When) {
    studio.session.document.update_gesture(|shot| {
        if let Some(handle) = shot.edit.handle_mut(index) {
            handle.when = when;
        }
        fit_layers(shot);
    });
}
