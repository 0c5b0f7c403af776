//! Arrows in space: contact normals, displacements of handles, forces.

use nalgebra::Vector3;

use super::{HALO, HALO_OPACITY, HALO_WIDTH, Hidden, MAX_SIZE, Overlay, Place};
use crate::colour::{Colour, Light};
use crate::stroke::{Point, fill, stroke};

/// Length of a head and half its width, in widths of the shaft.
const HEAD_LENGTH: f64 = 5.0;
const HEAD_HALF_WIDTH: f64 = 2.1;

/// Arrows with heads of constant size in the picture and a light rim. One that is shorter than its
/// head is all head; one that points at the camera is a dot.
#[derive(Clone, Debug)]
pub struct Arrows<'a> {
    /// Tail and tip of each arrow; one with an end that is not finite is left out.
    pub ends: &'a [[Vector3<f64>; 2]],
    /// Their colour.
    pub colour: Colour,
    /// Width of the shafts in pixels of a picture 720 pixels high.
    pub width: f64,
    /// What becomes of parts behind surfaces.
    pub hidden: Hidden,
}

impl<'a> Arrows<'a> {
    /// Thin green arrows.
    pub fn new(ends: &'a [[Vector3<f64>; 2]]) -> Self {
        Self { ends, colour: Colour::rgb(0, 128, 92), width: 2.0, hidden: Hidden::Faint }
    }

    pub(super) fn draw(&self, overlay: &mut Overlay<'_>) {
        let width = self.width.clamp(0.0, MAX_SIZE) * overlay.scale;
        if width.is_nan() || width <= 0.0 {
            return;
        }
        let mut shapes: Vec<Shape> = self
            .ends
            .iter()
            .filter_map(|[tail, tip]| overlay.segment(tail, tip))
            .map(|(ends, shares)| Shape::new(ends, width, shares[1] == 1.0))
            .collect();
        shapes.sort_by(|a, b| a.tip.depth.total_cmp(&b.tip.depth));
        for shape in &shapes {
            shape.draw(
                overlay,
                HALO.light(),
                HALO_WIDTH * overlay.scale,
                HALO_OPACITY,
                self.hidden.of_halo(),
            );
            shape.draw(overlay, self.colour.light(), 0.0, 1.0, self.hidden);
        }
    }
}

/// An arrow on the screen.
struct Shape {
    tail: Place,
    tip: Place,
    /// Where the shaft ends and the head begins.
    neck: Place,
    head: Option<[Point; 3]>,
    width: f64,
}

impl Shape {
    fn new([tail, tip]: [Place; 2], width: f64, tip_is_seen: bool) -> Self {
        let along = [tip.at[0] - tail.at[0], tip.at[1] - tail.at[1]];
        let length = along[0].hypot(along[1]);
        let whole = Self { tail, tip, neck: tip, head: None, width };
        if length < width || !tip_is_seen {
            return whole;
        }
        let head_length = (HEAD_LENGTH * width).min(length);
        let neck = tip.towards(&tail, head_length / length);
        let half_width = HEAD_HALF_WIDTH * width * head_length / (HEAD_LENGTH * width) / length;
        let aside = [-along[1] * half_width, along[0] * half_width];
        let [left, right] =
            [1.0, -1.0].map(|side| [neck.at[0] + side * aside[0], neck.at[1] + side * aside[1]]);
        // The shaft reaches a little into the head: its round end must not show a gap.
        Self { neck: neck.towards(&tip, 0.25), head: Some([tip.at, left, right]), ..whole }
    }

    fn draw(&self, overlay: &mut Overlay<'_>, light: Light, margin: f64, opacity: f64, hidden: Hidden) {
        let size = overlay.size();
        stroke(size, &[[self.tail.at, self.neck.at]], self.width / 2.0 + margin, |touch| {
            let depth = self.tail.towards(&self.neck, touch.along).depth;
            let opacity = opacity * overlay.opacity(touch.x, touch.y, depth, hidden);
            overlay.blend(touch.x, touch.y, light, touch.coverage * opacity);
        });
        if let Some(head) = self.head {
            fill(size, head, margin, |x, y, coverage| {
                let opacity = opacity * overlay.opacity(x, y, self.tip.depth, hidden);
                overlay.blend(x, y, light, coverage * opacity);
            });
        }
    }
}
