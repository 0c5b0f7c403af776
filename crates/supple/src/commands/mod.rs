//! One file per command: its options, what it does, its answer.

pub mod cache;
pub mod convert;
mod demo;
pub mod edit;
mod feel;
mod fit;
pub mod gallery;
pub mod info;
pub mod new;
pub mod plot;
pub mod pose;
pub mod prepare;
pub mod render;
pub mod sample;
mod samples;
pub mod simulate;
pub mod solve;
#[cfg(feature = "studio")]
pub mod studio;

use crate::bench;
use crate::cli::Command;
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
        Some(Command::Prepare(args)) => prepare::run(args, session),
        Some(Command::Solve(args)) => solve::run(args, session),
        Some(Command::Simulate(args)) => simulate::run(args, session),
        Some(Command::Pose(args)) => pose::run(args, session),
        Some(Command::Render(args)) => render::run(args, session),
        Some(Command::Plot(args)) => plot::run(args, session),
        Some(Command::Gallery(args)) => gallery::run(args, session),
        Some(Command::Cache(args)) => cache::run(args, session),
        Some(Command::Bench(args)) => bench::run(args, session),
    }
}
