//! Where the rest shape of a segment stands: turned and moved as a whole, x = R X + t.
//!
//! A segment begins where the one before ends. Its rest shape stands where keys sent the new anchors; where they did
//! not say it, it turns about gravity only, so that a tilted foot does not tip the body.

use nalgebra::{Matrix3, Rotation3, Unit};
use supple_mesh::Vec3;

/// A turn and a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Placement {
    /// R.
    pub turn: Matrix3<f64>,
    /// t.
    pub shift: Vec3,
}

/// Points are in one line if the second of their spreads is below this part of the first.
const LINE: f64 = 1e-3;

impl Placement {
    /// As the file has it.
    pub fn identity() -> Self {
        Self { turn: Matrix3::identity(), shift: Vec3::zeros() }
    }

    /// Where a point of the rest shape is.
    pub fn place(&self, local: &Vec3) -> Vec3 {
        self.turn * local + self.shift
    }

    /// Which point of the rest shape is here.
    pub fn local(&self, place: &Vec3) -> Vec3 {
        self.turn.transpose() * (place - self.shift)
    }

    /// A direction of the world, seen from the rest shape.
    pub fn local_direction(&self, direction: &Vec3) -> Vec3 {
        self.turn.transpose() * direction
    }

    /// The rigid motion that takes points nearest to their goals; none if they do not say how to turn.
    pub fn through(pairs: &[(Vec3, Vec3)]) -> Option<Self> {
        let (from, to) = means(pairs)?;
        let mut covariance = Matrix3::zeros();
        let mut spread = Matrix3::zeros();
        for (x, goal) in pairs {
            covariance += (goal - to) * (x - from).transpose();
            spread += (x - from) * (x - from).transpose();
        }
        let mut sizes: Vec<f64> = spread.symmetric_eigenvalues().iter().map(|e| e.max(0.0).sqrt()).collect();
        sizes.sort_by(|a, b| b.total_cmp(a));
        if sizes[1] <= LINE * sizes[0] {
            return None;
        }
        let svd = covariance.svd(true, true);
        let (U, V) = (svd.u?, svd.v_t?);
        let mut flip = Matrix3::identity();
        // Singular values are not sorted: the least one turns a reflection back.
        let least = svd.singular_values.imin();
        flip[(least, least)] = (U * V).determinant().signum();
        let turn = U * flip * V;
        Some(Self { turn, shift: to - turn * from })
    }

    /// The same orientation but for a turn about `up`, nearest to where points went; each has its weight.
    pub fn upright(&self, up: &Unit<Vec3>, pairs: &[(Vec3, Vec3)], weights: &[f64]) -> Self {
        let total: f64 = weights.iter().sum();
        if pairs.is_empty() || total <= 0.0 {
            return *self;
        }
        let mean = |of: fn(&(Vec3, Vec3)) -> Vec3| -> Vec3 {
            pairs.iter().zip(weights).map(|(pair, weight)| of(pair) * *weight).sum::<Vec3>() / total
        };
        let (from, to) = (mean(|pair| pair.0), mean(|pair| pair.1));
        let (mut cos, mut sin) = (0.0, 0.0);
        for ((x, goal), weight) in pairs.iter().zip(weights) {
            let (a, b) = (self.turn * (x - from), goal - to);
            cos += weight * (a.dot(&b) - a.dot(up) * b.dot(up));
            sin += weight * up.dot(&a.cross(&b));
        }
        let yaw = if cos.hypot(sin) > 0.0 { sin.atan2(cos) } else { 0.0 };
        let turn = Rotation3::from_axis_angle(up, yaw).into_inner() * self.turn;
        Self { turn, shift: to - turn * from }
    }
}

fn means(pairs: &[(Vec3, Vec3)]) -> Option<(Vec3, Vec3)> {
    if pairs.len() < 3 {
        return None;
    }
    let count = pairs.len() as f64;
    Some((
        pairs.iter().map(|pair| pair.0).sum::<Vec3>() / count,
        pairs.iter().map(|pair| pair.1).sum::<Vec3>() / count,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moved(points: &[[f64; 3]], turn: &Rotation3<f64>, shift: Vec3) -> Vec<(Vec3, Vec3)> {
        points.iter().map(|p| (Vec3::from(*p), turn * Vec3::from(*p) + shift)).collect()
    }

    #[test]
    fn a_rigid_motion_is_found_from_a_sole() {
        let sole = [[0.0, 0.0, 0.0], [0.3, 0.0, 0.0], [0.3, 0.0, 0.1], [0.0, 0.0, 0.1]];
        let turn = Rotation3::from_euler_angles(0.3, -2.0, 3.0);
        let shift = Vec3::new(1.0, 2.0, -3.0);
        let found = Placement::through(&moved(&sole, &turn, shift)).unwrap();
        assert!((found.turn - turn.into_inner()).norm() < 1e-12 && (found.shift - shift).norm() < 1e-12);
        let p = Vec3::new(0.2, 0.7, -0.4);
        assert!((found.local(&found.place(&p)) - p).norm() < 1e-12);
    }

    #[test]
    fn points_in_a_line_do_not_say_how_to_turn() {
        let line = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]];
        assert_eq!(Placement::through(&moved(&line, &Rotation3::identity(), Vec3::x())), None);
        assert_eq!(Placement::through(&[]), None);
    }

    /// A foot that lands tilted must not tip the body.
    #[test]
    fn without_keys_the_body_turns_about_gravity_only() {
        let sole = [[0.0, 0.0, 0.0], [0.3, 0.0, 0.0], [0.3, 0.0, 0.1], [0.0, 0.0, 0.1]];
        let yaw = Rotation3::from_axis_angle(&Vec3::y_axis(), 0.8);
        let tilt = Rotation3::from_axis_angle(&Vec3::x_axis(), 0.2);
        let pairs = moved(&sole, &(tilt * yaw), Vec3::new(0.0, 1.0, 0.0));
        let found = Placement::identity().upright(&Vec3::y_axis(), &pairs, &[1.0; 4]);
        assert!((found.turn * Vec3::y() - Vec3::y()).norm() < 1e-12);
        assert!((found.turn - yaw.into_inner()).norm() < 0.1);
        let mean = |of: fn(&(Vec3, Vec3)) -> Vec3| pairs.iter().map(of).sum::<Vec3>() / 4.0;
        assert!((found.place(&mean(|pair| pair.0)) - mean(|pair| pair.1)).norm() < 1e-12);
    }
}
