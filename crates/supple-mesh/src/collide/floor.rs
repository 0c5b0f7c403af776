//! A half-space: d(x) = up · x − height.

use super::{ObstacleError, Plane};
use crate::Vec3;

#[derive(Clone, Debug)]
pub(super) struct Floor {
    height: f64,
    /// Unit length.
    up: Vec3,
}

impl Floor {
    pub fn new(height: f64, up: Vec3) -> Result<Self, ObstacleError> {
        // Scaled first, so that squares neither overflow nor vanish.
        let unit = (up / up.amax()).normalize();
        if !(height.is_finite() && unit.iter().all(|x| x.is_finite())) {
            return Err(ObstacleError::Floor { height, up });
        }
        Ok(Self { height, up: unit })
    }

    pub fn distance(&self, x: &Vec3) -> f64 {
        self.up.dot(x) - self.height
    }

    pub fn near(&self, from: &Vec3, margin: f64) -> Option<Plane> {
        let distance = self.distance(from);
        (distance <= margin).then(|| Plane { point: from - self.up * distance, normal: self.up })
    }

    pub fn entered(&self, from: &Vec3, to: &Vec3) -> Option<Plane> {
        let (start, end) = (self.distance(from), self.distance(to));
        let enters = start >= 0.0 && end < 0.0;
        enters.then(|| Plane { point: from.lerp(to, start / (start - end)), normal: self.up })
    }
}
