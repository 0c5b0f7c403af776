//! The studio without anything that draws, for measuring what a frame of its window costs.
//!
//! All of it runs as in a window, up to the triangles a graphics driver would be given.

use crate::Studio;
use eframe::egui::{self, Event, Modifiers, PointerButton, Pos2, RawInput, Rect, Vec2, pos2, vec2};
use std::sync::Arc;
use std::time::Instant;
use supple_project::method::Numerics;
use supple_session::{Document, Home};

/// The size of the window.
const SIZE: Vec2 = vec2(1360.0, 820.0);

/// A studio that nobody sees.
pub struct Headless {
    ctx: egui::Context,
    studio: Studio,
    events: Vec<Event>,
    begin: Instant,
    mouse: Pos2,
}

impl Headless {
    /// A studio on a document.
    #[must_use]
    pub fn new(document: Document, home: &Home, numerics: Arc<dyn Numerics>) -> Self {
        let ctx = egui::Context::default();
        let studio = Studio::in_context(&ctx, document, home, numerics, Vec::new());
        Self { ctx, studio, events: Vec::new(), begin: Instant::now(), mouse: pos2(0.0, 0.0) }
    }

    /// The studio, to look into.
    #[must_use]
    pub fn studio(&self) -> &Studio {
        &self.studio
    }

    /// Shows everything that can be shown: ghost, strobe, streamers, strain.
    pub fn show_all(&mut self) {
        let look = &mut self.studio.look;
        (look.ghost, look.strobe, look.streamers, look.strain) = (true, true, true, true);
    }

    /// Presses the mouse on a vertex that is in sight; answers whether there is one.
    pub fn press(&mut self, vertex: u32) -> bool {
        let rect = self.studio.rects[0];
        let Some(at) = self.studio.place_on_screen(vertex, rect) else { return false };
        self.mouse = at;
        self.events.push(Event::PointerMoved(at));
        self.button(true);
        true
    }

    /// Moves the mouse.
    pub fn move_by(&mut self, x: f32, y: f32) {
        self.mouse += vec2(x, y);
        self.events.push(Event::PointerMoved(self.mouse));
    }

    /// Lets go.
    pub fn release(&mut self) {
        self.button(false);
    }

    fn button(&mut self, pressed: bool) {
        let (pos, button, modifiers) = (self.mouse, PointerButton::Primary, Modifiers::NONE);
        self.events.push(Event::PointerButton { pos, button, pressed, modifiers });
    }

    /// Seconds a frame of the window takes on its thread.
    pub fn frame(&mut self) -> f64 {
        let begin = Instant::now();
        let input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, SIZE)),
            time: Some(self.begin.elapsed().as_secs_f64()),
            events: std::mem::take(&mut self.events),
            ..RawInput::default()
        };
        let output = self.ctx.run_ui(input, |ui| self.studio.show(ui));
        let triangles = self.ctx.tessellate(output.shapes, output.pixels_per_point);
        drop(triangles);
        begin.elapsed().as_secs_f64()
    }
}
