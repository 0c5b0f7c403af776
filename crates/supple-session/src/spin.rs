//! Turning by a ray: the angle that the mouse has gone around a point.
//!
//! Rays meet the plane through the point that faces the eye; the angle from one meeting to the next, seen from the point, is
//! added up, so that going around twice is two turns.

use crate::Ray;
use nalgebra::Vector3;

type Vec3 = Vector3<f64>;

/// A turn that was begun.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spin {
    at: Vec3,
    /// Towards the eye.
    facing: Vec3,
    last: Option<Vec3>,
    radians: f64,
}

impl Spin {
    /// Begins to turn around the point `at` with the mouse at `ray`; `facing` points at the eye.
    #[must_use]
    pub fn new(at: [f64; 3], facing: [f64; 3], ray: &Ray) -> Self {
        let (at, facing) = (Vec3::from(at), Vec3::from(facing).try_normalize(0.0).unwrap_or(Vec3::z()));
        let mut spin = Self { at, facing, last: None, radians: 0.0 };
        spin.last = spin.seen(ray);
        spin
    }

    /// The mouse is at `ray` now; answers the degrees it has gone around, counterclockwise as the eye sees it.
    pub fn follow(&mut self, ray: &Ray) -> f64 {
        if let Some(now) = self.seen(ray) {
            if let Some(last) = self.last {
                self.radians += last.cross(&now).dot(&self.facing).atan2(last.dot(&now));
            }
            self.last = Some(now);
        }
        self.degrees()
    }

    /// The degrees it has gone around.
    #[must_use]
    pub fn degrees(&self) -> f64 {
        self.radians.to_degrees()
    }

    /// Degrees about an axis: as the eye sees them where it points at the eye, and otherwise the other way round.
    #[must_use]
    pub fn about(&self, axis: [f64; 3], degrees: f64) -> f64 {
        if Vec3::from(axis).dot(&self.facing) < 0.0 { -degrees } else { degrees }
    }

    /// The direction from the point to where a ray is; none where it says nothing.
    fn seen(&self, ray: &Ray) -> Option<Vec3> {
        let (origin, direction) = ray.parts();
        let along = direction.dot(&self.facing);
        let depth = (self.at - origin).dot(&self.facing) / along;
        let away = origin + direction * depth - self.at;
        (away.iter().all(|x| x.is_finite())).then(|| away.try_normalize(1e-12)).flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ray(degrees: f64) -> Ray {
        let (sine, cosine) = degrees.to_radians().sin_cos();
        Ray { origin: [1.0 + cosine, 2.0 + sine, 9.0], direction: [0.0, 0.0, -1.0] }
    }

    #[test]
    fn the_mouse_is_followed_around_more_than_once() {
        let mut spin = Spin::new([1.0, 2.0, 0.0], [0.0, 0.0, 3.0], &ray(20.0));
        let mut degrees = 0.0;
        for step in 1..=50 {
            degrees = spin.follow(&ray(20.0 + 10.0 * f64::from(step)));
        }
        assert!((degrees - 500.0).abs() < 1e-9, "{degrees}");
        assert!((spin.follow(&ray(500.0)) - 480.0).abs() < 1e-9, "and back");
        // In the middle it says nothing.
        assert!((spin.follow(&Ray { origin: [1.0, 2.0, 9.0], ..ray(0.0) }) - 480.0).abs() < 1e-9);
        assert_eq!((spin.about([0.0, 0.1, -1.0], 30.0), spin.about([0.0, 5.0, 1.0], 30.0)), (-30.0, 30.0));
    }
}
