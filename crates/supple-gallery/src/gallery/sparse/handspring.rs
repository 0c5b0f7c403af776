//! An X that turns a handspring: three segments, and two keys that send its hands, then its feet to the ground.

use super::motion::{Motion, Published};
use super::row::{ROW, keys, rows};
use crate::gallery::page::Section;
use crate::gallery::workshop::{From, Workshop};
use supple_model::Progress;

const VIEW: From = From(24.0, 12.0);

/// Figure 1.
pub fn figure(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let motion = Motion::of(workshop, "x-handspring", progress)?;
    let mut section = Section::default();
    section.text(
        "A soft letter X turns a handspring. It stands on its feet, then on its hands, then on its feet; a key \
         at the end of the first segment turns the hands by 180° onto the ground, one at the end of the second \
         turns the feet. All else follows.",
    );
    let last = motion.frames.len() - 1;
    let halves = [motion.spread(0, last / 2, 6), motion.spread(last / 2 + 8, last, 6)];
    workshop.show(
        &mut section,
        "sparse-handspring",
        &rows(&motion, &halves, VIEW, ROW)?,
        "Frames of the handspring, in the order of time",
    )?;
    workshop.show(
        &mut section,
        "sparse-handspring-keys",
        &keys(&motion, VIEW, 4)?,
        "Its keys: keyed parts dark at their goals, the rest pale",
    )?;
    motion.numbers(&mut section, &Published { tets: "3,002", segments: "3" });
    motion.ground_numbers(&mut section);
    Ok(section)
}
