//! The walk of Figure 2 without feet and hands: plants hold the ankles.

use super::figure::{EDITED, on_floor, strobe, symbols, trails};
use super::motion::{Motion, Published, joint};
use crate::gallery::page::Section;
use crate::gallery::workshop::{From, Workshop};
use supple_model::Progress;
use supple_project::method::Side;
use supple_project::shot::Site;

const VIEW: From = From(-38.0, 24.0);
const SIZE: [u32; 2] = [1000, 520];

/// Figure 6.
pub fn figure(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let motion = Motion::of(workshop, "walk-3d-no-feet", progress)?;
    let mut section = Section::default();
    section.text(
        "The same walk without feet and hands, with hinges for knees and elbows; plants hold the ankles, which float above \
         the floor. The same plant is dragged (blue). Lines follow the head and an ankle, striped before the edit.",
    );
    let last = motion.frames() - 1;
    let mut picture = strobe(&motion, Side::Output, &motion.spread(0, last, 7), EDITED);
    let ankle = Site::Joint { name: "LeftLeg".into(), offset: [0.0, -0.43, 0.0] };
    trails(&mut picture, &motion, &[joint("Head_end"), ankle])?;
    symbols(&mut picture, &motion, (0, last))?;
    let image = on_floor(picture, VIEW, SIZE)?;
    workshop.show(&mut section, "character-no-feet", &image, "The edited walk without feet")?;
    motion.numbers(
        &mut section,
        &Published { freedoms: "35", keys: "10", frames: "88", constraints: "2,811" },
    )?;
    Ok(section)
}
