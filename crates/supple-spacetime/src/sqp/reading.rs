//! What handles read of the body: W and J, row by row. Of a handle that reads two sites it is the difference.

use super::asked::Stop;
use super::goal::{Covector, Held, Read, Sight};
use super::layout::Layout;
use crate::error::SpacetimeError;
use supple_model::{Ask, Linearized, Readout};

/// What is asked of the body at once where there are many handles, which bounds memory.
const BATCH: usize = 64;

/// What all rows read.
pub(crate) struct Reading {
    /// W, row by row.
    pub value: Vec<f64>,
    /// J, row by row.
    pub rows: Vec<Covector>,
}

/// W, row by row.
///
/// # Errors
/// Naming the handle, when one is not finite.
pub(crate) fn values(
    layout: &Layout,
    readout: &dyn Readout,
    primal: &[f64],
) -> Result<Vec<f64>, SpacetimeError> {
    let z = layout.states(primal);
    let asks: Vec<Ask<'_>> =
        layout.held.iter().flat_map(|held| &held.reads).map(|read| ask(read, &z[read.place])).collect();
    let found =
        if asks.is_empty() { Vec::new() } else { batched(layout, &asks, |asks| readout.values(asks)) };
    let mut found = found.into_iter();
    let mut rows = Vec::with_capacity(layout.rows);
    for held in &layout.held {
        let mut sum = [0.0; 3];
        for read in &held.reads {
            add(&mut sum, read.sign, &found.next().unwrap_or([f64::NAN; 3]));
        }
        push(held, &sum, &mut rows)?;
    }
    Ok(rows)
}

/// W and J, row by row. What some handles read may be `known` already; entries that are missing are not.
///
/// # Errors
/// Naming the handle, when one is not finite.
pub(crate) fn linearized(
    layout: &Layout,
    readout: &dyn Readout,
    primal: &[f64],
    known: Vec<Option<Reading>>,
) -> Result<Reading, SpacetimeError> {
    linearized_at(layout, readout, &layout.states(primal), known)
}

/// The same at coordinates `z` of every place; they may be those of another basis than the kernel's, and J then is over it.
///
/// # Errors
/// Naming the handle, when one is not finite.
pub(crate) fn linearized_at(
    layout: &Layout,
    readout: &dyn Readout,
    z: &[Vec<f64>],
    mut known: Vec<Option<Reading>>,
) -> Result<Reading, SpacetimeError> {
    known.resize_with(layout.held.len(), || None);
    let unknown = layout.held.iter().zip(&known).filter(|(_, known)| known.is_none());
    let reads = unknown.flat_map(|(held, _)| &held.reads);
    let asks: Vec<Ask<'_>> = reads.map(|read| ask(read, &z[read.place])).collect();
    let found =
        if asks.is_empty() { Vec::new() } else { batched(layout, &asks, |asks| readout.linearized(asks)) };
    let mut found = found.into_iter();
    let mut reading =
        Reading { value: Vec::with_capacity(layout.rows), rows: Vec::with_capacity(layout.rows) };
    for (held, known) in layout.held.iter().zip(known) {
        let own = match known {
            Some(known) => known,
            None => own(held, &mut found)?,
        };
        reading.value.extend(own.value);
        reading.rows.extend(own.rows);
    }
    Ok(reading)
}

/// Asks all at once, or a few times after the other where there are many.
fn batched<T>(layout: &Layout, asks: &[Ask<'_>], ask: impl Fn(&[Ask<'_>]) -> Vec<T>) -> Vec<T> {
    if !layout.is_wide() {
        return ask(asks);
    }
    let mut order: Vec<usize> = (0..asks.len()).collect();
    order.sort_by_key(|k| asks[*k].at);
    let mut found = Vec::with_capacity(asks.len());
    let mut rest = order.as_slice();
    while !rest.is_empty() {
        // What is read at a time is cheapest read together.
        let last = asks[rest[rest.len().min(BATCH) - 1]].at;
        let whole = rest.partition_point(|k| asks[*k].at < last);
        let (batch, later) =
            rest.split_at(if whole == 0 || rest.len() <= BATCH { rest.len().min(BATCH) } else { whole });
        let asked: Vec<Ask<'_>> = batch.iter().map(|k| asks[*k]).collect();
        found.extend(batch.iter().copied().zip(ask(&asked)));
        rest = later;
    }
    found.sort_by_key(|(k, _)| *k);
    found.into_iter().map(|(_, found)| found).collect()
}

/// What one handle reads, from what was found for it.
fn own(held: &Held, found: &mut impl Iterator<Item = Linearized>) -> Result<Reading, SpacetimeError> {
    let own: Vec<Linearized> = found.take(held.reads.len()).collect();
    if own.len() < held.reads.len() {
        return Err(not_finite(held));
    }
    together(held, own)
}

/// W from what sites read, stop by stop.
///
/// # Errors
/// Naming the handle, when one is not finite.
pub(crate) fn of_values<'a>(
    layout: &Layout,
    stops: impl IntoIterator<Item = &'a Stop>,
    found: &[[f64; 3]],
) -> Result<Vec<f64>, SpacetimeError> {
    let mut by_handle = vec![[0.0; 3]; layout.held.len()];
    for ((held, sign), found) in stops.into_iter().flat_map(|stop| &stop.held).zip(found) {
        add(&mut by_handle[*held], *sign, found);
    }
    let mut rows = Vec::with_capacity(layout.rows);
    for (held, found) in layout.held.iter().zip(&by_handle) {
        push(held, found, &mut rows)?;
    }
    Ok(rows)
}

/// W and J from what sites read, stop by stop.
///
/// # Errors
/// Naming the handle, when one is not finite.
pub(crate) fn of_linearized(
    layout: &Layout,
    stops: &[Stop],
    found: Vec<Linearized>,
) -> Result<Reading, SpacetimeError> {
    // In the order of the stops, which need not be that of a handle's own reads.
    let mut by_handle: Vec<Vec<(f64, Linearized)>> = vec![Vec::new(); layout.held.len()];
    for ((held, sign), found) in stops.iter().flat_map(|stop| &stop.held).zip(found) {
        by_handle[*held].push((*sign, found));
    }
    let mut reading =
        Reading { value: Vec::with_capacity(layout.rows), rows: Vec::with_capacity(layout.rows) };
    for (held, mut found) in layout.held.iter().zip(by_handle) {
        if found.len() != held.reads.len() {
            return Err(not_finite(held));
        }
        found.sort_by(|one, other| other.0.total_cmp(&one.0));
        let own = together(held, found.into_iter().map(|(_, found)| found).collect())?;
        reading.value.extend(own.value);
        reading.rows.extend(own.rows);
    }
    Ok(reading)
}

/// What a handle reads, of what its sites do.
fn together(held: &Held, found: Vec<Linearized>) -> Result<Reading, SpacetimeError> {
    let mut reading = Reading { value: Vec::with_capacity(3), rows: Vec::with_capacity(3) };
    let mut sum = [0.0; 3];
    for (read, found) in held.reads.iter().zip(&found) {
        add(&mut sum, read.sign, &found.value);
    }
    push(held, &sum, &mut reading.value)?;
    let mut found = found;
    for (axis, _) in held.goal.rows() {
        let part = |(read, found): (&Read, &mut Linearized)| {
            let mut weights = std::mem::take(&mut found.rows[axis]);
            weights.iter_mut().for_each(|x| *x *= read.sign);
            (read.place, weights)
        };
        let row = Covector { parts: held.reads.iter().zip(&mut found).map(part).collect() };
        if row.parts.iter().any(|(_, weights)| weights.iter().any(|x| !x.is_finite())) {
            return Err(not_finite(held));
        }
        reading.rows.push(row);
    }
    Ok(reading)
}

fn add(sum: &mut [f64; 3], sign: f64, found: &[f64; 3]) {
    sum.iter_mut().zip(found).for_each(|(sum, x)| *sum += sign * x);
}

fn ask<'a>(read: &Read, z: &'a [f64]) -> Ask<'a> {
    Ask { site: read.site, at: read.at, z }
}

/// Appends the coordinates asked for.
fn push(held: &Held, found: &[f64; 3], rows: &mut Vec<f64>) -> Result<(), SpacetimeError> {
    for (axis, _) in held.goal.rows() {
        if !found[axis].is_finite() {
            return Err(not_finite(held));
        }
        rows.push(found[axis]);
    }
    Ok(())
}

fn not_finite(held: &Held) -> SpacetimeError {
    let Sight { site, at, .. } = held.goal.first();
    SpacetimeError::BadReadout { id: held.goal.id, site, at }
}
