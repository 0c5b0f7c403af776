//! One triangle, bent.
//!
//! Where a smooth surface is curved, a triangle of it makes an angle with each of its neighbours. In reverse,
//! the angles θ_i across its edges, measured from those at rest, amount to a curvature, whose energy in a
//! Kirchhoff plate is
//!
//! > E = ½ |s|², s = Σ_i (θ_i − θ⁰_i) c_i ∈ R³,
//! >
//! > R = Σ_i (s·c_i) ∂θ_i, K = Σ_ij (c_i·c_j) ∂θ_i ∂θ_jᵀ + Σ_i (s·c_i) ∂²θ_i,
//!
//! with the vectors c_i of [`curvature`](super::curvature) and the derivatives of [`angle`](super::angle).
//!
//! Why not one energy per edge, k_e (θ_e − θ⁰_e)², as in discrete shells (Grinspun et al. 2003)? A sum of
//! squares of angles knows nothing of their products. On equilateral triangles it is a plate with the Poisson
//! ratio −1/3, on others it bends more easily along some directions, whatever k_e is.

use super::angle::Hinge;
use super::curvature::strains;
use super::{Fabric, corners};
use crate::elements::{Block, Element, displacement};
use std::f64::consts::TAU;
use supple_mesh::{TriMesh, Vec3};
use supple_model::VertexId;

/// A triangle and its EDGES neighbours at rest; CORNERS is 3 + EDGES.
#[derive(Debug)]
pub(super) struct Bending<const CORNERS: usize, const EDGES: usize> {
    /// The triangle's, then those across its edges.
    corners: [VertexId; CORNERS],
    /// The same at rest.
    rest: [Vec3; CORNERS],
    edges: [Edge; EDGES],
}

/// An edge that bends.
#[derive(Clone, Copy, Debug)]
struct Edge {
    /// Its ends, the triangle's other corner and the one across, as places among the element's corners.
    hinge: [usize; 4],
    /// θ⁰.
    rest_angle: f64,
    /// c, square roots of newton metres.
    strain: Vec3,
}

/// An edge, bent.
struct Bent {
    /// θ − θ⁰.
    by: f64,
    hinge: Hinge,
}

impl<const CORNERS: usize, const EDGES: usize> Bending<CORNERS, EDGES> {
    /// A triangle with `across`: edges (edge i lies opposite corner i) and the vertices on their far sides.
    pub fn new(
        mesh: &TriMesh,
        triangle: [VertexId; 3],
        across: [(usize, VertexId); EDGES],
        fabric: &Fabric,
    ) -> Self {
        let all: [VertexId; CORNERS] =
            std::array::from_fn(|k| if k < 3 { triangle[k] } else { across[k - 3].1 });
        let rest = corners(mesh, all);
        let far = across.map(|(edge, v)| (edge, mesh.positions()[v.index()]));
        let strains = strains(&corners(mesh, triangle), far, fabric);
        let edges = std::array::from_fn(|k| {
            let i = across[k].0;
            let hinge = [(i + 1) % 3, (i + 2) % 3, i, 3 + k];
            let rest_angle = Hinge::at(&hinge.map(|c| rest[c])).map_or(0.0, |hinge| hinge.angle());
            Edge { hinge, rest_angle, strain: strains[k] }
        });
        Self { corners: all, rest, edges }
    }

    /// The edges as they are now, `None` where a triangle has collapsed and there is no angle; and s.
    #[inline]
    fn bent(&self, u: &[f64]) -> ([Option<Bent>; EDGES], Vec3) {
        let x: [Vec3; CORNERS] = std::array::from_fn(|k| self.rest[k] + displacement(u, self.corners[k]));
        let bent = self.edges.map(|edge| {
            let hinge = Hinge::at(&edge.hinge.map(|c| x[c]))?;
            // The shorter way round from the rest angle.
            let turn = hinge.angle() - edge.rest_angle;
            Some(Bent { by: turn - TAU * (turn / TAU).round(), hinge })
        });
        let parts = bent.iter().zip(&self.edges);
        let strain = parts.filter_map(|(bent, edge)| Some(edge.strain * bent.as_ref()?.by)).sum();
        (bent, strain)
    }
}

impl<const CORNERS: usize, const EDGES: usize> Element for Bending<CORNERS, EDGES> {
    const CORNERS: usize = CORNERS;

    fn corners(&self) -> &[VertexId] {
        &self.corners
    }

    /// How easily a cloth bends is no measure of how easily an edit should bend it.
    fn tension(&self, _: &mut [f64]) -> Option<()> {
        None
    }

    #[inline]
    fn energy(&self, u: &[f64]) -> f64 {
        0.5 * self.bent(u).1.norm_squared()
    }

    #[inline]
    fn forces(&self, u: &[f64], out: &mut [[f64; 3]]) {
        let (bent, s) = self.bent(u);
        let mut forces = [Vec3::zeros(); CORNERS];
        for (bent, edge) in bent.iter().zip(&self.edges) {
            let Some(bent) = bent else { continue };
            let moment = edge.strain.dot(&s);
            for (corner, gradient) in edge.hinge.into_iter().zip(bent.hinge.gradient()) {
                forces[corner] += gradient * moment;
            }
        }
        out.copy_from_slice(&forces.map(Into::into));
    }

    #[inline]
    fn blocks(&self, u: &[f64], out: &mut [Block]) {
        let (bent, s) = self.bent(u);
        out.fill(Block::default());
        // ∂s_k/∂x of every corner.
        let mut slopes = [[Vec3::zeros(); CORNERS]; 3];
        for (bent, edge) in bent.iter().zip(&self.edges) {
            let Some(bent) = bent else { continue };
            for (corner, gradient) in edge.hinge.into_iter().zip(bent.hinge.gradient()) {
                for k in 0..3 {
                    slopes[k][corner] += gradient * edge.strain[k];
                }
            }
            add_hessian(&bent.hinge, edge.hinge, edge.strain.dot(&s), out);
        }
        let pairs = (0..CORNERS).flat_map(|a| (0..=a).map(move |b| (a, b)));
        for (block, (a, b)) in out.iter_mut().zip(pairs) {
            for slope in &slopes {
                for r in 0..3 {
                    for c in 0..3 {
                        block[r][c] += slope[a][r] * slope[b][c];
                    }
                }
            }
        }
    }
}

/// Adds `moment` times the second derivatives of the hinge's angle to the blocks of an element.
#[inline]
fn add_hessian(hinge: &Hinge, places: [usize; 4], moment: f64, out: &mut [Block]) {
    let pairs = (0..4).flat_map(|a| (0..=a).map(move |b| (a, b)));
    for (second, (a, b)) in hinge.hessian().into_iter().zip(pairs) {
        let (a, b) = (places[a], places[b]);
        let (row, column, second) = if a < b { (b, a, second.transpose()) } else { (a, b, second) };
        let block = &mut out[row * (row + 1) / 2 + column];
        for r in 0..3 {
            for c in 0..3 {
                block[r][c] += moment * second[(r, c)];
            }
        }
    }
}
