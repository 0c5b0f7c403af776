//! Implicit steps of a swaying body of St. Venant–Kirchhoff material, and how long built-in shots take until they can be
//! edited for the first time: simulated, with modes.

use super::row::Row;
use super::{BenchOptions, median, subject};
use anyhow::ensure;
use std::sync::Arc;
use std::time::Instant;
use supple_elastic::{Simulation, SimulationSettings};
use supple_model::Progress;
use supple_project::{Body, Cache, SAMPLES, Sample, Shot, method};

/// Steps that are timed, after one to warm up.
const STEPS: usize = 15;
/// Seconds of one.
const STEP: f64 = 1.0 / 48.0;

pub fn run(options: &BenchOptions, progress: &Progress) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (k, subject) in [subject::dinosaur(options)?, subject::bridge(options)?].iter().enumerate() {
        progress.report("simulate", k as f64 / 4.0)?;
        rows.extend(steps(&subject.name, &subject.body, progress)?);
    }
    let samples: Vec<&Sample> =
        SAMPLES.iter().filter(|sample| sample.has_full() && options.wants(sample.name)).collect();
    for (k, sample) in samples.iter().enumerate() {
        progress.report("simulate", 0.5 + 0.5 * k as f64 / samples.len() as f64)?;
        rows.push(readiness(sample, progress)?);
    }
    Ok(rows)
}

/// Opens a sample that nothing is known of yet.
fn readiness(sample: &Sample, progress: &Progress) -> anyhow::Result<Row> {
    let folder = tempfile::tempdir()?;
    let begin = Instant::now();
    let path = sample.write(folder.path())?;
    let shot = Shot::load(&path)?;
    let body = Arc::new(Body::load(&shot)?);
    let opened = method::open(&shot, body.clone(), &Cache::of_shot(&path), &progress.part(0.0, 0.0))?;
    let seconds = begin.elapsed().as_secs_f64();
    let work = format!("sample of {} frames ready to edit, the first time", opened.about().clock.frames);
    let (elements, modes) = (Some(body.matter.elements()), Some(opened.about().modes));
    Ok(Row { elements, modes, ..Row::new(sample.name, &work, seconds) })
}

/// Undamped steps under gravity from rest: the body falls into its anchors and swings.
fn steps(name: &str, body: &Body, progress: &Progress) -> anyhow::Result<Vec<Row>> {
    let settings = SimulationSettings { seconds_per_step: STEP, ..SimulationSettings::default() };
    let mut simulation = Simulation::new(body.elastic.clone(), body.free.clone(), settings)?;
    let nothing = vec![0.0; 3 * body.positions().len()];
    let (mut whole, mut single, mut iterations, mut worst) = (Vec::new(), Vec::new(), 0, 0.0_f64);
    for step in 0..=STEPS {
        let before = (simulation.displacement().to_vec(), simulation.velocity().to_vec());
        let start = Instant::now();
        let report = simulation.step(&nothing, &nothing, progress)?;
        let seconds = start.elapsed().as_secs_f64();
        ensure!(report.status.is_solved(), "step {step} is not solved: {:?}", report.status);
        if step > 0 {
            whole.push(seconds);
            single.push(seconds / report.factorizations.max(1) as f64);
            iterations += report.iterations;
        }
        let error = imbalance(body, &before, &simulation, settings.gravity);
        ensure!(error < 1e-4, "forces are out of balance by {error:e} after step {step}");
        worst = worst.max(error);
    }
    let row = |work: &str, seconds: Vec<f64>| Row {
        residual: Some(worst),
        elements: Some(body.matter.elements()),
        ..Row::new(name, work, median(seconds))
    };
    let average = iterations as f64 / STEPS as f64;
    Ok(vec![
        row("StVK force, stiffness, factor, solve", single),
        row(&format!("whole step, {average:.1} such iterations"), whole),
    ])
}

/// What is left of M (v′ − v)/h = f − (R(u) + R(u′))/2, computed afresh, as a part of the weight.
fn imbalance(body: &Body, (u, v): &(Vec<f64>, Vec<f64>), after: &Simulation, gravity: [f64; 3]) -> f64 {
    let (first, last) = (body.elastic.force(u), body.elastic.force(after.displacement()));
    let (mut left, mut weight) = (0.0, 0.0);
    for vertex in body.free.vertices() {
        let mass = body.elastic.masses()[vertex.index()];
        for (c, gravity) in gravity.iter().enumerate() {
            let i = 3 * vertex.index() + c;
            let inertia = mass * (after.velocity()[i] - v[i]) / STEP;
            let rest = inertia + 0.5 * (first[i] + last[i]) - mass * gravity;
            left += rest * rest;
            weight += (mass * gravity) * (mass * gravity);
        }
    }
    f64::sqrt(left / weight)
}
