//! The surface of a volume: the faces that belong to exactly one element.
//!
//! The four faces of a tet (a, b, c, d) of positive volume, counter-clockwise seen from outside,
//! are opposite a: (b, c, d), opposite b: (a, d, c), opposite c: (a, b, d), opposite d: (a, c, b).
//! The six faces of a voxel are four-sided; on the surface each is drawn as two triangles.

use crate::{MeshError, TetMesh, TriMesh, Vec3, VoxelMesh};
use supple_model::{ElementId, VertexId};

/// The corners of the face opposite each corner of a tet, counter-clockwise seen from outside.
pub(crate) const OPPOSITE_FACE: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];

/// The corners of the faces of a voxel at x = 0, x = 1, y = 0, y = 1, z = 0 and z = 1, in turn,
/// counter-clockwise seen from outside.
pub(crate) const VOXEL_FACES: [[usize; 4]; 6] =
    [[0, 4, 7, 3], [1, 2, 6, 5], [0, 1, 5, 4], [2, 3, 7, 6], [0, 3, 2, 1], [4, 5, 6, 7]];

/// One face of one element. `key` holds its corners sorted, the same for the element on the other
/// side; `side` is its place in the table of faces.
pub(crate) struct Face<const M: usize> {
    pub key: [VertexId; M],
    pub element: ElementId,
    pub side: usize,
}

/// Every face of every element, faces with the same corners side by side.
pub(crate) fn sorted_faces<const N: usize, const M: usize>(
    elements: &[[VertexId; N]],
    faces: &[[usize; M]],
) -> Vec<Face<M>> {
    let mut sorted = Vec::with_capacity(faces.len() * elements.len());
    for (e, element) in elements.iter().enumerate() {
        for (side, corners) in faces.iter().enumerate() {
            let mut key = corners.map(|k| element[k]);
            key.sort_unstable();
            sorted.push(Face { key, element: ElementId::new(e), side });
        }
    }
    sorted.sort_unstable_by_key(|f| (f.key, f.element, f.side));
    sorted
}

/// The faces exactly one element uses, in the order of the elements, and that element.
fn boundary<const N: usize, const M: usize>(
    elements: &[[VertexId; N]],
    faces: &[[usize; M]],
) -> Vec<([VertexId; M], ElementId)> {
    let sorted = sorted_faces(elements, faces);
    let mut single: Vec<(ElementId, usize)> = sorted
        .chunk_by(|x, y| x.key == y.key)
        .filter(|same| same.len() == 1)
        .map(|same| (same[0].element, same[0].side))
        .collect();
    single.sort_unstable();
    single.into_iter().map(|(e, side)| (faces[side].map(|k| elements[e.index()][k]), e)).collect()
}

/// The boundary of a volume, as triangles between the vertices of the body itself, so that a
/// deformed body draws its surface without copying positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Surface {
    /// Corners in body numbering, counter-clockwise seen from outside, in the order of their
    /// elements.
    pub triangles: Vec<[VertexId; 3]>,
    /// The one element each triangle belongs to.
    pub elements: Vec<ElementId>,
}

impl Surface {
    /// The faces of `mesh` that exactly one tet uses.
    #[must_use]
    pub fn of(mesh: &TetMesh) -> Self {
        Self::of_tets(mesh.tets())
    }

    pub(crate) fn of_tets(tets: &[[VertexId; 4]]) -> Self {
        let (triangles, elements) = boundary(tets, &OPPOSITE_FACE).into_iter().unzip();
        Self { triangles, elements }
    }

    /// The faces of `mesh` that exactly one voxel uses, two triangles each.
    #[must_use]
    pub fn of_voxels(mesh: &VoxelMesh) -> Self {
        let quads = boundary(mesh.voxels(), &VOXEL_FACES);
        let halves = quads.into_iter().flat_map(|([a, b, c, d], e)| [([a, b, c], e), ([a, c, d], e)]);
        let (triangles, elements) = halves.unzip();
        Self { triangles, elements }
    }

    /// The body vertices on the surface, ascending.
    #[must_use]
    pub fn vertices(&self) -> Vec<VertexId> {
        let mut vertices: Vec<VertexId> = self.triangles.iter().flatten().copied().collect();
        vertices.sort_unstable();
        vertices.dedup();
        vertices
    }

    /// The surface as a mesh of its own, given where the body's vertices are: vertex `i` is the
    /// `i`-th of [`Surface::vertices`].
    ///
    /// # Errors
    /// What [`TriMesh::new`] refuses, such as a face without area.
    pub fn to_mesh(&self, positions: &[Vec3]) -> Result<TriMesh, MeshError> {
        let vertices = self.vertices();
        let mut number = vec![VertexId(0); positions.len()];
        for (i, v) in vertices.iter().enumerate() {
            number[v.index()] = VertexId::new(i);
        }
        TriMesh::new(
            vertices.iter().map(|v| positions[v.index()]).collect(),
            self.triangles.iter().map(|t| t.map(|v| number[v.index()])).collect(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes;

    /// Area, and the volume by the divergence theorem: positive only if the triangles look outward.
    fn area_and_volume(skin: &TriMesh) -> (f64, f64) {
        let corners = skin.triangles().iter().map(|t| t.map(|v| skin.positions()[v.index()]));
        corners.fold((0.0, 0.0), |(area, volume), [a, b, c]| {
            (area + (b - a).cross(&(c - a)).norm() / 2.0, volume + a.dot(&b.cross(&c)) / 6.0)
        })
    }

    #[test]
    fn the_surface_of_a_box_has_its_area_and_encloses_its_volume() {
        let body = shapes::box_mesh(Vec3::new(2.0, 3.0, 0.5), [3, 4, 2]).unwrap();
        let surface = Surface::of(&body);
        let skin = surface.to_mesh(body.positions()).unwrap();
        // All vertices but the 2·3·1 inside, two triangles on every square.
        assert_eq!(skin.positions().len(), 4 * 5 * 3 - 6);
        assert_eq!(skin.triangles().len(), 2 * 2 * (12 + 6 + 8));
        let (area, volume) = area_and_volume(&skin);
        assert!((area - 2.0 * (6.0 + 1.0 + 1.5)).abs() < 1e-12, "{area}");
        assert!((volume - 3.0).abs() < 1e-12, "{volume}");
        assert!(surface.elements.is_sorted());
    }

    #[test]
    fn the_surface_of_voxels_has_their_area_and_encloses_their_volume() {
        // A step: four cubes in an L, one on top.
        let cells = [[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0], [0, 0, 1]];
        let body = VoxelMesh::of_cells(Vec3::repeat(5.0), Vec3::new(1.0, 2.0, 3.0), &cells).unwrap();
        let surface = Surface::of_voxels(&body);
        let (area, volume) = area_and_volume(&surface.to_mesh(body.positions()).unwrap());
        // Faces across x, y and z: 6·(2·3), 8·(1·3), 8·(1·2).
        assert!((area - (6.0 * 6.0 + 8.0 * 3.0 + 8.0 * 2.0)).abs() < 1e-12, "{area}");
        assert!((volume - 5.0 * 6.0).abs() < 1e-10, "{volume}");
        assert_eq!(surface.elements.iter().filter(|e| e.0 == 0).count(), 2 * 3);
    }
}
