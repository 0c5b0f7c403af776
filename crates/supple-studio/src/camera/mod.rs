//! The eye of a viewport: it turns around a target, y up.
//!
//! With yaw φ and pitch θ the eye looks along d = −(cos θ sin φ, sin θ, cos θ cos φ) from `distance` away. A point goes
//! through the view (right, up, −d) and then, in perspective, is divided by its depth; in parallel views the picture is
//! as high as perspective has it at the target, so that switching changes nothing there. Depth is 0 near and 1 far.

mod framed;

pub use framed::{Framed, FramedOf};

use eframe::egui::{Pos2, Rect, pos2};
use nalgebra::{Matrix4, Vector3, Vector4};
use supple_session::{Ray, Reach};

pub type Vec3 = Vector3<f64>;

/// The angle a picture is high, in radians.
const FIELD: f64 = 0.7;
/// Beyond straight up or down everything would stand on its head.
const STEEPEST: f64 = std::f64::consts::FRAC_PI_2;
/// What is framed fills this part of the picture.
const FILLS: f64 = 0.88;

/// Where a viewport is seen from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    pub target: Vec3,
    pub distance: f64,
    pub yaw: f64,
    pub pitch: f64,
    /// Whether parallel lines stay so.
    pub parallel: bool,
    /// Whether they do only as long as it looks along an axis.
    pub for_axis: bool,
}

impl Default for Camera {
    fn default() -> Self {
        Self { target: Vec3::zeros(), distance: 4.0, yaw: 0.6, pitch: 0.35, parallel: false, for_axis: false }
    }
}

impl Camera {
    /// Shows points in a picture of this aspect, with a length around each, from where they were seen before.
    ///
    /// One at (x, y, z) in the axes of the eye, seen from the target, is inside when |x| ≤ (d − z) tan(½ field) aspect and
    /// so on; d is the least distance at which all are. Parallel views leave z out.
    pub fn frame(&mut self, points: &[Vec3], around: f64, aspect: f64) {
        let Some(first) = points.first() else { return };
        let (low, high) = points.iter().fold((*first, *first), |(low, high), p| (low.inf(p), high.sup(p)));
        self.target = (low + high) / 2.0;
        let (right, up, forward) = self.axes();
        let tan = FILLS * (0.5 * FIELD).tan();
        let needed = points.iter().map(|point| {
            let away = point - self.target;
            let (x, y) = (away.dot(&right).abs() + around, away.dot(&up).abs() + around);
            let nearer = if self.parallel { 0.0 } else { -away.dot(&forward) };
            nearer + (x / aspect).max(y) / tan
        });
        self.distance = needed.fold(1e-6, f64::max);
    }

    /// Turns around the target, by points of the mouse.
    pub fn orbit(&mut self, x: f32, y: f32) {
        self.yaw -= 0.008 * f64::from(x);
        self.pitch = (self.pitch + 0.008 * f64::from(y)).clamp(-STEEPEST, STEEPEST);
        self.leave_axis();
    }

    /// Turns around the target by angles, in radians.
    pub fn turn(&mut self, yaw: f64, pitch: f64) {
        self.yaw += yaw;
        self.pitch = (self.pitch + pitch).clamp(-STEEPEST, STEEPEST);
        self.leave_axis();
    }

    /// Looks from the other side.
    pub fn turn_around(&mut self) {
        (self.yaw, self.pitch) = (self.yaw + std::f64::consts::PI, -self.pitch);
    }

    /// What was parallel for the sake of an axis is seen in perspective again.
    fn leave_axis(&mut self) {
        self.parallel &= !self.for_axis;
        self.for_axis = false;
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

    /// Goes nearer to what is under the mouse: of the plane of the target, what is there stays there.
    pub fn zoom_at(&mut self, notches: f32, at: Pos2, rect: Rect) {
        let before = self.distance;
        self.zoom(notches);
        self.target += self.aside(at, rect) * (before - self.distance);
    }

    /// Looks along an axis, from `yaw` and `pitch`.
    pub fn look_from(&mut self, yaw: f64, pitch: f64) {
        (self.yaw, self.pitch) = (yaw, pitch.clamp(-STEEPEST, STEEPEST));
        self.for_axis |= !self.parallel;
        self.parallel = true;
    }

    /// Sees in parallel or in perspective.
    pub fn set_parallel(&mut self, parallel: bool) {
        (self.parallel, self.for_axis) = (parallel, false);
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
        let (aside, forward) = (self.aside(at, rect), self.axes().2);
        if self.parallel {
            let origin = self.eye() + aside * self.distance;
            Ray { origin: origin.into(), direction: forward.into() }
        } else {
            Ray { origin: self.eye().into(), direction: (forward + aside).into() }
        }
    }

    /// How far beside the middle a place on the screen is, at distance one.
    fn aside(&self, at: Pos2, rect: Rect) -> Vec3 {
        let (x, y) = in_clip(at, rect);
        let (right, up, _) = self.axes();
        let tan = (0.5 * FIELD).tan();
        right * (x * tan * aspect(rect)) + up * (y * tan)
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

/// Width by height.
pub fn aspect(rect: Rect) -> f64 {
    f64::from(rect.width().max(1.0)) / f64::from(rect.height().max(1.0))
}

fn in_clip(at: Pos2, rect: Rect) -> (f64, f64) {
    let from = at - rect.center();
    (f64::from(2.0 * from.x / rect.width().max(1.0)), f64::from(-2.0 * from.y / rect.height().max(1.0)))
}

#[cfg(test)]
mod tests;
