//! Few places that stand for all (An, Kim and James, Optimizing Cubature for Efficient Integration of Subspace Deformations,
//! 2008; Li et al. 2014, §3.2).
//!
//! For every edit s of the training q̂_s = Σ_q P_q Δ_qs is what all places say together. Places and weights ω ≥ 0 are
//! chosen so that few say nearly the same, in relation to how much it is:
//!
//! > min Σ_s |q̂_s − Σ_e ω_e P_e Δ_es|² / |q̂_s|².
//!
//! ```text
//! repeat, until the error is small or there are places enough:
//!   of all places take the one whose column, apart from what is taken already, points most along what is left
//!   ω = the non-negative least squares of the places taken
//! ```
//!
//! Places are compared by sketches of their columns, see [`super::candidates`]: those that seem best are looked at in turn
//! until one grows. Weights and errors are those of whole columns.

use super::candidates::{Candidates, PLACES_PER_TASK, dot};
use super::training::Training;
use super::{ReducedBasis, ReducedError, ReducedSettings};
use crate::warp::{Warp, WarpedMotion};
use faer::Mat;
use rayon::prelude::*;
use std::ops::Range;
use supple_model::{ElementId, Progress};
use supple_numerics::nnls::nnls_from;

/// A reduced warp that misses no more than this part of the changes is as good as the whole one for whoever looks.
pub const CLOSE: f64 = 0.03;
/// Of the square of a place's column less than this is left by others: it has nothing new to say.
const SPANNED: f64 = 1e-4;
/// Places that are looked at before it is said that none helps.
const TRIED: usize = 12;

/// Places and their weights; plain data, to be kept wherever it is convenient.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cubature {
    /// Places: tets and triangles by their number, eight in a row for each voxel.
    pub places: Vec<usize>,
    /// ω of each, in place of the 1 of the whole warp.
    pub weights: Vec<f64>,
    /// How the error fell while places were chosen.
    pub curve: Vec<CubatureError>,
}

/// What so many places miss, in relation to the change of shape they look for; root mean squares over edits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CubatureError {
    /// How many there are.
    pub places: usize,
    /// Over the edits that they were chosen for.
    pub training: f64,
    /// Over others.
    pub held_out: f64,
}

impl Cubature {
    /// All places of a body, each for itself: nothing is left out.
    #[must_use]
    pub fn all(warp: &Warp) -> Self {
        let places = warp.places();
        Self { places: (0..places).collect(), weights: vec![1.0; places], curve: Vec::new() }
    }

    /// Chooses places for the edits of `training`.
    ///
    /// # Errors
    /// [`ReducedError::Cancelled`].
    ///
    /// # Panics
    /// When something is of another body.
    pub fn new(
        motion: &WarpedMotion,
        basis: &ReducedBasis,
        training: &Training,
        settings: &ReducedSettings,
        progress: &Progress,
    ) -> Result<Self, ReducedError> {
        let candidates = Candidates::new(motion, basis, training, settings, &progress.part(0.0, 0.6))?;
        let mut search = Search::new(&candidates);
        while search.passive() < settings.places && search.taken.len() < 2 * settings.places {
            let done = search.passive() as f64 / settings.places as f64;
            progress.report("choosing places", 0.6 + 0.4 * done)?;
            if !search.step() || search.curve.last().is_some_and(|last| last.training <= settings.accuracy) {
                break;
            }
        }
        Ok(search.chosen())
    }

    /// What it misses over the edits it was chosen for; 0 where it leaves nothing out.
    #[must_use]
    pub fn error(&self) -> f64 {
        self.curve.last().map_or(0.0, |last| last.training)
    }

    /// What it misses over other edits.
    #[must_use]
    pub fn held_out(&self) -> f64 {
        self.curve.last().map_or(0.0, |last| last.held_out)
    }

    /// Whether it misses no more than [`CLOSE`], neither of what it was chosen for nor of others.
    #[must_use]
    pub fn is_close(&self) -> bool {
        self.error().max(self.held_out()) <= CLOSE
    }

    /// The elements whose places are looked at, ascending, each once.
    #[must_use]
    pub fn elements(&self, warp: &Warp) -> Vec<ElementId> {
        let per_cell = warp.cells.places_per_cell();
        let mut elements: Vec<ElementId> =
            self.places.iter().map(|place| ElementId::new(place / per_cell)).collect();
        elements.sort_unstable();
        elements.dedup();
        elements
    }

    /// Whether it can be of a body with so many places.
    pub(super) fn check(&self, places: usize) -> Result<(), ReducedError> {
        if let Some(&place) = self.places.iter().find(|place| **place >= places) {
            return Err(ReducedError::NoSuchPlace { place, places });
        }
        let sound = self.weights.iter().filter(|weight| weight.is_finite() && **weight >= 0.0).count();
        if sound != self.places.len() || sound != self.weights.len() {
            return Err(ReducedError::Weights { places: self.places.len(), weights: sound });
        }
        Ok(())
    }
}

/// Places on the way.
struct Search<'a> {
    of: &'a Candidates<'a>,
    taken: Vec<usize>,
    /// Their columns over all edits.
    columns: Vec<Vec<f64>>,
    /// Q and R of the columns over the edits that are chosen for, and what Q reads of what is wanted.
    orthonormal: Vec<Vec<f64>>,
    triangle: Vec<Vec<f64>>,
    read: Vec<f64>,
    weights: Vec<f64>,
    /// What is left over all edits.
    left: Vec<f64>,
    sketched: Sketched,
    curve: Vec<CubatureError>,
}

/// The same in sketches.
struct Sketched {
    /// What is wanted.
    aim: Vec<f64>,
    /// Q of the places taken.
    orthonormal: Vec<Vec<f32>>,
    /// What each place has of them,
    along: Vec<Vec<f32>>,
    /// and the square of the rest.
    rests: Vec<f64>,
}

impl<'a> Search<'a> {
    fn new(of: &'a Candidates<'a>) -> Self {
        let mut aim = vec![0.0; of.rows];
        of.add_sketch(&of.wanted, &mut aim);
        let rests = of.lengths.iter().map(|length| length * length).collect();
        Self {
            of,
            taken: Vec::new(),
            columns: Vec::new(),
            orthonormal: Vec::new(),
            triangle: Vec::new(),
            read: Vec::new(),
            weights: Vec::new(),
            left: of.wanted.clone(),
            sketched: Sketched { aim, orthonormal: Vec::new(), along: Vec::new(), rests },
            curve: Vec::new(),
        }
    }

    /// How many places have a weight.
    fn passive(&self) -> usize {
        self.weights.iter().filter(|weight| **weight > 0.0).count()
    }

    /// How many numbers a column has over the edits that are chosen for.
    fn chosen_for(&self) -> usize {
        self.of.pairs * self.of.basis.size()
    }

    /// One place more; `false` when none helps.
    fn step(&mut self) -> bool {
        let left = &self.left[..self.chosen_for()];
        let grows = |place: &usize| {
            let mut column = Vec::new();
            self.of.columns(&[*place], self.of.training.all().len(), |_, found| column = found.to_vec());
            (dot(&column[..left.len()], left) > 0.0).then_some((*place, column))
        };
        let Some((next, column)) = self.promising().iter().find_map(grows) else { return false };
        self.take(next, column);
        self.sketched.take(self.of, next);
        self.note();
        true
    }

    fn take(&mut self, place: usize, column: Vec<f64>) {
        let mut rest = column[..self.chosen_for()].to_vec();
        let mut above = Vec::with_capacity(self.taken.len() + 1);
        for q in &self.orthonormal {
            let along = dot(q, &rest);
            rest.iter_mut().zip(q).for_each(|(x, q)| *x -= along * q);
            above.push(along);
        }
        let length = dot(&rest, &rest).sqrt();
        rest.iter_mut().for_each(|x| *x /= length.max(f64::MIN_POSITIVE));
        above.push(length);
        self.read.push(dot(&rest, &self.of.wanted[..rest.len()]));
        self.orthonormal.push(rest);
        self.triangle.push(above);
        self.taken.push(place);
        self.columns.push(column);
        let k = self.taken.len();
        let R = Mat::from_fn(k, k, |i, j| self.triangle[j].get(i).copied().unwrap_or(0.0));
        self.weights.push(0.0);
        self.weights = nnls_from(R.as_ref(), &self.read, &self.weights).x;
    }

    /// The places that seem to point most along what is left, best first.
    fn promising(&self) -> Vec<usize> {
        let mut left = self.sketched.aim.clone();
        for (place, weight) in self.taken.iter().zip(&self.weights).filter(|(_, weight)| **weight > 0.0) {
            let sketch = self.of.sketch_of(*place);
            left.iter_mut().zip(sketch).for_each(|(left, a)| *left -= weight * f64::from(*a));
        }
        let left: Vec<f32> = left.iter().map(|x| *x as f32).collect();
        let known: Vec<f64> = self.sketched.orthonormal.iter().map(|q| dot(q, &left)).collect();
        let slope = |place: usize| {
            let (rest, length) = (self.sketched.rests[place], self.of.lengths[place]);
            if rest <= SPANNED * length * length || self.taken.contains(&place) {
                return (0.0, place);
            }
            let along = self.sketched.along.iter().zip(&known);
            let already: f64 = along.map(|(along, known)| f64::from(along[place]) * known).sum();
            ((dot(self.of.sketch_of(place), &left) - already) / rest.sqrt(), place)
        };
        let places = (0..self.of.lengths.len()).into_par_iter().with_min_len(PLACES_PER_TASK);
        let mut slopes: Vec<(f64, usize)> = places.map(slope).collect();
        slopes.retain(|(slope, _)| *slope > 0.0);
        slopes.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        slopes.truncate(TRIED);
        slopes.into_iter().map(|(_, place)| place).collect()
    }

    /// Keeps how large the error is.
    fn note(&mut self) {
        let (h, all) = (self.of.basis.size(), self.of.training.all().len());
        self.left.copy_from_slice(&self.of.wanted);
        for (column, weight) in self.columns.iter().zip(&self.weights).filter(|(_, weight)| **weight > 0.0) {
            self.left.iter_mut().zip(column).for_each(|(left, a)| *left -= weight * a);
        }
        let mean = |range: Range<usize>| {
            let count = range.clone().filter(|s| self.of.scales[*s] > 0.0).count().max(1);
            let part = &self.left[h * range.start..h * range.end];
            (dot(part, part) / count as f64).sqrt()
        };
        let (training, held_out) = (mean(0..self.of.pairs), mean(self.of.pairs..all));
        self.curve.push(CubatureError { places: self.passive(), training, held_out });
    }

    /// Those with a weight, ascending.
    fn chosen(self) -> Cubature {
        let weighed = self.taken.into_iter().zip(self.weights).filter(|(_, weight)| *weight > 0.0);
        let mut weighed: Vec<(usize, f64)> = weighed.collect();
        weighed.sort_unstable_by_key(|(place, _)| *place);
        let (places, weights) = weighed.into_iter().unzip();
        Cubature { places, weights, curve: self.curve }
    }
}

impl Sketched {
    /// Takes what a place has from all others.
    fn take(&mut self, of: &Candidates<'_>, place: usize) {
        let mut rest: Vec<f64> = of.sketch_of(place).iter().map(|x| f64::from(*x)).collect();
        for q in &self.orthonormal {
            let along: f64 = q.iter().zip(&rest).map(|(q, x)| f64::from(*q) * x).sum();
            rest.iter_mut().zip(q).for_each(|(x, q)| *x -= along * f64::from(*q));
        }
        let length = dot(&rest, &rest).sqrt().max(f64::MIN_POSITIVE);
        let q: Vec<f32> = rest.iter().map(|x| (x / length) as f32).collect();
        let places = (0..of.lengths.len()).into_par_iter().with_min_len(PLACES_PER_TASK);
        let along: Vec<f32> = places.map(|place| dot(of.sketch_of(place), &q) as f32).collect();
        self.rests.iter_mut().zip(&along).for_each(|(rest, along)| *rest -= f64::from(*along).powi(2));
        self.orthonormal.push(q);
        self.along.push(along);
    }
}
