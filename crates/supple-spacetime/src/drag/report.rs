//! What became of the handles.

use super::starts::StartPoint;
use crate::HandleId;
use crate::error::{RowName, SpacetimeError};
use crate::rows::{Hold, Unmet};
use crate::sqp::{Ending, HandleError, Outcome, Problem, State, Tolerance};
use supple_model::Status;

/// Handles of which a row is left out by more than this are reported.
const REDUNDANT: f64 = 0.05;

/// What became of the handles.
#[derive(Clone, Debug, PartialEq)]
pub struct DragReport {
    /// How it ended.
    pub status: Status,
    /// Iterations of this solution.
    pub iterations: usize,
    /// The errors of all handles, soft ones too, in the order of ids.
    pub errors: Vec<HandleError>,
    /// ‖z − P Jᵀλ‖/‖z‖: 0 where the edit is the least costly one.
    pub stationarity: f64,
    /// What the path costs; the errors of soft contacts included.
    pub energy: f64,
    /// ½ Σ w e² of the soft handles' errors e.
    pub penalty: f64,
    /// Handles that nearly repeat others or the contacts, or that nothing moves in some direction.
    pub redundant: Vec<HandleId>,
    /// Hard coordinates farther from their targets than the tolerance.
    pub unmet: Vec<Unmet>,
    /// The edits that a release chose from, in the order they were tried; none for a step of a drag.
    pub starts: Vec<StartReport>,
}

/// An edit that a release found from one start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StartReport {
    /// Where it began.
    pub start: StartPoint,
    /// What the path costs.
    pub energy: f64,
    /// How it ended.
    pub status: Status,
    /// Whether it is the one that was kept.
    pub kept: bool,
}

impl DragReport {
    /// What became of the handles in a state.
    ///
    /// # Errors
    /// When the readout is not finite there.
    pub(super) fn of(
        problem: &Problem<'_>,
        state: &mut State,
        outcome: Outcome,
        tolerance: Tolerance,
    ) -> Result<Self, SpacetimeError> {
        let (layout, tangent) = (problem.layout, problem.tangent(state)?);
        let Outcome { ending, iterations, gap } = outcome;
        let close = tolerance.position * problem.size;
        let errors = layout.handle_errors(&tangent.value);
        let mut redundant = Vec::new();
        let mut unmet = Vec::new();
        for ((held, dropped), found) in layout.held.iter().zip(&tangent.dropped).zip(&errors) {
            for (axis, _) in held.goal.rows() {
                let residual = found.error[axis];
                if held.goal.hold == Hold::Hard && residual.abs() > close {
                    unmet.push(Unmet { row: RowName::Handle(held.goal.id, axis), residual });
                }
            }
            if *dropped > REDUNDANT {
                redundant.push(held.goal.id);
            }
        }
        let penalty = layout.penalty(&state.edit);
        let status = match ending {
            Ending::Settled if unmet.is_empty() => Status::Settled,
            Ending::Settled | Ending::OutOfReach => Status::Compromise,
            Ending::Unfinished => Status::Unfinished,
            Ending::Stalled => Status::Stalled,
            Ending::Stopped => Status::Stopped,
        };
        Ok(Self {
            status,
            iterations,
            errors,
            stationarity: if gap.size > 0.0 { gap.gradient / gap.size } else { 0.0 },
            energy: layout.base_cost + 0.5 * gap.size * gap.size - penalty,
            penalty,
            redundant,
            unmet,
            starts: Vec::new(),
        })
    }
}
