//! A young dinosaur on two thick legs, made to walk.

use super::Shape;
use super::figure::{Cells, Figure};
use crate::implicit::Tube;
use crate::{FillError, Vec3};

const CELLS: Cells = Cells { body: 0.073, skin: 0.0125 };

/// A young dinosaur a metre and a quarter high, upright on two legs, with groups "head", "tail", "left-foot", "right-foot"
/// and both of them as "feet".
///
/// # Errors
/// None in practice; the signature is that of filling in general.
pub fn biped() -> Result<Shape, FillError> {
    let mut biped = Figure::default();
    trunk(&mut biped);
    head(&mut biped);
    legs(&mut biped);
    arms(&mut biped);
    biped.unite("feet", ["left-foot", "right-foot"]);
    biped.shape(CELLS)
}

fn trunk(biped: &mut Figure) {
    let torso = [
        [-0.12, 0.60, 0.0, 0.18],
        [-0.01, 0.66, 0.0, 0.215],
        [0.07, 0.82, 0.0, 0.18],
        [0.10, 0.98, 0.0, 0.125],
        [0.12, 1.08, 0.0, 0.1],
    ];
    biped.part("body", 0.0, Tube::flat(&torso, Vec3::z(), 0.95));
    let tail = [
        [-0.16, 0.58, 0.0, 0.15],
        [-0.42, 0.47, 0.0, 0.105],
        [-0.68, 0.42, 0.0, 0.07],
        [-0.92, 0.44, 0.0, 0.045],
        [-1.08, 0.5, 0.0, 0.02],
    ];
    biped.part("tail", 0.06, Tube::new(&tail));
    // Plates down the back.
    for (x, y, r) in [
        (0.015, 1.06, 0.035),
        (-0.045, 0.96, 0.042),
        (-0.115, 0.84, 0.048),
        (-0.24, 0.72, 0.048),
        (-0.36, 0.605, 0.042),
        (-0.5, 0.54, 0.036),
        (-0.64, 0.49, 0.03),
    ] {
        biped
            .detail(0.01, Tube::flat(&[[x, y, 0.0, r], [x - 0.02, y + 0.03, 0.0, 0.5 * r]], Vec3::z(), 0.45));
    }
}

fn head(biped: &mut Figure) {
    let skull =
        [[0.1, 1.17, 0.0, 0.125], [0.2, 1.19, 0.0, 0.13], [0.32, 1.155, 0.0, 0.1], [0.41, 1.135, 0.0, 0.08]];
    biped.part("head", 0.05, Tube::new(&skull));
    biped.details(0.006, Tube::new(&[[0.265, 1.25, 0.085, 0.036]]));
    biped.details(0.02, Tube::new(&[[0.22, 1.295, 0.08, 0.018], [0.29, 1.29, 0.085, 0.016]]));
    biped.grooves(0.01, Tube::new(&[[0.475, 1.165, 0.03, 0.013]]));
    let mouth = [
        [0.5, 1.1, 0.0, 0.013],
        [0.46, 1.098, 0.055, 0.013],
        [0.36, 1.105, 0.09, 0.013],
        [0.27, 1.135, 0.115, 0.01],
    ];
    biped.grooves(0.008, Tube::new(&mouth));
}

fn legs(biped: &mut Figure) {
    let leg = [
        [-0.05, 0.56, 0.11, 0.15],
        [0.03, 0.40, 0.15, 0.115],
        [-0.01, 0.22, 0.155, 0.088],
        [-0.01, 0.10, 0.155, 0.085],
    ];
    biped.pair("leg", 0.06, Tube::new(&leg));
    let foot = [[-0.03, 0.05, 0.155, 0.088], [0.12, 0.04, 0.16, 0.095]];
    biped.pair("foot", 0.03, Tube::flat(&foot, Vec3::y(), 0.75));
    for z in [0.095, 0.16, 0.225] {
        let ahead = 0.2 - 0.5 * (z - 0.16_f64).abs();
        biped.details(0.012, Tube::new(&[[ahead - 0.03, 0.035, z, 0.03], [ahead + 0.02, 0.02, z, 0.018]]));
    }
}

fn arms(biped: &mut Figure) {
    let arm = [
        [0.1, 0.9, 0.13, 0.055],
        [0.15, 0.8, 0.19, 0.045],
        [0.24, 0.75, 0.18, 0.04],
        [0.28, 0.76, 0.16, 0.038],
    ];
    biped.pair("arm", 0.03, Tube::new(&arm));
    for z in [0.135, 0.165, 0.195] {
        biped.details(0.006, Tube::new(&[[0.29, 0.755, z, 0.014], [0.33, 0.745, z, 0.008]]));
    }
}
