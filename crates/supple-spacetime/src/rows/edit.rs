//! The answer: a path, what it costs, and what it could not grant.

use super::Constraints;
use super::contacts::Coupling;
use super::pseudoinverse::Pseudoinverse;
use super::row::Hold;
use crate::HandleId;
use crate::error::RowName;
use crate::kernel::Order;
use crate::path::{Load, Path};
use std::collections::BTreeMap;
use supple_model::Instant;

/// Hard rows whose error is beyond this part of the largest target, each over its own standard deviation, are
/// reported.
const UNMET: f64 = 1e-4;

/// Handles of which a row is dropped by more than this are reported.
const REDUNDANT: f64 = 0.05;

/// The least costly edit that does what is asked.
#[derive(Clone, Debug)]
pub struct Edit {
    /// The edit.
    pub path: Path,
    /// ½ μᵀ S μ, what the path costs: ½∫f² and what else the kernel's energy counts.
    pub energy: f64,
    /// ½ Σ w e² of the soft rows' errors e.
    pub penalty: f64,
    /// What could not be granted.
    pub report: Report,
    /// What each contact row pulls with to be met, in the order they were given: > 0 where it has to be raised.
    pub contact_multipliers: Vec<f64>,
}

/// What an edit could not grant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Handles that nearly repeat others or the contacts, so that only what they have in common was used.
    pub redundant: Vec<HandleId>,
    /// Hard rows that were not met, because they contradict others or no mode moves them.
    pub unmet: Vec<Unmet>,
    /// Contact rows that hold by themselves because others do.
    pub redundant_contacts: usize,
    /// Contact rows at frames where the edit is at rest.
    pub idle_contacts: usize,
}

impl Report {
    /// Whether all hard rows are met.
    #[must_use]
    pub fn is_met(&self) -> bool {
        self.unmet.is_empty()
    }
}

/// A hard row that was not met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unmet {
    /// Which.
    pub row: RowName,
    /// What it is, less what was asked.
    pub residual: f64,
}

/// Solves for all rows as they are.
pub(super) fn solve(constraints: &Constraints, inverse: &Pseudoinverse) -> Edit {
    let contacts = &constraints.contacts;
    let mut targets = Vec::with_capacity(inverse.dropped.len());
    for handle in constraints.handles.values() {
        for (column, row) in handle.rows.iter().enumerate() {
            let Y = handle.coupling.forward.col(column);
            let explained: f64 = Y.iter().zip(&contacts.forced).map(|(y, u)| y * u).sum();
            targets.push(row.target - explained);
        }
    }
    let multipliers = inverse.solve(&targets);
    let residuals = inverse.residual(&multipliers, &targets);
    let (path, contact_multipliers) = path(constraints, true, &multipliers);
    let (mut energy, mut penalty) = contacts.costs(&contact_multipliers);
    let rows = constraints.handles.values().flat_map(|handle| &handle.rows);
    for ((row, mu), residual) in rows.zip(&multipliers).zip(&residuals) {
        let error = mu * row.hold.compliance();
        energy += 0.5 * mu * (row.target + residual - error);
        penalty += 0.5 * mu * error;
    }
    let report = report(constraints, inverse, &multipliers, &residuals);
    let contact_multipliers = contacts.by_given(&contact_multipliers);
    Edit { path, energy, penalty, report, contact_multipliers }
}

/// The path for these multipliers of the handles, and the multipliers of the contacts that go with them.
pub(super) fn path(constraints: &Constraints, own: bool, multipliers: &[f64]) -> (Path, Vec<f64>) {
    let contact_multipliers = constraints.contacts.multipliers(own, &pulls(constraints, multipliers));
    let mut loads: BTreeMap<(Instant, Order), Vec<f64>> = BTreeMap::new();
    for load in constraints.contacts.loads(&contact_multipliers) {
        loads.insert((load.at, load.order), load.pull);
    }
    let rows = constraints.handles.values().flat_map(|handle| &handle.rows);
    for (row, mu) in rows.zip(multipliers) {
        let pull = loads.entry(row.place()).or_insert_with(|| vec![0.0; row.weights.len()]);
        for (sum, c) in pull.iter_mut().zip(&row.weights) {
            *sum += c * mu;
        }
    }
    let loads = loads.into_iter().map(|((at, order), pull)| Load { at, order, pull }).collect();
    (Path::new(constraints.kernel.clone(), loads), contact_multipliers)
}

/// Every handle's coupling with its multipliers.
fn pulls<'a>(constraints: &'a Constraints, multipliers: &'a [f64]) -> Vec<(&'a Coupling, &'a [f64])> {
    let mut rest = multipliers;
    let mut pulls = Vec::with_capacity(constraints.handles.len());
    for handle in constraints.handles.values() {
        let (own, others) = rest.split_at(handle.rows.len());
        pulls.push((&handle.coupling, own));
        rest = others;
    }
    pulls
}

fn report(
    constraints: &Constraints,
    inverse: &Pseudoinverse,
    multipliers: &[f64],
    residuals: &[f64],
) -> Report {
    let contacts = &constraints.contacts;
    let handles = constraints.handles.values();
    let scaled = handles.flat_map(|h| h.rows.iter().zip(&h.scale).map(|(row, d)| (row.target * d).abs()));
    let limit = UNMET * scaled.fold(contacts.size(), f64::max);
    let mut report =
        Report { redundant_contacts: contacts.counts().1, idle_contacts: contacts.idle, ..Report::default() };
    for (index, residual, relative) in contacts.residuals(&pulls(constraints, multipliers)) {
        if relative.abs() > limit {
            report.unmet.push(Unmet { row: RowName::Contact(index), residual });
        }
    }
    let mut at = 0;
    for (&id, handle) in &constraints.handles {
        let rows = at..at + handle.rows.len();
        if inverse.dropped[rows.clone()].iter().any(|share| *share > REDUNDANT) {
            report.redundant.push(id);
        }
        for (index, (row, residual)) in handle.rows.iter().zip(&residuals[rows.clone()]).enumerate() {
            let d = handle.scale[index];
            let unmet = if d > 0.0 { (residual * d).abs() > limit } else { *residual != 0.0 };
            if row.hold == Hold::Hard && unmet {
                report.unmet.push(Unmet { row: RowName::Handle(id, index), residual: *residual });
            }
        }
        at = rows.end;
    }
    report
}
