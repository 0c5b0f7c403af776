//! A pansy whose large bloom goes along an eight, its small one round a circle twice: eight poses, the fourth and
//! the last one like the start.

use super::posed::{Published, alike, numbers, path, shape, wanted};
use crate::gallery::page::Section;
use crate::gallery::sparse::motion::Motion;
use crate::gallery::workshop::{From, HANDLE, OUTPUT, Workshop, sheet};
use supple_mesh::Vec3;
use supple_model::Progress;
use supple_render::{Colour, Look, Plot, Series};

const SAMPLE: &str = "pansy";
const VIEW: From = From(62.0, 16.0);
const TILE: [u32; 2] = [245, 290];
const COLOUR: Colour = Colour::rgb(126, 92, 168);

/// Figure 5.
pub fn figure(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let motion = Motion::of(workshop, SAMPLE, progress)?;
    let mut section = Section::default();
    section.text(
        "Forces on both blooms of a pansy make eight poses: as a bird sees it, the large bloom goes along an eight, the \
         small one round a circle, twice. Start, fourth and last pose are alike.",
    );
    let keys = wanted(&motion);
    let (first, second) = (keys.iter().take(4), keys.iter().skip(4).take(4));
    let rest = (0, motion.frames[0].clone());
    let all = std::iter::once(&rest).chain(first).chain(second);
    let pictures = all.enumerate().map(|(k, (frame, places))| {
        (shape(&motion.body, places, COLOUR), format!("pose {k}, frame {}", frame + 1))
    });
    let pictures: Vec<_> = pictures.take(8).collect();
    let tiles = alike(pictures, VIEW, TILE)?;
    workshop.show(
        &mut section,
        "control-pansy",
        &sheet(4, tiles)?,
        "The poses; the last one is the first again",
    )?;
    let mut plot = Plot::new("Both blooms as a bird sees them");
    (plot.x.label, plot.y.label) = ("aside (m)".into(), "ahead (m)".into());
    for (group, name, colour) in [("bloom", "large bloom", OUTPUT), ("small-bloom", "small bloom", HANDLE)] {
        let way = path(&motion, group)?;
        let seen = |at: &Vec3| [at.z, at.x];
        let poses: Vec<[f64; 2]> = keys.iter().map(|(frame, _)| seen(&way[*frame])).collect();
        plot.series.push(Series { colour: Some(colour), ..Series::line(name, way.iter().map(seen)) });
        plot.series.push(Series { look: Look::Points, colour: Some(colour), ..Series::line("", poses) });
        let (start, end) = (way[0], way[way.len() - 1]);
        let long: f64 = way.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum();
        section.number(format!("{name}: way"), long, "m");
        section.number(format!("{name}: from start to end"), (end - start).norm(), "m");
    }
    workshop.plot(&mut section, "control-pansy-ways", &plot, "An eight and a circle; dots at poses")?;
    numbers(&mut section, &motion, &Published { tets: "7,602", frames: "300", poses: "8", shapes: "22" });
    Ok(section)
}
