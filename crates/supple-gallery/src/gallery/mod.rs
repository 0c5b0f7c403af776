//! The figures of the papers again, as pictures, plots and numbers of this very run.
//!
//! One folder per paper, one file per example: it opens the built-in shots it needs in the `Workshop`, edits them,
//! measures what came out, and answers a `Section` of the page. The examples are those of Barbič, Sin and Grinspun,
//! Interactive Editing of Deformable Simulations (2012), in `drag`, those of Barbič, da Silva and Popović,
//! Deformable Object Animation Using Reduced Optimal Control (2009), in `control`, those of Schulz, von Tycowicz, Seidel
//! and Hildebrandt, Animating Deformable Objects Using Sparse Spacetime Constraints (2014), in `sparse`, those of Gleicher,
//! Motion Editing with Spacetime Constraints (1997), in `character`, and the plain controls of edits in `feel`.

mod character;
mod control;
mod drag;
mod feel;
mod measure;
mod page;
mod sparse;
mod workshop;

use anyhow::Context;
use character::{displacement, jump, no_feet, slide, step, thief, walk as steps};
use control::{
    arcs, costs as control_costs, elephant, fish, pansy, poses, solvers, spring_bridge, tangents, volume,
    walk as biped,
};
use drag::{bends, bridge, convergence, costs, dragon, limits, spline, timestep};
use page::Section;
use serde::Serialize;
use sparse::{buddha, cactus_jump, handspring, keys, tilt, triple_jump, twist, walk, x_jump};
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

/// One example of the page.
struct Example {
    name: &'static str,
    /// Its folder: a paper, or what the paper does not show.
    paper: &'static str,
    title: &'static str,
    /// Where it is in the paper.
    figure: &'static str,
    make: fn(&Workshop, &Progress) -> anyhow::Result<Section>,
}

const EXAMPLES: &[Example] = &[
    Example {
        name: "green",
        paper: "drag",
        title: "One vertex of a mast, pulled at one frame",
        figure: "Figure 2",
        make: bridge::green,
    },
    Example {
        name: "bridge",
        paper: "drag",
        title: "A simulated bridge, readjusted",
        figure: "Figure 1",
        make: bridge::readjusted,
    },
    Example {
        name: "convergence",
        paper: "drag",
        title: "More modes, closer to all of them",
        figure: "Figure 3",
        make: convergence::tail,
    },
    Example {
        name: "bends",
        paper: "drag",
        title: "Large bends",
        figure: "Figure 4, Section 8",
        make: bends::all,
    },
    Example {
        name: "costs",
        paper: "drag",
        title: "What handles cost",
        figure: "Figure 5",
        make: costs::handles,
    },
    Example {
        name: "contacts",
        paper: "drag",
        title: "What contacts cost",
        figure: "Figure 7",
        make: costs::contacts,
    },
    Example {
        name: "dragon",
        paper: "drag",
        title: "A dragon on the stairs, contacts on and off",
        figure: "Figure 6",
        make: dragon::stairs,
    },
    Example {
        name: "curtain",
        paper: "drag",
        title: "A curtain at two time steps, warp on and off",
        figure: "Figure 8",
        make: timestep::curtain,
    },
    Example {
        name: "spline",
        paper: "drag",
        title: "Edits that swing, against splines",
        figure: "Figure 9",
        make: spline::curtain,
    },
    Example {
        name: "limits",
        paper: "drag",
        title: "Limitations",
        figure: "Figure 10, Section 8",
        make: limits::all,
    },
    Example {
        name: "biped-walk",
        paper: "control",
        title: "Five steps of a young dinosaur",
        figure: "Barbič 2009, Figure 1",
        make: biped::figure,
    },
    Example {
        name: "fish",
        paper: "control",
        title: "A fish that nothing holds",
        figure: "Barbič 2009, Figure 2",
        make: fish::figure,
    },
    Example {
        name: "poses",
        paper: "control",
        title: "Poses under loads and pins",
        figure: "Barbič 2009, Section 4 and Figure 3",
        make: poses::all,
    },
    Example {
        name: "arcs",
        paper: "control",
        title: "What lies between two poses",
        figure: "Barbič 2009, Figure 4",
        make: arcs::figure,
    },
    Example {
        name: "pansy",
        paper: "control",
        title: "A pansy that dances",
        figure: "Barbič 2009, Figure 5",
        make: pansy::figure,
    },
    Example {
        name: "tangents",
        paper: "control",
        title: "Bases with and without tangents",
        figure: "Barbič 2009, Figure 6",
        make: tangents::figure,
    },
    Example {
        name: "spring-bridge",
        paper: "control",
        title: "A bridge of springs",
        figure: "Barbič 2009, Figure 7",
        make: spring_bridge::figure,
    },
    Example {
        name: "elephant",
        paper: "control",
        title: "A rig's poses, with inertia",
        figure: "Barbič 2009, Figure 8",
        make: elephant::figure,
    },
    Example {
        name: "volume",
        paper: "control",
        title: "Between poses, against a spline",
        figure: "Barbič 2009, Figure 9",
        make: volume::figure,
    },
    Example {
        name: "solvers",
        paper: "control",
        title: "Our solver, the published one, and PD",
        figure: "Barbič 2009, Sections 5 and 6",
        make: solvers::figure,
    },
    Example {
        name: "control-costs",
        paper: "control",
        title: "What motions through poses cost",
        figure: "Barbič 2009, Table 1",
        make: control_costs::table,
    },
    Example {
        name: "feel",
        paper: "feel",
        title: "Feel, reach and spread",
        figure: "docs/feel.md",
        make: feel::controls,
    },
    Example {
        name: "x-handspring",
        paper: "sparse",
        title: "A handspring from two keys",
        figure: "Schulz 2014, Figure 1",
        make: handspring::figure,
    },
    Example {
        name: "buddha",
        paper: "sparse",
        title: "A dance in a loop from three keys",
        figure: "Schulz 2014, Figure 2",
        make: buddha::figure,
    },
    Example {
        name: "x-jump",
        paper: "sparse",
        title: "A jump with anticipation",
        figure: "Schulz 2014, Figure 3",
        make: x_jump::figure,
    },
    Example {
        name: "x-walk",
        paper: "sparse",
        title: "Five steps",
        figure: "Schulz 2014, Figure 4",
        make: walk::figure,
    },
    Example {
        name: "cactus-triple-jump",
        paper: "sparse",
        title: "Three jumps in a row",
        figure: "Schulz 2014, Figure 5",
        make: triple_jump::figure,
    },
    Example {
        name: "block-twist",
        paper: "sparse",
        title: "A twist that spirals",
        figure: "Schulz 2014, Figure 6",
        make: twist::figure,
    },
    Example {
        name: "cactus-jump",
        paper: "sparse",
        title: "A jump with arms",
        figure: "Schulz 2014, Figure 7",
        make: cactus_jump::figure,
    },
    Example {
        name: "keys",
        paper: "sparse",
        title: "What all that is made of",
        figure: "Schulz 2014, Figure 8",
        make: keys::figure,
    },
    Example {
        name: "block-tilt",
        paper: "sparse",
        title: "Keys on the warped motion, against linear ones",
        figure: "Schulz 2014, Figure 9",
        make: tilt::figure,
    },
    Example {
        name: "jump-2d",
        paper: "character",
        title: "A higher jump",
        figure: "Gleicher 1997, Figure 1",
        make: jump::figure,
    },
    Example {
        name: "walk-3d",
        paper: "character",
        title: "A walk, one step aside",
        figure: "Gleicher 1997, Figure 2",
        make: steps::figure,
    },
    Example {
        name: "walk-2d",
        paper: "character",
        title: "Over an obstacle",
        figure: "Gleicher 1997, Figure 3",
        make: step::figure,
    },
    Example {
        name: "displacement",
        paper: "character",
        title: "Constraints against plain displacement",
        figure: "Gleicher 1997, Figure 4",
        make: displacement::figure,
    },
    Example {
        name: "slide-2d",
        paper: "character",
        title: "Reaching farther while plants float",
        figure: "Gleicher 1997, Figure 5",
        make: slide::figure,
    },
    Example {
        name: "walk-3d-no-feet",
        paper: "character",
        title: "A walk without feet",
        figure: "Gleicher 1997, Figure 6",
        make: no_feet::figure,
    },
    Example {
        name: "thief",
        paper: "character",
        title: "A thief and a treasure",
        figure: "Gleicher 1997, Figure 7",
        make: thief::figure,
    },
];

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
    let is_wanted = |example: &&Example| {
        let mut names = options.names.iter();
        options.names.is_empty()
            || names.any(|wanted| [example.name, example.paper].contains(&wanted.as_str()))
    };
    let chosen: Vec<&Example> = EXAMPLES.iter().filter(is_wanted).collect();
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
