//! Edits u + s d + P Jᵀ η along one direction, and what handles read there.
//!
//! An iteration looks at several of them. Their displacements are sums of few, so the body is asked to prepare
//! these ([`Readout::restrict`]): all looks together cost one pass over U. Rows of J are prepared as well while there
//! are few; otherwise, and for handles on velocities, the body is read as it is.

use super::asked::Stop;
use super::layout::Layout;
use super::reading::{self, Reading};
use super::tangent::Tangent;
use super::vector::Vector;
use crate::error::SpacetimeError;
use nalgebra::DVector;
use supple_model::{Along, Readout, Restricted};

/// Displacements that are prepared at most: as many as one pass over U brings at hardly more than the price of one.
const PREPARED: usize = 8;

/// A direction, ready to be looked along.
pub(crate) struct Probe<'a> {
    layout: &'a Layout,
    readout: &'a dyn Readout,
    stops: Vec<Stop>,
    prepared: Option<Box<dyn Restricted>>,
    /// Whether rows of J are prepared.
    has_rows: bool,
}

/// How far along d and along each row.
#[derive(Clone, Debug)]
pub(crate) struct Look {
    pub s: f64,
    pub eta: DVector<f64>,
}

impl<'a> Probe<'a> {
    /// Along `d` from the edit of `tangent`.
    pub fn new(
        layout: &'a Layout,
        readout: &'a dyn Readout,
        edit: &Vector,
        d: &Vector,
        tangent: &Tangent,
    ) -> Self {
        let stops = layout.stops();
        let q = layout.rows;
        let has_rows = (2 + q) * stops.len() <= PREPARED;
        let mut probe = Self { layout, readout, stops, prepared: None, has_rows };
        let z = layout.states(&edit.primal);
        let directions: Vec<Vec<f64>> = probe
            .stops
            .iter()
            .map(|stop| {
                let mut directions = d.primal[layout.at(stop.place)].to_vec();
                if has_rows {
                    for row in 0..q {
                        directions.extend_from_slice(tangent.moved_at(row, layout.at(stop.place)));
                    }
                }
                directions
            })
            .collect();
        let along: Vec<Along<'_>> = probe
            .stops
            .iter()
            .zip(&directions)
            .map(|(stop, directions)| stop.along(&z[stop.place], directions))
            .collect();
        probe.prepared = readout.restrict(&along);
        probe
    }

    /// W at `edit`, which is what `look` says.
    pub fn values(&self, look: &Look, edit: &Vector) -> Result<Vec<f64>, SpacetimeError> {
        match self.coefficients(look) {
            Some((prepared, c)) => {
                let coefficients = vec![c.as_slice(); self.stops.len()];
                reading::of_values(self.layout, &self.stops, &prepared.values(&coefficients))
            }
            None => reading::values(self.layout, self.readout, &edit.primal),
        }
    }

    /// W and J there.
    pub fn linearized(&self, look: &Look, edit: &Vector) -> Result<Reading, SpacetimeError> {
        match self.coefficients(look) {
            Some((prepared, c)) => {
                let coefficients = vec![c.as_slice(); self.stops.len()];
                reading::of_linearized(self.layout, &self.stops, prepared.linearized(&coefficients))
            }
            None => reading::linearized(self.layout, self.readout, &edit.primal, Vec::new()),
        }
    }

    /// What was prepared and how much of it, if it leads there.
    fn coefficients(&self, look: &Look) -> Option<(&dyn Restricted, Vec<f64>)> {
        let prepared = self.prepared.as_deref()?;
        let mut c = vec![look.s];
        if self.has_rows {
            c.extend(look.eta.iter());
        } else if look.eta.iter().any(|x| *x != 0.0) {
            return None;
        }
        Some((prepared, c))
    }
}
