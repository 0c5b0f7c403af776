//! Meshes of voxels: hexahedra with the [trilinear](crate::trilinear) map.

use crate::trilinear::{CORNERS, gauss_points, jacobian};
use crate::{MeshError, Vec3, tri_mesh};
use std::collections::BTreeMap;
use supple_model::{ElementId, VertexId};

/// A mesh of hexahedra, most often cubes of one size. Their corners are in the order 000, 100, 110,
/// 010, 001, 101, 111, 011 of the unit cube, and the Jacobian of their trilinear map is positive at
/// all corners and Gauss points.
#[derive(Clone, Debug, PartialEq)]
pub struct VoxelMesh {
    positions: Vec<Vec3>,
    voxels: Vec<[VertexId; 8]>,
}

impl VoxelMesh {
    /// Checks and takes a mesh.
    ///
    /// # Errors
    /// Names the first vertex or voxel that is not usable: see [`MeshError`].
    pub fn new(positions: Vec<Vec3>, voxels: Vec<[VertexId; 8]>) -> Result<Self, MeshError> {
        tri_mesh::check_positions(&positions)?;
        tri_mesh::check_elements(&positions, &voxels, "voxels")?;
        tri_mesh::check_repeats(&voxels)?;
        for (e, voxel) in voxels.iter().enumerate() {
            check_jacobian(ElementId::new(e), &voxel.map(|v| positions[v.index()]))?;
        }
        tri_mesh::check_isolated(positions.len(), &voxels)?;
        tri_mesh::check_duplicates(&voxels)?;
        Ok(Self { positions, voxels })
    }

    /// Voxels of one `size` at `cells` of a grid: cell (i, j, k) reaches from `origin` + (i, j, k) ∘
    /// `size` to the next. Cells side by side share corners. Vertices are numbered along x first,
    /// then y, then z, voxels in the order given.
    ///
    /// # Errors
    /// No cells, one given twice, or a size that is not positive and finite.
    pub fn of_cells(origin: Vec3, size: Vec3, cells: &[[usize; 3]]) -> Result<Self, MeshError> {
        let (corners, voxels) = number_corners(cells);
        let at =
            |[k, j, i]: [usize; 3]| origin + size.component_mul(&Vec3::new(i as f64, j as f64, k as f64));
        Self::new(corners.into_iter().map(at).collect(), voxels)
    }

    /// Where the vertices are at rest.
    #[must_use]
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// The corners of every voxel.
    #[must_use]
    pub fn voxels(&self) -> &[[VertexId; 8]] {
        &self.voxels
    }

    /// The corner positions of one voxel.
    #[must_use]
    pub fn corners(&self, element: ElementId) -> [Vec3; 8] {
        self.voxels[element.index()].map(|v| self.positions[v.index()])
    }

    /// The volume of one voxel, ∫ det J over the unit cube, always positive.
    #[must_use]
    pub fn volume(&self, element: ElementId) -> f64 {
        let corners = self.corners(element);
        gauss_points().iter().map(|xi| jacobian(&corners, xi).determinant() / 8.0).sum()
    }
}

/// Grid corners in use, as (k, j, i) ascending, and the voxels between them.
fn number_corners(cells: &[[usize; 3]]) -> (Vec<[usize; 3]>, Vec<[VertexId; 8]>) {
    let around =
        |[i, j, k]: [usize; 3]| CORNERS.map(|[x, y, z]| [k + z as usize, j + y as usize, i + x as usize]);
    let mut number: BTreeMap<[usize; 3], VertexId> =
        cells.iter().flat_map(|cell| around(*cell)).map(|corner| (corner, VertexId(0))).collect();
    for (n, id) in number.values_mut().enumerate() {
        *id = VertexId::new(n);
    }
    let voxels = cells.iter().map(|cell| around(*cell).map(|corner| number[&corner])).collect();
    (number.into_keys().collect(), voxels)
}

/// Positive at the corners is what a voxel without folds needs; positive at the Gauss points is what
/// integrating over it needs.
fn check_jacobian(element: ElementId, corners: &[Vec3; 8]) -> Result<(), MeshError> {
    let mut points = CORNERS.map(Vec3::from).to_vec();
    points.extend(gauss_points());
    let jacobians = points.iter().map(|xi| jacobian(corners, xi).determinant());
    let least = jacobians.fold(f64::INFINITY, f64::min);
    let extent = corners.iter().map(|c| (c - corners[0]).norm()).fold(0.0, f64::max);
    if least <= 1e-14 * extent.powi(3) {
        return Err(MeshError::Folded { element, jacobian: least });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Matrix3;

    /// Two unit cubes side by side along x, vertices along x, then y, then z.
    fn positions() -> Vec<Vec3> {
        (0..12).map(|v| Vec3::new(f64::from(v % 3), f64::from(v / 3 % 2), f64::from(v / 6))).collect()
    }

    const LEFT: [u32; 8] = [0, 1, 4, 3, 6, 7, 10, 9];
    const RIGHT: [u32; 8] = [1, 2, 5, 4, 7, 8, 11, 10];

    fn mesh(voxels: &[[u32; 8]]) -> Result<VoxelMesh, MeshError> {
        VoxelMesh::new(positions(), voxels.iter().map(|v| v.map(VertexId)).collect())
    }

    #[test]
    fn cells_of_a_grid_share_their_corners() {
        let grid = VoxelMesh::of_cells(Vec3::zeros(), Vec3::repeat(1.0), &[[0, 0, 0], [1, 0, 0]]).unwrap();
        assert_eq!(Ok(&grid), mesh(&[LEFT, RIGHT]).as_ref());
        let apart =
            VoxelMesh::of_cells(Vec3::x(), Vec3::new(2.0, 1.0, 0.5), &[[3, 1, 1], [1, 2, 5]]).unwrap();
        assert_eq!(apart.positions().len(), 16);
        assert_eq!(apart.corners(ElementId(0))[6], Vec3::new(9.0, 2.0, 1.0));
        assert!((apart.volume(ElementId(1)) - 1.0).abs() < 1e-15);
    }

    #[test]
    fn the_volume_of_a_bent_voxel_is_exact() {
        // A frustum: base 2 × 2, top 1 × 1, height 3.
        let mut corners = CORNERS.map(|c| Vec3::new(2.0 * c[0], 2.0 * c[1], 3.0 * c[2]));
        for corner in &mut corners[4..] {
            (corner.x, corner.y) = (0.5 + corner.x / 2.0, 0.5 + corner.y / 2.0);
        }
        let ids = [0, 1, 2, 3, 4, 5, 6, 7].map(VertexId);
        let frustum = VoxelMesh::new(corners.to_vec(), vec![ids]).unwrap();
        assert!((frustum.volume(ElementId(0)) - 7.0).abs() < 1e-14);
        let shear = Matrix3::new(2.0, 0.3, -0.1, 0.4, 1.5, 0.2, 0.0, -0.6, 1.1);
        let sheared = VoxelMesh::new(corners.iter().map(|c| shear * c).collect(), vec![ids]).unwrap();
        assert!((sheared.volume(ElementId(0)) - 7.0 * shear.determinant()).abs() < 1e-13);
    }

    #[test]
    fn every_flaw_names_its_culprit() {
        let element = ElementId(1);
        let with = |k: usize, vertex: u32| {
            let mut bad = RIGHT;
            bad[k] = vertex;
            mesh(&[LEFT, bad])
        };
        assert_eq!(mesh(&[]), Err(MeshError::Empty("voxels")));
        assert_eq!(VoxelMesh::new(vec![], vec![]), Err(MeshError::Empty("vertices")));
        assert_eq!(with(3, 12), Err(MeshError::BadIndex { element, index: 12, vertices: 12 }));
        assert_eq!(with(3, 1), Err(MeshError::RepeatedVertex { element, vertex: VertexId(1) }));
        assert_eq!(mesh(&[LEFT]), Err(MeshError::IsolatedVertex { vertex: VertexId(2) }));
        let mut turned = RIGHT;
        turned.rotate_left(4);
        assert_eq!(mesh(&[LEFT, turned]), Err(MeshError::Folded { element, jacobian: -1.0 }));
        let duplicate = MeshError::DuplicateElement { first: ElementId(0), second: ElementId(2) };
        // The same cube seen from another corner.
        let again = [1, 4, 3, 0, 7, 10, 9, 6];
        assert_eq!(mesh(&[LEFT, RIGHT, again]), Err(duplicate));
    }

    #[test]
    fn a_folded_corner_and_a_missing_number_are_refused() {
        let voxels = || [LEFT, RIGHT].map(|v| v.map(VertexId)).to_vec();
        let mut dented = positions();
        dented[11] = Vec3::new(1.2, 0.3, 0.3);
        let error = VoxelMesh::new(dented, voxels()).unwrap_err();
        assert!(matches!(error, MeshError::Folded { element: ElementId(1), jacobian } if jacobian < 0.0));
        let mut missing = positions();
        missing[4].y = f64::NAN;
        assert_eq!(VoxelMesh::new(missing, voxels()), Err(MeshError::NonFinite { vertex: VertexId(4) }));
    }
}
