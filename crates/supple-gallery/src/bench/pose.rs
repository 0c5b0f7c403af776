//! Posing while a load moves, and poses fitted to a deformed skin.

use super::row::Row;
use super::surface::torus;
use super::{BenchOptions, distance, median};
use anyhow::ensure;
use nalgebra::Rotation3;
use std::f64::consts::TAU;
use std::sync::Arc;
use std::time::Instant;
use supple_elastic::{ElasticBody, FitSettings, Fitter, FreeVertices, Law, Material, Poser, Solid};
use supple_mesh::{Embedding, TetMesh, TriMesh, Vec3, fill_tets};
use supple_model::{Progress, VertexId};

/// A torus with 42,050 skin vertices and, with so many cells along it, close to 20,000 tets.
const AROUND: u32 = 290;
const ACROSS: u32 = 145;
const CELLS: usize = 22;
/// Updates while the load goes round once.
const UPDATES: usize = 60;
/// Static poses of Barbič 2009: "more than 3 frames per second" on 8 cores, for 31,764 tets at most.
const PUBLISHED_UPDATE: f64 = 1.0 / 3.0;
/// Its fit of 19,386 tets to 42,321 skin vertices, on 8 cores: "about 1 minute".
const PUBLISHED_FIT: f64 = 60.0;

pub fn run(_: &BenchOptions, progress: &Progress) -> anyhow::Result<Vec<Row>> {
    progress.report("pose", 0.0)?;
    let (positions, triangles) = torus(AROUND, ACROSS);
    let skin = TriMesh::skin(positions, triangles.iter().map(|t| t.map(VertexId)).collect())?;
    let mesh = fill_tets(&skin, CELLS, &Progress::silent())?;
    let mut rows = updates(&mesh, progress)?;
    progress.report("fit", 0.5)?;
    rows.extend(fits(&mesh, &skin, progress)?);
    Ok(rows)
}

fn solid(mesh: &TetMesh) -> anyhow::Result<Arc<ElasticBody>> {
    let material = Material { law: Law::StVenantKirchhoff, young: 1e5, poisson: 0.45, density: 1000.0 };
    Ok(Arc::new(Solid::new(mesh.clone(), material, &[])?))
}

/// One side is held, a force on the other goes round; then it rests.
fn updates(mesh: &TetMesh, progress: &Progress) -> anyhow::Result<Vec<Row>> {
    let body = solid(mesh)?;
    let at = |test: &dyn Fn(&Vec3) -> bool| -> Vec<VertexId> {
        let ids = (0..mesh.positions().len()).map(VertexId::new);
        ids.filter(|v| test(&mesh.positions()[v.index()])).collect()
    };
    let (held, pulled) = (at(&|p| p.x < -1.2), at(&|p| p.x > 1.2));
    let free = FreeVertices::except(mesh.positions().len(), &held)?;
    let load = |turn: f64| {
        let mut load = vec![0.0; 3 * mesh.positions().len()];
        for v in &pulled {
            let share = 600.0 / pulled.len() as f64;
            load[3 * v.index() + 1] = share * turn.sin();
            load[3 * v.index() + 2] = share * turn.cos();
        }
        load
    };
    let mut poser = Poser::new(body, free.clone())?;
    poser.set_load(&load(0.0))?;
    ensure!(poser.solve(progress)?.status.is_solved(), "the first pose is not solved");
    let mut seconds = Vec::new();
    let mut behind = Vec::new();
    let size = load(0.0).iter().map(|f| f * f).sum::<f64>().sqrt();
    for k in 1..=UPDATES {
        poser.set_load(&load(TAU * k as f64 / UPDATES as f64))?;
        let start = Instant::now();
        let update = poser.update();
        seconds.push(start.elapsed().as_secs_f64());
        behind.push(update.residual / size);
    }
    let start = Instant::now();
    let mut calls = 0;
    let last = loop {
        let update = poser.update();
        calls += 1;
        if update.status.is_solved() || calls == 200 {
            break update;
        }
    };
    let settling = start.elapsed().as_secs_f64();
    ensure!(last.status.is_solved(), "the pose does not converge when the load rests: {:?}", last.status);
    // From rest in one go, by somebody who never saw the load move.
    let mut fresh = Poser::new(poser.body().clone(), free)?;
    fresh.set_load(&load(TAU))?;
    ensure!(fresh.solve(progress)?.status.is_solved(), "the last pose is not solved from rest");
    let error = distance(poser.pose(), fresh.pose());
    ensure!(error < 1e-5, "updates end {error:e} from the equilibrium");
    let row = |work: String, seconds, residual| Row {
        residual: Some(residual),
        elements: Some(mesh.tets().len()),
        ..Row::new("torus", &work, seconds)
    };
    let update = row("pose update, load moving".into(), median(seconds), median(behind));
    Ok(vec![
        Row { published_seconds: Some(PUBLISHED_UPDATE), ..update },
        row(format!("converged at rest, {calls} updates"), settling, error),
    ])
}

/// The torus bent and twisted in two ways, one after the other.
fn fits(mesh: &TetMesh, skin: &TriMesh, progress: &Progress) -> anyhow::Result<Vec<Row>> {
    let embedding = Embedding::of(mesh, skin.positions());
    let start = Instant::now();
    let free = FreeVertices::all(mesh.positions().len());
    let mut fitter = Fitter::new(solid(mesh)?, free, &embedding, FitSettings::default())?;
    let making = start.elapsed().as_secs_f64();
    let mut rows = Vec::new();
    for (name, twist) in [("first pose", 0.9), ("next pose", 1.2)] {
        let bent = |p: &Vec3| {
            let turned = Rotation3::new(Vec3::x() * twist * p.x) * p;
            Rotation3::new(Vec3::z() * 0.6 * twist * p.x) * turned + Vec3::new(0.3, 0.0, 0.1)
        };
        let target: Vec<f64> = skin.positions().iter().flat_map(|p| <[f64; 3]>::from(bent(p) - p)).collect();
        let start = Instant::now();
        let report = fitter.fit(&target, progress)?;
        let seconds = start.elapsed().as_secs_f64() + if rows.is_empty() { making } else { 0.0 };
        ensure!(report.status.is_solved(), "the fit is not solved: {:?}", report.status);
        // How far the skin is off, against how far it went, computed afresh.
        let mut carried = vec![Vec3::zeros(); skin.positions().len()];
        let pose: Vec<Vec3> = report.pose.chunks_exact(3).map(Vec3::from_column_slice).collect();
        embedding.apply(&pose, &mut carried);
        let carried: Vec<f64> = carried.iter().flat_map(|u| <[f64; 3]>::from(*u)).collect();
        let error = distance(&carried, &target);
        ensure!(error < 0.05, "the skin is off by {error:e}");
        rows.push(Row {
            published_seconds: Some(PUBLISHED_FIT),
            residual: Some(error),
            elements: Some(mesh.tets().len()),
            ..Row::new("torus, 42,050 skin vertices", &format!("fit, {name}"), seconds)
        });
    }
    Ok(rows)
}
