//! `prepare`: the modes of a shot file's body, and its input motion where that is simulated, in one call.

use crate::body::Body;
use crate::cache::Cache;
use crate::method::{EditError, control, material};
use crate::modes::{PreparedModes, check_modes, prepare_modes, prepare_modes_of};
use crate::motion::{InputMotion, MotionError};
use crate::open::{InShot, NameShot, OpenError, open};
use crate::shot::{Feel, Input, Method, Shot};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use supple_elastic::EigenError;
use supple_model::Progress;

/// What is prepared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PrepareOptions {
    /// How many modes, instead of the shot's.
    pub modes: Option<usize>,
}

/// What was prepared: what `supple prepare --json` prints.
#[derive(Clone, Debug, Serialize)]
pub struct PrepareAnswer {
    /// The shot file.
    pub shot: PathBuf,
    /// Vertices of the body.
    pub vertices: usize,
    /// Its elements.
    pub elements: usize,
    /// What they are called.
    pub element_kind: &'static str,
    /// How many vertices are held.
    pub anchors: usize,
    /// Coordinates that are free.
    pub degrees_of_freedom: usize,
    /// How many modes.
    pub modes: usize,
    /// How many of them do not deform the body.
    pub rigid_modes: usize,
    /// The frequency of each, Hz.
    pub frequencies: Vec<f64>,
    /// The largest relative residual ‖Kφ − λMφ‖.
    pub worst_residual: f64,
    /// How far the modes are from orthonormal.
    pub orthonormality: f64,
    /// Where eigenvalues were counted, 1/s².
    pub count_below: f64,
    /// How many there are below it.
    pub counted: usize,
    /// How many of those were found.
    pub found: usize,
    /// Whether the modes were read, not computed.
    pub from_cache: bool,
    /// How long the modes took.
    pub seconds: f64,
    /// The input motion; `None` unless it is simulated.
    pub input: Option<PreparedInput>,
    /// Poses, basis and reduced forces; `None` unless the method is `control`.
    pub control: Option<control::Prepared>,
    /// The reduced warp; `None` unless the method is `material`.
    pub material: Option<material::Prepared>,
    /// What was wrong with the cache of the modes.
    pub warnings: Vec<String>,
}

/// A simulated input motion.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PreparedInput {
    /// How many frames.
    pub frames: usize,
    /// How many contacts, summed over frames.
    pub contacts: usize,
    /// Whether it was read, not computed.
    pub from_cache: bool,
    /// How long it took.
    pub seconds: f64,
}

/// Why the modes of a shot's body were not found.
#[derive(Debug, thiserror::Error)]
pub enum ModesFailed {
    /// They do not fit into this machine.
    #[error(transparent)]
    Memory(#[from] InShot<MotionError>),
    /// There are not as many, or they were not found.
    #[error("{}: {problem}{}", shot.display(), way_out(problem))]
    Eigen {
        /// The shot file.
        shot: PathBuf,
        /// Why not.
        problem: EigenError,
    },
}

fn way_out(problem: &EigenError) -> &'static str {
    match problem {
        EigenError::TooMany { .. } => "; lower --modes, or `modes` in [edit]",
        _ => "",
    }
}

/// Why a shot was not prepared.
#[derive(Debug, thiserror::Error)]
pub enum PrepareFailed {
    /// The shot cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The modes were not found.
    #[error(transparent)]
    Modes(#[from] ModesFailed),
    /// The modes that smooth edits are made of were not found.
    #[error(transparent)]
    EditModes(#[from] InShot<EigenError>),
    /// There is no input motion.
    #[error(transparent)]
    Input(#[from] InShot<MotionError>),
    /// The poses of a controlled motion, what it is made of, or the reduced warp of another cannot be had.
    #[error(transparent)]
    Method(#[from] InShot<EditError>),
}

/// Computes the modes of the shot in the file `path`, and its input motion where that is simulated, unless they are in
/// its cache. What is wrong with the cache is told to `progress`.
///
/// # Errors
/// See [`PrepareFailed`].
pub fn prepare(
    path: &Path,
    options: &PrepareOptions,
    progress: &Progress,
) -> Result<PrepareAnswer, PrepareFailed> {
    let start = Instant::now();
    let (shot, body) = open(path, progress)?;
    let is_controlled = shot.edit.method == Method::Control;
    let own = match is_controlled {
        true => shot.edit.control_settings().map_err(OpenError::from)?.basis.modes.max(1),
        false => shot.edit.modes,
    };
    let count = options.modes.unwrap_or(own);
    let simulated = shot.motion.input == Input::Simulate;
    let is_material = shot.edit.method == Method::Material;
    let share = if simulated || is_controlled || is_material { 0.2 } else { 1.0 };
    let prepared = modes(path, &body, count, &progress.part(0.0, share))?;
    if shot.edit.feel == Feel::Smooth && !is_controlled && !is_material {
        // Vibration is what is reported; smooth edits are made of other modes.
        prepare_edit(path, &shot, &body, count, progress)?;
    }
    let mut answer = PrepareAnswer::of(path, &body, &prepared, start.elapsed().as_secs_f64());
    if simulated {
        let end = if is_material { 0.6 } else { 1.0 };
        answer.input = Some(input(path, &shot, &body, &progress.part(share, end))?);
    }
    if is_material {
        let (body, cache) = (Arc::new(body), Cache::of_shot(path));
        answer.material = material::prepare(&shot, body, &cache, &progress.part(0.6, 1.0)).in_shot(path)?;
        answer.seconds = start.elapsed().as_secs_f64();
        return Ok(answer);
    }
    if is_controlled {
        let (body, cache) = (Arc::new(body), Cache::of_shot(path));
        let prepared = control::prepare(&shot, &body, &cache, &progress.part(share, 1.0)).in_shot(path)?;
        answer.control = Some(prepared);
        answer.seconds = start.elapsed().as_secs_f64();
    }
    Ok(answer)
}

/// The modes of a shot's body, from its cache or computed; errors name the shot, warnings go to `progress`.
pub(crate) fn modes(
    path: &Path,
    body: &Body,
    count: usize,
    progress: &Progress,
) -> Result<PreparedModes, ModesFailed> {
    check_modes(body, count).in_shot(path)?;
    let prepared = prepare_modes(body, count, &Cache::of_shot(path), progress)
        .map_err(|problem| ModesFailed::Eigen { shot: path.to_path_buf(), problem })?;
    prepared.warnings.iter().for_each(|warning| progress.warn(warning));
    Ok(prepared)
}

/// Puts the modes that smooth edits are made of into the cache.
fn prepare_edit(
    path: &Path,
    shot: &Shot,
    body: &Body,
    count: usize,
    progress: &Progress,
) -> Result<(), PrepareFailed> {
    check_modes(body, count).in_shot(path)?;
    let cache = Cache::of_shot(path);
    let prepared =
        prepare_modes_of(body, &body.free, shot.edit.feel, count, &cache, progress).in_shot(path)?;
    prepared.warnings.iter().for_each(|warning| progress.warn(warning));
    Ok(())
}

/// Simulates the input motion, unless that is in the cache.
fn input(path: &Path, shot: &Shot, body: &Body, progress: &Progress) -> Result<PreparedInput, PrepareFailed> {
    let start = Instant::now();
    let motion = InputMotion::open(shot, body, &Cache::of_shot(path), progress).in_shot(path)?;
    motion.warnings.iter().for_each(|warning| progress.warn(warning));
    Ok(PreparedInput {
        frames: motion.clock.frames,
        contacts: motion.contacts.len(),
        from_cache: motion.from_cache,
        seconds: start.elapsed().as_secs_f64(),
    })
}

impl PrepareAnswer {
    /// What the modes of a body turned out to be, after `seconds`.
    fn of(shot: &Path, body: &Body, prepared: &PreparedModes, seconds: f64) -> Self {
        let modes = &prepared.modes;
        let certificate = modes.certificate();
        Self {
            shot: shot.to_path_buf(),
            vertices: body.positions().len(),
            elements: body.matter.elements(),
            element_kind: body.matter.element_name(),
            anchors: body.anchors.len(),
            degrees_of_freedom: 3 * body.free.vertices().len(),
            modes: modes.count(),
            rigid_modes: modes.rigid(),
            frequencies: (0..modes.count()).map(|k| modes.frequency(k)).collect(),
            worst_residual: certificate.residuals.iter().copied().fold(0.0, f64::max),
            orthonormality: certificate.orthonormality,
            count_below: certificate.count_shift,
            counted: certificate.counted,
            found: certificate.found,
            from_cache: prepared.from_cache,
            seconds,
            input: None,
            control: None,
            material: None,
            warnings: prepared.warnings.iter().map(ToString::to_string).collect(),
        }
    }
}
