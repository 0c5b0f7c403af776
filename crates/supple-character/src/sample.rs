//! A figure for tests: every kind of joint, and a motion that turns all of them.

use crate::constraint::Limit;
use crate::figure::Figure;
use crate::freedoms::Freedoms;
use crate::motion::Motion;
use crate::skeleton::{Joint, Skeleton, Turns};
use nalgebra::{Unit, UnitQuaternion, Vector3};

/// Joints of the sample.
pub const ROOT: usize = 0;
pub const SPINE: usize = 1;
pub const ARM: usize = 2;
pub const ELBOW: usize = 3;
pub const HAND: usize = 4;
pub const KNEE: usize = 6;
pub const FOOT: usize = 7;
pub const TOE: usize = 8;
pub const SLIDER: usize = 9;
pub const OTHER_ARM: usize = 10;
pub const OTHER_HAND: usize = 12;

/// Numbers without a pattern, from −1 to 1.
pub fn number(seed: usize) -> f64 {
    let x = (seed as f64 * 12.9898 + 4.1414).sin() * 43_758.545_3;
    2.0 * (x - x.floor()) - 1.0
}

pub fn vector(seed: usize) -> Vector3<f64> {
    Vector3::new(number(3 * seed), number(3 * seed + 1), number(3 * seed + 2))
}

pub fn numbers(count: usize, seed: usize, size: f64) -> Vec<f64> {
    (0..count).map(|k| size * number(1000 * seed + k)).collect()
}

/// Balls, hinges, ends, a joint that slides in two coordinates, and an arm tied to the other.
pub fn skeleton() -> Skeleton {
    let hinge = |x: f64, y: f64, z: f64| Turns::Hinge(Unit::new_normalize(Vector3::new(x, y, z)));
    let at = Vector3::new;
    let mut joints = vec![
        Joint::new("root", None, at(0.0, 1.0, 0.0)),
        Joint::new("spine", Some(ROOT), at(0.0, 0.3, 0.02)),
        Joint::new("arm", Some(SPINE), at(0.2, 0.2, 0.0)),
        Joint::new("elbow", Some(ARM), at(0.3, 0.0, 0.01)),
        Joint::new("hand", Some(ELBOW), at(0.25, 0.02, 0.0)),
        Joint::new("hip", Some(ROOT), at(0.1, -0.05, 0.0)),
        Joint::new("knee", Some(5), at(0.0, -0.45, 0.03)),
        Joint::new("foot", Some(KNEE), at(0.0, -0.42, -0.02)),
        Joint::new("toe", Some(FOOT), at(0.0, -0.06, 0.15)),
        Joint::new("slider", Some(SPINE), at(0.0, 0.25, 0.1)),
        Joint::new("other arm", Some(SPINE), at(-0.2, 0.2, 0.0)),
        Joint::new("other elbow", Some(OTHER_ARM), at(-0.3, 0.0, 0.01)),
        Joint::new("other hand", Some(11), at(-0.25, 0.02, 0.0)),
    ];
    joints[ELBOW].turns = hinge(0.1, 1.0, 0.2);
    joints[KNEE].turns = hinge(1.0, 0.0, 0.0);
    joints[HAND].turns = Turns::Fixed;
    joints[TOE].turns = Turns::Fixed;
    joints[OTHER_HAND].turns = Turns::Fixed;
    joints[SLIDER].moves = [true, false, true];
    joints[OTHER_ARM].tie = Some(ARM);
    joints[11].turns = hinge(0.0, -1.0, 0.3);
    joints[11].tie = Some(ELBOW);
    joints[HAND].mass = Some(0.05);
    Skeleton::new(joints).expect("the sample fits together")
}

/// A smooth motion.
pub fn motion(skeleton: &Skeleton, frames: usize) -> Motion {
    let mut motion = Motion::rest(skeleton, frames);
    for frame in 0..frames {
        let t = frame as f64 / 20.0;
        for (j, joint) in skeleton.joints().iter().enumerate() {
            let swing = vector(j) * 0.5 + vector(j + 50) * (2.0 * t + j as f64).sin() * 0.4;
            let rotation = match joint.turns {
                Turns::Fixed => UnitQuaternion::identity(),
                Turns::Hinge(axis) => UnitQuaternion::from_axis_angle(&axis, 0.6 + swing.x),
                Turns::Ball => UnitQuaternion::from_scaled_axis(swing),
            };
            let walk = if j == ROOT { Vector3::new(0.1 * t.sin(), 0.0, t) } else { Vector3::zeros() };
            motion.set(frame, j, rotation, joint.offset + walk);
        }
    }
    motion
}

/// The figure in its motion.
pub fn figure(limits: Vec<Limit>, frames: usize) -> (Figure, Motion) {
    let skeleton = skeleton();
    let motion = motion(&skeleton, frames);
    (Figure::new(skeleton, limits, 1, &motion), motion)
}

/// All freedoms there are.
pub fn freedoms(skeleton: &Skeleton) -> Freedoms {
    Freedoms::new(skeleton, |_| true)
}

/// Central differences: the columns of ∂f/∂x, each as long as f.
pub fn differences(x: &[f64], f: &dyn Fn(&[f64]) -> Vec<f64>) -> Vec<Vec<f64>> {
    let h = 1e-5;
    let along = |k: usize| {
        let at = |s: f64| {
            let mut x = x.to_vec();
            x[k] += s;
            f(&x)
        };
        at(h).iter().zip(at(-h)).map(|(a, b)| (a - b) / (2.0 * h)).collect()
    };
    (0..x.len()).map(along).collect()
}

/// Whether a column of J is the difference quotient of what it is the derivative of, to 1e-6 of the largest.
pub fn assert_derivatives(J: &dyn Fn(usize, usize) -> f64, differences: &[Vec<f64>], what: &str) {
    let largest = differences.iter().flatten().fold(0.0, |largest: f64, value| largest.max(value.abs()));
    assert!(largest > 1e-3, "{what}: nothing moves it");
    for (k, column) in differences.iter().enumerate() {
        for (row, value) in column.iter().enumerate() {
            let off = (J(row, k) - value).abs();
            assert!(off <= 1e-6 * largest, "{what}: row {row} freedom {k}: {} is {value}", J(row, k));
        }
    }
}
