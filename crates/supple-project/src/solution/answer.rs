//! What an edit came to, in plain numbers and words: what `supple solve --json` prints.

use super::{KeyAnswer, Solved};
use crate::method::drag::Reason;
use crate::method::{About, Found, HandleOutcome, Report};
use crate::open::points;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// What an edit came to.
#[derive(Clone, Debug, Serialize)]
pub struct SolveAnswer {
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
    /// Physical time that passes from frame to frame, s.
    pub seconds_per_frame: f64,
    /// Modes the edit is made of.
    pub modes: usize,
    /// `settled`, `compromise`, `unfinished`, `stalled` or `stopped`.
    pub status: &'static str,
    /// Iterations of the solver.
    pub iterations: usize,
    /// How far the edit is from the least costly one, as a share of its size.
    pub stationarity: f64,
    /// What the edit costs.
    pub energy: f64,
    /// What the errors of soft handles cost.
    pub penalty: f64,
    /// Every handle, muted ones left out, at the frame where it is farthest off.
    pub handles: Vec<HandleAnswer>,
    /// What else the method found: its quantities and curves, each under its own key.
    #[serde(flatten)]
    pub found: Found,
    /// The keys that were written.
    pub keys: Vec<KeyAnswer>,
    /// The forces that were written.
    pub forces: Option<PathBuf>,
    /// The shot that goes on from there.
    pub baked: Option<PathBuf>,
    /// What took how long.
    pub seconds: SolveSeconds,
    /// What is not as it should be.
    pub warnings: Vec<String>,
}

/// What became of a handle at a frame.
#[derive(Clone, Debug, Serialize)]
pub struct HandleAnswer {
    /// Its number.
    pub handle: u32,
    /// The frame.
    pub frame: i32,
    /// The segment it belongs to, where there are some.
    pub segment: Option<usize>,
    /// When, in frames of the shot: between two of them where the method knows such times.
    pub time: f64,
    /// How far it is off, m or m/s.
    pub error: f64,
    /// The root of the mean square over its points.
    pub rms: f64,
    /// The same as a share of the size of the body.
    pub relative_error: f64,
    /// How far its goal is from the input.
    pub asked: f64,
    /// Whether it asks for a velocity.
    pub of_velocity: bool,
    /// Whether it is soft.
    pub soft: bool,
    /// Whether it nearly repeats or contradicts others or the contacts, so that part of it was ignored.
    pub redundant: bool,
    /// Why it is not met: `out_of_reach` or `contradicts`.
    pub reason: Option<&'static str>,
    /// How much of its goal is missing, %.
    pub shortfall: f64,
    /// How many times its distance to what is held, along the body, it is pulled by; `None` if nothing holds it.
    pub over_distance: Option<f64>,
    /// The first and last frame of the planted part that it moves.
    pub plant: Option<[i32; 2]>,
}

/// What took how long.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SolveSeconds {
    /// Opening the shot, its modes and its input.
    pub prepare: f64,
    /// Finding the edit and writing its motion.
    pub solve: f64,
    /// All of it.
    pub total: f64,
}

impl SolveAnswer {
    /// What an edit of the shot file `shot` came to, written to `output`.
    #[must_use]
    pub fn of(
        [shot, output]: [&Path; 2],
        about: &About<'_>,
        Solved { of, written, report, lost }: &Solved,
        seconds: SolveSeconds,
    ) -> Self {
        let (points, vertices) = points(about.subject, *of);
        Self {
            shot: shot.to_path_buf(),
            output: output.to_path_buf(),
            points,
            vertices,
            frames: written.frames,
            start: about.clock.start.0,
            fps: about.clock.fps,
            seconds_per_frame: about.seconds_per_frame,
            modes: about.modes,
            status: report.status.name(),
            iterations: report.iterations,
            stationarity: report.stationarity,
            energy: report.energy,
            penalty: report.penalty,
            handles: HandleAnswer::all(report, about.size),
            found: Found { findings: report.findings.clone(), curves: report.curves.clone() },
            keys: Vec::new(),
            forces: None,
            baked: None,
            seconds,
            warnings: (about.warnings.iter().map(ToString::to_string))
                .chain(about.notes.iter().cloned())
                .chain(report.warnings())
                .chain(lost.iter().cloned())
                .collect(),
        }
    }
}

impl HandleAnswer {
    /// What became of the handles of an edit of a body of this size.
    #[must_use]
    pub fn all(report: &Report, size: f64) -> Vec<Self> {
        report.handles.iter().map(|handle| Self::of(handle, size)).collect()
    }

    fn of(outcome: &HandleOutcome, size: f64) -> Self {
        Self {
            handle: outcome.key.0,
            frame: outcome.frame,
            segment: outcome.segment,
            time: outcome.time,
            error: outcome.error,
            rms: outcome.rms,
            relative_error: outcome.error / size,
            asked: outcome.asked,
            of_velocity: outcome.of_velocity,
            soft: outcome.soft,
            redundant: outcome.redundant,
            reason: outcome.reason.map(reason_word),
            shortfall: 100.0 * outcome.shortfall(),
            over_distance: outcome.over_distance,
            plant: outcome.plant.as_ref().map(|frames| [*frames.start(), *frames.end()]),
        }
    }
}

/// The word for why a handle is not met.
fn reason_word(reason: Reason) -> &'static str {
    match reason {
        Reason::OutOfReach => "out_of_reach",
        Reason::Contradicts => "contradicts",
    }
}
