//! A Buddha that dances: a loop through three keys on its belly.

use super::motion::{Motion, Published};
use super::row::{ROW, rows};
use crate::gallery::page::Section;
use crate::gallery::workshop::{From, Workshop};
use supple_model::Progress;

const VIEW: From = From(40.0, 10.0);

/// Figure 2.
pub fn figure(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let motion = Motion::of(workshop, "buddha", progress)?;
    let mut section = Section::default();
    section.text(
        "A Buddha dances in a loop: the end is the start again. Three keys prescribe where a few vertices of \
         its belly are; head, arms and legs move along.",
    );
    // The last frame is the first again.
    let last = motion.frames.len().saturating_sub(2);
    workshop.show(
        &mut section,
        "sparse-buddha",
        &rows(&motion, &[motion.spread(0, last, 6)], VIEW, ROW)?,
        "Frames of the dance, in the order of time",
    )?;
    motion.numbers(&mut section, &Published { tets: "77,642", segments: "1" });
    let (first, again) = (&motion.frames[0], &motion.frames[motion.frames.len() - 1]);
    let apart = first.iter().zip(again).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
    section.number("the last frame differs from the first by", apart / motion.height(), "of the height");
    Ok(section)
}
