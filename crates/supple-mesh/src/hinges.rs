//! Taking apart what only touches.
//!
//! Where a solid leaves a gap narrower than a cell, elements on both sides may share a point on the
//! surface, or an edge between two, but no face. In an elastic body that is a hinge: it holds
//! nothing and lets everything swing. Such a vertex is doubled, once per set of elements around it
//! that hang together through faces, which opens the gap again.

use crate::surface::sorted_faces;
use supple_model::VertexId;

/// Doubles vertices until the elements around each hang together through `faces`, given as corners
/// of an element. Vertex `v` is a copy of `nodes[v]`; new vertices are appended.
pub(crate) fn split<const N: usize, const M: usize>(
    nodes: &mut Vec<VertexId>,
    elements: &mut [[VertexId; N]],
    faces: &[[usize; M]],
) {
    // Every corner of every element is a slot; slots of one vertex are joined across shared faces.
    let mut parent: Vec<u32> = (0..(N * elements.len()) as u32).collect();
    for same in sorted_faces(elements, faces).chunk_by(|x, y| x.key == y.key) {
        let [x, y] = same else { continue };
        for k in faces[x.side] {
            let vertex = elements[x.element.index()][k];
            let other = elements[y.element.index()].iter().position(|v| *v == vertex);
            let other = other.expect("elements that share a face share its corners");
            let a = find(&mut parent, (N * x.element.index() + k) as u32);
            let b = find(&mut parent, (N * y.element.index() + other) as u32);
            parent[a.max(b) as usize] = a.min(b);
        }
    }
    // A root is the first slot of its set: it meets its vertex before the others of the set do.
    let mut claimed = vec![false; nodes.len()];
    let mut name = vec![VertexId(0); parent.len()];
    for slot in 0..parent.len() {
        let corner = &mut elements[slot / N][slot % N];
        let root = find(&mut parent, slot as u32) as usize;
        if root == slot {
            name[slot] = *corner;
            if std::mem::replace(&mut claimed[corner.index()], true) {
                name[slot] = VertexId::new(nodes.len());
                nodes.push(nodes[corner.index()]);
            }
        }
        *corner = name[root];
    }
}

/// The root of a slot's tree, halving the path on the way.
fn find(parent: &mut [u32], mut slot: u32) -> u32 {
    while parent[slot as usize] != slot {
        parent[slot as usize] = parent[parent[slot as usize] as usize];
        slot = parent[slot as usize];
    }
    slot
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::OPPOSITE_FACE;

    #[test]
    fn tets_that_share_an_edge_or_a_corner_part_and_those_that_share_a_face_stay() {
        // 0 and 1 share a face, 2 hangs on their edge 0-1, 3 on their corner 4.
        let mut tets = [[0, 1, 2, 3], [4, 1, 3, 2], [0, 1, 5, 6], [4, 7, 8, 9]].map(|t| t.map(VertexId));
        let mut nodes: Vec<VertexId> = (100..110).map(VertexId).collect();
        split(&mut nodes, &mut tets, &OPPOSITE_FACE);
        let expected = [[0, 1, 2, 3], [4, 1, 3, 2], [10, 11, 5, 6], [12, 7, 8, 9]].map(|t| t.map(VertexId));
        assert_eq!(tets, expected);
        assert_eq!(nodes[10..], [100, 101, 104].map(VertexId));
    }
}
