//! The solution that a document has, whatever was dragged where before.
//!
//! Exact handles may settle in a fold: a minimum, but not the best one. So an edit is measured by the linear one moved
//! onto the handles ([`super::starts`]), E₀:
//!
//! ```text
//! solve from zero, and from beside every saddle that leads to                              [solve, saddle]
//! for each other start, while the best edit is not settled, costs more than 1.2 E₀, or turns elements inside out
//! that the input has right:
//!   solve from there in the same way
//!   it is the best one if it meets the handles and the best one did not; or if both do, and it costs less; or if
//!   neither does, and it is nearer, or as near and costs less
//! ```
//!
//! Stopped, no other start is tried, and the best so far is kept.
//!
//! E₀ itself is one of these edits, so that no more is paid where it meets the handles. Where the first solution costs
//! little more than the linear edit before it is moved, E₀ is not looked for: what moves it onto the handles takes a
//! third as long as the solution.

use super::report::{DragReport, StartReport};
use super::settings::DragSettings;
use super::starts::StartPoint;
use crate::error::SpacetimeError;
use crate::sqp::{Ending, Outcome, Problem, State, Vector, largest};
use supple_model::Progress;

/// How often a way down is looked for.
const DESCENTS: usize = 3;
/// By which part a found edit must be better.
const BETTER: f64 = 1e-6;
/// How much more than the linear edit, restored or not, a solution may cost before another start is tried.
const DEAR: f64 = 1.2;
/// Edits that miss their handles are as near as each other within this part of the size.
const AS_NEAR: f64 = 1e-3;
/// The parts of the progress that starts take.
const SHARES: [f64; 4] = [0.0, 0.4, 0.7, 1.0];

/// A problem, and how exactly it is to be solved.
pub(super) struct Release<'a> {
    pub problem: Problem<'a>,
    pub settings: &'a DragSettings,
}

/// An edit that may be the one.
struct Candidate {
    start: StartPoint,
    state: State,
    outcome: Outcome,
}

impl Release<'_> {
    /// Solves to the tolerance of a release, from as many starts as it takes.
    ///
    /// # Errors
    /// When the readout is not finite at zero, or the caller cancels.
    pub fn solve(&self, progress: &Progress) -> Result<(State, DragReport), SpacetimeError> {
        let share = |start: usize| progress.part(SHARES[start], SHARES[start + 1]);
        let mut zero = State::at(Vector::zero(self.problem.layout.length()));
        self.problem.tangent(&mut zero)?;
        let mut tried = vec![self.settled(StartPoint::Zero, zero.clone(), &share(0))?];
        progress.check()?;
        let linear = self.linear(&mut zero)?;
        let mut best = 0;
        if progress.is_stopped() {
            tried.extend(self.first_aid(&mut zero, linear, &tried[0]));
            best = self.best(&tried);
            return self.reported(tried, best);
        }
        if self.is_natural(&tried[0], DEAR * linear.dot(&linear)) {
            return self.reported(tried, best);
        }
        let mut restored = self.restored(&mut zero, linear);
        let yardstick = restored.as_ref().map_or(0.0, |state| DEAR * state.edit.dot(&state.edit));
        if !self.is_natural(&tried[0], yardstick) {
            if let Some(state) = &mut restored {
                progress.check()?;
                tried.extend(self.candidate(state)?);
                tried.push(self.settled(StartPoint::Linear, State::at(state.edit.clone()), &share(1))?);
            }
            best = self.best(&tried);
            if !self.is_natural(&tried[best], yardstick)
                && !progress.is_stopped()
                && let Some(state) = self.one_by_one(&share(2).part(0.0, 0.5))?
            {
                tried.push(self.settled(StartPoint::OneByOne, state, &share(2).part(0.5, 1.0))?);
                best = self.best(&tried);
            }
        }
        self.reported(tried, best)
    }

    /// Solves from an edit that is nearly the one.
    ///
    /// # Errors
    /// As [`Self::solve`].
    pub fn go_on(&self, edit: Vector, progress: &Progress) -> Result<(State, DragReport), SpacetimeError> {
        let found = self.settled(StartPoint::Before, State::at(edit), progress)?;
        self.reported(vec![found], 0)
    }

    /// Solves from one start, and looks for ways down where that leads to a saddle.
    fn settled(
        &self,
        start: StartPoint,
        mut state: State,
        progress: &Progress,
    ) -> Result<Candidate, SpacetimeError> {
        let (tolerance, iterations) = (self.settings.release, self.settings.release_iterations);
        let mut outcome = self.problem.solve(&mut state, tolerance, iterations, progress)?;
        let mut used = outcome.iterations;
        for _ in 0..DESCENTS {
            if outcome.ending != Ending::Settled {
                break;
            }
            progress.check()?;
            let tangent = self.problem.tangent(&mut state)?;
            let Some(aside) = self.problem.aside(&state, &tangent, &outcome.gap) else { break };
            let mut other = State::at(aside);
            let found = self.problem.solve(&mut other, tolerance, iterations, progress)?;
            used += found.iterations;
            if !self.is_better(&found, &outcome) {
                break;
            }
            (state, outcome) = (other, found);
        }
        outcome.iterations = used;
        Ok(Candidate { start, state, outcome })
    }

    /// The linear edit moved onto the handles, where a solution was stopped: it costs little, and first steps may lead
    /// away from the handles.
    fn first_aid(&self, zero: &mut State, linear: Vector, stopped: &Candidate) -> Option<Candidate> {
        let mut state = self.restored(zero, linear).filter(|_| stopped.outcome.ending == Ending::Stopped)?;
        let tangent = self.problem.tangent(&mut state).ok()?;
        let outcome =
            Outcome { ending: Ending::Stopped, iterations: 0, gap: self.problem.gap(&state, &tangent) };
        Some(Candidate { start: StartPoint::Restored, state, outcome })
    }

    /// The restored linear edit as it is, if it meets the handles.
    fn candidate(&self, state: &mut State) -> Result<Option<Candidate>, SpacetimeError> {
        let tangent = self.problem.tangent(state)?;
        let gap = self.problem.gap(state, &tangent);
        let found = Outcome { ending: Ending::Stalled, iterations: 0, gap };
        let meets = self.meets(&found);
        Ok(meets.then(|| Candidate { start: StartPoint::Restored, state: state.clone(), outcome: found }))
    }

    /// Whether there is no reason to look for another edit, ‖u‖² being what it may be.
    fn is_natural(&self, found: &Candidate, most: f64) -> bool {
        let size = found.outcome.gap.size;
        found.outcome.ending == Ending::Settled
            && self.meets(&found.outcome)
            && size * size <= most
            && self.inverted(&found.state.edit) == 0
    }

    /// Whether the targets are met to the tolerance of a release.
    fn meets(&self, outcome: &Outcome) -> bool {
        largest(&outcome.gap.residual) <= self.settings.release.position * self.settings.size
    }

    /// The best of some edits, the first of equal ones.
    fn best(&self, tried: &[Candidate]) -> usize {
        let mut best = 0;
        for (number, found) in tried.iter().enumerate().skip(1) {
            let (found, known) = (&found.outcome, &tried[best].outcome);
            let (near, before) = (largest(&found.gap.residual), largest(&known.gap.residual));
            let as_near = AS_NEAR * self.settings.size;
            let is_cheaper = found.gap.size < (1.0 - BETTER) * known.gap.size;
            let is_better = match (self.meets(found), self.meets(known)) {
                (true, true) => is_cheaper,
                (true, false) => true,
                (false, true) => false,
                (false, false) => near < before - as_near || (near < before + as_near && is_cheaper),
            };
            if is_better {
                best = number;
            }
        }
        best
    }

    /// What became of the best edit, and of the others.
    fn reported(&self, tried: Vec<Candidate>, best: usize) -> Result<(State, DragReport), SpacetimeError> {
        let mut starts = Vec::with_capacity(tried.len());
        let mut kept = None;
        let used = tried.iter().map(|found| found.outcome.iterations).sum();
        for (number, found) in tried.into_iter().enumerate() {
            let Candidate { start, mut state, outcome } = found;
            let report = DragReport::of(&self.problem, &mut state, outcome, self.settings.release)?;
            let (energy, status) = (report.energy, report.status);
            starts.push(StartReport { start, energy, status, kept: number == best });
            if number == best {
                kept = Some((state, report));
            }
        }
        let (state, report) = kept.expect("the best edit is one of those tried");
        Ok((state, DragReport { starts, iterations: used, ..report }))
    }

    /// Whether one solution is nearer to the targets than another, or as near and less costly.
    fn is_better(&self, found: &Outcome, known: &Outcome) -> bool {
        let (near, before) = (largest(&found.gap.residual), largest(&known.gap.residual));
        let close = self.settings.release.position * self.settings.size;
        if near < (1.0 - BETTER) * before - close {
            return true;
        }
        found.ending == Ending::Settled
            && near <= before + close
            && found.gap.size < (1.0 - BETTER) * known.gap.size
    }
}
