//! `supple pose --fit`: poses of the body from deformed skins.

use super::pose::{PoseArgs, word};
use crate::session::Session;
use crate::text::{Rows, counted, number};
use serde::Serialize;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Instant;
use supple_elastic::{FitSettings, Smoothness};
use supple_model::Clock;
use supple_project::shot::Motion;
use supple_project::{Body, FitOptions, MotionOutput, Moving, Reads, Shot, Skins, fit, save_pose};

#[derive(Serialize)]
struct Answer {
    shot: PathBuf,
    output: PathBuf,
    vertices: usize,
    poses: Vec<Pose>,
    seconds: f64,
}

#[derive(Serialize)]
struct Pose {
    status: &'static str,
    iterations: usize,
    skin_rms: f64,
    skin_max: f64,
    strain_energy: f64,
}

pub fn run(
    args: &PoseArgs,
    skins: &Path,
    (shot, body): (&Shot, &Body),
    begin: Instant,
    session: &Session,
) -> anyhow::Result<()> {
    let reads = Reads::of(shot).and(skins);
    reads.spared_by(std::slice::from_ref(&args.output))?;
    let Skins { mut frames, time } = Skins::open(body, skins)?;
    let settings =
        FitSettings { smoothness: Smoothness::Relative(args.smoothness), ..FitSettings::default() };
    let options = FitOptions { settings, by_area: args.by_area };
    let mut output = match time {
        Some((start, fps)) => {
            let fps = shot.motion.fps.or(fps).unwrap_or(Motion::FPS);
            reads.spared_by_motion(&args.output, start.0)?;
            Some(MotionOutput::create(
                &args.output,
                body,
                Moving::Body,
                Clock { start, frames: frames.frames(), fps },
            )?)
        }
        None => None,
    };
    let mut poses = Vec::new();
    let result = fit(
        body,
        frames.as_mut(),
        options,
        |positions, report| {
            poses.push(Pose {
                status: word(report.status),
                iterations: report.iterations,
                skin_rms: report.skin_rms,
                skin_max: report.skin_max,
                strain_energy: report.strain_energy,
            });
            match &mut output {
                Some(output) => Ok(output.write(positions, &[])?),
                None => save_pose(&args.output, body, Moving::Body, positions).map(|_| ()),
            }
        },
        session.progress(),
    );
    // Whatever was done is kept.
    if let Some(output) = output.filter(|output| output.frames() > 0) {
        output.finish()?;
    }
    result?;
    let (shot, output) = (args.shot.clone(), args.output.clone());
    let (vertices, seconds) = (body.positions().len(), begin.elapsed().as_secs_f64());
    session.answer(&Answer { shot, output, vertices, poses, seconds })
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let worst = |value: fn(&Pose) -> f64| self.poses.iter().map(value).fold(0.0, f64::max);
        let unsolved =
            self.poses.iter().filter(|pose| !["converged", "rounding"].contains(&pose.status)).count();
        let mut rows = Rows::default();
        rows.add("shot", self.shot.display())
            .add("body", format!("{}, {}", self.output.display(), counted(self.poses.len(), "pose", "poses")))
            .add(
                "skin",
                format!(
                    "error {} (root mean square of the worst pose), maximum {}",
                    number(worst(|pose| pose.skin_rms)),
                    number(worst(|pose| pose.skin_max))
                ),
            )
            .add("strain energy", format!("maximum {} J", number(worst(|pose| pose.strain_energy))));
        if unsolved > 0 {
            rows.add(
                "unsolved",
                format!("{} did not reach the tolerance", counted(unsolved, "pose", "poses")),
            );
        }
        rows.add("time", format!("{:.2} s", self.seconds));
        rows.fmt(f)
    }
}
