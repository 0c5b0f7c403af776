//! A slender beam along x.

use super::{Shape, box_mesh};
use crate::implicit::rounded_box;
use crate::{Aabb, FillError, Filling, Vec3, VertexGroups};
use supple_model::VertexId;

/// Length, height and depth, metres.
const SIZE: Vec3 = Vec3::new(2.0, 0.25, 0.25);
/// Cubes of tets along each of them.
const CELLS: [usize; 3] = [32, 4, 4];
/// How far the edges of the skin are rounded, and its lattice.
const ROUNDING: f64 = 0.03;
const SKIN_CELL: f64 = 0.02;

/// A beam from the origin along x, with its end faces as groups "left" and "right".
///
/// # Errors
/// None in practice; the signature is that of filling in general.
pub fn beam() -> Result<Shape, FillError> {
    let mesh = box_mesh(SIZE, CELLS)?;
    let skin = Filling::new(Aabb { min: Vec3::zeros(), max: SIZE }, SKIN_CELL)
        .surface(|p| rounded_box(p, SIZE / 2.0, SIZE / 2.0, ROUNDING))?;
    let at = |x: f64| {
        let found = mesh.positions().iter().enumerate().filter(move |(_, p)| p.x == x);
        found.map(|(v, _)| VertexId::new(v))
    };
    let mut groups = VertexGroups::new();
    groups.add("left", at(0.0));
    groups.add("right", at(SIZE.x));
    Ok(Shape { mesh, skin: Some(skin), groups })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_are_groups_and_the_skin_fits_the_body() {
        let Shape { mesh, skin, groups } = beam().unwrap();
        assert_eq!(mesh.tets().len(), 6 * 32 * 16);
        assert_eq!(groups.get("left").unwrap().len(), 25);
        assert!(groups.get("right").unwrap().iter().all(|v| mesh.positions()[v.index()].x == SIZE.x));
        assert_eq!(groups.get("right").unwrap().len(), 25);
        let skin = Aabb::around(skin.unwrap().positions());
        assert!((skin.size() - SIZE).amax() < 0.01 && skin.min.min() > -1e-6);
    }
}
