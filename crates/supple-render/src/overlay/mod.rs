//! What is drawn over the finished surfaces, at places of the scene but in pixels of the picture:
//! lines, arrows, discs, words.
//!
//! A place `p` is seen at a pixel and has the nearness `near / w` there; it is hidden when what the
//! pixel shows is nearer by more than [`DEPTH_TOLERANCE`], so that what lies on a surface is not.
//! Sizes are those in a picture 720 pixels high; larger pictures have larger marks, smaller ones
//! keep them legible.

mod arrows;
mod label;
mod markers;
mod streamer;

pub use arrows::Arrows;
pub use label::Label;
pub use markers::Markers;
pub use streamer::Streamer;

use nalgebra::Vector3;

use crate::camera::Projection;
use crate::colour::{Colour, Light};
use crate::image::Image;
use crate::style::Style;

/// A point this much farther away than the surface in front of it still counts as lying on it.
const DEPTH_TOLERANCE: f64 = 0.01;
/// Opacity of what a surface hides, where it shows faintly.
const HIDDEN_OPACITY: f64 = 0.3;
/// No line is wider and no disc larger than this, in pixels of a picture 720 pixels high.
const MAX_SIZE: f64 = 360.0;
/// What surrounds lines and arrows, to tell them from what is behind; its width and opacity.
const HALO: Colour = Colour::rgb(255, 255, 255);
const HALO_WIDTH: f64 = 1.2;
const HALO_OPACITY: f64 = 0.55;

/// What becomes of a mark behind a surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hidden {
    /// It shows faintly.
    #[default]
    Faint,
    /// It is not drawn.
    Dropped,
    /// It is drawn as if nothing were in front of it.
    Shown,
}

impl Hidden {
    fn opacity(self) -> f64 {
        match self {
            Self::Faint => HIDDEN_OPACITY,
            Self::Dropped => 0.0,
            Self::Shown => 1.0,
        }
    }

    /// For the halo: around a faint line it would be all that is seen.
    fn of_halo(self) -> Self {
        if self == Self::Faint { Self::Dropped } else { self }
    }
}

/// A picture while marks are drawn on it.
pub(crate) struct Overlay<'a> {
    image: &'a mut Image,
    /// `near / w` of what each pixel shows.
    depth: &'a [f32],
    projection: &'a Projection,
    /// Pixels of this picture in one of 720 rows, at least 1.
    scale: f64,
}

/// A place on the screen.
#[derive(Clone, Copy, Debug)]
struct Place {
    at: [f64; 2],
    /// `near / w`, as in the depth buffer.
    depth: f64,
}

impl<'a> Overlay<'a> {
    pub fn new(image: &'a mut Image, depth: &'a [f32], projection: &'a Projection) -> Self {
        let scale = (f64::from(image.height) / 720.0).max(1.0);
        Self { image, depth, projection, scale }
    }

    /// Draws all that is over the surfaces; words as `style` says.
    pub fn draw(
        &mut self,
        streamers: &[Streamer<'_>],
        arrows: &[Arrows<'_>],
        discs: &[Markers<'_>],
        (labels, style): (&[Label], &Style),
    ) {
        streamers.iter().for_each(|streamer| streamer.draw(self));
        arrows.iter().for_each(|arrows| arrows.draw(self));
        markers::draw(self, discs);
        labels.iter().for_each(|label| label.draw(self, style));
    }

    fn size(&self) -> [u32; 2] {
        [self.image.width, self.image.height]
    }

    /// Where a point is seen; `None` behind the camera or when it is not finite.
    fn place(&self, p: &Vector3<f64>) -> Option<Place> {
        let h = self.projection.project(p);
        let at = [h.x / h.z, h.y / h.z];
        let seen = h.z >= self.projection.near && at.iter().all(|c| c.is_finite());
        seen.then(|| Place { at, depth: self.projection.near / h.z })
    }

    /// The part of a segment in front of the camera, and which share of it that is: the ends as
    /// fractions of the segment.
    fn segment(&self, a: &Vector3<f64>, b: &Vector3<f64>) -> Option<([Place; 2], [f64; 2])> {
        // A little in front of the near plane, so that rounding does not lose the end.
        let near = self.projection.near * (1.0 + 1e-9);
        let depths = [a, b].map(|p| self.projection.project(p).z);
        let cut = (near - depths[0]) / (depths[1] - depths[0]);
        let ends = match depths.map(|depth| depth >= near) {
            [true, true] => [0.0, 1.0],
            [true, false] => [0.0, cut],
            [false, true] => [cut, 1.0],
            [false, false] => return None,
        };
        let [first, last] = ends.map(|t| {
            if t == 0.0 {
                *a
            } else if t == 1.0 {
                *b
            } else {
                a + (b - a) * t
            }
        });
        Some(([self.place(&first)?, self.place(&last)?], ends))
    }

    /// The opacity of a mark with this nearness at a pixel.
    fn opacity(&self, x: i64, y: i64, depth: f64, hidden: Hidden) -> f64 {
        if self.is_hidden(x, y, depth) { hidden.opacity() } else { 1.0 }
    }

    fn is_hidden(&self, x: i64, y: i64, depth: f64) -> bool {
        let [width, height] = self.size().map(i64::from);
        (0..width).contains(&x) && (0..height).contains(&y) && {
            let in_front = f64::from(self.depth[(y * width + x) as usize]);
            depth * (1.0 + DEPTH_TOLERANCE) < in_front
        }
    }

    fn blend(&mut self, x: i64, y: i64, light: Light, alpha: f64) {
        self.image.blend(x, y, light, alpha);
    }
}

impl Place {
    /// The place at the share `t` of the way to another; straight lines have a steady `near / w`.
    fn towards(&self, other: &Self, t: f64) -> Self {
        let mix = |a: f64, b: f64| a + (b - a) * t;
        let at = [mix(self.at[0], other.at[0]), mix(self.at[1], other.at[1])];
        Self { at, depth: mix(self.depth, other.depth) }
    }
}
