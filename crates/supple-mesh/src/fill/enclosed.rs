//! The solid a triangle surface encloses, however damaged: where its winding number w says inside.
//!
//! Inside is w > ½, with the sign of w chosen so that the surface as a whole encloses positive
//! volume; a surface whose triangles all look inwards is filled just the same. Parts turned against
//! the rest count where they are wound fully, w < −¾, so that a body and another one inside out
//! both fill, while one inside out *within* another is a cavity. Of triangles with the same corners
//! the first alone counts: doubled and two-sided surfaces fill as single ones.

use super::grid::{Inside, inside};
use super::winding::Winding;
use crate::stuffing::{Lattice, Solid, root};
use crate::{Aabb, FillError, TriMesh, TriangleTree, Vec3};
use std::collections::HashSet;
use supple_model::{Cancelled, Progress, VertexId};

/// Wound at least this often, turned against the rest, is inside.
const AGAINST: f64 = 0.75;
/// How many triangles are looked at to tell whether the surface is closed.
const SAMPLES: usize = 256;
/// A surface that winds less than this around the points just beside it is open. Closed ones reach
/// 1, flat sheets ½.
const CLOSED: f64 = 0.75;

/// A triangle surface as a solid.
#[derive(Clone, Debug)]
pub(super) struct Enclosed {
    winding: Winding,
    bounds: Aabb,
    /// −1 when the triangles look inwards, else 1.
    orientation: f64,
}

impl Enclosed {
    /// Sorts the triangles of a surface.
    pub fn new(surface: &TriMesh, progress: &Progress) -> Result<Self, Cancelled> {
        progress.check()?;
        let tree = TriangleTree::new(surface.positions(), &distinct(surface));
        let bounds = Aabb::around(tree.corners().as_flattened());
        let center = bounds.center();
        let six_volumes = tree.corners().iter().map(|t| {
            let [a, b, c] = t.map(|corner| corner - center);
            a.dot(&b.cross(&c))
        });
        let orientation = if six_volumes.sum::<f64>() < 0.0 { -1.0 } else { 1.0 };
        progress.check()?;
        Ok(Self { winding: Winding::new(tree), bounds, orientation })
    }

    /// The box around the surface.
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// The triangles that count.
    pub fn triangles(&self) -> &TriangleTree {
        self.winding.triangles()
    }

    /// Whether the surface is closed, or nearly so.
    ///
    /// # Errors
    /// [`FillError::Open`].
    pub fn check_closed(&self) -> Result<(), FillError> {
        let winding = self.largest_winding();
        if winding < CLOSED { Err(FillError::Open { winding }) } else { Ok(()) }
    }

    /// The largest winding number just beside some of the triangles.
    fn largest_winding(&self) -> f64 {
        let corners = self.triangles().corners();
        let beside = self.bounds.size().norm() * 1e-7;
        let stride = corners.len().div_ceil(SAMPLES).max(1);
        let samples = corners.iter().step_by(stride).map(|[a, b, c]| {
            let normal = (b - a).cross(&(c - a)).normalize();
            let [behind, before] = [-beside, beside].map(|d| (a + b + c) / 3.0 + normal * d);
            self.winding.at(&behind).abs().max(self.winding.at(&before).abs())
        });
        samples.fold(0.0, f64::max)
    }

    /// Where no triangle is met between the ends the surface has a hole, across which the value
    /// changes smoothly.
    fn crossing_in_hole(&self, from: &Vec3, to: &Vec3) -> f64 {
        let [g0, g1] = [from, to].map(|end| self.value(end));
        if (g0 < 0.0) == (g1 < 0.0) {
            // An end so close to the surface that its side is a matter of rounding.
            return if g0.abs() < g1.abs() { 0.0 } else { 1.0 };
        }
        root(g0, g1, |t| self.value(&from.lerp(to, t)))
    }

    /// Negative inside; continuous but for jumps at the triangles. Nothing beyond the bounds of the
    /// surface is inside.
    fn value(&self, point: &Vec3) -> f64 {
        self.value_given(point, self.winding.at(point))
    }

    fn value_given(&self, point: &Vec3, winding: f64) -> f64 {
        let winding = self.orientation * winding;
        if self.bounds.contains(point) { (0.5 - winding).min(winding + AGAINST) } else { 0.5 }
    }
}

impl Inside for Enclosed {
    fn contains(&self, point: &Vec3) -> bool {
        self.value(point) < 0.0
    }

    /// In a ball without triangles w is harmonic. If w is within ε of a whole number at the centre
    /// and does not pass it, Harnack's inequality bounds its distance from that number by
    /// ε (1 + ρ)/(1 − ρ)² at the part ρ of the radius: 15 ε at ρ = 2/3.
    fn fills_ball(&self, center: &Vec3, radius: f64) -> Option<bool> {
        const WIDER: f64 = 1.5;
        const EPSILON: f64 = 0.02;
        let clear = self.triangles().closest(center)?.distance > WIDER * radius;
        let winding = clear.then(|| self.winding.at(center))?;
        let is_whole = (winding - winding.round()).abs() < EPSILON;
        is_whole.then(|| self.value_given(center, winding) < 0.0)
    }
}

impl Solid for Enclosed {
    fn values(&self, lattice: &Lattice) -> Vec<f64> {
        let signs = lattice.grids().into_iter().flat_map(|grid| inside(self, &grid));
        signs.map(|inside| if inside { -1.0 } else { 1.0 }).collect()
    }

    /// The surface is crossed at a triangle: the first between two samples of different kind, taken
    /// halfway between the triangles met.
    fn crossing(&self, [from, to]: [Vec3; 2], values: [f64; 2]) -> f64 {
        let met = self.triangles().crossings(&from, &to);
        let Some((&last, earlier)) = met.split_last() else {
            return self.crossing_in_hole(&from, &to);
        };
        let starts_inside = values[0] < 0.0;
        let leaves = |k: &usize| {
            let halfway = (met[*k] + met[k + 1]) / 2.0;
            self.contains(&from.lerp(&to, halfway)) != starts_inside
        };
        (0..earlier.len()).find(leaves).map_or(last, |k| met[k])
    }
}

/// The triangles that have an area, the first of those with the same corners in any order.
pub(crate) fn distinct(surface: &TriMesh) -> Vec<[VertexId; 3]> {
    let mut seen = HashSet::with_capacity(surface.triangles().len());
    let is_new = |triangle: &&[VertexId; 3]| {
        let corners = triangle.map(|v| surface.positions()[v.index()]);
        let [a, b, c] = corners;
        // Adding zero makes −0 the same as 0.
        let mut key = corners.map(|p| [p.x, p.y, p.z].map(|x| (x + 0.0).to_bits()));
        key.sort_unstable();
        (b - a).cross(&(c - a)).norm_squared() > 0.0 && seen.insert(key)
    };
    surface.triangles().iter().filter(is_new).copied().collect()
}
