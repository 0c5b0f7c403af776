//! The eye of a viewport: it turns around a target, y up.
//!
//! With yaw φ and pitch θ the eye looks along d = −(cos θ sin φ, sin θ, cos θ cos φ) from `distance` away. A point goes
//! through the view (right, up, −d) and then, in perspective, is divided by its depth; in parallel views the picture is
//! as high as perspective has it at the target, so that switching changes nothing there. Depth is 0 near and 1 far.

use eframe::egui::{Pos2, Rect, pos2};
use nalgebra::{Matrix4, Vector3, Vector4};
use supple_project::session::{Ray, Reach};

pub type Vec3 = Vector3<f64>;

/// The angle a picture is high, in radians.
const FIELD: f64 = 0.7;
/// Straight up or down the sides are not known, so this is as far as it goes.
const STEEPEST: f64 = std::f64::consts::FRAC_PI_2 - 1e-3;

/// Where a viewport is seen from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    pub target: Vec3,
    pub distance: f64,
    pub yaw: f64,
    pub pitch: f64,
    /// Whether parallel lines stay so.
    pub parallel: bool,
}

impl Default for Camera {
    fn default() -> Self {
        Self { target: Vec3::zeros(), distance: 4.0, yaw: 0.6, pitch: 0.35, parallel: false }
    }
}

impl Camera {
    /// Shows a box, from where it was seen before.
    pub fn frame(&mut self, low: Vec3, high: Vec3) {
        self.target = (low + high) / 2.0;
        self.distance = (0.5 * (high - low).norm() / (0.5 * FIELD).sin()).max(1e-6);
    }

    /// Turns around the target, by points of the mouse.
    pub fn orbit(&mut self, x: f32, y: f32) {
        self.yaw -= 0.008 * f64::from(x);
        self.pitch = (self.pitch + 0.008 * f64::from(y)).clamp(-STEEPEST, STEEPEST);
    }

    /// Shifts the target with the mouse.
    pub fn pan(&mut self, x: f32, y: f32, rect: Rect) {
        let length = self.length_per_point(&self.target, rect);
        let (right, up, _) = self.axes();
        self.target -= right * (f64::from(x) * length) - up * (f64::from(y) * length);
    }

    /// Goes nearer, by notches of the wheel.
    pub fn zoom(&mut self, notches: f32) {
        self.distance = (self.distance * (-0.15 * f64::from(notches)).exp()).clamp(1e-9, 1e12);
    }

    /// Looks along an axis, from `yaw` and `pitch`.
    pub fn look_from(&mut self, yaw: f64, pitch: f64) {
        (self.yaw, self.pitch) = (yaw, pitch.clamp(-STEEPEST, STEEPEST));
        self.parallel = true;
    }

    /// Right, up, and where it looks; all of length one.
    pub fn axes(&self) -> (Vec3, Vec3, Vec3) {
        let (sy, cy) = self.yaw.sin_cos();
        let (sp, cp) = self.pitch.sin_cos();
        let forward = -Vec3::new(cp * sy, sp, cp * cy);
        let right = Vec3::new(cy, 0.0, -sy);
        (right, right.cross(&forward), forward)
    }

    pub fn eye(&self) -> Vec3 {
        self.target - self.axes().2 * self.distance
    }

    /// From the scene to clip space of a picture with this aspect, for drawing what is about `size` large.
    pub fn matrix(&self, aspect: f64, size: f64) -> Matrix4<f64> {
        let (right, up, forward) = self.axes();
        let eye = self.eye();
        let row = |e: Vec3| Vector4::new(e.x, e.y, e.z, -e.dot(&eye)).transpose();
        let view = Matrix4::from_rows(&[
            row(right),
            row(up),
            row(-forward),
            Vector4::new(0., 0., 0., 1.).transpose(),
        ]);
        let tan = (0.5 * FIELD).tan();
        let far = 4.0 * self.distance + 40.0 * size;
        let mut clip = Matrix4::zeros();
        if self.parallel {
            let (half, near) = (self.distance * tan, -far);
            clip[(0, 0)] = 1.0 / (half * aspect);
            clip[(1, 1)] = 1.0 / half;
            clip[(2, 2)] = -1.0 / (far - near);
            clip[(2, 3)] = -near / (far - near);
            clip[(3, 3)] = 1.0;
        } else {
            let near = 0.01 * self.distance;
            clip[(0, 0)] = 1.0 / (tan * aspect);
            clip[(1, 1)] = 1.0 / tan;
            clip[(2, 2)] = -far / (far - near);
            clip[(2, 3)] = -far * near / (far - near);
            clip[(3, 2)] = -1.0;
        }
        clip * view
    }

    /// The ray through a place on the screen.
    pub fn ray(&self, at: Pos2, rect: Rect) -> Ray {
        let (x, y) = in_clip(at, rect);
        let (right, up, forward) = self.axes();
        let tan = (0.5 * FIELD).tan();
        let aside = right * (x * tan * aspect(rect)) + up * (y * tan);
        if self.parallel {
            let origin = self.eye() + aside * self.distance;
            Ray { origin: origin.into(), direction: forward.into() }
        } else {
            Ray { origin: self.eye().into(), direction: (forward + aside).into() }
        }
    }

    /// Where a point is on the screen; nothing behind the eye.
    pub fn project(&self, point: &Vec3, rect: Rect) -> Option<Pos2> {
        let (right, up, forward) = self.axes();
        let away = point - self.eye();
        let depth = away.dot(&forward);
        let tan = (0.5 * FIELD).tan();
        let half = if self.parallel { self.distance * tan } else { depth * tan };
        if half <= 0.0 {
            return None;
        }
        let x = away.dot(&right) / (half * aspect(rect));
        let y = away.dot(&up) / half;
        Some(pos2(
            rect.center().x + 0.5 * rect.width() * x as f32,
            rect.center().y - 0.5 * rect.height() * y as f32,
        ))
    }

    /// How long a point of the screen is, at the depth of a place.
    pub fn length_per_point(&self, at: &Vec3, rect: Rect) -> f64 {
        let depth =
            if self.parallel { self.distance } else { (at - self.eye()).dot(&self.axes().2).max(1e-12) };
        2.0 * depth * (0.5 * FIELD).tan() / f64::from(rect.height().max(1.0))
    }

    /// How far beside a vertex the mouse may be, in points.
    pub fn reach(&self, points: f32, rect: Rect) -> Reach {
        let per_length = 2.0 * (0.5 * FIELD).tan() / f64::from(rect.height().max(1.0)) * f64::from(points);
        if self.parallel {
            Reach { at_eye: per_length * self.distance, growth: 0.0 }
        } else {
            Reach { at_eye: 0.0, growth: per_length }
        }
    }
}

fn aspect(rect: Rect) -> f64 {
    f64::from(rect.width().max(1.0)) / f64::from(rect.height().max(1.0))
}

fn in_clip(at: Pos2, rect: Rect) -> (f64, f64) {
    let from = at - rect.center();
    (f64::from(2.0 * from.x / rect.width().max(1.0)), f64::from(-2.0 * from.y / rect.height().max(1.0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use eframe::egui::vec2;

    const RECT: Rect = Rect { min: pos2(30.0, 10.0), max: pos2(630.0, 410.0) };

    fn cameras() -> [Camera; 2] {
        let eye = Camera { target: Vec3::new(1.0, 2.0, 3.0), ..Camera::default() };
        [eye, Camera { parallel: true, ..eye }]
    }

    #[test]
    fn a_ray_through_where_a_point_is_seen_meets_the_point() {
        let point = Vec3::new(0.4, 2.3, 3.9);
        for camera in cameras() {
            let ray = camera.ray(camera.project(&point, RECT).unwrap(), RECT);
            let (origin, direction) = (Vec3::from(ray.origin), Vec3::from(ray.direction).normalize());
            let aside = (point - origin).cross(&direction).norm();
            assert!(aside < 1e-5, "{aside}");
        }
    }

    #[test]
    fn the_matrix_puts_points_where_they_are_projected() {
        let point = Vec3::new(0.4, 2.3, 3.9);
        for camera in cameras() {
            let clip = camera.matrix(1.5, 2.0) * point.push(1.0);
            let at = camera.project(&point, RECT).unwrap();
            let (x, y) = in_clip(at, RECT);
            assert!((clip.x / clip.w - x).abs() < 1e-5 && (clip.y / clip.w - y).abs() < 1e-5);
            assert!((0.0..1.0).contains(&(clip.z / clip.w)));
            let nearer = camera.matrix(1.5, 2.0) * (point + (camera.eye() - point) * 0.1).push(1.0);
            assert!(nearer.z / nearer.w < clip.z / clip.w, "depth grows away from the eye");
        }
    }

    #[test]
    fn what_is_panned_stays_under_the_mouse_and_both_views_agree_at_the_target() {
        for mut camera in cameras() {
            let target = camera.target;
            assert!((camera.project(&target, RECT).unwrap() - RECT.center()).length() < 1e-3);
            camera.pan(40.0, -25.0, RECT);
            let moved = camera.project(&target, RECT).unwrap() - RECT.center();
            assert!((moved - vec2(40.0, -25.0)).length() < 0.5, "{moved:?}");
        }
    }
}
