//! Between two poses: our motion beside the spline through the same poses.

use super::bar::{self, BAR, FORCE, MODES, POSES};
use super::posed::{alike, shape, spline, swollen};
use crate::gallery::page::Section;
use crate::gallery::sparse::motion::Motion;
use crate::gallery::workshop::{From, INPUT, OUTPUT, Workshop, sheet};
use anyhow::Context;
use supple_model::Progress;
use supple_project::shot::ControlBasis;
use supple_render::{Colour, Plot, Series};

const TILE: [u32; 2] = [280, 250];
const VIEW: From = From(-20.0, 38.0);
const POSE: Colour = Colour::rgb(140, 150, 165);

/// Figure 9.
pub fn figure(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let basis = ControlBasis { modes: MODES, ..ControlBasis::default() };
    let motion = Motion::solve(workshop, BAR, &bar::shot(workshop, basis)?, progress)?;
    let body = &motion.body;
    let mut changes = [Vec::new(), Vec::new()];
    let mut worst = (0.0, 0);
    for frame in 0..motion.frames.len() {
        let between = spline(&motion, frame).context("no spline without poses")?;
        let own = 100.0 * swollen(body, &motion.frames[frame]);
        let lost = 100.0 * swollen(body, &between);
        changes[0].push([frame as f64, own]);
        changes[1].push([frame as f64, lost]);
        if frame > POSES[0] && lost < worst.0 {
            worst = (lost, frame);
        }
    }
    let frame = worst.1;
    let mut section = Section::default();
    section.text(format!(
        "A bar that {FORCE} N pull up is pulled sideways next. A Catmull–Rom spline through the poses loses volume \
         between them, our motion through the same poses keeps it. Both are shown at frame {frame}."
    ));
    let between = spline(&motion, frame).context("no spline without poses")?;
    let pictures = [
        (&motion.frames[POSES[0]], POSE, "the first pose"),
        (&between, INPUT, "the spline"),
        (&motion.frames[frame], OUTPUT, "ours"),
        (&motion.frames[POSES[1]], POSE, "the second pose"),
    ];
    let pictures = pictures.map(|(places, colour, name)| (shape(body, places, colour), name.to_owned()));
    workshop.show(
        &mut section,
        "control-volume",
        &sheet(4, alike(pictures.into(), VIEW, TILE)?)?,
        "Poses grey; between them the spline yellow, ours red",
    )?;
    let mut plot = Plot::new("Change of volume");
    (plot.x.label, plot.y.label) = ("frame".into(), "change of volume (%)".into());
    let [own, lost] = changes;
    let extreme = |values: &[[f64; 2]]| {
        values.iter().map(|[_, change]| *change).max_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap_or(0.0)
    };
    section.number("change of volume, ours", extreme(&own), "%");
    section.number("change of volume, Catmull–Rom spline", extreme(&lost), "%");
    plot.series = vec![
        Series { colour: Some(INPUT), ..Series::line("Catmull–Rom spline", lost) },
        Series { colour: Some(OUTPUT), ..Series::line("ours", own) },
    ];
    workshop.plot(&mut section, "control-volume-frames", &plot, "Frame by frame; poses at 60 and 120")?;
    Ok(section)
}
