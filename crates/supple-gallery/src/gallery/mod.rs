//! The figures of the papers again, as pictures, plots and numbers of this very run.
//!
//! One folder per paper, one file per example: it opens the built-in shots it needs in the `Workshop`, edits them,
//! measures what came out, and answers a `Section` of the page. The examples are those of Barbič, Sin and Grinspun,
//! Interactive Editing of Deformable Simulations (2012), in `drag`, the posing of Barbič, da Silva and Popović,
//! Deformable Object Animation Using Reduced Optimal Control (2009), in `control`, and the plain controls of edits.

mod control;
mod drag;
mod feel;
mod measure;
mod page;
mod workshop;

use anyhow::Context;
use control::poses;
use drag::{bends, bridge, convergence, costs, dragon, limits, spline, timestep};
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
    /// The examples, see [`names`]. None: all of them.
    pub names: Vec<String>,
    /// The folder of the page with its pictures and numbers; made where it is missing.
    pub output: PathBuf,
    /// The folder where shots, simulated motions and modes stay for the next run. None: they are thrown away.
    pub work: Option<PathBuf>,
    /// A folder of motions for the example `feel`. None: those that are built in.
    pub motions: Option<PathBuf>,
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

/// The page that was made: its files, and what every example measured.
#[derive(Serialize)]
pub struct GalleryAnswer {
    page: PathBuf,
    numbers: PathBuf,
    seconds: f64,
    examples: Vec<Section>,
}

/// The names of the examples, in the order of the page.
pub fn names() -> impl Iterator<Item = &'static str> {
    EXAMPLES.iter().map(|example| example.name)
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
    let is_wanted =
        |name: &str| options.names.is_empty() || options.names.iter().any(|wanted| wanted == name);
    let chosen: Vec<&Example> = EXAMPLES.iter().filter(|example| is_wanted(example.name)).collect();
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
