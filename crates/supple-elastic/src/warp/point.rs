//! One point of the warped body, without warping all of it.
//!
//! The warp is a linear map of the changes Δ_q at all places, so the row of that map for one point,
//! computed when a handle is made ([`super::listen`]), gives the point by a single sum over the elements, and its
//! derivative by the edit by another:
//!
//! > W = ū + Σ_q B_q : Δ_q(p), B = the point's row of A Gᵀ V,
//! > ∂W/∂p = Σ_q G_qᵀ (∂(B_q : Δ_q)/∂H_q), H_q = G_q p,
//!
//! three numbers per vertex for each coordinate of the point. In a frame with contacts the row is that of
//! the constrained inverse. Where the body floats, p = t + θ × r + p′ moves it as a whole ([`super::floating`]): with
//! b what the point reads of the vertices,
//!
//! > W = ū + Σ_v b_v (t + (exp θ − I) ȳ_v) + Σ_q B_q : exp(θ) R Δ_q(p′), ȳ = x + ū − c̄,
//! > ∂W/∂θ at fixed p′: Jᵀ Σ_v (exp(θ) ȳ_v + exp(θ) R d_v) × b_v, J the left Jacobian at θ,
//!
//! and ∂W/∂p follows from dθ = I⁻¹ Σ m r × dp and dp′ = dp − dt − dθ × r.

use super::Warp;
use super::contacts::Held;
use super::floating::{Floating, Rigid};
use super::input::InputFrame;
use super::listen::Read;
use super::posed::Posed;
use super::weights::{PlaceWeights, Weights};
use faer::{Mat, MatMut};
use nalgebra::Matrix3;
use rayon::prelude::*;
use std::sync::Arc;
use supple_mesh::Vec3;
use supple_model::VertexId;
use supple_numerics::rotation;

/// Vertices whose derivatives are added up as one task.
const VERTICES_PER_TASK: usize = 512;

/// A point of the warped body.
#[derive(Debug)]
pub struct WarpPoint {
    pub(super) vertices: Vec<(VertexId, f64)>,
    pub(super) weights: Weights,
    pub(super) reads: Vec<Read>,
    /// What contacts that shall move add.
    pub(super) shift: Vec3,
    pub(super) held: Option<Arc<Held>>,
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
        warp.with_posed(frame, edit, false, |posed| self.value_posed(warp, posed))
    }

    /// ∂W/∂p, 3n×3: column i is the derivative of coordinate i of [`Self::value`] by every number of the
    /// edit.
    ///
    /// # Panics
    /// As [`Self::value`].
    #[must_use]
    pub fn gradient(&self, warp: &Warp, frame: &InputFrame, edit: &[f64]) -> Mat<f64> {
        let mut gradient = Mat::zeros(edit.len(), 3);
        let _ = self.linearize(warp, frame, edit, gradient.as_mut());
        gradient
    }

    /// [`Self::gradient`] into the caller's matrix; answers [`Self::value`].
    ///
    /// # Panics
    /// As [`Self::value`], and when `out` is not 3n×3.
    #[must_use]
    pub fn linearize(&self, warp: &Warp, frame: &InputFrame, edit: &[f64], out: MatMut<'_, f64>) -> Vec3 {
        self.check(warp, frame, edit);
        warp.with_posed(frame, edit, false, |posed| self.linearize_posed(warp, posed, out))
    }

    /// [`Self::value`] in a frame that is under an edit.
    pub(super) fn value_posed(&self, warp: &Warp, posed: &Posed<'_>) -> Vec3 {
        let weights = self.weights(warp, posed.frame, &posed.rigid.rotations);
        self.moved(warp, posed.frame, &posed.rigid) + warp.cells.value(posed.slopes, weights)
    }

    /// [`Self::linearize`] in a frame that is under an edit.
    pub(super) fn linearize_posed(&self, warp: &Warp, posed: &Posed<'_>, mut out: MatMut<'_, f64>) -> Vec3 {
        let Posed { frame, rigid, slopes } = posed;
        let weights = self.weights(warp, frame, &rigid.rotations);
        assert!(
            out.nrows() == 3 * warp.vertices() && out.ncols() == 3,
            "three numbers per vertex for each coordinate"
        );
        let change = warp.with_room(|room| {
            room.gradients.resize(warp.incidence.corners(), [0.0; 9]);
            let change = warp.cells.linearize(*slopes, weights, &mut room.gradients);
            let gradients = &room.gradients;
            out.as_mut().par_row_chunks_mut(3 * VERTICES_PER_TASK).enumerate().for_each(|(task, out)| {
                self.gather(warp, frame, rigid, task * VERTICES_PER_TASK, gradients, out);
            });
            change
        });
        for (read, turning) in self.reads.iter().zip(self.turning(warp, posed)) {
            let Some(floating) = read.floating else { continue };
            let part = &warp.poisson.floating()[floating];
            let turn = rigid.parts[floating].turn.as_ref().map(|(theta, turn)| {
                let swing: Matrix3<f64> = read.swing(|v| turn * warp.arm(frame, v));
                rotation::left_jacobian(theta).tr_mul(&(swing + turning)) - torques(part, out.as_ref())
            });
            add_whole(part, &read.share, turn, out.as_mut());
        }
        self.moved(warp, frame, rigid) + change
    }

    /// Σ w_v ū_v, moved as the edit moves whole components.
    fn moved(&self, warp: &Warp, frame: &InputFrame, rigid: &Rigid<'_>) -> Vec3 {
        let input = |(v, weight): &(VertexId, f64)| {
            Vec3::from_column_slice(&frame.input[3 * v.index()..][..3]) * *weight
        };
        let mut value: Vec3 = self.vertices.iter().map(input).sum::<Vec3>() + self.shift;
        for (read, floating) in self.reads.iter().filter_map(|read| Some((read, read.floating?))) {
            let moved = &rigid.parts[floating];
            value += read.share * moved.shift;
            if let Some((_, turn)) = &moved.turn {
                let swing = turn - Matrix3::identity();
                value += read.vertices.iter().map(|(v, b)| b * (swing * warp.arm(frame, *v))).sum::<Vec3>();
            }
        }
        value
    }

    /// For each component read, how what the change of shape adds to the point grows while exp θ turns.
    fn turning(&self, warp: &Warp, posed: &Posed<'_>) -> Vec<Matrix3<f64>> {
        let Posed { frame, rigid, slopes } = posed;
        let of = |read: &Read| {
            if !frame.spins[read.component] {
                return Matrix3::zeros();
            }
            // One component at a time: the others are turned to nothing.
            let mut rotations = vec![Matrix3::zeros(); rigid.rotations.len()];
            rotations[read.component] = rigid.rotations[read.component];
            warp.cells.value_turning(*slopes, self.weights(warp, frame, &rotations)).1
        };
        self.reads.iter().map(of).collect()
    }

    /// Adds up the derivatives by the corners at each vertex from `first` on.
    fn gather(
        &self,
        warp: &Warp,
        frame: &InputFrame,
        rigid: &Rigid<'_>,
        first: usize,
        gradients: &[[f64; 9]],
        mut out: MatMut<'_, f64>,
    ) {
        let turns_back = matches!(self.weights, Weights::Alike(_)) && frame.tumbling.is_some();
        for k in 0..out.nrows() / 3 {
            let mut sum = Matrix3::from_column_slice(&warp.incidence.sum(first + k, gradients));
            if turns_back {
                sum *= rigid.rotations[warp.component_of_vertex[first + k]].transpose();
            }
            for i in 0..3 {
                for c in 0..3 {
                    out[(3 * k + c, i)] = sum[(c, i)];
                }
            }
        }
    }

    fn weights<'a>(
        &'a self,
        warp: &'a Warp,
        frame: &InputFrame,
        rotations: &'a [Matrix3<f64>],
    ) -> PlaceWeights<'a> {
        let tumbles = frame.tumbling.is_some();
        PlaceWeights { weights: &self.weights, rotations, tumbles, component: &warp.component_of_cell }
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

impl Read {
    /// Σ_v y_v × b_iv, a column for each coordinate i.
    fn swing(&self, y: impl Fn(VertexId) -> Vec3) -> Matrix3<f64> {
        self.vertices.iter().map(|(v, b)| y(*v).cross_matrix() * b.transpose()).sum()
    }
}

/// Σ_v r_v × g_v of the derivatives g by a component's vertices, a column for each coordinate.
fn torques(part: &Floating, g: faer::MatRef<'_, f64>) -> Matrix3<f64> {
    let members = part.vertices.iter().zip(&part.arms);
    let torque =
        |(v, r): (&VertexId, &Vec3)| r.cross_matrix() * Matrix3::from_fn(|c, i| g[(3 * v.index() + c, i)]);
    members.map(torque).sum()
}

/// Adds what t and θ do: `share` the derivative by t, a row for each coordinate, `turn` that by θ, a column for each.
fn add_whole(part: &Floating, share: &Matrix3<f64>, turn: Option<Matrix3<f64>>, mut out: MatMut<'_, f64>) {
    let turn = turn.map(|turn| part.inverse_inertia * turn);
    for ((v, m), r) in part.vertices.iter().zip(&part.weights).zip(&part.arms) {
        let mut whole = share.transpose();
        if let Some(turn) = &turn {
            // θ × r grows by dθ × r: a·(r × dp) = dp·(a × r).
            whole -= r.cross_matrix() * turn;
        }
        for i in 0..3 {
            for c in 0..3 {
                out[(3 * v.index() + c, i)] += m * whole[(c, i)];
            }
        }
    }
}
