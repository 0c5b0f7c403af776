//! The rows that do not change while an edit is made, factored once.
//!
//! S_ab = Σ_k c_ak c_bk P_k(i_a,i_b)\[o_a,o_b\] of all contacts a, b, plus 1/w on the diagonal of soft ones, scaled to
//! unit diagonal, Ŝ = D S D, and factored with pivoting ([`super::pivoted`]). Rows left over are explained by the
//! pivots up to [`TOLERANCE`] of their variance: they hold without being asked, up to a part √TOLERANCE.

use super::pivoted::Pivoted;
use super::row::Row;
use super::system::{Group, System};
use crate::error::{FrameProblem, RowName, SpacetimeError};
use crate::kernel::{Kernel, Moment, Order};
use crate::path::Load;
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, Par};
use rayon::prelude::*;
use std::sync::Arc;
use supple_model::{Instant, Progress};

/// The part of a row's variance that may stay unexplained. Its multipliers would be up to 1/√ of it as large as
/// those of other rows, and meaningless below.
const TOLERANCE: f64 = 1e-10;

/// Contacts, factored.
#[derive(Clone, Debug)]
pub(crate) struct Contacts {
    system: System,
    /// Where each row was in the list given.
    given: Vec<usize>,
    targets: Vec<f64>,
    factor: Pivoted,
    /// L⁻¹ D t of the pivots.
    pub forced: Vec<f64>,
    /// L⁻ᵀ L⁻¹ D t of the pivots: their multipliers, over D, without handles.
    alone: Vec<f64>,
    /// What the pivots do not explain of the other rows' D t.
    unexplained: Vec<f64>,
    /// Rows left out because the edit is at rest at their frames.
    pub idle: usize,
}

/// What a handle has to do with the contacts; columns are its rows.
#[derive(Clone, Debug)]
pub(crate) struct Coupling {
    /// Y = L⁻¹ D S_ch of the pivots.
    pub forward: Mat<f64>,
    /// L⁻ᵀ Y.
    backward: Mat<f64>,
    /// What the pivots do not explain of the other rows' D S_ch.
    unexplained: Mat<f64>,
}

impl Contacts {
    /// No contacts.
    pub fn none(kernel: Arc<Kernel>) -> Self {
        let factor = Pivoted::empty();
        Self {
            system: System::new(kernel, &[]),
            given: Vec::new(),
            targets: Vec::new(),
            factor,
            forced: Vec::new(),
            alone: Vec::new(),
            unexplained: Vec::new(),
            idle: 0,
        }
    }

    /// Factors these rows.
    ///
    /// # Errors
    /// When a row is wrong, or the caller cancels. Rows at times where the edit is at rest are left out if they
    /// ask for rest.
    pub fn new(kernel: Arc<Kernel>, rows: Vec<Row>, progress: &Progress) -> Result<Self, SpacetimeError> {
        let total = rows.len();
        let mut kept = Vec::with_capacity(total);
        for (index, row) in rows.into_iter().enumerate() {
            let name = RowName::Contact(index);
            row.check(&kernel, name)?;
            match kernel.movable(row.at) {
                Ok(()) => kept.push((index, row)),
                Err(problem) if row.target != 0.0 || matches!(problem, FrameProblem::Missing { .. }) => {
                    return Err(SpacetimeError::Frame { row: name, problem });
                }
                Err(_) => {}
            }
        }
        let idle = total - kept.len();
        kept.sort_by_key(|(index, row)| (row.place(), *index));
        let given = kept.iter().map(|(index, _)| *index).collect();
        let targets: Vec<f64> = kept.iter().map(|(_, row)| row.target).collect();
        let system = System::new(kernel, &kept);
        drop(kept);
        let factor = Pivoted::new(&system, TOLERANCE, progress)?;
        let rank = factor.rank;
        let mut t = Mat::from_fn(targets.len(), 1, |position, _| {
            let row = factor.order[position];
            system.scale[row] * targets[row]
        });
        factor.forward(t.as_mut());
        let forced: Vec<f64> = (0..rank).map(|p| t[(p, 0)]).collect();
        let unexplained = (rank..targets.len()).map(|p| t[(p, 0)]).collect();
        factor.backward(t.as_mut().subrows_mut(0, rank));
        let alone = (0..rank).map(|p| t[(p, 0)]).collect();
        Ok(Self { system, given, targets, factor, forced, alone, unexplained, idle })
    }

    /// Rows that are pivots, and rows that these explain.
    pub fn counts(&self) -> (usize, usize) {
        (self.factor.rank, self.targets.len() - self.factor.rank)
    }

    /// How these rows of a handle and the contacts influence each other.
    pub fn couple(&self, rows: &[Row]) -> Coupling {
        let n = self.targets.len();
        let moments: Vec<Moment> = rows.iter().map(|row| self.system.kernel.moment(row.at)).collect();
        let mut cross = Mat::<f64>::zeros(n, rows.len());
        let bands = self.system.bands(cross.as_mut());
        bands.into_par_iter().for_each(|(group, band)| self.system.cross(group, rows, &moments, band));
        let order = &self.factor.order;
        let mut x = Mat::from_fn(n, rows.len(), |position, column| cross[(order[position], column)]);
        self.factor.forward(x.as_mut());
        let rank = self.factor.rank;
        let forward = x.as_ref().subrows(0, rank).to_owned();
        let unexplained = x.as_ref().subrows(rank, n - rank).to_owned();
        let mut backward = forward.clone();
        self.factor.backward(backward.as_mut());
        Coupling { forward, backward, unexplained }
    }

    /// The multipliers of the pivots, in the order of pivots. `own` says whether the contacts' own targets
    /// count; handles pull with `pulls` (coupling, multipliers).
    pub fn multipliers(&self, own: bool, pulls: &[(&Coupling, &[f64])]) -> Vec<f64> {
        let mut x = if own { self.alone.clone() } else { vec![0.0; self.factor.rank] };
        for (coupling, multipliers) in pulls {
            subtract(&mut x, &coupling.backward, multipliers);
        }
        for (position, x) in x.iter_mut().enumerate() {
            *x *= self.system.scale[self.factor.order[position]];
        }
        x
    }

    /// The multipliers of the pivots where handles move the modes to `moved` at the time and order of every group;
    /// `own` says whether the contacts' own targets count.
    pub fn answer(&self, own: bool, moved: impl Fn(Instant, Order) -> Vec<f64>) -> Vec<f64> {
        let mut by_row = vec![0.0; self.targets.len()];
        for group in &self.system.groups {
            let z = moved(group.at, group.order);
            for row in group.rows.clone() {
                let c = self.system.weights.col(row);
                let seen: f64 = c.iter().zip(&z).map(|(c, z)| c * z).sum();
                by_row[row] = self.system.scale[row] * seen;
            }
        }
        let (order, rank) = (&self.factor.order, self.factor.rank);
        let mut x = Mat::from_fn(order.len(), 1, |position, _| by_row[order[position]]);
        self.factor.forward(x.as_mut());
        self.factor.backward(x.as_mut().subrows_mut(0, rank));
        let of = |position: usize| {
            let alone = if own { self.alone[position] } else { 0.0 };
            (alone - x[(position, 0)]) * self.system.scale[order[position]]
        };
        (0..rank).map(of).collect()
    }

    /// When there are contacts, in order.
    pub fn times(&self) -> impl Iterator<Item = Instant> {
        self.system.groups.iter().map(|group| group.at)
    }

    /// The multipliers of the pivots by the places of their rows in the list given; 0 for those that others explain.
    pub fn by_given(&self, multipliers: &[f64]) -> Vec<f64> {
        let mut by_given = vec![0.0; self.targets.len() + self.idle];
        for (position, x) in multipliers.iter().enumerate() {
            by_given[self.given[self.factor.order[position]]] = *x;
        }
        by_given
    }

    /// The energy Σ ½ μ·value of the pivots and the penalty Σ ½ μ²/w of soft ones.
    pub fn costs(&self, multipliers: &[f64]) -> (f64, f64) {
        let mut costs = (0.0, 0.0);
        for (position, x) in multipliers.iter().enumerate() {
            let row = self.factor.order[position];
            let error = x * self.system.compliance[row];
            costs.0 += 0.5 * x * (self.targets[row] - error);
            costs.1 += 0.5 * x * error;
        }
        costs
    }

    /// The largest |D t|.
    pub fn size(&self) -> f64 {
        self.targets.iter().zip(&self.system.scale).map(|(t, d)| (t * d).abs()).fold(0.0, f64::max)
    }

    /// Hard rows that are no pivots: which, value − target, and that times D.
    pub fn residuals(&self, pulls: &[(&Coupling, &[f64])]) -> Vec<(usize, f64, f64)> {
        let mut left = self.unexplained.clone();
        for (coupling, multipliers) in pulls {
            subtract(&mut left, &coupling.unexplained, multipliers);
        }
        let rank = self.factor.rank;
        let mut residuals = Vec::new();
        for (position, left) in left.iter().enumerate() {
            let row = self.factor.order[rank + position];
            let d = self.system.scale[row];
            if self.system.compliance[row] > 0.0 {
                continue;
            }
            // Rows that nothing moves stay at zero.
            let residual = if d > 0.0 { -left / d } else { -self.targets[row] };
            let relative = if d > 0.0 { -left } else { f64::INFINITY * -self.targets[row].signum() };
            if residual != 0.0 {
                residuals.push((self.given[row], residual, relative));
            }
        }
        residuals
    }

    /// What the pivots pull with under several sets of multipliers, one column each, group by group.
    pub fn pulls(&self, multipliers: &[Vec<f64>]) -> Vec<(Instant, Order, Mat<f64>)> {
        let mut by_row = Mat::zeros(self.targets.len(), multipliers.len());
        for (column, multipliers) in multipliers.iter().enumerate() {
            for (position, x) in multipliers.iter().enumerate() {
                by_row[(self.factor.order[position], column)] = *x;
            }
        }
        let pull = |group: &Group| {
            let mut pull = Mat::zeros(self.system.kernel.modes(), multipliers.len());
            let weights = self.system.weights.as_ref().subcols(group.rows.start, group.rows.len());
            let by_row = by_row.as_ref().subrows(group.rows.start, group.rows.len());
            matmul(pull.as_mut(), Accum::Replace, weights, by_row, 1.0, Par::Seq);
            (group.at, group.order, pull)
        };
        self.system.groups.par_iter().map(pull).collect()
    }

    /// What the pivots pull with, group by group.
    pub fn loads(&self, multipliers: &[f64]) -> Vec<Load> {
        let mut by_row = vec![0.0; self.targets.len()];
        for (position, x) in multipliers.iter().enumerate() {
            by_row[self.factor.order[position]] = *x;
        }
        let load = |group: &Group| {
            let mut pull = vec![0.0; self.system.kernel.modes()];
            for row in group.rows.clone() {
                if by_row[row] != 0.0 {
                    for (sum, c) in pull.iter_mut().zip(self.system.weights.col(row).iter()) {
                        *sum += c * by_row[row];
                    }
                }
            }
            Load { at: group.at, order: group.order, pull }
        };
        self.system.groups.par_iter().map(load).collect()
    }
}

/// x ← x − A m.
fn subtract(x: &mut [f64], A: &Mat<f64>, m: &[f64]) {
    for (column, m) in m.iter().enumerate() {
        for (x, a) in x.iter_mut().zip(A.col(column).iter()) {
            *x -= a * m;
        }
    }
}
