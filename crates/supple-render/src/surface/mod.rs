//! An object made ready for drawing, and its colour at a point of the screen.
//!
//! Let `h_k` be a triangle's homogeneous corners `(x w, y w, w)` and `p = (x, y, 1)` a pixel. Then
//!
//! ```text
//! u_0 = (h_1 × h_2)·p,  u_1 = (h_2 × h_0)·p,  u_2 = (h_0 × h_1)·p,     weights b_k = u_k / Σ u
//! ```
//!
//! are the barycentric weights of the point seen there, with perspective and also when corners
//! lie behind the camera (Olano and Greer, "Triangle Scan Conversion using 2D Homogeneous
//! Coordinates"). `u_k` vanishes along the edge opposite corner `k`, so
//! `|u_k| / |gradient of u_k|` is the distance to that edge in pixels, which draws the wireframe.

use nalgebra::Vector3;
use rayon::prelude::*;

mod ground;

pub(crate) use ground::Ground;

use crate::camera::Projection;
use crate::clip::{Clipper, ScreenTriangle};
use crate::colour::Light;
use crate::normals::corner_normals;
use crate::scene::{Object, Scalars};
use crate::shade::Studio;
use crate::shadow::ShadowMap;
use crate::style::Style;

/// Half the width of a wireframe line, in pixels of a picture 720 pixels high.
const WIRE_HALF_WIDTH: f64 = 0.6;
/// Lines closer together than this many pixels fade, so that a fine mesh does not turn black.
const WIRE_SPACING: f64 = 7.0;
const WIRE_OPACITY: f64 = 0.62;
/// Lines keep a little of the surface's colour.
const WIRE_DARKENING: f32 = 0.06;
/// Triangles per parallel task.
const CHUNK: usize = 4096;

pub(crate) struct Surface<'a> {
    object: &'a Object<'a>,
    /// Scene-wide id of the object's first triangle.
    first_id: u32,
    /// `(x w, y w, w)` of each vertex.
    homogeneous: Vec<Vector3<f64>>,
    normals: Vec<[Vector3<f32>; 3]>,
    colour: Light,
    /// The scalars' range, when there are any.
    range: [f64; 2],
}

impl<'a> Surface<'a> {
    pub fn new(object: &'a Object<'a>, first_id: u32, projection: &Projection, style: &Style) -> Self {
        Self {
            object,
            first_id,
            homogeneous: object.positions.par_iter().map(|p| projection.project(p)).collect(),
            normals: corner_normals(object.positions, object.triangles, style.crease_degrees),
            colour: object.colour.light(),
            range: object.scalars.as_ref().map_or([0.0; 2], Scalars::range),
        }
    }

    pub fn first_id(&self) -> u32 {
        self.first_id
    }

    pub fn opacity(&self) -> f32 {
        self.object.opacity as f32
    }

    /// The object's triangles on the screen, in order, in lists of at most [`CHUNK`] originals.
    pub fn screen_triangles(&self, clipper: &Clipper) -> Vec<Vec<ScreenTriangle>> {
        self.object
            .triangles
            .par_chunks(CHUNK)
            .enumerate()
            .map(|(chunk, triangles)| {
                let mut out = Vec::with_capacity(triangles.len());
                for (i, corners) in triangles.iter().enumerate() {
                    let id = self.first_id + (chunk * CHUNK + i) as u32;
                    clipper.clip(corners.map(|v| self.homogeneous[v as usize]), id, &mut out);
                }
                out
            })
            .collect()
    }

    /// The colour of a triangle (by scene-wide id) at `(x, y)`, in a picture `scale` times 720
    /// pixels high.
    pub fn light_at(&self, id: u32, x: f64, y: f64, scale: f64, scenery: &Scenery) -> Light {
        let triangle = (id - self.first_id) as usize;
        let corners = self.object.triangles[triangle];
        let seen = SeenPoint::new(corners.map(|v| self.homogeneous[v as usize]), x, y);
        let to_eye: Vector3<f32> = scenery.projection.eye_direction(x, y).cast();
        let normal = seen.mix(self.normals[triangle]);
        let length = normal.norm();
        let normal = if length > 0.0 { normal * (seen.side / length) } else { to_eye };
        let base = self.base_colour(corners, &seen);
        let key = scenery.shadow.as_ref().filter(|_| self.object.opacity >= 1.0).map_or(1.0, |shadow| {
            shadow.reaches(seen.point(corners.map(|v| self.object.positions[v as usize])), &normal)
        });
        let light = scenery.studio.light(base, &normal, &to_eye, key);
        if self.object.wireframe {
            let line = seen.line_coverage(WIRE_HALF_WIDTH * scale.max(1.0)) * WIRE_OPACITY;
            light.lerp(&(base * WIRE_DARKENING), line as f32)
        } else {
            light
        }
    }

    fn base_colour(&self, corners: [u32; 3], seen: &SeenPoint) -> Light {
        let Some(scalars) = &self.object.scalars else {
            return self.colour;
        };
        let values = corners.map(|v| scalars.values[v as usize]);
        let value = (0..3).map(|k| values[k] * seen.weights[k]).sum::<f64>();
        scalars.map.light(fraction(value, self.range))
    }
}

/// Where `value` lies in a range: 0 to 1 inside, the middle when the range is a single number.
fn fraction(value: f64, [low, high]: [f64; 2]) -> f64 {
    if low == high && !value.is_nan() {
        return 0.5;
    }
    // Halved, so that the widest range does not overflow.
    (value * 0.5 - low * 0.5) / (high * 0.5 - low * 0.5)
}

/// What all surfaces of a picture are seen by.
pub(crate) struct Scenery {
    pub projection: Projection,
    pub studio: Studio,
    pub shadow: Option<ShadowMap>,
    pub ground: Option<Ground>,
}

/// The point of a triangle that is seen at a pixel.
struct SeenPoint {
    weights: [f64; 3],
    /// 1 when the triangle's front is seen, -1 when its back is.
    side: f32,
    /// Distance in pixels to the edge opposite each corner.
    edge_distance: [f64; 3],
    /// Distance in pixels between that edge and the corner.
    edge_spacing: [f64; 3],
}

impl SeenPoint {
    fn new(h: [Vector3<f64>; 3], x: f64, y: f64) -> Self {
        let lines = [h[1].cross(&h[2]), h[2].cross(&h[0]), h[0].cross(&h[1])];
        let p = Vector3::new(x, y, 1.0);
        let u = lines.map(|line| line.dot(&p));
        let determinant = h[0].dot(&lines[0]);
        // A pixel on the outline may lie just outside: hold its point on the triangle.
        let held = u.map(|u| (u * determinant.signum()).max(0.0));
        let sum: f64 = held.iter().sum();
        let weights = if sum > 0.0 && sum.is_finite() { held.map(|u| u / sum) } else { [1.0 / 3.0; 3] };
        let gradients = lines.map(|line| line.xy().norm());
        Self {
            weights,
            // (x, y down, depth) is a right-handed frame, in which a front turns away from the eye.
            side: if determinant < 0.0 { 1.0 } else { -1.0 },
            edge_distance: std::array::from_fn(|k| u[k].abs() / gradients[k]),
            edge_spacing: std::array::from_fn(|k| (determinant / (h[k].z * gradients[k])).abs()),
        }
    }

    fn mix(&self, corners: [Vector3<f32>; 3]) -> Vector3<f32> {
        let [a, b, c] = self.weights.map(|w| w as f32);
        corners[0] * a + corners[1] * b + corners[2] * c
    }

    /// Where the point is in space.
    fn point(&self, corners: [Vector3<f64>; 3]) -> Vector3<f64> {
        let [a, b, c] = self.weights;
        corners[0] * a + corners[1] * b + corners[2] * c
    }

    /// How much of the pixel the lines along the edges cover.
    fn line_coverage(&self, half_width: f64) -> f64 {
        (0..3)
            .map(|k| {
                let coverage = (half_width + 0.5 - self.edge_distance[k]).clamp(0.0, 1.0);
                let fade = (self.edge_spacing[k] / WIRE_SPACING).min(1.0);
                coverage * fade
            })
            .fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::Camera;
    use crate::view::{UpAxis, View};

    /// Weights of the point of a triangle on a line from the eye, by intersecting in space.
    fn weights_in_space(
        triangle: &[Vector3<f64>; 3],
        eye: Vector3<f64>,
        direction: Vector3<f64>,
    ) -> [f64; 3] {
        let [a, b, c] = *triangle;
        let columns = nalgebra::Matrix3::from_columns(&[b - a, c - a, -direction]);
        let solution = columns.try_inverse().unwrap() * (eye - a);
        [1.0 - solution.x - solution.y, solution.x, solution.y]
    }

    #[test]
    fn weights_are_those_of_the_point_in_space() {
        // Steep to the line of sight, so that weights without perspective would be far off.
        let triangle =
            [Vector3::new(-1.0, -1.0, 3.0), Vector3::new(2.0, -0.9, -9.0), Vector3::new(0.2, 2.0, -2.0)];
        let camera = Camera {
            eye: Vector3::new(0.0, 0.0, 5.0),
            target: Vector3::zeros(),
            up: Vector3::y(),
            vertical_angle: 0.8,
        };
        let projection = camera.projection(200, 100).unwrap();
        for p in [[0.2, 0.3, 0.5], [0.7, 0.2, 0.1], [0.05, 0.9, 0.05]] {
            let point = triangle[0] * p[0] + triangle[1] * p[1] + triangle[2] * p[2];
            let h = projection.project(&point);
            let (x, y) = (h.x / h.z, h.y / h.z);
            let seen = SeenPoint::new(triangle.map(|v| projection.project(&v)), x, y);
            let expected = weights_in_space(&triangle, camera.eye, -projection.eye_direction(x, y));
            for k in 0..3 {
                assert!((seen.weights[k] - p[k]).abs() < 1e-9);
                assert!((seen.weights[k] - expected[k]).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn weights_hold_when_a_corner_is_behind_the_camera() {
        let triangle =
            [Vector3::new(-1.0, -1.0, 0.0), Vector3::new(1.0, -1.0, 0.0), Vector3::new(0.0, -0.5, 9.0)];
        let camera = Camera {
            eye: Vector3::new(0.0, 0.0, 5.0),
            target: Vector3::zeros(),
            up: Vector3::y(),
            vertical_angle: 0.8,
        };
        let projection = camera.projection(100, 100).unwrap();
        let point = triangle[0] * 0.45 + triangle[1] * 0.35 + triangle[2] * 0.2;
        let h = projection.project(&point);
        let seen = SeenPoint::new(triangle.map(|v| projection.project(&v)), h.x / h.z, h.y / h.z);
        for (weight, expected) in seen.weights.iter().zip([0.45, 0.35, 0.2]) {
            assert!((weight - expected).abs() < 1e-9);
        }
    }

    #[test]
    fn edge_distances_are_in_pixels() {
        let at = |x: f64, y: f64, w: f64| Vector3::new(x, y, 1.0) * w;
        let seen =
            SeenPoint::new([at(10.0, 10.0, 1.0), at(40.0, 10.0, 7.0), at(10.0, 50.0, 3.0)], 13.0, 15.0);
        assert!((seen.edge_distance[1] - 3.0).abs() < 1e-9);
        assert!((seen.edge_distance[2] - 5.0).abs() < 1e-9);
        assert!((seen.edge_spacing[1] - 30.0).abs() < 1e-9);
        assert!((seen.edge_spacing[2] - 40.0).abs() < 1e-9);
    }

    #[test]
    fn counterclockwise_triangles_show_their_front() {
        let triangle = [Vector3::zeros(), Vector3::x(), Vector3::y()];
        for (view, side) in [(View::Front, 1.0), (View::Back, -1.0)] {
            let projection = Camera::framing(&triangle, view, UpAxis::Y, 1.0).projection(64, 64).unwrap();
            let seen = SeenPoint::new(triangle.map(|v| projection.project(&v)), 32.0, 32.0);
            assert_eq!(seen.side, side);
        }
    }

    #[test]
    fn fractions_of_odd_ranges() {
        assert_eq!(fraction(3.0, [1.0, 5.0]), 0.5);
        assert_eq!(fraction(2.0, [2.0, 2.0]), 0.5);
        assert_eq!(fraction(0.0, [-f64::MAX, f64::MAX]), 0.5);
        assert!(fraction(f64::NAN, [0.0, 0.0]).is_nan());
    }
}
