//! Do pulls on anybody's motion look as an animator expects?
//!
//! ```text
//! motions.json → every motion, imported as `supple new` does it, opened once     [manifest, stage]
//! the file's own surface: pieces, seams, what stands still, what touches         [surface]
//! pulls of 5, 12 and 25 % of the size at vertices and frames by chance           [pulls]
//! each: solved, written to a file as `supple solve` writes it, read and measured [measure]
//! the pulls of a motion → numbers beside their bars                              [bars]
//! ```
//!
//! The motions are those of `bench/motions/make.py`, or any folder with such a `motions.json`.

mod bars;
pub mod imported;
pub mod manifest;
pub mod measure;
mod pieces;
mod pulls;
pub mod surface;
mod table;

use super::BenchOptions;
use anyhow::Context;
use bars::{Line, Outcome};
use imported::Imported;
use manifest::Entry;
use measure::{Pull, Seen};
use serde::Serialize;
use std::path::Path;
use std::time::Instant;
use supple_model::Progress;
use supple_project::shot::{Edit, Feel};

/// What the bench is called.
pub const NAME: &str = "feel";
/// How large pulls are, in percent of the size.
const PERCENT: [u32; 3] = [5, 12, 25];

/// What was measured.
#[derive(Serialize)]
pub struct FeelAnswer {
    bench: &'static str,
    feel: &'static str,
    /// How many bars were missed.
    missed: usize,
    /// All pulls together.
    all: Vec<Line>,
    motions: Vec<Measured>,
}

/// What was measured on one motion.
#[derive(Serialize)]
struct Measured {
    name: String,
    vertices: usize,
    frames: usize,
    kind: &'static str,
    /// How many vertices never move, coincide with others, touch another piece; pairs of pieces that touch count too.
    still: usize,
    coinciding: usize,
    touching: usize,
    import_seconds: f64,
    lines: Vec<Line>,
    pulls: Vec<Outcome>,
}

/// Runs the bench.
pub fn run(options: &BenchOptions, progress: &Progress) -> anyhow::Result<FeelAnswer> {
    let folder = options
        .data
        .as_deref()
        .context("--data must be a folder of motions; bench/motions/make.py makes one")?;
    let mut entries = Entry::read(folder)?;
    entries.retain(|entry| options.wants(&entry.name));
    let word = options.case.as_deref().unwrap_or_default();
    anyhow::ensure!(!entries.is_empty(), "{}: no motion has {word:?} in its name", folder.display());
    let mut motions = Vec::new();
    for (k, entry) in entries.iter().enumerate() {
        let part = |k: usize| k as f64 / entries.len() as f64;
        let progress = progress.part(part(k), part(k + 1));
        progress.report(&entry.name, 0.0)?;
        motions.push(measure(folder, entry, options, &progress).with_context(|| entry.name.clone())?);
    }
    let pulls: Vec<Outcome> = motions.iter().flat_map(|motion| motion.pulls.clone()).collect();
    let all = bars::lines(&pulls, !options.lively);
    let lines = motions.iter().flat_map(|motion| &motion.lines).chain(&all);
    let missed = lines.filter(|line| !line.ok).count();
    let feel = if options.lively { "lively" } else { "smooth" };
    Ok(FeelAnswer { bench: NAME, feel, missed, all, motions })
}

fn measure(
    folder: &Path,
    entry: &Entry,
    options: &BenchOptions,
    progress: &Progress,
) -> anyhow::Result<Measured> {
    let began = Instant::now();
    let feel = |edit: &mut Edit| edit.feel = if options.lively { Feel::Lively } else { Feel::Smooth };
    let mut stage = Imported::open(&entry.motion_file(folder)?, feel, &progress.part(0.0, 0.2))?;
    let import_seconds = began.elapsed().as_secs_f64();
    // An edit reaches as far as a second of the motion unless a shot says otherwise.
    let reach = entry.fps.round();
    let asked: Vec<(u32, Pull)> = PERCENT
        .iter()
        .zip(options.pulls)
        .flat_map(|(percent, count)| {
            let pulls = pulls::choose(&stage.surface, &entry.name, *percent, count, reach);
            pulls.into_iter().map(|pull| (*percent, pull))
        })
        .collect();
    anyhow::ensure!(
        asked.len() == options.pulls.iter().sum::<usize>(),
        "every vertex is close to one that never moves, so nothing can be dragged"
    );
    let mut outcomes = Vec::new();
    for (k, (percent, pull)) in asked.iter().enumerate() {
        progress.report(&entry.name, 0.2 + 0.8 * k as f64 / asked.len() as f64)?;
        outcomes.push(outcome(&mut stage, *percent, pull)?);
    }
    let surface = &stage.surface;
    Ok(Measured {
        name: entry.name.clone(),
        vertices: surface.twins.len(),
        frames: surface.film.len(),
        kind: stage.shot.body.kind.name(),
        still: surface.still.len(),
        coinciding: surface.twins.iter().enumerate().filter(|(v, first)| v != *first).count(),
        touching: surface.touching.len() + surface.pieces.touching(),
        import_seconds,
        lines: bars::lines(&outcomes, !options.lively),
        pulls: outcomes,
    })
}

fn outcome(stage: &mut Imported, percent: u32, pull: &Pull) -> anyhow::Result<Outcome> {
    let began = Instant::now();
    let edited = stage.edit(pull, &Progress::silent())?;
    let seconds = began.elapsed().as_secs_f64();
    let frame = stage.editor.clock().start.0 + i32::try_from(pull.frame)?;
    let nothing = Outcome {
        percent,
        vertex: pull.vertex,
        frame,
        status: None,
        refused: None,
        warned: false,
        turned: None,
        iterations: 0,
        seconds,
        seen: None,
    };
    Ok(match edited {
        Err(refused) => Outcome { refused: Some(refused.to_string()), ..nothing },
        Ok((report, film)) => Outcome {
            status: Some(report.status.name()),
            warned: report.warnings().next().is_some(),
            turned: report.number("inverted", "count").map(|count| count as usize),
            iterations: report.iterations,
            seen: Some(Seen::of(&stage.surface, &film, pull)),
            ..nothing
        },
    })
}
