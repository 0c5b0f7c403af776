//! A triangle mesh as an obstacle.
//!
//! Triangles are counter-clockwise seen from outside. With c the point of the mesh nearest to x,
//!
//!   d(x) = ± ‖x − c‖, the sign that of (x − c) · N(c),
//!
//! N being the face's normal, or at an edge or a vertex the sum of the normals around it weighted by
//! their angles: that sum never misjudges the side (Bærentzen and Aanæs, Signed Distance Computation
//! Using the Angle Weighted Pseudonormal, 2005).
//!
//! An edge that belongs to one triangle only is a border, and a mesh with borders is *open*: it has a
//! front and a back, but no inside that would reach on without end. What lies behind it, no deeper
//! than its thickness and not beside its border, counts as inside; what is farther behind is free, and
//! may pass from the back to the front, never from the front to the back.
//!
//! Points that a solver leaves slightly inside, within `SHALLOW` of the size, are treated as if they lay
//! on the surface: both faces of a concave corner still answer, and a way that runs just below one face
//! still enters the next.

mod features;
mod near;
mod ray_entry;
#[cfg(test)]
mod tests;

use super::ObstacleError;
use crate::fill::distinct;
use crate::{Aabb, SurfacePoint, TriMesh, TriangleTree, Vec3};
use features::{Feature, Features};

/// Lengths below this part of the mesh's diagonal are rounding.
const HAIR: f64 = 1e-9;
/// A point of a triangle with a weight up to this is on its border.
const BORDER: f64 = 1e-9;
/// A point inside by less than this part of the diagonal has not really entered.
const SHALLOW: f64 = 1e-3;
/// The thickness of an open mesh, as a part of its diagonal, unless told otherwise.
const THICKNESS: f64 = 0.01;

/// A triangle mesh prepared for collisions; see [`Obstacle`](crate::Obstacle).
///
/// Its triangles are counter-clockwise seen from outside, so a mesh turned inside out is a hollow in
/// a solid without end: a room. Triangles that repeat another or have no area do no harm, nor does it
/// matter whether triangles share vertices or only have corners at the same place.
#[derive(Clone, Debug)]
pub struct ObstacleMesh {
    triangles: TriangleTree,
    features: Features,
    bounds: Aabb,
    /// Length of the diagonal of `bounds`.
    size: f64,
    /// How far behind its triangles the inside reaches; without end when the mesh is closed.
    thickness: f64,
    /// Whether the inside reaches beyond the bounds without end.
    is_room: bool,
}

/// The point of the mesh nearest to another.
struct Nearest {
    on: SurfacePoint,
    /// The pseudo-normal there.
    normal: Vec3,
    /// Whether the other point lies on the back of that.
    behind: bool,
    /// Whether the other point is inside.
    inside: bool,
}

impl Nearest {
    /// Negative inside.
    fn distance(&self) -> f64 {
        if self.inside { -self.on.distance } else { self.on.distance }
    }
}

impl ObstacleMesh {
    /// Prepares a mesh. If it is open it gets a thickness of a hundredth of its size.
    ///
    /// # Errors
    /// [`ObstacleError::NoArea`].
    pub fn new(mesh: &TriMesh) -> Result<Self, ObstacleError> {
        let triangles = TriangleTree::new(mesh.positions(), &distinct(mesh));
        if triangles.corners().is_empty() {
            return Err(ObstacleError::NoArea);
        }
        let features = Features::of(triangles.corners());
        let bounds = Aabb::around(triangles.corners().as_flattened());
        let size = bounds.size().norm();
        let thickness = if features.is_closed() { f64::INFINITY } else { THICKNESS * size };
        let mut mesh = Self { triangles, features, bounds, size, thickness, is_room: false };
        mesh.is_room = mesh.is_closed() && mesh.distance(&bounds.max.add_scalar(size)) < 0.0;
        Ok(mesh)
    }

    /// Says how thick an open mesh is, metres; a closed one is solid whatever is said.
    ///
    /// # Errors
    /// [`ObstacleError::Thickness`] unless it is positive and finite.
    pub fn with_thickness(mut self, thickness: f64) -> Result<Self, ObstacleError> {
        if !(thickness > 0.0 && thickness.is_finite()) {
            return Err(ObstacleError::Thickness { thickness });
        }
        if !self.is_closed() {
            self.thickness = thickness;
        }
        Ok(self)
    }

    /// Whether the mesh has no border, and hence an inside.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.thickness == f64::INFINITY
    }

    /// Whether x is farther than `margin` from all triangles and what is inside.
    fn is_clear(&self, x: &Vec3, margin: f64) -> bool {
        let reach = if self.is_closed() { margin } else { margin.max(self.thickness) };
        !self.is_room && self.bounds.distance_squared(x) > reach * reach
    }

    pub(super) fn distance(&self, x: &Vec3) -> f64 {
        self.nearest(x).map_or(f64::INFINITY, |nearest| nearest.distance())
    }

    /// A radius without anything inside. What is inside of an open mesh need not lie behind its triangles as
    /// seen from x, but is no farther from them than its thickness.
    pub(super) fn clearance(&self, x: &Vec3) -> f64 {
        self.nearest(x).map_or(f64::INFINITY, |nearest| {
            if self.is_closed() { nearest.distance() } else { nearest.distance() - self.thickness }
        })
    }

    /// `None` only without triangles, which [`ObstacleMesh::new`] refuses.
    fn nearest(&self, x: &Vec3) -> Option<Nearest> {
        let on = self.triangles.closest(x)?;
        let feature = Feature::at(&on.weights, 0.0);
        let normal = self.features.normal(on.triangle, feature);
        let behind = normal.dot(&(x - on.position)) < 0.0;
        let inside =
            behind && on.distance <= self.thickness && !self.features.is_border(on.triangle, feature);
        Some(Nearest { on, normal, behind, inside })
    }

    /// Lengths below this are rounding.
    fn hair(&self) -> f64 {
        HAIR * self.size
    }
}
