//! What motions through poses cost: the reduced half of Table 1, with memory.

use crate::gallery::measure::resident;
use crate::gallery::page::{Section, short};
use crate::gallery::workshop::Workshop;
use anyhow::Context;
use std::sync::Arc;
use std::time::Instant;
use supple_model::Progress;
use supple_project::Body;
use supple_project::method::control::ControlPart;
use supple_project::shot::ControlSolver;

/// A row of the table: its sample, and what was published: seconds for basis, coefficients, forward and backward pass,
/// optimising, and memory.
struct Row {
    sample: &'static str,
    published: [&'static str; 6],
}

const ROWS: [Row; 5] = [
    Row { sample: "biped-walk", published: ["5.5", "90", "0.036", "0.066", "84", "94 KB"] },
    Row { sample: "pansy", published: ["25", "106", "0.069", "0.111", "140", "206 KB"] },
    Row { sample: "fish", published: ["11.3", "54", "0.059", "0.1", "345", "158 KB"] },
    Row { sample: "elephant", published: ["30", "245", "0.05", "0.067", "30", "120 KB"] },
    Row { sample: "spring-bridge", published: ["5", "–", "9", "34", "3000", "84 KB"] },
];

/// Table 1.
pub fn table(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let mut section = Section::default();
    section.text(
        "Seconds for the basis, the reduced forces, a simulation under the forces that were found, their exact gradient, \
         and all of the optimisation from no forces on; of the walk, of its first step. In brackets: as published, on \
         other hardware. The published memory is that of four arrays over all frames; here the first number counts the \
         same, the second is the growth of the process until the motion is found, reduced forces included.",
    );
    let mut rows = Vec::new();
    for (k, row) in ROWS.iter().enumerate() {
        progress.report(row.sample, k as f64 / ROWS.len() as f64)?;
        rows.push(measured(workshop, row, &mut section).with_context(|| row.sample.to_owned())?);
    }
    let head = [
        "motion",
        "vertices",
        "elements",
        "frames",
        "poses",
        "shapes",
        "basis",
        "coefficients",
        "forward",
        "gradient",
        "optimise",
        "iterations",
        "memory",
    ];
    section.table(&head, rows);
    Ok(section)
}

fn measured(workshop: &Workshop, row: &Row, section: &mut Section) -> anyhow::Result<Vec<String>> {
    let shot = workshop.whole_shot(row.sample)?;
    let body = Arc::new(Body::load(&shot)?);
    let before = resident();
    let part = ControlPart::open(&shot, &body, &workshop.cache(row.sample))?;
    let begin = Instant::now();
    let found = part.optimise(ControlSolver::Newton, false, &Progress::silent())?;
    let optimise = begin.elapsed().as_secs_f64();
    let grown = before.zip(resident()).map(|(before, now)| (now - before).max(0.0));
    let begin = Instant::now();
    part.forward(&found)?;
    let forward = begin.elapsed().as_secs_f64();
    let begin = Instant::now();
    part.gradient(&found)?;
    let gradient = begin.elapsed().as_secs_f64();
    let poses = match shot.edit.segments.first() {
        Some(first) => first.poses.len(),
        None => shot.edit.poses.len(),
    };
    let arrays = 4 * part.frames().saturating_sub(1) * part.coordinates() * size_of::<f64>() / 1024;
    let [basis, coefficients, passed, back, total, memory] = row.published;
    let beside = |seconds: f64, published: &str| format!("{} s ({published})", short(seconds));
    for (name, seconds) in [("optimise", optimise), ("forward", forward), ("gradient", gradient)] {
        section.tabled(format!("{}: {name}", row.sample), seconds, "s");
    }
    let springs = coefficients == "–";
    Ok(vec![
        row.sample.to_owned(),
        body.positions().len().to_string(),
        body.matter.elements().to_string(),
        (part.frames() - 1).to_string(),
        poses.to_string(),
        part.coordinates().to_string(),
        beside(part.basis_seconds, basis),
        if springs { "springs".to_owned() } else { beside(part.coefficients_seconds, coefficients) },
        beside(forward, passed),
        beside(gradient, back),
        beside(optimise, total),
        format!("{}, {}", found.iterations, found.status.name()),
        format!("{arrays} KB, {} ({memory})", grown.map_or("–".into(), |grown| format!("{grown:.0} MiB"))),
    ])
}
