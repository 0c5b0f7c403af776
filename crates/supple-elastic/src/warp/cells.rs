//! The elements of a body as the warp sees them: corners, and places with gradients and volumes.
//!
//! Places, their gradients g and volumes V_q are those of [`crate::gradient`]: one in a tet and a triangle, eight in a
//! voxel.
//!
//! Elements are walked in runs of fixed length and every sum over them has a fixed order, so that results
//! are the same bits on any number of threads.

use super::modal::Walk;
use super::polar;
use super::target::{self, Edit, Slope, Turning};
use super::weights::{PlaceWeights, Rows};
use crate::gradient::{Place, differences};
use nalgebra::Matrix3;
use rayon::prelude::*;
use supple_mesh::Vec3;
use supple_model::VertexId;
use supple_numerics::{rotation, simd};

/// Elements walked as one task.
const CELLS_PER_TASK: usize = 256;

/// A motion of a frame at rest of whatever carries the body, and an edit on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edited<'a> {
    /// The input displacement, three numbers per vertex.
    pub input: &'a [f64],
    /// ω of every place, and how edits turn on from there.
    pub turns: &'a [Vec3],
    pub turning: Turning,
    /// p, three numbers per vertex.
    pub edit: &'a [f64],
}

/// What an edit does to every place: known, where many read it, or found on the way, which takes no memory.
#[derive(Clone, Copy, Debug)]
pub(super) enum Slopes<'a> {
    Known(&'a [Slope]),
    Found(Edited<'a>),
}

/// The elements of one kind. The loops are compiled per kind; not knowing it costs a call per loop.
pub(super) trait Cells: Walk {
    fn cells(&self) -> usize;
    fn corners_per_cell(&self) -> usize;
    fn places_per_cell(&self) -> usize;
    /// The corners of all elements, one after the other.
    fn corners(&self) -> Vec<VertexId>;
    /// Σ V.
    fn volume(&self) -> f64;
    /// Whether elements have an inside that can be turned out.
    fn has_inside(&self) -> bool;
    /// How many elements have a volume under one displacement and none, or less than none, under another.
    fn inverted(&self, before: &[f64], after: &[f64]) -> usize;
    /// Hands over the entries a ≥ b of every element's Σ_q V g_a·g_b, element by element.
    fn laplacian(&self, give: &mut dyn FnMut(VertexId, VertexId, f64));
    /// Overwrites `out` with the rotation of every place under a displacement.
    fn rotations(&self, input: &[f64], out: &mut [Matrix3<f64>]);
    /// Overwrites `out` with s² Q of every place, s the part of it that an edit turns: what is torn has little to say
    /// about how its neighbourhood turns.
    fn votes(&self, input: &[f64], out: &mut [Matrix3<f64>]);
    /// Overwrites `out` with the logarithms of the rotations.
    fn logarithms(&self, input: &[f64], out: &mut [Vec3]);
    /// Overwrites `out` with the rotation of every element as a whole: that of the mean of F over its places.
    fn cell_rotations(&self, input: &[f64], out: &mut [Matrix3<f64>]);
    /// Overwrites `out` with Σ_q V (R_q − I) g_a of every corner, a rotation R for each place.
    fn turning(&self, rotations: &[Matrix3<f64>], out: &mut [[f64; 3]]);
    /// Overwrites `out` with Σ_q V Δ_q g_a of every corner, Δ the change an edit asks for.
    fn forces(&self, edited: Edited<'_>, out: &mut [[f64; 3]]);
    /// Overwrites `out` with V Σ_a b_a g_aᵀ of every place, b_a the numbers `b` has for a vertex.
    fn spread(&self, b: &[f64], out: &mut [Vec3]);
    /// Σ_q of what `weights` makes of Δ_q.
    fn value(&self, slopes: Slopes<'_>, weights: PlaceWeights<'_>) -> Vec3;
    /// Overwrites `out` with what an edit makes of every place.
    fn slopes(&self, edited: Edited<'_>, out: &mut [Slope]);
    /// [`Self::value`], and how it grows while the rotations of `weights` turn, see
    /// [`PlaceWeights::apply_turning`].
    fn value_turning(&self, slopes: Slopes<'_>, weights: PlaceWeights<'_>) -> (Vec3, Matrix3<f64>);
    /// [`Self::value`]; overwrites `out` with its derivative by every corner of p, three coordinates of the value
    /// after one another. Where these listen alike, they are those of the frame that tumbles along.
    fn linearize(&self, slopes: Slopes<'_>, weights: PlaceWeights<'_>, out: &mut [[f64; 9]]) -> Vec3;
}

/// Elements with C corners and P places.
#[derive(Debug)]
pub(super) struct Kind<const C: usize, const D: usize, const P: usize> {
    pub corners: Vec<[VertexId; C]>,
    pub places: Vec<[Place<D>; P]>,
    /// The unit normal of every element that is a triangle.
    pub normals: Option<Vec<Vec3>>,
}

impl<const C: usize, const D: usize, const P: usize> Kind<C, D, P> {
    /// u_a − u₀ of corners 1 … D.
    #[inline]
    fn differences(&self, cell: usize, u: &[f64]) -> [Vec3; D] {
        differences(&self.corners[cell], u)
    }

    /// Σ_q V det F, the volume of an element under a displacement.
    fn volume_of(&self, cell: usize, u: &[f64]) -> f64 {
        let u = self.differences(cell, u);
        self.places[cell].iter().map(|place| place.volume * place.deformation(&u).determinant()).sum()
    }

    #[inline]
    fn normal(&self, cell: usize) -> Option<&Vec3> {
        self.normals.as_ref().map(|normals| &normals[cell])
    }

    /// Calls `visit` at every place of a cell, with its number, F, ω and the edit's gradient.
    #[inline]
    fn visit(
        &self,
        cell: usize,
        edited: &Edited<'_>,
        mut visit: impl FnMut(usize, &Place<D>, &Matrix3<f64>, &Vec3, &Edit),
    ) {
        let (input, edit) = (self.differences(cell, edited.input), self.differences(cell, edited.edit));
        for (k, place) in self.places[cell].iter().enumerate() {
            let q = cell * P + k;
            let edit = Edit::of(place.gradient(&edit), self.normal(cell));
            visit(q, place, &place.deformation(&input), &edited.turns[q], &edit);
        }
    }

    /// Calls `see` with Δ of every place of a cell.
    #[inline]
    fn changes(&self, cell: usize, slopes: &Slopes<'_>, mut see: impl FnMut(usize, &Matrix3<f64>)) {
        match slopes {
            Slopes::Known(slopes) => {
                (cell * P..(cell + 1) * P).for_each(|q| see(q, &slopes[q].change));
            }
            Slopes::Found(edited) => self.visit(cell, edited, |q, _, F, omega, edit| {
                see(q, &target::change(F, (omega, edited.turning), edit));
            }),
        }
    }

    /// What `add` makes of all cells, a sum for each run of them.
    fn sums<T: Default + Send>(&self, add: impl Fn(&mut T, usize) + Sync) -> Vec<T> {
        let runs = (0..self.corners.len().div_ceil(CELLS_PER_TASK)).into_par_iter();
        let sum = |run: usize| {
            let first = run * CELLS_PER_TASK;
            let mut sum = T::default();
            simd::widest(
                #[inline(always)]
                || {
                    for cell in first..self.corners.len().min(first + CELLS_PER_TASK) {
                        add(&mut sum, cell);
                    }
                },
            );
            sum
        };
        runs.map(sum).collect()
    }

    /// Runs `work` over runs of cells and the part of `out` that is theirs, `width` entries a cell.
    fn runs<T: Send>(&self, out: &mut [T], width: usize, work: impl Fn(usize, &mut [T]) + Sync) {
        out.par_chunks_mut(CELLS_PER_TASK * width).enumerate().for_each(|(run, out)| {
            simd::widest(
                #[inline(always)]
                || {
                    for (k, out) in out.chunks_exact_mut(width).enumerate() {
                        work(run * CELLS_PER_TASK + k, out);
                    }
                },
            );
        });
    }

    /// F, of which a triangle's normal goes to the deformed one's.
    pub(super) fn lifted(&self, cell: usize, mut F: Matrix3<f64>) -> Matrix3<f64> {
        if let Some(n) = self.normal(cell) {
            // The images of two directions in the triangle span its deformed plane. One that has lost its
            // area has no normal: the polar decomposition finds some.
            let aside = if n.x.abs() < 0.5 { Vec3::x() } else { Vec3::y() };
            let t = n.cross(&aside).normalize();
            let deformed = (F * t).cross(&(F * n.cross(&t))).try_normalize(0.0).unwrap_or_default();
            F += (deformed - F * n) * n.transpose();
        }
        F
    }

    /// Q of F = Q S at the places of a run of cells.
    fn rotations_of_run(&self, run: usize, input: &[f64], out: &mut [Matrix3<f64>]) {
        for (k, out) in out.chunks_exact_mut(P).enumerate() {
            let cell = run * CELLS_PER_TASK + k;
            let input = self.differences(cell, input);
            for (place, out) in self.places[cell].iter().zip(out) {
                *out = self.lifted(cell, place.deformation(&input));
            }
        }
        polar::rotations(out);
    }
}

impl<const C: usize, const D: usize, const P: usize> Cells for Kind<C, D, P> {
    fn cells(&self) -> usize {
        self.corners.len()
    }

    fn corners_per_cell(&self) -> usize {
        C
    }

    fn places_per_cell(&self) -> usize {
        P
    }

    fn corners(&self) -> Vec<VertexId> {
        self.corners.as_flattened().to_vec()
    }

    fn volume(&self) -> f64 {
        self.places.as_flattened().iter().map(|place| place.volume).sum()
    }

    fn has_inside(&self) -> bool {
        self.normals.is_none()
    }

    fn inverted(&self, before: &[f64], after: &[f64]) -> usize {
        let turned =
            |cell: &usize| self.volume_of(*cell, before) > 0.0 && self.volume_of(*cell, after) <= 0.0;
        (0..self.cells()).into_par_iter().filter(turned).count()
    }

    fn laplacian(&self, give: &mut dyn FnMut(VertexId, VertexId, f64)) {
        for (corners, places) in self.corners.iter().zip(&self.places) {
            let mut entries = [[0.0; C]; C];
            for place in places {
                let mut g = [Vec3::zeros(); C];
                g[1..].copy_from_slice(&place.gradients);
                g[0] = -place.gradients.iter().sum::<Vec3>();
                for a in 0..C {
                    for b in 0..=a {
                        entries[a][b] += place.volume * g[a].dot(&g[b]);
                    }
                }
            }
            for a in 0..C {
                for b in 0..=a {
                    give(corners[a], corners[b], entries[a][b]);
                }
            }
        }
    }

    fn rotations(&self, input: &[f64], out: &mut [Matrix3<f64>]) {
        out.par_chunks_mut(CELLS_PER_TASK * P).enumerate().for_each(|(run, out)| {
            self.rotations_of_run(run, input, out);
        });
    }

    fn votes(&self, input: &[f64], out: &mut [Matrix3<f64>]) {
        self.rotations(input, out);
        self.runs(out, P, |cell, out| {
            let input = self.differences(cell, input);
            for (place, Q) in self.places[cell].iter().zip(out) {
                *Q *= target::lever(&place.deformation(&input), Turning::Composed).powi(2);
            }
        });
    }

    fn logarithms(&self, input: &[f64], out: &mut [Vec3]) {
        out.par_chunks_mut(CELLS_PER_TASK * P).enumerate().for_each(|(run, out)| {
            let mut rotations = vec![Matrix3::zeros(); out.len()];
            self.rotations_of_run(run, input, &mut rotations);
            for (out, Q) in out.iter_mut().zip(&rotations) {
                *out = rotation::log(Q);
            }
        });
    }

    fn cell_rotations(&self, input: &[f64], out: &mut [Matrix3<f64>]) {
        out.par_chunks_mut(CELLS_PER_TASK).enumerate().for_each(|(run, out)| {
            for (k, out) in out.iter_mut().enumerate() {
                let cell = run * CELLS_PER_TASK + k;
                let input = self.differences(cell, input);
                let sum: Matrix3<f64> = self.places[cell].iter().map(|place| place.deformation(&input)).sum();
                *out = self.lifted(cell, sum / P as f64);
            }
            polar::rotations(out);
        });
    }

    fn turning(&self, rotations: &[Matrix3<f64>], out: &mut [[f64; 3]]) {
        self.runs(out, C, |cell, out| {
            let mut forces = [Vec3::zeros(); D];
            for (place, R) in self.places[cell].iter().zip(&rotations[cell * P..]) {
                add_forces(&((R - Matrix3::identity()) * place.volume), place, &mut forces);
            }
            balance(&forces, out);
        });
    }

    fn forces(&self, edited: Edited<'_>, out: &mut [[f64; 3]]) {
        self.runs(out, C, |cell, out| {
            let mut forces = [Vec3::zeros(); D];
            self.visit(cell, &edited, |_, place, F, omega, edit| {
                add_forces(
                    &(target::change(F, (omega, edited.turning), edit) * place.volume),
                    place,
                    &mut forces,
                );
            });
            balance(&forces, out);
        });
    }

    fn spread(&self, b: &[f64], out: &mut [Vec3]) {
        self.runs(out, P, |cell, out| {
            let corners = &self.corners[cell];
            for (place, out) in self.places[cell].iter().zip(out) {
                *out = Vec3::zeros();
                for (v, g) in corners[1..].iter().zip(&place.gradients) {
                    *out += g * (place.volume * (b[v.index()] - b[corners[0].index()]));
                }
            }
        });
    }

    fn value(&self, slopes: Slopes<'_>, weights: PlaceWeights<'_>) -> Vec3 {
        let sums = self.sums(|sum: &mut Vec3, cell| {
            self.changes(cell, &slopes, |q, change| *sum += weights.apply(cell, q, change));
        });
        sums.iter().sum()
    }

    fn slopes(&self, edited: Edited<'_>, out: &mut [Slope]) {
        self.runs(out, P, |cell, out| {
            self.visit(cell, &edited, |q, _, F, omega, edit| {
                out[q % P] = Slope::new(F, (omega, edited.turning), edit);
            });
        });
    }

    fn value_turning(&self, slopes: Slopes<'_>, weights: PlaceWeights<'_>) -> (Vec3, Matrix3<f64>) {
        let sums = self.sums(|sum: &mut (Vec3, Matrix3<f64>), cell| {
            self.changes(cell, &slopes, |q, change| {
                let (value, turning) = weights.apply_turning(cell, q, change);
                sum.0 += value;
                sum.1 += turning;
            });
        });
        (sums.iter().map(|sum| sum.0).sum(), sums.iter().map(|sum| sum.1).sum())
    }

    fn linearize(&self, slopes: Slopes<'_>, weights: PlaceWeights<'_>, out: &mut [[f64; 9]]) -> Vec3 {
        let of_cell = |cell: usize, out: &mut [[f64; 9]], value: &mut Vec3| {
            let mut sums = [[0.0; 9]; D];
            let mut add = |q: usize, place: &Place<D>, slope: &Slope| {
                *value += weights.apply(cell, q, &slope.change);
                let derivatives = match weights.rows(cell, q) {
                    Rows::Alike(beta) => slope.alike(beta),
                    Rows::Each(B, turn) => slope.each(B, turn),
                };
                let derivatives = match self.normal(cell) {
                    Some(n) => derivatives.flattened(n),
                    None => derivatives,
                };
                for (sum, g) in sums.iter_mut().zip(&place.gradients) {
                    derivatives.add_times(g, sum);
                }
            };
            match slopes {
                Slopes::Known(slopes) => {
                    for (k, place) in self.places[cell].iter().enumerate() {
                        add(cell * P + k, place, &slopes[cell * P + k]);
                    }
                }
                Slopes::Found(edited) => self.visit(cell, &edited, |q, place, F, omega, edit| {
                    add(q, place, &Slope::new(F, (omega, edited.turning), edit));
                }),
            }
            out[0] = std::array::from_fn(|k| -sums.iter().map(|sum| sum[k]).sum::<f64>());
            out[1..].copy_from_slice(&sums);
        };
        let runs = out.par_chunks_mut(CELLS_PER_TASK * C).enumerate();
        let values: Vec<Vec3> = runs
            .map(|(run, out)| {
                let mut value = Vec3::zeros();
                simd::widest(
                    #[inline(always)]
                    || {
                        for (k, out) in out.chunks_exact_mut(C).enumerate() {
                            of_cell(run * CELLS_PER_TASK + k, out, &mut value);
                        }
                    },
                );
                value
            })
            .collect();
        values.iter().sum()
    }
}

/// Adds what a stress at a place does to every corner but the first.
#[inline]
fn add_forces<const D: usize>(stress: &Matrix3<f64>, place: &Place<D>, forces: &mut [Vec3; D]) {
    for (force, g) in forces.iter_mut().zip(&place.gradients) {
        *force += stress * g;
    }
}

/// The forces of all corners: that of the first balances the others.
#[inline]
fn balance<const D: usize>(forces: &[Vec3; D], out: &mut [[f64; 3]]) {
    out[0] = (-forces.iter().sum::<Vec3>()).into();
    for (out, force) in out[1..].iter_mut().zip(forces) {
        *out = (*force).into();
    }
}
