//! The last digits: the least change that meets the rows that can be met.

use super::assemble::Step;
use super::descend::moved;
use super::evaluate::{Evaluated, RowId, Rows, evaluate};
use super::problem::{Penalty, Problem, State};
use std::collections::HashSet;
use supple_model::{Cancelled, Progress};

/// ε of the rows while they are restored.
const EPSILON: f64 = 1e-12;

/// Restores hard rows that are not too far off, in at most so many steps; those that are keep what they have. Answers the
/// largest miss of the rows that were restored.
///
/// # Errors
/// Cancelled: then the state is somewhere on its way.
pub fn restore(
    problem: &Problem<'_>,
    state: &mut State,
    penalty: &Penalty,
    most: usize,
    progress: &Progress,
) -> Result<f64, Cancelled> {
    let mut at = evaluate(problem, state, true);
    let reach = 4.0 * penalty.give;
    // A constraint that gives way somewhere is left as it is everywhere: half of it would jump.
    let given: HashSet<RowId> = at.all().filter(|rows| rows.miss() > reach).map(|rows| rows.id).collect();
    let counts = |rows: &Rows| !given.contains(&rows.id) && problem.softness(rows.id).is_none();
    let miss = |at: &Evaluated| at.all().filter(|rows| counts(rows)).map(Rows::miss).fold(0.0, f64::max);
    // Bounds that were passed once are met from then on as they are, or the next step would pass others.
    let mut touched: HashSet<(RowId, usize, usize)> = HashSet::new();
    let mut worst = miss(&at);
    for step in 0..most {
        progress.report("restoring", step as f64 / most as f64)?;
        if worst <= 1e-13 * problem.figure.size {
            break;
        }
        touched.extend(at.all().filter(|rows| rows.is_bound && rows.r[0] > 0.0).map(Rows::key));
        let weight = |rows: &Rows| match problem.softness(rows.id) {
            Some(_) => 0.0,
            None if rows.is_bound && !touched.contains(&rows.key()) => 0.0,
            None if given.contains(&rows.id) => rows.weight(None, penalty),
            None => 1.0 / EPSILON,
        };
        let step = Step { problem, at: &at, state, weight: &weight, with_cost: false, damping: 1.0 };
        let Ok(change) = step.solve() else { break };
        let next = moved(state, &change, 1.0);
        let next_at = evaluate(problem, &next, true);
        let next_worst = miss(&next_at);
        // Rows that contradict each other do not come nearer.
        if next_worst.is_nan() || next_worst >= worst {
            break;
        }
        (*state, at, worst) = (next, next_at, next_worst);
    }
    Ok(worst)
}
