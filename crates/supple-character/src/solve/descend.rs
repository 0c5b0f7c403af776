//! Steps that lower the merit.

use super::assemble::Step;
use super::evaluate::{Evaluated, Rows, evaluate};
use super::problem::{Penalty, Problem, State};
use supple_model::{Cancelled, Progress};

/// No freedom of a key changes by more than this in a step: metres or radians.
const LARGEST: f64 = 1.0;
/// A step below this is none.
const SMALL: f64 = 1e-7;
/// Halvings of a step, at most.
const HALVINGS: usize = 6;

/// How a descent ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Descent {
    /// Steps that were taken.
    pub steps: usize,
    /// Whether no further step lowers the merit.
    pub is_settled: bool,
}

/// Lowers the merit until it falls no more, at most so many steps.
///
/// # Errors
/// Cancelled: then the state is somewhere on its way.
pub fn descend(
    problem: &Problem<'_>,
    state: &mut State,
    penalty: &Penalty,
    most: usize,
    progress: &Progress,
) -> Result<Descent, Cancelled> {
    let mut damping = 1.0;
    let mut at = evaluate(problem, state, true);
    let mut merit = at.merit(problem, state, penalty);
    for steps in 0..most {
        progress.report("solving", steps as f64 / most as f64)?;
        if progress.is_stopped() {
            return Ok(Descent { steps, is_settled: false });
        }
        let Some((next, lower, largest)) = try_step(problem, state, &at, merit, penalty, &mut damping) else {
            return Ok(Descent { steps, is_settled: true });
        };
        let falls = merit - lower;
        *state = next;
        at = evaluate(problem, state, true);
        merit = lower;
        if largest < SMALL || falls <= 1e-9 * merit {
            return Ok(Descent { steps: steps + 1, is_settled: true });
        }
    }
    Ok(Descent { steps: most, is_settled: false })
}

/// One step, whether or not it lowers the merit much: for a hand that will ask again.
pub fn step_once(problem: &Problem<'_>, state: &mut State, penalty: &Penalty) {
    let at = evaluate(problem, state, true);
    let merit = at.merit(problem, state, penalty);
    if let Some((next, ..)) = try_step(problem, state, &at, merit, penalty, &mut 1.0) {
        *state = next;
    }
}

/// A state of lower merit, that merit, and the largest change; none where there is none.
fn try_step(
    problem: &Problem<'_>,
    state: &State,
    at: &Evaluated,
    merit: f64,
    penalty: &Penalty,
    damping: &mut f64,
) -> Option<(State, f64, f64)> {
    for _ in 0..8 {
        let weight = |rows: &Rows| rows.weight(problem.softness(rows.id), penalty);
        let step = Step { problem, at, state, weight: &weight, with_cost: true, damping: *damping };
        let Ok(change) = step.solve() else {
            *damping *= 10.0;
            continue;
        };
        let largest = change.x.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
        if !largest.is_finite() {
            *damping *= 10.0;
            continue;
        }
        let mut s = (LARGEST / largest.max(LARGEST)).min(1.0);
        for _ in 0..HALVINGS {
            let next = moved(state, &change, s);
            let lower = evaluate(problem, &next, false).merit(problem, &next, penalty);
            if lower < merit {
                *damping = if s == 1.0 { (*damping / 4.0).max(1.0) } else { *damping };
                return Some((next, lower, s * largest));
            }
            s *= 0.5;
        }
        if largest < SMALL {
            return None;
        }
        *damping *= 10.0;
    }
    None
}

/// state + s · change.
pub(super) fn moved(state: &State, change: &State, s: f64) -> State {
    State {
        x: state.x.iter().zip(&change.x).map(|(x, dx)| x + s * dx).collect(),
        places: state.places.iter().zip(&change.places).map(|(p, dp)| p + dp * s).collect(),
    }
}
