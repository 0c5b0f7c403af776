//! From what was asked for to the command that does it.

use crate::cli::Command;
#[cfg(not(feature = "studio"))]
use crate::commands::demo;
#[cfg(feature = "studio")]
use crate::commands::studio;
use crate::commands::{
    bench, cache, clean, convert, edit, gallery, info, new, plants, plot, pose, prepare, recover, render,
    sample, samples, simulate, solve,
};
use crate::session::Session;

/// Does what was asked for.
pub fn run(command: Option<&Command>, session: &Session) -> anyhow::Result<()> {
    match command {
        #[cfg(feature = "studio")]
        None => studio::run_plain(session),
        #[cfg(not(feature = "studio"))]
        None => demo::run(session),
        #[cfg(feature = "studio")]
        Some(Command::Studio(args)) => studio::run(args),
        Some(Command::Samples) => samples::run(session),
        Some(Command::Sample(args)) => sample::run(args, session),
        Some(Command::New(args)) => new::run(args, session),
        Some(Command::Edit(args)) => edit::run(args, session),
        Some(Command::Convert(args)) => convert::run(args, session),
        Some(Command::Info(args)) => info::run(args, session),
        Some(Command::Plants(args)) => plants::run(args, session),
        Some(Command::Clean(args)) => clean::run(args, session),
        Some(Command::Prepare(args)) => prepare::run(args, session),
        Some(Command::Solve(args)) => solve::run(args, session),
        Some(Command::Recover(args)) => recover::run(args, session),
        Some(Command::Simulate(args)) => simulate::run(args, session),
        Some(Command::Pose(args)) => pose::run(args, session),
        Some(Command::Render(args)) => render::run(args, session),
        Some(Command::Plot(args)) => plot::run(args, session),
        Some(Command::Gallery(args)) => gallery::run(args, session),
        Some(Command::Cache(args)) => cache::run(args, session),
        Some(Command::Bench(args)) => bench::run(args, session),
    }
}
