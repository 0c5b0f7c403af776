//! A cactus that jumps once: trunk and arms swing to make the velocity it leaves the ground with.

use super::motion::{Motion, Published};
use super::row::{ROW, rows};
use crate::gallery::page::Section;
use crate::gallery::workshop::{From, Workshop};
use supple_model::Progress;

const VIEW: From = From(12.0, 12.0);

/// Figure 7.
pub fn figure(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let motion = Motion::of(workshop, "cactus-jump", progress)?;
    let mut section = Section::default();
    section.text(
        "A cactus jumps. It uses its body and its arms to reach the velocity that is keyed for its centre of mass, \
         and to prepare for the landing.",
    );
    let last = motion.frames.len() - 1;
    let halves = [motion.spread(0, 2 * last / 5, 7), motion.spread(2 * last / 5 + 4, last, 7)];
    workshop.show(
        &mut section,
        "sparse-cactus-jump",
        &rows(&motion, &halves, VIEW, ROW)?,
        "Frames of the jump, in the order of time",
    )?;
    motion.numbers(&mut section, &Published { tets: "8,370", segments: "3" });
    motion.ground_numbers(&mut section);
    Ok(section)
}
