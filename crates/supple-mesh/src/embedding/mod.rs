//! A fine skin riding on a coarse body.
//!
//! Every skin vertex x belongs to one element with corners pₖ and has weights w with
//!
//!   x = Σ wₖ pₖ,  Σ wₖ = 1.
//!
//! Moving the corners moves the skin vertex to Σ wₖ pₖ′, which is exact for affine motions. Inside
//! an element all weights are ≥ 0. A vertex outside the volume takes the element nearest to it and
//! the same two equations, so that some weights are negative and it extrapolates that element's
//! motion. How the weights come about for tets, voxels and triangles is told in [`hosts`].

mod error;
mod hosts;

use crate::{Aabb, Bvh, TetMesh, TriMesh, Vec3, VoxelMesh, vertex_elements};
pub use error::EmbeddingError;
use rayon::prelude::*;
use std::ops::{Add, Mul};
use supple_model::{ElementId, VertexId};

/// Vertices per parallel task when a skin is moved.
const CHUNK: usize = 4096;
/// How far from 1 given weights may sum: files carry few decimals.
const SUM_TOLERANCE: f64 = 1e-3;

/// Which element each skin vertex rides on, and with what weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Embedding {
    elements: Vec<ElementId>,
    /// Pairs per skin vertex: 4 on tets, 8 on voxels, 3 on triangles.
    corners: usize,
    /// Rows of `corners` entries, end to end.
    vertices: Vec<VertexId>,
    weights: Vec<f64>,
    body_vertices: usize,
}

/// How to measure an element and weigh a point in it.
struct Host<const N: usize> {
    distance_squared: fn(&Vec3, &[Vec3; N]) -> f64,
    weights: fn(&Vec3, &[Vec3; N]) -> [f64; N],
}

impl Embedding {
    /// Finds the tet of every skin vertex: the one that contains it, else the nearest one, and the
    /// first of several.
    #[must_use]
    pub fn of(body: &TetMesh, skin: &[Vec3]) -> Self {
        let host = Host { distance_squared: hosts::tet_distance_squared, weights: hosts::tet_weights };
        Self::find(body.positions(), body.tets(), skin, &host)
    }

    /// Finds the voxel of every skin vertex, as [`Embedding::of`] does for tets.
    #[must_use]
    pub fn in_voxels(body: &VoxelMesh, skin: &[Vec3]) -> Self {
        let host = Host { distance_squared: hosts::voxel_distance_squared, weights: hosts::voxel_weights };
        Self::find(body.positions(), body.voxels(), skin, &host)
    }

    /// Finds the nearest triangle of every skin vertex, for a skin that lies on a cloth: a vertex
    /// beside it is drawn to the cloth's closest point, since three corners cannot hold it away.
    #[must_use]
    pub fn on_triangles(body: &TriMesh, skin: &[Vec3]) -> Self {
        let host =
            Host { distance_squared: hosts::triangle_distance_squared, weights: hosts::triangle_weights };
        Self::find(body.positions(), body.triangles(), skin, &host)
    }

    fn find<const N: usize>(
        positions: &[Vec3],
        elements: &[[VertexId; N]],
        skin: &[Vec3],
        host: &Host<N>,
    ) -> Self {
        let corners: Vec<[Vec3; N]> =
            elements.iter().map(|element| element.map(|v| positions[v.index()])).collect();
        let boxes: Vec<Aabb> = corners.par_iter().map(|corners| Aabb::around(corners)).collect();
        let tree = Bvh::new(&boxes);
        let rows: Vec<(usize, [f64; N])> = skin
            .par_iter()
            .map(|point| {
                let nearest = tree.nearest(point, |e| (host.distance_squared)(point, &corners[e]));
                let element = nearest.map_or(0, |(e, _)| e);
                (element, (host.weights)(point, &corners[element]))
            })
            .collect();
        Self {
            elements: rows.iter().map(|(e, _)| ElementId::new(*e)).collect(),
            corners: N,
            vertices: rows.iter().flat_map(|(e, _)| elements[*e]).collect(),
            weights: rows.iter().flat_map(|(_, weights)| *weights).collect(),
            body_vertices: positions.len(),
        }
    }

    /// Takes known corners and weights, one row per skin vertex, such as an `.interp` file holds,
    /// for a body of so many vertices with these elements. Weights rounded for printing are scaled
    /// to sum to 1, so that a translation is exact.
    ///
    /// # Errors
    /// Names the first row that is not usable: see [`EmbeddingError`].
    pub fn from_weights<const N: usize>(
        body_vertices: usize,
        elements: &[[VertexId; N]],
        vertices: &[[VertexId; N]],
        weights: &[[f64; N]],
    ) -> Result<Self, EmbeddingError> {
        if vertices.len() != weights.len() {
            return Err(EmbeddingError::Lengths { corners: vertices.len(), weights: weights.len() });
        }
        let around = vertex_elements(body_vertices, elements);
        let mut hosts = Vec::with_capacity(vertices.len());
        let mut scaled = Vec::with_capacity(N * vertices.len());
        for (s, (corners, row)) in vertices.iter().zip(weights).enumerate() {
            let skin = VertexId::new(s);
            if let Some(&vertex) = corners.iter().find(|v| v.index() >= body_vertices) {
                return Err(EmbeddingError::OutOfRange { skin, vertex, vertices: body_vertices });
            }
            if row.iter().any(|w| !w.is_finite()) {
                return Err(EmbeddingError::NonFinite { skin });
            }
            let sum: f64 = row.iter().sum();
            if (sum - 1.0).abs() > SUM_TOLERANCE {
                return Err(EmbeddingError::Sum { skin, sum });
            }
            scaled.extend(row.map(|w| w / sum));
            let has_all = |e: &&ElementId| elements[e.index()].iter().all(|v| corners.contains(v));
            let host = around[corners[0]].iter().find(has_all);
            hosts.push(
                *host.ok_or_else(|| EmbeddingError::NoSuchElement { skin, corners: corners.to_vec() })?,
            );
        }
        Ok(Self {
            elements: hosts,
            corners: N,
            vertices: vertices.as_flattened().to_vec(),
            weights: scaled,
            body_vertices,
        })
    }

    /// Makes skin vertices that are one point ride as their leaders do, which are given for all of them.
    ///
    /// # Panics
    /// When there is not a leader for every skin vertex.
    pub fn share(&mut self, leaders: &[VertexId]) {
        assert_eq!(leaders.len(), self.elements.len(), "a leader for every skin vertex");
        for (s, leader) in leaders.iter().map(|leader| leader.index()).enumerate().filter(|(s, l)| s != l) {
            self.elements[s] = self.elements[leader];
            let row = self.corners * leader..self.corners * (leader + 1);
            self.vertices.copy_within(row.clone(), self.corners * s);
            self.weights.copy_within(row, self.corners * s);
        }
    }

    /// Makes a skin vertex ride on one vertex of the body alone, and turn with an element around it.
    ///
    /// # Panics
    /// When there is no such skin vertex, or `corners` are not those of the body's elements or lack the vertex.
    pub fn sit(&mut self, skin: VertexId, vertex: VertexId, element: ElementId, corners: &[VertexId]) {
        assert!(corners.len() == self.corners && corners.contains(&vertex), "an element around the vertex");
        let row = self.corners * skin.index()..self.corners * (skin.index() + 1);
        self.elements[skin.index()] = element;
        self.vertices[row.clone()].copy_from_slice(corners);
        for (weight, corner) in self.weights[row].iter_mut().zip(corners) {
            *weight = f64::from(u8::from(*corner == vertex));
        }
    }

    /// Draws skin vertices that are far outside nearer to their elements, until no weight is below −1: at most about the
    /// size of an element away. What moves there is a point in between, and whoever carries the rest of the way along turns
    /// it with the element; an element's own motion, continued over many times its size, would fling the vertex about.
    pub fn draw_in(&mut self) {
        for row in self.weights.chunks_exact_mut(self.corners) {
            let least = row.iter().copied().fold(0.0, f64::min);
            if least >= -1.0 {
                continue;
            }
            // s w + (1 − s) c, c being the weights of a point of the element on the way.
            let (s, inside) = (-1.0 / least, row.iter().map(|w| w.max(0.0)).sum::<f64>());
            row.iter_mut().for_each(|w| *w = s * *w + (1.0 - s) * w.max(0.0) / inside);
        }
    }

    /// The element each skin vertex rides on.
    #[must_use]
    pub fn elements(&self) -> &[ElementId] {
        &self.elements
    }

    /// For every skin vertex the body vertices it blends and their weights, which sum to 1.
    pub fn rows(&self) -> impl Iterator<Item = (&[VertexId], &[f64])> {
        self.vertices.chunks_exact(self.corners).zip(self.weights.chunks_exact(self.corners))
    }

    /// The body vertices that one skin vertex blends and their weights.
    ///
    /// # Panics
    /// When there is no such skin vertex.
    #[must_use]
    pub fn row(&self, skin: VertexId) -> (&[VertexId], &[f64]) {
        let row = self.corners * skin.index()..self.corners * (skin.index() + 1);
        (&self.vertices[row.clone()], &self.weights[row])
    }

    /// Moves the skin with the body: skin vertex i goes to Σ wₖ `body[vₖ]`. Displacements, and any
    /// other quantity at the vertices, blend just as positions do.
    ///
    /// # Panics
    /// When `body` or `skin` does not have the length this embedding was made for.
    pub fn apply<T>(&self, body: &[T], skin: &mut [T])
    where
        T: Copy + Send + Sync + Add<Output = T> + Mul<f64, Output = T>,
    {
        self.blend(body, skin, |_, sum| sum);
    }

    /// Moves the skin with the body by displacements: skin vertex i goes to `rest[i]` + Σ wₖ `body[vₖ]`.
    ///
    /// # Panics
    /// As [`Self::apply`], or when `rest` is of another skin.
    pub fn displace<T>(&self, rest: &[T], body: &[T], skin: &mut [T])
    where
        T: Copy + Send + Sync + Add<Output = T> + Mul<f64, Output = T>,
    {
        assert_eq!(rest.len(), skin.len(), "the rest of another skin");
        self.blend(body, skin, |i, sum| rest[i] + sum);
    }

    fn blend<T>(&self, body: &[T], skin: &mut [T], place: impl Fn(usize, T) -> T + Sync)
    where
        T: Copy + Send + Sync + Add<Output = T> + Mul<f64, Output = T>,
    {
        assert_eq!(body.len(), self.body_vertices, "positions of another body");
        assert_eq!(skin.len(), self.elements.len(), "room for another skin");
        match self.corners {
            3 => self.blend_rows::<3, T>(body, skin, place),
            4 => self.blend_rows::<4, T>(body, skin, place),
            _ => self.blend_rows::<8, T>(body, skin, place),
        }
    }

    /// [`Self::blend`] with the length of a row known to the compiler, which unrolls it.
    fn blend_rows<const N: usize, T>(&self, body: &[T], skin: &mut [T], place: impl Fn(usize, T) -> T + Sync)
    where
        T: Copy + Send + Sync + Add<Output = T> + Mul<f64, Output = T>,
    {
        let (vertices, weights) = (self.vertices.as_chunks::<N>().0, self.weights.as_chunks::<N>().0);
        let rows = vertices.par_chunks(CHUNK).zip(weights.par_chunks(CHUNK));
        skin.par_chunks_mut(CHUNK).zip(rows).enumerate().for_each(|(task, (out, (vertices, weights)))| {
            for (k, (out, (v, w))) in out.iter_mut().zip(vertices.iter().zip(weights)).enumerate() {
                let mut sum = body[v[0].index()] * w[0];
                for k in 1..N {
                    sum = sum + body[v[k].index()] * w[k];
                }
                *out = place(task * CHUNK + k, sum);
            }
        });
    }
}

#[cfg(test)]
mod tests;
