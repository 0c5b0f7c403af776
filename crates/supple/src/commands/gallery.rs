//! `supple gallery`: the figures of the papers again.

use crate::session::Session;
use clap::builder::PossibleValuesParser;
use std::path::PathBuf;
use supple_gallery::gallery::{self, GalleryOptions};

/// Options of `supple gallery`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  supple gallery -o gallery\n  supple gallery -o gallery bends spline\n  \
                  supple gallery -o gallery sparse\n  \
                  supple gallery -o gallery feel --motions motions\n\nComputing all examples takes some \
                  minutes, because motions are simulated first.\n\nJSON: page, numbers, seconds, examples \
                  [name, title, figure, seconds, files, numbers [name, value, unit, published]]"
)]
pub struct GalleryArgs {
    /// The examples to compute, or papers: drag, control, sparse, character [default: all]
    #[arg(value_parser = PossibleValuesParser::new(gallery::names()))]
    names: Vec<String>,
    /// Folder for index.md, numbers.json, pictures and plots; created if needed
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Keep shots, simulated motions and modes here for the next run [default: discarded]
    #[arg(long, value_name = "DIR")]
    work: Option<PathBuf>,
    /// For feel: edit the motions of this folder, made by bench/motions/make.py [default: built-in motions]
    #[arg(long, value_name = "DIR")]
    motions: Option<PathBuf>,
}

pub fn run(args: &GalleryArgs, session: &Session) -> anyhow::Result<()> {
    let options = GalleryOptions {
        names: args.names.clone(),
        output: args.output.clone(),
        work: args.work.clone(),
        motions: args.motions.clone(),
    };
    session.answer(&gallery::make(&options, session.progress())?, ToString::to_string)
}
