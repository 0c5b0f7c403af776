//! A drawing as a picture.

use super::drawing::{Anchor, Drawing, Shape};
use crate::colour::{Colour, Light};
use crate::image::Image;
use crate::stroke::{chain, stroke};
use crate::text::Text;

/// Width of the rim around a disc, as a share of its radius.
const RIM: f64 = 0.3;
const PAPER: Colour = Colour::rgb(255, 255, 255);

pub(super) fn image(drawing: &Drawing) -> Image {
    let (width, height) = (drawing.width, drawing.height);
    let mut image = Image { width, height, rgba: vec![255; width as usize * height as usize * 4] };
    for shape in &drawing.shapes {
        draw(&mut image, shape);
    }
    image
}

fn draw(image: &mut Image, shape: &Shape) {
    match shape {
        Shape::Lines { paths, width, colour } => {
            let segments: Vec<_> = paths.iter().flat_map(|path| chain(path)).collect();
            strokes(image, &segments, width / 2.0, colour.light());
        }
        Shape::Dots { centres, radius, colour } => {
            for &centre in centres {
                let dot = [[centre, centre]];
                strokes(image, &dot, radius * (1.0 + RIM), PAPER.light());
                strokes(image, &dot, *radius, colour.light());
            }
        }
        Shape::Words { words, at, anchor, cap_height, colour } => {
            let text = Text::plain(*cap_height, *colour);
            let before = match anchor {
                Anchor::Start => 0.0,
                Anchor::Middle => text.width(words) / 2.0,
                Anchor::End => text.width(words),
            };
            text.draw(image, words, at[0] - before, at[1]);
        }
    }
}

fn strokes(image: &mut Image, segments: &[[[f64; 2]; 2]], radius: f64, light: Light) {
    stroke([image.width, image.height], segments, radius, |touch| {
        image.blend(touch.x, touch.y, light, touch.coverage);
    });
}
