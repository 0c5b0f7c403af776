//! Bases with and without tangents: the force that a bar needs to get from pose to pose.

use super::bar::{self, BAR, FORCE, MODES};
use super::posed::{each, path};
use crate::gallery::page::{Section, short};
use crate::gallery::sparse::motion::Motion;
use crate::gallery::workshop::{INPUT, OUTPUT, Workshop};
use anyhow::ensure;
use supple_model::Progress;
use supple_project::Status;
use supple_project::shot::ControlBasis;
use supple_render::{Colour, Look, Plot, Series};

/// A basis: its name, whether it has tangents, how many modes, and how it is drawn.
const BASES: [(&str, bool, usize, Colour); 4] = [
    ("poses", false, 0, INPUT),
    ("poses and tangents", true, 0, OUTPUT),
    ("poses and modes", false, MODES, Colour::rgb(120, 150, 70)),
    ("poses, tangents and modes", true, MODES, Colour::rgb(24, 92, 196)),
];

/// Figure 6.
pub fn figure(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let mut section = Section::default();
    section.text(format!(
        "The end of a bar is pulled up by {FORCE} N, then sideways: two poses. Without tangents the forces have to \
         press the body through shapes it does not have between them, and it strays on its way; with them it swings \
         from one to the other at a fraction of the energy."
    ));
    let mut plot = Plot::new("The end of the bar, seen along the bar");
    (plot.x.label, plot.y.label) = ("aside (m)".into(), "up (m)".into());
    let (mut energies, mut rows) = (Vec::new(), Vec::new());
    for (k, (name, tangents, modes, colour)) in BASES.into_iter().enumerate() {
        let part = |k: usize| k as f64 / BASES.len() as f64;
        let basis = ControlBasis { tangents, modes, ..ControlBasis::default() };
        let shot = bar::shot(workshop, basis)?;
        let motion = Motion::solve(workshop, BAR, &shot, &progress.part(part(k), part(k + 1)))?;
        ensure!(motion.report.status == Status::Settled, "{name}: {}", motion.report.status);
        let way = path(&motion, "right")?;
        plot.series
            .push(Series { colour: Some(colour), ..Series::line(name, way.iter().map(|at| [at.z, at.y])) });
        if k + 1 == BASES.len() {
            let poses = [0, bar::POSES[0], bar::POSES[1]].map(|frame| [way[frame].z, way[frame].y]);
            plot.series.push(Series { look: Look::Points, ..Series::line("poses", poses) });
        }
        let energy = motion.report.energy;
        energies.push(energy);
        section.tabled(format!("energy, {name}"), energy, "");
        let volume = motion.report.number("volume", "change").unwrap_or(0.0);
        rows.push(vec![
            name.to_owned(),
            short(motion.method.about().modes as f64),
            short(energy),
            format!("{} %", short(100.0 * volume)),
            short(each(&motion.report, "poses", "relative_error").into_iter().fold(0.0, f64::max)),
            motion.report.iterations.to_string(),
        ]);
    }
    workshop.plot(
        &mut section,
        "control-tangents",
        &plot,
        "The way of the end with four bases, from rest",
    )?;
    section.table(
        &["basis", "shapes", "energy", "change of volume", "poses are off by / size", "iterations"],
        rows,
    );
    section.number("energy without tangents over that with them, no modes", energies[0] / energies[1], "");
    section.number("the same with modes", energies[2] / energies[3], "");
    Ok(section)
}
