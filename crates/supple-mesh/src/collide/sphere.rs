//! A ball: d(x) = ‖x − c‖ − r.

use super::{ObstacleError, Plane};
use crate::Vec3;

#[derive(Clone, Debug)]
pub(super) struct Sphere {
    center: Vec3,
    radius: f64,
}

impl Sphere {
    pub fn new(center: Vec3, radius: f64) -> Result<Self, ObstacleError> {
        if !(radius > 0.0 && radius.is_finite() && center.iter().all(|x| x.is_finite())) {
            return Err(ObstacleError::Sphere { center, radius });
        }
        Ok(Self { center, radius })
    }

    pub fn distance(&self, x: &Vec3) -> f64 {
        (x - self.center).norm() - self.radius
    }

    pub fn near(&self, from: &Vec3, margin: f64) -> Option<Plane> {
        (self.distance(from) <= margin).then(|| self.plane_towards(from))
    }

    /// The first root of ‖x − c + t d‖² = r².
    pub fn entered(&self, from: &Vec3, to: &Vec3) -> Option<Plane> {
        let (offset, way) = (from - self.center, to - from);
        let (a, half_b) = (way.norm_squared(), offset.dot(&way));
        let c = offset.norm_squared() - self.radius * self.radius;
        let discriminant = half_b * half_b - a * c;
        if c < 0.0 || half_b >= 0.0 || discriminant <= 0.0 {
            return None;
        }
        // The smaller root in the form that does not cancel.
        let t = c / (discriminant.sqrt() - half_b);
        (t < 1.0).then(|| self.plane_towards(&from.lerp(to, t)))
    }

    /// The plane that touches below x; straight up for the very middle.
    fn plane_towards(&self, x: &Vec3) -> Plane {
        let normal = (x - self.center).try_normalize(0.0).unwrap_or_else(Vec3::y);
        Plane { point: self.center + normal * self.radius, normal }
    }
}
