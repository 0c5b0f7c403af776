//! A small picture in a dialog: an eye of its own, a floor, surfaces.

use crate::camera::{Camera, Vec3};
use crate::scene::{Drawing, Drawn, Eye, Painted, Stroke};
use crate::widgets::id;
use crate::{colours, numbers};
use eframe::egui::{Align2, Color32, FontId, PointerButton, Rect, Response, Role, Ui, Visuals, WidgetInfo};
use eframe::egui_wgpu::Callback;
use std::sync::Arc;

/// The places of small pictures, after those of the two viewports.
pub const IMPORT: usize = 2;
pub const EXPORT: usize = 3;

/// Says what a picture is called, and gives it a name of its own.
pub fn name(response: &Response, name: &str, called: &str) {
    id(response.clone(), called);
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, name));
}

/// Words where there is no picture yet.
pub fn empty(ui: &Ui, rect: Rect, words: &str) {
    let [r, g, b] = colours::background(ui.visuals()).map(|x| (255.0 * x) as u8);
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 4.0, Color32::from_rgb(r, g, b));
    let colour = ui.visuals().weak_text_color();
    painter.text(rect.center(), Align2::CENTER_CENTER, words, FontId::proportional(13.0), colour);
}

/// Turns and zooms with the mouse.
pub fn turn(camera: &mut Camera, ui: &Ui, response: &Response) {
    let delta = response.drag_delta();
    if response.dragged_by(PointerButton::Primary) || response.dragged_by(PointerButton::Middle) {
        camera.orbit(delta.x, delta.y);
    }
    if response.hovered() {
        camera.zoom(ui.input(|input| input.smooth_scroll_delta().y) / 50.0);
    }
}

/// What is drawn.
pub struct SmallScene {
    /// Which of the small pictures: [`IMPORT`] or [`EXPORT`].
    pub place: usize,
    pub surfaces: Vec<Drawn>,
    pub strokes: Vec<Stroke>,
    /// About how large it is.
    pub size: f64,
}

/// Draws a scene.
pub fn paint(ui: &Ui, rect: Rect, camera: &Camera, scene: SmallScene) {
    let SmallScene { place, surfaces, strokes, size } = scene;
    let pixels_per_point = ui.ctx().pixels_per_point();
    let painted = Painted {
        viewport: place,
        drawing: Drawing {
            eye: Eye::of(camera, rect, size),
            background: colours::background(ui.visuals()),
            surfaces,
            strokes: Arc::new(strokes),
            ground: None,
            hurries: false,
        },
        now: ui.input(|input| input.time),
        ctx: ui.ctx().clone(),
        size: [rect.width(), rect.height()].map(|length| (length * pixels_per_point).round() as u32),
        pixels_per_point,
        drawn: Arc::default(),
    };
    ui.painter_at(rect).add(Callback::new_paint_callback(rect, painted));
}

/// How long a square of the floor is under something of this size.
pub fn square(size: f64) -> f64 {
    numbers::snap_step(5.0 * size.max(1e-9))
}

/// A floor of squares under a box.
pub fn floor([low, high]: [Vec3; 2], visuals: &Visuals) -> Vec<Stroke> {
    let step = square((high - low).norm());
    let middle = (low + high) / 2.0;
    let [x, z] = [middle.x, middle.z].map(|c| (c / step).round());
    let around = 12;
    let at = |i: f64, j: f64| [((x + i) * step) as f32, low.y as f32, ((z + j) * step) as f32];
    let colour = colours::grid(visuals);
    let line = |from, to| Stroke { from, to, colour, width: 1.0 };
    let reach = f64::from(around);
    (-around..=around)
        .map(f64::from)
        .flat_map(|k| [line(at(-reach, k), at(reach, k)), line(at(k, -reach), at(k, reach))])
        .collect()
}
