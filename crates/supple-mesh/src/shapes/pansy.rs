//! A pansy: a large bloom on a long stem, a small one on a branch, leaves at its foot.

use super::Shape;
use super::figure::{Cells, Figure};
use crate::implicit::Tube;
use crate::{FillError, Vec3};
use nalgebra::{Similarity3, UnitQuaternion};

const CELLS: Cells = Cells { body: 0.0472, skin: 0.0105 };
/// Where the stems end, and how large the blooms on them are.
const LARGE: (Vec3, f64) = (Vec3::new(0.04, 1.02, 0.0), 1.0);
const SMALL: (Vec3, f64) = (Vec3::new(0.18, 0.62, 0.4), 0.68);
/// How far blooms lean from looking up to looking forward, radians.
const LEAN: f64 = 1.05;

/// A pansy a metre and a quarter high that looks along x, with groups "stem", "branch", "leaves", "bloom", the large one,
/// "small-bloom" and "base", the mound it grows from.
///
/// # Errors
/// None in practice; the signature is that of filling in general.
pub fn pansy() -> Result<Shape, FillError> {
    let mut pansy = Figure::default();
    pansy.part("base", 0.0, Tube::new(&[[0.0, -0.08, 0.0, 0.2]]));
    let stem = [
        [0.0, 0.0, 0.0, 0.045],
        [-0.05, 0.35, 0.0, 0.036],
        [-0.03, 0.7, 0.01, 0.034],
        [0.0, 0.93, 0.0, 0.034],
        [LARGE.0.x, LARGE.0.y, LARGE.0.z, 0.045],
    ];
    pansy.part("stem", 0.04, Tube::new(&stem));
    let branch = [
        [0.02, 0.03, 0.05, 0.04],
        [0.06, 0.24, 0.19, 0.034],
        [0.12, 0.48, 0.33, 0.032],
        [SMALL.0.x, SMALL.0.y, SMALL.0.z, 0.036],
    ];
    pansy.part("branch", 0.03, Tube::new(&branch));
    leaves(&mut pansy);
    bloom(&mut pansy, "bloom", LARGE);
    bloom(&mut pansy, "small-bloom", SMALL);
    pansy.shape(CELLS)
}

fn leaves(pansy: &mut Figure) {
    for (angle, length) in [(1.2_f64, 0.34), (2.6, 0.4), (4.1, 0.36), (5.6, 0.3)] {
        let at =
            |along: f64, y: f64, r: f64| [length * along * angle.cos(), y, -length * along * angle.sin(), r];
        let leaf = [at(0.2, 0.06, 0.03), at(0.5, 0.17, 0.065), at(0.8, 0.22, 0.075), at(1.15, 0.2, 0.025)];
        let up = Vec3::new(-0.3 * angle.cos(), 1.0, 0.3 * angle.sin());
        pansy.part("leaves", 0.03, Tube::flat(&leaf, up, 0.25));
    }
}

/// Five petals that look along x: two above, behind the others, two at the sides, a broad one below.
fn bloom(pansy: &mut Figure, name: &str, (at, size): (Vec3, f64)) {
    // The petals lie across y, the first along x; the bloom leans over from there.
    let place = Similarity3::from_parts(at.into(), UnitQuaternion::new(-Vec3::z() * LEAN), size);
    let petal = |length: f64, width: f64, height: f64| {
        let knots = [
            [0.03, height, 0.0, 0.045],
            [0.45 * length, height + 0.03, 0.0, 0.75 * width],
            [0.8 * length, height + 0.03, 0.0, width],
            [length, height, 0.0, 0.6 * width],
        ];
        Tube::flat(&knots, Vec3::y(), 0.2)
    };
    // Turns from the lower edge of the bloom on.
    let petals = [(2.55, 0.235, 0.12, -0.012), (-2.55, 0.235, 0.12, -0.012)].into_iter().chain([
        (1.3, 0.225, 0.115, 0.018),
        (-1.3, 0.225, 0.115, 0.018),
        (0.0, 0.235, 0.145, 0.03),
    ]);
    for (angle, length, width, height) in petals {
        let turn = UnitQuaternion::new(Vec3::y() * angle);
        pansy.part(name, 0.012 * size, petal(length, width, height).placed(&(place * turn)));
    }
    // The eye of the face.
    pansy.detail(0.01, Tube::new(&[[0.0, 0.058, 0.0, 0.032]]).placed(&place));
}
