//! Walks over the elements that know the edit at every place by its numbers s, see [`super::element`].

use super::element::{Slope, Strain, strain_of};
use super::lanes::LANES;
use crate::gradient::{Place, differences};
use crate::warp::cells::Kind;
use nalgebra::Matrix3;
use rayon::prelude::*;
use std::fmt::Debug;
use std::ops::Range;
use supple_mesh::Vec3;
use supple_numerics::simd;

/// Elements walked as one task.
const CELLS_PER_TASK: usize = 256;

/// What the elements of one kind do with edits that are known place by place.
pub(in crate::warp) trait Walk: Debug + Send + Sync {
    /// Overwrites `out` with s of the gradient of p at every place.
    fn strains(&self, p: &[f64], out: &mut [Strain]);

    /// Overwrites `out` with I + H of a displacement at every place; a triangle's normal goes to the deformed one's.
    fn deformations(&self, u: &[f64], out: &mut [Matrix3<f64>]);

    /// Overwrites `out` with H of a displacement at every place.
    fn gradients(&self, u: &[f64], out: &mut [Matrix3<f64>]);

    /// The same at some places.
    fn gradients_at(&self, places: &[usize], u: &[f64], out: &mut [Matrix3<f64>]);

    /// V of every place.
    fn volumes(&self) -> Vec<f64>;

    /// Overwrites `out` with Σ_q V Δ_q g_a of every corner, Δ given.
    fn forces_of(&self, changes: &[Matrix3<f64>], out: &mut [[f64; 3]]);

    /// Adds to `rows` the forces of some elements in many directions: for each vertex and coordinate a row, `stride`
    /// apart, that has Σ_q V (slope_q N_q) g_a; N has nine rows for every place.
    fn add_pulls(
        &self,
        cells: Range<usize>,
        slope: &(dyn Fn(usize) -> Slope + Sync),
        N: &[f64],
        stride: usize,
        rows: &mut [f64],
    );
}

impl<const C: usize, const D: usize, const P: usize> Walk for Kind<C, D, P> {
    fn strains(&self, p: &[f64], out: &mut [Strain]) {
        out.par_chunks_mut(CELLS_PER_TASK * P).enumerate().for_each(|(run, out)| {
            for (k, out) in out.chunks_exact_mut(P).enumerate() {
                let cell = run * CELLS_PER_TASK + k;
                let p: [Vec3; D] = differences(&self.corners[cell], p);
                for (place, out) in self.places[cell].iter().zip(out) {
                    let mut H = place.gradient(&p);
                    if let Some(normals) = &self.normals {
                        let n = &normals[cell];
                        H -= H.transpose() * n * n.transpose();
                    }
                    *out = strain_of(&H);
                }
            }
        });
    }

    fn deformations(&self, u: &[f64], out: &mut [Matrix3<f64>]) {
        out.par_chunks_mut(CELLS_PER_TASK * P).enumerate().for_each(|(run, out)| {
            for (k, out) in out.chunks_exact_mut(P).enumerate() {
                let cell = run * CELLS_PER_TASK + k;
                let u: [Vec3; D] = differences(&self.corners[cell], u);
                for (place, out) in self.places[cell].iter().zip(out) {
                    *out = self.lifted(cell, place.deformation(&u));
                }
            }
        });
    }

    fn gradients(&self, u: &[f64], out: &mut [Matrix3<f64>]) {
        for (cell, out) in out.chunks_exact_mut(P).enumerate() {
            let u: [Vec3; D] = differences(&self.corners[cell], u);
            for (place, out) in self.places[cell].iter().zip(out) {
                *out = place.gradient(&u);
            }
        }
    }

    fn gradients_at(&self, places: &[usize], u: &[f64], out: &mut [Matrix3<f64>]) {
        for (place, out) in places.iter().zip(out) {
            let u: [Vec3; D] = differences(&self.corners[place / P], u);
            *out = self.places[place / P][place % P].gradient(&u);
        }
    }

    fn volumes(&self) -> Vec<f64> {
        self.places.as_flattened().iter().map(|place| place.volume).collect()
    }

    fn forces_of(&self, changes: &[Matrix3<f64>], out: &mut [[f64; 3]]) {
        out.par_chunks_mut(CELLS_PER_TASK * C).enumerate().for_each(|(run, out)| {
            for (k, out) in out.chunks_exact_mut(C).enumerate() {
                let cell = run * CELLS_PER_TASK + k;
                let mut first = Vec3::zeros();
                for (a, out) in out[1..].iter_mut().enumerate() {
                    let force: Vec3 = (self.places[cell].iter().zip(&changes[cell * P..]))
                        .map(|(place, change)| change * (place.gradients[a] * place.volume))
                        .sum();
                    first -= force;
                    *out = force.into();
                }
                out[0] = first.into();
            }
        });
    }

    fn add_pulls(
        &self,
        cells: Range<usize>,
        slope: &(dyn Fn(usize) -> Slope + Sync),
        N: &[f64],
        stride: usize,
        rows: &mut [f64],
    ) {
        let mut sums = vec![0.0; 3 * D * stride];
        let mut maps = [[[0.0; 9]; 3]; D];
        for cell in cells {
            sums.fill(0.0);
            for (k, place) in self.places[cell].iter().enumerate() {
                let q = cell * P + k;
                pull_maps(place, &slope(q), &mut maps);
                let N = &N[9 * q * stride..9 * (q + 1) * stride];
                simd::widest(
                    #[inline(always)]
                    || add_products(&maps, N, stride, &mut sums),
                );
            }
            let corners = &self.corners[cell];
            let (first, stride3) = (corners[0].index(), 3 * stride);
            for (v, sums) in corners[1..].iter().zip(sums.chunks_exact(stride3)) {
                for (row, sum) in rows[v.index() * stride3..][..stride3].iter_mut().zip(sums) {
                    *row += sum;
                }
                for (row, sum) in rows[first * stride3..][..stride3].iter_mut().zip(sums) {
                    *row -= sum;
                }
            }
        }
    }
}

/// V Σ_d g_a,d slope: the force on every corner but the first by the numbers s, a row for each coordinate.
#[inline]
fn pull_maps<const D: usize>(place: &Place<D>, slope: &Slope, maps: &mut [[[f64; 9]; 3]; D]) {
    for (map, g) in maps.iter_mut().zip(&place.gradients) {
        let g = g * place.volume;
        for (i, row) in map.iter_mut().enumerate() {
            for (b, out) in row.iter_mut().enumerate() {
                *out = g.x * slope[3 * i][b] + g.y * slope[3 * i + 1][b] + g.z * slope[3 * i + 2][b];
            }
        }
    }
}

/// Adds maps N to the sums, a few directions at a time.
#[inline(always)]
fn add_products<const D: usize>(maps: &[[[f64; 9]; 3]; D], N: &[f64], stride: usize, sums: &mut [f64]) {
    for from in (0..stride).step_by(LANES) {
        for (a, map) in maps.iter().enumerate() {
            let mut added = [[0.0; LANES]; 3];
            for b in 0..9 {
                let n: [f64; LANES] = std::array::from_fn(|lane| N[b * stride + from + lane]);
                for (added, row) in added.iter_mut().zip(map) {
                    for lane in 0..LANES {
                        added[lane] += row[b] * n[lane];
                    }
                }
            }
            for (i, added) in added.iter().enumerate() {
                for (sum, added) in sums[(3 * a + i) * stride + from..][..LANES].iter_mut().zip(added) {
                    *sum += added;
                }
            }
        }
    }
}
