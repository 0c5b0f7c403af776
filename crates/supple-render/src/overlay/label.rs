//! Words at points.

use nalgebra::Vector3;

use super::{Hidden, Overlay};
use crate::colour::Colour;
use crate::style::Style;
use crate::text::Text;

/// Distance from the point to the words, in heights of a capital.
const GAP: f64 = 0.8;

/// Words beside a point: to its right, or to its left where there is no room.
#[derive(Clone, Debug)]
pub struct Label {
    /// The point; no words when it is not finite or out of the picture.
    pub at: Vector3<f64>,
    /// One line of words.
    pub words: String,
    /// Their colour; [`Style::ink`] when `None`.
    pub colour: Option<Colour>,
    /// What becomes of them when the point is behind a surface.
    pub hidden: Hidden,
}

impl Label {
    /// Words at a point that are seen whatever is in front of it.
    pub fn new(at: Vector3<f64>, words: impl Into<String>) -> Self {
        Self { at, words: words.into(), colour: None, hidden: Hidden::Shown }
    }

    pub(super) fn draw(&self, overlay: &mut Overlay<'_>, style: &Style) {
        let [width, height] = overlay.size().map(f64::from);
        let Some(place) = overlay.place(&self.at) else {
            return;
        };
        let [x, y] = place.at;
        if !((0.0..width).contains(&x) && (0.0..height).contains(&y)) {
            return;
        }
        let mut text = Text::for_picture(overlay.image.height, style);
        text.opacity = overlay.opacity(x as i64, y as i64, place.depth, self.hidden);
        if let Some(colour) = self.colour {
            text.ink = colour.light();
        }
        let (cap, length) = (text.cap_height, text.width(&self.words));
        let fits = x + cap * GAP + length < width;
        let left = if fits { x + cap * GAP } else { x - cap * GAP - length };
        text.draw(overlay.image, &self.words, left, (y - cap * (1.0 + GAP)).max(cap * 0.5));
    }
}
