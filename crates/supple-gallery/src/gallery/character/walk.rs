//! A walk whose third step goes elsewhere, as the paper's Figure 2 shows such edits.

use super::figure::{EDITED, on_floor, strobe, symbols, trails};
use super::motion::{Motion, Published, joint};
use crate::gallery::page::Section;
use crate::gallery::workshop::{From, Workshop};
use supple_model::Progress;
use supple_project::method::Side;

const VIEW: From = From(-38.0, 24.0);
const SIZE: [u32; 2] = [1000, 520];

/// Figure 2.
pub fn figure(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let motion = Motion::of(workshop, "walk-3d", progress)?;
    let mut section = Section::default();
    section.text(
        "A walk in space; one plant is dragged sideways and on (blue). Frames alternate in colour and fade; lines follow \
         the feet and a hand, striped before the edit. Dark symbols are plants.",
    );
    let last = motion.frames() - 1;
    let mut picture = strobe(&motion, Side::Output, &motion.spread(0, last, 8), EDITED);
    let sites = ["LeftFoot_end", "RightFoot_end", "LeftHand"].map(joint);
    trails(&mut picture, &motion, &sites)?;
    symbols(&mut picture, &motion, (0, last))?;
    let image = on_floor(picture, VIEW, SIZE)?;
    workshop.show(
        &mut section,
        "character-walk",
        &image,
        "The edited walk; before the edit: striped lines",
    )?;
    motion.numbers(
        &mut section,
        &Published { freedoms: "57", keys: "10", frames: "88", constraints: "2,850" },
    )?;
    Ok(section)
}
