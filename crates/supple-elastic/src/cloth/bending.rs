//! One triangle, bent.
//!
//! Where a smooth surface has the curvature κ (2×2), a triangle of it makes an angle with each of its
//! neighbours. In reverse, the angles θ_i across its edges amount to the curvature
//!
//! > κ = Σ_i θ_i l_i/(2A) n_i n_iᵀ,
//!
//! with A its area, l_i the length of edge i and n_i its normal in the plane of the triangle (Gingold et al.
//! 2004, Grinspun et al. 2006, the shape operator of mid-edge normals). Wherever the triangles around an edge
//! are alike, as in every regular lattice, this is exact for a constant curvature. The energy is that of a
//! Kirchhoff plate of stiffness D, measured from the angles θ⁰ at rest,
//!
//! > E = A D/2 ((1 − ν) κ:κ + ν tr(κ)²) = ½ |s|², s = Σ_i (θ_i − θ⁰_i) c_i ∈ R³,
//! >
//! > c_i = √(D/A) l_i/2 (√((1+ν)/2), √((1−ν)/2) cos 2φ_i, √((1−ν)/2) sin 2φ_i), n_i = (cos φ_i, sin φ_i).
//!
//! Why not one energy per edge, k_e (θ_e − θ⁰_e)², as in discrete shells (Grinspun et al. 2003)? A sum of
//! squares of angles knows nothing of their products. On equilateral triangles it is a plate with the Poisson
//! ratio −1/3, on others it bends more easily along some directions, whatever k_e is.
//!
//! An edge without a neighbour bears no moment: its angle takes the value of least energy, which takes the
//! direction of its c_i out of those of the others.

use super::angle::Hinge;
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
        let strains = strains(&corners(mesh, triangle), across.map(|(i, _)| i), fabric);
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

/// The vectors c of the edges that bend.
fn strains<const EDGES: usize>(
    [x0, x1, x2]: &[Vec3; 3],
    bending: [usize; EDGES],
    fabric: &Fabric,
) -> [Vec3; EDGES] {
    let edges = [x2 - x1, x0 - x2, x1 - x0];
    let normal = edges[0].cross(&edges[1]);
    let area = 0.5 * normal.norm();
    let (t1, t2) = (edges[0].normalize(), normal.cross(&edges[0]).normalize());
    let scale = (fabric.bending_stiffness() / area).sqrt() / 2.0;
    let [swell, shape] = [1.0 + fabric.poisson, 1.0 - fabric.poisson].map(|f| (f / 2.0).sqrt());
    let strain = |i: usize| {
        // With the edge (l cos ψ, l sin ψ) the normal has φ = ψ ± 90°, hence cos 2φ = −cos 2ψ.
        let (a, b) = (edges[i].dot(&t1), edges[i].dot(&t2));
        let l = edges[i].norm();
        Vec3::new(swell * l, shape * (b * b - a * a) / l, -shape * 2.0 * a * b / l) * scale
    };
    // One direction after the other is taken out of all that remain.
    let mut free: Vec<Vec3> = (0..3).filter(|i| !bending.contains(i)).map(strain).collect();
    let mut strains = bending.map(strain);
    while let Some(direction) = free.pop().and_then(|c| c.try_normalize(0.0)) {
        for c in free.iter_mut().chain(&mut strains) {
            *c -= direction * direction.dot(c);
        }
    }
    strains
}

impl<const CORNERS: usize, const EDGES: usize> Element for Bending<CORNERS, EDGES> {
    const CORNERS: usize = CORNERS;

    fn corners(&self) -> &[VertexId] {
        &self.corners
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
