//! `supple simulate`: forward simulation of a shot, to make input motion.

use super::prepare::load_body;
use crate::session::Session;
use crate::text::{Rows, count, counted};
use anyhow::{Context, anyhow, bail};
use serde::Serialize;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Instant;
use supple_model::Clock;
use supple_project::{Body, MotionOutput, Moving, Shot, SimulateReport, Simulator, Written};

/// Options of `supple simulate`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  supple simulate dragon/dragon.toml -o dragon.pc2\n\nContacts with the floor \
                  and obstacles are written to dragon.pc2.contacts.csv next to the motion. Ctrl-C keeps the \
                  frames done so far.\n\nJSON: shot, output, points [body|skin], vertices, frames, start, \
                  fps, contacts_file, contacts, simulated_vertices, cage, steps, iterations, \
                  factorizations, cuts, pieces, damped, unsolved, seconds"
)]
pub struct SimulateArgs {
    /// The shot file
    shot: PathBuf,
    /// The motion to write: .pc2, .mdd or name.####.obj
    #[arg(short, long, value_name = "MOTION")]
    output: PathBuf,
    /// Number of frames [default: from the shot]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    frames: Option<u32>,
    /// Write the skin instead of the body
    #[arg(long)]
    skin: bool,
}

#[derive(Serialize)]
struct Answer {
    shot: PathBuf,
    output: PathBuf,
    points: &'static str,
    vertices: usize,
    frames: usize,
    start: i32,
    fps: f64,
    contacts_file: Option<PathBuf>,
    contacts: usize,
    simulated_vertices: usize,
    cage: bool,
    steps: usize,
    iterations: usize,
    factorizations: usize,
    cuts: usize,
    pieces: usize,
    damped: usize,
    unsolved: usize,
    seconds: f64,
}

pub fn run(args: &SimulateArgs, session: &Session) -> anyhow::Result<()> {
    let begin = Instant::now();
    let mut shot = Shot::load(&args.shot)?;
    if let Some(frames) = args.frames {
        shot.motion.frames = Some(frames as usize);
    }
    let body = load_body(&args.shot, &shot)?;
    let of = moving(&args.shot, &body, args.skin)?;
    let named = || args.shot.display().to_string();
    let clock = shot.motion.clock();
    // First of all: settling a body for a file that then cannot be written is a nuisance.
    let mut output = MotionOutput::of_shot(&args.output, &shot, &body, of, clock)?.with_contacts();
    let simulator = Simulator::new(&shot, &body, session.progress()).with_context(named)?;
    let result =
        simulator.run(|frame| Ok(output.write(frame.positions, frame.contacts)?), session.progress());
    if let Err(error) = result {
        return Err(unfinished(anyhow!(error).context(named()), output, clock.frames, &args.output, session));
    }
    let report = result?;
    let written = output.finish()?;
    session.answer(&Answer::of(args, &body, of, clock, &report, written, begin.elapsed().as_secs_f64()))
}

/// The points to write.
pub fn moving(shot: &Path, body: &Body, skin: bool) -> anyhow::Result<Moving> {
    match (skin, &body.skin) {
        (false, _) => Ok(Moving::Body),
        (true, Some(_)) => Ok(Moving::Skin),
        (true, None) => bail!("{}: the body has no skin; leave out --skin", shot.display()),
    }
}

/// Keeps the frames that were done, and says so.
fn unfinished(
    error: anyhow::Error,
    output: MotionOutput<'_>,
    frames: usize,
    path: &Path,
    session: &Session,
) -> anyhow::Error {
    let done = output.frames();
    if done == 0 {
        return error;
    }
    match output.finish() {
        Ok(_) => {
            let kept = format!("{} of {frames} frames are done and saved in {}", count(done), path.display());
            session.warn_all(&[kept]);
            error
        }
        Err(also) => error.context(also.to_string()),
    }
}

impl Answer {
    fn of(
        args: &SimulateArgs,
        body: &Body,
        of: Moving,
        clock: Clock,
        report: &SimulateReport,
        written: Written,
        seconds: f64,
    ) -> Self {
        let skin = body.skin.as_ref().filter(|_| of == Moving::Skin);
        let (contacts_file, contacts) = written.contacts.map_or((None, 0), |(file, n)| (Some(file), n));
        Self {
            shot: args.shot.clone(),
            output: args.output.clone(),
            points: if skin.is_some() { "skin" } else { "body" },
            vertices: skin.map_or(body.positions().len(), |skin| skin.mesh.positions().len()),
            frames: written.frames,
            start: clock.start.0,
            fps: clock.fps,
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
            seconds,
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rows = Rows::default();
        let carrier = if self.cage { "vertices of a cage around the body" } else { "vertices" };
        let last = i64::from(self.start) + self.frames as i64 - 1;
        rows.add("shot", self.shot.display())
            .add("motion", self.output.display())
            .add("frames", format!("{}, {} to {last}, {} fps", count(self.frames), self.start, self.fps))
            .add("points", format!("{} vertices of the {}", count(self.vertices), self.points))
            .add(
                "simulated",
                format!(
                    "{} {carrier}, {}, {} of Newton's method",
                    count(self.simulated_vertices),
                    counted(self.steps, "step", "steps"),
                    counted(self.iterations, "iteration", "iterations")
                ),
            );
        if self.cuts > 0 {
            rows.add("cut", format!("{} split in half to converge", counted(self.cuts, "step", "steps")));
        }
        if self.pieces > 1 {
            rows.add("finer", format!("steps split in up to {} parts to conserve energy", self.pieces));
        }
        if self.damped > 0 {
            let damped = counted(self.damped, "step", "steps");
            rows.add("damped", format!("{damped} damped to avoid gaining energy; try more substeps"));
        }
        if self.unsolved > 0 {
            rows.add(
                "unsolved",
                format!("{} did not reach the tolerance", counted(self.unsolved, "step", "steps")),
            );
        }
        if let Some(file) = &self.contacts_file {
            rows.add("contacts", format!("{} in {}", count(self.contacts), file.display()));
        }
        rows.add("time", format!("{:.1} s", self.seconds));
        rows.fmt(f)
    }
}
