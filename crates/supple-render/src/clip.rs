//! From homogeneous pixels to whole-number screen triangles.
//!
//! A triangle that reaches behind the camera has no outline on the screen until the part in front
//! of the near plane `w = near` is cut off (Sutherland and Hodgman, "Reentrant Polygon Clipping");
//! four more planes far outside the picture keep the coordinates small enough for integers. What
//! remains is divided by `w` and rounded to 1/256 pixel, so that coverage is decided exactly:
//! neighbours sharing an edge share its rounded ends, and no sample is lost or taken twice.

use nalgebra::Vector3;

/// Steps per pixel.
pub(crate) const SUBPIXELS: i32 = 256;
/// How far outside the picture coordinates may reach, in pixels.
const GUARD: f64 = 16_384.0;

/// A triangle on the screen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScreenTriangle {
    /// Corners in 1/256 pixel, turning from x to y (clockwise, as y runs down).
    pub corners: [[i32; 2]; 3],
    /// `near / w` at the corners: 1 at the near plane, 0 at infinity, linear on the screen.
    pub depth: [f64; 3],
    /// The triangle of the scene that this is, or is a part of.
    pub source: u32,
}

/// A half-space `normal·h >= offset` of homogeneous pixels.
struct Plane {
    normal: Vector3<f64>,
    offset: f64,
}

impl Plane {
    fn height(&self, h: &Vector3<f64>) -> f64 {
        self.normal.dot(h) - self.offset
    }
}

/// Cuts and rounds triangles for one picture.
pub(crate) struct Clipper {
    planes: [Plane; 5],
    near: f64,
    width: f64,
    height: f64,
}

impl Clipper {
    pub fn new(near: f64, width: u32, height: u32) -> Self {
        let (width, height) = (f64::from(width), f64::from(height));
        let plane = |x, y, w, offset| Plane { normal: Vector3::new(x, y, w), offset };
        let planes = [
            plane(0.0, 0.0, 1.0, near),
            plane(1.0, 0.0, GUARD, 0.0),
            plane(-1.0, 0.0, width + GUARD, 0.0),
            plane(0.0, 1.0, GUARD, 0.0),
            plane(0.0, -1.0, height + GUARD, 0.0),
        ];
        Self { planes, near, width, height }
    }

    /// Appends what can be seen of the triangle with these homogeneous corners.
    pub fn clip(&self, corners: [Vector3<f64>; 3], source: u32, out: &mut Vec<ScreenTriangle>) {
        if !corners.iter().flat_map(|h| h.iter()).all(|c| c.is_finite()) {
            return;
        }
        let inside = |h: &Vector3<f64>| self.planes.iter().all(|plane| plane.height(h) >= 0.0);
        if corners.iter().all(inside) {
            out.extend(self.snap(corners, source));
            return;
        }
        let mut polygon = corners.to_vec();
        for plane in &self.planes {
            polygon = cut(&polygon, plane);
        }
        for i in 2..polygon.len() {
            out.extend(self.snap([polygon[0], polygon[i - 1], polygon[i]], source));
        }
    }

    /// Divides by depth and rounds; `None` when no area is left or nothing lies in the picture.
    fn snap(&self, homogeneous: [Vector3<f64>; 3], source: u32) -> Option<ScreenTriangle> {
        let step =
            |x: f64, limit: f64| (x.clamp(-GUARD, limit + GUARD) * f64::from(SUBPIXELS)).round() as i32;
        let mut corners = homogeneous.map(|h| [step(h.x / h.z, self.width), step(h.y / h.z, self.height)]);
        let mut depth = homogeneous.map(|h| self.near / h.z);
        let [a, b, c] = corners.map(|p| p.map(i64::from));
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        if area == 0 {
            return None;
        }
        if area < 0 {
            corners.swap(1, 2);
            depth.swap(1, 2);
        }
        let triangle = ScreenTriangle { corners, depth, source };
        let seen = |axis, limit: f64| {
            let (low, high) = triangle.span(axis);
            high >= 0 && low <= limit as i32
        };
        (seen(0, self.width) && seen(1, self.height)).then_some(triangle)
    }
}

impl ScreenTriangle {
    /// First and last pixel along an axis (0 = x, 1 = y) that the triangle may touch.
    pub fn span(&self, axis: usize) -> (i32, i32) {
        let [a, b, c] = self.corners.map(|p| p[axis].div_euclid(SUBPIXELS));
        (a.min(b).min(c), a.max(b).max(c))
    }
}

/// The part of a convex polygon on the inner side of a plane.
fn cut(polygon: &[Vector3<f64>], plane: &Plane) -> Vec<Vector3<f64>> {
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (i, here) in polygon.iter().enumerate() {
        let next = &polygon[(i + 1) % polygon.len()];
        let (height, next_height) = (plane.height(here), plane.height(next));
        if height >= 0.0 {
            kept.push(*here);
        }
        // Always from the inner end to the outer: both triangles at an edge cut it at the same
        // point, bit for bit.
        if height >= 0.0 && next_height < 0.0 {
            kept.push(here + (next - here) * (height / (height - next_height)));
        } else if height < 0.0 && next_height >= 0.0 {
            kept.push(next + (here - next) * (next_height / (next_height - height)));
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clip(corners: [Vector3<f64>; 3]) -> Vec<ScreenTriangle> {
        let mut out = Vec::new();
        Clipper::new(0.1, 100, 100).clip(corners, 7, &mut out);
        out
    }

    #[test]
    fn a_triangle_in_front_is_rounded_and_turned() {
        let seen = |x: f64, y: f64| Vector3::new(x, y, 1.0) * 2.0;
        for corners in [
            [seen(10.0, 10.0), seen(20.5, 10.0), seen(10.0, 30.0)],
            [seen(10.0, 10.0), seen(10.0, 30.0), seen(20.5, 10.0)],
        ] {
            let out = clip(corners);
            assert_eq!(out.len(), 1);
            assert_eq!(out[0].corners, [[2560, 2560], [5248, 2560], [2560, 7680]]);
            assert_eq!(out[0].depth, [0.05; 3]);
            assert_eq!(out[0].source, 7);
        }
    }

    #[test]
    fn one_corner_behind_the_camera_leaves_a_quadrilateral() {
        // The corner at depth -1 would be seen at (50, 1000) if it were in front. Straight lines
        // stay straight: the cut corners lie on the lines from there through the other two, at the
        // far side of these.
        let out = clip([
            Vector3::new(40.0, 60.0, 1.0),
            Vector3::new(60.0, 60.0, 1.0),
            Vector3::new(-50.0, -1000.0, -1.0),
        ]);
        assert_eq!(out.len(), 2);
        let corners = out.iter().flat_map(|t| t.corners.into_iter().zip(t.depth));
        let cut: Vec<_> = corners.filter(|(_, depth)| (depth - 1.0).abs() < 1e-9).collect();
        assert_eq!(cut.len(), 3, "one cut corner in one half, two in the other");
        for (corner, _) in cut {
            let [x, y] = corner.map(|c| f64::from(c) / f64::from(SUBPIXELS));
            let sideways = (1000.0 - y) * 10.0 / 940.0;
            assert!(y < 60.0 && ((x - 50.0).abs() - sideways).abs() < 0.01, "{x}, {y}");
        }
    }

    #[test]
    fn nothing_is_left_of_what_cannot_be_seen() {
        let at = |x: f64, y: f64, w: f64| Vector3::new(x * w, y * w, w);
        let behind = [at(10.0, 10.0, -1.0), at(20.0, 10.0, -1.0), at(10.0, 20.0, -1.0)];
        let aside = [at(-10.0, 10.0, 1.0), at(-20.0, 10.0, 1.0), at(-10.0, 20.0, 1.0)];
        let line = [at(10.0, 10.0, 1.0), at(20.0, 20.0, 1.0), at(30.0, 30.0, 1.0)];
        let broken = [at(10.0, 10.0, 1.0), at(f64::NAN, 10.0, 1.0), at(10.0, 20.0, 1.0)];
        for corners in [behind, aside, line, broken] {
            assert!(clip(corners).is_empty());
        }
    }

    #[test]
    fn enormous_triangles_stay_within_integers() {
        let huge = 1e200;
        let out = clip([
            Vector3::new(-huge, -huge, 1.0),
            Vector3::new(huge, -huge, 1.0),
            Vector3::new(0.0, huge, 1.0),
        ]);
        let limit = (GUARD as i32 + 100) * SUBPIXELS;
        assert!(!out.is_empty());
        assert!(out.iter().flat_map(|t| t.corners).flatten().all(|c| c.abs() <= limit));
    }
}
