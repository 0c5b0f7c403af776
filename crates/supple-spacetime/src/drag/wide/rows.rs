//! J of many rows, as products: nothing of it is multiplied out.

use crate::error::SpacetimeError;
use crate::rows::dot;
use crate::sqp::{Covector, Held, Layout, Reading, linearized};
use nalgebra::DVector;
use rayon::prelude::*;
use supple_model::Readout;

/// The linearization of all rows at an edit.
#[derive(Debug)]
pub(super) struct Rows {
    /// W, row by row.
    pub value: Vec<f64>,
    pub rows: Vec<Covector>,
    /// The soft entry of each row.
    soft: Vec<Option<usize>>,
    /// Rows and parts that read each place.
    readers: Vec<Vec<(usize, usize)>>,
}

impl Rows {
    /// At the edit u.
    ///
    /// # Errors
    /// When the readout is not finite there.
    pub fn at(layout: &Layout, readout: &dyn Readout, primal: &[f64]) -> Result<Self, SpacetimeError> {
        let Reading { value, rows } = linearized(layout, readout, primal, Vec::new())?;
        let mut readers = vec![Vec::new(); layout.place_count()];
        for (row, covector) in rows.iter().enumerate() {
            for (part, (place, _)) in covector.parts.iter().enumerate() {
                readers[*place].push((row, part));
            }
        }
        Ok(Self { value, rows, soft: layout.soft_entries(), readers })
    }

    /// J x.
    pub fn reads(&self, primal: &[f64]) -> DVector<f64> {
        self.reads_where(primal, |_| true)
    }

    /// J x of some rows, and zero elsewhere.
    pub fn reads_where(&self, primal: &[f64], is_read: impl Fn(usize) -> bool + Sync) -> DVector<f64> {
        let of = |(number, (row, soft)): (usize, (&Covector, &Option<usize>))| {
            if !is_read(number) {
                return 0.0;
            }
            let own = soft.map_or(0.0, |soft| primal[soft]);
            let part = |(place, c): &(usize, Vec<f64>)| dot(c, &primal[place * c.len()..][..c.len()]);
            own + row.parts.iter().map(part).sum::<f64>()
        };
        self.rows.par_iter().zip(&self.soft).enumerate().map(of).collect::<Vec<f64>>().into()
    }

    /// Jᵀ η, the loads of a vector.
    pub fn pulls(&self, layout: &Layout, eta: &DVector<f64>) -> Vec<f64> {
        let mut dual = vec![0.0; layout.length()];
        let (loads, tail) = dual.split_at_mut(layout.tail(0));
        loads.par_chunks_exact_mut(layout.modes).zip(&self.readers).for_each(|(load, readers)| {
            for &(row, part) in readers.iter().filter(|(row, _)| eta[*row] != 0.0) {
                for (x, c) in load.iter_mut().zip(&self.rows[row].parts[part].1) {
                    *x += eta[row] * c;
                }
            }
        });
        for (soft, eta) in self.soft.iter().zip(eta.iter()) {
            if let Some(soft) = soft {
                tail[soft - layout.tail(0)] += eta;
            }
        }
        dual
    }

    /// The largest variance of a row.
    pub fn easiest(&self, layout: &Layout, variances: &[f64]) -> f64 {
        let of = |row: &Covector| {
            let part = |(place, c): &(usize, Vec<f64>)| {
                let own = &variances[place * layout.modes..][..layout.modes];
                c.iter().zip(own).map(|(c, v)| c * c * v).sum::<f64>()
            };
            row.parts.iter().map(part).sum::<f64>()
        };
        self.rows.iter().map(of).fold(0.0, f64::max)
    }

    /// 1/w of a row, 0 if it is hard.
    pub fn compliance(&self, layout: &Layout, row: usize) -> f64 {
        self.soft[row].map_or(0.0, |entry| layout.compliance(entry))
    }

    /// How much J changed: of any handle, ‖J' − J‖/‖J‖ with the variances of the kernel at its frame.
    pub fn turn(&self, next: &Self, layout: &Layout, variances: &[f64]) -> f64 {
        let size = |row: &Covector, other: Option<&Covector>| -> f64 {
            let of = |(index, (place, c)): (usize, &(usize, Vec<f64>))| {
                let other = other.map(|other| other.parts[index].1.as_slice());
                let square = |k: usize| {
                    let x = c[k] - other.map_or(0.0, |other| other[k]);
                    x * x * variances[place * layout.modes + k]
                };
                (0..c.len()).map(square).sum::<f64>()
            };
            row.parts.iter().enumerate().map(of).sum()
        };
        let of = |held: &Held| {
            let (mut changed, mut most) = (0.0, 0.0);
            for row in held.rows.clone() {
                let (old, new) = (&self.rows[row], &next.rows[row]);
                changed += size(new, Some(old));
                most += size(old, None).max(size(new, None));
            }
            if changed > 0.0 { (changed / most).sqrt() } else { 0.0 }
        };
        let turns: Vec<f64> = layout.held.par_iter().map(of).collect();
        turns.into_iter().fold(0.0, f64::max)
    }
}
