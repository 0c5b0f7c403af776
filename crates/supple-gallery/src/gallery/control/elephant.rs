//! An elephant from a rig: triangle meshes are the poses, and the motion between them has inertia.

use super::posed::{Published, alike, numbers, shape, spline, wanted};
use crate::gallery::page::Section;
use crate::gallery::sparse::motion::Motion;
use crate::gallery::workshop::{From, INPUT, Workshop, corners, draw, sheet};
use anyhow::Context;
use supple_mesh::Vec3;
use supple_model::Progress;
use supple_render::Colour;

const SAMPLE: &str = "elephant";
const VIEW: From = From(28.0, 10.0);
const TILE: [u32; 2] = [245, 215];
const WIDE: [u32; 2] = [780, 560];
/// Our motion, as in the paper.
const OWN: Colour = Colour::rgb(52, 104, 196);
const KEY: Colour = Colour::rgb(150, 150, 158);

/// Figure 8.
pub fn figure(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let motion = Motion::of(workshop, SAMPLE, progress)?;
    let mut section = Section::default();
    section.text(
        "Eight poses of an elephant's surface come from a rig; the body is fitted to them. Between them our motion \
         follows the body's inertia, where a spline only follows the poses.",
    );
    let keys = wanted(&motion);
    let pictures = keys.iter().take(4).enumerate().map(|(k, (frame, places))| {
        let center = motion.center(places);
        let level: Vec<Vec3> =
            places.iter().map(|place| place - Vec3::new(center.x, 0.0, center.z)).collect();
        (shape(&motion.body, &level, KEY), format!("pose {}, frame {}", k + 1, frame + 1))
    });
    let tiles = alike(pictures.collect(), VIEW, TILE)?;
    workshop.show(&mut section, "control-elephant-poses", &sheet(4, tiles)?, "The first four poses")?;
    let (frame, apart) = farthest(&motion)?;
    let between = spline(&motion, frame).context("no spline without poses")?;
    let mut picture = shape(&motion.body, &motion.frames[frame], OWN);
    picture.add_ghost(shape(&motion.body, &between, INPUT), 0.55);
    let seen = corners(between.iter().chain(&motion.frames[frame]));
    workshop.show(
        &mut section,
        "control-elephant",
        &draw(&picture, VIEW.camera(&seen, WIDE), WIDE)?,
        format!("Frame {}, where they differ most: ours blue, the spline yellow", frame + 1),
    )?;
    section.number(
        "ours and the spline are apart by, at most",
        100.0 * apart / motion.method.about().size,
        "% of the size",
    );
    numbers(&mut section, &motion, &Published { tets: "19,386", frames: "240", poses: "8", shapes: "16" });
    Ok(section)
}

/// The frame at which a vertex of the spline is farthest from ours, and how far.
fn farthest(motion: &Motion) -> anyhow::Result<(usize, f64)> {
    let mut found = (0, 0.0);
    for (frame, own) in motion.frames.iter().enumerate() {
        let between = spline(motion, frame).context("no spline without poses")?;
        let apart = own.iter().zip(&between).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        if apart > found.1 {
            found = (frame, apart);
        }
    }
    Ok(found)
}
