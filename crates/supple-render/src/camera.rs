//! Where the picture is taken from, and the map from space to pixels.
//!
//! With the camera's axes `right`, `up`, `back` and `p` a point,
//! `w = -(p - eye)·back` is its depth and, with the focal length `f = (height / 2) / tan(fov / 2)`
//! in pixels, it is seen at
//!
//! ```text
//! x = width / 2  + f (p - eye)·right / w
//! y = height / 2 - f (p - eye)·up    / w        (y runs down)
//! ```
//!
//! [`Projection::project`] returns `(x w, y w, w)`, which is linear in `p` and so holds for points
//! behind the camera too.

use nalgebra::Vector3;

use crate::error::RenderError;

/// The near plane, as a share of the distance from eye to target.
const NEAR: f64 = 1e-3;

/// A perspective camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Where the camera is.
    pub eye: Vector3<f64>,
    /// The point in the middle of the picture; nothing closer to the eye than a thousandth of the
    /// way there is drawn.
    pub target: Vector3<f64>,
    /// The direction that points upwards in the picture; need not be a unit vector.
    pub up: Vector3<f64>,
    /// Angle between the top and the bottom of the picture, in radians.
    pub vertical_angle: f64,
}

impl Camera {
    pub(crate) fn projection(&self, width: u32, height: u32) -> Result<Projection, RenderError> {
        let error = |what| Err(RenderError::Camera { what });
        let half_tangent = (self.vertical_angle / 2.0).tan();
        if !(self.vertical_angle > 0.0 && half_tangent.is_finite() && half_tangent > 0.0) {
            return error("vertical angle must be between 0 and 180 degrees");
        }
        let back = self.eye - self.target;
        let distance = back.norm();
        if !(distance.is_finite() && distance > 0.0) {
            return error("eye and target must be finite and different");
        }
        let back = back / distance;
        let across = self.up.cross(&back);
        let length = across.norm();
        if !(length.is_finite() && length > 1e-9 * self.up.norm()) {
            return error("up direction must be finite and not along the line of sight");
        }
        let right = across / length;
        let half = Vector3::new(f64::from(width), f64::from(height), 0.0) / 2.0;
        Ok(Projection {
            eye: self.eye,
            right,
            up: back.cross(&right),
            back,
            focal: half.y / half_tangent,
            half_width: half.x,
            half_height: half.y,
            near: distance * NEAR,
        })
    }
}

/// A camera together with the picture it fills; symbols as in the module header.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Projection {
    pub eye: Vector3<f64>,
    pub right: Vector3<f64>,
    pub up: Vector3<f64>,
    pub back: Vector3<f64>,
    focal: f64,
    half_width: f64,
    half_height: f64,
    /// Least depth that is drawn.
    pub near: f64,
}

impl Projection {
    /// Homogeneous pixel coordinates `(x w, y w, w)`.
    pub fn project(&self, p: &Vector3<f64>) -> Vector3<f64> {
        let d = p - self.eye;
        let w = -d.dot(&self.back);
        Vector3::new(
            self.half_width * w + self.focal * d.dot(&self.right),
            self.half_height * w - self.focal * d.dot(&self.up),
            w,
        )
    }

    /// Unit vector from the point seen at pixel `(x, y)` to the eye.
    pub fn eye_direction(&self, x: f64, y: f64) -> Vector3<f64> {
        (-self.ray(x, y)).normalize()
    }

    /// From the eye to the point seen at pixel `(x, y)` at depth 1.
    pub fn ray(&self, x: f64, y: f64) -> Vector3<f64> {
        let right = (x - self.half_width) / self.focal;
        let up = (self.half_height - y) / self.focal;
        self.right * right + self.up * up - self.back
    }

    /// How far the eye is from the point in the middle of the picture.
    pub fn distance(&self) -> f64 {
        self.near / NEAR
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_cameras_are_errors() {
        let good =
            Camera { eye: Vector3::z(), target: Vector3::zeros(), up: Vector3::y(), vertical_angle: 0.5 };
        assert!(good.projection(10, 10).is_ok());
        let bad = [
            Camera { target: Vector3::z(), ..good },
            Camera { up: Vector3::z(), ..good },
            Camera { up: Vector3::zeros(), ..good },
            Camera { eye: Vector3::repeat(f64::NAN), ..good },
            Camera { vertical_angle: 0.0, ..good },
            Camera { vertical_angle: f64::NAN, ..good },
            Camera { vertical_angle: 4.0, ..good },
        ];
        for camera in bad {
            assert!(matches!(camera.projection(10, 10), Err(RenderError::Camera { .. })));
        }
    }

    #[test]
    fn the_ray_through_a_pixel_meets_the_point_seen_there() {
        let camera = Camera {
            eye: Vector3::new(1.0, 2.0, 5.0),
            target: Vector3::new(0.0, 0.5, 0.0),
            up: Vector3::y(),
            vertical_angle: 0.9,
        };
        let projection = camera.projection(200, 120).unwrap();
        let p = Vector3::new(0.3, -0.7, 0.4);
        let h = projection.project(&p);
        let to_eye = projection.eye_direction(h.x / h.z, h.y / h.z);
        assert!((to_eye - (camera.eye - p).normalize()).norm() < 1e-12);
    }
}
