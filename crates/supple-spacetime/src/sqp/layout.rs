//! Where the unknowns are: the times that handles stand at, and the kernel between them.
//!
//! An edit is u = P g, g its loads at the *places* of the handles (the times they read; r numbers each).
//! P is the kernel K conditioned on the contacts C,
//!
//! > P = K − K Cᵀ S_c⁻¹ C K,
//!
//! so that whatever g is, the contacts hold. With targets of the contacts that are not zero, or a mean path, z = z₀ + u with
//! z₀ the mean and the contacts' own path; the cost of z is that of z₀ plus ½ gᵀP g. K between places is kept; the contacts' part goes
//! through their factor. A soft row of weight w has its error e as one more unknown, of cost ½w e²: one more entry
//! of every vector, with 1/w in place of the kernel. Soft rows are then hard ones, W(z) + e = target.

use super::goal::{Covector, Goal, Held, hold, places};
use super::sweep;
use super::vector::{Vector, add};
use crate::HandleId;
use crate::kernel::{Kernel, MeanPath, Moment, Order};
use crate::path::Path;
use crate::rows::{Contacts, Row};
use faer::Mat;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;
use supple_model::Instant;

/// Rows that go through the contacts together, which bounds memory.
const BATCH: usize = 16;

/// What is known of the edit before anything is asked of it.
#[derive(Clone, Debug)]
pub(crate) struct Prior {
    pub kernel: Arc<Kernel>,
    /// What holds throughout, asked of what is beside the mean.
    pub contacts: Arc<Contacts>,
    /// The path that starts, ends and loads give; at rest if none.
    pub mean: Option<Arc<MeanPath>>,
}

/// The places of all handles and the kernel between them.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    prior: Prior,
    pub modes: usize,
    pub(super) places: Vec<(Instant, Order)>,
    /// The same, ready to be looked up.
    moments: Vec<Moment>,
    /// K, every pair of places, modes innermost; nothing if there are too many.
    covariance: Vec<f64>,
    /// Whether products with P are made by sweeps instead.
    is_wide: bool,
    /// z₀ at the places.
    base: Vec<f64>,
    /// What z₀ costs beside the mean.
    pub base_cost: f64,
    pub held: Vec<Held>,
    /// q, rows of all handles.
    pub rows: usize,
    /// 1/w of the soft rows.
    soft: Vec<f64>,
}

impl Layout {
    /// For goals in the order of their ids. Rows times places from `wide_from` on are many.
    pub fn new(prior: Prior, goals: Vec<Goal>, wide_from: usize) -> Self {
        let (kernel, contacts) = (&prior.kernel, &prior.contacts);
        let modes = kernel.modes();
        let places = places(&goals);
        let (held, rows, soft) = hold(goals, &places);
        let is_wide = rows > 0 && rows.saturating_mul(places.len()) >= wide_from;
        let moments: Vec<Moment> = places.iter().map(|place| kernel.moment(place.0)).collect();
        let pairs = if is_wide { 0 } else { places.len() * places.len() };
        let mut covariance = vec![0.0; pairs * modes];
        for (pair, out) in covariance.chunks_exact_mut(modes).enumerate() {
            let place = |place: usize| (&moments[place], places[place].1);
            kernel.between(place(pair / places.len()), place(pair % places.len()), out);
        }
        let alone = contacts.multipliers(true, &[]);
        let (energy, penalty) = contacts.costs(&alone);
        let own = Path::new(kernel.clone(), contacts.loads(&alone)).beside(prior.mean.clone());
        let mut base = vec![0.0; places.len() * modes];
        if is_wide {
            sweep::read(&own, &places, &mut base);
        } else {
            for (place, out) in places.iter().zip(base.chunks_exact_mut(modes)) {
                own.at(place.0, place.1, out);
            }
        }
        let base_cost = energy + penalty;
        Self { prior, modes, places, moments, covariance, is_wide, base, base_cost, held, rows, soft }
    }

    /// The same with the first handles only.
    pub fn first(&self, count: usize) -> Self {
        let goals = self.held[..count].iter().map(|held| held.goal.clone()).collect();
        let wide_from = if self.is_wide { 0 } else { usize::MAX };
        Self::new(self.prior.clone(), goals, wide_from)
    }

    /// Gives a handle another target on the same coordinates.
    pub fn retarget(&mut self, id: HandleId, target: [Option<f64>; 3]) {
        for held in self.held.iter_mut().filter(|held| held.goal.id == id) {
            held.goal.target = target;
        }
    }

    /// The place of another layout's place, which must be there.
    pub fn place_of(&self, other: &Self, place: usize) -> usize {
        self.places.partition_point(|own| *own < other.places[place])
    }

    /// Entries of a vector.
    pub fn length(&self) -> usize {
        self.places.len() * self.modes + self.soft.len()
    }

    /// The entries of one place.
    pub fn at(&self, place: usize) -> Range<usize> {
        place * self.modes..(place + 1) * self.modes
    }

    /// The entry of a soft row.
    pub fn tail(&self, soft: usize) -> usize {
        self.places.len() * self.modes + soft
    }

    /// z = z₀ + u at every place.
    pub fn states(&self, primal: &[f64]) -> Vec<Vec<f64>> {
        (0..self.places.len()).map(|place| self.state(place, primal)).collect()
    }

    fn state(&self, place: usize, primal: &[f64]) -> Vec<f64> {
        let range = self.at(place);
        self.base[range.clone()].iter().zip(&primal[range]).map(|(base, u)| base + u).collect()
    }

    /// The same at a time, if it is one of the places.
    pub fn state_at(&self, at: Instant, primal: &[f64]) -> Option<Vec<f64>> {
        let place = self.places.binary_search(&(at, Order::Position)).ok()?;
        Some(self.state(place, primal))
    }

    /// Writes 1/w times the soft entries of `dual`.
    pub fn soften(&self, dual: &[f64], primal: &mut [f64]) {
        let from = self.tail(0);
        for ((x, g), compliance) in primal[from..].iter_mut().zip(&dual[from..]).zip(&self.soft) {
            *x = g * compliance;
        }
    }

    /// K cᵀ of every row c, soft entries zero.
    pub fn pull(&self, rows: &[Covector]) -> Vec<Vec<f64>> {
        let places = self.places.len();
        let of = |row: &Covector| {
            let mut out = vec![0.0; self.length()];
            for (place, weights) in &row.parts {
                for p in 0..places {
                    let covariance = &self.covariance[(p * places + place) * self.modes..][..self.modes];
                    for ((x, k), c) in out[self.at(p)].iter_mut().zip(covariance).zip(weights) {
                        *x += k * c;
                    }
                }
            }
            out
        };
        rows.iter().map(of).collect()
    }

    /// K between two places, overwriting `out`.
    pub fn look_up(&self, one: usize, other: usize, out: &mut [f64]) {
        self.prior.kernel.between(self.moment(one), self.moment(other), out);
    }

    fn moment(&self, place: usize) -> (&Moment, Order) {
        (&self.moments[place], self.places[place].1)
    }

    /// z₀ at every place as what a vector moves; soft entries zero.
    pub fn base(&self) -> Vec<f64> {
        let mut base = self.base.clone();
        base.resize(self.length(), 0.0);
        base
    }

    /// What is known before anything is asked.
    pub fn prior(&self) -> &Prior {
        &self.prior
    }

    /// When a place is, and what is read there.
    pub fn when(&self, place: usize) -> (Instant, Order) {
        self.places[place]
    }

    /// How many places there are.
    pub fn place_count(&self) -> usize {
        self.places.len()
    }

    /// Whether there are so many rows that nothing may grow with the square of them.
    pub fn is_wide(&self) -> bool {
        self.is_wide
    }

    pub fn kernel(&self) -> &Arc<Kernel> {
        &self.prior.kernel
    }

    /// The path that is given, if it counts.
    pub fn mean(&self, own: bool) -> Option<Arc<MeanPath>> {
        self.prior.mean.clone().filter(|_| own)
    }

    pub fn contacts(&self) -> &Contacts {
        &self.prior.contacts
    }

    /// The soft entry of each row.
    pub fn soft_entries(&self) -> Vec<Option<usize>> {
        let of = |held: &Held| {
            let first = held.soft.map(|soft| self.tail(soft));
            (0..held.rows.len()).map(move |row| first.map(|first| first + row))
        };
        self.held.iter().flat_map(of).collect()
    }

    /// 1/w of a soft entry.
    pub fn compliance(&self, entry: usize) -> f64 {
        self.soft[entry - self.tail(0)]
    }

    /// Whether contacts are held.
    pub fn has_contacts(&self) -> bool {
        self.prior.contacts.counts().0 > 0
    }

    /// Takes K Cᵀ S_c⁻¹ C K cᵀ away from `pulled` = K cᵀ of every row c.
    pub fn condition(&self, rows: &[Covector], pulled: &mut [Vec<f64>]) {
        if !self.has_contacts() {
            return;
        }
        for (rows, pulled) in rows.chunks(BATCH).zip(pulled.chunks_mut(BATCH)) {
            let pulls = self.reactions(rows);
            let moments: Vec<Moment> = pulls.iter().map(|pull| self.prior.kernel.moment(pull.0)).collect();
            let at_place = |place: usize| {
                let mut sums = vec![vec![0.0; self.modes]; rows.len()];
                let mut covariance = vec![0.0; self.modes];
                for ((_, order, pull), moment) in pulls.iter().zip(&moments) {
                    self.prior.kernel.between(self.moment(place), (moment, *order), &mut covariance);
                    for (sum, g) in sums.iter_mut().zip(pull.col_iter()) {
                        let g = g.try_as_col_major().map_or(&[][..], |g| g.as_slice());
                        for ((x, k), g) in sum.iter_mut().zip(&covariance).zip(g) {
                            *x += k * g;
                        }
                    }
                }
                sums
            };
            let sums: Vec<Vec<Vec<f64>>> = (0..self.places.len()).into_par_iter().map(at_place).collect();
            for (place, sums) in sums.iter().enumerate() {
                for (pulled, sum) in pulled.iter_mut().zip(sums) {
                    add(&mut pulled[self.at(place)], 1.0, sum);
                }
            }
        }
    }

    /// What the contacts answer to each row, group by group, a column per row.
    fn reactions(&self, rows: &[Covector]) -> Vec<(Instant, Order, Mat<f64>)> {
        let mut parts = Vec::new();
        let mut owners = Vec::new();
        for (owner, row) in rows.iter().enumerate() {
            for (place, weights) in &row.parts {
                parts.push(self.row(*place, weights.clone()));
                owners.push(owner);
            }
        }
        let coupling = self.prior.contacts.couple(&parts);
        let react = |row: usize| {
            let mine: Vec<f64> = owners.iter().map(|owner| f64::from(u8::from(*owner == row))).collect();
            self.prior.contacts.multipliers(false, &[(&coupling, &mine)])
        };
        let multipliers: Vec<Vec<f64>> = (0..rows.len()).map(react).collect();
        self.prior.contacts.pulls(&multipliers)
    }

    pub(super) fn row(&self, place: usize, weights: Vec<f64>) -> Row {
        let (at, order) = self.places[place];
        Row { order, ..Row::position(at, weights, 0.0) }
    }

    /// The loads of `dual` as one row.
    fn covector(&self, dual: &[f64]) -> Covector {
        let part = |place| (place, dual[self.at(place)].to_vec());
        Covector { parts: (0..self.places.len()).map(part).collect() }
    }

    /// The vector of given loads.
    pub fn vector(&self, dual: Vec<f64>) -> Vector {
        if self.is_wide {
            let primal = self.apply(&dual);
            return Vector { dual, primal };
        }
        let rows = [self.covector(&dual)];
        let mut pulled = self.pull(&rows);
        self.condition(&rows, &mut pulled);
        let mut primal = pulled.swap_remove(0);
        self.soften(&dual, &mut primal);
        Vector { dual, primal }
    }

    /// The same loads where `other` has places and soft rows of this layout; what it has not is zero.
    pub fn adopt(&self, other: &Self, dual: &[f64]) -> Vector {
        let mut own = vec![0.0; self.length()];
        for (place, key) in self.places.iter().enumerate() {
            if let Ok(there) = other.places.binary_search(key) {
                own[self.at(place)].copy_from_slice(&dual[other.at(there)]);
            }
        }
        for held in &self.held {
            let same = |there: &&Held| there.goal.id == held.goal.id && there.goal.same_rows(&held.goal);
            let there = other.held.iter().find(same);
            if let (Some(soft), Some(from)) = (held.soft, there.and_then(|there| there.soft)) {
                for row in 0..held.rows.len() {
                    own[self.tail(soft + row)] = dual[other.tail(from + row)];
                }
            }
        }
        self.vector(own)
    }

    /// Whether it has all places and soft rows that another has: then what it adopts is where it was.
    pub fn extends(&self, other: &Self) -> bool {
        let keeps = |held: &Held| self.held.iter().any(|own| own.reads_as(held));
        other.places.iter().all(|place| self.places.binary_search(place).is_ok())
            && other.held.iter().all(|held| held.soft.is_none() || keeps(held))
    }
}
