//! Dragging a vertex: what the mouse waits for.
//!
//! | row | what is timed |
//! |---|---|
//! | launch | from the files, with modes in the cache, until any frame can be dragged |
//! | add a handle | with twenty there, until its rows are ready |
//! | drag step | one event: the edit, the warp of the shown frame, its skin |
//! | release | from the last event to the edit that depends on the handles alone |
//! | held | from handles over many frames to the edit that grants them |
//! | playback | a frame of an edit that has just changed, and all of them |
//!
//! The residual beside a drag step is how far the shown frame is from the same frame computed from scratch, or
//! the largest error of a handle, whichever is larger; both as a part of the body's size.

pub mod contacts;
mod ranges;
pub(super) mod temp_shot;

use super::row::Row;
use super::{BenchOptions, median};
use anyhow::ensure;
use rayon::prelude::*;
use std::time::Instant;
use supple_mesh::{Vec3, displacement};
use supple_model::{Progress, VertexId};
use supple_project::shot::{Goal, Handle, Site, When};
use supple_project::{DragMethod, HandleKey};
pub use temp_shot::TempShot;

/// Events of a drag that are timed.
const EVENTS: usize = 60;
/// Handles that are there when another is added.
const THERE: usize = 20;
/// How far the mouse goes, as a part of the size.
const FAR: f64 = 0.03;

pub fn run(options: &BenchOptions, progress: &Progress) -> anyhow::Result<Vec<Row>> {
    // First, while the most memory held is theirs.
    let mut rows = Vec::new();
    if options.wants("box") {
        rows.extend(ranges::rows(progress)?);
    }
    if options.wants("bridge") {
        rows.extend(bridge(options, progress)?);
    }
    if options.wants("dragon") {
        rows.extend(dragon(progress)?);
    }
    for (name, modes, published) in [("bird", 500, 4.4e-3), ("curtain", 200, 8.6e-3), ("beam", 500, 0.5e-3)] {
        if !options.wants(name) {
            continue;
        }
        let stage = if name == "bird" {
            TempShot::as_it_is(name, modes)?
        } else {
            TempShot::sample(name, modes, 240, progress)?
        };
        let mut editor = stage.open_post_warp(vec![pulled(&stage, 0, 120)?], progress)?;
        rows.push(drag_step(&stage.name, "post-warp", &mut editor, Some(published), progress)?);
    }
    if options.wants("dragon") {
        rows.push(contacts::many(500, 600, progress)?);
    }
    Ok(rows)
}

fn bridge(options: &BenchOptions, progress: &Progress) -> anyhow::Result<Vec<Row>> {
    let stage = TempShot::bridge(options, 1000, 240, progress)?;
    let mut rows = vec![launch(&stage, Some(10.1), progress)?];
    let handles = |count: usize| -> anyhow::Result<Vec<Handle>> {
        (0..count).map(|k| pulled(&stage, k, 30 + 200 * k / count.max(1))).collect()
    };
    let mut editor = stage.open_post_warp(handles(THERE)?, progress)?;
    rows.push(add(&stage, "linear rows", &mut editor, Some(0.41), progress)?);
    let mut editor = stage.open_post_warp(vec![pulled(&stage, 0, 120)?], progress)?;
    rows.push(drag_step(&stage.name, "post-warp", &mut editor, Some(0.047), progress)?);
    drop(editor);
    let mut editor = stage.open(progress)?;
    for handle in handles(THERE)? {
        editor.add(handle)?;
    }
    rows.push(add(&stage, "exact rows", &mut editor, Some(0.41), progress)?);
    for key in editor.handles().map(|(key, _)| key).collect::<Vec<_>>() {
        editor.remove(key)?;
    }
    for (count, work) in [(1, "exact, 1 handle"), (4, "exact, 4 handles at 4 frames")] {
        for (k, frame) in [120, 60, 160, 200].into_iter().enumerate().take(count) {
            editor.add(pulled(&stage, k, frame)?)?;
        }
        rows.push(drag_step(&stage.name, work, &mut editor, Some(0.047), progress)?);
        rows.push(release(&stage.name, work, &mut editor, progress)?);
        if count == 1 {
            rows.extend(playback(&stage.name, &editor, progress)?);
            for key in editor.handles().map(|(key, _)| key).collect::<Vec<_>>() {
                editor.remove(key)?;
            }
        }
    }
    Ok(rows)
}

fn dragon(progress: &Progress) -> anyhow::Result<Vec<Row>> {
    let stage = TempShot::as_it_is("dragon", 500)?;
    let mut rows = vec![launch(&stage, Some(35.0), progress)?];
    let mut editor = stage.open_post_warp(vec![pulled(&stage, 0, 300)?], progress)?;
    rows.push(add(&stage, "linear rows", &mut editor, Some(0.82), progress)?);
    let clusters = editor.contacts().clusters.len();
    let work = format!("post-warp, {clusters} clustered contacts");
    rows.push(drag_step(&stage.name, &work, &mut editor, Some(0.071), progress)?);
    Ok(rows)
}

/// Whether the drawn vertex nearest to a point is anchored.
fn is_held(body: &supple_project::Body, place: &Vec3) -> bool {
    let drawn = body.skin.as_ref().map_or(body.positions(), |skin| skin.mesh.positions());
    let apart = |v: &usize| (drawn[*v] - place).norm_squared();
    let nearest = (0..drawn.len()).min_by(|a, b| apart(a).total_cmp(&apart(b)));
    nearest.is_some_and(|v| body.is_anchored(VertexId::new(v)))
}

/// A handle on one of some vertices, pulled across the body at a frame counted from 0. The first is the one that
/// is farthest from whatever holds the body, and goes far; the others are spread all over it and go a little.
pub(super) fn pulled(stage: &TempShot, k: usize, frame: usize) -> anyhow::Result<Handle> {
    let body = supple_project::Body::load(&stage.shot)?;
    let positions = body.positions();
    let vertices = body.free.vertices();
    let size = supple_mesh::Aabb::around(positions).size();
    let middle = positions.iter().sum::<Vec3>() / positions.len() as f64;
    let held: Vec<Vec3> = body.anchors.iter().map(|v| positions[v.index()]).collect();
    let distance = |x: &Vec3| {
        let near = held.iter().map(|a| (x - a).norm_squared()).fold(f64::INFINITY, f64::min);
        if near.is_finite() { near } else { (x - middle).norm_squared() }
    };
    let place = if k == 0 {
        let all = vertices.iter().map(|v| positions[v.index()]);
        all.max_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(middle)
    } else {
        // The first from there on whose nearest vertex that is drawn can be moved.
        let from = ((0.618_034 * k as f64).fract() * vertices.len() as f64) as usize;
        let onwards = vertices[from..].iter().chain(&vertices[..from]).map(|v| positions[v.index()]);
        onwards
            .clone()
            .find(|place| !is_held(&body, place))
            .or_else(|| onwards.clone().next())
            .unwrap_or(middle)
    };
    let mut by = [0.0; 3];
    by[size.imin()] = size.norm() * if k == 0 { FAR } else { 0.1 * FAR };
    let number = i32::try_from(frame)? + 1;
    // A motion of the skin is held at the vertex of the skin.
    Ok(Handle::new(When::Frame(number), Site::Near(place.into()), Goal::By(by)))
}

fn row(editor: &DragMethod, case: &str, work: &str, seconds: f64, published: Option<f64>) -> Row {
    Row {
        published_seconds: published,
        elements: Some(editor.body().matter.elements()),
        modes: Some(editor.modes()),
        ..Row::new(case, work, seconds)
    }
}

/// From the files to an editor: once to fill the cache, then three times against the clock.
fn launch(stage: &TempShot, published: Option<f64>, progress: &Progress) -> anyhow::Result<Row> {
    drop(stage.open(progress)?);
    let mut seconds = Vec::new();
    let mut last = None;
    for _ in 0..3 {
        drop(last.take());
        let start = Instant::now();
        last = Some(stage.open(progress)?);
        seconds.push(start.elapsed().as_secs_f64());
    }
    let Some(editor) = last else { anyhow::bail!("no editor") };
    // Without handles every frame is that of the input.
    let mut positions = vec![[0.0; 3]; editor.motion().warp().vertices()];
    let index = editor.clock().frames / 2;
    editor.frame(index, &mut positions);
    let input = editor.motion().frame(index).displacement();
    let rest = editor.rest();
    let off = positions
        .iter()
        .zip(rest)
        .zip(input.chunks_exact(3))
        .map(|((p, x), u)| (Vec3::from(*p) - x - Vec3::from_column_slice(u)).norm());
    let residual = off.fold(0.0, f64::max) / editor.size();
    Ok(Row { residual: Some(residual), ..row(&editor, &stage.name, "launch", median(seconds), published) })
}

/// Takes hold of a vertex where the edited motion has it, and lets it go again.
fn add(
    stage: &TempShot,
    rows: &str,
    editor: &mut DragMethod,
    published: Option<f64>,
    progress: &Progress,
) -> anyhow::Result<Row> {
    let there = editor.handles().count();
    editor.settle(progress)?;
    let mut positions = vec![[0.0; 3]; editor.rest().len()];
    let mut seconds = Vec::new();
    for k in 0..7 {
        let frame = 100 + 3 * k;
        let vertex = editor.motion().basis().free().vertices()[7 + 11 * k];
        editor.frame(frame, &mut positions);
        let when = When::Frame(i32::try_from(frame)? + editor.clock().start.0);
        let handle = Handle::new(when, Site::BodyVertex(vertex), Goal::To(positions[vertex.index()]));
        let start = Instant::now();
        let key = editor.add(handle)?;
        if rows == "exact rows" {
            editor.ready_rows(progress)?;
        }
        seconds.push(start.elapsed().as_secs_f64());
        editor.remove(key)?;
        editor.ready_rows(progress)?;
    }
    let work = format!("add a handle, {there} there, {rows}");
    Ok(row(editor, &stage.name, &work, median(seconds), published))
}

/// Events of a drag on a circle, the shown frame that of the first handle.
fn drag_step(
    case: &str,
    work: &str,
    editor: &mut DragMethod,
    published: Option<f64>,
    progress: &Progress,
) -> anyhow::Result<Row> {
    let Some((key, frame)) = first(editor) else { anyhow::bail!("no handle to drag") };
    editor.settle(progress)?;
    editor.grab(key, frame, progress)?;
    let mut u = vec![0.0; 3 * editor.motion().warp().vertices()];
    let mut skin = Skinned::of(editor);
    let (mut seconds, mut worst, mut refreshed) = (Vec::new(), 0.0_f64, 0);
    let radius = 0.5 * FAR * editor.size();
    let across = supple_mesh::Aabb::around(editor.rest()).size().imin();
    for event in 0..EVENTS {
        let turn = std::f64::consts::TAU * event as f64 / EVENTS as f64;
        let mut shift = [0.0; 3];
        shift[across] = radius * turn.sin();
        shift[(across + 1) % 3] = 0.3 * radius * (1.0 - turn.cos());
        let start = Instant::now();
        let step = editor.drag(shift, progress)?;
        editor.shown(&mut u)?;
        skin.follow(editor, &u);
        seconds.push(start.elapsed().as_secs_f64());
        worst = worst.max(step.error);
        refreshed += usize::from(step.refreshed);
    }
    let residual = worst.max(fresh_difference(editor, frame, &u, progress)?);
    ensure!(worst < 1e-3, "{case}, {work}: a handle is off by {worst:e} of the size");
    let work = match refreshed {
        0 => format!("drag step, {work}"),
        count => {
            format!("drag step, {work}; {count} of {EVENTS} made anew, {:.0} ms", 1e3 * longest(&seconds))
        }
    };
    Ok(Row { residual: Some(residual), ..row(editor, case, &work, median(seconds), published) })
}

fn longest(seconds: &[f64]) -> f64 {
    seconds.iter().copied().fold(0.0, f64::max)
}

/// Puts the handle down and compares the shown frame with that of the released edit.
fn fresh_difference(
    editor: &mut DragMethod,
    frame: usize,
    shown: &[f64],
    progress: &Progress,
) -> anyhow::Result<f64> {
    editor.put_down()?;
    editor.settle(progress)?;
    let mut positions = vec![[0.0; 3]; shown.len() / 3];
    editor.frame(frame, &mut positions);
    let rest = editor.rest();
    let off = positions.iter().zip(rest).zip(shown.chunks_exact(3));
    let off = off.map(|((p, x), u)| (Vec3::from(*p) - x - Vec3::from_column_slice(u)).norm());
    Ok(off.fold(0.0, f64::max) / editor.size())
}

fn first(editor: &DragMethod) -> Option<(HandleKey, usize)> {
    let (key, handle) = editor.handles().next()?;
    let index = *handle.when.range().start() - editor.clock().start.0;
    Some((key, usize::try_from(index).ok()?))
}

/// The time from the last event of a drag to the edit that depends on the handles alone.
fn release(case: &str, work: &str, editor: &mut DragMethod, progress: &Progress) -> anyhow::Result<Row> {
    let mut seconds = Vec::new();
    let mut settled = editor.settle(progress)?;
    for _ in 0..3 {
        let start = Instant::now();
        settled = editor.settle(progress)?;
        seconds.push(start.elapsed().as_secs_f64());
    }
    let report = editor.release(progress)?;
    let error = report.handles.iter().map(|handle| handle.error / editor.size()).fold(0.0, f64::max);
    ensure!(error <= 1e-6 && settled.stationarity <= 1e-4, "{case}: {error:e}, {:e}", settled.stationarity);
    let work = format!("release, {work}, {} iterations", settled.iterations);
    let residual = Some(error.max(settled.stationarity));
    Ok(Row { residual, ..row(editor, case, &work, median(seconds), None) })
}

/// A frame of an edit that has just changed, all frames, and how fast the modes alone can be read.
fn playback(case: &str, editor: &DragMethod, progress: &Progress) -> anyhow::Result<Vec<Row>> {
    let player = editor.playback();
    let path = editor.path();
    let mut u = vec![0.0; 3 * editor.motion().warp().vertices()];
    let mut skin = Skinned::of(editor);
    let mut seconds = Vec::new();
    for frame in (0..editor.clock().frames).step_by(8) {
        let start = Instant::now();
        player.frame(&path, frame, &mut u);
        skin.follow(editor, &u);
        seconds.push(start.elapsed().as_secs_f64());
    }
    let mut exact = vec![[0.0; 3]; u.len() / 3];
    let last = (editor.clock().frames - 1) / 8 * 8;
    editor.frame(last, &mut exact);
    let rest = editor.rest();
    let off = exact.iter().zip(rest).zip(u.chunks_exact(3));
    let off =
        off.map(|((p, x), u)| (Vec3::from(*p) - x - Vec3::from_column_slice(u)).norm()).fold(0.0, f64::max);
    let one = Row {
        residual: Some(off / editor.size()),
        ..row(editor, case, "playback frame with new z", median(seconds), Some(0.047))
    };
    let start = Instant::now();
    let mut all = Skinned::of(editor);
    editor.each_frame(progress, |_, positions| {
        all.place(editor, positions);
        Ok(())
    })?;
    let frames = row(
        editor,
        case,
        &format!("all {} frames", editor.clock().frames),
        start.elapsed().as_secs_f64(),
        None,
    );
    let modes: Vec<f32> = vec![1.0; editor.modes() * 3 * editor.body().free.vertices().len()];
    let read = || -> f32 { modes.par_chunks(1 << 16).map(sum_of).sum() };
    let mut sums = read();
    let seconds: Vec<f64> = (0..9)
        .map(|_| {
            let start = Instant::now();
            sums += read();
            start.elapsed().as_secs_f64()
        })
        .collect();
    ensure!(sums > 0.0, "the modes were read");
    let limit = row(editor, case, "limit: one reading of U in single precision", median(seconds), None);
    Ok(vec![one, frames, limit])
}

/// The sum of some numbers, sixteen at a time as fast as memory gives them.
fn sum_of(part: &[f32]) -> f32 {
    let mut sums = [0.0_f32; 16];
    for chunk in part.chunks_exact(16) {
        sums.iter_mut().zip(chunk).for_each(|(sum, x)| *sum += x);
    }
    sums.iter().sum()
}

/// Room for the skin of a body, if it has one and that is not what moves.
struct Skinned {
    positions: Vec<Vec3>,
}

impl Skinned {
    fn of(editor: &DragMethod) -> Self {
        let count = match (&editor.body().skin, editor.moving()) {
            (Some(skin), supple_project::Moving::Body) => skin.mesh.positions().len(),
            _ => 0,
        };
        Self { positions: vec![Vec3::zeros(); count] }
    }

    /// The skin of the body displaced by `u`.
    fn follow(&mut self, editor: &DragMethod, u: &[f64]) {
        if let (Some(skin), false) = (&editor.body().skin, self.positions.is_empty()) {
            skin.follow(u, &mut self.positions);
        }
    }

    /// The skin of the body at `positions`.
    fn place(&mut self, editor: &DragMethod, positions: &[[f64; 3]]) {
        self.follow(editor, &displacement(positions, editor.rest()));
    }
}
