//! How motions through poses are found: our solver, the published one, and no planning at all.
//!
//! All minimise the same objective, soft poses and forces. The controller that pulls the body along lines between poses
//! (PD) plans nothing: it is what solvers may begin with.

use super::bar::{self, BAR, MODES};
use crate::gallery::page::{Section, short};
use crate::gallery::workshop::Workshop;
use anyhow::ensure;
use std::sync::Arc;
use std::time::{Duration, Instant};
use supple_model::{Progress, Status};
use supple_project::Body;
use supple_project::method::control::{ControlPart, Optimised};
use supple_project::shot::{ControlBasis, ControlSolver, Guess};
use supple_render::{Look, Plot, Scale, Series};

/// A run: its name, the solver, and what it begins with.
const RUNS: [(&str, ControlSolver, Guess); 4] = [
    ("ours, from no forces", ControlSolver::Newton, Guess::Zero),
    ("ours, from PD", ControlSolver::Newton, Guess::Pd),
    ("ours, from arcs", ControlSolver::Newton, Guess::Arcs),
    ("conjugate gradients, from no forces", ControlSolver::Cg, Guess::Zero),
];
/// The longest a run is given.
const PATIENCE: Duration = Duration::from_secs(30);
/// Iterations at most.
const MOST: usize = 600;
/// Nearer to the least than this nothing is drawn.
const NEAREST: f64 = 1e-7;

/// A run that was watched.
struct Run {
    name: &'static str,
    found: Optimised,
    /// Seconds, and what is minimised.
    seen: Vec<[f64; 2]>,
    seconds: f64,
}

/// Section 5 and 6.
pub fn figure(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let basis = ControlBasis { modes: MODES, ..ControlBasis::default() };
    let shot = bar::shot(workshop, basis)?;
    let body = Arc::new(Body::load(&shot)?);
    let part = ControlPart::open(&shot, &body, &workshop.cache(BAR))?;
    let mut runs = Vec::new();
    for (k, (name, solver, guess)) in RUNS.into_iter().enumerate() {
        progress.report(name, k as f64 / RUNS.len() as f64)?;
        let (begin, mut seen) = (Instant::now(), Vec::new());
        let found = part.follow(
            (solver, guess, MOST),
            &Progress::silent().stopped_after(PATIENCE),
            &mut |objective| seen.push([begin.elapsed().as_secs_f64(), objective]),
        )?;
        runs.push(Run { name, found, seen, seconds: begin.elapsed().as_secs_f64() });
    }
    ensure!(runs[0].found.status == Status::Settled, "{}", runs[0].found.status);
    let pd = part.follow((ControlSolver::Cg, Guess::Pd, 0), &Progress::silent(), &mut |_| {})?;
    let least = runs.iter().map(|run| run.found.objective).fold(f64::INFINITY, f64::min);
    let mut section = Section::default();
    section.text(
        "The bar of the figures above with soft poses. Conjugate gradients with exact gradients, as published, and ours \
         end in the same minimum from no forces; our steps know the curvature of all frames. Minima are local ones: \
         another guess may lead to another. A controller (PD) that pulls the body towards lines between the poses \
         plans nothing: it misses them by more, with more force.",
    );
    workshop.plot(
        &mut section,
        "control-solvers",
        &convergence(&runs, least),
        "What is left to gain, second by second",
    )?;
    let row = |run: &Run| {
        vec![
            run.name.to_owned(),
            run.found.status.name().to_owned(),
            run.found.iterations.to_string(),
            format!("{:.2} s", run.seconds),
            short(run.found.objective / least - 1.0),
            short(run.found.energy),
            format!("{} %", short(100.0 * run.found.missed)),
        ]
    };
    let mut rows: Vec<Vec<String>> = runs.iter().map(row).collect();
    rows.push(vec![
        "PD alone".to_owned(),
        "–".to_owned(),
        "–".to_owned(),
        "–".to_owned(),
        short(pd.objective / least - 1.0),
        short(pd.energy),
        format!("{} %", short(100.0 * pd.missed)),
    ]);
    section.table(
        &[
            "",
            "status",
            "iterations",
            "time",
            "objective over the least, less 1",
            "energy",
            "worst pose is off by, of its way",
        ],
        rows,
    );
    tell(&mut section, &runs, least);
    section.tabled("PD: the worst pose is off by", 100.0 * pd.missed, "% of its way");
    section.tabled("ours: the worst pose is off by", 100.0 * runs[0].found.missed, "% of its way");
    section.tabled("PD: energy over ours", pd.energy / runs[0].found.energy, "");
    Ok(section)
}

/// How near each came, and in how many steps.
fn tell(section: &mut Section, runs: &[Run], least: f64) {
    for run in runs {
        let left = run.found.objective / least - 1.0;
        section.tabled(format!("{}: objective over the least, less 1", run.name), left, "");
        section.tabled(format!("{}: iterations", run.name), run.found.iterations as f64, "");
    }
}

/// Objectives over the least one, less 1.
fn convergence(runs: &[Run], least: f64) -> Plot {
    let mut plot = Plot::new("Objective over the least, less 1");
    (plot.x.label, plot.y.label) = ("time (s)".into(), "left to gain".into());
    (plot.x.scale, plot.y.scale) = (Scale::Log10, Scale::Log10);
    for run in runs {
        let points = run.seen.iter().map(|[seconds, objective]| [seconds.max(1e-3), objective / least - 1.0]);
        let points: Vec<[f64; 2]> = points.filter(|[_, gain]| *gain > NEAREST).collect();
        plot.series.push(Series { look: Look::Both, ..Series::line(run.name, points) });
    }
    plot
}
