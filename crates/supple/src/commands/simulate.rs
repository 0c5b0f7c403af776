//! `supple simulate`: forward simulation of a shot, to make input motion.

use crate::session::Session;
use crate::text::Rows;
use std::path::PathBuf;
use supple_model::text::{count, counted};
use supple_project::solution::{SimulateAnswer, SimulateOptions, simulate};

/// Options of `supple simulate`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  supple simulate dragon/dragon.toml -o dragon.pc2\n\nContacts with the floor \
                  and obstacles are written to dragon.pc2.contacts.csv next to the motion. Ctrl-C keeps the \
                  frames done so far.\n\n  supple simulate pansy/pansy.toml --forces pansy-forces.csv --track -o \
                  pushed.pc2\n\nThis replays the forces of an edit of the method \"control\" on the reduced body, \
                  pushed by the shot's loads and tracked.\n\nJSON: shot, output, points [body|skin], vertices, frames, start, \
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
    /// Replay these forces, as `supple solve --forces` wrote them, on the reduced body of a shot of the method "control";
    /// the loads of the shot push it
    #[arg(long, value_name = "FORCES")]
    forces: Option<PathBuf>,
    /// With --forces: hold the motion of the shot against pushes
    #[arg(long)]
    track: bool,
}

pub fn run(args: &SimulateArgs, session: &Session) -> anyhow::Result<()> {
    let options = SimulateOptions {
        frames: args.frames.map(|frames| frames as usize),
        skin: args.skin,
        forces: args.forces.clone(),
        track: args.track,
    };
    session.answer(&simulate(&args.shot, &args.output, &options, session.progress())?, text)
}

fn text(answer: &SimulateAnswer) -> String {
    let mut rows = Rows::default();
    let carrier = if answer.cage { "vertices of a cage around the body" } else { "vertices" };
    let last = i64::from(answer.start) + answer.frames as i64 - 1;
    rows.add("shot", answer.shot.display())
        .add("motion", answer.output.display())
        .add("frames", format!("{}, {} to {last}, {} fps", count(answer.frames), answer.start, answer.fps))
        .add("points", format!("{} vertices of the {}", count(answer.vertices), answer.points))
        .add(
            "simulated",
            format!(
                "{} {carrier}, {}, {} of Newton's method",
                count(answer.simulated_vertices),
                counted(answer.steps, "step", "steps"),
                counted(answer.iterations, "iteration", "iterations")
            ),
        );
    if answer.cuts > 0 {
        rows.add("cut", format!("{} split in half to converge", counted(answer.cuts, "step", "steps")));
    }
    if answer.pieces > 1 {
        rows.add("finer", format!("steps split in up to {} parts to conserve energy", answer.pieces));
    }
    if answer.damped > 0 {
        let damped = counted(answer.damped, "step", "steps");
        rows.add("damped", format!("{damped} damped to avoid gaining energy; try more substeps"));
    }
    if answer.unsolved > 0 {
        rows.add(
            "unsolved",
            format!("{} did not reach the tolerance", counted(answer.unsolved, "step", "steps")),
        );
    }
    if let Some(file) = &answer.contacts_file {
        rows.add("contacts", format!("{} in {}", count(answer.contacts), file.display()));
    }
    rows.add("time", format!("{:.1} s", answer.seconds));
    rows.to_string()
}
