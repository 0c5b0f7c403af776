//! A flower: a curved stem with two leaves, and a ring of petals around a disc of florets.

use super::Shape;
use super::figure::{Cells, Figure};
use crate::implicit::Tube;
use crate::{FillError, Vec3};
use nalgebra::{Similarity3, UnitQuaternion};
use std::f64::consts::{PI, TAU};

const CELLS: Cells = Cells { body: 0.0575, skin: 0.012 };
const PETALS: usize = 9;
/// Where the stem ends and the flower begins.
const TOP: Vec3 = Vec3::new(0.06, 1.18, 0.06);
/// How far the flower leans from looking up to looking forward, radians.
const LEAN: f64 = 1.0;

/// A flower over a metre high, with groups "stem", "leaves", "petals", "disc" and "base", the mound
/// it grows from.
///
/// # Errors
/// None in practice; the signature is that of filling in general.
pub fn flower() -> Result<Shape, FillError> {
    let mut flower = Figure::default();
    flower.part("base", 0.0, Tube::new(&[[0.0, -0.07, 0.0, 0.18]]));
    let stem = [
        [0.0, 0.0, 0.0, 0.035],
        [-0.05, 0.35, 0.0, 0.03],
        [0.03, 0.75, -0.06, 0.027],
        [0.06, 1.08, -0.02, 0.027],
        [TOP.x, TOP.y, TOP.z, 0.04],
    ];
    flower.part("stem", 0.04, Tube::new(&stem));
    leaves(&mut flower);
    blossom(&mut flower);
    flower.shape(CELLS)
}

fn leaves(flower: &mut Figure) {
    let leaf = |side: f64, height: f64| {
        let at = |x: f64, y: f64, z: f64, r: f64| [-0.04 + side * x, height + y, z, r];
        [
            at(0.0, 0.0, 0.0, 0.02),
            at(0.1, 0.12, 0.02, 0.06),
            at(0.24, 0.21, 0.05, 0.085),
            at(0.38, 0.22, 0.07, 0.055),
            at(0.48, 0.17, 0.08, 0.02),
        ]
    };
    for (side, height) in [(1.0, 0.22), (-1.0, 0.4)] {
        flower.part("leaves", 0.03, Tube::flat(&leaf(side, height), Vec3::new(-0.4 * side, 1.0, 0.5), 0.22));
    }
}

fn blossom(flower: &mut Figure) {
    let place = Similarity3::new(TOP, Vec3::x() * LEAN, 1.0);
    let petal = Tube::flat(
        &[
            [0.06, 0.01, 0.0, 0.03],
            [0.16, 0.04, 0.0, 0.052],
            [0.28, 0.06, 0.0, 0.088],
            [0.36, 0.055, 0.0, 0.08],
            [0.42, 0.03, 0.0, 0.03],
        ],
        Vec3::y(),
        0.2,
    );
    for i in 0..PETALS {
        let turn = UnitQuaternion::from_axis_angle(&Vec3::y_axis(), TAU * i as f64 / PETALS as f64);
        flower.part("petals", 0.025, petal.placed(&(place * turn)));
    }
    let disc = Tube::flat(&[[0.0, 0.045, 0.0, 0.125]], Vec3::y(), 0.5);
    flower.part("disc", 0.02, disc.placed(&place));
    // Florets on a sunflower's spiral: each a golden angle on from the one before.
    for i in 0..60 {
        let (r, angle) = (0.108 * (f64::from(i) / 60.0).sqrt(), f64::from(i) * PI * (3.0 - 5_f64.sqrt()));
        let height = 0.045 + 0.0625 * (1.0 - (r / 0.125).powi(4)).sqrt();
        let floret = Tube::new(&[[r * angle.cos(), height, r * angle.sin(), 0.011]]);
        flower.detail(0.004, floret.placed(&place));
    }
}
