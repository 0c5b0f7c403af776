//! `supple solve`: applies the edits of a shot and writes the motion.

use super::prepare::load_body;
use super::simulate::moving;
use crate::session::Session;
use crate::text::{Rows, count, counted, number};
use anyhow::{Context, bail};
use serde::Serialize;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use supple_project::method::{self, About};
use supple_project::{
    Cache, Moving, Reads, Reason, Shot, ShotLock, Solved, StartPoint, StartReport, Subject as _,
    WriteOptions, save_baked, solve_into,
};

/// A handle farther off than this part of the size is said to be missed.
const MET: f64 = 1e-6;

/// Options of `supple solve`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  supple solve bridge/bridge.toml -o edited.pc2\n  supple solve \
                        bridge/bridge.toml -o edited.pc2 --bake next.toml\n\nThe second also writes a shot \
                        with the edited motion as its input, for further edits.\n\nJSON: shot, output, \
                        points [body|skin], vertices, frames, start, fps, seconds_per_frame [s], modes, \
                        smoothness [cutoff [1/s²], spread, amplification; null: lively], status \
                        [settled|compromise|unfinished|stalled], iterations, stationarity, energy, penalty, \
                        starts [start: zero|linear|one_by_one|restored, energy, status, kept], handles \
                        [handle, frame, error, relative_error, asked, of_velocity, soft, redundant, reason \
                        [out_of_reach|contradicts], shortfall [%], over_distance, plant [first, last frame; \
                        null: on none]], force [frame, norm, newtons, vertex], force_over_time, volume \
                        [largest, frame], inverted [count, frame, input], contacts [all, clusters, plants, \
                        linear_drift, drift], penetration [depth, relative_depth, vertex, frame, held; \
                        null: no floor, no obstacles], baked, seconds [prepare, solve, total], warnings")]
pub struct SolveArgs {
    /// The shot file
    shot: PathBuf,
    /// The motion to write: .usda, .glb, .gltf, .pc2, .mdd, name.####.obj or .ply; in the unit and axes of the
    /// shot's input file, if it has one
    #[arg(short, long, value_name = "MOTION")]
    output: PathBuf,
    /// Write the skin instead of the body; always on when the motion was imported on the skin
    #[arg(long)]
    skin: bool,
    /// Write a self-contained .usda instead of a layer over the original
    #[arg(long)]
    flatten: bool,
    /// Also write this shot: its input is the edited motion, and it has no handles
    #[arg(long, value_name = "SHOT")]
    bake: Option<PathBuf>,
}

/// What an edit came to.
#[derive(Serialize)]
pub struct Answer {
    shot: PathBuf,
    output: PathBuf,
    points: &'static str,
    vertices: usize,
    frames: usize,
    start: i32,
    fps: f64,
    seconds_per_frame: f64,
    modes: usize,
    smoothness: Option<SmoothnessAnswer>,
    status: &'static str,
    iterations: usize,
    stationarity: f64,
    energy: f64,
    penalty: f64,
    starts: Vec<StartAnswer>,
    handles: Vec<HandleAnswer>,
    force: Option<ForceAnswer>,
    force_over_time: Vec<f64>,
    volume: Option<VolumeAnswer>,
    inverted: Option<InvertedAnswer>,
    contacts: ContactAnswer,
    penetration: Option<PenetrationAnswer>,
    baked: Option<PathBuf>,
    seconds: Seconds,
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct HandleAnswer {
    handle: u32,
    frame: i32,
    error: f64,
    relative_error: f64,
    asked: f64,
    of_velocity: bool,
    soft: bool,
    redundant: bool,
    reason: Option<&'static str>,
    shortfall: f64,
    over_distance: Option<f64>,
    plant: Option<[i32; 2]>,
}

#[derive(Serialize)]
struct StartAnswer {
    start: &'static str,
    energy: f64,
    status: &'static str,
    kept: bool,
}

#[derive(Serialize)]
struct SmoothnessAnswer {
    cutoff: f64,
    spread: f64,
    amplification: f64,
}

#[derive(Serialize)]
struct ForceAnswer {
    frame: f64,
    norm: f64,
    newtons: Option<f64>,
    vertex: Option<u32>,
}

#[derive(Serialize)]
struct VolumeAnswer {
    largest: f64,
    frame: i32,
}

#[derive(Serialize)]
struct InvertedAnswer {
    count: usize,
    frame: i32,
    input: usize,
}

#[derive(Serialize)]
struct ContactAnswer {
    all: usize,
    clusters: usize,
    plants: usize,
    linear_drift: f64,
    drift: f64,
}

#[derive(Serialize)]
struct PenetrationAnswer {
    depth: f64,
    relative_depth: f64,
    vertex: Option<u32>,
    frame: Option<i32>,
    held: usize,
}

/// What took how long.
#[derive(Serialize)]
pub struct Seconds {
    pub prepare: f64,
    pub solve: f64,
    pub total: f64,
}

pub fn run(args: &SolveArgs, session: &Session) -> anyhow::Result<()> {
    let begin = Instant::now();
    let shot = Shot::load(&args.shot)?;
    if let Some(next) = &args.bake {
        Reads::of(&shot).and(&args.shot).spared_by(std::slice::from_ref(next))?;
    }
    let body = Arc::new(load_body(&args.shot, &shot)?);
    moving(&args.shot, &body, args.skin)?;
    let named = || args.shot.display().to_string();
    let cache = Cache::of_shot(&args.shot);
    let progress = session.progress();
    let mut method =
        method::open(&shot, body.clone(), &cache, &progress.part(0.0, 0.6)).with_context(named)?;
    session.warn_all(method.about().warnings);
    session.warn_all(method.about().notes);
    let prepare = begin.elapsed().as_secs_f64();
    let of = match (args.skin, args.bake.is_some()) {
        (true, _) => Some(Moving::Skin),
        (_, true) => Some(method.about().moving),
        _ => None,
    };
    if args.bake.is_some() && of != Some(method.about().moving) {
        bail!("{}: --bake needs the motion of the body; leave out --skin", args.shot.display());
    }
    let how = WriteOptions { of, flat: args.flatten, frames: None };
    let solved = solve_into(&args.output, &shot, method.as_mut(), &how, &progress.part(0.6, 1.0));
    let solved = solved.with_context(named)?;
    session.warn_all(&solved.report.warnings().collect::<Vec<_>>());
    session.warn_all(solved.lost.as_slice());
    let solve = begin.elapsed().as_secs_f64() - prepare;
    if let Some(next) = &args.bake {
        let _lock = ShotLock::take(next, session.progress())?;
        save_baked(&shot, &method.about(), &args.output, next)?;
    }
    let seconds = Seconds { prepare, solve, total: begin.elapsed().as_secs_f64() };
    let answer = Answer::of([&args.shot, &args.output], &method.about(), &solved, seconds);
    session.answer(&Answer { baked: args.bake.clone(), ..answer })
}

/// The word for why a handle is not met.
fn reason_word(reason: Reason) -> &'static str {
    match reason {
        Reason::OutOfReach => "out_of_reach",
        Reason::Contradicts => "contradicts",
    }
}

/// The word for where a solution began.
fn start_word(start: StartPoint) -> &'static str {
    match start {
        StartPoint::Zero => "zero",
        StartPoint::Linear => "linear",
        StartPoint::OneByOne => "one_by_one",
        StartPoint::Restored => "restored",
    }
}

impl Answer {
    /// What an edit of the shot at `shot` came to, written to `output`.
    pub fn of(
        [shot, output]: [&Path; 2],
        about: &About<'_>,
        Solved { of, written, report, lost }: &Solved,
        seconds: Seconds,
    ) -> Self {
        let skin = about.subject.skin().filter(|_| *of == Moving::Skin);
        let handle = |outcome: &supple_project::HandleOutcome| HandleAnswer {
            handle: outcome.key.0,
            frame: outcome.frame,
            error: outcome.error,
            relative_error: outcome.error / about.size,
            asked: outcome.asked,
            of_velocity: outcome.of_velocity,
            soft: outcome.soft,
            redundant: outcome.redundant,
            reason: outcome.reason.map(reason_word),
            shortfall: 100.0 * outcome.shortfall(),
            over_distance: outcome.over_distance,
            plant: outcome.plant.as_ref().map(|frames| [*frames.start(), *frames.end()]),
        };
        let start = |tried: &StartReport| StartAnswer {
            start: start_word(tried.start),
            energy: tried.energy,
            status: tried.status.name(),
            kept: tried.kept,
        };
        Self {
            shot: shot.to_path_buf(),
            output: output.to_path_buf(),
            points: if skin.is_some() { "skin" } else { "body" },
            vertices: skin.map_or(about.subject.positions().len(), |skin| skin.mesh.positions().len()),
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
            starts: report.starts.iter().map(start).collect(),
            handles: report.handles.iter().map(handle).collect(),
            force: report.force.map(|peak| ForceAnswer {
                frame: peak.frame,
                norm: peak.norm,
                newtons: peak.largest.map(|(newtons, _)| newtons),
                vertex: peak.largest.map(|(_, vertex)| vertex.0),
            }),
            force_over_time: report.force_over_time.clone(),
            volume: report.volume.map(|change| VolumeAnswer { largest: change.largest, frame: change.frame }),
            inverted: report.inverted.map(|worst| InvertedAnswer {
                count: worst.count,
                frame: worst.frame,
                input: worst.input,
            }),
            contacts: ContactAnswer {
                all: report.contacts.all,
                clusters: report.contacts.clusters,
                plants: report.contacts.plants,
                linear_drift: report.contacts.linear_drift,
                drift: report.contacts.drift,
            },
            penetration: report.penetration.map(|found| {
                let depth = found.deepest.map_or(0.0, |deepest| deepest.depth);
                PenetrationAnswer {
                    depth,
                    relative_depth: depth / about.size,
                    vertex: found.deepest.map(|deepest| deepest.vertex.0),
                    frame: found.deepest.map(|deepest| deepest.frame),
                    held: found.held,
                }
            }),
            baked: None,
            seconds,
            warnings: (about.warnings.iter().map(ToString::to_string))
                .chain(about.notes.iter().cloned())
                .chain(report.warnings())
                .chain(lost.iter().cloned())
                .collect(),
        }
    }

    fn handle_text(&self, handle: &HandleAnswer) -> String {
        let unit = if handle.of_velocity { " m/s" } else { " m" };
        let asked = format!("frame {}, goal {}{unit} from the input", handle.frame, number(handle.asked));
        let far = format!("error {:.1e} of the size", handle.relative_error);
        let short = format!("{:.0} % short of its goal", handle.shortfall);
        match (handle.soft, handle.reason, handle.relative_error <= MET) {
            (true, _, _) => format!("{asked}: soft, {far}"),
            (_, _, true) => format!("{asked}: met, {far}"),
            (_, Some("out_of_reach"), _) => {
                format!("{asked}: OUT OF REACH, {short}; the body follows as far as it can")
            }
            (_, None, _) if handle.shortfall < 0.5 => format!("{asked}: nearly met, {far}"),
            (_, Some(_), _) => format!("{asked}: MISSED, {short}; conflicts with other handles or contacts"),
            _ => format!("{asked}: MISSED, {far}"),
        }
    }
}

impl InvertedAnswer {
    fn text(&self) -> String {
        if self.count == 0 {
            return "the edit inverts no element".to_owned();
        }
        format!(
            "the edit inverts {} at frame {}, the worst frame, where the input has {}",
            counted(self.count, "element", "elements"),
            self.frame,
            count(self.input)
        )
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rows = Rows::default();
        let last = i64::from(self.start) + self.frames as i64 - 1;
        rows.add("shot", self.shot.display())
            .add("motion", self.output.display())
            .add("frames", format!("{}, {} to {last}, {} fps", count(self.frames), self.start, self.fps))
            .add("points", format!("{} vertices of the {}", count(self.vertices), self.points))
            .add(
                "modes",
                match &self.smoothness {
                    Some(smooth) => format!(
                        "{} modes, smooth; {:.0} % of the body follows at least half of an edit, nothing \
                         moves more than {:.2} times as far",
                        count(self.modes),
                        100.0 * smooth.spread,
                        smooth.amplification
                    ),
                    None => format!(
                        "{} modes, {} s of physical time per frame",
                        count(self.modes),
                        number(self.seconds_per_frame)
                    ),
                },
            );
        for handle in &self.handles {
            let plant =
                handle.plant.map(|[first, last]| format!("; moves a planted part, frames {first} to {last}"));
            let text = self.handle_text(handle) + &plant.unwrap_or_default();
            rows.add("handle", format!("{}: {text}", handle.handle));
        }
        let status = if self.status == "settled" {
            "converged in".to_owned()
        } else {
            format!("{} after", self.status)
        };
        rows.add(
            "solution",
            format!(
                "{status} {}, optimality {:.1e}; energy {}",
                counted(self.iterations, "iteration", "iterations"),
                self.stationarity,
                number(self.energy)
            ),
        );
        if let Some(force) = &self.force {
            let where_to = match (force.newtons, force.vertex) {
                (Some(newtons), Some(vertex)) => {
                    format!(", largest {} N on vertex {vertex}", number(newtons))
                }
                _ => String::new(),
            };
            rows.add(
                "force",
                format!("largest at frame {:.1}, {} N/√kg{where_to}", force.frame, number(force.norm)),
            );
        }
        if let (Some(volume), Some(inverted)) = (&self.volume, &self.inverted) {
            rows.add(
                "volume",
                format!(
                    "largest change {:+.2} % at frame {}; {}",
                    100.0 * volume.largest,
                    volume.frame,
                    inverted.text()
                ),
            );
        }
        if self.contacts.plants > 0 {
            let parts = counted(self.contacts.plants, "part", "parts");
            rows.add("plants", format!("{parts} kept planted while standing still"));
        }
        if self.contacts.all > 0 {
            rows.add(
                "contacts",
                format!(
                    "{} in {}, off their planes by at most {:.1e} of the size ({:.1e} before the warp)",
                    count(self.contacts.all),
                    counted(self.contacts.clusters, "cluster", "clusters"),
                    self.contacts.drift,
                    self.contacts.linear_drift
                ),
            );
        }
        if let Some(through) = &self.penetration {
            let held = match through.held {
                0 => String::new(),
                held => format!("; {} held on the surface", counted(held, "vertex", "vertices")),
            };
            let text = match (through.vertex, through.frame) {
                (Some(vertex), Some(frame)) => format!(
                    "GOES THROUGH: vertex {vertex} at frame {frame} is {} m deeper than in the input{held}",
                    number(through.depth)
                ),
                _ => format!("nothing goes deeper than in the input{held}"),
            };
            rows.add("obstacles", text);
        }
        if let Some(baked) = &self.baked {
            rows.add("next shot", baked.display());
        }
        rows.add(
            "time",
            format!("{:.1} s, including {:.1} s to prepare", self.seconds.total, self.seconds.prepare),
        );
        rows.fmt(f)
    }
}
