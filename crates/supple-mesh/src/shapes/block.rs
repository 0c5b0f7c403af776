//! An upright block, to be stretched, bent and twisted.

use super::{BodyMesh, Shape, box_mesh, where_at};
use crate::implicit::rounded_box;
use crate::{Aabb, FillError, Filling, Vec3, VertexGroups};

/// Width, height and depth, metres.
const SIZE: Vec3 = Vec3::new(0.5, 1.3, 0.5);
/// Cubes of tets along each of them.
const CELLS: [usize; 3] = [5, 13, 5];
/// How far the edges of the skin are rounded, and its lattice.
const ROUNDING: f64 = 0.05;
const SKIN_CELL: f64 = 0.03;

/// A block that stands on its group "base", with its upper face as group "top".
///
/// # Errors
/// None in practice; the signature is that of filling in general.
pub fn block() -> Result<Shape, FillError> {
    let mesh = box_mesh(SIZE, CELLS)?;
    let skin = Filling::new(Aabb { min: Vec3::zeros(), max: SIZE }, SKIN_CELL)
        .surface(|p| rounded_box(p, SIZE / 2.0, SIZE / 2.0, ROUNDING))?;
    let mut groups = VertexGroups::new();
    groups.add("base", where_at(mesh.positions(), |p| p.y == 0.0));
    groups.add("top", where_at(mesh.positions(), |p| p.y == SIZE.y));
    Ok(Shape { body: BodyMesh::Tets(mesh), skin: Some(skin), groups })
}
