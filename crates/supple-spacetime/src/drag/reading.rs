//! What handles read of the body: W and J, row by row.
//!
//! A handle on a velocity reads J(z) ż. Its derivative by ż is J(z), that by z is the change of J along ż, from J a
//! small part of a frame before and after. It is multiplied by the seconds of a frame, so that all rows are lengths.

use super::asked::Stop;
use super::layout::{Covector, Held, Layout};
use crate::error::SpacetimeError;
use crate::rows::dot;
use supple_model::{Ask, Linearized, Readout};

/// The part of a frame over which J changes along ż.
const INSTANT: f64 = 1e-4;
/// What is asked of the body at once where there are many handles, which bounds memory.
const BATCH: usize = 64;

/// What all rows read.
pub(super) struct Reading {
    /// W, row by row.
    pub value: Vec<f64>,
    /// J, row by row.
    pub rows: Vec<Covector>,
}

/// W, row by row.
///
/// # Errors
/// Naming the handle, when one is not finite.
pub(super) fn values(
    layout: &Layout,
    readout: &dyn Readout,
    primal: &[f64],
) -> Result<Vec<f64>, SpacetimeError> {
    let z = layout.states(primal);
    let (moving, still): (Vec<&Held>, Vec<&Held>) =
        layout.held.iter().partition(|held| held.velocity.is_some());
    let asks =
        |held: &[&Held]| -> Vec<Ask<'_>> { held.iter().map(|held| ask(held, &z[held.position])).collect() };
    let mut places = match still.as_slice() {
        [] => Vec::new(),
        still => batched(layout, &asks(still), |asks| readout.values(asks)),
    }
    .into_iter();
    let mut tangents = match moving.as_slice() {
        [] => Vec::new(),
        moving => batched(layout, &asks(moving), |asks| readout.linearized(asks)),
    }
    .into_iter();
    let mut rows = Vec::with_capacity(layout.rows);
    for held in &layout.held {
        let found = match held.velocity {
            None => places.next().unwrap_or([f64::NAN; 3]),
            Some(place) => {
                tangents.next().map_or([f64::NAN; 3], |tangent| velocity(held, &tangent.rows, &z[place]))
            }
        };
        push(held, &found, &mut rows)?;
    }
    Ok(rows)
}

/// W and J, row by row. What some handles read may be `known` already; entries that are missing are not.
///
/// # Errors
/// Naming the handle, when one is not finite.
pub(super) fn linearized(
    layout: &Layout,
    readout: &dyn Readout,
    primal: &[f64],
    mut known: Vec<Option<Reading>>,
) -> Result<Reading, SpacetimeError> {
    known.resize_with(layout.held.len(), || None);
    let z = layout.states(primal);
    let around = around(layout, &z);
    let mut asks = Vec::with_capacity(layout.held.len());
    for ((held, around), _) in
        layout.held.iter().zip(&around).zip(&known).filter(|(_, known)| known.is_none())
    {
        asks.push(ask(held, &z[held.position]));
        asks.extend(around.iter().flatten().map(|z| ask(held, z)));
    }
    let found =
        if asks.is_empty() { Vec::new() } else { batched(layout, &asks, |asks| readout.linearized(asks)) };
    let mut found = found.into_iter();
    let mut reading =
        Reading { value: Vec::with_capacity(layout.rows), rows: Vec::with_capacity(layout.rows) };
    for (held, known) in layout.held.iter().zip(known) {
        let own = match known {
            Some(known) => known,
            None => own(held, &z, &mut found)?,
        };
        reading.value.extend(own.value);
        reading.rows.extend(own.rows);
    }
    Ok(reading)
}

/// Asks all at once, or some frames at a time where there are many.
fn batched<T>(layout: &Layout, asks: &[Ask<'_>], ask: impl Fn(&[Ask<'_>]) -> Vec<T>) -> Vec<T> {
    if !layout.is_wide() {
        return ask(asks);
    }
    let mut order: Vec<usize> = (0..asks.len()).collect();
    order.sort_by_key(|k| asks[*k].frame);
    let mut found = Vec::with_capacity(asks.len());
    let mut rest = order.as_slice();
    while !rest.is_empty() {
        // What is read of a frame is cheapest read together.
        let last = asks[rest[rest.len().min(BATCH) - 1]].frame;
        let whole = rest.partition_point(|k| asks[*k].frame < last);
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
fn own(
    held: &Held,
    z: &[Vec<f64>],
    found: &mut impl Iterator<Item = Linearized>,
) -> Result<Reading, SpacetimeError> {
    let mut next = || found.next().ok_or_else(|| not_finite(held));
    let here = next()?;
    let mut reading = Reading { value: Vec::with_capacity(3), rows: Vec::with_capacity(3) };
    match held.velocity {
        None => {
            push(held, &here.value, &mut reading.value)?;
            push_rows(held, here.rows, None, &mut reading.rows)?;
        }
        Some(place) => {
            let (after, before) = (next()?, next()?);
            push(held, &velocity(held, &here.rows, &z[place]), &mut reading.value)?;
            let change = change(&after, &before);
            let mut by_rate = here.rows;
            by_rate.iter_mut().flatten().for_each(|x| *x *= held.unit);
            push_rows(held, change, Some((place, by_rate)), &mut reading.rows)?;
        }
    }
    Ok(reading)
}

/// W from what sites read, stop by stop.
///
/// # Errors
/// Naming the handle, when one is not finite.
pub(super) fn of_values<'a>(
    layout: &Layout,
    stops: impl IntoIterator<Item = &'a Stop>,
    found: &[[f64; 3]],
) -> Result<Vec<f64>, SpacetimeError> {
    let mut by_handle = vec![[f64::NAN; 3]; layout.held.len()];
    for (held, found) in stops.into_iter().flat_map(|stop| &stop.held).zip(found) {
        by_handle[*held] = *found;
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
pub(super) fn of_linearized(
    layout: &Layout,
    stops: &[Stop],
    found: Vec<Linearized>,
) -> Result<Reading, SpacetimeError> {
    let mut by_handle: Vec<Option<Linearized>> = vec![None; layout.held.len()];
    for (held, found) in stops.iter().flat_map(|stop| &stop.held).zip(found) {
        by_handle[*held] = Some(found);
    }
    let mut reading =
        Reading { value: Vec::with_capacity(layout.rows), rows: Vec::with_capacity(layout.rows) };
    for (held, found) in layout.held.iter().zip(by_handle) {
        let found = found.ok_or_else(|| not_finite(held))?;
        push(held, &found.value, &mut reading.value)?;
        push_rows(held, found.rows, None, &mut reading.rows)?;
    }
    Ok(reading)
}

fn ask<'a>(held: &Held, z: &'a [f64]) -> Ask<'a> {
    Ask { site: held.grip.site, frame: held.grip.frame, z }
}

/// For handles on velocities, z a small part of a frame after and before.
fn around(layout: &Layout, z: &[Vec<f64>]) -> Vec<Option<[Vec<f64>; 2]>> {
    let of = |held: &Held| {
        let rate = &z[held.velocity?];
        let instant = INSTANT * held.unit;
        let moved = |sign: f64| -> Vec<f64> {
            z[held.position].iter().zip(rate).map(|(z, v)| z + sign * instant * v).collect()
        };
        Some([moved(1.0), moved(-1.0)])
    };
    layout.held.iter().map(of).collect()
}

/// J ż, as the way in a frame.
fn velocity(held: &Held, rows: &[Vec<f64>; 3], rate: &[f64]) -> [f64; 3] {
    std::array::from_fn(|axis| held.unit * dot(&rows[axis], rate))
}

/// The change of J along ż, over a frame.
fn change(after: &Linearized, before: &Linearized) -> [Vec<f64>; 3] {
    std::array::from_fn(|axis| {
        let pairs = after.rows[axis].iter().zip(&before.rows[axis]);
        pairs.map(|(after, before)| 0.5 / INSTANT * (after - before)).collect()
    })
}

/// Appends the coordinates asked for.
fn push(held: &Held, found: &[f64; 3], rows: &mut Vec<f64>) -> Result<(), SpacetimeError> {
    for (axis, _) in held.grip.rows() {
        if !found[axis].is_finite() {
            return Err(not_finite(held));
        }
        rows.push(found[axis]);
    }
    Ok(())
}

/// Appends the derivatives of the coordinates asked for, by z and by ż if that is read.
fn push_rows(
    held: &Held,
    mut by_z: [Vec<f64>; 3],
    mut by_rate: Option<(usize, [Vec<f64>; 3])>,
    rows: &mut Vec<Covector>,
) -> Result<(), SpacetimeError> {
    for (axis, _) in held.grip.rows() {
        let mut row = Covector { parts: vec![(held.position, std::mem::take(&mut by_z[axis]))] };
        if let Some((place, by_rate)) = &mut by_rate {
            row.parts.push((*place, std::mem::take(&mut by_rate[axis])));
        }
        if row.parts.iter().any(|(_, weights)| weights.iter().any(|x| !x.is_finite())) {
            return Err(not_finite(held));
        }
        rows.push(row);
    }
    Ok(())
}

pub(super) fn not_finite(held: &Held) -> SpacetimeError {
    SpacetimeError::BadReadout { id: held.id, site: held.grip.site, frame: held.grip.frame }
}
