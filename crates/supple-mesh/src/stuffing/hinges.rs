//! Taking apart what only touches.
//!
//! Where the solid leaves a gap narrower than a cell, tets on both sides may share a lattice point
//! on the surface, or an edge between two, but no face. In an elastic body that is a hinge: it
//! holds nothing and lets everything swing. Such a vertex is doubled, once per set of tets around
//! it that hang together through faces, which opens the gap again.

use crate::surface::{OPPOSITE_FACE, sorted_faces};
use supple_model::VertexId;

/// Doubles vertices until the tets around each hang together through faces. Vertex `v` is a copy
/// of `nodes[v]`; new vertices are appended.
pub(super) fn split(nodes: &mut Vec<VertexId>, tets: &mut [[VertexId; 4]]) {
    // Every corner of every tet is a slot; slots of one vertex are joined across shared faces.
    let mut parent: Vec<u32> = (0..4 * tets.len() as u32).collect();
    for same in sorted_faces(tets).chunk_by(|x, y| x.key == y.key) {
        let [x, y] = same else { continue };
        for k in OPPOSITE_FACE[x.opposite] {
            let vertex = tets[x.tet.index()][k];
            let other = tets[y.tet.index()].iter().position(|v| *v == vertex);
            let other = other.expect("tets that share a face share its corners");
            let a = find(&mut parent, 4 * x.tet.0 + k as u32);
            let b = find(&mut parent, 4 * y.tet.0 + other as u32);
            parent[a.max(b) as usize] = a.min(b);
        }
    }
    // A root is the first slot of its set: it meets its vertex before the others of the set do.
    let mut claimed = vec![false; nodes.len()];
    let mut name = vec![VertexId(0); parent.len()];
    for slot in 0..parent.len() {
        let corner = &mut tets[slot / 4][slot % 4];
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

    #[test]
    fn tets_that_share_an_edge_or_a_corner_part_and_those_that_share_a_face_stay() {
        // 0 and 1 share a face, 2 hangs on their edge 0-1, 3 on their corner 4.
        let mut tets = [[0, 1, 2, 3], [4, 1, 3, 2], [0, 1, 5, 6], [4, 7, 8, 9]].map(|t| t.map(VertexId));
        let mut nodes: Vec<VertexId> = (100..110).map(VertexId).collect();
        split(&mut nodes, &mut tets);
        let expected = [[0, 1, 2, 3], [4, 1, 3, 2], [10, 11, 5, 6], [12, 7, 8, 9]].map(|t| t.map(VertexId));
        assert_eq!(tets, expected);
        assert_eq!(nodes[10..], [100, 101, 104].map(VertexId));
    }
}
