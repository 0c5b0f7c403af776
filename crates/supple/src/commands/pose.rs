//! `supple pose`: the equilibrium of a shot's body under its loads and pins.

use super::prepare::load_body;
use super::simulate::moving;
use crate::session::Session;
use crate::text::{Rows, count, counted, number, triple};
use anyhow::{Context, bail};
use serde::Serialize;
use std::fmt;
use std::path::PathBuf;
use std::time::Instant;
use supple_elastic::{PoseReport, Status};
use supple_project::{PoseFormat, Reads, Shot, beside, pose, save_pose, save_reactions};

/// Options of `supple pose`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  supple pose dinosaur/dinosaur.toml -o bent.obj\n  supple pose \
                        bird/bird.toml --fit bird/bird-flight.pc2 -o bird-body.pc2\n\nThe forces of anchors \
                        and pins on the body are written to bent.obj.reactions.csv next to the pose. If the \
                        body cannot carry the load, the command fails (exit 1) and still writes the last \
                        pose found.\n\nJSON: shot, output, vertices, stages [status, fraction, iterations, \
                        factorizations, residual [N], strain_energy [J], removed_force [N], removed_torque \
                        [N m]], asked, reactions_file, reactions, seconds; with --fit: shot, output, \
                        vertices, poses [status, iterations, skin_rms, skin_max, strain_energy [J]], \
                        seconds")]
pub struct PoseArgs {
    /// The shot file
    pub shot: PathBuf,
    /// The pose to write: .obj, .ply or .stl
    #[arg(short, long, value_name = "MESH")]
    pub output: PathBuf,
    /// Add the shot's gravity
    #[arg(long)]
    weight: bool,
    /// Write the skin instead of the body
    #[arg(long)]
    skin: bool,
    /// Fit the body to this deformed skin instead of applying loads and pins; a mesh gives a mesh, a motion is fitted
    /// frame by frame
    #[arg(long, value_name = "SKIN", conflicts_with_all = ["weight", "skin"])]
    fit: Option<PathBuf>,
    /// Weight of the strain energy against the distance to the skin (no unit)
    #[arg(long, value_name = "BETA", requires = "fit", default_value_t = 1e-3)]
    pub smoothness: f64,
    /// Weight skin vertices by the area around them when fitting
    #[arg(long, requires = "fit")]
    pub by_area: bool,
}

#[derive(Serialize)]
struct Answer {
    shot: PathBuf,
    output: PathBuf,
    vertices: usize,
    stages: Vec<Stage>,
    asked: usize,
    reactions_file: PathBuf,
    reactions: usize,
    seconds: f64,
}

#[derive(Serialize)]
struct Stage {
    status: &'static str,
    fraction: f64,
    iterations: usize,
    factorizations: usize,
    residual: f64,
    strain_energy: f64,
    removed_force: [f64; 3],
    removed_torque: [f64; 3],
}

pub fn run(args: &PoseArgs, session: &Session) -> anyhow::Result<()> {
    let begin = Instant::now();
    let shot = Shot::load(&args.shot)?;
    let body = load_body(&args.shot, &shot)?;
    if let Some(skins) = &args.fit {
        return super::fit::run(args, skins, (&shot, &body), begin, session);
    }
    let of = moving(&args.shot, &body, args.skin)?;
    if shot.loads.is_empty() && !args.weight {
        bail!(
            "{}: no force acts on the body; add a [[load]], or add gravity with --weight",
            args.shot.display()
        );
    }
    let named = || args.shot.display().to_string();
    PoseFormat::of(&args.output)?;
    let reactions_file = beside(&args.output, ".reactions.csv");
    Reads::of(&shot).spared_by(&[args.output.clone(), reactions_file.clone()])?;
    let outcome = pose(&shot, &body, args.weight, session.progress()).with_context(named)?;
    let vertices = save_pose(&args.output, &body, of, &outcome.positions)?;
    let reactions = outcome.stages.last().map(|stage| stage.reactions.as_slice()).unwrap_or_default();
    save_reactions(&reactions_file, reactions)?;
    session.answer(&Answer {
        shot: args.shot.clone(),
        output: args.output.clone(),
        vertices,
        stages: outcome.stages.iter().map(Stage::of).collect(),
        asked: outcome.asked,
        reactions_file,
        reactions: reactions.len(),
        seconds: begin.elapsed().as_secs_f64(),
    })?;
    match outcome.stages.last() {
        Some(last) if !last.status.is_solved() => bail!(
            "{}: stage {} of {} diverges: the body carries only {:.1} % of the load of that stage; the pose \
             it reached is in {}; lower the load, or make the body stiffer",
            args.shot.display(),
            outcome.stages.len(),
            outcome.asked,
            100.0 * last.fraction,
            args.output.display()
        ),
        _ => Ok(()),
    }
}

/// What a status is called.
pub fn word(status: Status) -> &'static str {
    match status {
        Status::Converged => "converged",
        Status::Rounding => "rounding",
        Status::Unfinished => "unfinished",
        Status::Diverged => "diverged",
    }
}

impl Stage {
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
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rows = Rows::default();
        rows.add("shot", self.shot.display())
            .add("pose", format!("{}, {} vertices", self.output.display(), count(self.vertices)));
        for stage in &self.stages {
            rows.add("stage", stage);
        }
        rows.add(
            "reactions",
            format!("{} in {}", counted(self.reactions, "vertex", "vertices"), self.reactions_file.display()),
        )
        .add("time", format!("{:.2} s", self.seconds));
        rows.fmt(f)
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} after {}, carries {:.1} % of its load\nstrain energy {} J, forces balanced to {:.1e} N",
            self.status,
            counted(self.iterations, "iteration", "iterations"),
            100.0 * self.fraction,
            number(self.strain_energy),
            self.residual
        )?;
        if self.removed_force != [0.0; 3] || self.removed_torque != [0.0; 3] {
            let (force, torque) = (triple(self.removed_force, ", "), triple(self.removed_torque, ", "));
            write!(f, "\nnothing holds the body against ({force}) N and ({torque}) N m, which were ignored")?;
        }
        Ok(())
    }
}
