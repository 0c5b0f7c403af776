//! What became of a material.

use super::asked::{Asked, Found};
use super::matter::Material;
use crate::error::RowName;
use crate::path::Path;
use crate::rows::{Hold, Unmet};
use crate::sqp::{Ending, HandleError, Tolerance};
use supple_model::{Instant, Status};

/// What a step changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaterialStage {
    /// The motion alone.
    Motion,
    /// Stiffness and damping, and the motion with them.
    Stiffness,
    /// Shapes, and the motion with them.
    Shapes,
}

impl MaterialStage {
    /// Its word in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Motion => "motion",
            Self::Stiffness => "stiffness",
            Self::Shapes => "shapes",
        }
    }
}

/// How rounds ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    Settled,
    OutOfRounds,
    Stopped,
}

/// A step that was taken, and V after it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MaterialStep {
    /// What it changed.
    pub stage: MaterialStage,
    /// V: the force, and what soft handles, contacts and poses lack.
    pub energy: f64,
}

/// What a search has come to.
pub struct MaterialIterate<'a> {
    /// The round, from 1; 0 before the first.
    pub round: usize,
    /// The step that was taken.
    pub step: MaterialStep,
    pub(super) found: &'a Found,
}

impl MaterialIterate<'_> {
    /// The material.
    #[must_use]
    pub fn material(&self) -> &Material {
        &self.found.made.material
    }

    /// The motion, in the coordinates of the material's shapes.
    #[must_use]
    pub fn path(&self) -> Path {
        self.found.made.path(&self.found.state)
    }
}

/// What became of a pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoseReport {
    /// When.
    pub at: Instant,
    /// The part of it that the shapes cannot hold, 0 to 1, as a length in the scaled coordinates.
    pub missed: f64,
}

/// What became of handles, poses and material.
#[derive(Clone, Debug, PartialEq)]
pub struct MaterialReport {
    /// How it ended.
    pub status: Status,
    /// Rounds of all steps.
    pub rounds: usize,
    /// The steps that were taken, the first one is the motion of the start.
    pub steps: Vec<MaterialStep>,
    /// ½∫f², the force of the motion.
    pub energy: f64,
    /// What soft handles, contacts and poses lack: V less the force.
    pub penalty: f64,
    /// Frames in which each shape swings once without damping: at the start and now; infinite for rigid ones.
    pub periods: Vec<[f64; 2]>,
    /// d = 2δ of each shape, in the body's own time: at the start and now.
    pub damping: Vec<[f64; 2]>,
    /// How far handles are from their targets, in the order of their ids.
    pub errors: Vec<HandleError>,
    /// Hard coordinates farther from their targets than the tolerance.
    pub unmet: Vec<Unmet>,
    /// ‖z − P Jᵀλ‖/‖z‖: 0 where the motion is the least costly one of its material.
    pub stationarity: f64,
    /// What became of the poses, in their order.
    pub poses: Vec<PoseReport>,
}

impl MaterialReport {
    pub(super) fn of(
        asked: &Asked<'_>,
        (start, found): (&Material, &Found),
        (ended, rounds, steps): (Ended, usize, Vec<MaterialStep>),
        tolerance: Tolerance,
    ) -> Self {
        let made = &found.made;
        let close = tolerance.position * asked.settings.size;
        let (mut errors, mut unmet) = (Vec::new(), Vec::new());
        for held in &made.layout.held {
            let mut error = [0.0; 3];
            for (row, (axis, _)) in held.rows.clone().zip(held.goal.rows()) {
                error[axis] = -found.residual[row];
                if held.goal.hold == Hold::Hard && error[axis].abs() > close {
                    let row = RowName::Handle(held.goal.id, axis);
                    unmet.push(Unmet { row, residual: error[axis] });
                }
            }
            errors.push(HandleError { id: held.goal.id, error });
        }
        let soft = made.layout.errors(&found.state.edit.primal);
        for (held, error) in made.layout.held.iter().zip(&mut errors).filter(|(held, _)| held.soft.is_some())
        {
            for (row, (axis, _)) in held.rows.clone().zip(held.goal.rows()) {
                error.error[axis] -= soft[row];
            }
        }
        let penalty = found.penalty + asked.contact_penalty(made, &found.state) + made.rest;
        let dt = asked.time.dt;
        let both =
            |before: Vec<f64>, after: Vec<f64>| before.into_iter().zip(after).map(|(b, a)| [b, a]).collect();
        let damping = |material: &Material| material.modes().iter().map(|mode| 2.0 * mode.delta).collect();
        let poses =
            asked.poses.iter().map(|pose| PoseReport { at: pose.at, missed: pose.missed(&made.material) });
        Self {
            status: status(found.ending, ended, unmet.is_empty()),
            rounds,
            steps,
            energy: found.value - penalty,
            penalty,
            periods: both(start.periods(dt), made.material.periods(dt)),
            damping: both(damping(start), damping(&made.material)),
            errors,
            unmet,
            stationarity: found.stationarity,
            poses: poses.collect(),
        }
    }
}

fn status(ending: Ending, ended: Ended, is_met: bool) -> Status {
    match (ended, ending) {
        (Ended::Stopped, _) | (_, Ending::Stopped) => Status::Stopped,
        (_, Ending::OutOfReach) => Status::Compromise,
        (_, Ending::Stalled) if !is_met => Status::Stalled,
        (_, Ending::Unfinished) | (Ended::OutOfRounds, _) => Status::Unfinished,
        (_, Ending::Stalled) => Status::Stalled,
        (Ended::Settled, Ending::Settled) if is_met => Status::Settled,
        (Ended::Settled, Ending::Settled) => Status::Compromise,
    }
}
