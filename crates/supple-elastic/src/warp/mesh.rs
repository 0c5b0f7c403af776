//! Meshes that can be warped, and how their elements touch.

use super::cells::{Cells, Kind};
use crate::gradient::{tet, triangle, voxel_places};
use supple_mesh::{
    Components, TetMesh, TriMesh, Vec3, VoxelMesh, components, face_neighbours, voxel_neighbours,
};
use supple_model::{ElementId, VertexId};

/// A mesh whose motion can be warped: tets, voxels or triangles.
pub trait Warpable: sealed::Mesh {}

impl Warpable for TetMesh {}
impl Warpable for VoxelMesh {}
impl Warpable for TriMesh {}

/// A mesh in the words of the warp.
#[derive(Debug)]
pub struct Parts {
    pub(super) positions: Vec<Vec3>,
    pub(super) cells: Box<dyn Cells>,
    pub(super) components: Components,
    /// Pairs of elements that share a face, or an edge of triangles; both orders.
    pub(super) neighbours: Vec<(ElementId, ElementId)>,
}

mod sealed {
    /// What the warp needs of a mesh.
    pub trait Mesh {
        /// Its elements.
        fn parts(&self) -> super::Parts;
    }
}

impl sealed::Mesh for TetMesh {
    fn parts(&self) -> Parts {
        let places = (0..self.tets().len()).map(|e| [tet(&self.corners(ElementId::new(e)))]).collect();
        let cells = Kind { corners: self.tets().to_vec(), places, normals: None };
        Parts {
            positions: self.positions().to_vec(),
            cells: Box::new(cells),
            components: components(self.positions().len(), self.tets()),
            neighbours: pairs(&face_neighbours(self.tets())),
        }
    }
}

impl sealed::Mesh for VoxelMesh {
    fn parts(&self) -> Parts {
        let places =
            (0..self.voxels().len()).map(|e| voxel_places(&self.corners(ElementId::new(e)))).collect();
        let cells = Kind { corners: self.voxels().to_vec(), places, normals: None };
        Parts {
            positions: self.positions().to_vec(),
            cells: Box::new(cells),
            components: components(self.positions().len(), self.voxels()),
            neighbours: pairs(&voxel_neighbours(self.voxels())),
        }
    }
}

impl sealed::Mesh for TriMesh {
    fn parts(&self) -> Parts {
        let (places, normals) = self
            .triangles()
            .iter()
            .map(|corners| triangle(&corners.map(|v| self.positions()[v.index()])))
            .map(|(place, normal)| ([place], normal))
            .unzip();
        let cells = Kind { corners: self.triangles().to_vec(), places, normals: Some(normals) };
        Parts {
            positions: self.positions().to_vec(),
            cells: Box::new(cells),
            components: components(self.positions().len(), self.triangles()),
            neighbours: across_edges(self.triangles()),
        }
    }
}

fn pairs<const F: usize>(across: &[[Option<ElementId>; F]]) -> Vec<(ElementId, ElementId)> {
    let sides = across.iter().enumerate();
    sides
        .flat_map(|(e, sides)| sides.iter().flatten().map(move |other| (ElementId::new(e), *other)))
        .collect()
}

/// Triangles that share an edge; where three or more do, each touches the next.
fn across_edges(triangles: &[[VertexId; 3]]) -> Vec<(ElementId, ElementId)> {
    let mut edges: Vec<(VertexId, VertexId, ElementId)> = Vec::with_capacity(3 * triangles.len());
    for (e, &[a, b, c]) in triangles.iter().enumerate() {
        edges.extend([(a, b), (b, c), (c, a)].map(|(v, w)| (v.min(w), v.max(w), ElementId::new(e))));
    }
    edges.sort_unstable();
    let mut touching = Vec::new();
    for two in edges.windows(2) {
        if (two[0].0, two[0].1) == (two[1].0, two[1].1) {
            touching.extend([(two[0].2, two[1].2), (two[1].2, two[0].2)]);
        }
    }
    touching.sort_unstable();
    touching
}
