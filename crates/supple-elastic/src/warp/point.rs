//! One point of the warped body, without warping all of it.
//!
//! The warp is a linear map of the changes Δ_q at all places, so the row of that map for one point,
//! computed when a handle is made, gives the point by a single sum over the elements, and its derivative by
//! the edit by another:
//!
//! > W = ū + Σ_q B_q : Δ_q(p), B = the point's row of A Gᵀ V,
//! > ∂W/∂p = Σ_q G_qᵀ (∂(B_q : Δ_q)/∂H_q), H_q = G_q p,
//!
//! three numbers per vertex for each coordinate of the point. In a frame with contacts the row is that of
//! the constrained inverse. A floating component adds the mean of p over its masses.

use super::Warp;
use super::cells::Edited;
use super::contacts::Held;
use super::error::WarpError;
use super::input::InputFrame;
use super::weights::{PlaceWeights, Weights};
use faer::{Mat, MatMut};
use nalgebra::Matrix3;
use rayon::prelude::*;
use std::sync::Arc;
use supple_mesh::Vec3;
use supple_model::VertexId;

/// Vertices whose derivatives are added up as one task.
const VERTICES_PER_TASK: usize = 512;

/// A point of the warped body.
#[derive(Debug)]
pub struct WarpPoint {
    vertices: Vec<(VertexId, f64)>,
    weights: Weights,
    /// How much the mean edit of each floating component enters, before its rotation is put back.
    shares: Shares,
    held: Option<Arc<Held>>,
}

/// See [`WarpPoint`]; one entry per floating component.
#[derive(Debug)]
enum Shares {
    Alike(Vec<f64>),
    Each(Vec<Matrix3<f64>>),
}

impl Warp {
    /// The point Σ w_v u_v of the warped body: a vertex with weight 1, or a point inside an element. It
    /// serves every frame that keeps the same contacts as `frame`: all frames without, if it keeps none.
    ///
    /// # Errors
    /// A vertex that does not exist, or weights that mean nothing.
    pub fn point(&self, frame: &InputFrame, vertices: &[(VertexId, f64)]) -> Result<WarpPoint, WarpError> {
        self.check_vertices(vertices)?;
        let (weights, shares) = match &frame.held {
            None => self.listen_alike(vertices),
            Some(held) => self.listen_each(frame, held, vertices),
        };
        Ok(WarpPoint { vertices: vertices.to_vec(), weights, shares, held: frame.held.clone() })
    }

    fn moving<'a>(&self, vertices: &'a [(VertexId, f64)]) -> impl Iterator<Item = &'a (VertexId, f64)> {
        vertices.iter().filter(|(v, _)| self.free[v.index()])
    }

    fn listen_alike(&self, vertices: &[(VertexId, f64)]) -> (Weights, Shares) {
        let mut row = vec![0.0; self.vertices()];
        for (v, weight) in self.moving(vertices) {
            row[v.index()] += weight;
        }
        let floating = self.poisson.floating();
        let shares = floating.iter().map(|part| part.vertices.iter().map(|v| row[v.index()]).sum()).collect();
        self.poisson.solve(&mut row, self.vertices(), &mut Vec::new());
        let mut beta = vec![Vec3::zeros(); self.places()];
        self.cells.spread(&row, &mut beta);
        (Weights::Alike(beta), Shares::Alike(shares))
    }

    fn listen_each(
        &self,
        frame: &InputFrame,
        held: &Held,
        vertices: &[(VertexId, f64)],
    ) -> (Weights, Shares) {
        let n = self.vertices();
        // For each coordinate of the point three columns: what it reads of the change in the body's frame.
        let mut read = vec![0.0; 9 * n];
        for (v, weight) in self.moving(vertices) {
            for (i, axis) in [Vec3::x(), Vec3::y(), Vec3::z()].into_iter().enumerate() {
                let direction = self.direction_of_edit(frame, *v, axis);
                for c in 0..3 {
                    read[(3 * i + c) * n + v.index()] += weight * direction[c];
                }
            }
        }
        let mut room = Vec::new();
        let mut free = read.clone();
        self.poisson.solve(&mut free, n, &mut room);
        for (read, free) in read.chunks_exact_mut(3 * n).zip(free.chunks_exact(3 * n)) {
            let lambda: Vec<f64> = held.multipliers(free, n).iter().map(|l| -l).collect();
            held.add_forces(&lambda, read, n);
        }
        let share = |part: &super::poisson::Floating| {
            Matrix3::from_fn(|i, c| part.vertices.iter().map(|v| read[(3 * i + c) * n + v.index()]).sum())
        };
        let shares = self.poisson.floating().iter().map(share).collect();
        self.poisson.solve(&mut read, n, &mut room);
        let mut B = vec![[Matrix3::zeros(); 3]; self.places()];
        let mut row = vec![Vec3::zeros(); self.places()];
        for (k, column) in read.chunks_exact(n).enumerate() {
            self.cells.spread(column, &mut row);
            for (B, row) in B.iter_mut().zip(&row) {
                B[k / 3].set_row(k % 3, &row.transpose());
            }
        }
        (Weights::Each(B), Shares::Each(shares))
    }
}

impl WarpPoint {
    /// Where the point is under the edit p, as a displacement: Σ w_v u_v.
    ///
    /// # Panics
    /// When `edit` has not three numbers per vertex, or `frame` keeps other contacts than the point was made
    /// with.
    #[must_use]
    pub fn value(&self, warp: &Warp, frame: &InputFrame, edit: &[f64]) -> Vec3 {
        self.check(warp, frame, edit);
        let input = |(v, weight): &(VertexId, f64)| {
            Vec3::from_column_slice(&frame.input[3 * v.index()..][..3]) * *weight
        };
        let mut value: Vec3 = self.vertices.iter().map(input).sum();
        value += warp.cells.value(edited(frame, edit), self.weights(warp, frame));
        for (k, part) in warp.poisson.floating().iter().enumerate() {
            value += self.share(frame, k, part.component) * warp.mean_edit(part, edit);
        }
        value
    }

    /// ∂W/∂p, 3n×3: column i is the derivative of coordinate i of [`Self::value`] by every number of the
    /// edit.
    ///
    /// # Panics
    /// As [`Self::value`].
    #[must_use]
    pub fn gradient(&self, warp: &Warp, frame: &InputFrame, edit: &[f64]) -> Mat<f64> {
        let mut gradient = Mat::zeros(edit.len(), 3);
        self.gradient_into(warp, frame, edit, gradient.as_mut());
        gradient
    }

    /// [`Self::gradient`] into the caller's matrix.
    ///
    /// # Panics
    /// As [`Self::value`], and when `out` is not 3n×3.
    pub fn gradient_into(&self, warp: &Warp, frame: &InputFrame, edit: &[f64], mut out: MatMut<'_, f64>) {
        self.check(warp, frame, edit);
        assert!(
            out.nrows() == edit.len() && out.ncols() == 3,
            "three numbers per vertex for each coordinate"
        );
        warp.with_room(|room| {
            room.gradients.resize(warp.incidence.corners(), [0.0; 9]);
            warp.cells.gradient(edited(frame, edit), self.weights(warp, frame), &mut room.gradients);
            let gradients = &room.gradients;
            out.as_mut().par_row_chunks_mut(3 * VERTICES_PER_TASK).enumerate().for_each(|(task, out)| {
                self.gather(warp, frame, task * VERTICES_PER_TASK, gradients, out);
            });
        });
        for (k, part) in warp.poisson.floating().iter().enumerate() {
            let share = self.share(frame, k, part.component);
            for (v, weight) in part.vertices.iter().zip(&part.weights) {
                for i in 0..3 {
                    for c in 0..3 {
                        out[(3 * v.index() + c, i)] += weight * share[(i, c)];
                    }
                }
            }
        }
    }

    /// Adds up the derivatives by the corners at each vertex from `first` on.
    fn gather(
        &self,
        warp: &Warp,
        frame: &InputFrame,
        first: usize,
        gradients: &[[f64; 9]],
        mut out: MatMut<'_, f64>,
    ) {
        let turns_back = matches!(self.weights, Weights::Alike(_)) && frame.tumbling.is_some();
        for k in 0..out.nrows() / 3 {
            let mut sum = Matrix3::from_column_slice(&warp.incidence.sum(first + k, gradients));
            if turns_back {
                sum *= frame.rotations[warp.component_of_vertex[first + k]].transpose();
            }
            for i in 0..3 {
                for c in 0..3 {
                    out[(3 * k + c, i)] = sum[(c, i)];
                }
            }
        }
    }

    fn weights<'a>(&'a self, warp: &'a Warp, frame: &'a InputFrame) -> PlaceWeights<'a> {
        PlaceWeights {
            weights: &self.weights,
            rotations: &frame.rotations,
            component: &warp.component_of_cell,
        }
    }

    fn share(&self, frame: &InputFrame, floating: usize, component: usize) -> Matrix3<f64> {
        match &self.shares {
            Shares::Alike(shares) => frame.rotations[component] * shares[floating],
            Shares::Each(shares) => shares[floating],
        }
    }

    /// Whether it is the point of these vertices in a frame.
    pub(super) fn serves(&self, frame: &InputFrame, vertices: &[(VertexId, f64)]) -> bool {
        self.keeps_contacts_of(frame) && self.vertices == vertices
    }

    fn keeps_contacts_of(&self, frame: &InputFrame) -> bool {
        match (&self.held, &frame.held) {
            (None, None) => true,
            (Some(own), Some(other)) => Arc::ptr_eq(own, other),
            _ => false,
        }
    }

    fn check(&self, warp: &Warp, frame: &InputFrame, edit: &[f64]) {
        warp.check_length(edit);
        assert!(self.keeps_contacts_of(frame), "a point made for the contacts of this frame");
    }
}

fn edited<'a>(frame: &'a InputFrame, edit: &'a [f64]) -> Edited<'a> {
    Edited { input: frame.seen(), turns: &frame.turns, edit }
}
