//! A sauropod: four pillar legs, a long neck, a long tail.

use super::Shape;
use super::figure::{Cells, Figure};
use crate::implicit::Tube;
use crate::{FillError, Vec3};

const CELLS: Cells = Cells { body: 0.089, skin: 0.0145 };
/// The same for less than 1,500 tets.
const COARSE: Cells = Cells { body: 0.15, skin: 0.03 };

/// A sauropod three metres long, with groups "head", "neck", "tail" and, as "feet", its four feet,
/// which hold it to the ground.
///
/// # Errors
/// None in practice; the signature is that of filling in general.
pub fn dinosaur() -> Result<Shape, FillError> {
    figure().shape(CELLS)
}

/// The same of coarser tets.
///
/// # Errors
/// None in practice; the signature is that of filling in general.
pub fn coarse_dinosaur() -> Result<Shape, FillError> {
    figure().shape(COARSE)
}

fn figure() -> Figure {
    let mut dinosaur = Figure::default();
    trunk(&mut dinosaur);
    head(&mut dinosaur);
    legs(&mut dinosaur);
    dinosaur.unite("feet", ["left-front-foot", "right-front-foot", "left-hind-foot", "right-hind-foot"]);
    dinosaur
}

fn trunk(dinosaur: &mut Figure) {
    let back = Tube::flat(
        &[
            [-1.62, 0.52, 0.0, 0.01],
            [-1.3, 0.43, 0.0, 0.045],
            [-1.0, 0.44, 0.0, 0.075],
            [-0.68, 0.55, 0.0, 0.12],
            [-0.36, 0.66, 0.0, 0.2],
            [0.0, 0.7, 0.0, 0.25],
            [0.34, 0.74, 0.0, 0.19],
            [0.58, 0.9, 0.0, 0.12],
            [0.74, 1.13, 0.0, 0.095],
            [0.85, 1.38, 0.0, 0.083],
            [0.97, 1.55, 0.0, 0.075],
        ],
        Vec3::z(),
        0.9,
    );
    dinosaur.part("tail", 0.0, back.piece(0, 4));
    dinosaur.part("body", 0.0, back.piece(4, 6));
    dinosaur.part("neck", 0.0, back.piece(6, 10));
}

fn head(dinosaur: &mut Figure) {
    let skull = [
        [0.96, 1.57, 0.0, 0.085],
        [1.07, 1.575, 0.0, 0.095],
        [1.2, 1.53, 0.0, 0.078],
        [1.28, 1.505, 0.0, 0.066],
    ];
    dinosaur.part("head", 0.05, Tube::new(&skull));
    // Brow, eyes, nostrils, and the mouth drawn round the muzzle.
    dinosaur.detail(
        0.03,
        Tube::new(&[[1.0, 1.645, 0.0, 0.035], [1.1, 1.645, 0.0, 0.035], [1.15, 1.62, 0.0, 0.03]]),
    );
    dinosaur.details(0.006, Tube::new(&[[1.12, 1.602, 0.076, 0.031]]));
    dinosaur.grooves(0.012, Tube::new(&[[1.305, 1.56, 0.03, 0.015]]));
    let mouth = [
        [1.35, 1.475, 0.0, 0.016],
        [1.32, 1.478, 0.045, 0.016],
        [1.25, 1.49, 0.068, 0.016],
        [1.17, 1.51, 0.084, 0.015],
        [1.1, 1.545, 0.092, 0.012],
    ];
    dinosaur.grooves(0.008, Tube::new(&mouth));
}

fn legs(dinosaur: &mut Figure) {
    let front = [
        [0.22, 0.66, 0.1, 0.13],
        [0.29, 0.42, 0.155, 0.1],
        [0.27, 0.22, 0.17, 0.085],
        [0.28, 0.1, 0.17, 0.085],
    ];
    dinosaur.pair("front-leg", 0.06, Tube::new(&front));
    let hind = [
        [-0.3, 0.64, 0.1, 0.15],
        [-0.22, 0.42, 0.16, 0.115],
        [-0.29, 0.22, 0.18, 0.088],
        [-0.29, 0.1, 0.18, 0.088],
    ];
    dinosaur.pair("hind-leg", 0.06, Tube::new(&hind));
    for (name, x, z) in [("front-foot", 0.29, 0.17), ("hind-foot", -0.28, 0.18)] {
        dinosaur.pair(name, 0.02, Tube::new(&[[x, 0.08, z, 0.088], [x + 0.015, 0.02, z, 0.1]]));
        for turn in [-0.65_f64, 0.0, 0.65] {
            let (ahead, out) = (0.098 * turn.cos(), 0.098 * turn.sin());
            let nail = [
                [x + 0.015 + ahead, 0.02, z + out, 0.028],
                [x + 0.015 + ahead * 1.15, 0.01, z + out * 1.15, 0.024],
            ];
            dinosaur.details(0.006, Tube::new(&nail));
        }
    }
}
