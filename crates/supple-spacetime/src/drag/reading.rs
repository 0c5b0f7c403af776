//! What handles read of the body: W and J, row by row.
//!
//! A handle on a velocity reads J(z) ż. Its derivative by ż is J(z), that by z is the change of J along ż, from J a
//! small part of a frame before and after. It is multiplied by the seconds of a frame, so that all rows are lengths.

use super::layout::{Covector, Held, Layout};
use crate::error::SpacetimeError;
use crate::rows::dot;
use rayon::prelude::*;
use supple_model::Readout;

/// The part of a frame over which J changes along ż.
const INSTANT: f64 = 1e-4;

/// W, row by row.
///
/// # Errors
/// Naming the handle, when one is not finite.
pub(super) fn values(
    layout: &Layout,
    readout: &dyn Readout,
    primal: &[f64],
) -> Result<Vec<f64>, SpacetimeError> {
    let read = |held: &Held| {
        let grip = &held.grip;
        let z = layout.z(primal, held.position);
        let found = match held.velocity {
            None => readout.value(grip.site, grip.frame, &z),
            Some(place) => {
                let rate = layout.z(primal, place);
                three(readout, held, &z).map(|row| held.unit * dot(&row, &rate))
            }
        };
        let rows: Vec<f64> = grip.rows().map(|(axis, _)| found[axis]).collect();
        if rows.iter().all(|x| x.is_finite()) { Ok(rows) } else { Err(not_finite(held)) }
    };
    let rows: Result<Vec<Vec<f64>>, _> = layout.held.par_iter().map(read).collect();
    Ok(rows?.concat())
}

/// J, row by row.
///
/// # Errors
/// Naming the handle, when one is not finite.
pub(super) fn jacobians(
    layout: &Layout,
    readout: &dyn Readout,
    primal: &[f64],
) -> Result<Vec<Covector>, SpacetimeError> {
    let read = |held: &Held| jacobian(layout, readout, held, primal);
    let rows: Result<Vec<Vec<Covector>>, _> = layout.held.par_iter().map(read).collect();
    Ok(rows?.into_iter().flatten().collect())
}

/// J of one handle.
fn jacobian(
    layout: &Layout,
    readout: &dyn Readout,
    held: &Held,
    primal: &[f64],
) -> Result<Vec<Covector>, SpacetimeError> {
    let z = layout.z(primal, held.position);
    let mut by_z = three(readout, held, &z);
    let mut by_rate = None;
    if let Some(place) = held.velocity {
        let rate = layout.z(primal, place);
        let instant = INSTANT * held.unit;
        let moved =
            |sign: f64| -> Vec<f64> { z.iter().zip(&rate).map(|(z, v)| z + sign * instant * v).collect() };
        let (after, before) = (three(readout, held, &moved(1.0)), three(readout, held, &moved(-1.0)));
        let change = |axis: usize| {
            let pairs = after[axis].iter().zip(&before[axis]);
            pairs.map(|(after, before)| 0.5 / INSTANT * (after - before)).collect()
        };
        let mut rows = std::mem::replace(&mut by_z, std::array::from_fn(change));
        rows.iter_mut().flatten().for_each(|x| *x *= held.unit);
        by_rate = Some((place, rows));
    }
    let mut rows = Vec::with_capacity(held.rows.len());
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
    Ok(rows)
}

/// The three rows of a site's Jacobian.
fn three(readout: &dyn Readout, held: &Held, z: &[f64]) -> [Vec<f64>; 3] {
    let mut rows = [0; 3].map(|_| vec![0.0; z.len()]);
    let [x, y, last] = &mut rows;
    readout.jacobian(held.grip.site, held.grip.frame, z, [x, y, last]);
    rows
}

fn not_finite(held: &Held) -> SpacetimeError {
    SpacetimeError::BadReadout { id: held.id, site: held.grip.site, frame: held.grip.frame }
}
