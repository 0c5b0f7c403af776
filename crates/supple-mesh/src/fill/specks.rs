//! Specks: what is left of thin parts.
//!
//! A horn thinner than a cell is filled where it happens to reach a lattice point, and nowhere else: specks that hang on
//! nothing. A piece of the filling is a speck if it has less than a hundredth of the elements of the largest piece and another,
//! larger piece fills the same part of the surface. What is small by itself, as an eye or a button, is none.

use crate::{FillError, TetMesh, TriMesh, TriangleTree, Vec3, VoxelMesh, Weld, components};
use std::collections::HashMap;
use supple_model::VertexId;

/// A speck has fewer elements than this part of the largest piece.
const SPECK: f64 = 0.01;

/// The tets without specks, and how many of these there were.
///
/// # Errors
/// None that a filling meets.
pub fn tets_without_specks(body: TetMesh, surface: &TriMesh) -> Result<(TetMesh, usize), FillError> {
    match kept(body.positions(), body.tets(), surface) {
        None => Ok((body, 0)),
        Some((positions, tets, specks)) => Ok((TetMesh::new(positions, tets)?, specks)),
    }
}

/// The voxels without specks, and how many of these there were.
///
/// # Errors
/// None that a filling meets.
pub fn voxels_without_specks(body: VoxelMesh, surface: &TriMesh) -> Result<(VoxelMesh, usize), FillError> {
    match kept(body.positions(), body.voxels(), surface) {
        None => Ok((body, 0)),
        Some((positions, voxels, specks)) => Ok((VoxelMesh::new(positions, voxels)?, specks)),
    }
}

/// Positions and elements without specks, and how many there were; `None` without any.
fn kept<const N: usize>(
    positions: &[Vec3],
    elements: &[[VertexId; N]],
    surface: &TriMesh,
) -> Option<(Vec<Vec3>, Vec<[VertexId; N]>, usize)> {
    let pieces = components(positions.len(), elements);
    if pieces.count < 2 {
        return None;
    }
    let mut sizes = vec![0_usize; pieces.count];
    let mut first = vec![None; pieces.count];
    for element in elements {
        let piece = pieces.of_vertex[element[0].index()];
        sizes[piece] += 1;
        first[piece].get_or_insert(element[0]);
    }
    let largest = sizes.iter().copied().max()?;
    let parts = parts_of(
        surface,
        &first.iter().map(|v| v.map_or(Vec3::zeros(), |v| positions[v.index()])).collect::<Vec<_>>(),
    );
    // The largest piece of each part of the surface, the first of several.
    let mut best: HashMap<usize, usize> = HashMap::new();
    for (piece, part) in parts.iter().enumerate() {
        let there = best.entry(*part).or_insert(piece);
        if sizes[piece] > sizes[*there] {
            *there = piece;
        }
    }
    let is_speck =
        |piece: usize| (sizes[piece] as f64) < SPECK * largest as f64 && best[&parts[piece]] != piece;
    let specks = (0..pieces.count).filter(|piece| is_speck(*piece)).count();
    if specks == 0 {
        return None;
    }
    let stays = |v: &VertexId| !is_speck(pieces.of_vertex[v.index()]);
    let mut number = vec![VertexId(0); positions.len()];
    let mut left = Vec::new();
    for v in (0..positions.len()).filter(|v| stays(&VertexId::new(*v))) {
        number[v] = VertexId::new(left.len());
        left.push(positions[v]);
    }
    let elements = elements.iter().filter(|element| stays(&element[0]));
    Some((left, elements.map(|element| element.map(|v| number[v.index()])).collect(), specks))
}

/// The part of the surface nearest to each point: parts hang together through triangles, across seams too.
fn parts_of(surface: &TriMesh, points: &[Vec3]) -> Vec<usize> {
    let places: Vec<[f64; 3]> = surface.positions().iter().map(|p| (*p).into()).collect();
    let joined = Weld::of(&places).triangles(surface.triangles());
    let parts = components(places.len(), &joined);
    let tree = TriangleTree::new(surface.positions(), &joined);
    let part =
        |p: &Vec3| tree.closest(p).map_or(0, |at| parts.of_vertex[joined[at.triangle.index()][0].index()]);
    points.iter().map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes;
    use supple_model::Progress;

    /// A filled ball with a filled ball of another size beside it, as one mesh, and the two surfaces.
    fn two(radius: f64, cells: usize) -> (TetMesh, TriMesh, TriMesh) {
        let [large, small] =
            [(0.0, 1.0), (3.0, radius)].map(|(x, r)| shapes::ball(Vec3::new(x, 0.0, 0.0), r, 6).unwrap());
        let fill = |of: &TriMesh, cells| crate::fill_tets(of, cells, &Progress::silent()).unwrap();
        let (mut body, other) = (fill(&large, 16), fill(&small, cells));
        let count = body.positions().len();
        let positions = [body.positions(), other.positions()].concat();
        let shifted = other.tets().iter().map(|tet| tet.map(|v| VertexId::new(v.index() + count)));
        let tets = body.tets().iter().copied().chain(shifted).collect();
        body = TetMesh::new(positions, tets).unwrap();
        (body, large, small)
    }

    #[test]
    fn specks_go_and_what_is_small_by_itself_stays() {
        let (body, large, small) = two(0.1, 3);
        let tets = body.tets().len();
        let count = |mesh: &TetMesh| components(mesh.positions().len(), mesh.tets()).count;
        // Of one surface, the small ball is what is left of a horn.
        let (left, specks) = tets_without_specks(body.clone(), &large).unwrap();
        assert_eq!((specks, count(&left)), (1, 1));
        assert!(left.tets().len() < tets && left.positions().iter().all(|p| p.x < 1.5));
        // Of two, it is a part of its own.
        let first = large.positions().len();
        let positions = [large.positions(), small.positions()].concat();
        let shifted = small.triangles().iter().map(|t| t.map(|v| VertexId::new(v.index() + first)));
        let both =
            TriMesh::new(positions, large.triangles().iter().copied().chain(shifted).collect()).unwrap();
        assert_eq!(tets_without_specks(body.clone(), &both).unwrap(), (body, 0));
        // And half a dumbbell is no speck.
        let (body, large, _) = two(0.8, 14);
        assert_eq!(tets_without_specks(body.clone(), &large).unwrap(), (body, 0));
    }
}
