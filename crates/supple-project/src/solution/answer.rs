//! What an edit came to, in plain numbers and words: what `supple solve --json` prints.

use super::Solved;
use crate::method::About;
use crate::method::drag::{
    EditReport, ForcePeak, HandleOutcome, Penetration, Reason, StartPoint, StartReport,
};
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
    /// How a smooth edit spreads; `None` of a lively one.
    pub smoothness: Option<SmoothnessAnswer>,
    /// `settled`, `compromise`, `unfinished` or `stalled`.
    pub status: &'static str,
    /// Iterations of the solver.
    pub iterations: usize,
    /// How far the edit is from the least costly one, as a share of its size.
    pub stationarity: f64,
    /// What the edit costs.
    pub energy: f64,
    /// What the errors of soft handles cost.
    pub penalty: f64,
    /// The edits it was chosen from, in the order they were tried.
    pub starts: Vec<StartAnswer>,
    /// Every handle, muted ones left out, at the frame where it is farthest off.
    pub handles: Vec<HandleAnswer>,
    /// The largest force of the edit.
    pub force: Option<ForceAnswer>,
    /// The force at every frame, N/√kg.
    pub force_over_time: Vec<f64>,
    /// How much the volume changes.
    pub volume: Option<VolumeAnswer>,
    /// The elements that the edit turns inside out.
    pub inverted: Option<InvertedAnswer>,
    /// The contacts that were kept.
    pub contacts: ContactAnswer,
    /// What goes through the floor or an obstacle; `None` where there is neither.
    pub penetration: Option<PenetrationAnswer>,
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
    /// How far it is off, m or m/s.
    pub error: f64,
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

/// Where a solution began.
#[derive(Clone, Debug, Serialize)]
pub struct StartAnswer {
    /// `zero`, `linear`, `one_by_one` or `restored`.
    pub start: &'static str,
    /// What it came to cost.
    pub energy: f64,
    /// How it ended.
    pub status: &'static str,
    /// Whether it is the one that is written.
    pub kept: bool,
}

/// How a smooth edit spreads.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SmoothnessAnswer {
    /// The eigenvalue up to which modes move, 1/s².
    pub cutoff: f64,
    /// The share of the body that follows at least half of an edit.
    pub spread: f64,
    /// How many times as far as its handle anything moves.
    pub amplification: f64,
}

/// The largest force of an edit.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ForceAnswer {
    /// When.
    pub frame: f64,
    /// Of the whole body, N/√kg.
    pub norm: f64,
    /// The largest on one vertex, N.
    pub newtons: Option<f64>,
    /// That vertex.
    pub vertex: Option<u32>,
}

/// The largest change of the volume.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct VolumeAnswer {
    /// As a share of the volume.
    pub largest: f64,
    /// When.
    pub frame: i32,
}

/// Elements turned inside out.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct InvertedAnswer {
    /// By the edit, at the worst frame.
    pub count: usize,
    /// That frame.
    pub frame: i32,
    /// By the input, at that frame.
    pub input: usize,
}

/// Contacts that were kept.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ContactAnswer {
    /// How many.
    pub all: usize,
    /// In how many clusters.
    pub clusters: usize,
    /// Parts that stay planted.
    pub plants: usize,
    /// How far they leave their planes before the warp, as a share of the size.
    pub linear_drift: f64,
    /// The same after it.
    pub drift: f64,
}

/// What goes through the floor or an obstacle.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PenetrationAnswer {
    /// How much deeper than in the input, m.
    pub depth: f64,
    /// The same as a share of the size.
    pub relative_depth: f64,
    /// The vertex that is deepest.
    pub vertex: Option<u32>,
    /// When.
    pub frame: Option<i32>,
    /// How many vertices are held on the surface.
    pub held: usize,
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
            smoothness: report.smoothness.map(|smooth| SmoothnessAnswer {
                cutoff: smooth.cutoff,
                spread: smooth.spread,
                amplification: smooth.amplification,
            }),
            status: report.status.name(),
            iterations: report.iterations,
            stationarity: report.stationarity,
            energy: report.energy,
            penalty: report.penalty,
            starts: report.starts.iter().map(StartAnswer::of).collect(),
            handles: report.handles.iter().map(|handle| HandleAnswer::of(handle, about.size)).collect(),
            force: report.force.as_ref().map(ForceAnswer::of),
            force_over_time: report.force_over_time.clone(),
            volume: report.volume.map(|change| VolumeAnswer { largest: change.largest, frame: change.frame }),
            inverted: report.inverted.map(|worst| InvertedAnswer {
                count: worst.count,
                frame: worst.frame,
                input: worst.input,
            }),
            contacts: ContactAnswer::of(report),
            penetration: report.penetration.as_ref().map(|found| PenetrationAnswer::of(found, about.size)),
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
    fn of(outcome: &HandleOutcome, size: f64) -> Self {
        Self {
            handle: outcome.key.0,
            frame: outcome.frame,
            error: outcome.error,
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

impl StartAnswer {
    fn of(tried: &StartReport) -> Self {
        let start = match tried.start {
            StartPoint::Zero => "zero",
            StartPoint::Linear => "linear",
            StartPoint::OneByOne => "one_by_one",
            StartPoint::Restored => "restored",
        };
        Self { start, energy: tried.energy, status: tried.status.name(), kept: tried.kept }
    }
}

impl ForceAnswer {
    fn of(peak: &ForcePeak) -> Self {
        Self {
            frame: peak.frame,
            norm: peak.norm,
            newtons: peak.largest.map(|(newtons, _)| newtons),
            vertex: peak.largest.map(|(_, vertex)| vertex.0),
        }
    }
}

impl ContactAnswer {
    fn of(report: &EditReport) -> Self {
        Self {
            all: report.contacts.all,
            clusters: report.contacts.clusters,
            plants: report.contacts.plants,
            linear_drift: report.contacts.linear_drift,
            drift: report.contacts.drift,
        }
    }
}

impl PenetrationAnswer {
    fn of(found: &Penetration, size: f64) -> Self {
        let depth = found.deepest.map_or(0.0, |deepest| deepest.depth);
        Self {
            depth,
            relative_depth: depth / size,
            vertex: found.deepest.map(|deepest| deepest.vertex.0),
            frame: found.deepest.map(|deepest| deepest.frame),
            held: found.held,
        }
    }
}
