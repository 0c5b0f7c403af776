//! A fish in mid-water: a deep body, a forked tail, fins that stand off.

use super::Shape;
use super::figure::{Cells, Figure};
use crate::implicit::Tube;
use crate::{FillError, Vec3};

const CELLS: Cells = Cells { body: 0.0715, skin: 0.0105 };
/// The height of its middle: nothing of it touches the ground.
const MIDDLE: f64 = 0.5;

/// A fish a metre and a third long, in the air, with groups "body", "tail", "back-fin", "belly-fin", "left-fin", "right-fin",
/// and all fins but the tail as "fins".
///
/// # Errors
/// None in practice; the signature is that of filling in general.
pub fn fish() -> Result<Shape, FillError> {
    let mut fish = Figure::default();
    let at = |x: f64, y: f64, r: f64| [x, MIDDLE + y, 0.0, r];
    let body = [
        at(0.56, -0.01, 0.05),
        at(0.46, 0.0, 0.12),
        at(0.26, 0.01, 0.19),
        at(0.02, 0.01, 0.2),
        at(-0.24, 0.0, 0.135),
        at(-0.48, 0.0, 0.075),
        at(-0.56, 0.0, 0.065),
    ];
    fish.part("body", 0.0, Tube::flat(&body, Vec3::z(), 0.55));
    for side in [1.0, -1.0] {
        let lobe = [
            at(-0.52, 0.01 * side, 0.06),
            at(-0.64, 0.1 * side, 0.075),
            at(-0.76, 0.2 * side, 0.06),
            at(-0.84, 0.27 * side, 0.025),
        ];
        fish.part("tail", 0.03, Tube::flat(&lobe, Vec3::z(), 0.3));
    }
    let back = [at(0.2, 0.17, 0.05), at(0.06, 0.25, 0.075), at(-0.1, 0.25, 0.06), at(-0.22, 0.2, 0.025)];
    fish.part("back-fin", 0.03, Tube::flat(&back, Vec3::z(), 0.35));
    let belly = [at(-0.14, -0.13, 0.045), at(-0.24, -0.2, 0.055), at(-0.34, -0.23, 0.025)];
    fish.part("belly-fin", 0.03, Tube::flat(&belly, Vec3::z(), 0.35));
    let side = [
        [0.24, MIDDLE - 0.06, 0.09, 0.045],
        [0.16, MIDDLE - 0.1, 0.2, 0.062],
        [0.06, MIDDLE - 0.14, 0.31, 0.055],
        [0.0, MIDDLE - 0.16, 0.37, 0.025],
    ];
    fish.pair("fin", 0.03, Tube::flat(&side, Vec3::new(0.2, 1.0, 0.3), 0.3));
    fish.unite("fins", ["back-fin", "belly-fin", "left-fin", "right-fin"]);
    face(&mut fish);
    rays(&mut fish);
    fish.shape(CELLS)
}

/// Eyes, gills and mouth.
fn face(fish: &mut Figure) {
    fish.details(0.006, Tube::new(&[[0.43, MIDDLE + 0.05, 0.058, 0.03]]));
    fish.grooves(0.006, Tube::new(&[[0.45, MIDDLE + 0.052, 0.088, 0.011]]));
    let gill = [
        [0.31, MIDDLE + 0.11, 0.075, 0.011],
        [0.27, MIDDLE + 0.02, 0.105, 0.011],
        [0.31, MIDDLE - 0.09, 0.085, 0.011],
    ];
    fish.grooves(0.006, Tube::new(&gill));
    let mouth = [[0.615, MIDDLE - 0.02, 0.0, 0.012], [0.57, MIDDLE - 0.04, 0.03, 0.011]];
    fish.grooves(0.006, Tube::new(&mouth));
}

/// The rays of the tail.
fn rays(fish: &mut Figure) {
    for side in [1.0, -1.0] {
        for k in 0..4 {
            let spread = f64::from(k) * 0.06;
            let ray = [
                [-0.62, MIDDLE + side * (0.06 + 0.5 * spread), 0.026, 0.008],
                [-0.76, MIDDLE + side * (0.11 + spread), 0.022, 0.008],
            ];
            fish.grooves(0.006, Tube::new(&ray));
        }
    }
}
