//! The solution that a document has, whatever was dragged where before.

use super::report::DragReport;
use super::solve::{Ending, Outcome, Problem, State, largest};
use super::vector::Vector;
use crate::error::SpacetimeError;
use supple_model::Progress;

/// How often a way down is looked for.
const DESCENTS: usize = 3;
/// By which part a found edit must be better.
const BETTER: f64 = 1e-6;

impl Problem<'_> {
    /// Solves from nothing to the tolerance of a release, and looks for ways down where that leads to a saddle.
    ///
    /// # Errors
    /// When the readout is not finite, or the caller cancels.
    pub fn release(&self, progress: &Progress) -> Result<(State, DragReport), SpacetimeError> {
        let (tolerance, iterations) = (self.settings.release, self.settings.release_iterations);
        let mut state = State::at(Vector::zero(self.layout.length()));
        let mut outcome = self.solve(&mut state, tolerance, iterations, progress)?;
        let mut used = outcome.iterations;
        for _ in 0..DESCENTS {
            if outcome.ending != Ending::Settled {
                break;
            }
            progress.check()?;
            let tangent = self.tangent(&mut state)?;
            let Some(aside) = self.aside(&state, &tangent, &outcome.gap) else { break };
            let mut other = State::at(aside);
            let found = self.solve(&mut other, tolerance, iterations, progress)?;
            used += found.iterations;
            if !self.is_better(&found, &outcome) {
                break;
            }
            (state, outcome) = (other, found);
        }
        outcome.iterations = used;
        let report = self.report(&mut state, outcome, tolerance)?;
        Ok((state, report))
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
