//! Force and stiffness of a St. Venant–Kirchhoff body far from rest.

use super::row::Row;
use super::{BenchOptions, distance, median_seconds, subject};
use anyhow::ensure;
use supple_elastic::Evaluator;
use supple_model::Progress;
use supple_project::Body;

/// VegaFEM's times for a body of 31,746 tets on a machine with two cores.
const VEGA: &str = "VegaFEM, 31,746 tets, two cores, timed earlier";
const VEGA_TETS: usize = 31_746;
const VEGA_FORCE: f64 = 0.228;
const VEGA_STIFFNESS: f64 = 0.780;

pub fn run(options: &BenchOptions, progress: &Progress) -> anyhow::Result<Vec<Row>> {
    progress.report("elastic", 0.0)?;
    let subject::Subject { name, body, .. } = subject::bridge(options)?;
    let mut evaluator = Evaluator::new(body.elastic.clone(), &body.free);
    let u = swaying(&body);
    let mut force = vec![0.0; u.len()];
    let mut stiffness = evaluator.zeros();
    let force_seconds = median_seconds(40, || evaluator.force(&u, &mut force));
    let stiffness_seconds = median_seconds(20, || evaluator.stiffness(&u, &mut stiffness));

    // R against differences of the energy, K v against differences of R computed afresh.
    let v: Vec<f64> = direction(&body, &u);
    let step = 1e-6;
    let moved = |sign: f64| -> Vec<f64> { u.iter().zip(&v).map(|(u, v)| u + sign * step * v).collect() };
    let (plus, minus) = (moved(1.0), moved(-1.0));
    let slope = (body.elastic.energy(&plus) - body.elastic.energy(&minus)) / (2.0 * step);
    let along: f64 = force.iter().zip(&v).map(|(f, v)| f * v).sum();
    let force_residual = (slope - along).abs() / slope.abs();
    let (after, before) = (body.elastic.force(&plus), body.elastic.force(&minus));
    let difference: Vec<f64> = after.iter().zip(&before).map(|(a, b)| (a - b) / (2.0 * step)).collect();
    let (mut expected, mut free_v) = (vec![0.0; stiffness.dim()], vec![0.0; stiffness.dim()]);
    body.free.gather(&difference, &mut expected);
    body.free.gather(&v, &mut free_v);
    let mut product = vec![0.0; stiffness.dim()];
    stiffness.mul(&free_v, &mut product);
    let stiffness_residual = distance(&product, &expected);
    ensure!(force_residual < 1e-6, "the force is wrong by {force_residual:e}");
    ensure!(stiffness_residual < 1e-6, "the stiffness is wrong by {stiffness_residual:e}");

    let elements = body.matter.elements();
    let comparable = options.data.is_some() && elements == VEGA_TETS;
    let row = |work: &str, seconds, vega, residual| Row {
        peer_seconds: comparable.then_some(vega),
        peer: comparable.then_some(VEGA),
        residual: Some(residual),
        elements: Some(elements),
        ..Row::new(&name, work, seconds)
    };
    Ok(vec![
        row("StVK force", force_seconds, VEGA_FORCE, force_residual),
        row("StVK stiffness", stiffness_seconds, VEGA_STIFFNESS, stiffness_residual),
    ])
}

/// A large smooth displacement: a sway that grows with height, and a wave along the length.
fn swaying(body: &Body) -> Vec<f64> {
    let bounds = supple_mesh::Aabb::around(body.positions());
    let size = bounds.size();
    body.positions()
        .iter()
        .flat_map(|p| {
            let at = (p - bounds.min).component_div(&size);
            let wave = (std::f64::consts::TAU * at.x).sin();
            [0.1 * size.y * at.y * at.y, 0.1 * size.y * wave, 0.2 * size.y * at.y * wave]
        })
        .collect()
}

/// A displacement of the free vertices, rough as well as smooth.
fn direction(body: &Body, u: &[f64]) -> Vec<f64> {
    let mut v = vec![0.0; u.len()];
    for vertex in body.free.vertices() {
        for c in 0..3 {
            let i = 3 * vertex.index() + c;
            v[i] = u[i] + 1e-3 * ((i * 7919 % 1013) as f64 / 1013.0 - 0.5);
        }
    }
    v
}
