//! What each place of a body says about the edits of a training, and what all of them say together.
//!
//! The column of a place e has h numbers for each edit s, P_e Δ_es / |q̂_s|. All of them would fill memory, so they are made
//! as they are asked for, and what is kept of each is a sketch: edits are dealt out to groups and in each added up with
//! random signs, number by number, so that lengths and angles are kept on average.

use super::super::WarpedMotion;
use super::training::Training;
use super::{ReducedBasis, ReducedError, ReducedSettings};
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par};
use nalgebra::Matrix3;
use rayon::prelude::*;
use supple_model::Progress;
use supple_numerics::random::Random;
use supple_numerics::simd;

/// Places whose columns are made as one task.
pub(super) const PLACES_PER_TASK: usize = 64;
/// Tasks between looks at the progress.
const TASKS_PER_LOOK: usize = 16;
/// Numbers of all sketches together, at most: a quarter of a gigabyte.
const SKETCHES: usize = 1 << 26;
/// Sums that are added up side by side.
const LANES: usize = 16;

/// The columns of all places.
pub(super) struct Candidates<'a> {
    pub motion: &'a WarpedMotion,
    pub basis: &'a ReducedBasis,
    pub training: &'a Training,
    /// q̂ of every edit, each divided by its length; those that are held out last.
    pub wanted: Vec<f64>,
    /// 1/|q̂|, 0 where nothing changes.
    pub scales: Vec<f64>,
    /// How many edits are chosen for.
    pub pairs: usize,
    pub rows: usize,
    /// `rows` numbers for each place.
    sketches: Vec<f32>,
    /// How long each of them is.
    pub lengths: Vec<f64>,
    /// Where each edit goes: its group, and a sign for each number.
    signs: Vec<(usize, Vec<f64>)>,
}

impl<'a> Candidates<'a> {
    pub fn new(
        motion: &'a WarpedMotion,
        basis: &'a ReducedBasis,
        training: &'a Training,
        settings: &ReducedSettings,
        progress: &Progress,
    ) -> Result<Self, ReducedError> {
        let (h, pairs) = (basis.size(), training.pairs().len());
        let (wanted, scales) = wanted(motion, basis, training, &progress.part(0.0, 0.4))?;
        let rows = settings.rows.min(SKETCHES / training.stations.count().max(1));
        let groups = (rows / h.max(1)).clamp(1, pairs.max(1));
        let mut random = Random::new(settings.seed ^ 0x5eed);
        let mut sign = || if random.uniform() < 0.0 { -1.0 } else { 1.0 };
        let signs = (0..pairs).map(|s| (s % groups, (0..h).map(|_| sign()).collect())).collect();
        let rows = groups * h;
        let (sketches, lengths) = (Vec::new(), Vec::new());
        let mut problem =
            Self { motion, basis, training, wanted, scales, pairs, rows, sketches, lengths, signs };
        problem.sketch(&progress.part(0.4, 1.0))?;
        Ok(problem)
    }

    fn sketch(&mut self, progress: &Progress) -> Result<(), ReducedError> {
        let places = self.training.stations.count();
        let mut sketches = vec![0.0_f32; self.rows * places];
        let tasks: Vec<usize> = (0..places).step_by(PLACES_PER_TASK).collect();
        let mut rooms = sketches.chunks_mut(self.rows * PLACES_PER_TASK);
        for (look, tasks) in tasks.chunks(TASKS_PER_LOOK).enumerate() {
            let done = (look * TASKS_PER_LOOK * PLACES_PER_TASK) as f64 / places as f64;
            progress.report("comparing places", done)?;
            let mut own: Vec<(usize, &mut [f32])> = tasks.iter().copied().zip(&mut rooms).collect();
            own.par_iter_mut().for_each(|(first, out)| {
                let range: Vec<usize> = (*first..places.min(*first + PLACES_PER_TASK)).collect();
                let mut sums = vec![0.0; self.rows];
                self.columns(&range, self.pairs, |e, column| {
                    sums.fill(0.0);
                    self.add_sketch(column, &mut sums);
                    let out = &mut out[e * self.rows..(e + 1) * self.rows];
                    out.iter_mut().zip(&sums).for_each(|(out, sum)| *out = *sum as f32);
                });
            });
        }
        self.lengths = sketches.par_chunks(self.rows.max(1)).map(|a| dot(a, a).sqrt()).collect();
        self.sketches = sketches;
        Ok(())
    }

    /// The sketch of a place.
    #[inline]
    pub fn sketch_of(&self, place: usize) -> &[f32] {
        &self.sketches[place * self.rows..(place + 1) * self.rows]
    }

    /// Adds up the numbers of all edits, each with its sign.
    pub fn add_sketch(&self, column: &[f64], sums: &mut [f64]) {
        let h = self.basis.size();
        for (column, (group, signs)) in column.chunks_exact(h).zip(&self.signs) {
            let sums = &mut sums[group * h..(group + 1) * h];
            for ((sum, x), sign) in sums.iter_mut().zip(column).zip(signs) {
                *sum += x * sign;
            }
        }
    }

    /// Hands over P_e Δ_es / |q̂_s| of some places, h numbers for each of the first so many edits.
    pub fn columns(&self, places: &[usize], edits: usize, mut hand: impl FnMut(usize, &[f64])) {
        let (warp, h) = (self.motion.warp(), self.basis.size());
        let stations = &self.training.stations;
        let mut changes = vec![0.0; 9 * edits * places.len()];
        let mut order: Vec<usize> = (0..edits).collect();
        order.sort_by_key(|s| self.training.all()[*s].frame);
        let mut stands = (usize::MAX, Vec::new());
        for s in order {
            let pair = &self.training.all()[s];
            let frame = self.motion.frame(pair.frame);
            if stands.0 != pair.frame {
                stands = (pair.frame, stations.stands_at(warp, frame, places));
            }
            let wholes = stations.wholes_at(warp, frame, &pair.z);
            let z = stations.padded(&pair.z);
            for ((e, place), stand) in places.iter().enumerate().zip(&stands.1) {
                let change = stand.change(&stations.edit(*place, &z, &wholes)) * self.scales[s];
                changes[9 * (e * edits + s)..][..9].copy_from_slice(change.as_slice());
            }
        }
        let pulls = self.basis.pulls(warp, places);
        let mut column = Mat::zeros(h, edits);
        for (e, (pulls, changes)) in pulls.chunks_exact(h).zip(changes.chunks_exact(9 * edits)).enumerate() {
            let pulls = pulls.iter().flat_map(|pull| pull.as_slice().to_vec()).collect::<Vec<f64>>();
            let pulls = MatRef::from_row_major_slice(&pulls, h, 9);
            let changes = MatRef::from_column_major_slice(changes, 9, edits);
            matmul(column.as_mut(), Accum::Replace, pulls, changes, 1.0, Par::Seq);
            let numbers: Vec<f64> = (0..edits).flat_map(|s| column.col_as_slice(s).to_vec()).collect();
            hand(e, &numbers);
        }
    }
}

/// q̂ of all edits, of length 1, and one over how long they were: Λ⁻¹ Bᵀ Σ_q V Δ_q g_a, by the forces on all vertices.
fn wanted(
    motion: &WarpedMotion,
    basis: &ReducedBasis,
    training: &Training,
    progress: &Progress,
) -> Result<(Vec<f64>, Vec<f64>), ReducedError> {
    let (warp, h, n) = (motion.warp(), basis.size(), motion.warp().vertices());
    let all = training.all();
    let mut wanted = vec![0.0; h * all.len()];
    let mut scales = vec![0.0; all.len()];
    for (first, (wanted, scales)) in
        wanted.chunks_mut(h * TASKS_PER_LOOK).zip(scales.chunks_mut(TASKS_PER_LOOK)).enumerate()
    {
        let first = first * TASKS_PER_LOOK;
        progress.report("warping", first as f64 / all.len() as f64)?;
        let each = wanted.par_chunks_mut(h).zip(scales).enumerate();
        each.for_each(|(s, (wanted, scale))| {
            let mut changes = vec![Matrix3::zeros(); warp.places()];
            training.changes(motion, &all[first + s], &mut changes);
            let mut forces = vec![[0.0; 3]; warp.incidence.corners()];
            warp.cells.forces_of(&changes, &mut forces);
            let mut columns = vec![0.0; 3 * n];
            warp.sum_forces(&forces, &mut columns);
            let by_vertex = Mat::from_fn(3 * n, 1, |k, _| columns[(k % 3) * n + k / 3]);
            let sums = basis.shapes().project(by_vertex.as_ref());
            for (k, wanted) in wanted.iter_mut().enumerate() {
                *wanted = sums[(k, 0)] / basis.stiffness()[k];
            }
            let length = wanted.iter().map(|x| x * x).sum::<f64>().sqrt();
            *scale = if length > 0.0 { length.recip() } else { 0.0 };
            wanted.iter_mut().for_each(|x| *x *= *scale);
        });
    }
    Ok((wanted, scales))
}

/// aᵀb, a fixed number of sums side by side.
pub(super) fn dot<T: Copy + Into<f64> + std::ops::Mul<Output = T> + std::ops::AddAssign + Default>(
    a: &[T],
    b: &[T],
) -> f64 {
    simd::widest(
        #[inline(always)]
        || {
            let mut sums = [T::default(); LANES];
            let (a_lanes, b_lanes) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
            let rest: f64 =
                a_lanes.remainder().iter().zip(b_lanes.remainder()).map(|(a, b)| (*a * *b).into()).sum();
            for (a, b) in a_lanes.zip(b_lanes) {
                for lane in 0..LANES {
                    sums[lane] += a[lane] * b[lane];
                }
            }
            rest + sums.iter().map(|sum| (*sum).into()).sum::<f64>()
        },
    )
}
