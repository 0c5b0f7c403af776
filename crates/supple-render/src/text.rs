//! Text, drawn as round-ended strokes at any size.

use crate::colour::{Colour, Light};
use crate::glyphs::{self, Glyph};
use crate::image::Image;
use crate::stroke::{Point, stroke};
use crate::style::Style;

/// Cap height in pixels of a picture 720 pixels high.
const CAP_HEIGHT: f64 = 12.0;
/// Width of a stroke, as a share of the cap height.
const STROKE: f64 = 0.135;
/// How far the halo reaches beyond the stroke, and how strongly it covers what is below.
const HALO: f64 = 0.17;
const HALO_OPACITY: f64 = 0.55;

/// How to write on one picture.
#[derive(Clone, Copy)]
pub(crate) struct Text {
    /// Height of a capital letter in pixels.
    pub cap_height: f64,
    /// Colour of the strokes.
    pub ink: Light,
    /// Colour of what surrounds them, so that they can be read on anything.
    pub halo: Light,
    /// How much they cover what is below.
    pub opacity: f64,
}

impl Text {
    /// Text in proportion to the picture.
    pub fn for_picture(height: u32, style: &Style) -> Self {
        Self {
            cap_height: (CAP_HEIGHT * f64::from(height) / 720.0).max(7.0),
            ink: style.ink.light(),
            halo: style.background[0].light(),
            opacity: 1.0,
        }
    }

    /// Text on white paper.
    pub fn plain(cap_height: f64, ink: Colour) -> Self {
        Self { cap_height, ink: ink.light(), halo: Light::repeat(1.0), opacity: 1.0 }
    }

    pub fn line_height(&self) -> f64 {
        self.cap_height * 1.9
    }

    fn unit(&self) -> f64 {
        self.cap_height / glyphs::CAP_HEIGHT
    }

    /// How wide `words` are, in pixels.
    pub fn width(&self, words: &str) -> f64 {
        words.chars().map(|c| glyphs::glyph(c).advance()).sum::<f64>() * self.unit()
    }

    /// Writes one line with its top left corner at `(x, y)`; what does not fit is cut off.
    pub fn draw(&self, image: &mut Image, words: &str, x: f64, y: f64) {
        let half_width = (self.cap_height * STROKE).max(1.0) / 2.0;
        // The halo of a letter must not lie over the letter before it.
        let passes =
            [(half_width + self.cap_height * HALO, self.halo, HALO_OPACITY), (half_width, self.ink, 1.0)];
        for (radius, light, opacity) in passes {
            let mut pen = x;
            for c in words.chars() {
                if pen > f64::from(image.width) {
                    break;
                }
                let glyph = glyphs::glyph(c);
                let segments = self.segments(&glyph, [pen, y]);
                stroke([image.width, image.height], &segments, radius, |touch| {
                    image.blend(touch.x, touch.y, light, touch.coverage * opacity * self.opacity);
                });
                pen += glyph.advance() * self.unit();
            }
        }
    }

    /// The strokes of a letter with its top left corner at `(left, top)`.
    fn segments(&self, glyph: &Glyph, [left, top]: Point) -> Vec<[Point; 2]> {
        let unit = self.unit();
        glyph.segments().map(|ends| ends.map(|[x, y]| [left + x * unit, top + y * unit])).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn white(width: u32, height: u32) -> Image {
        Image { width, height, rgba: vec![255; (width * height * 4) as usize] }
    }

    #[test]
    fn a_bar_is_a_solid_stroke_of_the_right_height() {
        let text = Text::for_picture(1440, &Style::default());
        let mut image = white(40, 60);
        text.draw(&mut image, "|", 20.5, 10.0);
        let dark = |x: usize, y: usize| image.rgba[(y * 40 + x) * 4] < 80;
        assert!((12..34).all(|y| dark(20, y)), "cap height 24");
        assert!(!dark(20, 5) && !dark(10, 20) && !dark(30, 20));
    }

    #[test]
    fn width_is_the_sum_of_the_letters() {
        let text = Text::for_picture(720, &Style::default());
        assert_eq!(text.width(""), 0.0);
        assert!((text.width("mm") - 2.0 * text.width("m")).abs() < 1e-12);
        assert!(text.width("m") > text.width("i"));
    }

    #[test]
    fn text_beyond_the_picture_is_cut_off() {
        let text = Text::for_picture(10, &Style::default());
        let mut image = white(8, 8);
        text.draw(&mut image, &"long ".repeat(10_000), -3.0, -4.0);
        text.draw(&mut image, "x", 1e9, 1e9);
        assert_ne!(image, white(8, 8));
    }
}
