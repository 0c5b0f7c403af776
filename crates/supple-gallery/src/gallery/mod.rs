//! `supple gallery`: the figures of the papers again, as pictures, plots and numbers of this very run.
//!
//! One file per example: it opens the built-in shots it needs in the [`Workshop`], edits them, measures what
//! came out, and answers a [`Section`] of the page. The examples are those of Barbič, Sin and Grinspun,
//! Interactive Editing of Deformable Simulations (2012), and the posing of Barbič, da Silva and Popović, Deformable
//! Object Animation Using Reduced Optimal Control (2009).

mod bends;
mod bridge;
mod convergence;
mod costs;
mod dragon;
mod feel;
mod limits;
pub mod measure;
mod page;
mod poses;
mod spline;
mod timestep;
mod workshop;

use crate::session::Session;
use crate::text::counted;
use anyhow::Context;
use clap::builder::PossibleValuesParser;
use page::Section;
use serde::Serialize;
use std::fmt;
use std::fs;
use std::path::PathBuf;
use std::time::Instant;
use supple_model::Progress;
use workshop::Workshop;

/// Options of `supple gallery`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  supple gallery -o gallery\n  supple gallery -o gallery bends spline\n  \
                  supple gallery -o gallery feel --motions motions\n\nComputing all examples takes some \
                  minutes, because motions are simulated first.\n\nJSON: page, numbers, seconds, examples \
                  [name, title, figure, seconds, files, numbers [name, value, unit, published]]"
)]
pub struct GalleryArgs {
    /// The examples to compute [default: all]
    #[arg(value_parser = PossibleValuesParser::new(EXAMPLES.iter().map(|example| example.name)))]
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

/// One example of the page.
struct Example {
    name: &'static str,
    title: &'static str,
    /// Where it is in the paper.
    figure: &'static str,
    make: fn(&Workshop, &Progress) -> anyhow::Result<Section>,
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "green",
        title: "One vertex of a mast, pulled at one frame",
        figure: "Figure 2",
        make: bridge::green,
    },
    Example {
        name: "bridge",
        title: "A simulated bridge, readjusted",
        figure: "Figure 1",
        make: bridge::readjusted,
    },
    Example {
        name: "convergence",
        title: "More modes, closer to all of them",
        figure: "Figure 3",
        make: convergence::tail,
    },
    Example { name: "bends", title: "Large bends", figure: "Figure 4, Section 8", make: bends::all },
    Example { name: "costs", title: "What handles cost", figure: "Figure 5", make: costs::handles },
    Example { name: "contacts", title: "What contacts cost", figure: "Figure 7", make: costs::contacts },
    Example {
        name: "dragon",
        title: "A dragon on the stairs, contacts on and off",
        figure: "Figure 6",
        make: dragon::stairs,
    },
    Example {
        name: "curtain",
        title: "A curtain at two time steps, warp on and off",
        figure: "Figure 8",
        make: timestep::curtain,
    },
    Example {
        name: "spline",
        title: "Edits that swing, against splines",
        figure: "Figure 9",
        make: spline::curtain,
    },
    Example { name: "limits", title: "Limitations", figure: "Figure 10, Section 8", make: limits::all },
    Example {
        name: "poses",
        title: "Poses under loads and pins",
        figure: "Barbič 2009, Section 4 and Figure 3",
        make: poses::all,
    },
    Example { name: "feel", title: "Feel, reach and spread", figure: "docs/feel.md", make: feel::controls },
];

#[derive(Serialize)]
struct Answer {
    page: PathBuf,
    numbers: PathBuf,
    seconds: f64,
    examples: Vec<Section>,
}

pub fn run(args: &GalleryArgs, session: &Session) -> anyhow::Result<()> {
    let start = Instant::now();
    let out = &args.output;
    fs::create_dir_all(out).with_context(|| format!("cannot make the folder {}", out.display()))?;
    let workshop = Workshop::new(out, args.work.as_deref(), args.motions.as_deref())?;
    let chosen: Vec<&Example> = EXAMPLES
        .iter()
        .filter(|example| args.names.is_empty() || args.names.iter().any(|name| name == example.name))
        .collect();
    let mut sections = Vec::new();
    for (k, example) in chosen.iter().enumerate() {
        let part = |k: usize| k as f64 / chosen.len() as f64;
        let began = Instant::now();
        let progress = session.progress().part(part(k), part(k + 1));
        progress.report(example.title, 0.0)?;
        let mut section = (example.make)(&workshop, &progress).with_context(|| example.name.to_owned())?;
        section.name = example.name;
        section.title = example.title;
        section.figure = example.figure;
        section.seconds = began.elapsed().as_secs_f64();
        sections.push(section);
    }
    let seconds = start.elapsed().as_secs_f64();
    let (page, numbers) = (out.join("index.md"), out.join("numbers.json"));
    write(&page, &page::markdown(&sections, seconds))?;
    write(&numbers, &serde_json::to_string_pretty(&sections)?)?;
    session.answer(&Answer { page, numbers, seconds, examples: sections })
}

fn write(file: &PathBuf, text: &str) -> anyhow::Result<()> {
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for section in &self.examples {
            writeln!(f, "{} ({}), {:.1} s", section.title, section.figure, section.seconds)?;
            for number in &section.numbers {
                writeln!(f, "  {}: {}", number.name, number.text())?;
            }
        }
        let examples = counted(self.examples.len(), "example", "examples");
        writeln!(f, "\nwrote {}, {examples}, {:.0} s", self.page.display(), self.seconds)
    }
}
