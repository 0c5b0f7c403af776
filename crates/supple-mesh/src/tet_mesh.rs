//! Tetrahedral meshes.

use crate::{MeshError, Vec3, tri_mesh};
use supple_model::{ElementId, VertexId};

/// A tetrahedral mesh whose every element has positive volume: for corners (a, b, c, d),
/// (b−a)×(c−a)·(d−a) > 0.
#[derive(Clone, Debug, PartialEq)]
pub struct TetMesh {
    positions: Vec<Vec3>,
    tets: Vec<[VertexId; 4]>,
}

impl TetMesh {
    /// Checks and takes a mesh.
    ///
    /// # Errors
    /// Names the first vertex or tet that is not usable: see [`MeshError`].
    pub fn new(positions: Vec<Vec3>, tets: Vec<[VertexId; 4]>) -> Result<Self, MeshError> {
        tri_mesh::check_positions(&positions)?;
        tri_mesh::check_elements(&positions, &tets, "tets")?;
        for (t, tet) in tets.iter().enumerate() {
            let element = ElementId::new(t);
            let [a, b, c, d] = tet.map(|v| positions[v.index()]);
            let volume = signed_volume(a, b, c, d);
            let edge = [b - a, c - a, d - a, c - b, d - b, d - c].iter().map(Vec3::norm).fold(0.0, f64::max);
            if volume.abs() <= 1e-14 * edge.powi(3) {
                return Err(MeshError::ZeroVolume { element });
            }
            if volume < 0.0 {
                return Err(MeshError::NegativeVolume { element, volume });
            }
        }
        tri_mesh::check_isolated(positions.len(), &tets)?;
        tri_mesh::check_duplicates(&tets)?;
        Ok(Self { positions, tets })
    }

    /// Where the vertices are at rest.
    #[must_use]
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// The corners of every tet.
    #[must_use]
    pub fn tets(&self) -> &[[VertexId; 4]] {
        &self.tets
    }

    /// The corner positions of one tet.
    #[must_use]
    pub fn corners(&self, element: ElementId) -> [Vec3; 4] {
        self.tets[element.index()].map(|v| self.positions[v.index()])
    }

    /// The volume of one tet, always positive.
    #[must_use]
    pub fn volume(&self, element: ElementId) -> f64 {
        let [a, b, c, d] = self.corners(element);
        signed_volume(a, b, c, d)
    }
}

/// (b−a)×(c−a)·(d−a)/6.
#[must_use]
pub fn signed_volume(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> f64 {
    (b - a).cross(&(c - a)).dot(&(d - a)) / 6.0
}
