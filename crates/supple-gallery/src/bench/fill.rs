//! A surface of a hundred thousand triangles, filled.

use super::row::Row;
use super::surface::torus;
use super::{BenchOptions, median_seconds};
use anyhow::ensure;
use std::f64::consts::PI;
use supple_mesh::{TriMesh, VoxelRule, fill_tets, fill_voxels};
use supple_model::{ElementId, Progress, VertexId};

/// Cells along the torus: about 50,000 tets.
const CELLS: usize = 30;

pub fn run(_: &BenchOptions, progress: &Progress) -> anyhow::Result<Vec<Row>> {
    progress.report("fill", 0.0)?;
    let (positions, triangles) = torus(320, 160);
    let surface = TriMesh::skin(positions, triangles.iter().map(|t| t.map(VertexId)).collect())?;
    // 2 π² R r², the radii of the torus.
    let volume = 2.0 * PI * PI * 0.4 * 0.4;

    let mut tets = fill_tets(&surface, CELLS, &Progress::silent());
    let seconds = median_seconds(3, || tets = fill_tets(&surface, CELLS, &Progress::silent()));
    let tets = tets?;
    let filled: f64 = (0..tets.tets().len()).map(|e| tets.volume(ElementId::new(e))).sum();
    let error = (filled / volume - 1.0).abs();
    ensure!(error < 0.02, "the tets have {filled} of {volume} cubic metres");
    let solid = Row {
        residual: Some(error),
        elements: Some(tets.tets().len()),
        ..Row::new("torus, 102,400 triangles", "fill with tets", seconds)
    };

    let mut voxels = fill_voxels(&surface, CELLS, VoxelRule::Centres, &Progress::silent());
    let seconds =
        median_seconds(3, || voxels = fill_voxels(&surface, CELLS, VoxelRule::Centres, &Progress::silent()));
    let voxels = voxels?;
    let filled: f64 = (0..voxels.voxels().len()).map(|e| voxels.volume(ElementId::new(e))).sum();
    let error = (filled / volume - 1.0).abs();
    ensure!(error < 0.05, "the voxels have {filled} of {volume} cubic metres");
    let cubes = Row {
        residual: Some(error),
        elements: Some(voxels.voxels().len()),
        ..Row::new("torus, 102,400 triangles", "fill with voxels", seconds)
    };
    Ok(vec![solid, cubes])
}
