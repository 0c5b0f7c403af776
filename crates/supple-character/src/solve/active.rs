//! Which bounds a step must heed: those it would pass, and none that would pull it back.
//!
//! > active: r − J Δ > 0
//!
//! A step that heeds only bounds that are passed already passes others, and the next one lets go of the first: they would
//! take turns. So the set is settled within a step, on the rows as they are to first order (an active set, Gleicher 1997 §4).

use super::evaluate::{Evaluated, RowId, Rows};
use super::problem::{Problem, State};
use std::collections::BTreeSet;

/// Bounds by whose they are, frame and part.
pub type Active = BTreeSet<(RowId, usize, usize)>;

/// Bounds that are passed as it is.
pub fn passed(at: &Evaluated) -> Active {
    at.all().filter(|rows| rows.is_bound && rows.r[0] > 0.0).map(Rows::key).collect()
}

/// Bounds that a step would pass if they were not heeded, or that hold it back now.
pub fn predicted(problem: &Problem<'_>, at: &Evaluated, change: &State) -> Active {
    beyond(problem, at, change, 0.0)
}

/// Bounds that a step passes.
pub fn passed_by(problem: &Problem<'_>, at: &Evaluated, change: &State) -> Active {
    beyond(problem, at, change, 1e-12 * problem.figure.size)
}

/// Bounds that are passed by more than this after a step, to first order.
fn beyond(problem: &Problem<'_>, at: &Evaluated, change: &State, least: f64) -> Active {
    let n = problem.freedoms.len();
    let mut d = vec![0.0; n];
    let mut active = Active::new();
    for frame in at.frames.iter().filter(|frame| frame.rows.iter().any(|rows| rows.is_bound)) {
        problem.curve.at(frame.frame, &change.x, &mut d);
        let mut row = 0;
        for rows in &frame.rows {
            let J = &frame.J[row * n..(row + 1) * n];
            row += rows.count;
            if rows.is_bound && rows.r[0] > least + J.iter().zip(&d).map(|(J, d)| J * d).sum::<f64>() {
                active.insert(rows.key());
            }
        }
    }
    active
}

/// Whether rows have a part in a step.
pub fn is_heeded(active: &Active, rows: &Rows) -> bool {
    !rows.is_bound || active.contains(&rows.key())
}
