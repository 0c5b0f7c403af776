//! Who touches whom: vertex → elements, vertex → vertices, element → elements, and the connected
//! parts of a mesh. Every list is sorted, so that whatever walks it is deterministic.

use crate::surface::{OPPOSITE_FACE, VOXEL_FACES, sorted_faces};
use std::ops::Index;
use supple_model::{ElementId, VertexId};

/// For every vertex a sorted list of neighbours, stored end to end.
#[derive(Clone, Debug, PartialEq)]
pub struct Neighbours<T> {
    /// Where each vertex's list begins in `items`; one longer than there are vertices.
    starts: Vec<usize>,
    items: Vec<T>,
}

impl<T: Copy + Ord> Neighbours<T> {
    /// Groups `(vertex, item)` pairs by vertex; repeated pairs count once.
    fn from_pairs(vertices: usize, mut pairs: Vec<(VertexId, T)>) -> Self {
        pairs.sort_unstable();
        pairs.dedup();
        let mut starts = vec![0; vertices + 1];
        for (vertex, _) in &pairs {
            starts[vertex.index() + 1] += 1;
        }
        for v in 0..vertices {
            starts[v + 1] += starts[v];
        }
        Self { starts, items: pairs.into_iter().map(|(_, item)| item).collect() }
    }
}

impl<T> Index<VertexId> for Neighbours<T> {
    type Output = [T];

    fn index(&self, vertex: VertexId) -> &[T] {
        &self.items[self.starts[vertex.index()]..self.starts[vertex.index() + 1]]
    }
}

/// The elements (triangles, tets or voxels) each vertex belongs to.
#[must_use]
pub fn vertex_elements<const N: usize>(vertices: usize, elements: &[[VertexId; N]]) -> Neighbours<ElementId> {
    let pairs = elements.iter().enumerate().flat_map(|(e, corners)| corners.map(|v| (v, ElementId::new(e))));
    Neighbours::from_pairs(vertices, pairs.collect())
}

/// The vertices each vertex shares an element with: in a triangle or tet its neighbours along edges,
/// in a voxel also those across faces and the middle.
#[must_use]
pub fn vertex_vertices<const N: usize>(vertices: usize, elements: &[[VertexId; N]]) -> Neighbours<VertexId> {
    let mut pairs = Vec::with_capacity(elements.len() * N * (N - 1));
    for corners in elements {
        for &a in corners {
            pairs.extend(corners.iter().filter(|&&b| b != a).map(|&b| (a, b)));
        }
    }
    Neighbours::from_pairs(vertices, pairs)
}

/// For every tet, the tet on the other side of each face: entry `k` lies across the face opposite
/// corner `k`, `None` where that face is on the boundary or shared by more than two tets.
#[must_use]
pub fn face_neighbours(tets: &[[VertexId; 4]]) -> Vec<[Option<ElementId>; 4]> {
    across_faces(tets, &OPPOSITE_FACE)
}

/// For every voxel, the voxel on the other side of its faces at x = 0, x = 1, y = 0, y = 1, z = 0
/// and z = 1 of its unit cube; `None` as for [`face_neighbours`].
#[must_use]
pub fn voxel_neighbours(voxels: &[[VertexId; 8]]) -> Vec<[Option<ElementId>; 6]> {
    across_faces(voxels, &VOXEL_FACES)
}

fn across_faces<const N: usize, const M: usize, const F: usize>(
    elements: &[[VertexId; N]],
    faces: &[[usize; M]; F],
) -> Vec<[Option<ElementId>; F]> {
    let mut neighbours = vec![[None; F]; elements.len()];
    for same in sorted_faces(elements, faces).chunk_by(|x, y| x.key == y.key) {
        if let [x, y] = same {
            neighbours[x.element.index()][x.side] = Some(y.element);
            neighbours[y.element.index()][y.side] = Some(x.element);
        }
    }
    neighbours
}

/// The connected parts of a mesh.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Components {
    /// How many parts there are.
    pub count: usize,
    /// The part of every vertex, counted from 0 in the order of each part's first vertex.
    pub of_vertex: Vec<usize>,
}

/// Which vertices hang together through elements. A vertex no element uses is a part by itself.
#[must_use]
pub fn components<const N: usize>(vertices: usize, elements: &[[VertexId; N]]) -> Components {
    let mut parent: Vec<usize> = (0..vertices).collect();
    for corners in elements {
        let root = find(&mut parent, corners[0].index());
        for v in &corners[1..] {
            let other = find(&mut parent, v.index());
            let first = find(&mut parent, root);
            parent[first.max(other)] = first.min(other);
        }
    }
    let mut of_vertex = vec![0; vertices];
    let mut count = 0;
    for v in 0..vertices {
        // A root is the smallest vertex of its part, so it is numbered before the others.
        let root = find(&mut parent, v);
        if root == v {
            of_vertex[v] = count;
            count += 1;
        } else {
            of_vertex[v] = of_vertex[root];
        }
    }
    Components { count, of_vertex }
}

/// The root of `v`'s tree, halving the path on the way.
fn find(parent: &mut [usize], mut v: usize) -> usize {
    while parent[v] != v {
        parent[v] = parent[parent[v]];
        v = parent[v];
    }
    v
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tet(corners: [u32; 4]) -> [VertexId; 4] {
        corners.map(VertexId)
    }

    /// Two tets sharing the face 1-2-3, and one apart that touches nothing.
    fn three_tets() -> [[VertexId; 4]; 3] {
        [tet([0, 1, 2, 3]), tet([4, 1, 3, 2]), tet([5, 6, 7, 8])]
    }

    #[test]
    fn elements_and_vertices_around_a_vertex_are_sorted() {
        let tets = three_tets();
        let elements = vertex_elements(9, &tets);
        assert_eq!(elements[VertexId(1)], [ElementId(0), ElementId(1)]);
        assert_eq!(elements[VertexId(8)], [ElementId(2)]);
        let vertices = vertex_vertices(10, &tets);
        assert_eq!(vertices[VertexId(2)], [0, 1, 3, 4].map(VertexId));
        assert_eq!(vertices[VertexId(0)], [1, 2, 3].map(VertexId));
        assert!(vertices[VertexId(9)].is_empty());
    }

    #[test]
    fn faces_join_two_tets_and_name_the_opposite_corner() {
        let across = face_neighbours(&three_tets());
        assert_eq!(across[0], [Some(ElementId(1)), None, None, None]);
        assert_eq!(across[1], [Some(ElementId(0)), None, None, None]);
        assert_eq!(across[2], [None; 4]);
    }

    #[test]
    fn voxels_know_their_neighbours_by_the_side_they_are_on() {
        use crate::{Vec3, VoxelMesh};
        let cells = [[1, 1, 1], [0, 1, 1], [1, 2, 1], [1, 1, 2], [2, 2, 2]];
        let grid = VoxelMesh::of_cells(Vec3::zeros(), Vec3::repeat(1.0), &cells).unwrap();
        let across = voxel_neighbours(grid.voxels());
        let some = |e| Some(ElementId(e));
        assert_eq!(across[0], [some(1), None, None, some(2), None, some(3)]);
        assert_eq!(across[3], [None, None, None, None, some(0), None]);
        assert_eq!(across[4], [None; 6]);
        // The last one touches the third and the fourth, but only along an edge.
        assert_eq!(components(grid.positions().len(), grid.voxels()).count, 1);
    }

    #[test]
    fn parts_are_numbered_by_their_first_vertex() {
        let parts = components(10, &three_tets());
        assert_eq!(parts.count, 3);
        assert_eq!(parts.of_vertex, [0, 0, 0, 0, 0, 1, 1, 1, 1, 2]);
        let chain = [[9, 8], [7, 8], [0, 1], [7, 1]].map(|edge| edge.map(VertexId));
        assert_eq!(components(10, &chain).of_vertex, [0, 0, 1, 2, 3, 4, 5, 0, 0, 0]);
    }
}
