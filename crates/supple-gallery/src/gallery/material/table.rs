//! What materials cost: Table 1, as far as edits and poses go.

use crate::gallery::page::{Section, short};
use crate::gallery::workshop::Workshop;
use anyhow::Context;
use std::sync::Arc;
use std::time::Instant;
use supple_model::Progress;
use supple_project::Body;
use supple_project::method::material::MaterialPart;

/// A sample, and what was published: tets, rounds, inner steps and seconds.
const ROWS: [(&str, [&str; 4]); 4] = [
    ("t-rex-jump", ["6,658", "3", "490", "3.04"]),
    ("flower-circle", ["5,078", "17", "76", "1.19"]),
    ("bird-flap", ["3,113", "12", "797", "1.05"]),
    ("skateboard", ["5,249", "7", "123", "1.73"]),
];

/// Table 1.
pub fn table(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let mut section = Section::default();
    section.text(
        "What it takes to choose a material: rounds, the steps that were taken, and seconds, from nothing to a round that gains \
         less than a thousandth. In brackets: as published, on other hardware.",
    );
    let mut rows = Vec::new();
    for (k, (sample, published)) in ROWS.into_iter().enumerate() {
        progress.report(sample, k as f64 / ROWS.len() as f64)?;
        rows.push(measured(workshop, sample, published, &mut section).with_context(|| sample.to_owned())?);
    }
    let head = ["motion", "elements", "vertices", "shapes", "asked", "frames", "rounds", "steps", "seconds"];
    section.table(&head, rows);
    Ok(section)
}

fn measured(
    workshop: &Workshop,
    sample: &str,
    [tets, rounds, steps, published]: [&str; 4],
    section: &mut Section,
) -> anyhow::Result<Vec<String>> {
    let shot = workshop.whole_shot(sample)?;
    let body = Arc::new(Body::load(&shot)?);
    let part = MaterialPart::open(&shot, &body, &workshop.cache(sample))?;
    let begin = Instant::now();
    let found = part.choose(None, &Progress::silent(), &mut |_| {})?;
    let seconds = begin.elapsed().as_secs_f64();
    section.tabled(format!("{sample}: seconds"), seconds, "s");
    section.tabled(format!("{sample}: rounds"), found.rounds as f64, "");
    Ok(vec![
        sample.to_owned(),
        format!("{} ({tets})", body.matter.elements()),
        body.positions().len().to_string(),
        part.shapes().to_string(),
        (shot.edit.handles.len() + shot.edit.poses.len()).to_string(),
        part.frames().to_string(),
        format!("{} ({rounds})", found.rounds),
        format!("{} ({steps})", found.steps.len()),
        format!("{} s ({published})", short(seconds)),
    ])
}
