//! The two viewports: the left edits the current frame, the right plays the edited motion.

use crate::axis_handle::{self, Part};
use crate::gesture::Press;
use crate::numbers::metres;
use crate::posing::PoseWords;
use crate::scene::{Drawing, Eye, Ground, Painted};
use crate::{Studio, colours, legend, strokes};
use eframe::egui::{
    self, Align2, Color32, FontId, PointerButton, Pos2, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui,
    Vec2, WidgetInfo, pos2, vec2,
};
use eframe::egui_wgpu::Callback;
use std::sync::Arc;
use supple_project::method::Iterate;
use supple_session::{Picture, Work};

/// What the left viewport is called.
pub const EDIT: &str = "Edit view";
/// What the right viewport is called.
pub const PLAY: &str = "Play view";
const GAP: f32 = 4.0;
/// What can be done with the mouse on the right one.
const PUSH: &str = "Drag the body to push it while it plays; it finds back to its motion.";

/// Shows both, side by side.
pub fn show_both(studio: &mut Studio, ui: &mut Ui) {
    egui::CentralPanel::no_frame().show(ui, |ui| {
        let all = ui.available_rect_before_wrap();
        let half = ((all.width() - GAP) / 2.0).max(40.0);
        let left = Rect::from_min_size(all.min, vec2(half, all.height()));
        let right = Rect::from_min_size(pos2(all.min.x + half + GAP, all.min.y), vec2(half, all.height()));
        ui.painter().rect_filled(all, 0.0, ui.visuals().panel_fill);
        show(studio, ui, 0, left);
        show(studio, ui, 1, right);
        ui.advance_cursor_after_rect(all);
    });
}

fn show(studio: &mut Studio, ui: &mut Ui, side: usize, rect: Rect) {
    let name = if side == 0 { EDIT } else { PLAY };
    // It takes no focus: keys are for it wherever they are not for a field.
    let response = ui.interact(rect, ui.scope_id().with(name), Sense::CLICK | Sense::DRAG);
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, name));
    crate::widgets::id(response.clone(), ["edit-view", "play-view"][side]);
    studio.rects[side] = rect;
    if response.hovered() {
        studio.over = side;
    }
    let turns = move_camera(studio, ui, side, &response);
    if side == 0 && !turns {
        edit(studio, ui, &response);
    }
    if side == 1 {
        push(studio, ui, &response, turns);
    }
    if side == 0 {
        let is_free = !turns && studio.gesture.is_none() && studio.press.is_none();
        studio.hover(response.hover_pos().filter(|_| is_free), rect);
    }
    let picture = if side == 0 { studio.edited().cloned() } else { studio.snapshot.played.clone() };
    let is_stale = picture.as_ref().is_some_and(|picture| is_stale(studio, picture));
    let painter = ui.painter_at(rect);
    if let Some(picture) = &picture {
        draw(studio, ui, side, rect, picture, is_stale);
    } else {
        let [r, g, b] = colours::background(ui.visuals()).map(|x| (255.0 * x) as u8);
        painter.rect_filled(rect, 0.0, Color32::from_rgb(r, g, b));
    }
    if side == 0 {
        paint_over(studio, ui, rect, &response);
    } else if studio.can_push() && !studio.has_pushed {
        let at = pos2(rect.center().x, rect.bottom() - 10.0);
        let colour = ui.visuals().strong_text_color();
        badge(ui, rect, at, Align2::CENTER_BOTTOM, PUSH, colour);
    }
    caption(studio, ui, side, rect, picture.as_deref(), is_stale);
    if let Some(picture) = &picture {
        legend::chips(studio, ui, rect, picture, is_stale);
    } else if side == 0 {
        crate::missing::show(studio, ui, rect);
    }
    legend::show(&studio.look, ui, rect, picture.as_deref());
}

/// Whether a picture is of another body or edit than the document's. While something is dragged the right viewport is a
/// step behind, which is no reason to say so.
fn is_stale(studio: &Studio, picture: &Picture) -> bool {
    let generation = studio.session.document.generation();
    let opening = studio.snapshot.opening.as_ref().is_some_and(|opening| opening.generation == generation);
    let replaced = opening && picture.stage.modes == picture.stage.wanted_modes;
    picture.generation != generation && (replaced || studio.snapshot.failure.is_some())
}

/// Turns, shifts and zooms; answers whether the mouse was used for that.
fn move_camera(studio: &mut Studio, ui: &Ui, side: usize, response: &Response) -> bool {
    let (modifiers, scroll, pinch) =
        ui.input(|input| (input.modifiers, input.smooth_scroll_delta(), input.zoom_delta()));
    let before = studio.cameras[side];
    let camera = &mut studio.cameras[side];
    let with_primary = modifiers.alt && response.dragged_by(PointerButton::Primary);
    let turns = response.dragged_by(PointerButton::Middle) || with_primary;
    if turns {
        let Vec2 { x, y } = response.drag_delta();
        match (modifiers.shift, modifiers.ctrl) {
            (true, _) => camera.pan(x, y, response.rect),
            (_, true) => camera.zoom(-0.05 * y),
            _ => camera.orbit(x, y),
        }
    }
    if let Some(at) = response.hover_pos() {
        camera.zoom_at(scroll.y / 50.0 + (pinch - 1.0) * 6.0, at, response.rect);
    }
    if *camera != before && studio.linked {
        studio.cameras[1 - side] = studio.cameras[side];
    }
    turns || modifiers.alt
}

/// Presses, pulls and releases on the left viewport.
fn edit(studio: &mut Studio, ui: &Ui, response: &Response) {
    let (pressed, released, right, at, modifiers) = ui.input(|input| {
        let pointer = &input.pointer;
        let right = pointer.button_pressed(PointerButton::Secondary);
        (
            pointer.primary_pressed(),
            pointer.primary_released(),
            right,
            pointer.interact_pos(),
            input.modifiers,
        )
    });
    let is_busy = studio.gesture.is_some() || studio.press.is_some();
    if right && is_busy {
        if studio.posing.is_some() {
            studio.drop_pull();
        } else {
            studio.let_go();
        }
        return;
    }
    let Some(at) = at else { return };
    if studio.gesture.as_ref().is_some_and(|gesture| gesture.is_free) {
        studio.move_to(at, response.rect, modifiers.ctrl);
        if pressed {
            studio.put_down();
        }
        return;
    }
    // A short click goes down and up between two frames of the window.
    let is_short = pressed && released && response.clicked_by(PointerButton::Primary);
    if pressed && (response.is_pointer_button_down_on() || is_short) {
        studio.press_at(at, response.rect, modifiers);
    } else if is_busy && !is_released(studio) {
        studio.move_to(at, response.rect, modifiers.ctrl);
    }
    if released && (is_busy || is_short) && !is_released(studio) {
        studio.release(response.rect, modifiers);
    }
    if is_busy || pressed {
        ui.ctx().request_repaint();
    }
}

/// Presses, pulls and releases on the right viewport.
fn push(studio: &mut Studio, ui: &Ui, response: &Response, turns: bool) {
    let (pressed, is_down, at) = ui.input(|input| {
        let pointer = &input.pointer;
        (pointer.primary_pressed(), pointer.primary_down(), pointer.interact_pos())
    });
    if studio.pushing.is_some() && (!is_down || turns || !studio.can_push()) {
        studio.end_push();
    }
    let Some(at) = at.filter(|_| !turns) else { return };
    if pressed && response.is_pointer_button_down_on() {
        studio.press_to_push(at, response.rect);
    } else if studio.pushing.is_some() {
        studio.push_on(at, response.rect);
    }
    if studio.pushing.is_some() {
        ui.ctx().request_repaint();
    }
}

fn is_released(studio: &Studio) -> bool {
    matches!(studio.press, Some(Press::Vertex { released: true, .. }))
}

fn draw(studio: &mut Studio, ui: &Ui, side: usize, rect: Rect, picture: &Arc<Picture>, is_stale: bool) {
    let look = studio.look.clone();
    let mut surfaces = studio.pictures.surfaces(picture, side, &look, is_stale);
    let glass = surfaces.split_off(1);
    if look.scenery {
        surfaces.extend(studio.pictures.scenery(picture, side));
    }
    surfaces.extend(glass);
    if let Some(seen) = studio.snapshot.seen.clone().filter(|_| look.strobe && side == 1) {
        surfaces.extend(studio.pictures.strobe(&seen, &picture.stage));
    }
    let height = strokes::ground(studio, &picture.stage).filter(|_| look.shadow);
    let ground = height.map(|height| Ground { height, size: picture.stage.size as f32 });
    let pixels_per_point = ui.ctx().pixels_per_point();
    let painted = Painted {
        viewport: side,
        drawing: Drawing {
            eye: Eye::of(&studio.eye(side), rect, picture.stage.size),
            background: colours::background(ui.visuals()),
            surfaces,
            strokes: Arc::new(strokes::of(studio, picture, side == 0, ui.visuals())),
            ground,
            hurries: studio.look.coarse && (studio.gesture.is_some() || studio.press.is_some()),
        },
        now: ui.input(|input| input.time),
        ctx: ui.ctx().clone(),
        size: [rect.width(), rect.height()].map(|length| (length * pixels_per_point).round() as u32),
        pixels_per_point,
        drawn: studio.triangles[side].clone(),
    };
    ui.painter_at(rect).add(Callback::new_paint_callback(rect, painted));
}

/// The axis handle, the box that is being drawn, and the hint, over the picture.
fn paint_over(studio: &Studio, ui: &Ui, rect: Rect, response: &Response) {
    let painter = ui.painter_at(rect);
    let camera = studio.eye(0);
    if let Some(index) = studio.selected
        && let Some(grip) = studio.grip(index)
    {
        let normal = studio.normal_of_selected();
        let mouse = response.hover_pos();
        let under = || mouse.and_then(|at| axis_handle::hit(&camera, rect, &grip, normal, at));
        let hot: Option<Part> = studio.gesture.as_ref().map(|gesture| gesture.part).or_else(under);
        axis_handle::paint(&painter, &camera, rect, &grip, normal, hot);
    }
    if let Some(Press::Box { from, to, .. }) = studio.press {
        let area = Rect::from_two_pos(from, to);
        painter.rect(
            area,
            0.0,
            colours::SKY.gamma_multiply(0.15),
            Stroke::new(1.0, colours::line(colours::SKY, ui.visuals())),
            StrokeKind::Inside,
        );
    }
    if let Some(gesture) = &studio.gesture {
        let at = pos2(rect.center().x, rect.bottom() - 10.0);
        let deep = studio.snapshot.shown.as_ref().and_then(|shown| shown.depth);
        let deep = deep.map_or(String::new(), |deep| format!("  {} inside an obstacle", metres(deep)));
        let words = gesture.words() + &deep;
        badge(ui, rect, at, Align2::CENTER_BOTTOM, &words, ui.visuals().strong_text_color());
    } else if let Some(hint) = hint(studio) {
        let at = pos2(rect.center().x, rect.bottom() - 10.0);
        badge(ui, rect, at, Align2::CENTER_BOTTOM, hint, ui.visuals().strong_text_color());
    }
}

/// What can be done with the mouse, as long as that is news.
fn hint(studio: &Studio) -> Option<&'static str> {
    if studio.posing.is_some() {
        return Some(
            "Drag a point to pull at it; click points to select them.\nF freezes the load, P pins what is \
             selected, Enter keys the pose, Esc cancels.",
        );
    }
    if studio.has_dragged || !studio.snapshot.stage.as_ref().is_some_and(|stage| stage.can_edit()) {
        return None;
    }
    Some(match studio.takes_handles() {
        true => {
            "Drag any point on the body; the frames before and after follow.\nOrbit the camera with the middle \
             mouse button, or Alt and drag."
        }
        false => {
            "Choose Pose (Shift+P) to pull the body into a pose at this frame.\nOrbit the camera with the middle \
             mouse button, or Alt and drag."
        }
    })
}

/// Which frame a viewport shows, and what is not as it should be.
fn caption(studio: &Studio, ui: &Ui, side: usize, rect: Rect, picture: Option<&Picture>, is_stale: bool) {
    let timeline = &studio.timeline;
    let mut text = match picture {
        Some(_) if side == 0 && studio.posing.is_some() => {
            let frame = studio.posing.as_ref().map_or(0, |posing| posing.draft.frame());
            format!("Pose · frame {}", timeline.number(frame))
        }
        Some(picture) if side == 0 => format!("Edit · frame {}", timeline.number(picture.frame)),
        Some(picture) => format!("Result · frame {}", timeline.number(picture.frame)),
        None if studio.snapshot.failure.is_some() => "Nothing to show".to_owned(),
        None => "Opening …".to_owned(),
    };
    if let Some(picture) = picture.filter(|_| side == 1 || studio.posing.is_none()) {
        text += &format!(" · {:.2} s", timeline.seconds(picture.frame));
    }
    let colour = ui.visuals().strong_text_color();
    badge(ui, rect, rect.min + vec2(10.0, 10.0), Align2::LEFT_TOP, &text, colour);
    if side == 1 {
        return;
    }
    let mut below = rect.min + vec2(10.0, 36.0);
    let mut say = |text: &str, colour: Color32| {
        let colour = colours::text(colour, ui.visuals());
        below.y += badge(ui, rect, below, Align2::LEFT_TOP, text, colour) + 5.0;
    };
    if is_stale {
        say("Out of date: showing the result before your last change", colours::ORANGE);
    }
    if let Some(stage) = studio.snapshot.stage.as_ref().filter(|stage| stage.modes < stage.wanted_modes) {
        match studio.snapshot.opening.as_ref().filter(|_| stage.modes == 0) {
            Some(opening) => {
                let left = opening.seconds_left.filter(|left| *left >= 1.0);
                let left = left.map_or(String::new(), |left| format!(" (about {left:.0} s)"));
                let words = format!("Preparing: {}{left}. Editing starts when this is done", opening.what);
                say(&words, colours::SKY);
            }
            None => say(&format!("{} of {} modes ready", stage.modes, stage.wanted_modes), colours::SKY),
        }
    }
    if let Some(failure) = &studio.snapshot.failure {
        say(&failure.to_string(), colours::RED);
    }
    if let Some(trouble) = &studio.snapshot.trouble {
        say(&trouble.to_string(), colours::RED);
    }
    if studio.snapshot.work == Work::Settling && studio.gesture.is_none() {
        match studio.snapshot.iterate {
            Some(iterate) => say(&iterate_words(iterate), colours::SKY),
            None => say("Solving …", colours::SKY),
        }
    }
    if studio.pose_words() == Some(PoseWords::GivesWay) {
        say("The body gives way under these loads. Pull less, or go back a step", colours::RED);
    }
    if studio.draws_box {
        say("Drag a box over vertices; Esc to cancel", colours::ORANGE);
    }
    if studio.picks_relative {
        say("Click the reference vertex; Esc to cancel", colours::ORANGE);
    }
}

/// Which step of the solver is shown, and what the motion costs there.
fn iterate_words(iterate: Iterate) -> String {
    let cost = match iterate.objective {
        plain if (1e-3..1e5).contains(&plain) => format!("{plain:.4}"),
        other => format!("{other:.3e}"),
    };
    format!("Solving: step {}, cost {cost}", iterate.number)
}

/// Words over the picture; answers how high they are.
fn badge(ui: &Ui, rect: Rect, at: Pos2, align: Align2, text: &str, colour: Color32) -> f32 {
    let painter = ui.painter_at(rect);
    let width = (rect.width() - 36.0).max(60.0);
    let galley = painter.layout(text.to_owned(), FontId::proportional(13.0), colour, width);
    let area = align.anchor_size(at, galley.size() + vec2(12.0, 6.0));
    let back = ui.visuals().extreme_bg_color.gamma_multiply(0.9);
    // Who does not see it hears it.
    let heard = ui.interact(area, ui.scope_id().with((text, area.min.x as i32)), Sense::hover());
    heard.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
    painter.rect_filled(area, 4.0, back);
    painter.galley(area.min + vec2(6.0, 3.0), galley, colour);
    area.height()
}
