//! What viewports draw, and the one renderer of it.
//!
//! A [`Drawing`] is plain data: an eye, surfaces, strokes. [`SceneRenderer`] draws it into textures of its own, before
//! the window is drawn, and copies it there; what has not changed since the last time is not drawn again.

mod gpu;
mod pipelines;
mod renderer;
mod shadow;
mod surface;

pub use renderer::{Painted, SceneRenderer};
pub use shadow::Ground;
pub use surface::{Shape, Surface};

use crate::camera::{Camera, Vec3, aspect};
use eframe::egui::Rect;
use std::sync::Arc;

/// What one viewport shows.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// From the scene to the picture, and the axes of the eye: right, up and back.
    pub eye: Eye,
    /// The colour behind everything.
    pub background: [f32; 3],
    /// Surfaces, those that are seen through last.
    pub surfaces: Vec<Drawn>,
    /// Lines and dots.
    pub strokes: Arc<Vec<Stroke>>,
    /// The ground that the first surface throws its shadow on.
    pub ground: Option<Ground>,
    /// Whether quick pictures matter more than fine ones, so that surfaces have fewer triangles.
    pub hurries: bool,
}

/// An eye as the graphics processor has it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Eye {
    /// From the scene to clip space, by columns.
    pub clip: [[f32; 4]; 4],
    /// Right, up and back, of length one.
    pub axes: [[f32; 4]; 3],
    /// Filled in when it is drawn: width, height, pixels per point.
    pub size: [f32; 4],
}

impl Eye {
    /// That of a camera, for what is about `size` large.
    pub fn of(camera: &Camera, rect: Rect, size: f64) -> Self {
        let matrix = camera.matrix(aspect(rect), size);
        let (right, up, forward) = camera.axes();
        let row = |e: Vec3| [e.x as f32, e.y as f32, e.z as f32, 0.0];
        Self {
            clip: std::array::from_fn(|c| std::array::from_fn(|r| matrix[(r, c)] as f32)),
            axes: [row(right), row(up), row(-forward)],
            size: [0.0; 4],
        }
    }
}

/// A surface that is drawn.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// What stays of it.
    pub shape: Arc<Shape>,
    /// What moves of it.
    pub surface: Arc<Surface>,
    /// Its colour where it has none of its own; with less than 1 of the last it is seen through.
    pub colour: [f32; 4],
}

/// A line, or a dot where both ends are the same.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Stroke {
    /// Where it begins.
    pub from: [f32; 3],
    /// Where it ends.
    pub to: [f32; 3],
    /// Red, green, blue, and how much of it covers.
    pub colour: [u8; 4],
    /// How thick it is, in points of the screen.
    pub width: f32,
}

impl Drawing {
    /// Whether the picture of it is that of another.
    fn looks_like(&self, other: &Self) -> bool {
        let same = |a: &Drawn, b: &Drawn| {
            Arc::ptr_eq(&a.shape, &b.shape) && Arc::ptr_eq(&a.surface, &b.surface) && a.colour == b.colour
        };
        let same_strokes = Arc::ptr_eq(&self.strokes, &other.strokes) || self.strokes == other.strokes;
        self.eye == other.eye
            && self.background == other.background
            && self.hurries == other.hurries
            && self.ground == other.ground
            && self.surfaces.len() == other.surfaces.len()
            && self.surfaces.iter().zip(&other.surfaces).all(|(a, b)| same(a, b))
            && same_strokes
    }
}
