//! What can be typed: the commands and the options all of them have.

#[cfg(feature = "studio")]
use crate::commands::studio;
use crate::commands::{
    bench, cache, clean, convert, edit, gallery, info, new, plants, plot, pose, prepare, recover, render,
    sample, simulate, solve,
};
use anyhow::Context;
use clap::{Parser, Subcommand};
use std::path::PathBuf;

/// What the options of all commands stand under.
const GENERAL: &str = "General options";

/// Edit motion the way you edit shape.
///
/// With no command, opens the studio on a flying gull. With no display, writes that gull to supple-demo/, drags its wing,
/// and writes the edited motion with pictures and a report.
#[derive(Debug, Parser)]
#[command(
    version,
    after_help = "Examples:\n  supple sample bird\n  supple solve bird/bird.toml -o edited.glb\n  \
                  supple render bird/bird.toml --frame 100 -o bird.png"
)]
pub struct Cli {
    /// Print the result as one JSON object on stdout
    #[arg(long, global = true, help_heading = GENERAL)]
    pub json: bool,
    /// Number of threads; results do not depend on it [default: all cores]
    #[arg(long, global = true, help_heading = GENERAL, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Only read files inside this folder, whatever paths and links say; for shots and scenes you do not trust
    #[arg(long, global = true, help_heading = GENERAL, value_name = "DIR")]
    inside: Option<PathBuf>,
    /// What to do
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Open the studio, a window to edit motion with the mouse
    #[cfg(feature = "studio")]
    Studio(studio::StudioArgs),
    /// List the built-in shots
    #[command(after_help = "Example:\n  supple samples\n\nJSON: samples [name, about]")]
    Samples,
    /// Write a built-in shot to a folder
    Sample(sample::SampleArgs),
    /// Make a shot from an animated surface
    New(new::NewArgs),
    /// Add, list or remove handles of a shot
    Edit(edit::EditArgs),
    /// Add handles where the feet of a character stand
    Plants(plants::PlantsArgs),
    /// Take foot skate out of a capture
    Clean(clean::CleanArgs),
    /// Convert between motion formats
    Convert(convert::ConvertArgs),
    /// Show what is in a shot, scene, mesh, motion, list or embedding file
    Info(info::InfoArgs),
    /// Compute the vibration modes of a shot's body and cache them
    Prepare(prepare::PrepareArgs),
    /// Apply the edits of a shot and write the motion
    Solve(solve::SolveArgs),
    /// Recover the material of a shot's motion: frequencies, damping, stiffness
    Recover(recover::RecoverArgs),
    /// Simulate a shot's body and write its motion
    Simulate(simulate::SimulateArgs),
    /// Find the equilibrium of a shot's body under its loads and pins
    Pose(pose::PoseArgs),
    /// Render a shot, a motion or a mesh as a picture or a video
    Render(render::RenderArgs),
    /// Plot the path of a point, forces, spectra, convergence or modes of a shot
    Plot(plot::PlotArgs),
    /// Reproduce the papers' figures: pictures, plots and numbers on a page
    Gallery(gallery::GalleryArgs),
    /// List or clear the cache
    Cache(cache::CacheArgs),
    /// Measure speed, next to published figures and other programs
    Bench(bench::BenchArgs),
}

impl Cli {
    /// Keeps everything that is read inside the folder that is asked for.
    pub fn keep_inside(&self) -> anyhow::Result<()> {
        let Some(folder) = &self.inside else { return Ok(()) };
        supple_formats::keep_inside(folder)
            .with_context(|| format!("cannot limit reading to {}", folder.display()))
    }

    /// Makes all parallel work use as many threads as asked for.
    pub fn use_threads(&self) -> anyhow::Result<()> {
        let Some(threads) = self.threads else { return Ok(()) };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.into());
        pool.build_global().with_context(|| format!("cannot start {threads} threads"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_options_do_not_contradict_each_other() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_shows_an_example() {
        let mut cli = Cli::command();
        for command in cli.get_subcommands_mut().filter(|command| command.get_name() != "help") {
            let help = command.render_long_help().to_string();
            assert!(help.contains("Example"), "{}", command.get_name());
        }
    }
}
