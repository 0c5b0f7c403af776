//! A saguaro with two arms, on a foot broad enough to jump from.

use super::figure::{Cells, Figure};
use super::{Shape, where_at};
use crate::implicit::Tube;
use crate::{FillError, Vec3};
use std::f64::consts::TAU;

const CELLS: Cells = Cells { body: 0.1022, skin: 0.022 };
/// What is within so many metres of the ground is its sole.
const SOLE: f64 = 0.05;
/// Ribs around the trunk.
const RIBS: usize = 10;

/// A cactus 2.1 metres high, with groups "left-arm", "right-arm", "top" and "foot", the sole it stands on.
///
/// # Errors
/// None in practice; the signature is that of filling in general.
pub fn cactus() -> Result<Shape, FillError> {
    let mut cactus = Figure::default();
    cactus.part(
        "trunk",
        0.0,
        Tube::new(&[[0.0, 0.3, 0.0, 0.27], [0.0, 1.0, 0.0, 0.28], [0.0, 1.6, 0.0, 0.26]]),
    );
    cactus.part("top", 0.02, Tube::new(&[[0.0, 1.6, 0.0, 0.26], [0.0, 1.86, 0.0, 0.22]]));
    cactus.part("base", 0.12, Tube::new(&[[0.0, 0.16, 0.0, 0.38], [0.0, 0.04, 0.0, 0.44]]));
    // One arm higher than the other.
    let arm = |side: f64, low: f64, high: f64, radius: f64| {
        Tube::new(&[
            [side * 0.15, low, 0.0, radius],
            [side * 0.5, low + 0.02, 0.0, radius],
            [side * 0.66, low + 0.2, 0.0, radius],
            [side * 0.68, high, 0.0, 0.95 * radius],
        ])
    };
    cactus.part("left-arm", 0.06, arm(-1.0, 0.82, 1.35, 0.155));
    cactus.part("right-arm", 0.06, arm(1.0, 1.02, 1.62, 0.15));
    ribs(&mut cactus);
    let mut shape = cactus.shape(CELLS)?;
    let sole = where_at(shape.body.positions(), |p| p.y < SOLE);
    shape.groups.add("foot", sole);
    Ok(shape)
}

/// Ribs along the trunk, and spines on them.
fn ribs(cactus: &mut Figure) {
    for k in 0..RIBS {
        let angle = TAU * (k as f64 + 0.5) / RIBS as f64;
        let around = |radius: f64, y: f64| Vec3::new(radius * angle.cos(), y, radius * angle.sin());
        let knot = |radius: f64, y: f64, thick: f64| {
            let p = around(radius, y);
            [p.x, p.y, p.z, thick]
        };
        let ribbed =
            [knot(0.26, 0.35, 0.035), knot(0.27, 1.0, 0.035), knot(0.25, 1.6, 0.035), knot(0.13, 1.98, 0.02)];
        cactus.detail(0.03, Tube::new(&ribbed));
    }
}
