//! A level floor with squares, seen from above.
//!
//! The ray through a pixel meets the plane `p·up = height` at `p = eye + t d`,
//! `t = (height - eye·up) / d·up`. With the floor's coordinates of `p` in squares, the pattern is
//! the product of two square waves of period 2; to keep it calm in the distance, each wave is
//! averaged over the pixel's extent `e`:
//!
//! ```text
//! w(x) = sign(mod(x, 2) - 1),     mean of w over [x - e/2, x + e/2] = (W(x + e/2) - W(x - e/2)) / e
//! ```
//!
//! with `W(x) = |mod(x, 2) - 1|` an antiderivative of `w`. Far from the objects the floor fades
//! into the background.

use nalgebra::Vector3;

use super::Scenery;
use crate::camera::Projection;
use crate::clip::{Clipper, ScreenTriangle};
use crate::colour::{Colour, Light};
use crate::raster::FLOOR;
use crate::scene::Floor;
use crate::steps::Step;

/// Where the floor begins to fade and where it ends, in half diagonals of the objects' box.
const FADE: [f64; 2] = [1.2, 4.5];
/// Squares in a half diagonal, at most.
const SQUARES: f64 = 4.0;

pub(crate) struct Ground {
    up: Vector3<f64>,
    across: [Vector3<f64>; 2],
    /// The point under the objects.
    centre: Vector3<f64>,
    /// Half the diagonal of the objects' box.
    size: f64,
    /// Side of a square.
    tile: f64,
    colours: [Light; 2],
}

impl Ground {
    /// The floor as seen by a camera; `None` when it is below it. `around` is the box of objects.
    pub fn new(floor: &Floor, around: Option<[Vector3<f64>; 2]>, projection: &Projection) -> Option<Self> {
        let [right, up, front] = [Vector3::x(), Vector3::y(), Vector3::z()].map(|v| floor.up.turn(v));
        if projection.eye.dot(&up) <= floor.height {
            return None;
        }
        // Nothing to stand on it: whatever the camera looks at.
        let target = projection.eye - projection.back * projection.distance();
        let reach = Vector3::repeat(projection.distance() * 0.15);
        let [low, high] = around.unwrap_or([target - reach, target + reach]);
        let middle = (low + high) / 2.0;
        let size = (high - low).norm().max(projection.distance() * 1e-6) / 2.0;
        let tile = floor.tile.filter(|tile| *tile > 0.0 && tile.is_finite());
        Some(Self {
            up,
            across: [right, front],
            centre: middle + up * (floor.height - middle.dot(&up)),
            size,
            tile: tile.unwrap_or_else(|| Step::for_width(size, SQUARES).times(1.0)),
            colours: floor.colours.map(Colour::light),
        })
    }

    /// The floor as far as it can be seen.
    pub fn screen_triangles(&self, projection: &Projection, clipper: &Clipper) -> Vec<ScreenTriangle> {
        let reach = self.size * FADE[1];
        let corner = |x: f64, z: f64| {
            projection.project(&(self.centre + self.across[0] * (x * reach) + self.across[1] * (z * reach)))
        };
        let [a, b, c, d] = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
        let mut out = Vec::new();
        clipper.clip([a, b, c], FLOOR, &mut out);
        clipper.clip([a, c, d], FLOOR, &mut out);
        out
    }

    /// What is seen at pixel `(x, y)` of the floor before a background.
    pub fn light_over(&self, background: Light, x: f64, y: f64, scenery: &Scenery) -> Light {
        let Some(point) = self.meets(x, y, &scenery.projection) else {
            return background;
        };
        let distance = (point - self.centre).norm() / self.size;
        let t = ((distance - FADE[0]) / (FADE[1] - FADE[0])).clamp(0.0, 1.0);
        let fade = 1.0 - t * t * (3.0 - 2.0 * t);
        if fade <= 0.0 {
            return background;
        }
        let up: Vector3<f32> = self.up.cast();
        let key = scenery.shadow.as_ref().map_or(1.0, |shadow| shadow.reaches(point, &up));
        let share = (self.pattern(point, x, y, &scenery.projection) * 0.5 + 0.5) as f32;
        let light = self.colours[0].lerp(&self.colours[1], share);
        background.lerp(&light.component_mul(&scenery.studio.shade(&up, key)), fade as f32)
    }

    /// -1 on squares of the first colour, 1 on those of the second, between where they blur.
    fn pattern(&self, point: Vector3<f64>, x: f64, y: f64, projection: &Projection) -> f64 {
        let place = |p: &Vector3<f64>| self.across.map(|axis| p.dot(&axis) / self.tile);
        let beside =
            [(x + 1.0, y), (x, y + 1.0)].map(|(x, y)| self.meets(x, y, projection).map(|p| place(&p)));
        let ([Some(right), Some(below)], here) = (beside, place(&point)) else {
            return 0.0;
        };
        (0..2)
            .map(|axis| {
                let extent = (right[axis] - here[axis]).abs().max((below[axis] - here[axis]).abs());
                mean_wave(here[axis], extent)
            })
            .product()
    }

    /// Where the ray through a pixel meets the floor; `None` when it does not.
    fn meets(&self, x: f64, y: f64, projection: &Projection) -> Option<Vector3<f64>> {
        let direction = projection.ray(x, y);
        let t = (self.centre - projection.eye).dot(&self.up) / direction.dot(&self.up);
        (t > 0.0 && t.is_finite()).then(|| projection.eye + direction * t)
    }
}

/// The mean of the square wave around `x`; see the module header.
fn mean_wave(x: f64, extent: f64) -> f64 {
    // At least a little, for the division; at most a period, where the mean is all but 0.
    let extent = extent.clamp(1e-6, 2.0);
    let antiderivative = |x: f64| (x.rem_euclid(2.0) - 1.0).abs();
    ((antiderivative(x + extent / 2.0) - antiderivative(x - extent / 2.0)) / extent).clamp(-1.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wave_is_its_own_mean() {
        let wave = |x: f64| if x.rem_euclid(2.0) < 1.0 { -1.0 } else { 1.0 };
        for (x, extent) in [(0.3, 0.01), (0.97, 0.2), (1.5, 0.9), (7.1, 1.7), (-0.4, 0.5)] {
            let steps = 20_000;
            let at = |i: i32| x + extent * ((f64::from(i) + 0.5) / f64::from(steps) - 0.5);
            let mean = (0..steps).map(|i| wave(at(i))).sum::<f64>() / f64::from(steps);
            assert!((mean_wave(x, extent) - mean).abs() < 1e-3, "{x}, {extent}");
        }
        assert!(mean_wave(0.7, 1e9).abs() < 1e-9);
    }
}
