//! | work | is | residual |
//! |---|---|---|
//! | recover | from modal coordinates to within 5 % of the energy after 300 rounds | how far above that energy |
//! | recover, all | from the frames to the material of every region | frames held out, as a part of the unoptimised |

use super::case::Case;
use crate::bench::median;
use crate::bench::row::Row;
use anyhow::{Context, ensure};
use std::ops::RangeInclusive;
use std::time::Instant;
use supple_model::Progress;
use supple_project::Body;
use supple_project::recover::{RecoverOptions, RecoverPart, RecoverySettings, recover};

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

pub fn rows(case: &Case) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    let own: Vec<_> = TABLE.iter().filter(|(sample, ..)| *sample == case.name).collect();
    for (_, frames, shapes, published) in &own {
        rows.push(optimise(case, frames, *shapes, *published).with_context(|| format!("{shapes} shapes"))?);
    }
    if let Some((_, frames, ..)) = own.first() {
        rows.push(all(case, frames.clone())?);
    }
    Ok(rows)
}

fn optimise(case: &Case, frames: &RangeInclusive<i32>, shapes: usize, published: f64) -> anyhow::Result<Row> {
    let (body, silent) = (Body::load(&case.shot)?, Progress::silent());
    let part = RecoverPart::open((&case.shot, &body), Some(frames), &case.cache(), &silent)?;
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
        ..Row::new(case.name, &format!("recover, {shapes} shapes"), median(seconds))
    })
}

/// All of `supple recover`, its input simulated and its modes in the cache.
fn all(case: &Case, frames: RangeInclusive<i32>) -> anyhow::Result<Row> {
    let options = RecoverOptions { frames: Some(frames), ..RecoverOptions::default() };
    recover(&case.file, &options, &Progress::silent())?;
    let found = recover(&case.file, &options, &Progress::silent())?;
    let held_out = found.held_out.context("frames are held out")?;
    Ok(Row {
        elements: Some(Body::load(&case.shot)?.matter.elements()),
        modes: Some(found.modes.len()),
        residual: Some(held_out.error / held_out.unoptimised),
        ..Row::new(case.name, "recover, all", found.seconds)
    })
}
