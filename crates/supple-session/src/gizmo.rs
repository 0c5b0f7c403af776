//! Dragging by a ray: along an axis, in a plane, or in the plane of the screen.
//!
//! With c the point that was taken, and rays o + s d:
//!
//! - along a unit axis a, the shift is that of the point of the line c + t a nearest to the ray,
//!   t = (w·a − (w·d)(a·d)) / (1 − (a·d)²) with w = o − c;
//! - in the plane across n, that of the point where the ray meets it, s = (c − o)·n / d·n.
//!
//! Both are counted from where the first ray was, so that nothing jumps when it is taken beside its middle.

use crate::Ray;
use nalgebra::Vector3;

type Vec3 = Vector3<f64>;

/// A ray that goes along the axis, or in the plane, nearer than this says nothing of where on it: the sine of about
/// two degrees.
const GRAZING: f64 = 0.035;

/// Where a drag may go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Along {
    /// Along this direction: an axis, or the normal of the surface.
    Axis([f64; 3]),
    /// In the plane across this direction: that of two axes, or of the screen across the direction of view.
    Plane([f64; 3]),
}

/// A drag that was begun.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pull {
    at: Vec3,
    along: Along,
    first: Vec3,
}

impl Pull {
    /// Takes the point `at` by a ray; `None` if the ray says nothing of where on its way that is.
    #[must_use]
    pub fn new(at: [f64; 3], along: Along, ray: &Ray) -> Option<Self> {
        let (Along::Axis(direction) | Along::Plane(direction)) = along;
        let unit = Vec3::from(direction).try_normalize(0.0)?;
        let along = match along {
            Along::Axis(_) => Along::Axis(unit.into()),
            Along::Plane(_) => Along::Plane(unit.into()),
        };
        let at = Vec3::from(at);
        Some(Self { at, along, first: met(&at, along, ray)? })
    }

    /// How far the point was moved when the mouse has gone to `ray`, in whole multiples of `snap` if there is one;
    /// `None` where the ray says nothing, and the last shift stays.
    #[must_use]
    pub fn shift(&self, ray: &Ray, snap: Option<f64>) -> Option<[f64; 3]> {
        let mut shift = met(&self.at, self.along, ray)? - self.first;
        if let Along::Plane(normal) = self.along {
            // What rounding left across the plane would be written into the shot.
            let normal = Vec3::from(normal);
            shift -= normal * normal.dot(&shift);
        }
        let Some(step) = snap.filter(|step| *step > 0.0) else { return Some(shift.into()) };
        let snapped: Vec3 = self.directions().map(|e| e * ((shift.dot(&e) / step).round() * step)).sum();
        Some(snapped.into())
    }

    /// The directions a shift is made of, at right angles; axes of the scene where they can be.
    fn directions(&self) -> impl Iterator<Item = Vec3> {
        match self.along {
            Along::Axis(axis) => vec![Vec3::from(axis)],
            Along::Plane(normal) => {
                let normal = Vec3::from(normal);
                // The axis of the scene that lies flattest in the plane, and what is across both.
                let flattest = normal.iamin();
                let axis = Vec3::ith(flattest, 1.0);
                let one = (axis - normal * normal.dot(&axis)).normalize();
                vec![one, normal.cross(&one)]
            }
        }
        .into_iter()
    }
}

/// Where a ray has the point.
fn met(at: &Vec3, along: Along, ray: &Ray) -> Option<Vec3> {
    let (origin, direction) = ray.parts();
    let met = match along {
        Along::Axis(axis) => {
            let axis = Vec3::from(axis);
            let cosine = axis.dot(&direction);
            let sine_squared = 1.0 - cosine * cosine;
            if sine_squared < GRAZING * GRAZING {
                return None;
            }
            let away = origin - at;
            at + axis * ((away.dot(&axis) - away.dot(&direction) * cosine) / sine_squared)
        }
        Along::Plane(normal) => {
            let normal = Vec3::from(normal);
            let sine = direction.dot(&normal);
            let depth = (at - origin).dot(&normal) / sine;
            if sine.abs() < GRAZING || depth < 0.0 {
                return None;
            }
            origin + direction * depth
        }
    };
    met.iter().all(|x| x.is_finite()).then_some(met)
}
