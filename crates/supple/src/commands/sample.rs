//! `supple sample`: writes a built-in shot.

use crate::session::Session;
use crate::text::typed;
use clap::builder::PossibleValuesParser;
use std::fmt::Write;
use std::path::PathBuf;
use supple_project::SAMPLES;
use supple_project::samples::{self, SampleAnswer, SampleOptions};

/// Options of `supple sample`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  supple sample bridge -o film --full\n\nJSON: sample, shot, files, full")]
pub struct SampleArgs {
    /// The sample to write
    #[arg(value_parser = PossibleValuesParser::new(SAMPLES.iter().map(|sample| sample.name)))]
    name: String,
    /// Folder to write to; no file is overwritten [default: NAME in the current folder]
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Use the size of the paper's example, which can take minutes to simulate [default: a size that is ready within 30 s]
    #[arg(long)]
    full: bool,
}

pub fn run(args: &SampleArgs, session: &Session) -> anyhow::Result<()> {
    let options = SampleOptions { folder: args.output.clone(), full: args.full };
    session.answer(&samples::write(&args.name, &options, session.progress())?, text)
}

fn text(answer: &SampleAnswer) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    for file in &answer.files {
        let _ = writeln!(text, "wrote {}", file.display());
    }
    let (shot, name) = (typed(&answer.shot), answer.sample);
    if !answer.full {
        text.push_str("this is a smaller, faster version; use --full for the paper's size\n");
    }
    let _ = writeln!(
        text,
        "\nNext:\n  supple prepare {shot}\n  supple render {shot} --mode 1 -o {name}-mode.png"
    );
    if answer.moves {
        let _ = writeln!(text, "  supple render {shot} --frame 60 -o {name}-60.png");
    }
    text
}
