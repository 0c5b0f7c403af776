//! `supple sample`: writes a built-in shot.

use crate::session::Session;
use anyhow::Context;
use clap::builder::PossibleValuesParser;
use serde::Serialize;
use std::fmt;
use std::path::{Path, PathBuf};
use supple_project::{SAMPLES, Sample, Shot, shot::Input};

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

#[derive(Serialize)]
struct Answer {
    sample: &'static str,
    shot: PathBuf,
    files: Vec<PathBuf>,
    /// Whether there is no larger one.
    full: bool,
    #[serde(skip)]
    moves: bool,
}

pub fn run(args: &SampleArgs, session: &Session) -> anyhow::Result<()> {
    let sample = Sample::named(&args.name)?;
    let folder = args.output.clone().unwrap_or_else(|| PathBuf::from(sample.name));
    session.progress().report("filling the shape", 0.0)?;
    let file = write(sample, &folder, args.full)?;
    let shot = Shot::load(&file)?;
    let mut files = vec![file.clone()];
    files.extend(shot.files().iter().map(|path| folder.join(path)));
    let moves = shot.motion.input != Input::Rest;
    let full = args.full || !sample.has_full();
    session.answer(&Answer { sample: sample.name, shot: file, files, full, moves })
}

/// Writes a sample to `folder`, as large as in the paper or sooner ready; returns the shot file, named as `folder` is.
pub fn write(sample: &Sample, folder: &Path, full: bool) -> anyhow::Result<PathBuf> {
    let whole = std::path::absolute(folder).with_context(|| folder.display().to_string())?;
    let shot = if full { sample.write_full(&whole) } else { sample.write(&whole) }?;
    Ok(folder.join(shot.file_name().unwrap_or_default()))
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for file in &self.files {
            writeln!(f, "wrote {}", file.display())?;
        }
        let (shot, name) = (self.shot.display(), self.sample);
        if !self.full {
            writeln!(f, "this is a smaller, faster version; use --full for the paper's size")?;
        }
        writeln!(f, "\nNext:\n  supple prepare {shot}\n  supple render {shot} --mode 1 -o {name}-mode.png")?;
        match self.moves {
            true => writeln!(f, "  supple render {shot} --frame 60 -o {name}-60.png"),
            false => Ok(()),
        }
    }
}
