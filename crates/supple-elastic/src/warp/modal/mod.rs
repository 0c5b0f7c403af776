//! The warp of a body at rest as a function of modal coordinates: where vertices go, and all derivatives that finding
//! z through the warp takes (Schulz et al. 2014, §6–7).
//!
//! The linear edit p = U z has at every place q the numbers s_q = N_q z, turn and strain, N_q nine rows that are made
//! once. What a motion that came before has left of its shape may be added place by place, s_q = N_q z + e_q. The
//! displacement is that of the warp with the body at rest as its input,
//!
//! > W = u₀ + A Gᵀ V Δ(s), Δ = exp(π)(I + ε) − I,
//!
//! u₀ the displacement that anchors put elsewhere take along by themselves, A the inverse of [`super::poisson`].
//!
//! | wanted | how |
//! |---|---|
//! | W at all vertices | one solve of three columns, [`ModalWarp::displacement`] |
//! | ∂W/∂z at all vertices | one solve of 3r columns, [`ModalWarp::slopes`] |
//! | ∂²W/∂z² along ż | the same with the second derivative, [`ModalWarp::slopes_along`] |
//! | a mean of vertices, its derivatives | a sum over places, no solve, [`ModalRow`] |
//! | many of them | such sums as products, [`ModalBlock`] |
//! | fᵀ∂²W/∂z² | a sum over places, [`ModalWarp::curvature`] |
//!
//! Sums run over a fixed number of runs of elements: the bits do not depend on the threads.

mod block;
mod coordinates;
mod curvature;
mod element;
mod lanes;
mod row;
mod slopes;
#[cfg(test)]
mod tests;
mod walk;

pub use block::ModalBlock;
pub use row::ModalRow;
pub use slopes::ModalSlopes;
pub(super) use walk::Walk;

use super::Warp;
use crate::Basis;
use element::{Element, Strain, strain_of_polar};
use faer::Mat;
use faer::linalg::solvers::Solve;
use lanes::LANES;
use nalgebra::Matrix3;
use rayon::prelude::*;
use std::sync::Arc;
use supple_mesh::Vec3;
use supple_model::VertexId;
use supple_numerics::rotation;

/// Places worked on as one task.
const PLACES_PER_TASK: usize = 512;

/// The warp of a body at rest in modal coordinates.
#[derive(Debug)]
pub struct ModalWarp {
    warp: Arc<Warp>,
    modes: usize,
    /// r, padded.
    stride: usize,
    /// N: nine rows for every place.
    strains: Vec<f64>,
    /// How each floating component moves as a whole: three rows of r numbers.
    shifts: Vec<[Vec<f64>; 3]>,
    /// Vertex → floating component.
    shift_of: Vec<Option<usize>>,
    volumes: Vec<f64>,
}

/// s of every place: the shape of a body, up to where it is.
#[derive(Clone, Debug, PartialEq)]
pub struct ModalShape {
    pub(in crate::warp) strains: Vec<Strain>,
    /// t of every floating component.
    pub(super) shifts: Vec<Vec3>,
}

impl ModalWarp {
    /// The warp of a body under edits of a basis. It takes 72 bytes per mode and place.
    ///
    /// # Panics
    /// When they are of different bodies.
    #[must_use]
    pub fn new(warp: Arc<Warp>, basis: &Basis) -> Self {
        assert_eq!(warp.vertices(), basis.vertices(), "warp and basis of one body");
        let (modes, places) = (basis.modes(), warp.places());
        let stride = modes.next_multiple_of(LANES);
        let mut strains = vec![0.0; 9 * places * stride];
        let mut of_mode = vec![[0.0; 9]; places];
        let floating = warp.poisson.floating();
        let mut shifts = vec![[const { Vec::new() }; 3]; floating.len()];
        let (mut z, mut p) = (vec![0.0; modes], vec![0.0; 3 * warp.vertices()]);
        for k in 0..modes {
            z[k] = 1.0;
            basis.displacement(&z, &mut p);
            z[k] = 0.0;
            warp.cells.strains(&p, &mut of_mode);
            strains.par_chunks_mut(9 * stride).zip(&of_mode).for_each(|(rows, strain)| {
                for (b, value) in strain.iter().enumerate() {
                    rows[b * stride + k] = *value;
                }
            });
            for (shift, part) in shifts.iter_mut().zip(floating) {
                let moved = part.shift(&p);
                shift.iter_mut().zip(moved.iter()).for_each(|(row, value)| row.push(*value));
            }
        }
        let mut shift_of = vec![None; warp.vertices()];
        for (place, part) in floating.iter().enumerate() {
            part.vertices.iter().for_each(|v| shift_of[v.index()] = Some(place));
        }
        let volumes = warp.cells.volumes();
        Self { warp, modes, stride, strains, shifts, shift_of, volumes }
    }

    /// The warp it is.
    #[must_use]
    pub fn warp(&self) -> &Arc<Warp> {
        &self.warp
    }

    /// r.
    #[must_use]
    pub fn modes(&self) -> usize {
        self.modes
    }

    /// n.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.warp.vertices()
    }

    /// How many places there are.
    #[must_use]
    pub fn places(&self) -> usize {
        self.volumes.len()
    }

    /// s of every place under z, or of how it changes under ż; `beside` is added `share` times.
    ///
    /// # Panics
    /// When `z` has not one number per mode.
    #[must_use]
    pub fn shape(&self, z: &[f64], beside: Option<(&ModalShape, f64)>) -> ModalShape {
        assert_eq!(z.len(), self.modes, "a number per mode");
        let mut strains = vec![[0.0; 9]; self.volumes.len()];
        let mut padded = z.to_vec();
        padded.resize(self.stride, 0.0);
        strains.par_chunks_mut(PLACES_PER_TASK).enumerate().for_each(|(task, strains)| {
            for (k, strain) in strains.iter_mut().enumerate() {
                let q = task * PLACES_PER_TASK + k;
                *strain = lanes::products(self.rows(q), &padded);
                if let Some((beside, share)) = beside {
                    for (value, more) in strain.iter_mut().zip(&beside.strains[q]) {
                        *value += share * more;
                    }
                }
            }
        });
        let dot = |row: &Vec<f64>| row.iter().zip(z).map(|(t, z)| t * z).sum::<f64>();
        let shifts = self.shifts.iter().map(|[x, y, z]| Vec3::new(dot(x), dot(y), dot(z))).collect();
        ModalShape { strains, shifts }
    }

    /// N of a place.
    #[inline]
    fn rows(&self, q: usize) -> &[f64] {
        &self.strains[9 * q * self.stride..9 * (q + 1) * self.stride]
    }

    /// Overwrites `out` with W − u₀, three numbers per vertex.
    ///
    /// # Panics
    /// When `out` has not three numbers per vertex.
    pub fn displacement(&self, shape: &ModalShape, out: &mut [f64]) {
        self.fit(shape, |element, _| element.change(), out);
    }

    /// Overwrites `out` with ∂W along a change of the shape: the velocity of every vertex, if `change` is that of the
    /// shape in time.
    ///
    /// # Panics
    /// As [`Self::displacement`].
    pub fn velocity(&self, shape: &ModalShape, change: &ModalShape, out: &mut [f64]) {
        self.fit(shape, |element, q| element.along(&change.strains[q]), out);
        self.move_wholes(&change.shifts, &shape.shifts, out);
    }

    fn fit(&self, shape: &ModalShape, of: impl Fn(Element, usize) -> Matrix3<f64> + Sync, out: &mut [f64]) {
        let (warp, n) = (&self.warp, self.vertices());
        warp.check_length(out);
        let change = |(q, s): (usize, &Strain)| of(Element::new(s), q);
        let changes: Vec<Matrix3<f64>> =
            shape.strains.par_iter().with_min_len(PLACES_PER_TASK).enumerate().map(change).collect();
        let mut forces = vec![[0.0; 3]; warp.incidence.corners()];
        warp.cells.forces_of(&changes, &mut forces);
        let mut columns = vec![0.0; 3 * n];
        warp.sum_forces(&forces, &mut columns);
        warp.poisson.solve(&mut columns, n, &mut Vec::new());
        for (v, out) in out.chunks_exact_mut(3).enumerate() {
            let shift = self.shift_of[v].map_or(Vec3::zeros(), |part| shape.shifts[part]);
            for (c, out) in out.iter_mut().enumerate() {
                *out = columns[c * n + v] + shift[c];
            }
        }
    }

    /// Exchanges how floating components move as wholes.
    fn move_wholes(&self, to: &[Vec3], from: &[Vec3], out: &mut [f64]) {
        for (out, part) in out.chunks_exact_mut(3).zip(&self.shift_of) {
            if let Some(part) = *part {
                let by = to[part] - from[part];
                out.iter_mut().zip(by.iter()).for_each(|(out, by)| *out += by);
            }
        }
    }

    /// u₀: what displacements of anchored vertices, given in `held`, three numbers per vertex of the body, take along.
    /// Those of free vertices do not count.
    ///
    /// # Panics
    /// When `held` has not three numbers per vertex.
    #[must_use]
    pub fn carried(&self, held: &[f64]) -> Vec<f64> {
        let (warp, n) = (&self.warp, self.vertices());
        warp.check_length(held);
        let fixed: Vec<f64> = (0..3 * n).map(|k| if warp.free[k / 3] { 0.0 } else { held[k] }).collect();
        // L u = 0 on what is free: L_ff u_f = −L_fa u_a, with the forces that the anchored ones alone would take.
        let mut deformed = vec![Matrix3::zeros(); warp.places()];
        warp.cells.gradients(&fixed, &mut deformed);
        let mut forces = vec![[0.0; 3]; warp.incidence.corners()];
        warp.cells.forces_of(&deformed, &mut forces);
        let mut columns = vec![0.0; 3 * n];
        warp.sum_forces(&forces, &mut columns);
        warp.poisson.solve(&mut columns, n, &mut Vec::new());
        (0..3 * n).map(|k| fixed[k] - columns[(k % 3) * n + k / 3]).collect()
    }

    /// The shape of a displacement, three numbers per vertex, and z that comes nearest to it place by place: V-weighted
    /// least squares of turns and strains. What has turned by more than half a turn has, as its neighbours tell.
    ///
    /// # Panics
    /// When `u` has not three numbers per vertex.
    #[must_use]
    pub fn fitted(&self, u: &[f64]) -> (ModalShape, Vec<f64>) {
        let warp = &self.warp;
        warp.check_length(u);
        let mut deformed = vec![Matrix3::zeros(); warp.places()];
        warp.cells.deformations(u, &mut deformed);
        let polars: Vec<rotation::Polar> = deformed.par_iter().map(rotation::polar).collect();
        let rotations: Vec<Matrix3<f64>> = polars.iter().map(|polar| polar.rotation).collect();
        let turns = warp.unwrapping.logarithms(&rotations, warp.cells.places_per_cell());
        let strain = |(polar, turn): (&rotation::Polar, &Vec3)| strain_of_polar(turn, &polar.stretch);
        let strains: Vec<Strain> = polars.par_iter().zip(&turns).map(strain).collect();
        let shifts = warp.poisson.floating().iter().map(|part| part.shift(u)).collect();
        let shape = ModalShape { strains, shifts };
        let z = self.nearest(&shape);
        (shape, z)
    }

    /// What a shape has beyond that of z.
    #[must_use]
    pub fn beyond(&self, shape: &ModalShape, z: &[f64]) -> ModalShape {
        let mut left = self.shape(z, Some((shape, -1.0)));
        left.strains.iter_mut().flatten().for_each(|x| *x = -*x);
        left
    }

    /// argmin Σ V |N z − s|², turns and off-diagonal strains counted as a gradient has them: twice.
    fn nearest(&self, shape: &ModalShape) -> Vec<f64> {
        let r = self.modes;
        // The lower triangle of the matrix, then the right-hand side.
        let sums = self.runs(|q, sum: &mut Vec<f64>| {
            sum.resize(r * r + r, 0.0);
            for (b, row) in self.rows(q).chunks_exact(self.stride).enumerate() {
                let weight = self.volumes[q] * if (3..6).contains(&b) { 1.0 } else { 2.0 };
                for k in 0..r {
                    let scaled = weight * row[k];
                    sum[r * r + k] += scaled * shape.strains[q][b];
                    sum[k * r..=k * r + k].iter_mut().zip(row).for_each(|(sum, n)| *sum += scaled * n);
                }
            }
        });
        let total = |at: usize| sums.iter().filter_map(|sum| sum.get(at)).sum::<f64>();
        let mut H = Mat::from_fn(r, r, |k, l| total(k.max(l) * r + k.min(l)));
        let g = Mat::from_fn(r, 1, |k, _| total(r * r + k));
        // A translation of what floats bends nothing.
        let most = (0..r).map(|k| H[(k, k)]).fold(0.0, f64::max).max(f64::MIN_POSITIVE);
        (0..r).for_each(|k| H[(k, k)] += 1e-14 * most);
        match H.llt(faer::Side::Lower) {
            Ok(factor) => {
                let z = factor.solve(&g);
                (0..r).map(|k| z[(k, 0)]).collect()
            }
            Err(_) => vec![0.0; r],
        }
    }

    /// What `add` makes of all places, a sum for each of a fixed number of runs.
    fn runs<T: Default + Send>(&self, add: impl Fn(usize, &mut T) + Sync) -> Vec<T> {
        let places = self.volumes.len();
        let run = places.div_ceil(slopes::RUNS).max(1);
        let sum = |k: usize| {
            let mut sum = T::default();
            (k * run..places.min((k + 1) * run)).for_each(|q| add(q, &mut sum));
            sum
        };
        (0..slopes::RUNS).into_par_iter().map(sum).collect()
    }

    /// The mean Σ w_v W_v of some vertices, ready to be read without a solve.
    ///
    /// # Errors
    /// A vertex that does not exist, or weights that mean nothing.
    pub fn row(&self, vertices: &[(VertexId, f64)]) -> Result<ModalRow, super::WarpError> {
        self.warp.check_vertices(vertices)?;
        Ok(ModalRow::new(self, vertices))
    }

    /// Several such means at once.
    ///
    /// # Errors
    /// As [`Self::row`].
    pub fn block(&self, points: &[Vec<(VertexId, f64)>]) -> Result<ModalBlock, super::WarpError> {
        points.iter().try_for_each(|point| self.warp.check_vertices(point))?;
        Ok(ModalBlock::new(self, points))
    }
}
