//! The figures of the papers again, as pictures, plots and numbers of this very run.
//!
//! One folder per paper, one file per example, all of them named in `examples`: it opens the built-in shots it needs in the
//! `Workshop`, edits them, measures what came out, and answers a `Section` of the page. The examples are those of Barbič, Sin and Grinspun,
//! Interactive Editing of Deformable Simulations (2012), in `drag`, those of Barbič, da Silva and Popović,
//! Deformable Object Animation Using Reduced Optimal Control (2009), in `control`, those of Schulz, von Tycowicz, Seidel
//! and Hildebrandt, Animating Deformable Objects Using Sparse Spacetime Constraints (2014), in `sparse`, those of Gleicher,
//! Motion Editing with Spacetime Constraints (1997), in `character`, those of Li, Huang, de Goes, Jin, Bao and Desbrun,
//! Space-Time Editing of Elastic Motion through Material Optimization and Reduction (2014), in `material`, and the plain controls of edits in `feel`.

mod character;
mod control;
mod drag;
mod examples;
mod feel;
mod material;
mod measure;
mod page;
mod sparse;
mod workshop;

use anyhow::Context;
use examples::EXAMPLES;
use page::Section;
use serde::Serialize;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;
use supple_model::Progress;
use supple_model::text::counted;
use workshop::Workshop;

/// What of the gallery to make, and where.
#[derive(Clone, Debug, Default)]
pub struct GalleryOptions {
    /// The examples or papers, see [`names`]. None: all of them.
    pub names: Vec<String>,
    /// The folder of the page with its pictures and numbers; made where it is missing.
    pub output: PathBuf,
    /// The folder where shots, simulated motions and modes stay for the next run. None: they are thrown away.
    pub work: Option<PathBuf>,
    /// A folder of motions for the example `feel`. None: those that are built in.
    pub motions: Option<PathBuf>,
}

/// The page that was made: its files, and what every example measured.
#[derive(Serialize)]
pub struct GalleryAnswer {
    page: PathBuf,
    numbers: PathBuf,
    seconds: f64,
    examples: Vec<Section>,
}

/// The names of the examples, in the order of the page, then those of papers, which mean all examples of theirs.
pub fn names() -> impl Iterator<Item = &'static str> {
    let mut names: Vec<&'static str> = EXAMPLES.iter().map(|example| example.name).collect();
    for example in EXAMPLES {
        if !names.contains(&example.paper) {
            names.push(example.paper);
        }
    }
    names.into_iter()
}

/// Makes the page.
///
/// # Errors
/// A folder that cannot be written to, an example that fails, cancellation; a failed example is named.
pub fn make(options: &GalleryOptions, progress: &Progress) -> anyhow::Result<GalleryAnswer> {
    let start = Instant::now();
    let out = &options.output;
    fs::create_dir_all(out).with_context(|| format!("cannot make the folder {}", out.display()))?;
    let workshop = Workshop::new(out, options.work.as_deref(), options.motions.as_deref())?;
    let is_wanted = |example: &&examples::Example| {
        let mut names = options.names.iter();
        options.names.is_empty()
            || names.any(|wanted| [example.name, example.paper].contains(&wanted.as_str()))
    };
    let chosen: Vec<&examples::Example> = EXAMPLES.iter().filter(is_wanted).collect();
    let mut sections = Vec::new();
    for (k, example) in chosen.iter().enumerate() {
        let part = |k: usize| k as f64 / chosen.len() as f64;
        let began = Instant::now();
        let progress = progress.part(part(k), part(k + 1));
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
    Ok(GalleryAnswer { page, numbers, seconds, examples: sections })
}

fn write(file: &Path, text: &str) -> anyhow::Result<()> {
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}

impl fmt::Display for GalleryAnswer {
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
