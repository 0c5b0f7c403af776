//! Steps that lower the merit.

use super::active;
use super::assemble::Step;
use super::evaluate::{Evaluated, Rows, evaluate};
use super::mix::Mix;
use super::problem::{Penalty, Problem, State};
use supple_model::{Cancelled, Progress};

/// No freedom of a key changes by more than this in a step: metres or radians.
const LARGEST: f64 = 1.0;
/// A step below this is none.
const SMALL: f64 = 1e-7;
/// Halvings of a step, at most.
const HALVINGS: usize = 6;
/// Rounds in which a step settles the bounds it heeds, at most.
const ROUNDS: usize = 5;
/// The merit has settled where a step lowers it by less than this part: rows are met to the last digit by what comes after.
const SETTLED: f64 = 1e-3;
/// Below this part steps are mixed.
const NEAR: f64 = 0.05;

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
    let mut search = Search { problem, penalty, damping: 1.0, mix: Some(Mix::default()), is_near: false };
    let mut at = evaluate(problem, state, true);
    let mut merit = at.merit(problem, state, penalty);
    for steps in 0..most {
        progress.report("solving", steps as f64 / most as f64)?;
        if progress.is_stopped() {
            return Ok(Descent { steps, is_settled: false });
        }
        let Some(next) = search.step(state, &at, merit) else {
            return Ok(Descent { steps, is_settled: true });
        };
        let falls = merit - next.merit;
        *state = next.state;
        if next.largest < SMALL || falls <= SETTLED * merit {
            return Ok(Descent { steps: steps + 1, is_settled: true });
        }
        search.is_near = falls < NEAR * merit;
        at = evaluate(problem, state, true);
        merit = next.merit;
    }
    Ok(Descent { steps: most, is_settled: false })
}

/// One step, whether or not it lowers the merit much: for a hand that will ask again. Answers the rows where it led.
pub fn step_once(problem: &Problem<'_>, state: &mut State, penalty: &Penalty) -> Evaluated {
    let at = evaluate(problem, state, true);
    let merit = at.merit(problem, state, penalty);
    let mut search = Search { problem, penalty, damping: 1.0, mix: None, is_near: false };
    let Some(next) = search.step(state, &at, merit) else { return at };
    *state = next.state;
    next.at
}

/// A step that lowers the merit.
struct Taken {
    /// Where it leads.
    state: State,
    /// The rows there, without derivatives.
    at: Evaluated,
    /// The merit there.
    merit: f64,
    /// The largest change of a coefficient.
    largest: f64,
}

/// How the next step is looked for.
struct Search<'a, 'b> {
    problem: &'a Problem<'b>,
    penalty: &'a Penalty,
    damping: f64,
    /// The last steps, where they are remembered.
    mix: Option<Mix>,
    /// Whether steps are small enough to have something in common.
    is_near: bool,
}

impl Search<'_, '_> {
    /// A step to lower merit; none where there is none.
    fn step(&mut self, state: &State, at: &Evaluated, merit: f64) -> Option<Taken> {
        for _ in 0..8 {
            let Some(change) = self.change(state, at) else {
                self.damp(10.0);
                continue;
            };
            if let Some(found) = self.mixed(state, &change, merit) {
                return Some(found);
            }
            if let Some(found) = self.shortened(state, &change, merit) {
                return Some(found);
            }
            if largest_of(&change) < SMALL {
                return None;
            }
            self.damp(10.0);
        }
        None
    }

    /// The step that heeds the bounds it must; none where that has no solution.
    fn change(&self, state: &State, at: &Evaluated) -> Option<State> {
        let (problem, damping) = (self.problem, self.damping);
        let mut active = active::passed(at);
        let mut rounds = 0;
        loop {
            let weight = |rows: &Rows| {
                let counts = active::is_heeded(&active, rows);
                if counts { rows.weight(problem.firmness(rows.id), self.penalty) } else { 0.0 }
            };
            let step = Step { problem, at, state, weight: &weight, with_cost: true, damping };
            let change = step.solve().ok().filter(|change| largest_of(change).is_finite())?;
            let next = active::predicted(problem, at, &change);
            rounds += 1;
            if next == active || rounds == ROUNDS {
                return Some(change);
            }
            active = next;
        }
    }

    /// The step mixed with the last ones, if that lowers the merit.
    fn mixed(&mut self, state: &State, change: &State, merit: f64) -> Option<Taken> {
        let mix = self.mix.as_mut()?;
        mix.remember(state, change);
        let change = mix.step().filter(|change| self.is_near && largest_of(change) < LARGEST)?;
        let taken = self.tried(state, &change, 1.0, merit)?;
        self.damp(0.25);
        Some(taken)
    }

    /// As much of the step as lowers the merit.
    fn shortened(&mut self, state: &State, change: &State, merit: f64) -> Option<Taken> {
        let largest = largest_of(change);
        let mut s = (LARGEST / largest.max(LARGEST)).min(1.0);
        for _ in 0..HALVINGS {
            if let Some(taken) = self.tried(state, change, s, merit) {
                if s == 1.0 {
                    self.damp(0.25);
                }
                return Some(taken);
            }
            s *= 0.5;
        }
        None
    }

    /// A part of a step, if that lowers the merit.
    fn tried(&self, state: &State, change: &State, s: f64, merit: f64) -> Option<Taken> {
        let state = moved(state, change, s);
        let at = evaluate(self.problem, &state, false);
        let lower = at.merit(self.problem, &state, self.penalty);
        // No number is not lower.
        (lower < merit).then(|| Taken { state, at, merit: lower, largest: s * largest_of(change) })
    }

    /// Harder or softer steps from now on. Those that were damped otherwise have nothing in common with them.
    fn damp(&mut self, factor: f64) {
        let damping = (self.damping * factor).max(1.0);
        if damping != self.damping {
            self.damping = damping;
            self.mix = self.mix.take().map(|_| Mix::default());
        }
    }
}

/// The largest change of a coefficient.
fn largest_of(change: &State) -> f64 {
    change.x.iter().fold(0.0, |largest: f64, x| if x.is_nan() { f64::NAN } else { largest.max(x.abs()) })
}

/// state + s · change.
pub(super) fn moved(state: &State, change: &State, s: f64) -> State {
    State {
        x: state.x.iter().zip(&change.x).map(|(x, dx)| x + s * dx).collect(),
        places: state.places.iter().zip(&change.places).map(|(p, dp)| p + dp * s).collect(),
    }
}
