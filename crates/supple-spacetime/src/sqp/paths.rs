//! From loads at the places of a layout to paths over all frames, contacts included.

use super::layout::Layout;
use super::vector::add;
use crate::kernel::Order;
use crate::path::{Load, Path};
use crate::rows::Row;
use std::collections::BTreeMap;
use supple_model::Instant;

impl Layout {
    /// The path of given loads, all frames, contacts and the mean included.
    pub fn path(&self, dual: &[f64]) -> Path {
        if self.is_wide() { self.swept(dual, true) } else { self.paths(&[dual], true).swap_remove(0) }
    }

    /// What each contact row pulls with under given loads, in the order they were given.
    pub fn contact_multipliers(&self, dual: &[f64]) -> Vec<f64> {
        let multipliers = if self.is_wide() {
            self.answers(dual, true).1
        } else {
            let places = 0..self.places.len();
            let rows: Vec<Row> = places.map(|place| self.row(place, dual[self.at(place)].to_vec())).collect();
            let coupling = self.contacts().couple(&rows);
            self.contacts().multipliers(true, &[(&coupling, &vec![1.0; rows.len()])])
        };
        self.contacts().by_given(&multipliers)
    }

    /// The paths of several loads; `own` says whether the contacts' own targets and the mean count.
    pub fn paths(&self, duals: &[&[f64]], own: bool) -> Vec<Path> {
        let places = self.places.len();
        let rows: Vec<Row> = duals
            .iter()
            .flat_map(|dual| (0..places).map(|place| self.row(place, dual[self.at(place)].to_vec())))
            .collect();
        let coupling = self.contacts().couple(&rows);
        let mut rows = rows.into_iter();
        let of = |column: usize| {
            let first = column * places;
            let mine: Vec<f64> = (0..places * duals.len())
                .map(|row| f64::from(u8::from((first..first + places).contains(&row))))
                .collect();
            let multipliers = self.contacts().multipliers(own, &[(&coupling, &mine)]);
            let mut loads: BTreeMap<(Instant, Order), Vec<f64>> = BTreeMap::new();
            for load in self.contacts().loads(&multipliers) {
                loads.insert((load.at, load.order), load.pull);
            }
            for row in rows.by_ref().take(places) {
                let pull = loads.entry((row.at, row.order)).or_insert_with(|| vec![0.0; self.modes]);
                add(pull, 1.0, &row.weights);
            }
            let loads = loads.into_iter().map(|((at, order), pull)| Load { at, order, pull }).collect();
            Path::new(self.kernel().clone(), loads).beside(self.mean(own))
        };
        (0..duals.len()).map(of).collect()
    }
}
