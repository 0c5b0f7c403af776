//! | work | is | residual |
//! |---|---|---|
//! | recover | from modal coordinates to within 5 % of the energy after 300 rounds | how far above that energy |
//! | recover, all | from the frames to the material of every region | frames held out, as a part of the unoptimised |

use crate::bench::row::Row;
use crate::bench::{BenchOptions, median};
use anyhow::{Context, ensure};
use std::ops::RangeInclusive;
use std::time::Instant;
use supple_model::Progress;
use supple_project::recover::{RecoverOptions, RecoverPart, RecoverySettings, recover};
use supple_project::shot::Shot;
use supple_project::{Body, Cache, Sample};

/// A row of Table 1: its sample, the frames to learn from, how many shapes, and its seconds.
const TABLE: [(&str, RangeInclusive<i32>, usize, f64); 3] = [
    ("beam-recovery", 31..=150, 2, 0.379),
    ("beam-recovery", 31..=150, 10, 0.796),
    ("dinosaur-recovery", 2..=150, 30, 3.34),
];
/// Rounds whose energy is the measure,
const ROUNDS: usize = 300;
/// and how near to it is near enough.
const NEAR: f64 = 1.05;
const REPEATS: usize = 5;

pub fn rows(options: &BenchOptions, progress: &Progress) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (index, (sample, frames, shapes, published)) in TABLE.into_iter().enumerate() {
        if options.wants(sample) {
            progress.report(sample, index as f64 / TABLE.len() as f64)?;
            let row = optimise(sample, &frames, shapes, published);
            rows.push(row.with_context(|| format!("{sample}, {shapes} shapes"))?);
        }
    }
    for (sample, frames) in [("beam-recovery", 31..=150), ("dinosaur-recovery", 2..=150)] {
        if options.wants(sample) {
            rows.push(all(sample, frames).with_context(|| sample.to_owned())?);
        }
    }
    Ok(rows)
}

fn optimise(
    sample: &str,
    frames: &RangeInclusive<i32>,
    shapes: usize,
    published: f64,
) -> anyhow::Result<Row> {
    let folder = tempfile::tempdir()?;
    let shot = Shot::load(&Sample::named(sample)?.write_full(folder.path())?)?;
    let (body, silent) = (Body::load(&shot)?, Progress::silent());
    let cache = Cache::in_folders([folder.path().join("cache")]);
    let part = RecoverPart::open((&shot, &body), Some(frames), &cache, &silent)?;
    let run = |rounds: usize| {
        let settings = RecoverySettings { shapes, rounds, tolerance: 0.0, ..RecoverySettings::default() };
        let begin = Instant::now();
        let found = part.recover(&settings, &silent)?;
        anyhow::Ok((begin.elapsed().as_secs_f64(), found.costs))
    };
    let (_, costs) = run(ROUNDS)?;
    ensure!(costs.is_sorted_by(|a, b| *a >= b * (1.0 - 1e-9)), "the energy rose");
    let least = costs.last().copied().context("there are no rounds")?;
    let rounds = costs.iter().position(|cost| *cost <= NEAR * least).context("there are no rounds")?;
    let seconds = (0..REPEATS).map(|_| anyhow::Ok(run(rounds)?.0)).collect::<anyhow::Result<Vec<f64>>>()?;
    Ok(Row {
        elements: Some(body.matter.elements()),
        modes: Some(shapes),
        published_seconds: Some(published),
        residual: Some(costs[rounds] / least - 1.0),
        ..Row::new(sample, &format!("recover, {shapes} shapes"), median(seconds))
    })
}

/// All of `supple recover`, its input simulated and its modes in the cache.
fn all(sample: &str, frames: RangeInclusive<i32>) -> anyhow::Result<Row> {
    let folder = tempfile::tempdir()?;
    let file = Sample::named(sample)?.write_full(folder.path())?;
    let options = RecoverOptions { frames: Some(frames), ..RecoverOptions::default() };
    recover(&file, &options, &Progress::silent())?;
    let found = recover(&file, &options, &Progress::silent())?;
    let held_out = found.held_out.context("frames are held out")?;
    let shot = Shot::load(&file)?;
    Ok(Row {
        elements: Some(Body::load(&shot)?.matter.elements()),
        modes: Some(found.modes.len()),
        residual: Some(held_out.error / held_out.unoptimised),
        ..Row::new(sample, "recover, all", found.seconds)
    })
}
