//! An X that walks: five steps, each with keys on the foot that swings.

use super::motion::{Motion, Published};
use super::row::{ROW, rows};
use crate::gallery::page::Section;
use crate::gallery::workshop::{From, Workshop};
use supple_model::Progress;

const VIEW: From = From(-58.0, 12.0);

/// Figure 4.
pub fn figure(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let motion = Motion::of(workshop, "x-walk", progress)?;
    let mut section = Section::default();
    section.text(
        "The letter X walks five steps. In each one foot stands; keys on the sole of the other say where it is \
         put down and how fast it goes down then. A key in the middle of each step lifts it, or it would \
         drag along the ground. The last segment, on both feet, comes to rest.",
    );
    let last = motion.frames.len() - 1;
    let halves = [motion.spread(0, last / 2, 6), motion.spread(last / 2 + 8, last, 6)];
    workshop.show(
        &mut section,
        "sparse-x-walk",
        &rows(&motion, &halves, VIEW, ROW)?,
        "Frames of the walk, in the order of time",
    )?;
    let way = motion.center(&motion.frames[last]) - motion.center(&motion.frames[0]);
    section.number("it walks", way.norm(), "m");
    motion.numbers(&mut section, &Published { tets: "3,002", segments: "5" });
    motion.ground_numbers(&mut section);
    Ok(section)
}
