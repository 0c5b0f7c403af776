//! A surface becomes a shot: the motion of the body from that of its skin, and all of `supple new`.
//!
//! The body swings in its first modes and carries a fine skin, whose points are written to a file with ripples no
//! body holds. From that file the motion of the body is found again, and compared with the one it came from.
//!
//! An animal with thin parts goes all the way from its file to its first edit.

use super::drag::TempShot;
use super::row::Row;
use super::{BenchOptions, narwhal};
use anyhow::{Context, ensure};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use supple_formats::{MotionSettings, create_motion};
use supple_mesh::{Aabb, Vec3, displacement};
use supple_model::{Clock, Frame, Progress, VertexId};
use supple_project::shot::{Goal, Handle, Input, Motion, Shot, Site, When};
use supple_project::{
    Body, Cache, Import, InputMotion, MotionFile, MotionOutput, Moving, WriteOptions, method, solve_into,
};

const FRAMES: usize = 240;
const MODES: usize = 10;
/// Those of the animal with thin parts.
const THIN_FRAMES: usize = 204;
/// The height of the ripples, as a part of the body's size.
const RIPPLE: f64 = 1e-4;

pub fn run(options: &BenchOptions, progress: &Progress) -> anyhow::Result<Vec<Row>> {
    progress.report("import: a skin that moves", 0.0)?;
    let stage = TempShot::bridge(options, MODES, FRAMES, progress)?;
    let body = Body::load(&stage.shot)?;
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("skin.pc2");
    write_skin(&stage.shot, &body, &file, progress)?;
    progress.report("import: the body follows", 0.3)?;
    let mut rows = vec![follow(&stage.name, &stage.shot, &body, &file, progress)?];
    progress.report("import: new", 0.6)?;
    rows.push(make(&stage.name, &body, &file, progress)?);
    progress.report("import: thin parts", 0.8)?;
    rows.push(first_edit(progress)?);
    Ok(rows)
}

/// All of `supple new` and a first `supple solve` on an animal with a horn, with how far its handle is off.
fn first_edit(progress: &Progress) -> anyhow::Result<Row> {
    let surface = narwhal::surface();
    let vertices = surface.positions.len();
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("narwhal.glb");
    let settings = MotionSettings::new(vertices, Frame(1), 24.0, THIN_FRAMES);
    let mut writer = create_motion(&path, settings, Some(&surface))?;
    for k in 0..THIN_FRAMES {
        writer.write(&narwhal::swimming(k as f64 / 24.0))?;
    }
    writer.finish()?;
    let start = Instant::now();
    let file = MotionFile { path, ..MotionFile::default() };
    let shot_file = folder.path().join("shot.toml");
    let imported = Import { file, ..Import::default() }.write(&shot_file, progress)?;
    ensure!(2 * imported.body[0] <= 3 * vertices, "a body of {} vertices", imported.body[0]);
    let mut shot = imported.shot;
    let (site, goal) = (Site::Vertex(VertexId::new(vertices / 2)), Goal::By([0.0, 0.12, 0.0]));
    shot.edit.handles.push(Handle::new(When::Frame(THIN_FRAMES as i32 / 2), site, goal));
    let body = Arc::new(Body::load(&shot)?);
    let mut method = method::open(&shot, body.clone(), &Cache::of_shot(&shot_file), progress)?;
    let (out, how) = (folder.path().join("out.glb"), WriteOptions { flat: true, ..WriteOptions::default() });
    let report = solve_into(&out, &shot, method.as_mut(), &how, progress)?.report;
    let seconds = start.elapsed().as_secs_f64();
    let off =
        report.handles.iter().fold(0.0, |most: f64, handle| most.max(handle.error)) / method.about().size;
    ensure!(off < 1e-5, "the handle is off by {off:e}");
    let work = format!(
        "supple new and solve, {THIN_FRAMES} frames, {vertices} skin to {} body vertices",
        imported.body[0]
    );
    Ok(Row { residual: Some(off), elements: Some(imported.body[1]), ..Row::new("narwhal", &work, seconds) })
}

/// Writes the skin of the shot's motion, rippled along its normals.
fn write_skin(shot: &Shot, body: &Body, file: &Path, progress: &Progress) -> anyhow::Result<()> {
    let skin = body.skin.as_ref().context("the body has a skin")?;
    let mut motion = InputMotion::open(shot, body, &Cache::of_shot(file), progress)?;
    let height = RIPPLE * Aabb::around(body.positions()).size().norm();
    let mut output =
        MotionOutput::create(file, body, Moving::Skin, Clock { start: Frame(1), fps: 24.0, ..motion.clock })?
            .of_skin();
    let mut places = vec![[0.0; 3]; body.positions().len()];
    let mut carried = vec![Vec3::zeros(); skin.mesh.positions().len()];
    for index in 0..motion.clock.frames {
        motion.read(index, &mut places)?;
        skin.follow(&displacement(&places, body.positions()), &mut carried);
        let rippled = carried.iter().enumerate().map(|(v, p)| {
            let wave = (2.4 * v as f64 + 0.3 * index as f64).sin();
            (p + Vec3::new(0.0, height * wave, 0.0)).into()
        });
        output.write(&rippled.collect::<Vec<_>>(), &[])?;
    }
    output.finish()?;
    Ok(())
}

/// The fit of all frames, with how far the body is from where it was, against how far it went.
fn follow(name: &str, shot: &Shot, body: &Body, file: &Path, progress: &Progress) -> anyhow::Result<Row> {
    let mut fitted = shot.clone();
    fitted.motion = Motion { input: Input::File(file.into()), fit: Some(true), ..Motion::default() };
    let cache = tempfile::tempdir()?;
    let start = Instant::now();
    let mut found =
        InputMotion::open(&fitted, body, &Cache::of_shot(&cache.path().join("fit.toml")), progress)?;
    let seconds = start.elapsed().as_secs_f64();
    let fit = found.fit.context("the body is fitted")?;
    ensure!(!found.from_cache && fit.unsettled == 0, "{} frames have not settled", fit.unsettled);
    let mut motion = InputMotion::open(shot, body, &Cache::of_shot(file), progress)?;
    let mut places = vec![[0.0; 3]; body.positions().len()];
    let (mut off, mut far) = (0.0, 0.0);
    let squares = |u: &[f64]| u.iter().map(|x| x * x).sum::<f64>();
    for index in 0..FRAMES {
        motion.read(index, &mut places)?;
        let u = displacement(&places, body.positions());
        found.read(index, &mut places)?;
        let v = displacement(&places, body.positions());
        far += squares(&u);
        off += squares(&u.iter().zip(&v).map(|(a, b)| a - b).collect::<Vec<_>>());
    }
    let residual = f64::sqrt(off / far);
    ensure!(residual < 0.05, "the body is off by {residual:e}");
    let skin = body.skin.as_ref().map_or(0, |skin| skin.mesh.positions().len());
    let work = format!("{FRAMES} frames, {skin} skin to {} body vertices", body.positions().len());
    Ok(Row {
        residual: Some(residual),
        elements: Some(body.matter.elements()),
        ..Row::new(name, &work, seconds)
    })
}

/// All of `supple new` on the same file, with a body it makes itself.
fn make(name: &str, body: &Body, file: &Path, progress: &Progress) -> anyhow::Result<Row> {
    let skin = body.skin.as_ref().context("the body has a skin")?;
    let surface = supple_formats::SurfaceFile {
        positions: skin.mesh.positions().iter().map(|p| (*p).into()).collect(),
        triangles: skin.mesh.triangles().iter().map(|t| t.map(|v| v.0)).collect(),
        ..supple_formats::SurfaceFile::default()
    };
    let folder = tempfile::tempdir()?;
    let topology = folder.path().join("rest.obj");
    let mut bytes = Vec::new();
    supple_formats::write_obj(&surface, &mut bytes)?;
    std::fs::write(&topology, bytes)?;
    let file = MotionFile { path: file.into(), topology: Some(topology), ..MotionFile::default() };
    let start = Instant::now();
    let import = Import { file, ..Import::default() };
    let imported = import.write(&folder.path().join("shot.toml"), progress)?;
    let seconds = start.elapsed().as_secs_f64();
    let size = Aabb::around(skin.mesh.positions()).size().norm();
    let work = format!("supple new, {} body vertices", imported.body[0]);
    Ok(Row {
        residual: imported.fit.map(|fit| fit.rms / size),
        elements: Some(imported.body[1]),
        ..Row::new(name, &work, seconds)
    })
}
