//! Where a straight way enters a mesh.
//!
//! It does where it meets a triangle from its front. At an edge or a vertex that is not enough: a way
//! may touch it and stay outside, so there the point halfway to the next triangle met has to be inside.
//!
//! A point that rests on one face and runs into another is often, by the tolerance of a solver, a
//! little below the first, and its whole way with it. So a shallow entry does not end the search: the
//! way is lifted out by as much as it ends too low, and a deep entry of the lifted way is told instead.

use super::super::Plane;
use super::{BORDER, Feature, ObstacleMesh, SHALLOW};
use crate::{Aabb, SurfacePoint, Vec3};

/// Triangles met closer together than this part of the way are met at one point.
const SAME: f64 = 1e-9;
/// Points inside by less than this part of the size are outside.
const OUTSIDE: f64 = 1e-12;
/// How many shallow entries are slid over: enough for the narrowest corner.
const LIFTS: usize = 8;

impl ObstacleMesh {
    pub(in super::super) fn entered(&self, from: &Vec3, to: &Vec3) -> Option<Plane> {
        let shallow = SHALLOW * self.size;
        let way = Aabb::around(&[*from, *to]).grown(shallow);
        if (0..3).any(|i| way.max[i] < self.bounds.min[i] || way.min[i] > self.bounds.max[i]) {
            return None;
        }
        let (mut start, mut end) = (*from, *to);
        let nearest = if self.is_clear(from, 0.0) { None } else { self.nearest(from) };
        if let Some(nearest) = nearest.filter(|n| n.inside && n.on.distance <= shallow) {
            let by = nearest.on.position - from + nearest.normal * self.hair();
            start += by;
            end += by;
        }
        let mut first = None;
        for _ in 0..LIFTS {
            let Some(plane) = self.first_entry(&start, &end) else { break };
            let depth = -plane.distance(&end);
            if plane.distance(to) < 0.0 {
                if depth > shallow {
                    return Some(plane);
                }
                first = first.or(Some(plane));
            }
            let by = plane.normal * (depth + self.hair());
            start = plane.point + by;
            end += by;
        }
        first
    }

    /// The plane at the first triangle met from the front, unless it is only touched.
    fn first_entry(&self, from: &Vec3, to: &Vec3) -> Option<Plane> {
        let way = to - from;
        let mut hits: Vec<SurfacePoint> = Vec::new();
        self.triangles.segment_hits(from, to, |hit| hits.push(hit));
        hits.sort_unstable_by(|a, b| a.distance.total_cmp(&b.distance).then(a.triangle.cmp(&b.triangle)));
        hits.iter().enumerate().find_map(|(k, hit)| {
            let face = self.features.normal(hit.triangle, Feature::Face);
            if face.dot(&way) >= 0.0 {
                return None;
            }
            let feature = Feature::at(&hit.weights, BORDER);
            if feature == Feature::Face {
                return Some(Plane { point: hit.position, normal: face });
            }
            let next = hits[k..].iter().map(|h| h.distance).find(|t| *t > hit.distance + SAME);
            if !self.is_inside_after(hit.distance, next.unwrap_or(1.0), from, &way) {
                return None;
            }
            // A convex edge is met as such; in a concave one it is the face that is run into.
            let smooth = self.features.normal(hit.triangle, feature);
            let is_face = self.features.is_hollow(hit.triangle, feature) || smooth.dot(&way) >= 0.0;
            let normal = if is_face { face } else { smooth };
            Some(Plane { point: hit.position, normal })
        })
    }

    /// Whether the way runs inside between two triangles it meets, the second of them excluded.
    fn is_inside_after(&self, t: f64, next: f64, from: &Vec3, way: &Vec3) -> bool {
        // Behind an open mesh the inside does not reach far.
        let halfway = ((next - t) / 2.0).min(self.thickness / way.norm() / 2.0);
        self.distance(&(from + way * (t + halfway))) < -OUTSIDE * self.size
    }
}
