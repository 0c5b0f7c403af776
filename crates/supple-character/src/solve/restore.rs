//! The last digits: the least change that meets the rows that can be met.

use super::active::{self, Active};
use super::assemble::Step;
use super::descend::moved;
use super::evaluate::{Evaluated, Firm, RowId, Rows, evaluate};
use super::problem::{Penalty, Problem, State};
use std::collections::HashSet;
use supple_model::{Cancelled, Progress};

/// ε of the rows while they are restored: the first, and damped ones where that leads nowhere, as it does along a limb that is
/// stretched out.
const EPSILONS: [f64; 3] = [1e-12, 1e-8, 1e-6];
/// What misses more than so many times what rows give is not restored; what others have brought nearer than this is.
const REACH: f64 = 4.0;
const NEAR: f64 = 0.2;
/// All of it, if it is met to this part of the size then.
const CLOSE: f64 = 1e-7;
/// Rows that miss less than this part of the size are met.
const MET: f64 = 1e-10;
/// Rounds in which a step finds the bounds it would pass, at most.
const ROUNDS: usize = 8;
/// Halvings of a step, at most.
const HALVINGS: usize = 4;
/// A step that leaves more than this of the worst miss is the last: the rows contradict each other.
const FASTER: f64 = 0.9;

/// Restores hard rows that are not too far off, in at most so many steps; those that are keep what they have, unless the
/// others bring them near: then they are restored, too, where all of them can be. Answers the largest miss of the rows that
/// were restored.
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
    let beyond = |state: &State, far: f64| -> HashSet<RowId> {
        let at = evaluate(problem, state, false);
        at.all().filter(|rows| rows.miss() > far && problem.is_hard(rows.id)).map(|rows| rows.id).collect()
    };
    // A constraint that gives way somewhere is left as it is everywhere: half of it would jump.
    let mut given = beyond(state, REACH * penalty.give);
    let mut worst = restored(problem, state, (penalty, &given), most, &progress.part(0.0, 0.5))?;
    while !given.is_empty() {
        let far = beyond(state, NEAR * penalty.give);
        let fewer: HashSet<RowId> = given.intersection(&far).copied().collect();
        if fewer.len() == given.len() {
            break;
        }
        given = fewer;
        let mut trial = state.clone();
        let there = restored(problem, &mut trial, (penalty, &given), most, &progress.part(0.5, 1.0))?;
        if there > worst.max(CLOSE * problem.figure.size) {
            break;
        }
        (*state, worst) = (trial, there);
    }
    Ok(worst)
}

/// The same where it is known what is `given`.
fn restored(
    problem: &Problem<'_>,
    state: &mut State,
    (penalty, given): (&Penalty, &HashSet<RowId>),
    most: usize,
    progress: &Progress,
) -> Result<f64, Cancelled> {
    let mut at = evaluate(problem, state, true);
    let counts = |rows: &Rows| !given.contains(&rows.id) && problem.is_hard(rows.id);
    // Nothing can be done about frames that the curve does not change.
    let changes = |rows: &&Rows| counts(rows) && problem.curve.support(rows.frame).count > 0;
    let miss = |at: &Evaluated| at.all().filter(changes).map(Rows::miss).fold(0.0, f64::max);
    // Bounds that were passed once, or would be, are met from then on as they are, or the next step would pass others.
    let mut touched = Active::new();
    let mut worst = miss(&at);
    for step in 0..most {
        progress.report("restoring", step as f64 / most as f64)?;
        if worst <= MET * problem.figure.size {
            break;
        }
        touched.extend(at.all().filter(|rows| rows.is_bound && rows.r[0] > 0.0).map(Rows::key));
        let mut best: Option<(State, Evaluated, f64)> = None;
        for epsilon in EPSILONS {
            let weigh = Weigh { penalty, given, epsilon };
            let Some(change) = least(problem, &at, state, &weigh, &mut touched) else { continue };
            // Where a limb is nearly straight a whole step may lead too far.
            let nearer = (0..=HALVINGS).find_map(|k| {
                let next = moved(state, &change, 0.5_f64.powi(k as i32));
                let at = evaluate(problem, &next, true);
                let worst_there = miss(&at);
                (worst_there < worst).then_some((next, at, worst_there))
            });
            let is_better =
                |found: &(State, Evaluated, f64)| best.as_ref().is_none_or(|best| found.2 < best.2);
            best = nearer.filter(is_better).or(best);
            if best.as_ref().is_some_and(|best| best.2 <= FASTER * worst) {
                break;
            }
        }
        let Some((next, next_at, next_worst)) = best else { break };
        let is_last = next_worst > FASTER * worst;
        (*state, at, worst) = (next, next_at, next_worst);
        if is_last {
            break;
        }
    }
    Ok(worst)
}

/// How hard rows are while they are restored.
struct Weigh<'a> {
    penalty: &'a Penalty,
    /// What gives way, and keeps what it has.
    given: &'a HashSet<RowId>,
    epsilon: f64,
}

/// The least step that meets the rows to first order, and passes no bound; none where that has no solution.
fn least(
    problem: &Problem<'_>,
    at: &Evaluated,
    state: &State,
    weigh: &Weigh<'_>,
    touched: &mut Active,
) -> Option<State> {
    for _ in 0..ROUNDS {
        let weight = |rows: &Rows| match problem.firmness(rows.id) {
            Firm::Soft(_) => 0.0,
            Firm::Hard(_) if rows.is_bound && !touched.contains(&rows.key()) => 0.0,
            firm if weigh.given.contains(&rows.id) => rows.weight(firm, weigh.penalty),
            Firm::Hard(_) => 1.0 / weigh.epsilon,
        };
        let step = Step { problem, at, state, weight: &weight, with_cost: false, damping: 1.0 };
        let change = step.solve().ok()?;
        let known = touched.len();
        touched.extend(active::passed_by(problem, at, &change));
        if touched.len() == known {
            return Some(change);
        }
    }
    None
}
