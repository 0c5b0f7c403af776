//! Edits of skeletons: Table 1 of Gleicher 1997 again, and captures of Carnegie Mellon from `--data`.
//!
//! A "drag step" is one move of a hand that pulls a point of a figure along a line, while all feet stand; "release" the motion
//! that answers what is asked, from nothing; "clean" takes the slide out of feet that stand. The residual is what is missing
//! at the end, in the figure's size: of the point in the hand, or of anything that is held.

mod asked;
mod capture;

use super::row::Row;
use super::{BenchOptions, median};
use anyhow::{Context, bail, ensure};
use asked::{Asked, asked};
use nalgebra::Vector3;
use std::time::Instant;
use supple_character::{Drag, Goal, Motion};
use supple_model::Progress;
use supple_project::{Sample, Shot};

/// A row of the table: what it is called, its sample, its window if it has one, and the time of the published solver.
const TABLE: &[(&str, &str, Option<Window>, f64)] = &[
    ("jump-2d", "jump-2d", None, 0.057),
    ("walk-2d", "walk-2d", None, 0.360),
    ("walk-2d-range", "walk-2d", Some(Window { frames: 45, keys: 5 }), 0.142),
    ("slide-2d", "slide-2d", None, 0.065),
    ("walk-3d", "walk-3d", None, 0.284),
    ("walk-3d-no-feet", "walk-3d-no-feet", None, 0.182),
    ("slide-3d", "slide-3d", None, 0.127),
    ("thief", "thief", None, 0.261),
];

/// Moves of the hand.
const MOVES: usize = 60;

/// The only frames that change, around what is dragged, and the keys of their curve.
#[derive(Clone, Copy, Debug)]
struct Window {
    frames: usize,
    keys: usize,
}

pub fn run(options: &BenchOptions, progress: &Progress) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (index, (name, sample, window, published)) in TABLE.iter().enumerate() {
        if options.wants(name) {
            progress.report(name, index as f64 / TABLE.len() as f64)?;
            rows.push(table_row(name, sample, *window, *published).with_context(|| (*name).to_owned())?);
        }
    }
    rows.extend(capture::run(options, progress)?);
    Ok(rows)
}

fn table_row(name: &str, sample: &str, window: Option<Window>, published: f64) -> anyhow::Result<Row> {
    let folder = tempfile::tempdir()?;
    let shot = Shot::load(&Sample::named(sample)?.write(folder.path())?)?;
    let (mut asked, motion) = asked(&shot)?;
    if let Some(window) = window {
        asked.narrow(window.frames, window.keys);
    }
    let row = drag_row(name, &asked, &motion)?;
    Ok(Row { published_seconds: Some(published), ..row })
}

/// The median of what a move of the hand takes, along the way to where the shot wants the point.
fn drag_row(name: &str, asked: &Asked, motion: &Motion) -> anyhow::Result<Row> {
    let Asked { edit, dragged, by } = asked;
    let mut drag = Drag::new(edit.clone(), motion.clone(), &[*dragged]);
    let frame = edit.constraints[*dragged].frames.0;
    let mut seconds = Vec::new();
    let mut miss = f64::INFINITY;
    for k in 1..=MOVES {
        let shift = by * (k as f64 / MOVES as f64);
        let begin = Instant::now();
        miss = drag.step(&shift);
        let world = drag.world(frame);
        seconds.push(begin.elapsed().as_secs_f64());
        ensure!(world.positions.iter().all(|p| p.iter().all(|x| x.is_finite())), "the figure is nowhere");
    }
    // Where the point is, by the whole motion and not by what the step said of itself.
    let after = drag.motion();
    let constraint = &edit.constraints[*dragged];
    let skeleton = &edit.figure.skeleton;
    let Goal::At(targets) = &constraint.goal else { bail!("places are dragged") };
    // It need not have been where it is asked for before: what is held may have been moved first.
    let to = targets.get(0).context("it is asked for in its first frame")? + by;
    let at: Vector3<f64> = constraint.point.at(skeleton, &after.world(skeleton, frame));
    ensure!(
        (to - at).norm() < miss + 1e-6 * edit.figure.size,
        "the point is at {at:?} and not at {to:?}, though the step says {miss}"
    );
    Ok(Row {
        frames: Some(motion.frames()),
        dofs: Some(skeleton.freedoms()),
        rows: Some(drag.rows()),
        residual: Some(miss / edit.figure.size),
        ..Row::new(name, "drag step", median(seconds))
    })
}
