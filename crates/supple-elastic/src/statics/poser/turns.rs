//! How far the surroundings of each vertex have turned since a pose.
//!
//! Where a body has turned by Q, its stiffness has turned with it: K(u) ≈ Q K(u₀) Qᵀ, with Q one rotation per
//! vertex. So Q K(u₀)⁻¹ Qᵀ remains a good metric long after K(u₀)⁻¹ has taken bending for stretching.
//!
//! The rotation of vertex i is the one that takes the edges to its neighbours from then to now best,
//! Σ_j (y_j − y_i) · Q (x_j − x_i) → max, found from the last one measured, at
//! first the identity, by small turns about
//!
//! > ω = Σ_j Q e_j × e′_j / |Σ_j Q e_j · e′_j|
//!
//! (Müller et al. 2016), which need no edge in any direction: where a chain may turn about itself, it does not.

use crate::FreeVertices;
use nalgebra::{Matrix3, Rotation3};
use rayon::prelude::*;
use supple_mesh::Vec3;
use supple_numerics::sparse::BlockPattern;

/// Turns per vertex; each leaves little of what the one before left.
const ROUNDS: usize = 12;
/// A turn by less is none.
const SETTLED: f64 = 1e-5;
/// Vertices of one task.
const VERTICES_PER_TASK: usize = 256;

/// A rotation for every free vertex.
#[derive(Debug)]
pub(super) struct Turns {
    /// Free vertex → body vertex.
    vertices: Vec<usize>,
    /// The neighbours of free vertex k: `neighbours[starts[k]..starts[k + 1]]`, vertices of the body.
    starts: Vec<usize>,
    neighbours: Vec<usize>,
    rotations: Vec<Matrix3<f64>>,
}

impl Turns {
    /// No turns, for the vertices of `free`; `pattern` joins all vertices that share elements.
    pub fn none(pattern: &BlockPattern, free: &FreeVertices) -> Self {
        let mut around = vec![Vec::new(); free.body_vertices()];
        for j in 0..pattern.block_rows() {
            for &i in &pattern.rows(j)[1..] {
                around[i].push(j);
                around[j].push(i);
            }
        }
        let vertices: Vec<usize> = free.vertices().iter().map(|v| v.index()).collect();
        let mut starts = vec![0];
        let mut neighbours = Vec::new();
        for &v in &vertices {
            neighbours.extend_from_slice(&around[v]);
            starts.push(neighbours.len());
        }
        let rotations = vec![Matrix3::identity(); vertices.len()];
        Self { vertices, starts, neighbours, rotations }
    }

    /// Forgets the turns: they are measured from another shape from now on.
    pub fn reset(&mut self) {
        self.rotations.fill(Matrix3::identity());
    }

    /// The turns from the shape `then` to the shape `now`.
    pub fn measure(&mut self, then: &[Vec3], now: &[Vec3]) {
        let (vertices, starts, neighbours) = (&self.vertices, &self.starts, &self.neighbours);
        self.rotations.par_chunks_mut(VERTICES_PER_TASK).enumerate().for_each(|(task, rotations)| {
            for (k, rotation) in rotations.iter_mut().enumerate() {
                let k = task * VERTICES_PER_TASK + k;
                let v = vertices[k];
                let edges = neighbours[starts[k]..starts[k + 1]].iter();
                // Σ e′ eᵀ.
                let spread = edges.fold(Matrix3::zeros(), |sum: Matrix3<f64>, &w| {
                    sum + (now[w] - now[v]) * (then[w] - then[v]).transpose()
                });
                *rotation = nearest_rotation(&spread, *rotation);
            }
        });
    }

    /// x ← Q x.
    pub fn forth(&self, x: &mut [f64]) {
        for (x, Q) in x.chunks_exact_mut(3).zip(&self.rotations) {
            let turned = Q * Vec3::from_column_slice(x);
            x.copy_from_slice(turned.as_slice());
        }
    }

    /// x ← Qᵀ x.
    pub fn back(&self, x: &mut [f64]) {
        for (x, Q) in x.chunks_exact_mut(3).zip(&self.rotations) {
            let turned = Q.tr_mul(&Vec3::from_column_slice(x));
            x.copy_from_slice(turned.as_slice());
        }
    }
}

/// The rotation with the largest tr(Qᵀ A), reached from `Q`.
fn nearest_rotation(A: &Matrix3<f64>, mut Q: Matrix3<f64>) -> Matrix3<f64> {
    for _ in 0..ROUNDS {
        let columns = [0, 1, 2].map(|c| (Vec3::from(Q.column(c)), Vec3::from(A.column(c))));
        let turn: Vec3 = columns.iter().map(|(q, a)| q.cross(a)).sum();
        let along: f64 = columns.iter().map(|(q, a)| q.dot(a)).sum();
        let omega = turn / (along.abs() + f64::MIN_POSITIVE);
        if !(omega.norm() > SETTLED && omega.norm().is_finite()) {
            break;
        }
        Q = Rotation3::new(omega).into_inner() * Q;
    }
    Q
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turned_and_stretched_matrix_gives_its_rotation() {
        let stretch = Matrix3::new(2.0, 0.3, 0.1, 0.3, 1.5, -0.2, 0.1, -0.2, 1.0);
        for angle in [0.1, 1.0, 2.0] {
            let turn = Rotation3::new(Vec3::new(0.5, -0.7, 0.3).normalize() * angle).into_inner();
            let found = nearest_rotation(&(turn * stretch), Matrix3::identity());
            assert!((found - turn).norm() < 1e-4, "{angle}: {found}");
            assert!((found * found.transpose() - Matrix3::identity()).norm() < 1e-12);
        }
        assert_eq!(nearest_rotation(&Matrix3::zeros(), Matrix3::identity()), Matrix3::identity());
    }

    #[test]
    fn a_line_turns_by_the_least_rotation() {
        let (from, to) = (Vec3::x(), Vec3::new(0.6, 0.8, 0.0));
        let found = nearest_rotation(&(to * from.transpose()), Matrix3::identity());
        assert!((found * from - to).norm() < 1e-4 && (found * Vec3::z() - Vec3::z()).norm() < 1e-12);
    }
}
