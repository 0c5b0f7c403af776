//! The edit of a motion in space, without a warp.
//!
//! What the modes would do to a frame if nothing bent: with R the rotation taken out of a component that nothing
//! holds and p = t + θ × r + p′ as in [`super::floating`], a vertex moves by
//!
//! > t + R (p − t)                      where the component turns little,
//! > t + θ × R r + R p′                where it turns far,
//!
//! and by p where the component is held. This is what the warp does to a small edit of an input that is not bent. It
//! is linear in z: the row of a point along a direction n is Σ w (Rᵀn)·U_v, plus what t and θ of the modes add.

use super::InputFrame;
use super::floating::Floating;
use super::motion::WarpedMotion;
use crate::Basis;
use rayon::prelude::*;
use supple_mesh::Vec3;
use supple_model::VertexId;

/// A direction in which a point moves less than this part of what it does in others is one it does not move in.
const ROUNDING: f64 = 1e-9;
/// Vertices moved as one task.
const VERTICES_PER_TASK: usize = 2048;

/// t and θ of every mode, a row for each coordinate.
#[derive(Clone, Debug)]
pub(super) struct WholeRows {
    pub shift: [Vec<f64>; 3],
    pub turn: [Vec<f64>; 3],
}

impl WholeRows {
    /// Of every floating component.
    pub fn of(floating: &[Floating], basis: &Basis) -> Vec<Self> {
        floating.par_iter().map(|part| Self::new(part, basis)).collect()
    }

    fn new(part: &Floating, basis: &Basis) -> Self {
        let members = || part.vertices.iter().zip(&part.weights).zip(&part.arms);
        let sum = |weight: &(dyn Fn(f64, &Vec3) -> f64 + Sync)| {
            basis.row(&members().map(|((v, m), r)| (*v, weight(*m, r))).collect::<Vec<_>>())
        };
        // Σ m r_a U_b.
        let moments = [0, 1, 2].map(|a| sum(&|m, r| m * r[a]));
        let momentum = |k: usize| {
            Vec3::new(
                moments[1][2][k] - moments[2][1][k],
                moments[2][0][k] - moments[0][2][k],
                moments[0][1][k] - moments[1][0][k],
            )
        };
        let mut turn = [0; 3].map(|_| vec![0.0; basis.modes()]);
        for k in 0..basis.modes() {
            let theta = part.inverse_inertia * momentum(k);
            for c in 0..3 {
                turn[c][k] = theta[c];
            }
        }
        Self { shift: sum(&|m, _| m), turn }
    }
}

impl WarpedMotion {
    /// What a point Σ w_v sees of the modes along `direction` in space at a frame, without a warp: the row of
    /// [`Self::in_space`]. Zeros if that is but the rounding of what its vertices do in other directions, as along a
    /// flat cloth.
    ///
    /// # Panics
    /// When there is no such frame or vertex.
    #[must_use]
    pub fn edit_row(&self, frame: usize, point: &[(VertexId, f64)], direction: Vec3) -> Vec<f64> {
        let input = self.frame(frame);
        let (mut sum, mut largest) = self.turned_row(input, point, direction);
        for (part, whole) in self.warp().poisson.floating().iter().zip(self.whole_rows()) {
            let (shift, turn) = self.whole(input, part, point, direction);
            for (weights, rows) in [(shift, &whole.shift), (turn, &whole.turn)] {
                for (weight, row) in weights.iter().zip(rows).filter(|(weight, _)| **weight != 0.0) {
                    sum.iter_mut().zip(row).for_each(|(sum, u)| *sum += weight * u);
                    largest = row.iter().fold(largest, |largest, u| largest.max((u * weight).abs()));
                }
            }
        }
        if sum.iter().all(|c| c.abs() <= ROUNDING * largest) {
            sum.fill(0.0);
        }
        sum
    }

    /// Σ w_v (Rᵀ n)·U_v, and the largest number of a vertex' modes.
    fn turned_row(&self, input: &InputFrame, point: &[(VertexId, f64)], n: Vec3) -> (Vec<f64>, f64) {
        let mut sum = vec![0.0; self.basis().modes()];
        let mut largest: f64 = 0.0;
        for &(v, weight) in point {
            let seen = self.warp().rotation_of(input, v).tr_mul(&n) * weight;
            for (axis, row) in self.basis().row(&[(v, 1.0)]).iter().enumerate() {
                largest = row.iter().fold(largest, |largest, u| largest.max((u * weight).abs()));
                if seen[axis] != 0.0 {
                    sum.iter_mut().zip(row).for_each(|(sum, u)| *sum += seen[axis] * u);
                }
            }
        }
        (sum, largest)
    }

    /// How much t and θ of a component add to the row of a point.
    fn whole(&self, input: &InputFrame, part: &Floating, point: &[(VertexId, f64)], n: Vec3) -> (Vec3, Vec3) {
        let R = input.rotations[part.component];
        let seen = R.tr_mul(&n);
        let (mut shift, mut turn) = (Vec3::zeros(), Vec3::zeros());
        for (v, weight) in point {
            if self.warp().component_of_vertex[v.index()] != part.component {
                continue;
            }
            shift += (n - seen) * *weight;
            if let (true, Ok(at)) = (input.spins[part.component], part.vertices.binary_search(v)) {
                let r = part.arms[at];
                turn += ((R * r).cross(&n) - r.cross(&seen)) * *weight;
            }
        }
        (shift, turn)
    }

    /// Overwrites `out` with the change of a frame in space under the edit p without a warp; three numbers per vertex
    /// both.
    ///
    /// # Panics
    /// When there is no such frame, or a slice has not three numbers per vertex.
    pub fn in_space(&self, frame: usize, edit: &[f64], out: &mut [f64]) {
        self.unwarped(self.frame(frame), edit, out);
    }

    pub(super) fn unwarped(&self, input: &InputFrame, edit: &[f64], out: &mut [f64]) {
        let warp = self.warp();
        warp.check_length(edit);
        warp.check_length(out);
        out.copy_from_slice(edit);
        for part in warp.poisson.floating() {
            let R = input.rotations[part.component];
            let shift = part.shift(edit);
            let turn = if input.spins[part.component] { part.turn(edit) } else { Vec3::zeros() };
            for (v, r) in part.vertices.iter().zip(&part.arms) {
                let out = &mut out[3 * v.index()..][..3];
                let rest = Vec3::from_column_slice(out) - shift - turn.cross(r);
                let moved = shift + turn.cross(&(R * r)) + R * rest;
                out.copy_from_slice(moved.as_slice());
            }
        }
    }

    /// ū and the change in space.
    pub(super) fn show_unwarped(&self, input: &InputFrame, edit: &[f64], out: &mut [f64]) {
        self.unwarped(input, edit, out);
        out.par_chunks_mut(3 * VERTICES_PER_TASK).enumerate().for_each(|(task, out)| {
            let input = &input.input[3 * VERTICES_PER_TASK * task..];
            out.iter_mut().zip(input).for_each(|(out, u)| *out += u);
        });
    }
}
