//! Motions from a few keys: the table of Schulz et al. 2014 again.
//!
//! Set-up is all that is made before keys are looked at, modes and warp of all segments, from an empty cache; the residual
//! is the gradient of the cost at the end, evaluated anew. A handle that is dragged is solved for from where it was.

use super::row::Row;
use super::{BenchOptions, median};
use anyhow::{Context, ensure};
use std::sync::Arc;
use std::time::Instant;
use supple_model::{Progress, Status};
use supple_project::method::{self, Live, Numerics, RealNumerics};
use supple_project::shot::Goal;
use supple_project::{Body, Cache, Sample, Shot};

/// A sample, and what was published for it: seconds of set-up, of solving, and of both.
const TABLE: &[(&str, [f64; 3])] = &[
    ("block-stretch", [2.4, 0.3, 2.7]),
    ("block-twist", [2.4, 1.8, 4.2]),
    ("block-tilt", [2.6, 1.7, 4.3]),
    ("buddha", [8.8, 45.0, 53.8]),
    ("x-walk", [4.4, 26.0, 30.4]),
    ("x-handspring", [4.4, 4.9, 9.3]),
    ("x-jump", [4.4, 10.0, 14.4]),
    ("cactus-jump", [9.7, 16.8, 26.5]),
    ("cactus-triple-jump", [10.2, 48.6, 58.8]),
];

/// Runs of each sample.
const REPEATS: usize = 3;

pub fn run(options: &BenchOptions, progress: &Progress) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (index, (name, published)) in TABLE.iter().enumerate() {
        if options.wants(name) {
            progress.report(name, index as f64 / TABLE.len() as f64)?;
            rows.extend(case(name, *published)?);
        }
    }
    if options.wants("block-tilt") {
        rows.push(drag_step()?);
    }
    Ok(rows)
}

fn case(name: &str, published: [f64; 3]) -> anyhow::Result<Vec<Row>> {
    let folder = tempfile::tempdir()?;
    let shot = Shot::load(&Sample::named(name)?.write_full(folder.path())?)?;
    let body = Arc::new(Body::load(&shot)?);
    let silent = Progress::silent();
    let mut seconds: [Vec<f64>; 3] = Default::default();
    let mut residual = 0.0;
    for repeat in 0..REPEATS {
        let cache = Cache::in_folders([folder.path().join(format!("cache-{repeat}"))]);
        let begin = Instant::now();
        let mut method = method::open(&shot, body.clone(), &cache, &silent)?;
        let set_up = begin.elapsed().as_secs_f64();
        method.settle(&silent)?;
        let total = begin.elapsed().as_secs_f64();
        for (list, seconds) in seconds.iter_mut().zip([set_up, total - set_up, total]) {
            list.push(seconds);
        }
        let report = method.solve(&silent, &mut |_| Ok(()))?;
        ensure!(report.status == Status::Settled, "{name}: {}", report.status);
        residual = report.stationarity;
    }
    let work = ["set-up", "solve", "total"];
    let row = |k: usize| Row {
        elements: Some(body.matter.elements()),
        modes: Some(shot.edit.modes),
        residual: (k > 0).then_some(residual),
        published_seconds: (published[k] > 0.0).then_some(published[k]),
        ..Row::new(name, work[k], median(seconds[k].clone()))
    };
    Ok((0..3).map(row).collect())
}

/// A move of the hand that holds the key of the tilted block.
fn drag_step() -> anyhow::Result<Row> {
    let folder = tempfile::tempdir()?;
    let file = Sample::named("block-stretch")?.write(folder.path())?;
    let shot = Shot::load(&file)?;
    let silent = Progress::silent();
    let mut opened: Option<Box<dyn Live>> = None;
    RealNumerics::default().open(&shot, &Cache::of_shot(&file), &silent, &mut |live| opened = Some(live))?;
    let mut live = opened.context("the shot opens")?;
    live.ask(&shot.edit, &silent)?;
    live.settle(&silent)?;
    live.grab(0, 24, &silent)?;
    let mut seconds = Vec::new();
    let mut error = 0.0_f64;
    for step in 1..=30 {
        let turn = 0.2 * f64::from(step);
        let begin = Instant::now();
        error = live.drag([0.1 * turn.sin(), 0.1 * (1.0 - turn.cos()), 0.0], &silent)?;
        let _ = live.points(24);
        seconds.push(begin.elapsed().as_secs_f64());
    }
    ensure!(matches!(shot.edit.handles[0].goal, Goal::By(_)), "the key asks for a place");
    let body = Body::load(&shot)?;
    Ok(Row {
        elements: Some(body.matter.elements()),
        modes: Some(shot.edit.modes),
        residual: Some(error),
        ..Row::new("block-stretch", "drag step", median(seconds))
    })
}
