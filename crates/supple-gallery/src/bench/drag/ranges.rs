//! Vertices held over many frames, as a foot that stands is: neither time nor memory may grow with the square of them.

use super::super::row::Row;
use super::temp_shot::TempShot;
use anyhow::ensure;
use std::time::Instant;
use supple_model::{Progress, VertexId};
use supple_project::DragMethod;
use supple_project::shot::{Feel, Goal, Handle, Site, Together, When};

/// The first frame that is held, counted from 0.
const FIRST: usize = 50;

/// A body of 128 vertices.
const VOXELS: [usize; 3] = [7, 3, 3];

/// One vertex over two thousand frames, and twenty over two hundred.
pub fn rows(progress: &Progress) -> anyhow::Result<Vec<Row>> {
    let mut stage = TempShot::boxed(VOXELS, 100, 2_100, progress)?;
    let mut rows = Vec::new();
    for feel in [Feel::Smooth, Feel::Lively] {
        stage.shot.edit.feel = feel;
        rows.push(held(&stage, 1, 2_000, progress)?);
        rows.push(held(&stage, 20, 200, progress)?);
    }
    Ok(rows)
}

/// From the wish to the edit that grants it: the vertices at the tip of the body, each moved alike.
fn held(stage: &TempShot, vertices: usize, frames: usize, progress: &Progress) -> anyhow::Result<Row> {
    let mut editor = stage.open(progress)?;
    let last = FIRST + frames - 1;
    let when = When::Frames(i32::try_from(FIRST)? + 1..=i32::try_from(last)? + 1);
    let by = [0.0, 0.02 * editor.size(), 0.02 * editor.size()];
    let site = Site::Vertices(tip(&editor, vertices));
    let handle = Handle { points: Some(Together::Each), ..Handle::new(when, site, Goal::By(by)) };
    let start = Instant::now();
    editor.add(handle)?;
    let settled = editor.settle(progress)?;
    let seconds = start.elapsed().as_secs_f64();
    let feel = if stage.shot.edit.feel == Feel::Smooth { "smooth" } else { "lively" };
    let work = format!("{vertices} × {frames} frames held, {feel}, {} iterations", settled.iterations);
    // Memory is that of the solution, not of the report.
    let row = super::row(&editor, &stage.name, &work, seconds, None);
    let report = editor.release(progress)?;
    let error = report.handles.iter().map(|handle| handle.error / editor.size()).fold(0.0, f64::max);
    // A hundred modes cannot follow every one of many neighbours: what they leave stands beside the time.
    ensure!(vertices > 1 || error <= 1e-6, "{work}: a handle is off by {error:e} of the size");
    Ok(Row { residual: Some(error), ..row })
}

/// The vertices of the body nearest to its far end.
fn tip(editor: &DragMethod, count: usize) -> Vec<VertexId> {
    let rest = editor.rest();
    let mut vertices: Vec<VertexId> = (0..rest.len()).map(VertexId::new).collect();
    let Some(end) = rest.iter().max_by(|a, b| a.sum().total_cmp(&b.sum())) else { return Vec::new() };
    vertices.sort_by(|a, b| (rest[a.index()] - end).norm().total_cmp(&(rest[b.index()] - end).norm()));
    vertices.truncate(count);
    vertices
}
