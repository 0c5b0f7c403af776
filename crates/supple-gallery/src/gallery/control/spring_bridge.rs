//! A bridge of springs, bent to one side, to the other and down.

use super::posed::{Published, alike, numbers, shape, wanted};
use crate::gallery::page::Section;
use crate::gallery::sparse::motion::Motion;
use crate::gallery::workshop::{From, INPUT, OUTPUT, Workshop, sheet};
use supple_model::Progress;

const SAMPLE: &str = "spring-bridge";
const VIEW: From = From(30.0, 22.0);
const TILE: [u32; 2] = [430, 230];

/// Figure 7.
pub fn figure(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let motion = Motion::of(workshop, SAMPLE, progress)?;
    let mut section = Section::default();
    section.text(
        "The edges of the tets of a bridge are springs, and have no polynomial of forces: these and their stiffness \
         are projected frame by frame. Three poses bend it to one side, to the other, and down.",
    );
    let keys = wanted(&motion);
    let rest = motion.body.positions();
    let mut pictures = Vec::new();
    let mut before = 0;
    for (frame, _) in &keys {
        let between = (before + frame) / 2;
        for (frame, what) in [(between, "on the way"), (*frame, "pose")] {
            let mut picture = shape(&motion.body, &motion.frames[frame], OUTPUT);
            picture.add_ghost(shape(&motion.body, rest, INPUT), 0.3);
            pictures.push((picture, format!("{what}, frame {}", frame + 1)));
        }
        before = *frame;
    }
    let tiles = alike(pictures, VIEW, TILE)?;
    workshop.show(
        &mut section,
        "control-spring-bridge",
        &sheet(2, tiles)?,
        "The motion red, the bridge at rest yellow",
    )?;
    numbers(&mut section, &motion, &Published { tets: "31,764", frames: "150", poses: "3", shapes: "18" });
    Ok(section)
}
