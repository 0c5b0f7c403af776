//! Vertices held over many frames, as a foot that stands is: neither time nor memory may grow with the square of them.

use super::super::row::Row;
use super::stage::Stage;
use anyhow::ensure;
use std::time::Instant;
use supple_model::Progress;
use supple_project::shot::{Handle, When};

/// The first frame that is held, counted from 0.
const FIRST: usize = 50;

/// One vertex over two thousand frames, and twenty over two hundred.
pub fn rows(progress: &Progress) -> anyhow::Result<Vec<Row>> {
    let stage = Stage::sample("beam", 100, 2_100, progress)?;
    Ok(vec![held(&stage, 1, 2_000, progress)?, held(&stage, 20, 200, progress)?])
}

/// From the wish to the edit that grants it.
fn held(stage: &Stage, vertices: usize, frames: usize, progress: &Progress) -> anyhow::Result<Row> {
    let mut editor = stage.open(progress)?;
    let last = FIRST + frames - 1;
    let mut handles = Vec::with_capacity(vertices);
    for k in 0..vertices {
        let handle = super::pulled(stage, k, FIRST)?;
        let when = When::Frames(i32::try_from(FIRST)? + 1..=i32::try_from(last)? + 1);
        handles.push(Handle { when, ..handle });
    }
    let start = Instant::now();
    for handle in handles {
        editor.add(handle)?;
    }
    let settled = editor.settle(progress)?;
    let seconds = start.elapsed().as_secs_f64();
    let work = format!("{vertices} × {frames} frames held, {} iterations", settled.iterations);
    // Memory is that of the solution, not of the report.
    let row = super::row(&editor, &stage.name, &work, seconds, None);
    let report = editor.release(progress)?;
    let error = report.handles.iter().map(|handle| handle.error / editor.size()).fold(0.0, f64::max);
    ensure!(error <= 1e-6, "{work}: a handle is off by {error:e} of the size");
    Ok(Row { residual: Some(error), ..row })
}
