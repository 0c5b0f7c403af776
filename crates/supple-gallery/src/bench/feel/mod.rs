//! `supple bench feel`: do pulls on anybody's motion look as an animator expects?
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
pub mod manifest;
pub mod measure;
mod pieces;
mod pulls;
pub mod stage;
pub mod surface;
mod table;

use super::BenchArgs;
use crate::session::{Failed, Session};
use anyhow::Context;
use bars::{Line, Outcome};
use manifest::Entry;
use measure::{Pull, Seen};
use serde::Serialize;
use stage::Stage;
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
struct Answer {
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

/// One number for all sizes of pulls, or one for each.
pub fn parse_pulls(text: &str) -> Result<[usize; 3], String> {
    let wrong = || "give one number of drags, or three as in 0,3,1".to_owned();
    let numbers: Result<Vec<usize>, _> = text.split(',').map(|word| word.trim().parse()).collect();
    match numbers.map_err(|_| wrong())?.as_slice() {
        [all] => Ok([*all; 3]),
        [small, middling, large] => Ok([*small, *middling, *large]),
        _ => Err(wrong()),
    }
}

/// Runs the bench and prints its table. A missed bar is an error.
pub fn run(args: &BenchArgs, session: &Session) -> anyhow::Result<()> {
    let folder = args
        .data
        .as_deref()
        .context("--data must be a folder of motions; bench/motions/make.py makes one")?;
    let entries = Entry::read(folder)?;
    let mut motions = Vec::new();
    for (k, entry) in entries.iter().enumerate() {
        let part = |k: usize| k as f64 / entries.len() as f64;
        let progress = session.progress().part(part(k), part(k + 1));
        progress.report(&entry.name, 0.0)?;
        motions.push(measure(folder, entry, args, &progress).with_context(|| entry.name.clone())?);
    }
    let pulls: Vec<Outcome> = motions.iter().flat_map(|motion| motion.pulls.clone()).collect();
    let all = bars::lines(&pulls, !args.lively);
    let lines = motions.iter().flat_map(|motion| &motion.lines).chain(&all);
    let missed = lines.filter(|line| !line.ok).count();
    let feel = if args.lively { "lively" } else { "smooth" };
    let answer = Answer { bench: NAME, feel, missed, all, motions };
    session.answer(&answer)?;
    if missed > 0 {
        return Err(Failed(answer.told()).into());
    }
    Ok(())
}

fn measure(folder: &Path, entry: &Entry, args: &BenchArgs, progress: &Progress) -> anyhow::Result<Measured> {
    let began = Instant::now();
    let feel = |edit: &mut Edit| edit.feel = if args.lively { Feel::Lively } else { Feel::Smooth };
    let mut stage = Stage::open(&entry.motion_file(folder)?, feel, &progress.part(0.0, 0.2))?;
    let import_seconds = began.elapsed().as_secs_f64();
    // An edit reaches as far as a second of the motion unless a shot says otherwise.
    let reach = entry.fps.round();
    let asked: Vec<(u32, Pull)> = PERCENT
        .iter()
        .zip(args.pulls)
        .flat_map(|(percent, count)| {
            let pulls = pulls::choose(&stage.surface, &entry.name, *percent, count, reach);
            pulls.into_iter().map(|pull| (*percent, pull))
        })
        .collect();
    anyhow::ensure!(
        asked.len() == args.pulls.iter().sum::<usize>(),
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
        lines: bars::lines(&outcomes, !args.lively),
        pulls: outcomes,
    })
}

fn outcome(stage: &mut Stage, percent: u32, pull: &Pull) -> anyhow::Result<Outcome> {
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
            turned: report.inverted.map(|worst| worst.count),
            iterations: report.iterations,
            seen: Some(Seen::of(&stage.surface, &film, pull)),
            ..nothing
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pulls_are_one_number_or_three() {
        assert_eq!(parse_pulls("24"), Ok([24; 3]));
        assert_eq!(parse_pulls("0, 3,1"), Ok([0, 3, 1]));
        assert!(["", "1,2", "-1", "a", "1,2,3,4"].iter().all(|text| parse_pulls(text).is_err()));
    }
}
