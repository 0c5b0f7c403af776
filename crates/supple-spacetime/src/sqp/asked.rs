//! What the handles of a layout ask for, and where.

use super::goal::{Held, Read};
use super::layout::Layout;
use super::vector::Vector;
use crate::HandleId;
use nalgebra::DVector;
use supple_model::{Along, Instant};

/// Where a handle is, less where it was asked to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HandleError {
    /// Which.
    pub id: HandleId,
    /// Coordinate by coordinate; zero where nothing is asked.
    pub error: [f64; 3],
}

/// A time that handles read.
#[derive(Clone, Debug)]
pub(crate) struct Stop {
    /// The place of z.
    pub place: usize,
    pub at: Instant,
    /// The handles, by their places in [`Layout::held`], and how what they read there counts.
    pub held: Vec<(usize, f64)>,
    /// Their sites.
    pub sites: Vec<usize>,
}

impl Stop {
    /// What is to be read there along some directions.
    pub fn along<'a>(&'a self, z: &'a [f64], directions: &'a [f64]) -> Along<'a> {
        Along { sites: &self.sites, at: self.at, z, directions }
    }
}

impl Layout {
    /// What is asked for, row by row.
    pub fn targets(&self) -> DVector<f64> {
        let targets = self.held.iter().flat_map(|held| held.goal.rows()).map(|(_, target)| target);
        DVector::from_iterator(self.rows, targets)
    }

    /// e, the errors that soft rows are granted.
    pub fn errors(&self, primal: &[f64]) -> DVector<f64> {
        let mut errors = DVector::zeros(self.rows);
        for held in &self.held {
            if let Some(soft) = held.soft {
                for (local, row) in held.rows.clone().enumerate() {
                    errors[row] = primal[self.tail(soft + local)];
                }
            }
        }
        errors
    }

    /// ½ Σ w e² of the soft rows.
    pub fn penalty(&self, edit: &Vector) -> f64 {
        let tail = self.tail(0);
        edit.dual[tail..].iter().zip(&edit.primal[tail..]).map(|(g, e)| 0.5 * g * e).sum()
    }

    /// Where handles are, less where they were asked to be, from what their rows read.
    pub fn handle_errors(&self, value: &[f64]) -> Vec<HandleError> {
        let of = |held: &Held| {
            let mut error = [0.0; 3];
            for (row, (axis, target)) in held.rows.clone().zip(held.goal.rows()) {
                error[axis] = value[row] - target;
            }
            HandleError { id: held.goal.id, error }
        };
        self.held.iter().map(of).collect()
    }

    /// The times where handles stand, in order.
    pub fn stops(&self) -> Vec<Stop> {
        let of = |place: usize| {
            let all = self
                .held
                .iter()
                .enumerate()
                .flat_map(|(k, held)| held.reads.iter().map(move |read| (k, read)));
            let here: Vec<(usize, &Read)> = all.filter(|(_, read)| read.place == place).collect();
            let at = here.first()?.1.at;
            let (held, sites) = here.iter().map(|(k, read)| ((*k, read.sign), read.site)).unzip();
            Some(Stop { place, at, held, sites })
        };
        (0..self.places.len()).filter_map(of).collect()
    }
}
