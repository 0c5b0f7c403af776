//! A cactus that jumps three times, each farther than the one before.

use super::motion::{Motion, Published};
use super::row::{ROW, rows};
use crate::gallery::page::Section;
use crate::gallery::workshop::{From, Workshop};
use supple_model::Progress;

const VIEW: From = From(20.0, 12.0);

/// Figure 5.
pub fn figure(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let motion = Motion::of(workshop, "cactus-triple-jump", progress)?;
    let mut section = Section::default();
    section.text(
        "A cactus jumps three times in a row. Its foot is keyed where it stands and lands, its centre of mass \
         where and how fast it leaves the ground. It crouches to prepare the jumps and to absorb the landings.",
    );
    let last = motion.frames.len() - 1;
    let third = |k: usize| k * last / 3;
    let parts: Vec<Vec<usize>> = (0..3).map(|k| motion.spread(third(k), third(k + 1) - 5, 7)).collect();
    workshop.show(
        &mut section,
        "sparse-triple-jump",
        &rows(&motion, &parts, VIEW, ROW)?,
        "Frames of the jumps, in the order of time",
    )?;
    motion.numbers(&mut section, &Published { tets: "8,370", segments: "7" });
    motion.ground_numbers(&mut section);
    Ok(section)
}
