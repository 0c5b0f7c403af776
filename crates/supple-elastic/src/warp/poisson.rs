//! The Poisson equation of the warp: one factorization for all frames and coordinates.
//!
//! The displacement d whose gradient fits the changes Δ best, Σ_q V_q |G_q d − Δ_q|² → min, solves
//!
//! > L d = Gᵀ V Δ, L_ab = Σ_q V_q g_a·g_b,
//!
//! for each coordinate by itself: L is a scalar n×n matrix, the discrete Laplacian. Rows of anchored
//! vertices are left out; there d = 0. A component without anchors may float, L 1 = 0; there d is the
//! solution whose mean Σ m_v d_v / Σ m_v over its masses vanishes. With P = I − 1 mᵀ that inverse is
//!
//! > A = P L₀⁻¹ Pᵀ, L₀ = L without the row of one vertex of every floating component,
//!
//! symmetric, and exact for a right-hand side that sums to zero, as that of the warp does.

use super::error::WarpError;
use super::factor::ScalarFactor;
use super::floating::{Floating, floating};
use super::mesh::Parts;
use crate::FreeVertices;
use faer::sparse::Triplet;
use std::collections::BTreeSet;
use supple_model::VertexId;

/// A.
#[derive(Debug)]
pub(super) struct Poisson {
    factor: ScalarFactor,
    /// Row of L₀ → vertex.
    vertices: Vec<VertexId>,
    floating: Vec<Floating>,
}

impl Poisson {
    /// For the elements of `parts`, with the vertices of `free` free to move.
    pub fn new(parts: &Parts, masses: &[f64], free: &FreeVertices) -> Result<Self, WarpError> {
        let floating = floating(parts, masses, free);
        let grounds: BTreeSet<VertexId> = floating.iter().map(|part| part.vertices[0]).collect();
        let mut vertices = free.vertices().to_vec();
        vertices.retain(|v| !grounds.contains(v));
        let mut row = vec![None; parts.positions.len()];
        for (k, v) in vertices.iter().enumerate() {
            row[v.index()] = Some(k);
        }
        let n = vertices.len();
        let mut entries = Vec::new();
        parts.cells.laplacian(&mut |a, b, value| {
            if let (Some(i), Some(j)) = (row[a.index()], row[b.index()]) {
                entries.push(Triplet::new(i.max(j), i.min(j), value));
            }
        });
        let factor = ScalarFactor::new(n, &entries)?;
        Ok(Self { factor, vertices, floating })
    }

    /// The components nothing holds.
    pub fn floating(&self) -> &[Floating] {
        &self.floating
    }

    /// Overwrites columns of one number per vertex of the body with A times them. `rows` is room.
    pub fn solve(&self, columns: &mut [f64], n: usize, rows: &mut Vec<f64>) {
        for column in columns.chunks_exact_mut(n) {
            for part in &self.floating {
                let sum: f64 = part.vertices.iter().map(|v| column[v.index()]).sum();
                for (v, weight) in part.vertices.iter().zip(&part.weights) {
                    column[v.index()] -= weight * sum;
                }
            }
        }
        let count = columns.len() / n;
        rows.clear();
        for column in columns.chunks_exact(n) {
            rows.extend(self.vertices.iter().map(|v| column[v.index()]));
        }
        self.factor.solve(rows, count);
        columns.fill(0.0);
        for (column, rows) in columns.chunks_exact_mut(n).zip(rows.chunks_exact(self.vertices.len())) {
            for (v, value) in self.vertices.iter().zip(rows) {
                column[v.index()] = *value;
            }
            for part in &self.floating {
                let mean = part.mean(column);
                for v in &part.vertices {
                    column[v.index()] -= mean;
                }
            }
        }
    }
}
