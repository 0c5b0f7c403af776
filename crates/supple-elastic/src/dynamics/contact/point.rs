//! A point of a body that collides: one of its vertices, or a place inside one of its elements.
//!
//! A body may be simulated by a coarse cage around it. What collides are then points of the body itself, and
//! each rides on the corners i of an element of the cage,
//!
//! > x = Σ wᵢ xᵢ, Σ wᵢ = 1.
//!
//! A force f at the point is the force wᵢ f at each corner, and a stiffness H is wᵢ wⱼ H between two of them,
//! all within the pattern of the body's own stiffness. An impulse p changes the velocity of a corner by
//! wᵢ p/mᵢ and that of the point by p/m, with the effective mass m of the point,
//!
//! > 1/m = Σ wᵢ²/mᵢ.
//!
//! Anchored corners go where they are told: the sums over masses leave them out.

use super::ContactStep;
use crate::dynamics::SimulationError;
use crate::elements::displacement;
use crate::{ElasticBody, FreeVertices};
use supple_mesh::Vec3;
use supple_model::VertexId;
use supple_numerics::sparse::BlockPattern;

/// How far weights may add up to something else than 1.
const WEIGHT_ERROR: f64 = 1e-6;

/// A place that moves with the vertices around it.
#[derive(Clone, Debug)]
pub(in crate::dynamics) struct Point {
    /// Vertices and their weights, ascending.
    corners: Vec<(VertexId, f64)>,
    /// Those that are free.
    free: Vec<FreeCorner>,
    /// m, kilograms; infinite when every corner is anchored.
    mass: f64,
    /// Σ wᵢ² of the free corners.
    spread: f64,
}

/// A vertex that moves and carries a point.
#[derive(Clone, Copy, Debug)]
pub(in crate::dynamics) struct FreeCorner {
    pub vertex: VertexId,
    /// Its place among the free vertices.
    pub place: usize,
    /// w.
    pub weight: f64,
}

impl Point {
    /// The point with these `weights`, the `number`-th of those that collide; `pattern` is that of the
    /// stiffness over the free vertices.
    pub fn new(
        number: usize,
        mut weights: Vec<(VertexId, f64)>,
        body: &ElasticBody,
        free: &FreeVertices,
        pattern: &BlockPattern,
    ) -> Result<Self, SimulationError> {
        let vertices = body.positions().len();
        if let Some(&(vertex, _)) = weights.iter().find(|(v, _)| v.index() >= vertices) {
            return Err(SimulationError::NoSuchVertex { vertex, vertices });
        }
        let sum: f64 = weights.iter().map(|(_, w)| w).sum();
        if !sum.is_finite() || (sum - 1.0).abs() > WEIGHT_ERROR {
            return Err(SimulationError::Weights { point: number, sum });
        }
        weights.sort_by_key(|(v, _)| *v);
        weights.dedup_by(|next, kept| {
            next.0 == kept.0 && {
                kept.1 += next.1;
                true
            }
        });
        weights.retain(|(_, w)| *w != 0.0);
        let corner = |&(vertex, weight): &(VertexId, f64)| {
            free.index(vertex).map(|place| FreeCorner { vertex, place, weight })
        };
        let corners: Vec<FreeCorner> = weights.iter().filter_map(corner).collect();
        for (k, a) in corners.iter().enumerate() {
            if let Some(b) = corners[..k].iter().find(|b| pattern.find(a.place, b.place).is_none()) {
                return Err(SimulationError::Apart { point: number, corners: [b.vertex, a.vertex] });
            }
        }
        let masses = body.masses();
        let mobility: f64 = corners.iter().map(|c| c.weight * c.weight / masses[c.vertex.index()]).sum();
        let spread = corners.iter().map(|c| c.weight * c.weight).sum();
        Ok(Self { corners: weights, free: corners, mass: 1.0 / mobility, spread })
    }

    /// Whether it can be moved at all.
    pub fn is_free(&self) -> bool {
        !self.free.is_empty()
    }

    /// The corners that are free, ascending.
    pub fn free(&self) -> &[FreeCorner] {
        &self.free
    }

    /// m, kilograms.
    pub fn mass(&self) -> f64 {
        self.mass
    }

    /// Where it is when the vertices, at `rest` there, are displaced by `u`.
    pub fn position(&self, rest: &[Vec3], u: &[f64]) -> Vec3 {
        self.corners.iter().map(|&(v, w)| (rest[v.index()] + displacement(u, v)) * w).sum()
    }

    /// Its velocity when those of the vertices are `v`.
    pub fn velocity(&self, v: &[f64]) -> Vec3 {
        self.corners.iter().map(|&(vertex, w)| displacement(v, vertex) * w).sum()
    }

    /// Changes the numbers of its free corners, displacements or velocities, such that its own change `by`
    /// this vector; of all ways the one that changes least.
    pub fn displace(&self, by: &Vec3, values: &mut [f64]) {
        for corner in &self.free {
            add(values, corner.vertex, by * (corner.weight / self.spread));
        }
    }

    /// What an impulse, or a force, does to the velocities, or accelerations, of its corners.
    pub fn push(&self, impulse: &Vec3, step: &ContactStep<'_>, values: &mut [f64]) {
        for corner in &self.free {
            add(values, corner.vertex, impulse * (corner.weight / step.masses[corner.vertex.index()]));
        }
    }
}

fn add(values: &mut [f64], vertex: VertexId, by: Vec3) {
    for c in 0..3 {
        values[3 * vertex.index() + c] += by[c];
    }
}
