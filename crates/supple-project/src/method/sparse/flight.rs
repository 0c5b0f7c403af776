//! Flight: the centre of mass falls freely until it has come down to the height at which it lands.

use nalgebra::{Matrix3, Unit};
use supple_mesh::Vec3;

/// The way of the centre of mass; seconds are the body's own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ballistic {
    pub from: Vec3,
    pub speed: Vec3,
    pub gravity: Vec3,
}

impl Ballistic {
    /// Where it is after so many seconds.
    pub fn at(&self, seconds: f64) -> Vec3 {
        self.from + self.speed * seconds + self.gravity * (0.5 * seconds * seconds)
    }

    /// How fast it moves then.
    pub fn speed_at(&self, seconds: f64) -> Vec3 {
        self.speed + self.gravity * seconds
    }

    /// Against gravity.
    pub fn up(&self) -> Unit<Vec3> {
        Unit::new_normalize(-self.gravity)
    }

    /// Seconds until it comes down to a height; none if it never gets there.
    pub fn lands(&self, height: f64) -> Option<f64> {
        let (g, up) = (self.gravity.norm(), self.up());
        let rise = up.dot(&self.speed);
        let square = rise * rise + 2.0 * g * (up.dot(&self.from) - height);
        let seconds = (rise + square.max(0.0).sqrt()) / g;
        (square >= 0.0 && seconds > 0.0 && seconds.is_finite()).then_some(seconds)
    }

    /// The highest it gets.
    pub fn apex(&self) -> f64 {
        let up = self.up();
        let rise = up.dot(&self.speed).max(0.0);
        up.dot(&self.from) + rise * rise / (2.0 * self.gravity.norm())
    }
}

/// How fast the body would have to turn as a whole to have an angular momentum, about its centre of mass.
pub(super) fn spin(masses: &[f64], from_center: &[Vec3], momentum: Vec3) -> Vec3 {
    let mut inertia = Matrix3::zeros();
    for (mass, x) in masses.iter().zip(from_center) {
        inertia += (Matrix3::identity() * x.norm_squared() - x * x.transpose()) * *mass;
    }
    inertia.try_inverse().map_or(Vec3::zeros(), |inverse| inverse * momentum)
}

/// Σ m x × v about the centre of mass.
pub(super) fn momentum(masses: &[f64], from_center: &[Vec3], velocity: &[f64]) -> Vec3 {
    let v = velocity.chunks_exact(3).map(Vec3::from_column_slice);
    masses.iter().zip(from_center).zip(v).map(|((m, x), v)| x.cross(&v) * *m).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_lands_where_it_was_asked_to_on_its_way_down() {
        let flight = Ballistic {
            from: Vec3::new(0.0, 1.0, 0.0),
            speed: Vec3::new(1.5, 3.0, 0.0),
            gravity: Vec3::new(0.0, -9.81, 0.0),
        };
        let seconds = flight.lands(0.8).unwrap();
        assert!((flight.at(seconds).y - 0.8).abs() < 1e-12);
        assert!(flight.speed_at(seconds).y < 0.0);
        assert!((flight.apex() - (1.0 + 9.0 / (2.0 * 9.81))).abs() < 1e-12);
        // Above where it starts, and never as high as that.
        assert!(flight.lands(1.2).is_some() && flight.lands(flight.apex() + 0.01).is_none());
    }

    #[test]
    fn a_rigid_spin_is_found_from_its_momentum() {
        let at = [
            [1.0, 0.0, 0.0],
            [-1.0, 0.0, 0.0],
            [0.0, 2.0, 0.0],
            [0.0, -2.0, 0.0],
            [0.0, 0.0, 0.5],
            [0.0, 0.0, -0.5],
        ];
        let at = at.map(Vec3::from);
        let spinning = Vec3::new(0.3, -1.0, 2.0);
        let velocity: Vec<f64> = at.iter().flat_map(|x| spinning.cross(x).data.0[0]).collect();
        let masses = [1.0, 1.0, 2.0, 2.0, 0.5, 0.5];
        assert!((spin(&masses, &at, momentum(&masses, &at, &velocity)) - spinning).norm() < 1e-12);
    }
}
