//! `pose`: the equilibrium of a shot file's body under its loads and pins, found and written, in one call.

use crate::motion::MotionError;
use crate::open::{InShot, NameShot, OpenError, moving, open};
use crate::outputs::{Overwrites, Reads, beside};
use crate::pose::{self, PoseFormat, save_pose, save_reactions};
use crate::simulate::SimulateError;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Instant;
use supple_elastic::{PoseReport, Status};
use supple_model::Progress;

/// What acts on the body, and what of it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PoseOptions {
    /// Gravity acts, too.
    pub weight: bool,
    /// The skin, not the body.
    pub skin: bool,
}

/// What a pose came to: what `supple pose --json` prints.
#[derive(Clone, Debug, Serialize)]
pub struct PoseAnswer {
    /// The shot file.
    pub shot: PathBuf,
    /// The pose, a mesh.
    pub output: PathBuf,
    /// How many vertices it has.
    pub vertices: usize,
    /// The stages, one after the other, as far as the body carries them.
    pub stages: Vec<PoseStage>,
    /// How many stages there are.
    pub asked: usize,
    /// The table of the forces of anchors and pins.
    pub reactions_file: PathBuf,
    /// How many vertices they act on.
    pub reactions: usize,
    /// How long it took.
    pub seconds: f64,
}

/// A stage of a pose.
#[derive(Clone, Debug, Serialize)]
pub struct PoseStage {
    /// `converged`, `rounding`, `unfinished` or `diverged`.
    pub status: &'static str,
    /// The share of its load that the body carries.
    pub fraction: f64,
    /// Iterations of Newton's method.
    pub iterations: usize,
    /// Factorizations.
    pub factorizations: usize,
    /// What is left of the forces, N.
    pub residual: f64,
    /// The strain energy, J.
    pub strain_energy: f64,
    /// The force that nothing holds the body against, and that was ignored, N.
    pub removed_force: [f64; 3],
    /// The same for the torque, N m.
    pub removed_torque: [f64; 3],
    /// Whether it is solved.
    #[serde(skip)]
    pub is_solved: bool,
}

/// Why there is no pose. A body that cannot carry its load is none of these: see [`PoseAnswer::failure`].
#[derive(Debug, thiserror::Error)]
pub enum PoseFailed {
    /// The shot cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// Nothing acts on the body.
    #[error("{}: no force acts on the body; add a [[load]], or add gravity with --weight", shot.display())]
    NoForce {
        /// The shot file.
        shot: PathBuf,
    },
    /// A file that the shot reads was to be written.
    #[error(transparent)]
    Overwrites(#[from] Overwrites),
    /// A load or pin is wrong.
    #[error(transparent)]
    Pose(#[from] InShot<SimulateError>),
    /// The pose cannot be written.
    #[error(transparent)]
    Output(#[from] MotionError),
}

/// Finds the equilibrium of the body of the shot in the file `path`, and writes it to `output`, a mesh, with the forces
/// of anchors and pins in a table beside it.
///
/// # Errors
/// See [`PoseFailed`].
pub fn pose(
    path: &Path,
    output: &Path,
    options: &PoseOptions,
    progress: &Progress,
) -> Result<PoseAnswer, PoseFailed> {
    let begin = Instant::now();
    let (shot, body) = open(path, progress)?;
    let of = moving(path, &body, options.skin)?;
    if shot.loads.is_empty() && !options.weight {
        return Err(PoseFailed::NoForce { shot: path.to_path_buf() });
    }
    PoseFormat::of(output)?;
    let reactions_file = beside(output, ".reactions.csv");
    Reads::of(&shot).spared_by(&[output.to_path_buf(), reactions_file.clone()])?;
    let outcome = pose::pose(&shot, &body, options.weight, progress).in_shot(path)?;
    let vertices = save_pose(output, &body, of, &outcome.positions)?;
    let reactions = outcome.stages.last().map(|stage| stage.reactions.as_slice()).unwrap_or_default();
    save_reactions(&reactions_file, reactions)?;
    Ok(PoseAnswer {
        shot: path.to_path_buf(),
        output: output.to_path_buf(),
        vertices,
        stages: outcome.stages.iter().map(PoseStage::of).collect(),
        asked: outcome.asked,
        reactions_file,
        reactions: reactions.len(),
        seconds: begin.elapsed().as_secs_f64(),
    })
}

impl PoseAnswer {
    /// How the body gives way, where it does not carry its load.
    #[must_use]
    pub fn failure(&self) -> Option<String> {
        let last = self.stages.last().filter(|stage| !stage.is_solved)?;
        Some(format!(
            "{}: stage {} of {} diverges: the body carries only {:.1} % of the load of that stage; the pose \
             it reached is in {}; lower the load, or make the body stiffer",
            self.shot.display(),
            self.stages.len(),
            self.asked,
            100.0 * last.fraction,
            self.output.display()
        ))
    }
}

/// What a status is called.
pub(super) fn word(status: Status) -> &'static str {
    match status {
        Status::Converged => "converged",
        Status::Rounding => "rounding",
        Status::Unfinished => "unfinished",
        Status::Diverged => "diverged",
    }
}

impl PoseStage {
    fn of(report: &PoseReport) -> Self {
        Self {
            status: word(report.status),
            fraction: report.fraction,
            iterations: report.iterations,
            factorizations: report.factorizations,
            residual: report.residual,
            strain_energy: report.strain_energy,
            removed_force: report.removed.force.into(),
            removed_torque: report.removed.torque.into(),
            is_solved: report.status.is_solved(),
        }
    }
}
