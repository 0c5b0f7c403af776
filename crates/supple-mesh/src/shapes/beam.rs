//! A slender beam along x, of tets or of voxels.

use super::{BodyMesh, Shape, box_mesh, where_at};
use crate::implicit::rounded_box;
use crate::{Aabb, FillError, Filling, MeshError, TriMesh, Vec3, VertexGroups, VoxelMesh};

/// Length, height and depth, metres.
const SIZE: Vec3 = Vec3::new(2.0, 0.25, 0.25);
/// Cubes of tets along each of them.
const CELLS: [usize; 3] = [32, 4, 4];
/// How far the edges of the skin are rounded, and its lattice.
const ROUNDING: f64 = 0.03;
const SKIN_CELL: f64 = 0.02;
/// Length, height and depth of the thick beam, and how its skin is made.
const THICK: Vec3 = Vec3::new(2.0, 1.0, 1.0);
const THICK_SKIN_CELL: f64 = 0.08;
const THICK_ROUNDING: f64 = 0.08;
/// Voxels along length, height and depth of the beam of voxels, and their edge length, metres.
const VOXELS: [usize; 3] = [25, 3, 1];
const VOXEL: f64 = 0.08;

/// Where along the beam its inner, middle and outer part meet: whole voxels of the beam of voxels.
const THIRDS: [f64; 2] = [8.0 / 25.0, 17.0 / 25.0];

/// A beam from the origin along x, with its end faces as groups "left" and "right", and its thirds as
/// "inner", "middle" and "outer".
///
/// # Errors
/// None in practice; the signature is that of filling in general.
pub fn beam() -> Result<Shape, FillError> {
    let mesh = box_mesh(SIZE, CELLS)?;
    let skin = skin(SIZE)?;
    let groups = ends(mesh.positions(), SIZE.x);
    Ok(Shape { body: BodyMesh::Tets(mesh), skin: Some(skin), groups })
}

/// The beam of 75 voxels, 25 × 3 × 1, with which Barbič et al., Interactive Editing of Deformable
/// Simulations (2012), begin; groups as those of [`beam`].
///
/// # Errors
/// None in practice; the signature is that of filling in general.
pub fn voxel_beam() -> Result<Shape, FillError> {
    let size = Vec3::from(VOXELS.map(|count| count as f64 * VOXEL));
    let mesh = voxels()?;
    let groups = ends(mesh.positions(), size.x);
    Ok(Shape { body: BodyMesh::Voxels(mesh), skin: Some(skin(size)?), groups })
}

/// A thick beam of 16 × 8 × 8 cubes of tets, 6,144 of them, two metres long; groups as those of [`beam`], its parts meeting at
/// ⅜ and ⅝ of its length.
///
/// # Errors
/// None in practice; the signature is that of filling in general.
pub fn thick_beam() -> Result<Shape, FillError> {
    thick([16, 8, 8])
}

/// The same of 8 × 4 × 4 cubes, 768 tets.
///
/// # Errors
/// None in practice; the signature is that of filling in general.
pub fn coarse_thick_beam() -> Result<Shape, FillError> {
    thick([8, 4, 4])
}

fn thick(cells: [usize; 3]) -> Result<Shape, FillError> {
    let mesh = box_mesh(THICK, cells)?;
    let skin = Filling::new(Aabb { min: Vec3::zeros(), max: THICK }, THICK_SKIN_CELL)
        .surface(|p| rounded_box(p, THICK / 2.0, THICK / 2.0, THICK_ROUNDING))?;
    let groups = parts(mesh.positions(), THICK.x, [3.0 / 8.0, 5.0 / 8.0]);
    Ok(Shape { body: BodyMesh::Tets(mesh), skin: Some(skin), groups })
}

fn voxels() -> Result<VoxelMesh, MeshError> {
    let [nx, ny, nz] = VOXELS;
    let cells: Vec<[usize; 3]> =
        (0..nz).flat_map(|k| (0..ny).flat_map(move |j| (0..nx).map(move |i| [i, j, k]))).collect();
    VoxelMesh::of_cells(Vec3::zeros(), Vec3::repeat(VOXEL), &cells)
}

fn skin(size: Vec3) -> Result<TriMesh, FillError> {
    Filling::new(Aabb { min: Vec3::zeros(), max: size }, SKIN_CELL)
        .surface(|p| rounded_box(p, size / 2.0, size / 2.0, ROUNDING))
}

fn ends(positions: &[Vec3], length: f64) -> VertexGroups {
    parts(positions, length, THIRDS)
}

/// Both ends, and what lies before, between and behind two parts of the length.
fn parts(positions: &[Vec3], length: f64, at: [f64; 2]) -> VertexGroups {
    let mut groups = VertexGroups::new();
    groups.add("left", where_at(positions, |p| p.x == 0.0));
    groups.add("right", where_at(positions, |p| p.x == length));
    // A hair more than a third each, so that a layer of cubes between two belongs to one of them.
    let [first, second] = at.map(|part| part * length);
    let hair = 1e-9 * length;
    groups.add("inner", where_at(positions, |p| p.x <= first + hair));
    groups.add("middle", where_at(positions, |p| first - hair <= p.x && p.x <= second + hair));
    groups.add("outer", where_at(positions, |p| second - hair <= p.x));
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_are_groups_and_the_skin_fits_the_body() {
        let voxels = Vec3::new(2.0, 0.24, 0.08);
        for (shape, size, corners) in [(beam(), SIZE, 25), (voxel_beam(), voxels, 8)] {
            let Shape { body, skin, groups } = shape.unwrap();
            assert_eq!(groups.get("left").unwrap().len(), corners);
            assert_eq!(groups.get("right").unwrap().len(), corners);
            let parts = ["inner", "middle", "outer"].map(|name| groups.get(name).unwrap().len());
            assert!(parts.iter().all(|part| 3 * part >= body.positions().len()), "{parts:?}");
            let right = groups.get("right").unwrap();
            assert!(right.iter().all(|v| body.positions()[v.index()].x == size.x));
            assert!((Aabb::around(body.positions()).size() - size).amax() < 1e-12);
            let skin = Aabb::around(skin.unwrap().positions());
            assert!((skin.size() - size).amax() < 0.01 && skin.min.min() > -1e-6);
        }
    }
}
