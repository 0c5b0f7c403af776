//! What of a mesh is near a point.
//!
//! A face answers for the points in front of it: those whose nearest point on it lies in its interior,
//! or on an edge where the surface does not bend away, straight below them. In a concave corner that is
//! both faces; past a convex edge it is neither, and the nearest point of the edge answers, with the
//! direction to it as normal, so that the point slides over the edge instead of being held by a face
//! that ended before.
//!
//! A point inside asks from where it would leave, its nearest point on the surface.

use super::super::Plane;
use super::{BORDER, Feature, Nearest, ObstacleMesh};
use crate::{SurfacePoint, Vec3};

/// Planes whose normals have a cosine above this count as one.
const SAME: f64 = 1.0 - 1e-6;

impl ObstacleMesh {
    pub(in super::super) fn near(&self, x: &Vec3, margin: f64) -> Vec<Plane> {
        if self.is_clear(x, margin) {
            return Vec::new();
        }
        let Some(nearest) = self.nearest(x).filter(|nearest| nearest.distance() <= margin) else {
            return Vec::new();
        };
        let from = if nearest.inside { nearest.on.position } else { *x };
        let mut faces = Vec::new();
        self.triangles.within(&from, margin, |on| {
            if self.answers(&from, &on) {
                faces.push(on);
            }
        });
        faces.sort_unstable_by(|a, b| a.distance.total_cmp(&b.distance).then(a.triangle.cmp(&b.triangle)));
        let mut planes = Vec::new();
        let is_told = faces.iter().any(|f| (f.position - nearest.on.position).norm() <= self.hair());
        if !is_told && nearest.inside == nearest.behind {
            planes.push(self.nearest_plane(x, &nearest));
        }
        for face in faces {
            let normal = self.features.normal(face.triangle, Feature::Face);
            let plane = Plane { point: face.position, normal };
            // What lies behind a nearer plane cannot be reached before that.
            let hidden = |p: &Plane| p.normal.dot(&normal) > SAME || p.distance(&plane.point) < -self.hair();
            if !planes.iter().any(hidden) {
                planes.push(plane);
            }
        }
        planes
    }

    /// Whether the face answers for a point outside, `on` being its point nearest to it.
    fn answers(&self, from: &Vec3, on: &SurfacePoint) -> bool {
        let normal = self.features.normal(on.triangle, Feature::Face);
        let offset = from - on.position;
        let height = normal.dot(&offset);
        let beside = offset - normal * height;
        height >= -self.hair()
            && beside.norm() <= self.hair()
            && self.features.is_hollow(on.triangle, self.feature(on))
    }

    /// The plane across the way to the nearest point; on the surface itself that way is too short to
    /// have a direction.
    fn nearest_plane(&self, x: &Vec3, nearest: &Nearest) -> Plane {
        let point = nearest.on.position;
        let feature = self.feature(&nearest.on);
        let normal = if nearest.on.distance <= self.hair() || feature == Feature::Face {
            self.features.normal(nearest.on.triangle, feature)
        } else {
            (x - point) / nearest.distance()
        };
        Plane { point, normal }
    }

    /// The part of the mesh nearest to a point. On the surface itself rounding must not decide between
    /// an edge and the faces beside it.
    fn feature(&self, on: &SurfacePoint) -> Feature {
        Feature::at(&on.weights, if on.distance <= self.hair() { BORDER } else { 0.0 })
    }
}
