//! A long dragon of the eastern kind: a winding body on four clawed feet, a maned head with antlers
//! and whiskers, its mouth open.

use super::Shape;
use super::figure::{Cells, Figure};
use crate::implicit::Tube;
use crate::{FillError, Vec3};
use nalgebra::Similarity3;

const CELLS: Cells = Cells { body: 0.044, skin: 0.016 };

/// A dragon four metres long, with groups "head", "jaw", "neck", "body", "tail", "whiskers",
/// "antlers" and, as "feet", its four feet, which hold it to the ground.
///
/// # Errors
/// None in practice; the signature is that of filling in general.
pub fn dragon() -> Result<Shape, FillError> {
    let mut dragon = Figure::default();
    spine(&mut dragon);
    let place =
        |x: f64, y: f64, z: f64, turn: Vec3, scale: f64| Similarity3::new(Vec3::new(x, y, z), turn, scale);
    legs(&mut dragon, "hind", &place(-0.78, 0.0, -0.24, Vec3::y() * 0.35, 1.0));
    legs(&mut dragon, "front", &place(0.92, 0.0, 0.0, Vec3::y() * 0.3, 1.0));
    head(&mut dragon, &place(1.5, 1.36, 0.06, Vec3::new(0.0, -0.2, -0.12), 1.3));
    dragon.unite("feet", ["left-front-foot", "right-front-foot", "left-hind-foot", "right-hind-foot"]);
    dragon.unite("whiskers", ["left-whisker", "right-whisker"]);
    dragon.unite("antlers", ["left-antler", "right-antler"]);
    dragon.shape(CELLS)
}

fn spine(dragon: &mut Figure) {
    let spine = Tube::new(&[
        [-2.25, 0.72, 0.3, 0.03],
        [-2.05, 0.5, 0.42, 0.045],
        [-1.75, 0.3, 0.38, 0.065],
        [-1.42, 0.34, 0.1, 0.09],
        [-1.1, 0.48, -0.18, 0.115],
        [-0.75, 0.56, -0.24, 0.135],
        [-0.35, 0.78, -0.05, 0.132],
        [0.05, 0.92, 0.18, 0.132],
        [0.45, 0.74, 0.22, 0.132],
        [0.86, 0.56, 0.03, 0.135],
        [1.16, 0.68, -0.1, 0.13],
        [1.28, 0.95, -0.08, 0.115],
        [1.32, 1.2, 0.0, 0.105],
        [1.48, 1.36, 0.05, 0.1],
    ]);
    dragon.part("tail", 0.0, spine.piece(0, 4));
    dragon.part("body", 0.0, spine.piece(4, 10));
    dragon.part("neck", 0.0, spine.piece(10, 13));
    // A crest of spikes along the back, each leaning towards the tail.
    let stations: Vec<(Vec3, f64)> = spine.stations().collect();
    for pair in stations.windows(2).step_by(4).skip(1) {
        let (at, radius) = pair[0];
        let ahead = (pair[1].0 - at).normalize();
        let up = (Vec3::y() - ahead * ahead.y).normalize();
        let (foot, tip) = (at + up * (radius - 0.02), at + up * (radius + 0.05) - ahead * 0.05);
        let side = up.cross(&ahead);
        dragon.detail(0.015, Tube::flat(&[knot(foot, 0.045), knot(tip, 0.004)], side, 0.4));
    }
    // The tail ends in a flame.
    let end = stations[0].0;
    for (x, y, z) in [(-0.02, 0.3, -0.06), (-0.16, 0.22, -0.05), (0.1, 0.2, -0.1)] {
        let middle = end + Vec3::new(x, y, z) * 0.5 + Vec3::new(x, 0.0, 0.0) * 0.3;
        let flame = [knot(end, 0.035), knot(middle, 0.05), knot(end + Vec3::new(x, y, z), 0.006)];
        dragon.part("tail", 0.02, Tube::flat(&flame, Vec3::z(), 0.6));
    }
}

fn knot(at: Vec3, radius: f64) -> [f64; 4] {
    [at.x, at.y, at.z, radius]
}

/// A pair of legs under the spine, in the frame of a place on the ground.
fn legs(dragon: &mut Figure, which: &str, place: &Similarity3<f64>) {
    let mut pair = |part: &str, blend: f64, tube: Tube| {
        dragon.part(&format!("left-{which}-{part}"), blend, tube.mirrored().placed(place));
        dragon.part(&format!("right-{which}-{part}"), blend, tube.placed(place));
    };
    let leg = [
        [-0.02, 0.54, 0.09, 0.1],
        [0.07, 0.4, 0.2, 0.085],
        [-0.02, 0.26, 0.25, 0.058],
        [-0.07, 0.15, 0.25, 0.05],
        [0.0, 0.05, 0.25, 0.05],
    ];
    pair("leg", 0.04, Tube::new(&leg));
    pair("foot", 0.02, Tube::flat(&[[-0.03, 0.035, 0.25, 0.055], [0.05, 0.035, 0.25, 0.06]], Vec3::y(), 0.8));
    for (x, z) in [(0.13, 0.17), (0.17, 0.25), (0.13, 0.33), (-0.13, 0.25)] {
        pair(
            "foot",
            0.015,
            Tube::new(&[
                [0.02, 0.04, 0.25, 0.04],
                [x * 0.6, 0.05, 0.25 + (z - 0.25) * 0.7, 0.034],
                [x, 0.03, z, 0.028],
            ]),
        );
    }
    for (x, z) in [(0.13, 0.17), (0.17, 0.25), (0.13, 0.33), (-0.13, 0.25)] {
        let claw = Tube::new(&[
            [x, 0.03, z, 0.022],
            [x * 1.3, 0.03, z + (z - 0.25) * 0.3, 0.014],
            [x * 1.5, 0.008, z + (z - 0.25) * 0.4, 0.003],
        ]);
        dragon.detail(0.006, claw.mirrored().placed(place));
        dragon.detail(0.006, claw.placed(place));
    }
}

/// The head looks along x from the origin of `place`.
fn head(dragon: &mut Figure, place: &Similarity3<f64>) {
    let narrow = |knots: &[[f64; 4]], ratio: f64| Tube::flat(knots, Vec3::z(), ratio).placed(place);
    let skull = [
        [-0.06, 0.0, 0.0, 0.1],
        [0.06, 0.03, 0.0, 0.115],
        [0.18, 0.015, 0.0, 0.085],
        [0.31, 0.0, 0.0, 0.066],
        [0.42, 0.01, 0.0, 0.068],
    ];
    dragon.part("head", 0.05, narrow(&skull, 0.95));
    let jaw = [
        [-0.02, -0.06, 0.0, 0.075],
        [0.12, -0.135, 0.0, 0.058],
        [0.26, -0.18, 0.0, 0.046],
        [0.37, -0.185, 0.0, 0.036],
    ];
    dragon.part("jaw", 0.03, narrow(&jaw, 1.0));
    let mut pair = |part: &str, blend: f64, tube: Tube| {
        dragon.part(&format!("left-{part}"), blend, tube.mirrored().placed(place));
        dragon.part(&format!("right-{part}"), blend, tube.placed(place));
    };
    pair(
        "antler",
        0.02,
        Tube::new(&[
            [0.03, 0.1, 0.05, 0.034],
            [-0.06, 0.2, 0.09, 0.03],
            [-0.2, 0.27, 0.12, 0.024],
            [-0.34, 0.38, 0.11, 0.01],
        ]),
    );
    pair(
        "antler",
        0.015,
        Tube::new(&[[-0.12, 0.235, 0.105, 0.024], [-0.12, 0.33, 0.14, 0.018], [-0.15, 0.4, 0.15, 0.008]]),
    );
    pair(
        "whisker",
        0.015,
        Tube::new(&[
            [0.4, 0.0, 0.05, 0.02],
            [0.47, 0.0, 0.14, 0.017],
            [0.44, -0.08, 0.25, 0.015],
            [0.3, -0.16, 0.33, 0.013],
            [0.16, -0.15, 0.38, 0.008],
        ]),
    );
    for (y, z, length) in [(0.04, 0.09, 0.24), (-0.03, 0.1, 0.27), (-0.1, 0.075, 0.24)] {
        let tuft = [
            [-0.02, y, z * 0.8, 0.045],
            [-0.02 - length * 0.5, y - 0.01, z * 1.6, 0.042],
            [-0.02 - length, y + 0.04, z * 1.9, 0.006],
        ];
        pair("mane", 0.015, Tube::flat(&tuft, Vec3::z(), 0.6));
    }
    face(dragon, place);
}

fn face(dragon: &mut Figure, place: &Similarity3<f64>) {
    let mut pair = |blend: f64, knots: &[[f64; 4]]| {
        let tube = Tube::new(knots);
        dragon.detail(blend, tube.mirrored().placed(place));
        dragon.detail(blend, tube.placed(place));
    };
    // Nose, brows and eyes.
    pair(0.02, &[[0.44, 0.05, 0.035, 0.036]]);
    pair(0.02, &[[0.06, 0.125, 0.07, 0.02], [0.13, 0.12, 0.075, 0.03], [0.2, 0.085, 0.06, 0.015]]);
    pair(0.004, &[[0.145, 0.08, 0.077, 0.03]]);
    // Fangs and teeth, above and below.
    for (x, length) in [(0.44, 0.04), (0.38, 0.03), (0.33, 0.03), (0.28, 0.03), (0.23, 0.03)] {
        pair(0.003, &[[x, -0.045, 0.04, 0.017], [x, -0.055 - length, 0.04, 0.006]]);
    }
    for (x, y, length) in
        [(0.37, -0.155, 0.06), (0.31, -0.145, 0.03), (0.26, -0.135, 0.03), (0.21, -0.12, 0.03)]
    {
        pair(0.003, &[[x, y, 0.03, 0.014], [x, y + length, 0.032, 0.006]]);
    }
    // A beard under the chin, and the tongue.
    let beard = [[0.3, -0.2, 0.0, 0.03], [0.27, -0.27, 0.0, 0.022], [0.22, -0.33, 0.0, 0.004]];
    dragon.part("jaw", 0.01, Tube::new(&beard).placed(place));
    let tongue = [
        [0.1, -0.09, 0.0, 0.03],
        [0.25, -0.13, 0.0, 0.03],
        [0.36, -0.13, 0.0, 0.024],
        [0.42, -0.11, 0.0, 0.012],
    ];
    dragon.detail(0.005, Tube::flat(&tongue, Vec3::y(), 0.5).placed(place));
}
