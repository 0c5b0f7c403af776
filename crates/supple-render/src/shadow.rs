//! What the sun does not reach.
//!
//! The solid surfaces are drawn once more as seen from the sun, in parallel projection, onto a map
//! that keeps at each of its points the greatest height `h = p·sun` (Williams, "Casting Curved
//! Shadows on Curved Surfaces"). A point is in shadow when the map is higher above it. The answer
//! is averaged over 4 x 4 map points, weighted so that it varies without steps (Reeves, Salesin and
//! Cook, "Rendering Antialiased Shadows with Depth Maps").
//!
//! A tilted surface must not shade itself between two map points, and the average reaches `r` =
//! 2.5 map points of side `s` to each side. There the surface itself is higher by `r s tan θ`, with
//! `θ` between its normal and the sun; so the point is first moved `r s sin θ` along its normal,
//! which gains `r s sin θ / cos θ`, just as much, in height.

use nalgebra::Vector3;
use rayon::prelude::*;

use crate::scene::{Object, Scene};
use crate::shade::sun;

/// Map points along its longer side, for each pixel of the longer side of the picture, and the
/// least and most of them.
const POINTS_PER_PIXEL: f64 = 1.2;
const POINTS: [f64; 2] = [256.0, 4096.0];
/// Empty points around the surfaces.
const BORDER: f64 = 3.0;
/// How far the average reaches, in map points.
const REACH: f64 = 2.5;
/// Height in map points that is still none, against rounding.
const TOLERANCE: f64 = 0.5;
/// Surfaces at this angle to the sun or farther turned away (a cosine) are left to fade by
/// themselves: where they graze it, the map is too coarse to tell.
const GRAZING: f32 = 0.15;
/// Rows of the map per parallel task, and triangles.
const BAND_ROWS: usize = 128;
const CHUNK: usize = 4096;

/// The heights that the sun sees.
pub(crate) struct ShadowMap {
    sun: Vector3<f64>,
    across: [Vector3<f64>; 2],
    /// Where the map begins, across and in height, and the side of a map point.
    origin: [f64; 3],
    side: f64,
    width: usize,
    height: usize,
    /// Rows of greatest heights, in map points; more than 0, or 0 where the sun sees nothing.
    heights: Vec<f32>,
}

/// A triangle on the map: corners `(x, y, height)` in map points.
struct Caster {
    corners: [[f64; 3]; 3],
}

impl ShadowMap {
    /// The shadows in a scene for a picture whose longer side has `pixels`; `None` without a sun or
    /// anything in its way. `around` is the box of what casts shadows.
    pub fn new(scene: &Scene<'_>, around: Option<[Vector3<f64>; 2]>, pixels: u32) -> Option<Self> {
        let (sun, [low, high]) = (sun(&scene.style)?, around?);
        // The axis of the scene that is farthest from the sun's gives a steady direction.
        let aside = [Vector3::x(), Vector3::y(), Vector3::z()][sun.iamin()];
        let first = aside.cross(&sun).normalize();
        let across = [first, sun.cross(&first)];
        let corners: [Vector3<f64>; 8] =
            std::array::from_fn(|i| Vector3::from_fn(|axis, _| [low, high][i >> axis & 1][axis]));
        let extent = [across[0], across[1], sun].map(|axis| {
            let along = corners.map(|corner| corner.dot(&axis));
            (along.iter().copied().fold(f64::MAX, f64::min), along.iter().copied().fold(f64::MIN, f64::max))
        });
        let longest = (extent[0].1 - extent[0].0).max(extent[1].1 - extent[1].0);
        let points = (f64::from(pixels) * POINTS_PER_PIXEL).clamp(POINTS[0], POINTS[1]);
        let side = longest / (points - 2.0 * BORDER);
        if !(side > 0.0 && side.is_finite()) {
            return None;
        }
        let [width, height, _] =
            extent.map(|(low, high)| ((high - low) / side + 2.0 * BORDER).ceil() as usize + 1);
        let mut map = Self {
            sun,
            across,
            origin: extent.map(|(low, _)| low - BORDER * side),
            side,
            width,
            height,
            heights: vec![0.0; width * height],
        };
        map.draw(&scene.objects);
        Some(map)
    }

    fn draw(&mut self, objects: &[Object<'_>]) {
        let casters: Vec<(Vec<Caster>, (f64, f64))> = objects
            .iter()
            .filter(|object| object.casts())
            .flat_map(|object| {
                let places: Vec<[f64; 3]> = object.positions.par_iter().map(|p| self.place(p)).collect();
                let chunks = object.triangles.par_chunks(CHUNK);
                chunks.map(|triangles| casters(&places, triangles)).collect::<Vec<_>>()
            })
            .collect();
        let mut heights = std::mem::take(&mut self.heights);
        let width = self.width;
        heights.par_chunks_mut(width * BAND_ROWS).enumerate().for_each(|(band, heights)| {
            let first = (band * BAND_ROWS) as f64;
            let last = first + (heights.len() / width) as f64;
            for (triangles, rows) in &casters {
                if rows.0 <= last && rows.1 >= first {
                    triangles.iter().for_each(|triangle| triangle.draw(heights, width, first));
                }
            }
        });
        self.heights = heights;
    }

    /// `(x, y, height)` of a point in map points.
    fn place(&self, p: &Vector3<f64>) -> [f64; 3] {
        let along = [p.dot(&self.across[0]), p.dot(&self.across[1]), p.dot(&self.sun)];
        std::array::from_fn(|k| (along[k] - self.origin[k]) / self.side)
    }

    /// The share of the sun's light that reaches a point of a surface with this unit normal.
    pub fn reaches(&self, point: Vector3<f64>, normal: &Vector3<f32>) -> f32 {
        let cosine = normal.dot(&self.sun.cast());
        if cosine <= 0.0 {
            return 1.0;
        }
        let normal: Vector3<f64> = normal.cast();
        let sine = (1.0 - f64::from(cosine * cosine)).max(0.0).sqrt();
        let [x, y, height] = self.place(&(point + normal * (REACH * self.side * sine)));
        // Nothing is as high as what is below everything.
        let lit = self.mean_lit(x, y, (height + TOLERANCE).max(0.0) as f32);
        let trust = (cosine / GRAZING).min(1.0);
        1.0 + (lit - 1.0) * trust
    }

    /// The share of the 4 x 4 map points around `(x, y)` that are not higher.
    fn mean_lit(&self, x: f64, y: f64, height: f32) -> f32 {
        let (column, row) = ((x - 0.5).floor(), (y - 0.5).floor());
        let inside = (1.0..self.width as f64 - 2.0).contains(&column)
            && (1.0..self.height as f64 - 2.0).contains(&row);
        if !inside {
            return 1.0;
        }
        let weights = |fraction: f32| [1.0 - fraction, 1.0, 1.0, fraction];
        let (across, down) = (weights((x - 0.5 - column) as f32), weights((y - 0.5 - row) as f32));
        let start = (row as usize - 1) * self.width + column as usize - 1;
        let mut lit = 0.0;
        for (j, down) in down.iter().enumerate() {
            let points = &self.heights[start + j * self.width..][..4];
            let along = across.iter().zip(points);
            lit +=
                down * along.map(|(weight, point)| if *point <= height { *weight } else { 0.0 }).sum::<f32>();
        }
        lit / 9.0
    }
}

/// Triangles on the map, and the rows they lie in; `places` are those of the vertices.
fn casters(places: &[[f64; 3]], triangles: &[[u32; 3]]) -> (Vec<Caster>, (f64, f64)) {
    let mut rows = (f64::INFINITY, f64::NEG_INFINITY);
    let mut out = Vec::with_capacity(triangles.len());
    for corners in triangles.iter().map(|triangle| triangle.map(|v| places[v as usize])) {
        if corners.iter().flatten().all(|c| c.is_finite()) {
            let caster = Caster { corners };
            let (top, bottom) = caster.rows();
            rows = (rows.0.min(top), rows.1.max(bottom));
            out.push(caster);
        }
    }
    (out, rows)
}

impl Caster {
    fn rows(&self) -> (f64, f64) {
        let [a, b, c] = self.corners.map(|corner| corner[1]);
        (a.min(b).min(c), a.max(b).max(c))
    }

    /// Raises the map points whose middle lies in the triangle, in rows from `first_row` on.
    fn draw(&self, heights: &mut [f32], width: usize, first_row: f64) {
        let rows = heights.len() / width;
        let (top, bottom) = self.rows();
        let top = (top - first_row - 0.5).ceil().max(0.0) as usize;
        let bottom = (bottom - first_row - 0.5).floor().min(rows as f64 - 1.0);
        let [a, b, c] = self.corners;
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        if bottom < top as f64 || area == 0.0 {
            return;
        }
        let rise = ((b[2] - a[2]) * (c[1] - a[1]) - (c[2] - a[2]) * (b[1] - a[1])) / area;
        let fall = ((c[2] - a[2]) * (b[0] - a[0]) - (b[2] - a[2]) * (c[0] - a[0])) / area;
        let range = (a[2].min(b[2]).min(c[2]), a[2].max(b[2]).max(c[2]));
        for row in top..=bottom as usize {
            let y = first_row + row as f64 + 0.5;
            let Some((left, right)) = self.crossing(y) else {
                continue;
            };
            let left = (left - 0.5).ceil().max(0.0) as usize;
            let right = ((right - 0.5).floor() + 1.0).clamp(0.0, width as f64) as usize;
            let start = a[2] + fall * (y - a[1]) + rise * (0.5 - a[0]);
            for column in left..right {
                let height = (start + rise * column as f64).clamp(range.0, range.1) as f32;
                let point = &mut heights[row * width + column];
                *point = point.max(height);
            }
        }
    }

    /// Where the triangle begins and ends on a level line.
    fn crossing(&self, y: f64) -> Option<(f64, f64)> {
        let mut ends = (f64::INFINITY, f64::NEG_INFINITY);
        for i in 0..3 {
            let (p, q) = (self.corners[i], self.corners[(i + 1) % 3]);
            if (p[1] <= y) != (q[1] <= y) {
                let x = p[0] + (q[0] - p[0]) * ((y - p[1]) / (q[1] - p[1]));
                ends = (ends.0.min(x), ends.1.max(x));
            }
        }
        (ends.0 <= ends.1).then_some(ends)
    }
}
