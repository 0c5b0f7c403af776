//! A camera that shows everything, as large as fits.
//!
//! Let a point be `(x, y, z)` along right, up and back, seen from a distance `D` with half-angle
//! tangent `t`. It is inside the picture when `|x - c| <= t (D - z)`, with `c` the camera's shift
//! sideways. The least `D` for all points is `(A + B) / 2t`, where `A = max(x + t z)` and
//! `B = max(-x + t z)`; likewise for y, and the larger `D` wins. Then each direction is shifted so
//! that the points reach equally far to both sides.

use nalgebra::{Rotation3, Unit, Vector3};

use crate::camera::Camera;
use crate::view::{UpAxis, View};

/// Vertical angle of view of a framing camera: long enough a lens not to distort.
const FRAMING_ANGLE: f64 = 28.0_f64.to_radians();
/// Share of the picture that the points may fill: the rest is for caption and colour bar.
const FRAMING_FILL: f64 = 0.78;

impl Camera {
    /// The camera that sees all finite `points`, as large as fits a picture of `aspect` = width /
    /// height, in the middle of the picture. For a motion, give it the points of several frames,
    /// or the corners of their boxes.
    pub fn framing<'a>(
        points: impl IntoIterator<Item = &'a Vector3<f64>>,
        view: View,
        up_axis: UpAxis,
        aspect: f64,
    ) -> Self {
        let (back, up) = view.directions();
        let (back, up) = (up_axis.turn(back), up_axis.turn(up));
        let right = up.cross(&back).normalize();
        let up = back.cross(&right);
        let mut points: Vec<Vector3<f64>> =
            points.into_iter().filter(|p| p.iter().all(|c| c.is_finite())).copied().collect();
        let centre = centre(&points);
        points.iter_mut().for_each(|p| *p -= centre);
        // (x, z) and (y, z) of the points.
        let along = |axis: Vector3<f64>| -> Vec<(f64, f64)> {
            points.iter().map(|p| (p.dot(&axis), p.dot(&back))).collect()
        };
        let (across, upright) = (along(right), along(up));

        let tangent = (FRAMING_ANGLE / 2.0).tan() * FRAMING_FILL;
        let aspect = if aspect.is_finite() && aspect > 0.0 { aspect } else { 1.0 };
        // A line seen end on fits from anywhere, a single point has no size at all: stay in front
        // of the nearest point, far enough for the subtraction eye - point.
        let nearest = points.iter().map(|p| p.dot(&back)).fold(0.0, f64::max);
        let least = 1.02 * nearest + 1e-6 * centre.amax().max(1.0);
        let distance =
            least_distance(&across, tangent * aspect).max(least_distance(&upright, tangent)).max(least);

        let target =
            centre + right * centring_shift(&across, distance) + up * centring_shift(&upright, distance);
        Self { eye: target + back * distance, target, up, vertical_angle: FRAMING_ANGLE }
    }
}

impl Camera {
    /// The camera gone around its target by an angle in radians, counterclockwise when seen from the
    /// sky: a turntable stands still while the viewer walks around it.
    #[must_use]
    pub fn walked_around(&self, angle: f64, up_axis: UpAxis) -> Self {
        let turn = Rotation3::from_axis_angle(&Unit::new_unchecked(up_axis.turn(Vector3::y())), angle);
        let eye = self.target + turn * (self.eye - self.target);
        Self { eye, up: turn * self.up, ..*self }
    }

    /// The direction to a sun high over the viewer's left shoulder, for
    /// [`Style::sun`](crate::Style::sun): shadows fall to the right and away, where they are seen.
    pub fn sun_over_shoulder(&self, up_axis: UpAxis) -> Vector3<f64> {
        let sky = up_axis.turn(Vector3::y());
        let level = |v: Vector3<f64>| (v - sky * v.dot(&sky)).try_normalize(1e-6);
        // From straight above, the lower border of the picture is where the viewer stands; from below, the upper.
        let back = self.eye - self.target;
        let border = if back.dot(&sky) < 0.0 { self.up } else { -self.up };
        let level_back = back.try_normalize(0.0).and_then(level);
        let towards_viewer =
            level_back.or_else(|| level(border)).unwrap_or_else(|| up_axis.turn(Vector3::z()));
        let right = sky.cross(&towards_viewer);
        (sky - right * 0.5 + towards_viewer * 0.4).normalize()
    }
}

/// The middle of the smallest box around the points.
fn centre(points: &[Vector3<f64>]) -> Vector3<f64> {
    let Some(&first) = points.first() else {
        return Vector3::zeros();
    };
    let (min, max) = points.iter().fold((first, first), |(min, max), p| (min.inf(p), max.sup(p)));
    // Halved before adding, so that the largest numbers do not overflow.
    min * 0.5 + max * 0.5
}

/// The least distance from which all points (sideways, towards the eye) fit within `tangent`.
fn least_distance(points: &[(f64, f64)], tangent: f64) -> f64 {
    let reach = |sign: f64| points.iter().map(|(x, z)| sign * x + tangent * z).fold(f64::MIN, f64::max);
    (reach(1.0) + reach(-1.0)) / (2.0 * tangent)
}

/// The sideways shift of the camera at which the points reach equally far to both sides.
fn centring_shift(points: &[(f64, f64)], distance: f64) -> f64 {
    let (mut low, mut high) = points.iter().fold((0.0, 0.0), |(low, high), (x, _)| (x.min(low), x.max(high)));
    // What reaches farther on the right than on the left wants a larger shift. Each halving
    // doubles the precision; these leave a thousandth of a pixel.
    for _ in 0..24 {
        let middle = (low + high) / 2.0;
        let (left, right) = points.iter().fold((f64::MIN, f64::MIN), |(left, right), (x, z)| {
            let reach = (x - middle) / (distance - z);
            (left.max(-reach), right.max(reach))
        });
        if right > left { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::VIEWS;
    use std::f64::consts::FRAC_PI_2;

    fn pixel(camera: &Camera, p: Vector3<f64>, width: u32, height: u32) -> (f64, f64) {
        let h = camera.projection(width, height).unwrap().project(&p);
        assert!(h.z > 0.0, "behind the camera");
        (h.x / h.z, h.y / h.z)
    }

    /// The corners of a box.
    fn corners(min: [f64; 3], max: [f64; 3]) -> [Vector3<f64>; 8] {
        std::array::from_fn(|i| {
            Vector3::from_fn(|axis, _| if i >> axis & 1 == 0 { min[axis] } else { max[axis] })
        })
    }

    /// How far the points reach to the left, right, top and bottom; 1 is the picture's border.
    fn reaches(camera: &Camera, points: &[Vector3<f64>], width: u32, height: u32) -> [f64; 4] {
        let (w, h) = (f64::from(width) / 2.0, f64::from(height) / 2.0);
        points.iter().fold([-1.0_f64; 4], |reach, &corner| {
            let (x, y) = pixel(camera, corner, width, height);
            let (x, y) = ((x - w) / w, (y - h) / h);
            [reach[0].max(-x), reach[1].max(x), reach[2].max(-y), reach[3].max(y)]
        })
    }

    #[test]
    fn framing_centres_the_points_and_fills_one_direction() {
        let boxes = [
            corners([-1.0, -1.0, -1.0], [1.0, 1.0, 1.0]),
            corners([100.0, 3.0, -7.0], [160.0, 3.5, -6.0]),
            corners([0.0, 0.0, 0.0], [1e-3, 4e-3, 1e-3]),
            corners([-2.0, 0.0, 5.0], [-1.0, 0.0, 50.0]),
        ];
        // Without its first corner a box is not symmetric.
        for points in boxes.iter().flat_map(|corners| [&corners[..], &corners[1..]]) {
            for (view, _) in VIEWS {
                for up in [UpAxis::Y, UpAxis::Z] {
                    for (width, height) in [(1280, 720), (300, 900), (64, 64)] {
                        let aspect = f64::from(width) / f64::from(height);
                        let camera = Camera::framing(points, view, up, aspect);
                        let [left, right, top, bottom] = reaches(&camera, points, width, height);
                        let most = left.max(top);
                        assert!((most - FRAMING_FILL).abs() < 1e-5, "{view} {up:?} fills {most}");
                        assert!((left - right).abs() < 1e-5 && (top - bottom).abs() < 1e-5, "{view} {up:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_single_point_and_none_can_be_framed() {
        for p in [Vector3::zeros(), Vector3::new(1e6, -1e6, 0.0)] {
            let points = [p, Vector3::repeat(f64::NAN), Vector3::new(0.0, f64::INFINITY, 0.0)];
            let camera = Camera::framing(&points, View::Front, UpAxis::Y, 1.0);
            let (x, y) = pixel(&camera, p, 100, 100);
            assert!((x - 50.0).abs() < 1e-3 && (y - 50.0).abs() < 1e-3);
        }
        assert!(Camera::framing([], View::Top, UpAxis::Y, f64::NAN).projection(10, 10).is_ok());
    }

    #[test]
    fn a_line_seen_end_on_stays_in_front_of_the_camera() {
        let line = [Vector3::new(0.0, 0.0, -3.0), Vector3::new(0.0, 0.0, 3.0)];
        let camera = Camera::framing(&line, View::Front, UpAxis::Y, 1.0);
        let projection = camera.projection(100, 100).unwrap();
        assert!(line.iter().all(|p| projection.project(p).z > projection.near));
    }

    #[test]
    fn the_sun_is_high_on_the_left_of_every_view() {
        for (view, _) in VIEWS {
            for (up, sky) in [(UpAxis::Y, Vector3::y()), (UpAxis::Z, Vector3::z())] {
                let camera = Camera::framing(&corners([-1.0; 3], [1.0; 3]), view, up, 1.0);
                let sun = camera.sun_over_shoulder(up);
                assert!((sun.norm() - 1.0).abs() < 1e-12 && sun.dot(&sky) > 0.8, "{view} {up:?}");
                let (x, _) = pixel(&camera, sun * 0.5, 100, 100);
                assert!(x < 47.0, "{view} {up:?}: {x}");
            }
        }
        let nowhere = Camera {
            eye: Vector3::zeros(),
            target: Vector3::zeros(),
            up: Vector3::zeros(),
            vertical_angle: 1.0,
        };
        assert!(nowhere.sun_over_shoulder(UpAxis::Y).y > 0.8);
    }

    #[test]
    fn a_quarter_around_the_front_is_the_right() {
        let points = corners([-1.0; 3], [1.0; 3]);
        for up in [UpAxis::Y, UpAxis::Z] {
            let from = |view| Camera::framing(&points, view, up, 1.0);
            let walked = from(View::Front).walked_around(FRAC_PI_2, up);
            let right = from(View::Right);
            // Middles are found by halving, to a thousandth of a pixel.
            let apart = [walked.eye - right.eye, walked.up - right.up, walked.target - right.target];
            assert!(apart.iter().all(|way| way.norm() < 1e-5), "{up:?}: {apart:?}");
        }
    }

    #[test]
    fn named_views_look_from_their_side() {
        let points = corners([-1.0; 3], [1.0; 3]);
        let eye = |view, up| Camera::framing(&points, view, up, 1.0).eye;
        assert!(eye(View::Front, UpAxis::Y).z > 1.0);
        assert!(eye(View::Back, UpAxis::Y).z < -1.0);
        assert!(eye(View::Front, UpAxis::Z).y < -1.0);
        assert!(eye(View::Right, UpAxis::Z).x > 1.0);
        assert!(eye(View::Left, UpAxis::Y).x < -1.0);
        assert!(eye(View::Top, UpAxis::Z).z > 1.0);
        assert!(eye(View::Bottom, UpAxis::Z).z < -1.0);
        assert!(eye(View::ThreeQuarter, UpAxis::Z).z > 1.0);
        // In the front view x runs to the right and the sky is at the top.
        let camera = Camera::framing(&points, View::Front, UpAxis::Z, 1.0);
        assert!(pixel(&camera, Vector3::x(), 100, 100).0 > 50.0);
        assert!(pixel(&camera, Vector3::z(), 100, 100).1 < 50.0);
    }
}
