//! Closest points and ray casts on a triangle mesh, in O(log n) each.

use crate::bvh::ray_enters;
use crate::triangle::{blend, closest_weights, ray_hit};
use crate::{Aabb, Bvh, TriMesh, Vec3};
use supple_model::{ElementId, VertexId};

/// A point on a triangle mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfacePoint {
    /// The triangle it lies on.
    pub triangle: ElementId,
    /// Its barycentric weights at that triangle's corners.
    pub weights: [f64; 3],
    /// Where it is.
    pub position: Vec3,
    /// Its distance from what was asked about: metres for a closest point, multiples of the
    /// direction's length for a ray.
    pub distance: f64,
}

/// Triangles sorted for searching. It keeps its own copy of the corners, so it stays valid while
/// the mesh it came from moves on.
#[derive(Clone, Debug)]
pub struct TriangleTree {
    corners: Vec<[Vec3; 3]>,
    tree: Bvh,
}

impl TriangleTree {
    /// Sorts the triangles of a mesh.
    #[must_use]
    pub fn of(mesh: &TriMesh) -> Self {
        Self::new(mesh.positions(), mesh.triangles())
    }

    /// Sorts `triangles` between `positions`, such as a deformed skin.
    #[must_use]
    pub fn new(positions: &[Vec3], triangles: &[[VertexId; 3]]) -> Self {
        let corners: Vec<_> = triangles.iter().map(|t| t.map(|v| positions[v.index()])).collect();
        let boxes: Vec<_> = corners.iter().map(|c| Aabb::around(c)).collect();
        Self { tree: Bvh::new(&boxes), corners }
    }

    /// The point of the mesh closest to `point`; `None` only when there are no triangles.
    #[must_use]
    pub fn closest(&self, point: &Vec3) -> Option<SurfacePoint> {
        let (triangle, distance_squared) = self.tree.nearest(point, |t| {
            let corners = &self.corners[t];
            (point - blend(corners, closest_weights(point, corners))).norm_squared()
        })?;
        let weights = closest_weights(point, &self.corners[triangle]);
        Some(self.surface_point(triangle, weights, distance_squared.sqrt()))
    }

    /// The first point of the mesh on the ray `origin + t direction`, t ≥ 0, seen from either side.
    #[must_use]
    pub fn ray_cast(&self, origin: &Vec3, direction: &Vec3) -> Option<SurfacePoint> {
        let hit = |t: usize| ray_hit(origin, direction, &self.corners[t]);
        let (triangle, distance) = self.tree.first_hit(origin, direction, |t| hit(t).map(|(t, _)| t))?;
        let (_, weights) = hit(triangle)?;
        Some(self.surface_point(triangle, weights, distance))
    }

    /// Tells `visit` every triangle within `distance` of `point`, and where on it, in a fixed order.
    pub fn within(&self, point: &Vec3, distance: f64, mut visit: impl FnMut(SurfacePoint)) {
        let limit = distance * distance;
        self.tree.visit(
            |_, bounds| bounds.distance_squared(point) <= limit,
            |triangle| {
                let weights = closest_weights(point, &self.corners[triangle]);
                let apart = (point - blend(&self.corners[triangle], weights)).norm_squared();
                if apart <= limit {
                    visit(self.surface_point(triangle, weights, apart.sqrt()));
                }
            },
        );
    }

    /// Tells `visit` every triangle that the segment `from + t (to − from)`, t ∈ [0, 1], meets from
    /// either side, with t as the distance, in a fixed order. A point that several triangles share
    /// is told for each.
    pub fn segment_hits(&self, from: &Vec3, to: &Vec3, mut visit: impl FnMut(SurfacePoint)) {
        let direction = to - from;
        let inverse = direction.map(|d| 1.0 / d);
        let enters = |_, bounds: &Aabb| ray_enters(bounds, from, &inverse) <= 1.0;
        self.tree.visit(enters, |triangle| {
            let hit = ray_hit(from, &direction, &self.corners[triangle]);
            if let Some((t, weights)) = hit.filter(|(t, _)| *t <= 1.0) {
                visit(self.surface_point(triangle, weights, t));
            }
        });
    }

    /// Every t in [0, 1] at which the segment `from + t (to − from)` meets the mesh, ascending;
    /// meetings with several triangles at one point count once.
    pub(crate) fn crossings(&self, from: &Vec3, to: &Vec3) -> Vec<f64> {
        // Closer together than this part of the segment is one point, and so far beyond its ends
        // still counts.
        const SAME: f64 = 1e-9;
        let beyond = (to - from) * SAME;
        let mut found = Vec::new();
        self.segment_hits(&(from - beyond), &(to + beyond), |hit| found.push(hit.distance));
        found.sort_unstable_by(f64::total_cmp);
        found.dedup_by(|next, kept| *next - *kept < SAME);
        found.iter().map(|t| t.clamp(0.0, 1.0)).collect()
    }

    /// The corners of every triangle.
    pub(crate) fn corners(&self) -> &[[Vec3; 3]] {
        &self.corners
    }

    /// The tree of boxes; its items are the triangles.
    pub(crate) fn tree(&self) -> &Bvh {
        &self.tree
    }

    fn surface_point(&self, triangle: usize, weights: [f64; 3], distance: f64) -> SurfacePoint {
        let position = blend(&self.corners[triangle], weights);
        SurfacePoint { triangle: ElementId::new(triangle), weights, position, distance }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn point() -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-1.0..1.0).prop_map(Vec3::from)
    }

    /// Small triangles scattered about, some of them exactly repeated.
    fn soup() -> impl Strategy<Value = Vec<[Vec3; 3]>> {
        let triangle = (point(), point(), point()).prop_map(|(a, b, c)| [a, a + b * 0.2, a + c * 0.2]);
        prop::collection::vec(triangle, 1..60).prop_map(|mut all| {
            all.extend_from_within(..all.len() / 3);
            all
        })
    }

    fn tree(soup: &[[Vec3; 3]]) -> TriangleTree {
        let ids: Vec<_> = (0..soup.len()).map(|t| [3 * t, 3 * t + 1, 3 * t + 2].map(VertexId::new)).collect();
        TriangleTree::new(soup.as_flattened(), &ids)
    }

    proptest! {
        #[test]
        fn the_closest_point_is_the_one_of_a_full_search(soup in soup(), p in point()) {
            let distance = |c: &[Vec3; 3]| (p - blend(c, closest_weights(&p, c))).norm();
            let all: Vec<f64> = soup.iter().map(distance).collect();
            let nearest = all.iter().copied().fold(f64::INFINITY, f64::min);
            let found = tree(&soup).closest(&p).unwrap();
            prop_assert_eq!(found.distance, nearest);
            prop_assert_eq!(found.triangle.index(), all.iter().position(|d| *d == nearest).unwrap());
            prop_assert!(((found.position - p).norm() - nearest).abs() < 1e-12);
        }

        #[test]
        fn the_crossings_of_a_segment_are_those_of_a_full_search(soup in soup(), p in point(), q in point()) {
            let mut all: Vec<f64> =
                soup.iter().filter_map(|c| ray_hit(&p, &(q - p), c)).map(|h| h.0).filter(|t| *t <= 1.0).collect();
            all.sort_unstable_by(f64::total_cmp);
            all.dedup();
            let found = tree(&soup).crossings(&p, &q);
            prop_assert_eq!(found.len(), all.len());
            prop_assert!(found.iter().zip(&all).all(|(f, a)| (f - a).abs() < 1e-8));
        }

        #[test]
        fn the_first_hit_is_the_one_of_a_full_search(soup in soup(), p in point(), d in point(), axis in 0..4usize) {
            // Every other direction lies along an axis, where slabs degenerate.
            let direction = if axis < 3 { Vec3::ith(axis, d[axis]) } else { d };
            let all: Vec<_> = soup.iter().map(|c| ray_hit(&p, &direction, c).map(|h| h.0)).collect();
            let first = all.iter().flatten().copied().fold(f64::INFINITY, f64::min);
            match tree(&soup).ray_cast(&p, &direction) {
                None => prop_assert_eq!(first, f64::INFINITY),
                Some(found) => {
                    prop_assert_eq!(found.distance, first);
                    prop_assert_eq!(found.triangle.index(), all.iter().position(|t| *t == Some(first)).unwrap());
                    prop_assert!((p + direction * first - found.position).norm() < 1e-9);
                }
            }
        }
    }

    #[test]
    fn an_empty_tree_finds_nothing() {
        let tree = TriangleTree::new(&[], &[]);
        assert_eq!(tree.closest(&Vec3::zeros()), None);
        assert_eq!(tree.ray_cast(&Vec3::zeros(), &Vec3::x()), None);
    }

    #[test]
    fn a_flat_box_is_hit_along_its_plane_normal_and_missed_within_it() {
        let floor = tree(&[[Vec3::zeros(), Vec3::x(), Vec3::z()]]);
        let hit = floor.ray_cast(&Vec3::new(0.25, 2.0, 0.25), &-Vec3::y()).unwrap();
        assert_eq!((hit.distance, hit.weights), (2.0, [0.5, 0.25, 0.25]));
        assert_eq!(floor.ray_cast(&Vec3::new(-1.0, 0.0, 0.25), &Vec3::x()), None);
    }
}
