//! Layers with few keys. Where something gives way it is pulled harder: what costs much is reached then. What is out of reach
//! is left as it was, and pulls less and less hard until it drags nothing else along, and turns no joint over.

use crate::edit::{Edit, GIVE, Solution};
use crate::solve::{self, Problem, RowId, State};
use std::collections::BTreeSet;
use supple_model::{Cancelled, Progress};

/// ε of layers with few keys: the first, and harder ones where something gives way.
const KEYED: [f64; 3] = [3e-4, 3e-5, 3e-6];
/// Steps at those, at most: what is in reach gets there soon.
const HARDER: usize = 12;
/// What misses more than this part of the figure's size is far out of reach, and shall turn no joint farther than this, in
/// radians: an arm that cannot get there by far does not turn over for it.
const FAR: f64 = 0.3;
const TURNED: f64 = 110.0 * std::f64::consts::PI / 180.0;
/// Times that what is out of reach is made to pull less hard, at most.
const WEAKER: usize = 5;
/// What misses more than so many times [`GIVE`] has given way.
const GIVEN: f64 = 10.0;
/// Steps of a layer, at most.
pub(crate) const STEPS: usize = 30;

/// A curve with few keys. Where something gives way it is pulled harder: what costs much is reached then. What is out of
/// reach is left as it was, and pulls less and less hard until it drags nothing else along.
pub(crate) fn keyed(
    edit: &Edit,
    problem: &mut Problem<'_>,
    state: &mut State,
    solution: &mut Solution,
    progress: &Progress,
) -> Result<(), Cancelled> {
    let rounds = (KEYED.len() + WEAKER) as f64;
    let part = |k: usize| progress.part(k as f64 / rounds, (k + 1) as f64 / rounds);
    let mut best: Option<(usize, State, bool)> = None;
    let mut trial = state.clone();
    for (k, epsilon) in KEYED.into_iter().enumerate() {
        let most = if k == 0 { STEPS } else { HARDER };
        let descent = solve::descend(problem, &mut trial, &edit.penalty(epsilon), most, &part(k))?;
        solution.steps += descent.steps;
        let count = given(edit, problem, &trial).len();
        if best.as_ref().is_none_or(|(least, ..)| count < *least) {
            // Harder is over when nothing gives way; what is left is for the last layer.
            let is_over = descent.is_settled || k > 0 && count == 0 && !progress.is_stopped();
            best = Some((count, trial.clone(), is_over));
        }
        if count == 0 || progress.is_stopped() {
            break;
        }
    }
    let Some((_, found, mut is_settled)) = best else { return Ok(()) };
    *state = found;
    for k in 0..WEAKER {
        let hopeless = hopeless(edit, problem, state);
        if hopeless.is_empty() || progress.is_stopped() {
            break;
        }
        hopeless.into_iter().for_each(|c| problem.weaken(c, 0.3));
        let penalty = edit.penalty(KEYED[0]);
        let descent = solve::descend(problem, state, &penalty, STEPS, &part(KEYED.len() + k))?;
        solution.steps += descent.steps;
        is_settled = descent.is_settled;
    }
    solution.is_settled &= is_settled;
    Ok(())
}

/// Constraints that give way farthest, where they drag others along that could hold, or turn a joint over.
fn hopeless(edit: &Edit, problem: &Problem<'_>, state: &State) -> BTreeSet<usize> {
    let give = GIVE * edit.figure.size;
    let mut misses = vec![0.0_f64; edit.constraints.len()];
    for rows in solve::evaluate(problem, state, false).all().filter(|rows| problem.is_hard(rows.id)) {
        if let RowId::Constraint(c) = rows.id {
            misses[c] = misses[c].max(rows.miss());
        }
    }
    let worst = misses.iter().copied().fold(0.0, f64::max);
    let is_far = |miss: f64| miss > GIVEN * give && miss > 0.5 * worst;
    let drags = misses.iter().any(|miss| *miss > give && !is_far(*miss));
    let turns_over = worst > FAR * edit.figure.size && largest_turn(problem, state) > TURNED;
    if !drags && !turns_over {
        return BTreeSet::new();
    }
    (0..misses.len()).filter(|c| is_far(misses[*c])).collect()
}

/// How far a curve turns a joint, at most, in radians.
fn largest_turn(problem: &Problem<'_>, state: &State) -> f64 {
    let mut d = vec![0.0; problem.freedoms.len()];
    let (first, last) = problem.curve.window();
    let mut largest = 0.0_f64;
    for frame in first..=last {
        problem.curve.at(frame, &state.x, &mut d);
        largest = largest.max(problem.freedoms.largest_turn(&problem.figure.skeleton, &d));
    }
    largest
}

/// Constraints that give way.
pub(crate) fn given(edit: &Edit, problem: &Problem<'_>, state: &State) -> BTreeSet<usize> {
    let most = GIVEN * GIVE * edit.figure.size;
    let found = solve::evaluate(problem, state, false);
    let far = found.all().filter(|rows| rows.miss() > most && problem.is_hard(rows.id));
    far.filter_map(|rows| if let RowId::Constraint(c) = rows.id { Some(c) } else { None }).collect()
}
