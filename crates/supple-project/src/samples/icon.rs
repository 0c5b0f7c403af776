//! What the small picture of a sample shows: its surface as it is, or what will become of it, drawn by hand.

use nalgebra::Rotation3;
use supple_mesh::{Aabb, Vec3};

/// From the surface at rest to the surfaces that are drawn.
pub type Icon = fn(&[Vec3]) -> Vec<Vec<Vec3>>;

/// At rest.
pub fn still(rest: &[Vec3]) -> Vec<Vec<Vec3>> {
    vec![rest.to_vec()]
}

/// Once swung to one side and once to the other.
pub fn swung(rest: &[Vec3]) -> Vec<Vec<Vec3>> {
    let to = |side: f64| {
        bent(rest, |x, high, center| {
            let swing = side * 0.25 * high;
            Vec3::new(x.x, x.y, x.z + swing * (x.x - center.x).abs())
        })
    };
    [to(1.0), to(-1.0)].concat()
}

/// Higher by half, and thinner.
pub fn stretched(rest: &[Vec3]) -> Vec<Vec<Vec3>> {
    bent(rest, |x, _, center| {
        Vec3::new(center.x + 0.8 * (x.x - center.x), 1.5 * x.y, center.z + 0.8 * (x.z - center.z))
    })
}

/// Bent over sideways.
pub fn tilted(rest: &[Vec3]) -> Vec<Vec<Vec3>> {
    bent(rest, |x, high, center| {
        let height = Aabb::around(rest).size().y;
        let turn = Rotation3::from_axis_angle(&-Vec3::z_axis(), high * std::f64::consts::FRAC_PI_2);
        // Along an arc as long as the body is high.
        let radius = height / std::f64::consts::FRAC_PI_2;
        let foot = Vec3::new(x.x - center.x - radius, 0.0, x.z);
        turn * foot + Vec3::new(center.x + radius, 0.0, 0.0)
    })
}

/// Half a turn about the upright.
pub fn twisted(rest: &[Vec3]) -> Vec<Vec<Vec3>> {
    bent(rest, |x, high, center| {
        let axis = Vec3::new(center.x, x.y, center.z);
        Rotation3::from_axis_angle(&Vec3::y_axis(), high * std::f64::consts::PI) * (x - axis) + axis
    })
}

/// Bent to one side, both ends staying where they are.
pub fn swayed(rest: &[Vec3]) -> Vec<Vec<Vec3>> {
    let around = Aabb::around(rest);
    let (length, middle) = (around.size().x, (around.min.x + around.max.x) / 2.0);
    bent(rest, |x, _, _| {
        let along = 2.0 * (x.x - middle) / length;
        x + Vec3::new(0.0, 0.0, 0.2 * length * (1.0 - along * along))
    })
}

/// Bent over, and a little so.
pub fn bowed(rest: &[Vec3]) -> Vec<Vec<Vec3>> {
    leaning(rest, 0.4)
}

/// A little bent over.
pub fn nodding(rest: &[Vec3]) -> Vec<Vec<Vec3>> {
    leaning(rest, 0.15)
}

fn leaning(rest: &[Vec3], far: f64) -> Vec<Vec<Vec3>> {
    let height = Aabb::around(rest).size().y;
    bent(rest, |x, high, _| x + Vec3::new(far * high * high, -0.5 * far * far * high.powi(3), 0.0) * height)
}

/// Wings up.
pub fn flapping(rest: &[Vec3]) -> Vec<Vec<Vec3>> {
    bent(rest, |x, _, _| x + Vec3::new(0.0, 0.35 * x.z * x.z, 0.0))
}

/// Lower, and wider.
pub fn squatting(rest: &[Vec3]) -> Vec<Vec<Vec3>> {
    bent(rest, |x, _, _| Vec3::new(1.05 * x.x, 0.8 * x.y, 1.1 * x.z))
}

/// Uphill.
pub fn rolling(rest: &[Vec3]) -> Vec<Vec<Vec3>> {
    bent(rest, |x, _, _| Rotation3::from_axis_angle(&Vec3::z_axis(), 0.35) * x)
}

/// Breathing in.
pub fn swollen(rest: &[Vec3]) -> Vec<Vec<Vec3>> {
    bent(rest, |x, _, _| Vec3::new(1.08 * x.x, 1.04 * x.y, 1.08 * x.z))
}

/// On the ground, in the air, on the ground.
pub fn jumping(rest: &[Vec3]) -> Vec<Vec<Vec3>> {
    shifted(rest, &[(0.0, 0.0), (0.8, 0.5), (1.6, 0.0)])
}

/// Twice in the air.
pub fn jumping_on(rest: &[Vec3]) -> Vec<Vec<Vec3>> {
    shifted(rest, &[(0.0, 0.0), (0.8, 0.4), (1.6, 0.0), (2.4, 0.7), (3.2, 0.0)])
}

/// A step.
pub fn walking(rest: &[Vec3]) -> Vec<Vec<Vec3>> {
    shifted(rest, &[(0.0, 0.0), (0.6, 0.0)])
}

/// On its feet, and on its hands.
pub fn turning_over(rest: &[Vec3]) -> Vec<Vec<Vec3>> {
    let height = Aabb::around(rest).size().y;
    let mut both = shifted(rest, &[(0.0, 0.0), (0.9, 0.0)]);
    both.iter_mut().skip(1).flatten().for_each(|x| x.y = height - x.y);
    both
}

/// Every point where `to` has it; told how high up it is, from 0 to 1, and the middle of the body.
fn bent(rest: &[Vec3], to: impl Fn(Vec3, f64, Vec3) -> Vec3) -> Vec<Vec<Vec3>> {
    let around = Aabb::around(rest);
    let (center, low, height) = ((around.min + around.max) / 2.0, around.min.y, around.size().y);
    vec![rest.iter().map(|x| to(*x, (x.y - low) / height, center)).collect()]
}

/// Copies, so many heights along x and y.
fn shifted(rest: &[Vec3], by: &[(f64, f64)]) -> Vec<Vec<Vec3>> {
    let height = Aabb::around(rest).size().y;
    let copy = |(x, y): &(f64, f64)| rest.iter().map(|p| p + Vec3::new(*x, *y, 0.0) * height).collect();
    by.iter().map(copy).collect()
}
