//! A walk that steps over something: one plant is dragged up and on.

use super::figure::{EDITED, add_box, alike, strobe, symbols};
use super::motion::{Motion, Published, apart};
use crate::gallery::page::Section;
use crate::gallery::workshop::{From, Workshop, sheet};
use supple_mesh::Vec3;
use supple_model::Progress;
use supple_project::method::Side;

const VIEW: From = From(0.0, 0.0);
const HALF: [u32; 2] = [700, 330];

/// Figure 3.
pub fn figure(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let motion = Motion::of(workshop, "walk-2d", progress)?;
    let mut section = Section::default();
    section.text(
        "A walk in a plane. Its third plant is dragged up and on as one, and the walk steps onto the box: the other plants stay, knees and hips lift the foot in time.",
    );
    let last = motion.frames() - 1;
    let frames = motion.spread(0, last, 8);
    let before = strobe(&motion, Side::Input, &frames, EDITED);
    let mut after = strobe(&motion, Side::Output, &frames, EDITED);
    symbols(&mut after, &motion, (0, last))?;
    let (drags, _) = apart(&motion.shot);
    for drag in &drags {
        // The foot stands on it, so it ends where the sole does.
        let middle = (motion.stretch(drag).0 + motion.stretch(drag).1) / 2;
        let toes = motion.place(Side::Output, middle, &drag.site)?;
        let low = Vec3::new(toes.x - 0.22, 0.0, toes.z - 0.12);
        add_box(&mut after, [low, Vec3::new(toes.x + 0.05, toes.y, toes.z + 0.12)]);
    }
    let names = ["as it was", "over an obstacle"].map(str::to_owned);
    let tiles = alike(vec![before, after], VIEW, HALF)?.into_iter().zip(names).collect();
    let words = "A walk, and the same with one plant dragged up (blue); dark symbols are plants";
    workshop.show(&mut section, "character-step", &sheet(1, tiles)?, words)?;
    for drag in &drags {
        let (first, last) = motion.stretch(drag);
        section.number("the plant that is dragged lasts", (last + 1 - first) as f64, "frames");
    }
    let published = Published { freedoms: "14", keys: "12", frames: "81", constraints: "2,195" };
    motion.numbers(&mut section, &published)?;
    Ok(section)
}
