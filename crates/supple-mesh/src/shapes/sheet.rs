//! A napkin, laid out flat in the air.

use super::{BodyMesh, Shape};
use crate::{FillError, TriMesh, Vec3, VertexGroups};
use supple_model::VertexId;

/// Quads along each side.
const QUADS: usize = 40;
/// Length of a side, and height above the ground, metres.
const SIDE: f64 = 1.2;
const HEIGHT: f64 = 0.7;
/// How far vertices are moved off the grid at most, as a part of a quad: a cloth whose threads all
/// run along the sides would fold along them only.
const UNEVEN: f64 = 0.2;

/// A square cloth that lies level at y = 0.7, its middle over the origin: above a
/// [`ball`](super::ball) of radius 0.3 that rests on the ground there, it falls over it and hangs
/// clear of the ground. Groups "corners", its four corners, "rim", its border, and "middle", the
/// quads around its middle.
///
/// # Errors
/// None in practice; the signature is that of filling in general.
pub fn sheet() -> Result<Shape, FillError> {
    let vertex = |i: usize, j: usize| VertexId::new(i + (QUADS + 1) * j);
    let positions = (0..=QUADS).flat_map(|j| (0..=QUADS).map(move |i| point(i, j))).collect();
    let mut triangles = Vec::new();
    for (i, j) in (0..QUADS).flat_map(|j| (0..QUADS).map(move |i| (i, j))) {
        let [a, b, c, d] = [vertex(i, j + 1), vertex(i + 1, j + 1), vertex(i + 1, j), vertex(i, j)];
        // Diagonals in turn, so that no direction of the cloth is stiffer than its mirror image.
        let halves = if (i + j).is_multiple_of(2) { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] };
        triangles.extend(halves);
    }
    let mut groups = VertexGroups::new();
    groups.add("corners", [(0, 0), (QUADS, 0), (0, QUADS), (QUADS, QUADS)].map(|(i, j)| vertex(i, j)));
    for k in 0..=QUADS {
        groups.add("rim", [vertex(k, 0), vertex(k, QUADS), vertex(0, k), vertex(QUADS, k)]);
    }
    let half = QUADS / 2;
    groups.add("middle", (0..9).map(|k| vertex(half - 1 + k % 3, half - 1 + k / 3)));
    Ok(Shape { body: BodyMesh::Cloth(TriMesh::new(positions, triangles)?), skin: None, groups })
}

/// A place on the grid, or near it; on the border vertices move only along it.
fn point(i: usize, j: usize) -> Vec3 {
    let shift = |along: usize, salt: usize| {
        let free = along > 0 && along < QUADS;
        if free { UNEVEN * noise(i + (QUADS + 1) * j, salt) } else { 0.0 }
    };
    let place = |k: usize, shift: f64| SIDE * ((k as f64 + shift) / QUADS as f64 - 0.5);
    Vec3::new(place(i, shift(i, 1)), HEIGHT, place(j, shift(j, 2)))
}

/// The same number between −1 and 1 every time, unlike that of its neighbours: the finisher of
/// MurmurHash3 (Appleby 2011).
fn noise(n: usize, salt: usize) -> f64 {
    let mut h = (n as u64) << 2 | salt as u64;
    for factor in [0xff51_afd7_ed55_8ccd, 0xc4ce_b9fe_1a85_ec53_u64] {
        h = (h ^ (h >> 33)).wrapping_mul(factor);
    }
    (h >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Aabb, components};

    #[test]
    fn the_sheet_is_a_level_square_of_sound_triangles() {
        let Shape { body: BodyMesh::Cloth(mesh), groups, .. } = sheet().unwrap() else { panic!("of cloth") };
        assert_eq!((mesh.positions().len(), mesh.triangles().len()), (1_681, 3_200));
        assert_eq!(components(1_681, mesh.triangles()).count, 1);
        let Aabb { min, max } = Aabb::around(mesh.positions());
        assert!((min - Vec3::new(-0.6, 0.7, -0.6)).norm() + (max - Vec3::new(0.6, 0.7, 0.6)).norm() < 1e-12);
        let quad = (SIDE / QUADS as f64).powi(2);
        let doubled = mesh.triangles().iter().map(|t| {
            let [a, b, c] = t.map(|v| mesh.positions()[v.index()]);
            // Its front looks up.
            (b - a).cross(&(c - a)).y
        });
        assert!(doubled.clone().all(|area| area > 0.3 * quad && area < 2.0 * quad));
        // The border stays a square.
        assert!((doubled.sum::<f64>() / 2.0 - SIDE * SIDE).abs() < 1e-12);
        let [corners, rim, middle] = ["corners", "rim", "middle"].map(|name| groups.get(name).unwrap());
        assert_eq!([corners.len(), rim.len(), middle.len()], [4, 160, 9]);
        assert!(corners.iter().all(|v| mesh.positions()[v.index()].xz().norm() > 0.848));
        assert!(middle.iter().all(|v| mesh.positions()[v.index()].xz().norm() < 0.06));
        assert_eq!(sheet(), sheet());
    }
}
