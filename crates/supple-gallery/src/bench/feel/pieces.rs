//! Pieces of a surface that touch or overlap, and the gaps between them.
//!
//! The gap of two pieces is the least distance of their surfaces, 0 where one meets the other:
//!
//! > g(A, B) = min over points a ∈ A, b ∈ B of |a − b|
//!
//! (told by the vertices of each against the triangles of the other). Pieces that are nearer than `near` in every
//! frame touch.

use super::surface::Film;
use rayon::prelude::*;
use supple_mesh::{Aabb, TriangleTree, Vec3};
use supple_model::VertexId;

/// What edges connect.
#[derive(Debug)]
struct Piece {
    vertices: Vec<usize>,
    edges: Vec<[usize; 2]>,
    triangles: Vec<[VertexId; 3]>,
}

/// Pieces that touch.
#[derive(Debug)]
pub struct Pieces {
    pieces: Vec<Piece>,
    /// Which two, and their gap in every frame of the input.
    pairs: Vec<([usize; 2], Vec<f64>)>,
}

impl Pieces {
    /// The pieces of a surface, `of` naming that of every vertex.
    pub fn new(film: &Film, triangles: &[[usize; 3]], edges: &[[usize; 2]], of: &[usize], near: f64) -> Self {
        let mut names: Vec<usize> = triangles.iter().map(|t| of[t[0]]).collect();
        names.sort_unstable();
        names.dedup();
        let piece = |name: &usize| Piece {
            vertices: (0..of.len()).filter(|v| of[*v] == *name).collect(),
            edges: edges.iter().copied().filter(|[a, _]| of[*a] == *name).collect(),
            triangles: triangles.iter().filter(|t| of[t[0]] == *name).map(|t| t.map(VertexId::new)).collect(),
        };
        let pieces: Vec<Piece> = names.iter().map(piece).collect();
        let mut found = Self { pieces, pairs: Vec::new() };
        let pairs = found.meeting(&film[0], near);
        let gaps: Vec<Vec<f64>> = film.par_iter().map(|at| found.gaps(at, &pairs)).collect();
        let over_time = |k: usize| gaps.iter().map(|frame| frame[k]).collect::<Vec<f64>>();
        let all = pairs.iter().enumerate().map(|(k, pair)| (*pair, over_time(k)));
        found.pairs = all.filter(|(_, gaps)| gaps.iter().all(|gap| *gap <= near)).collect();
        found
    }

    /// How many pairs touch.
    pub fn touching(&self) -> usize {
        self.pairs.len()
    }

    /// By how much any gap is wider than in the input; none where nothing touches.
    pub fn opened(&self, after: &Film) -> Option<f64> {
        if self.pairs.is_empty() {
            return None;
        }
        let pairs: Vec<[usize; 2]> = self.pairs.iter().map(|(pair, _)| *pair).collect();
        let widest = |(frame, at): (usize, &Vec<Vec3>)| {
            let gaps = self.gaps(at, &pairs).into_iter().zip(&self.pairs);
            gaps.map(|(gap, (_, before))| gap - before[frame]).fold(0.0, f64::max)
        };
        Some(after.par_iter().enumerate().map(widest).reduce(|| 0.0, f64::max))
    }

    /// Pairs whose boxes are near each other.
    fn meeting(&self, at: &[Vec3], near: f64) -> Vec<[usize; 2]> {
        let corners = |piece: &Piece| piece.vertices.iter().map(|v| at[*v]).collect::<Vec<Vec3>>();
        let boxes: Vec<Aabb> = self.pieces.iter().map(|piece| Aabb::around(&corners(piece))).collect();
        let meet =
            |a: &Aabb, b: &Aabb| (0..3).all(|c| a.min[c] <= b.max[c] + near && b.min[c] <= a.max[c] + near);
        let all = (0..boxes.len()).flat_map(|a| (a + 1..boxes.len()).map(move |b| [a, b]));
        all.filter(|[a, b]| meet(&boxes[*a], &boxes[*b])).collect()
    }

    fn gaps(&self, at: &[Vec3], pairs: &[[usize; 2]]) -> Vec<f64> {
        let trees: Vec<TriangleTree> =
            self.pieces.iter().map(|piece| TriangleTree::new(at, &piece.triangles)).collect();
        let gap = |[a, b]: &[usize; 2]| {
            if crosses(&self.pieces[*a], &trees[*b], at) || crosses(&self.pieces[*b], &trees[*a], at) {
                return 0.0;
            }
            nearest(&self.pieces[*a], &trees[*b], at).min(nearest(&self.pieces[*b], &trees[*a], at))
        };
        pairs.iter().map(gap).collect()
    }
}

fn crosses(piece: &Piece, tree: &TriangleTree, at: &[Vec3]) -> bool {
    piece.edges.iter().any(|[a, b]| {
        let mut hits = 0;
        tree.segment_hits(&at[*a], &at[*b], |_| hits += 1);
        hits > 0
    })
}

fn nearest(piece: &Piece, tree: &TriangleTree, at: &[Vec3]) -> f64 {
    let far = piece.vertices.iter().filter_map(|v| tree.closest(&at[*v])).map(|point| point.distance);
    far.fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A flat square and a spike through it.
    fn spiked(up: f64) -> Vec<Vec3> {
        let p = Vec3::new;
        let square = [p(0.0, 0.0, 0.0), p(1.0, 0.0, 0.0), p(1.0, 1.0, 0.0), p(0.0, 1.0, 0.0)];
        let spike = [p(0.6, 0.3, up - 0.5), p(0.62, 0.3, up + 0.5), p(0.6, 0.32, up + 0.5)];
        [&square[..], &spike[..]].concat()
    }

    fn pieces(film: &Film) -> Pieces {
        let triangles = [[0, 1, 2], [0, 2, 3], [4, 5, 6]];
        let edges = [[0, 1], [1, 2], [0, 2], [2, 3], [0, 3], [4, 5], [5, 6], [4, 6]];
        Pieces::new(film, &triangles, &edges, &[0, 0, 0, 0, 4, 4, 4], 0.01)
    }

    #[test]
    fn what_overlaps_touches_until_it_is_torn_off() {
        let pieces = pieces(&vec![spiked(0.0), spiked(0.2)]);
        assert_eq!(pieces.touching(), 1);
        assert_eq!(pieces.opened(&vec![spiked(0.3), spiked(-0.4)]), Some(0.0), "still through it");
        let torn = pieces.opened(&vec![spiked(0.0), spiked(0.8)]).unwrap();
        assert!((torn - 0.3).abs() < 1e-12, "{torn}");
    }

    #[test]
    fn what_parts_by_itself_does_not_touch() {
        let pieces = pieces(&vec![spiked(0.0), spiked(0.6)]);
        assert_eq!((pieces.touching(), pieces.opened(&vec![spiked(2.0), spiked(2.0)])), (0, None));
    }
}
