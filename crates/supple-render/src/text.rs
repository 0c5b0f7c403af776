//! Text, drawn as round-ended strokes at any size.

use crate::colour::Light;
use crate::glyphs::{self, Glyph};
use crate::image::Image;
use crate::scene::Style;

/// Cap height in pixels of a picture 720 pixels high.
const CAP_HEIGHT: f64 = 12.0;
/// Width of a stroke, as a share of the cap height.
const STROKE: f64 = 0.135;
/// How far the halo reaches beyond the stroke, and how strongly it covers what is below.
const HALO: f64 = 0.17;
const HALO_OPACITY: f64 = 0.55;

/// How to write on one picture.
pub(crate) struct Text {
    /// Height of a capital letter in pixels.
    pub cap_height: f64,
    ink: Light,
    halo: Light,
}

impl Text {
    /// Text in proportion to the picture.
    pub fn for_picture(height: u32, style: &Style) -> Self {
        Self {
            cap_height: (CAP_HEIGHT * f64::from(height) / 720.0).max(7.0),
            ink: style.ink.light(),
            halo: style.background[0].light(),
        }
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
        let stroke = (self.cap_height * STROKE).max(1.0) / 2.0;
        // The halo of a letter must not lie over the letter before it.
        let passes = [(stroke + self.cap_height * HALO, self.halo, HALO_OPACITY), (stroke, self.ink, 1.0)];
        for (radius, light, opacity) in passes {
            let mut pen = x;
            for c in words.chars() {
                if pen > f64::from(image.width) {
                    break;
                }
                let glyph = glyphs::glyph(c);
                self.draw_glyph(image, &glyph, [pen, y], radius, |image, x, y, coverage| {
                    image.blend(x, y, light, coverage * opacity);
                });
                pen += glyph.advance() * self.unit();
            }
        }
    }

    /// Calls `paint` for each pixel that the strokes touch, with its coverage.
    fn draw_glyph(
        &self,
        image: &mut Image,
        glyph: &Glyph,
        [left, top]: [f64; 2],
        radius: f64,
        paint: impl Fn(&mut Image, i64, i64, f64),
    ) {
        let unit = self.unit();
        let segments: Vec<[[f64; 2]; 2]> =
            glyph.segments().map(|ends| ends.map(|[x, y]| [left + x * unit, top + y * unit])).collect();
        let reach = radius + 1.0;
        let (first_x, last_x) = pixels(segments.iter().flatten().map(|p| p[0]), reach);
        let (first_y, last_y) = pixels(segments.iter().flatten().map(|p| p[1]), reach);
        for y in first_y..=last_y {
            for x in first_x..=last_x {
                let centre = [x as f64 + 0.5, y as f64 + 0.5];
                let distance =
                    segments.iter().map(|segment| distance(centre, segment)).fold(f64::INFINITY, f64::min);
                paint(image, x, y, (radius + 0.5 - distance).clamp(0.0, 1.0));
            }
        }
    }
}

/// First and last pixel within `reach` of the coordinates; an empty range when there are none.
fn pixels(coordinates: impl Iterator<Item = f64>, reach: f64) -> (i64, i64) {
    coordinates.fold((1, 0), |(first, last), c| {
        let (low, high) = ((c - reach).floor() as i64, (c + reach).ceil() as i64);
        if first > last { (low, high) } else { (first.min(low), last.max(high)) }
    })
}

fn distance(p: [f64; 2], [a, b]: &[[f64; 2]; 2]) -> f64 {
    let along = [b[0] - a[0], b[1] - a[1]];
    let length_squared = along[0] * along[0] + along[1] * along[1];
    let t = if length_squared > 0.0 {
        (((p[0] - a[0]) * along[0] + (p[1] - a[1]) * along[1]) / length_squared).clamp(0.0, 1.0)
    } else {
        0.0
    };
    (p[0] - a[0] - along[0] * t).hypot(p[1] - a[1] - along[1] * t)
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
