//! An elephant, and its walk as a rig of eight bones would have it.

use super::Shape;
use super::figure::{Cells, Figure};
use crate::implicit::Tube;
use crate::{FillError, Vec3};
use nalgebra::Rotation3;
use std::f64::consts::TAU;

const CELLS: Cells = Cells { body: 0.1085, skin: 0.0252 };

/// An elephant two metres high that looks along x, with groups "body", "head", "trunk", "tail", "left-ear", "right-ear", and
/// four legs and feet as "left-front-leg" and so on.
///
/// # Errors
/// None in practice; the signature is that of filling in general.
pub fn elephant() -> Result<Shape, FillError> {
    let mut elephant = Figure::default();
    let body = [
        [-0.82, 1.2, 0.0, 0.34],
        [-0.45, 1.2, 0.0, 0.48],
        [0.0, 1.16, 0.0, 0.52],
        [0.42, 1.24, 0.0, 0.46],
        [0.7, 1.36, 0.0, 0.34],
    ];
    elephant.part("body", 0.0, Tube::flat(&body, Vec3::z(), 0.88));
    elephant.part("head", 0.12, Tube::new(&[[0.86, 1.52, 0.0, 0.3], [1.04, 1.46, 0.0, 0.27]]));
    elephant.part("trunk", 0.1, Tube::new(&TRUNK));
    let tail = [[-1.1, 1.36, 0.0, 0.06], [-1.27, 1.1, 0.0, 0.05], [-1.3, 0.85, 0.0, 0.05]];
    elephant.part("tail", 0.05, Tube::new(&tail));
    let ear = [
        [0.86, 1.62, 0.3, 0.15],
        [0.72, 1.5, 0.46, 0.28],
        [0.68, 1.28, 0.48, 0.24],
        [0.74, 1.08, 0.42, 0.09],
    ];
    elephant.pair("ear", 0.06, Tube::flat(&ear, Vec3::new(0.55, 0.0, 0.8), 0.2));
    legs(&mut elephant);
    face(&mut elephant);
    elephant.shape(CELLS)
}

/// The trunk from the head down.
const TRUNK: [[f64; 4]; 5] = [
    [1.2, 1.38, 0.0, 0.19],
    [1.4, 1.12, 0.0, 0.145],
    [1.46, 0.84, 0.0, 0.12],
    [1.48, 0.58, 0.0, 0.1],
    [1.58, 0.38, 0.0, 0.085],
];

fn legs(elephant: &mut Figure) {
    let front = [
        [0.46, 1.1, 0.24, 0.25],
        [0.48, 0.74, 0.28, 0.19],
        [0.47, 0.4, 0.28, 0.165],
        [0.47, 0.16, 0.28, 0.165],
    ];
    let hind = [
        [-0.6, 1.1, 0.22, 0.28],
        [-0.56, 0.74, 0.27, 0.21],
        [-0.62, 0.4, 0.28, 0.165],
        [-0.62, 0.16, 0.28, 0.165],
    ];
    for (place, knots, x) in [("front", front, 0.48), ("hind", hind, -0.61)] {
        elephant.pair(&format!("{place}-leg"), 0.08, Tube::new(&knots));
        let foot = [[x, 0.14, 0.28, 0.17], [x + 0.02, 0.04, 0.28, 0.19]];
        elephant.pair(&format!("{place}-foot"), 0.02, Tube::new(&foot));
        for turn in [-0.7_f64, 0.0, 0.7] {
            let (ahead, out) = (0.17 * turn.cos(), 0.17 * turn.sin());
            elephant.details(0.01, Tube::new(&[[x + 0.02 + ahead, 0.04, 0.28 + out, 0.04]]));
        }
    }
}

/// Eyes and tusks.
fn face(elephant: &mut Figure) {
    elephant.details(0.01, Tube::new(&[[1.17, 1.57, 0.195, 0.042]]));
    let tusk = [[1.16, 1.24, 0.15, 0.055], [1.34, 1.02, 0.2, 0.045], [1.52, 0.98, 0.2, 0.02]];
    elephant.details(0.01, Tube::new(&tusk));
}

/// Where a rig has the points of the elephant in a part of its stride, from 0 to 1: diagonal legs swing together, the head
/// nods, the trunk sways, the ears flap; `share` is how much of it there is.
#[must_use]
pub fn elephant_stride(points: &[Vec3], phase: f64, share: f64) -> Vec<Vec3> {
    points.iter().map(|p| strode(p, phase * TAU, share)).collect()
}

fn strode(p: &Vec3, phase: f64, share: f64) -> Vec3 {
    let mut x = *p;
    let about =
        |x: Vec3, joint: Vec3, axis: Vec3, angle: f64| Rotation3::new(axis * angle) * (x - joint) + joint;
    // A leg: hip, then knee. Weights fade wide over the belly, which swings little, and sharply between the legs.
    let belly = ramp((p.y - 0.5) / 0.2);
    for (hip, ahead, side) in [(0.46, 0.0, 1.0), (0.46, 0.5, -1.0), (-0.6, 0.5, 1.0), (-0.6, 0.0, -1.0)] {
        let swing = phase + TAU * ahead;
        let between = ramp((side * p.z + 0.02) / (0.12 + 0.2 * belly));
        let near = ramp((0.47 - (p.x - hip).abs()) / 0.32) * between;
        let leg = near * ramp((0.9 - p.y) / 0.4);
        let shin = near * ramp((0.6 - p.y) / 0.3);
        let joint = Vec3::new(hip, 0.85, 0.26 * side);
        let knee = Vec3::new(hip, 0.5, 0.26 * side);
        let bend = -0.45 * share * swing.cos().max(0.0);
        x = about(x, knee, Vec3::z(), shin * bend);
        x = about(x, joint, Vec3::z(), leg * 0.4 * share * swing.sin());
    }
    let head = ramp((p.x - 0.72) / 0.3);
    x = about(x, Vec3::new(0.75, 1.4, 0.0), Vec3::z(), head * 0.1 * share * (2.0 * phase).sin());
    // The trunk bends all along.
    let trunk = ramp((p.x - 1.12) / 0.1) * ((1.35 - p.y) / 0.9).clamp(0.0, 1.0);
    let top = Vec3::new(1.25, 1.35, 0.0);
    x = about(x, top, Vec3::z(), trunk * 0.45 * share * phase.sin());
    x = about(x, top, Vec3::x(), trunk * 0.35 * share * phase.cos());
    // An ear lies in a plane that the shoulder beside it stays behind.
    let out = p.z.abs();
    let ear =
        ramp((0.55 * p.x + 0.8 * out - 0.64) / 0.08) * ramp((0.92 - p.x) / 0.3) * ramp((out - 0.28) / 0.12);
    let root = Vec3::new(0.92, 1.4, 0.3 * p.z.signum());
    about(x, root, Vec3::y(), ear * 0.12 * share * p.z.signum() * (phase + 1.0).sin())
}

/// From 0 to 1, smoothly.
fn ramp(s: f64) -> f64 {
    let s = s.clamp(0.0, 1.0);
    s * s * (3.0 - 2.0 * s)
}
