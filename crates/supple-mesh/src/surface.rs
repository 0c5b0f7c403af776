//! The surface of a volume: the faces that belong to exactly one tet.
//!
//! The four faces of a tet (a, b, c, d) of positive volume, counter-clockwise seen from outside,
//! are opposite a: (b, c, d), opposite b: (a, d, c), opposite c: (a, b, d), opposite d: (a, c, b).

use crate::{MeshError, TetMesh, TriMesh};
use supple_model::{ElementId, VertexId};

/// The corners of the face opposite each corner of a tet, counter-clockwise seen from outside.
pub(crate) const OPPOSITE_FACE: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];

/// One face of one tet. `key` holds its corners sorted, the same for the tet on the other side.
pub(crate) struct Face {
    pub key: [VertexId; 3],
    pub tet: ElementId,
    pub opposite: usize,
}

/// Every face of every tet, faces with the same corners side by side.
pub(crate) fn sorted_faces(tets: &[[VertexId; 4]]) -> Vec<Face> {
    let mut faces = Vec::with_capacity(4 * tets.len());
    for (t, tet) in tets.iter().enumerate() {
        for (opposite, corners) in OPPOSITE_FACE.iter().enumerate() {
            let mut key = corners.map(|k| tet[k]);
            key.sort_unstable();
            faces.push(Face { key, tet: ElementId::new(t), opposite });
        }
    }
    faces.sort_unstable_by_key(|f| (f.key, f.tet, f.opposite));
    faces
}

/// The boundary of a tet mesh, as triangles between the vertices of the body itself, so that a
/// deformed body draws its surface without copying positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Surface {
    /// Corners in body numbering, counter-clockwise seen from outside, in the order of their tets.
    pub triangles: Vec<[VertexId; 3]>,
    /// The one tet each triangle belongs to.
    pub elements: Vec<ElementId>,
}

impl Surface {
    /// The faces of `mesh` that exactly one tet uses.
    #[must_use]
    pub fn of(mesh: &TetMesh) -> Self {
        Self::of_tets(mesh.tets())
    }

    pub(crate) fn of_tets(tets: &[[VertexId; 4]]) -> Self {
        let faces = sorted_faces(tets);
        let mut single: Vec<(ElementId, usize)> = faces
            .chunk_by(|x, y| x.key == y.key)
            .filter(|same| same.len() == 1)
            .map(|same| (same[0].tet, same[0].opposite))
            .collect();
        single.sort_unstable();
        Self {
            triangles: single.iter().map(|&(t, k)| OPPOSITE_FACE[k].map(|c| tets[t.index()][c])).collect(),
            elements: single.iter().map(|&(t, _)| t).collect(),
        }
    }

    /// The body vertices on the surface, ascending.
    #[must_use]
    pub fn vertices(&self) -> Vec<VertexId> {
        let mut vertices: Vec<VertexId> = self.triangles.iter().flatten().copied().collect();
        vertices.sort_unstable();
        vertices.dedup();
        vertices
    }

    /// The surface as a mesh of its own: vertex `i` is the `i`-th of [`Surface::vertices`].
    ///
    /// # Errors
    /// What [`TriMesh::new`] refuses, such as a face without area.
    pub fn to_mesh(&self, body: &TetMesh) -> Result<TriMesh, MeshError> {
        let vertices = self.vertices();
        let mut number = vec![VertexId(0); body.positions().len()];
        for (i, v) in vertices.iter().enumerate() {
            number[v.index()] = VertexId::new(i);
        }
        TriMesh::new(
            vertices.iter().map(|v| body.positions()[v.index()]).collect(),
            self.triangles.iter().map(|t| t.map(|v| number[v.index()])).collect(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Vec3, shapes};

    #[test]
    fn the_surface_of_a_box_has_its_area_and_encloses_its_volume() {
        let body = shapes::box_mesh(Vec3::new(2.0, 3.0, 0.5), [3, 4, 2]).unwrap();
        let surface = Surface::of(&body);
        let skin = surface.to_mesh(&body).unwrap();
        // All vertices but the 2·3·1 inside, two triangles on every square.
        assert_eq!(skin.positions().len(), 4 * 5 * 3 - 6);
        assert_eq!(skin.triangles().len(), 2 * 2 * (12 + 6 + 8));
        let (mut area, mut volume) = (0.0, 0.0);
        for triangle in skin.triangles() {
            let [a, b, c] = triangle.map(|v| skin.positions()[v.index()]);
            area += (b - a).cross(&(c - a)).norm() / 2.0;
            volume += a.dot(&b.cross(&c)) / 6.0; // divergence theorem: positive only if outward
        }
        assert!((area - 2.0 * (6.0 + 1.0 + 1.5)).abs() < 1e-12, "{area}");
        assert!((volume - 3.0).abs() < 1e-12, "{volume}");
        assert!(surface.elements.is_sorted());
    }
}
