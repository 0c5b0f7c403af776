//! The skin's part of a fit: D(u) = Σ_s w_s |(A u)_s − ū_s|².
//!
//! A row of A blends the corners of one element, so AᵀWA couples only vertices that share an element: it
//! lies in the pattern of the stiffness, and costs a factorization nothing.

use crate::statics::error::StaticsError;
use crate::{ElasticError, FreeVertices, Part};
use supple_mesh::{Embedding, TriMesh};
use supple_model::VertexId;
use supple_numerics::sparse::BlockMatrix;

/// The rows of A, their weights, and 2AᵀWA.
#[derive(Debug)]
pub(super) struct Skin {
    /// Entries per row.
    corners: usize,
    vertices: Vec<VertexId>,
    blends: Vec<f64>,
    weights: Vec<f64>,
    /// ∂²D/∂u².
    hessian: BlockMatrix,
}

impl Skin {
    /// The skin of `embedding` with equal weights that sum to 1; `hessian` is an empty stiffness over `free`.
    pub fn new(
        embedding: &Embedding,
        free: &FreeVertices,
        hessian: BlockMatrix,
    ) -> Result<Self, StaticsError> {
        let count = embedding.elements().len();
        if count == 0 {
            return Err(StaticsError::NoSkin);
        }
        let corners = embedding.rows().next().map_or(0, |row| row.0.len());
        let vertices: Vec<VertexId> = embedding.rows().flat_map(|row| row.0).copied().collect();
        let blends = embedding.rows().flat_map(|row| row.1).copied().collect();
        if let Some(&vertex) = vertices.iter().find(|v| v.index() >= free.body_vertices()) {
            let (part, vertices) = (Part::Body, free.body_vertices());
            return Err(ElasticError::NoSuchVertex { part, vertex, vertices }.into());
        }
        let mut skin = Self { corners, vertices, blends, weights: Vec::new(), hessian };
        skin.check_elements(free)?;
        skin.weigh(vec![1.0 / count as f64; count], free);
        Ok(skin)
    }

    /// How many skin vertices there are.
    pub fn count(&self) -> usize {
        self.weights.len()
    }

    pub fn hessian(&self) -> &BlockMatrix {
        &self.hessian
    }

    /// Other weights, one per skin vertex.
    pub fn weigh(&mut self, weights: Vec<f64>, free: &FreeVertices) {
        self.weights = weights;
        self.hessian.multiply(0.0);
        for (s, &w) in self.weights.iter().enumerate() {
            let row = s * self.corners..(s + 1) * self.corners;
            let (vertices, blends) = (&self.vertices[row.clone()], &self.blends[row]);
            for (a, i) in vertices.iter().enumerate() {
                for (b, j) in vertices.iter().enumerate() {
                    let (Some(i), Some(j)) = (free.index(*i), free.index(*j)) else { continue };
                    if j <= i {
                        let x = 2.0 * w * blends[a] * blends[b];
                        self.hessian.add_block(i, j, &[[x, 0.0, 0.0], [0.0, x, 0.0], [0.0, 0.0, x]]);
                    }
                }
            }
        }
    }

    /// Whether the stiffness has a place for every product of two entries of a row.
    fn check_elements(&self, free: &FreeVertices) -> Result<(), StaticsError> {
        let pattern = self.hessian.pattern();
        for (s, row) in self.vertices.chunks_exact(self.corners).enumerate() {
            let places = || row.iter().filter_map(|&v| free.index(v));
            let apart = |i: usize| places().any(|j| pattern.find(i.max(j), i.min(j)).is_none());
            if places().any(apart) {
                return Err(StaticsError::NotInOneElement { skin: VertexId::new(s) });
            }
        }
        Ok(())
    }

    /// Overwrites `residual` with A u − ū.
    pub fn residual(&self, u: &[f64], target: &[f64], residual: &mut [f64]) {
        let rows = self.vertices.chunks_exact(self.corners).zip(self.blends.chunks_exact(self.corners));
        let skin = residual.chunks_exact_mut(3).zip(target.chunks_exact(3));
        for ((vertices, blends), (residual, target)) in rows.zip(skin) {
            for c in 0..3 {
                let blend = vertices.iter().zip(blends).map(|(v, b)| b * u[3 * v.index() + c]).sum::<f64>();
                residual[c] = blend - target[c];
            }
        }
    }

    /// D of a residual.
    pub fn value(&self, residual: &[f64]) -> f64 {
        let squares = residual.chunks_exact(3).map(|r| r.iter().map(|x| x * x).sum::<f64>());
        squares.zip(&self.weights).map(|(square, w)| w * square).sum()
    }

    /// Adds ∂D/∂u = 2 AᵀW r to `gradient`, which has three numbers per vertex of the body.
    pub fn add_gradient(&self, residual: &[f64], gradient: &mut [f64]) {
        let rows = self.vertices.chunks_exact(self.corners).zip(self.blends.chunks_exact(self.corners));
        for ((vertices, blends), (r, w)) in rows.zip(residual.chunks_exact(3).zip(&self.weights)) {
            for (v, b) in vertices.iter().zip(blends) {
                for c in 0..3 {
                    gradient[3 * v.index() + c] += 2.0 * w * b * r[c];
                }
            }
        }
    }
}

/// The area that belongs to each vertex of a skin: a third of every triangle around it. Weights for
/// [`Fitter::with_weights`](super::Fitter::with_weights) that do not depend on how finely a region is cut.
#[must_use]
pub fn vertex_areas(skin: &TriMesh) -> Vec<f64> {
    let mut areas = vec![0.0; skin.positions().len()];
    for triangle in skin.triangles() {
        let [a, b, c] = triangle.map(|v| skin.positions()[v.index()]);
        for v in triangle {
            areas[v.index()] += (b - a).cross(&(c - a)).norm() / 6.0;
        }
    }
    areas
}
