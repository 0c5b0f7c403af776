//! An X that jumps forward: only the velocity and the place of its centre of mass are keyed when it leaves the ground.

use super::motion::{Motion, Published};
use super::row::{ROW, rows};
use crate::gallery::page::Section;
use crate::gallery::workshop::{From, Workshop};
use supple_model::Progress;

const VIEW: From = From(40.0, 12.0);

/// Figure 3.
pub fn figure(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let motion = Motion::of(workshop, "x-jump", progress)?;
    let mut section = Section::default();
    section.text(
        "The letter X jumps. When it leaves the ground, its centre of mass has a velocity and a place; when it \
         lands, its feet are below it. It crouches before the jump, to be as fast as that, and after it: \
         anticipation that nobody asked for.",
    );
    let last = motion.frames.len() - 1;
    let halves = [motion.spread(0, 2 * last / 5, 6), motion.spread(2 * last / 5 + 5, last, 6)];
    workshop.show(
        &mut section,
        "sparse-x-jump",
        &rows(&motion, &halves, VIEW, ROW)?,
        "Frames of the jump, in the order of time",
    )?;
    motion.numbers(&mut section, &Published { tets: "3,002", segments: "3" });
    motion.ground_numbers(&mut section);
    Ok(section)
}
