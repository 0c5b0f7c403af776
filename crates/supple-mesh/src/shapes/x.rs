//! A creature in the shape of the letter X: two arms up, two legs down.
//!
//! Two bars that cross, seen from the front in the plane of y and z, are the outline; it is as deep
//! as it is wide along x, all edges rounded. Top and bottom are cut off level and alike, so that the
//! creature can stand on its hands as it stands on its feet.

use super::{BodyMesh, Shape, where_at};
use crate::implicit::{bar, carve, union};
use crate::{Aabb, FillError, Filling, Vec3, VertexGroups};

/// Metres from the soles to the tips of the hands.
const HEIGHT: f64 = 1.8;
/// From the middle of the creature to the middle of a foot.
const STRIDE: f64 = 0.5;
/// Half the width of a limb where the bars cross, and at its end.
const WAIST: f64 = 0.13;
const FOOT: f64 = 0.19;
/// Half the depth, front to back.
const DEPTH: f64 = 0.295;
/// Widths of the fillets between the limbs, of the edges, and of those around soles and hands.
const FILLET: f64 = 0.1;
const ROUNDING: f64 = 0.1;
/// Edge lengths of lattice cubes: body and skin.
const CELL: f64 = 0.15;
const SKIN_CELL: f64 = 0.04;
/// What is as near as this to the ground, or to the height of the hands, is a sole.
const SOLE: f64 = 1e-6;

/// A letter X, 1.8 m high, that looks along x. It stands on its groups "left-foot" and "right-foot",
/// together "feet"; its hands end level in the groups "left-hand" and "right-hand", together "hands",
/// which are to the top what the feet are to the ground.
///
/// # Errors
/// None in practice; the signature is that of filling in general.
pub fn x() -> Result<Shape, FillError> {
    let half = Vec3::new(DEPTH, HEIGHT / 2.0, STRIDE + 2.0 * FOOT);
    let middle = Vec3::new(0.0, HEIGHT / 2.0, 0.0);
    let bounds = Aabb { min: middle - half, max: middle + half };
    let mesh = Filling::new(bounds, CELL).tets(|p| letter(p, 0.0))?;
    let skin = Filling::new(bounds, SKIN_CELL).surface(|p| letter(p, ROUNDING))?;
    let mut groups = VertexGroups::new();
    for (side, sign) in [("left", -1.0), ("right", 1.0)] {
        for (part, both, height) in [("foot", "feet", 0.0), ("hand", "hands", HEIGHT)] {
            let sole = |p: &Vec3| (p.y - height).abs() < SOLE && p.z * sign > 0.0;
            groups.add(format!("{side}-{part}"), where_at(mesh.positions(), sole));
            groups.add(both, where_at(mesh.positions(), sole));
        }
    }
    Ok(Shape { body: BodyMesh::Tets(mesh), skin: Some(skin), groups })
}

/// The solid as a function, negative inside.
fn letter(p: Vec3, rounding: f64) -> f64 {
    let flat = Vec3::new(0.0, p.y - HEIGHT / 2.0, p.z);
    let limb = |side: f64, up: f64| {
        // Beyond the level cut, so that the end of the bar is not seen.
        let end = Vec3::new(0.0, up * HEIGHT / 2.0, side * STRIDE) * 1.3;
        bar(flat, (Vec3::zeros(), WAIST), (end, WAIST + (FOOT - WAIST) * 1.3))
    };
    let one = limb(-1.0, -1.0).min(limb(1.0, 1.0));
    let other = limb(1.0, -1.0).min(limb(-1.0, 1.0));
    let outline = union(one, other, FILLET);
    let deep = carve(outline, DEPTH - p.x.abs(), rounding);
    let level = HEIGHT / 2.0 - flat.y.abs();
    carve(deep, level, rounding)
}
