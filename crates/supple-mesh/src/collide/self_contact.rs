//! Where a surface touches itself.
//!
//! A vertex x_v touches a triangle when the point c = Σ_k w_k x_k of it nearest to x_v is within a
//! distance d, and the two are no neighbours: no corner of the triangle is v or joined to v by an edge,
//! and at rest the same two points are farther apart than [`APART`] d. The second keeps apart what is
//! only a fine mesh, a thin wall or strongly compressed from what has folded: it compares the surface
//! with itself at rest and needs no geodesics.
//!
//! The normal is that of the triangle. A closed surface has an outside, and it points there; the others
//! have two sides, and it points to the vertex.

use crate::triangle_tree::SurfacePoint;
use crate::{Neighbours, TriangleTree, Vec3, vertex_vertices};
use rayon::prelude::*;
use supple_model::{Cancelled, Progress, VertexId};

/// What is nearer at rest than so many times the distance of a touch is a neighbour.
const APART: f64 = 4.0;
/// Vertices asked about between two looks at whether to go on.
const PIECE: usize = 1024;

/// A vertex that touches another part of its own surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SelfContact {
    /// What touches.
    pub vertex: VertexId,
    /// The corners of the triangle it touches.
    pub corners: [VertexId; 3],
    /// Where on it: the weights of the corners, which sum to 1.
    pub weights: [f64; 3],
    /// The unit normal of the triangle, towards the vertex.
    pub normal: Vec3,
}

/// A surface prepared for finding where it touches itself.
#[derive(Clone, Debug)]
pub struct SelfTouch {
    rest: Vec<Vec3>,
    triangles: Vec<[VertexId; 3]>,
    neighbours: Neighbours<VertexId>,
    /// The vertices of the triangles, ascending.
    vertices: Vec<VertexId>,
    is_closed: bool,
    within: f64,
}

impl SelfTouch {
    /// Prepares a surface, given where its vertices are at rest, for touches nearer than `within`.
    ///
    /// # Panics
    /// When a triangle has a corner that is not there.
    #[must_use]
    pub fn new(rest: &[Vec3], triangles: &[[VertexId; 3]], within: f64) -> Self {
        let mut vertices: Vec<VertexId> = triangles.iter().flatten().copied().collect();
        vertices.sort_unstable();
        vertices.dedup();
        Self {
            rest: rest.to_vec(),
            neighbours: vertex_vertices(rest.len(), triangles),
            is_closed: is_closed(triangles),
            triangles: triangles.to_vec(),
            vertices,
            within,
        }
    }

    /// Every vertex that touches the surface when the vertices are at `positions`, ascending, each with the
    /// nearest point it touches.
    ///
    /// # Errors
    /// [`Cancelled`] when the owner asked to stop.
    ///
    /// # Panics
    /// When there are not as many positions as there were at rest.
    pub fn find(&self, positions: &[Vec3], progress: &Progress) -> Result<Vec<SelfContact>, Cancelled> {
        assert_eq!(positions.len(), self.rest.len(), "the positions of another surface");
        let tree = TriangleTree::new(positions, &self.triangles);
        let pieces: Vec<Vec<SelfContact>> = self
            .vertices
            .par_chunks(PIECE)
            .map(|piece| {
                progress.check()?;
                Ok(piece.iter().filter_map(|v| self.touch(*v, positions, &tree)).collect())
            })
            .collect::<Result<_, Cancelled>>()?;
        Ok(pieces.concat())
    }

    fn touch(&self, vertex: VertexId, positions: &[Vec3], tree: &TriangleTree) -> Option<SelfContact> {
        let x = positions[vertex.index()];
        let mut nearest: Option<SurfacePoint> = None;
        tree.within(&x, self.within, |on| {
            let order = |other: &SurfacePoint| (on.distance, on.triangle) < (other.distance, other.triangle);
            if nearest.as_ref().is_none_or(order) && self.are_apart(vertex, &on) {
                nearest = Some(on);
            }
        });
        let on = nearest?;
        let corners = self.triangles[on.triangle.index()];
        let [a, b, c] = corners.map(|v| positions[v.index()]);
        let (offset, across) = (x - on.position, (b - a).cross(&(c - a)));
        // A triangle without area has no normal but the way to what touches it.
        let normal = across.try_normalize(0.0).or_else(|| offset.try_normalize(0.0))?;
        let normal = if !self.is_closed && normal.dot(&offset) < 0.0 { -normal } else { normal };
        let is_unit = (normal.norm_squared() - 1.0).abs() < 1e-9;
        is_unit.then_some(SelfContact { vertex, corners, weights: on.weights, normal })
    }

    /// Whether a vertex and a point of the surface are no neighbours.
    fn are_apart(&self, vertex: VertexId, on: &SurfacePoint) -> bool {
        let corners = self.triangles[on.triangle.index()];
        let ring = &self.neighbours[vertex];
        if corners.iter().any(|corner| *corner == vertex || ring.binary_search(corner).is_ok()) {
            return false;
        }
        let touched: Vec3 = corners.iter().zip(on.weights).map(|(v, w)| self.rest[v.index()] * w).sum();
        (self.rest[vertex.index()] - touched).norm() > APART * self.within
    }
}

/// Whether every edge belongs to two triangles.
fn is_closed(triangles: &[[VertexId; 3]]) -> bool {
    let mut edges: Vec<[VertexId; 2]> =
        triangles.iter().flat_map(|[a, b, c]| [[*a, *b], [*b, *c], [*c, *a]]).collect();
    edges.iter_mut().for_each(|edge| edge.sort_unstable());
    edges.sort_unstable();
    edges.chunk_by(|a, b| a == b).all(|same| same.len() == 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes;
    use proptest::prelude::*;

    const WITHIN: f64 = 0.01;

    /// A strip of `cells` squares of side 0.1 along x, flat at rest.
    fn strip(cells: usize) -> (Vec<Vec3>, Vec<[VertexId; 3]>) {
        let points = (0..=cells).flat_map(|i| [0.0, 0.1].map(|z| Vec3::new(0.1 * i as f64, 0.0, z)));
        let squares = (0..cells).map(|i| [2 * i, 2 * i + 1, 2 * i + 3, 2 * i + 2].map(VertexId::new));
        let triangles = squares.flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]);
        (points.collect(), triangles.collect())
    }

    /// Bent up at x = 0.5 and back at x = 0.6, so that what was beyond lies `gap` above what was before.
    fn folded(rest: &[Vec3], gap: f64) -> Vec<Vec3> {
        let bend = |p: &Vec3| if p.x < 0.55 { *p } else { Vec3::new(1.1 - p.x, gap, p.z) };
        rest.iter().map(bend).collect()
    }

    fn find(touch: &SelfTouch, positions: &[Vec3]) -> Vec<SelfContact> {
        touch.find(positions, &Progress::silent()).unwrap()
    }

    #[test]
    fn a_flat_strip_touches_nothing_and_a_folded_one_itself() {
        let (rest, triangles) = strip(11);
        let touch = SelfTouch::new(&rest, &triangles, WITHIN);
        assert_eq!(find(&touch, &rest), []);
        assert_eq!(find(&touch, &folded(&rest, 2.0 * WITHIN)), []);
        let gap = 0.5 * WITHIN;
        let moved = folded(&rest, gap);
        let found = find(&touch, &moved);
        // All but the two columns beside the fold, which are neighbours.
        let expected: Vec<VertexId> = (0..24).filter(|v| !(10..14).contains(v)).map(VertexId).collect();
        assert_eq!(found.iter().map(|c| c.vertex).collect::<Vec<_>>(), expected);
        for contact in found {
            let x = moved[contact.vertex.index()];
            let on: Vec3 =
                contact.corners.iter().zip(contact.weights).map(|(v, w)| moved[v.index()] * w).sum();
            let up = if x.y > 0.0 { 1.0 } else { -1.0 };
            assert!((x - on - Vec3::y() * (up * gap)).norm() < 1e-12);
            assert!((contact.normal - Vec3::y() * up).norm() < 1e-12);
            assert!((contact.weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn a_closed_surface_is_touched_from_outside_even_a_little_inside() {
        // Two balls of one mesh, apart at rest.
        let ball = shapes::ball(Vec3::zeros(), 0.5, 8).unwrap();
        let count = ball.positions().len();
        let apart = |by: f64| {
            let second = ball.positions().iter().map(|p| p + Vec3::new(0.0, by, 0.0));
            ball.positions().iter().copied().chain(second).collect::<Vec<_>>()
        };
        let second = ball.triangles().iter().map(|t| t.map(|v| VertexId::new(v.index() + count)));
        let triangles: Vec<_> = ball.triangles().iter().copied().chain(second).collect();
        let touch = SelfTouch::new(&apart(3.0), &triangles, WITHIN);
        for by in [1.005, 1.0, 0.995] {
            let found = find(&touch, &apart(by));
            assert!(found.len() >= 2, "{by}");
            for contact in &found {
                let up = if contact.vertex.index() < count { -1.0 } else { 1.0 };
                assert!(contact.normal.y * up > 0.9, "{by} {contact:?}");
            }
        }
        assert_eq!(find(&touch, &apart(1.02)), []);
    }

    proptest! {
        /// A full search over all pairs, on crumpled strips.
        #[test]
        fn what_is_found_is_what_a_full_search_finds(
            offsets in prop::collection::vec(prop::array::uniform3(-0.06..0.06), 24)
        ) {
            let (rest, triangles) = strip(11);
            let within = 0.03;
            let touch = SelfTouch::new(&rest, &triangles, within);
            let moved: Vec<Vec3> = folded(&rest, 0.0)
                .iter()
                .zip(&offsets)
                .map(|(p, o)| p + Vec3::from(*o))
                .collect();
            let found = find(&touch, &moved);
            for v in (0..24).map(VertexId) {
                let mut best: Option<(f64, usize)> = None;
                for (t, corners) in triangles.iter().enumerate() {
                    let joined = |a: VertexId| triangles.iter().any(|t| t.contains(&a) && t.contains(&v));
                    if corners.iter().any(|c| joined(*c)) {
                        continue;
                    }
                    let at = corners.map(|c| moved[c.index()]);
                    let w = crate::triangle::closest_weights(&moved[v.index()], &at);
                    let place = |p: &[Vec3]| corners.iter().zip(w).map(|(c, w)| p[c.index()] * w).sum::<Vec3>();
                    let distance = (place(&moved) - moved[v.index()]).norm();
                    let at_rest = (place(&rest) - rest[v.index()]).norm();
                    if distance <= within && at_rest > 4.0 * within && best.is_none_or(|b| distance < b.0) {
                        best = Some((distance, t));
                    }
                }
                let answer = found.iter().find(|c| c.vertex == v);
                prop_assert_eq!(answer.is_some(), best.is_some());
                if let (Some(answer), Some((distance, _))) = (answer, best) {
                    let on: Vec3 =
                        answer.corners.iter().zip(answer.weights).map(|(c, w)| moved[c.index()] * w).sum();
                    prop_assert!(((on - moved[v.index()]).norm() - distance).abs() < 1e-12);
                }
            }
        }
    }

    #[test]
    fn numbers_beyond_all_measure_do_no_harm() {
        let (rest, triangles) = strip(11);
        let touch = SelfTouch::new(&rest, &triangles, WITHIN);
        for scale in [1e300, 1e-300, 0.0] {
            let moved: Vec<Vec3> = rest.iter().map(|p| p * scale).collect();
            for contact in find(&touch, &moved) {
                assert!((contact.normal.norm() - 1.0).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn it_stops_when_told_to() {
        let (rest, triangles) = strip(11);
        let progress = Progress::silent();
        progress.cancel();
        assert_eq!(SelfTouch::new(&rest, &triangles, WITHIN).find(&rest, &progress), Err(Cancelled));
    }
}
