//! A Tyrannosaurus rex on its two feet, jaws open, tail held out.

use super::Shape;
use super::figure::{Cells, Figure};
use crate::implicit::Tube;
use crate::{FillError, Vec3};

const CELLS: Cells = Cells { body: 0.0617, skin: 0.012 };

/// A T. rex two metres long, with groups "head", "jaw", "tail", "left-foot", "right-foot" and both
/// of them as "feet", which hold it to the ground.
///
/// # Errors
/// None in practice; the signature is that of filling in general.
pub fn t_rex() -> Result<Shape, FillError> {
    let mut rex = Figure::default();
    trunk(&mut rex);
    head(&mut rex);
    legs(&mut rex);
    arms(&mut rex);
    rex.unite("feet", ["left-foot", "right-foot"]);
    rex.shape(CELLS)
}

/// Higher than wide.
fn narrow(knots: &[[f64; 4]], ratio: f64) -> Tube {
    Tube::flat(knots, Vec3::z(), ratio)
}

fn trunk(rex: &mut Figure) {
    let torso = [
        [-0.34, 0.68, 0.0, 0.12],
        [-0.12, 0.67, 0.0, 0.142],
        [0.10, 0.67, 0.0, 0.155],
        [0.28, 0.75, 0.0, 0.132],
        [0.39, 0.88, 0.0, 0.098],
        [0.45, 1.0, 0.0, 0.088],
    ];
    rex.part("body", 0.0, narrow(&torso, 0.78));
    let tail = [
        [-0.30, 0.68, 0.0, 0.125],
        [-0.55, 0.68, 0.0, 0.09],
        [-0.8, 0.71, 0.0, 0.058],
        [-1.05, 0.77, 0.0, 0.033],
        [-1.28, 0.86, 0.0, 0.008],
    ];
    rex.part("tail", 0.05, narrow(&tail, 0.85));
}

fn head(rex: &mut Figure) {
    let skull = [
        [0.47, 1.07, 0.0, 0.08],
        [0.56, 1.09, 0.0, 0.112],
        [0.68, 1.08, 0.0, 0.096],
        [0.80, 1.065, 0.0, 0.08],
        [0.91, 1.05, 0.0, 0.066],
    ];
    rex.part("head", 0.06, narrow(&skull, 0.8));
    let jaw =
        [[0.47, 1.0, 0.0, 0.08], [0.59, 0.915, 0.0, 0.06], [0.71, 0.85, 0.0, 0.05], [0.81, 0.82, 0.0, 0.038]];
    rex.part("jaw", 0.03, narrow(&jaw, 0.9));
    // Brows, eyes and nostrils.
    rex.details(
        0.03,
        Tube::new(&[[0.54, 1.17, 0.055, 0.02], [0.62, 1.175, 0.06, 0.028], [0.68, 1.15, 0.055, 0.012]]),
    );
    rex.details(0.004, Tube::new(&[[0.625, 1.138, 0.078, 0.022]]));
    rex.grooves(0.01, Tube::new(&[[0.945, 1.09, 0.032, 0.013]]));
    // Teeth along the upper and the lower jaw, the longest in the middle.
    for (x, y, z, length) in [
        (0.67, 1.0, 0.045, 0.02),
        (0.72, 0.995, 0.045, 0.03),
        (0.775, 0.995, 0.045, 0.035),
        (0.83, 0.99, 0.04, 0.03),
        (0.885, 0.99, 0.032, 0.025),
    ] {
        rex.details(0.004, Tube::new(&[[x, y + 0.01, z, 0.018], [x, y - length, z, 0.006]]));
    }
    for (x, y, z, length) in [
        (0.67, 0.91, 0.03, 0.02),
        (0.72, 0.885, 0.03, 0.025),
        (0.765, 0.87, 0.028, 0.025),
        (0.81, 0.85, 0.02, 0.02),
    ] {
        rex.details(0.004, Tube::new(&[[x, y - 0.01, z, 0.016], [x + 0.01, y + length, z, 0.006]]));
    }
}

fn legs(rex: &mut Figure) {
    let thigh = [[-0.1, 0.64, 0.1, 0.125], [-0.02, 0.52, 0.14, 0.108], [0.08, 0.4, 0.16, 0.088]];
    rex.pair("leg", 0.06, Tube::new(&thigh));
    let shin = [
        [0.09, 0.41, 0.16, 0.08],
        [0.02, 0.29, 0.16, 0.072],
        [-0.07, 0.18, 0.16, 0.05],
        [-0.03, 0.06, 0.16, 0.05],
    ];
    rex.pair("leg", 0.03, Tube::new(&shin));
    rex.pair(
        "foot",
        0.03,
        Tube::flat(&[[-0.05, 0.04, 0.16, 0.06], [0.06, 0.035, 0.16, 0.065]], Vec3::y(), 0.8),
    );
    for (x, z) in [(0.16, 0.09), (0.19, 0.16), (0.16, 0.23)] {
        let toe = [[0.04, 0.035, 0.16 + (z - 0.16) * 0.4, 0.04], [x, 0.025, z, 0.028]];
        rex.pair("foot", 0.02, Tube::new(&toe));
        let out = (z - 0.16) * 0.25;
        rex.details(0.008, Tube::new(&[[x, 0.028, z, 0.022], [x + 0.05, 0.012, z + out, 0.003]]));
    }
}

fn arms(rex: &mut Figure) {
    let arm = [
        [0.3, 0.72, 0.11, 0.05],
        [0.32, 0.62, 0.15, 0.036],
        [0.4, 0.57, 0.155, 0.026],
        [0.44, 0.565, 0.15, 0.022],
    ];
    rex.pair("arm", 0.03, Tube::new(&arm));
    for z in [0.135, 0.165] {
        rex.details(
            0.008,
            Tube::new(&[[0.44, 0.565, z, 0.015], [0.48, 0.55, z, 0.010], [0.495, 0.525, z, 0.002]]),
        );
    }
}
