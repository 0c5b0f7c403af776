//! Products with P by sweeps over the frames, where places are too many for every pair of them.
//!
//! > P g = K (g − Cᵀ μ), μ = S_c⁻¹ C K g
//!
//! is one sweep without contacts, and two with them.

use super::layout::Layout;
use super::vector::add;
use crate::kernel::Order;
use crate::path::{Load, Path, States};
use std::collections::BTreeMap;
use supple_model::Instant;

/// The states of a path at some places, one after the other.
pub(crate) fn read(path: &Path, places: &[(Instant, Order)], out: &mut [f64]) {
    if places.is_empty() {
        return;
    }
    let sampled = Sampled::new(path, places.iter().map(|place| place.0));
    let modes = out.len() / places.len();
    for (place, out) in places.iter().zip(out.chunks_exact_mut(modes)) {
        sampled.copy(*place, out);
    }
}

/// A path, swept over the frames that are wanted of it.
struct Sampled<'a> {
    path: &'a Path,
    /// The first of these frames.
    first: usize,
    states: States,
}

impl<'a> Sampled<'a> {
    /// For some times, of which those between frames are not swept over.
    fn new(path: &'a Path, times: impl Iterator<Item = Instant>) -> Self {
        let frames = times.filter_map(Instant::frame);
        let (first, end) = frames.fold((usize::MAX, 0), |(first, end), i| (first.min(i), end.max(i + 1)));
        let first = first.min(end);
        Self { path, first, states: path.states(first..end) }
    }

    fn copy(&self, (at, order): (Instant, Order), out: &mut [f64]) {
        let Some(frame) = at.frame() else { return self.path.at(at, order, out) };
        let states = match order {
            Order::Position => &self.states.position,
            Order::Velocity => &self.states.velocity,
        };
        out.iter_mut().zip(states.col(frame - self.first).iter()).for_each(|(out, z)| *out = *z);
    }
}

impl Layout {
    /// P g, and 1/w times the soft entries.
    pub fn apply(&self, dual: &[f64]) -> Vec<f64> {
        let mut primal = vec![0.0; self.length()];
        let soft = self.tail(0);
        read(&self.swept(dual, false), &self.places, &mut primal[..soft]);
        self.soften(dual, &mut primal);
        primal
    }

    /// The path of some loads without contacts and mean, and what the contacts answer; `own` says whether their own
    /// targets count.
    pub fn answers(&self, dual: &[f64], own: bool) -> (Path, Vec<f64>) {
        let loads: Vec<Load> = self
            .places
            .iter()
            .enumerate()
            .map(|(place, (at, order))| Load { at: *at, order: *order, pull: dual[self.at(place)].to_vec() })
            .collect();
        let path = Path::new(self.kernel().clone(), loads);
        if !self.has_contacts() {
            return (path, Vec::new());
        }
        let sampled = Sampled::new(&path, self.contacts().times());
        let moved = |at: Instant, order: Order| {
            let mut z = vec![0.0; self.modes];
            sampled.copy((at, order), &mut z);
            z
        };
        let multipliers = self.contacts().answer(own, moved);
        (path, multipliers)
    }

    /// The path of some loads, contacts included; `own` says whether their own targets and the mean count.
    pub fn swept(&self, dual: &[f64], own: bool) -> Path {
        let (path, multipliers) = self.answers(dual, own);
        if multipliers.is_empty() {
            return path.beside(self.mean(own));
        }
        let mut loads: BTreeMap<(Instant, Order), Vec<f64>> = BTreeMap::new();
        for load in self.contacts().loads(&multipliers).into_iter().chain(path.into_loads()) {
            match loads.get_mut(&(load.at, load.order)) {
                Some(pull) => add(pull, 1.0, &load.pull),
                None => {
                    loads.insert((load.at, load.order), load.pull);
                }
            }
        }
        let loads = loads.into_iter().map(|((at, order), pull)| Load { at, order, pull }).collect();
        Path::new(self.kernel().clone(), loads).beside(self.mean(own))
    }
}
