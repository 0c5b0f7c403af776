//! A laughing Buddha, seated, whose belly is made to shake.

use super::figure::{Cells, Figure};
use super::{Shape, where_at};
use crate::implicit::Tube;
use crate::{FillError, Vec3};

const CELLS: Cells = Cells { body: 0.0431, skin: 0.016 };
/// What is within so many metres of the ground sits on it.
const SEAT: f64 = 0.03;

/// A Buddha a metre and a quarter high who looks along x, with groups "base", which he sits on, "belly", the front of it,
/// "head", "left-arm", "right-arm" and "legs".
///
/// # Errors
/// None in practice; the signature is that of filling in general.
pub fn buddha() -> Result<Shape, FillError> {
    let mut buddha = Figure::default();
    // The belly hangs over the legs.
    let body = [
        [-0.05, 0.22, 0.0, 0.36],
        [0.02, 0.42, 0.0, 0.37],
        [-0.04, 0.66, 0.0, 0.29],
        [-0.07, 0.80, 0.0, 0.22],
    ];
    buddha.part("body", 0.0, Tube::flat(&body, Vec3::x(), 0.9));
    buddha.part(
        "paunch",
        0.12,
        Tube::flat(&[[0.14, 0.36, 0.0, 0.30], [0.15, 0.40, 0.0, 0.29]], Vec3::x(), 0.95),
    );
    head(&mut buddha);
    arms(&mut buddha);
    legs(&mut buddha);
    let mut shape = buddha.shape(CELLS)?;
    let places = shape.body.positions();
    let base = where_at(places, |p| p.y < SEAT);
    let belly = where_at(places, |p| {
        let off = Vec3::new(0.0, p.y - 0.40, p.z);
        p.x > 0.25 && off.norm() < 0.22
    });
    shape.groups.add("base", base);
    shape.groups.add("belly", belly);
    Ok(shape)
}

fn head(buddha: &mut Figure) {
    buddha.part("head", 0.05, Tube::new(&[[-0.03, 0.98, 0.0, 0.165], [-0.02, 1.07, 0.0, 0.16]]));
    // Cheeks, nose, chin, long ears.
    buddha.details(0.05, Tube::new(&[[0.085, 0.985, 0.075, 0.062]]));
    buddha.detail(0.02, Tube::new(&[[0.135, 1.075, 0.0, 0.018], [0.16, 1.025, 0.0, 0.03]]));
    buddha.details(0.01, Tube::new(&[[0.14, 1.015, 0.024, 0.018]]));
    buddha.detail(0.05, Tube::new(&[[0.085, 0.89, 0.0, 0.06]]));
    buddha.details(
        0.015,
        Tube::new(&[[-0.03, 1.09, 0.165, 0.03], [-0.035, 1.02, 0.18, 0.034], [-0.03, 0.92, 0.178, 0.036]]),
    );
    // Eyes that are closed by laughing, brows, and the laughing mouth.
    buddha.grooves(
        0.008,
        Tube::new(&[[0.125, 1.075, 0.035, 0.011], [0.125, 1.09, 0.062, 0.012], [0.098, 1.077, 0.095, 0.011]]),
    );
    buddha.details(
        0.015,
        Tube::new(&[[0.125, 1.125, 0.03, 0.012], [0.115, 1.14, 0.065, 0.013], [0.08, 1.125, 0.1, 0.01]]),
    );
    buddha.grooves(
        0.01,
        Tube::new(&[[0.15, 0.945, 0.0, 0.026], [0.142, 0.955, 0.035, 0.022], [0.115, 0.985, 0.078, 0.012]]),
    );
    // The knot of his hair.
    buddha.detail(0.03, Tube::new(&[[-0.05, 1.22, 0.0, 0.06]]));
}

fn arms(buddha: &mut Figure) {
    let arm = [
        [-0.08, 0.80, 0.20, 0.12],
        [-0.02, 0.62, 0.40, 0.115],
        [0.14, 0.40, 0.50, 0.10],
        [0.32, 0.33, 0.44, 0.085],
    ];
    buddha.pair("arm", 0.05, Tube::new(&arm));
    // Hands on the knees, with fingers.
    buddha.details(0.02, Tube::new(&[[0.36, 0.325, 0.42, 0.07]]));
    for k in 0..4 {
        let z = 0.365 + 0.035 * f64::from(k);
        buddha.details(0.01, Tube::new(&[[0.39, 0.325, z, 0.02], [0.46, 0.27, z - 0.01, 0.018]]));
    }
    // The chest, and what a laughing Buddha has of a navel.
    buddha.details(0.05, Tube::new(&[[0.14, 0.70, 0.11, 0.09]]));
    buddha.grooves(0.015, Tube::new(&[[0.47, 0.40, 0.0, 0.02]]));
}

fn legs(buddha: &mut Figure) {
    // Crossed: the shin lies in front of the belly.
    let thigh = [[-0.02, 0.16, 0.22, 0.17], [0.16, 0.155, 0.46, 0.155], [0.30, 0.14, 0.52, 0.135]];
    buddha.pair("thigh", 0.05, Tube::new(&thigh));
    let shin = [[0.32, 0.125, 0.50, 0.125], [0.47, 0.105, 0.30, 0.10], [0.52, 0.09, 0.06, 0.085]];
    buddha.pair("shin", 0.04, Tube::new(&shin));
    buddha.unite("legs", ["left-thigh", "right-thigh", "left-shin", "right-shin"]);
    for k in 0..4 {
        let z = 0.02 + 0.03 * f64::from(k);
        buddha.details(0.008, Tube::new(&[[0.56, 0.10 - 0.004 * f64::from(k), z, 0.022]]));
    }
}
