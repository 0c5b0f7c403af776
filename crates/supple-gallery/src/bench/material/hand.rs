//! | work | is | residual |
//! |---|---|---|
//! | live step | a move of the hand, motion and material with it, and the frame that is edited | how far the worst hard handle is off |

use crate::bench::row::Row;
use crate::bench::{BenchOptions, median};
use anyhow::Context;
use std::time::Instant;
use supple_model::{Frame, Progress};
use supple_project::method::{Live, Numerics, RealNumerics};
use supple_project::shot::Shot;
use supple_project::{Body, Cache, Sample};

/// What was published: about five frames a second.
const PUBLISHED: f64 = 0.2;

pub fn rows(options: &BenchOptions) -> anyhow::Result<Vec<Row>> {
    ["flower-near", "t-rex-jump"].into_iter().filter(|name| options.wants(name)).map(live_step).collect()
}

fn live_step(name: &str) -> anyhow::Result<Row> {
    let folder = tempfile::tempdir()?;
    let file = Sample::named(name)?.write_full(folder.path())?;
    let shot = Shot::load(&file)?;
    let silent = Progress::silent();
    let mut opened: Option<Box<dyn Live>> = None;
    RealNumerics::default().open(&shot, &Cache::of_shot(&file), &silent, &mut |live| opened = Some(live))?;
    let mut live = opened.context("the shot opens")?;
    live.ask(&shot.edit, &silent)?;
    live.settle(&silent)?;
    let when = shot.edit.handles[1].when.whole().and_then(|mut frames| frames.next());
    let frame = when.and_then(|number| live.stage().clock.index(Frame(number)));
    let frame = frame.context("the handle has a frame")?;
    live.grab(1, frame, &silent)?;
    let mut seconds = Vec::new();
    let mut error = 0.0_f64;
    for step in 1..=30 {
        let turn = 0.2 * f64::from(step);
        let begin = Instant::now();
        error = live.drag([0.05 * turn.sin(), 0.0, 0.05 * (1.0 - turn.cos())], &silent)?;
        let _ = live.points(frame);
        seconds.push(begin.elapsed().as_secs_f64());
    }
    let body = Body::load(&shot)?;
    Ok(Row {
        elements: Some(body.matter.elements()),
        modes: Some(shot.edit.modes),
        published_seconds: Some(PUBLISHED),
        residual: Some(error),
        ..Row::new(name, "live step", median(seconds))
    })
}
