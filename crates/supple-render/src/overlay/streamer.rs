//! Lines through space: the path of a point over the frames.

use nalgebra::Vector3;

use super::{HALO, HALO_OPACITY, HALO_WIDTH, Hidden, MAX_SIZE, Overlay, Place};
use crate::colour::{Colour, Light};
use crate::stroke::stroke;

/// How long a stripe is, in pixels of a picture 720 pixels high.
const STRIPE: f64 = 9.0;

/// A line through points, of constant width in the picture, with a light rim.
#[derive(Clone, Debug)]
pub struct Streamer<'a> {
    /// Where it runs; it is interrupted at points that are not finite.
    pub points: &'a [Vector3<f64>],
    /// Colours at its first and its last point; points between have those of their number, so that
    /// the colour of a path tells the time.
    pub colours: [Colour; 2],
    /// The colour of every other stripe of nine pixels; without, there are no stripes.
    pub stripes: Option<Colour>,
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
            stripes: None,
            width: 2.6,
            hidden: Hidden::Faint,
        }
    }

    pub(super) fn draw(&self, overlay: &mut Overlay<'_>) {
        let radius = self.width.clamp(0.0, MAX_SIZE) * overlay.scale / 2.0;
        if radius.is_nan() || radius <= 0.0 {
            return;
        }
        let mut line = Line { segments: Vec::new(), numbers: Vec::new(), lengths: vec![0.0] };
        for (i, ends) in self.points.windows(2).enumerate() {
            if let Some((segment, shares)) = overlay.segment(&ends[0], &ends[1]) {
                line.push(segment);
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
        line.draw(overlay, &halo, |_, _| HALO.light());
        let core = Look { radius, opacity: 1.0, hidden: self.hidden };
        let stripes = self.stripes.map(Colour::light);
        let stripe = STRIPE * overlay.scale;
        line.draw(overlay, &core, |number, length| match stripes {
            Some(other) if (length / stripe) as i64 % 2 == 1 => other,
            _ => first.lerp(&last, (number / most) as f32),
        });
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
    /// How long it is up to each segment, in pixels, and at the end.
    lengths: Vec<f64>,
}

impl Line {
    fn push(&mut self, segment: [Place; 2]) {
        let [a, b] = segment.map(|place| place.at);
        let so_far = self.lengths.last().copied().unwrap_or_default();
        self.lengths.push(so_far + (b[0] - a[0]).hypot(b[1] - a[1]));
        self.segments.push(segment);
    }

    /// Draws it with the light that belongs to the number of a point and to how much of the line is before it, in pixels.
    fn draw(&self, overlay: &mut Overlay<'_>, look: &Look, light_of: impl Fn(f64, f64) -> Light) {
        let segments: Vec<_> = self.segments.iter().map(|ends| ends.map(|place| place.at)).collect();
        stroke(overlay.size(), &segments, look.radius, |touch| {
            let [a, b] = &self.segments[touch.segment];
            let [from, to] = self.numbers[touch.segment];
            let depth = a.towards(b, touch.along).depth;
            let opacity = look.opacity * overlay.opacity(touch.x, touch.y, depth, look.hidden);
            let before = self.lengths[touch.segment];
            let length = before + (self.lengths[touch.segment + 1] - before) * touch.along;
            let light = light_of(from + (to - from) * touch.along, length);
            overlay.blend(touch.x, touch.y, light, touch.coverage * opacity);
        });
    }
}
