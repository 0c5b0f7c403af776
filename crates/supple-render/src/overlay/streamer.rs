//! Lines through space: the path of a point over the frames.

use nalgebra::Vector3;

use super::{HALO, HALO_OPACITY, HALO_WIDTH, Hidden, MAX_SIZE, Overlay, Place};
use crate::colour::{Colour, Light};
use crate::stroke::stroke;

/// A line through points, of constant width in the picture, with a light rim.
#[derive(Clone, Debug)]
pub struct Streamer<'a> {
    /// Where it runs; it is interrupted at points that are not finite.
    pub points: &'a [Vector3<f64>],
    /// Colours at its first and its last point; points between have those of their number, so that
    /// the colour of a path tells the time.
    pub colours: [Colour; 2],
    /// Width in pixels of a picture 720 pixels high.
    pub width: f64,
    /// What becomes of parts behind surfaces.
    pub hidden: Hidden,
}

impl<'a> Streamer<'a> {
    /// A blue line that is light at its beginning.
    pub fn new(points: &'a [Vector3<f64>]) -> Self {
        Self {
            points,
            colours: [Colour::rgb(150, 196, 232), Colour::rgb(12, 72, 150)],
            width: 2.6,
            hidden: Hidden::Faint,
        }
    }

    pub(super) fn draw(&self, overlay: &mut Overlay<'_>) {
        let radius = self.width.clamp(0.0, MAX_SIZE) * overlay.scale / 2.0;
        if radius.is_nan() || radius <= 0.0 {
            return;
        }
        let mut line = Line { segments: Vec::new(), numbers: Vec::new() };
        for (i, ends) in self.points.windows(2).enumerate() {
            if let Some((segment, shares)) = overlay.segment(&ends[0], &ends[1]) {
                line.segments.push(segment);
                line.numbers.push(shares.map(|share| i as f64 + share));
            }
        }
        let [first, last] = self.colours.map(Colour::light);
        let most = (self.points.len().max(2) - 1) as f64;
        let halo = Look {
            radius: radius + HALO_WIDTH * overlay.scale,
            opacity: HALO_OPACITY,
            hidden: self.hidden.of_halo(),
        };
        line.draw(overlay, &halo, |_| HALO.light());
        let core = Look { radius, opacity: 1.0, hidden: self.hidden };
        line.draw(overlay, &core, |number| first.lerp(&last, (number / most) as f32));
    }
}

/// How a line is drawn.
struct Look {
    radius: f64,
    opacity: f64,
    hidden: Hidden,
}

/// What is seen of a line.
struct Line {
    segments: Vec<[Place; 2]>,
    /// The numbers of the points at the ends of each segment.
    numbers: Vec<[f64; 2]>,
}

impl Line {
    fn draw(&self, overlay: &mut Overlay<'_>, look: &Look, light_of_number: impl Fn(f64) -> Light) {
        let segments: Vec<_> = self.segments.iter().map(|ends| ends.map(|place| place.at)).collect();
        stroke(overlay.size(), &segments, look.radius, |touch| {
            let [a, b] = &self.segments[touch.segment];
            let [from, to] = self.numbers[touch.segment];
            let depth = a.towards(b, touch.along).depth;
            let opacity = look.opacity * overlay.opacity(touch.x, touch.y, depth, look.hidden);
            let light = light_of_number(from + (to - from) * touch.along);
            overlay.blend(touch.x, touch.y, light, touch.coverage * opacity);
        });
    }
}
