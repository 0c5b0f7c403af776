//! `fit`: poses of a shot file's body from deformed skins, found and written, in one call.

use super::MotionOutput;
use super::pose::word;
use crate::body::Body;
use crate::fit::{self, FitOptions, Skins};
use crate::motion::{MotionError, Moving};
use crate::open::{OpenError, open};
use crate::outputs::{Overwrites, Reads};
use crate::pose::save_pose;
use crate::shot::{Motion, Shot};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Instant;
use supple_elastic::{FitReport, FitSettings, Smoothness};
use supple_model::{Clock, Frame, Progress};

/// How a body is fitted to a skin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkinFitOptions {
    /// Weight of the strain energy against the distance to the skin (no unit).
    pub smoothness: f64,
    /// Whether a skin vertex counts by the area around it.
    pub by_area: bool,
}

impl Default for SkinFitOptions {
    fn default() -> Self {
        Self { smoothness: 1e-3, by_area: false }
    }
}

/// What a fit came to: what `supple pose --fit --json` prints.
#[derive(Clone, Debug, Serialize)]
pub struct FitAnswer {
    /// The shot file.
    pub shot: PathBuf,
    /// The pose, or the motion.
    pub output: PathBuf,
    /// Vertices of the body.
    pub vertices: usize,
    /// Its poses.
    pub poses: Vec<FittedPose>,
    /// How long it took.
    pub seconds: f64,
}

/// A pose of a body that was fitted to a skin.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct FittedPose {
    /// `converged`, `rounding`, `unfinished` or `diverged`.
    pub status: &'static str,
    /// Iterations of Newton's method.
    pub iterations: usize,
    /// Root mean square of the distances to the skin, m.
    pub skin_rms: f64,
    /// The largest, m.
    pub skin_max: f64,
    /// The strain energy, J.
    pub strain_energy: f64,
    /// Whether it is solved.
    #[serde(skip)]
    pub is_solved: bool,
}

/// Why a body was not fitted.
#[derive(Debug, thiserror::Error)]
pub enum FitFailed {
    /// The shot cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A file that is read was to be written.
    #[error(transparent)]
    Overwrites(#[from] Overwrites),
    /// The skins cannot be read or fitted to, or the poses not be written.
    #[error(transparent)]
    Motion(#[from] MotionError),
}

/// Fits the body of the shot in the file `path` to the deformed skins in the file `skins`, and writes its poses to
/// `output`: a mesh of a mesh, a motion of a motion. What was done until the work is cancelled is kept.
///
/// # Errors
/// See [`FitFailed`].
pub fn fit(
    path: &Path,
    skins: &Path,
    output: &Path,
    options: &SkinFitOptions,
    progress: &Progress,
) -> Result<FitAnswer, FitFailed> {
    let begin = Instant::now();
    let settings =
        FitSettings { smoothness: Smoothness::Relative(options.smoothness), ..FitSettings::default() };
    let options = FitOptions { settings, by_area: options.by_area };
    let (shot, body) = open(path, progress)?;
    let reads = Reads::of(&shot).and(skins);
    reads.spared_by(&[output.to_path_buf()])?;
    let Skins { mut frames, time } = Skins::open(&body, skins)?;
    let count = frames.frames();
    let mut motion = time.map(|time| create(output, &shot, &body, &reads, time, count)).transpose()?;
    let mut poses = Vec::new();
    let each = |positions: &[[f64; 3]], report: &FitReport| {
        poses.push(FittedPose::of(report));
        match &mut motion {
            Some(motion) => Ok(motion.write(positions, &[])?),
            None => save_pose(output, &body, Moving::Body, positions).map(|_| ()),
        }
    };
    let result = fit::fit(&body, frames.as_mut(), options, each, progress);
    // Whatever was done is kept.
    if let Some(motion) = motion.filter(|motion| motion.frames() > 0) {
        motion.finish()?;
    }
    result?;
    let (shot, output, vertices) = (path.to_path_buf(), output.to_path_buf(), body.positions().len());
    Ok(FitAnswer { shot, output, vertices, poses, seconds: begin.elapsed().as_secs_f64() })
}

/// The motion of the body, from the first frame of its skins on.
fn create<'a>(
    output: &Path,
    shot: &Shot,
    body: &'a Body,
    reads: &Reads,
    (start, fps): (Frame, Option<f64>),
    frames: usize,
) -> Result<MotionOutput<'a>, FitFailed> {
    let fps = shot.motion.fps.or(fps).unwrap_or(Motion::FPS);
    reads.spared_by_motion(output, start.0)?;
    Ok(MotionOutput::create(output, body, Moving::Body, Clock { start, frames, fps })?)
}

impl FittedPose {
    fn of(report: &FitReport) -> Self {
        Self {
            status: word(report.status),
            iterations: report.iterations,
            skin_rms: report.skin_rms,
            skin_max: report.skin_max,
            strain_energy: report.strain_energy,
            is_solved: report.status.is_solved(),
        }
    }
}
