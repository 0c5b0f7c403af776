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

/// The states of a path at some places, in order of frames, one after the other.
pub(crate) fn read(path: &Path, places: &[(usize, Order)], out: &mut [f64]) {
    let (Some(first), Some(last)) = (places.first(), places.last()) else { return };
    let states = path.states(first.0..last.0 + 1);
    let modes = out.len() / places.len();
    for (place, out) in places.iter().zip(out.chunks_exact_mut(modes)) {
        out.copy_from_slice(column(&states, place.0 - first.0, place.1));
    }
}

fn column(states: &States, index: usize, order: Order) -> &[f64] {
    let states = match order {
        Order::Position => &states.position,
        Order::Velocity => &states.velocity,
    };
    states.col(index).try_as_col_major().map_or(&[], |column| column.as_slice())
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

    /// The path of some loads without contacts, and what the contacts answer; `own` says whether their own targets count.
    pub fn answers(&self, dual: &[f64], own: bool) -> (Path, Vec<f64>) {
        let loads: Vec<Load> = self
            .places
            .iter()
            .enumerate()
            .map(|(place, (frame, order))| Load {
                frame: *frame,
                order: *order,
                pull: dual[self.at(place)].to_vec(),
            })
            .collect();
        let path = Path::new(self.kernel().clone(), loads);
        let Some((first, last)) = self.contacts().frames() else { return (path, Vec::new()) };
        let states = path.states(first..last + 1);
        let moved = |frame: usize, order: Order| column(&states, frame - first, order).to_vec();
        let multipliers = self.contacts().answer(own, moved);
        (path, multipliers)
    }

    /// The path of some loads, contacts included; `own` says whether their own targets count.
    pub fn swept(&self, dual: &[f64], own: bool) -> Path {
        let (path, multipliers) = self.answers(dual, own);
        if multipliers.is_empty() {
            return path;
        }
        let mut loads: BTreeMap<(usize, Order), Vec<f64>> = BTreeMap::new();
        for load in self.contacts().loads(&multipliers).into_iter().chain(path.into_loads()) {
            match loads.get_mut(&(load.frame, load.order)) {
                Some(pull) => add(pull, 1.0, &load.pull),
                None => {
                    loads.insert((load.frame, load.order), load.pull);
                }
            }
        }
        let loads = loads.into_iter().map(|((frame, order), pull)| Load { frame, order, pull }).collect();
        Path::new(self.kernel().clone(), loads)
    }
}
