//! `simulate`: a body set in motion as its shot file says, and written, in one call.

use super::MotionOutput;
use crate::Cache;
use crate::body::Body;
use crate::method::EditError;
use crate::method::control::replay;
use crate::motion::{MotionError, Moving};
use crate::open::{InShot, NameShot, OpenError, moving, points};
use crate::shot::{Method, Shot};
use crate::simulate::{SimulateError, Simulator};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use supple_model::text::count;
use supple_model::{Clock, Progress};

/// What of a simulation is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SimulateOptions {
    /// How many frames, instead of the shot's.
    pub frames: Option<usize>,
    /// The skin, not the body.
    pub skin: bool,
    /// The reduced body of a shot of the method `control` under the forces in this file, pushed by the shot's loads.
    pub forces: Option<PathBuf>,
    /// With forces: the motion of the shot is held against pushes.
    pub track: bool,
}

/// What a simulation came to: what `supple simulate --json` prints.
#[derive(Clone, Debug, Serialize)]
pub struct SimulateAnswer {
    /// The shot file.
    pub shot: PathBuf,
    /// The motion.
    pub output: PathBuf,
    /// What its points are: `body` or `skin`.
    pub points: &'static str,
    /// How many there are.
    pub vertices: usize,
    /// How many frames.
    pub frames: usize,
    /// The number of the first.
    pub start: i32,
    /// Frames per second.
    pub fps: f64,
    /// The table of contacts beside the motion.
    pub contacts_file: Option<PathBuf>,
    /// How many contacts there are, summed over frames.
    pub contacts: usize,
    /// Vertices of what was simulated: the body, or its cage.
    pub simulated_vertices: usize,
    /// Whether a cage was.
    pub cage: bool,
    /// Time steps.
    pub steps: usize,
    /// Newton iterations of all of them.
    pub iterations: usize,
    /// Factorizations; more than iterations where a body wanted to buckle.
    pub factorizations: usize,
    /// Steps that had to be cut in halves, each time counted.
    pub cuts: usize,
    /// The most pieces in which a step was taken to keep the energy.
    pub pieces: usize,
    /// Steps that were damped, so that no vibration is fed.
    pub damped: usize,
    /// Steps that did not converge to the tolerance, and were taken as they are.
    pub unsolved: usize,
    /// How long it took.
    pub seconds: f64,
}

/// Why a simulation did not come to its end.
#[derive(Debug, thiserror::Error)]
pub enum SimulateFailed {
    /// The shot cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The motion cannot be written.
    #[error(transparent)]
    Output(#[from] MotionError),
    /// The body cannot be simulated, or not any further.
    #[error(transparent)]
    Simulate(#[from] InShot<SimulateError>),
    /// Forces cannot be replayed.
    #[error(transparent)]
    Replay(#[from] InShot<EditError>),
    /// There is nothing to track.
    #[error("--track needs --forces")]
    Track,
    /// Forces for another method.
    #[error("{}: --forces is for the method \"control\", and this shot's method is {method:?}", shot.display())]
    NotControl {
        /// The shot file.
        shot: PathBuf,
        /// The method.
        method: &'static str,
    },
    /// A length that is that of the forces.
    #[error("--frames cannot be combined with --forces, which say how many frames there are")]
    Frames,
    /// Nor can the frames be kept that were done until then.
    #[error("{output}: {source}")]
    NotKept {
        /// Why they cannot be written.
        output: Box<MotionError>,
        /// Why there are no more.
        source: InShot<SimulateError>,
    },
}

/// Simulates the body of the shot in the file `path` and writes its motion to `output`, the format told by the ending,
/// and its contacts beside it. When the work is cancelled or fails on the way, the frames that were done are kept, and
/// `progress` is told so.
///
/// # Errors
/// See [`SimulateFailed`].
pub fn simulate(
    path: &Path,
    output: &Path,
    options: &SimulateOptions,
    progress: &Progress,
) -> Result<SimulateAnswer, SimulateFailed> {
    let begin = Instant::now();
    match (&options.forces, options.track, options.frames) {
        (Some(_), _, Some(_)) => return Err(SimulateFailed::Frames),
        (Some(forces), track, None) => return replayed([path, output], forces, track, options, progress),
        (None, true, _) => return Err(SimulateFailed::Track),
        (None, false, _) => {}
    }
    let mut shot = Shot::load(path).map_err(OpenError::from)?;
    shot.motion.frames = options.frames.or(shot.motion.frames);
    let body = Body::read(&shot, progress).in_shot(path).map_err(OpenError::from)?;
    let of = moving(path, &body, options.skin)?;
    let clock = shot.motion.clock();
    // First of all: settling a body for a file that then cannot be written is a nuisance.
    let mut motion = MotionOutput::of_shot(output, &shot, &body, of, clock)?.with_contacts();
    let simulator = Simulator::new(&shot, &body, progress).in_shot(path)?;
    let result = simulator.run(|frame| Ok(motion.write(frame.positions, frame.contacts)?), progress);
    let report = match result.in_shot(path) {
        Ok(report) => report,
        Err(error) => return Err(unfinished(error, motion, clock.frames, progress)),
    };
    let written = motion.finish()?;
    let answer = answer([path, output], (&body, of), (clock, written.frames), begin);
    let (contacts_file, contacts) = written.contacts.map_or((None, 0), |(file, n)| (Some(file), n));
    Ok(SimulateAnswer {
        contacts_file,
        contacts,
        simulated_vertices: report.simulated_vertices,
        cage: report.cage,
        steps: report.steps,
        iterations: report.iterations,
        factorizations: report.factorizations,
        cuts: report.cuts,
        pieces: report.pieces,
        damped: report.damped,
        unsolved: report.unsolved,
        ..answer
    })
}

/// What all motions are told by; nothing of how it was made.
fn answer(
    [path, output]: [&Path; 2],
    (body, of): (&Body, Moving),
    (clock, frames): (Clock, usize),
    begin: Instant,
) -> SimulateAnswer {
    let (points, vertices) = points(body, of);
    SimulateAnswer {
        shot: path.to_path_buf(),
        output: output.to_path_buf(),
        points,
        vertices,
        frames,
        start: clock.start.0,
        fps: clock.fps,
        contacts_file: None,
        contacts: 0,
        simulated_vertices: body.positions().len(),
        cage: false,
        steps: frames.saturating_sub(1),
        iterations: 0,
        factorizations: 0,
        cuts: 0,
        pieces: 0,
        damped: 0,
        unsolved: 0,
        seconds: begin.elapsed().as_secs_f64(),
    }
}

/// Writes the motion that the forces in a file make.
fn replayed(
    [path, output]: [&Path; 2],
    forces: &Path,
    track: bool,
    options: &SimulateOptions,
    progress: &Progress,
) -> Result<SimulateAnswer, SimulateFailed> {
    let begin = Instant::now();
    let shot = Shot::load(path).map_err(OpenError::from)?;
    if shot.edit.method != Method::Control {
        return Err(SimulateFailed::NotControl { shot: path.to_path_buf(), method: shot.edit.method.name() });
    }
    let body = Arc::new(Body::read(&shot, progress).in_shot(path).map_err(OpenError::from)?);
    let of = moving(path, &body, options.skin)?;
    let cache = Cache::of_shot(path);
    let replayed = replay(&shot, &body, forces, track, &cache, &progress.part(0.0, 0.8)).in_shot(path)?;
    let clock = replayed.clock();
    let mut motion = MotionOutput::of_shot(output, &shot, body.as_ref(), of, clock)?;
    for index in 0..clock.frames {
        let done = progress.report("making frames", 0.8 + 0.2 * index as f64 / clock.frames as f64);
        done.map_err(EditError::from).in_shot(path)?;
        let positions: Vec<[f64; 3]> = replayed.positions(index).into_iter().map(Into::into).collect();
        motion.write(&positions, &[]).map_err(MotionError::from)?;
    }
    let written = motion.finish()?;
    Ok(answer([path, output], (&body, of), (clock, written.frames), begin))
}

/// Keeps the frames that were done, and says so.
fn unfinished(
    source: InShot<SimulateError>,
    motion: MotionOutput<'_>,
    frames: usize,
    progress: &Progress,
) -> SimulateFailed {
    let done = motion.frames();
    if done == 0 {
        return source.into();
    }
    match motion.finish() {
        Ok(written) => {
            let (done, file) = (count(done), written.path.display());
            progress.warn(format_args!("{done} of {frames} frames are done and saved in {file}"));
            source.into()
        }
        Err(output) => SimulateFailed::NotKept { output: Box::new(output), source },
    }
}
