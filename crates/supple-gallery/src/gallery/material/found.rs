//! A built-in motion and the material that was found for it, beside the same motion without.

use crate::gallery::page::{Section, short};
use crate::gallery::sparse::motion::Motion;
use crate::gallery::workshop::{INPUT, OUTPUT, Workshop};
use supple_mesh::Vec3;
use supple_model::Progress;
use supple_project::Shot;
use supple_project::method::Side;
use supple_project::shot::Optimise;
use supple_render::{Plot, Scale, Series};

/// What may change, and what that is called.
pub const BOTH: [(Optimise, &str); 2] =
    [(Optimise::None, "material as it is"), (Optimise::All, "material that was found")];

/// A shot of which so much of the material may change.
pub fn with(shot: &Shot, optimise: Optimise) -> anyhow::Result<Shot> {
    let mut shot = shot.clone();
    let own = shot.edit.material_settings()?;
    shot.edit.set_material_settings(&supple_project::shot::MaterialEdit { optimise, ..own })?;
    Ok(shot)
}

/// A built-in shot without and with another material.
pub fn both(workshop: &Workshop, sample: &str, progress: &Progress) -> anyhow::Result<[Motion; 2]> {
    let shot = workshop.whole_shot(sample)?;
    let plain = Motion::solve(workshop, sample, &with(&shot, Optimise::None)?, &progress.part(0.0, 0.3))?;
    let found = Motion::solve(workshop, sample, &with(&shot, Optimise::All)?, &progress.part(0.3, 1.0))?;
    Ok([plain, found])
}

/// The largest force of a motion; 0 where there is none.
pub fn force(motion: &Motion) -> f64 {
    motion.report.number("material", "force_after").unwrap_or(0.0)
}

/// How far the worst hard handle is off, as a part of the size.
pub fn missed(motion: &Motion) -> f64 {
    let hard = motion.report.handles.iter().filter(|handle| !handle.soft);
    hard.map(|handle| handle.error).fold(0.0, f64::max) / motion.method.about().size
}

/// Frames of the input, counted from 0.
pub fn input(motion: &Motion, frames: &[usize]) -> Vec<Vec<Vec3>> {
    let mut places = vec![[0.0; 3]; motion.method.about().rest.len()];
    let mut frame = |index: &usize| {
        motion.method.frame(Side::Input, *index, &mut places);
        places.iter().map(|place| Vec3::from(*place)).collect()
    };
    frames.iter().map(&mut frame).collect()
}

/// What every motion is told by, in a table.
pub fn numbers(section: &mut Section, motions: &[Motion; 2]) {
    let mut rows = Vec::new();
    for (motion, (_, name)) in motions.iter().zip(BOTH) {
        section.tabled(format!("{name}: largest force"), force(motion), "N/√kg");
        section.tabled(format!("{name}: energy"), motion.report.energy, "");
        section.tabled(format!("{name}: handles are off by"), 100.0 * missed(motion), "% of the size");
        rows.push(vec![
            name.to_owned(),
            motion.report.status.name().to_owned(),
            short(force(motion)),
            short(motion.report.energy),
            format!("{} %", short(100.0 * missed(motion))),
        ]);
    }
    let ratio = force(&motions[0]) / force(&motions[1]);
    section.table(
        &["", "status", "largest force (N/√kg)", "energy", "hard handles are off by, of the size"],
        rows,
    );
    section.number("largest force, before over after", ratio, "");
}

/// The force of both over time.
pub fn forces(motions: &[Motion; 2]) -> Plot {
    let mut plot = Plot::new("Force over time");
    (plot.x.label, plot.y.label) = ("frame".into(), "force (N/√kg)".into());
    plot.y.scale = Scale::Log10;
    for ((motion, (_, name)), colour) in motions.iter().zip(BOTH).zip([INPUT, OUTPUT]) {
        let values = motion.report.curve("force_over_time");
        let points = values.iter().enumerate().filter(|(_, force)| **force > 0.0);
        let points: Vec<[f64; 2]> = points.map(|(frame, force)| [frame as f64, *force]).collect();
        plot.series.push(Series { colour: Some(colour), ..Series::line(name, points) });
    }
    plot
}
