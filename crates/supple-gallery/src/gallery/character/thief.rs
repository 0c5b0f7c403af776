//! A thief who comes, picks up a treasure and runs off with it; the treasure lies elsewhere.

use super::figure::{EDITED, GREY, arrow, bones, on_floor, strobe, symbols};
use super::motion::{Motion, Published, apart, joint};
use crate::gallery::page::Section;
use crate::gallery::workshop::{From, OUTPUT, Workshop};
use supple_mesh::Vec3;
use supple_model::Progress;
use supple_project::method::Side;

const VIEW: From = From(-32.0, 16.0);
const SIZE: [u32; 2] = [1000, 420];
const CLOSE: [u32; 2] = [600, 420];

/// Figure 7.
pub fn figure(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let motion = Motion::of(workshop, "thief", progress)?;
    let mut section = Section::default();
    section.text(
        "A thief comes, bends down, picks up a treasure with both hands and runs off with it. The treasure is moved; feet do \
         not slide, hands are at its two sides when it is picked up and stay as far apart as they were while it is carried, \
         and joints keep their limits.",
    );
    let last = motion.frames() - 1;
    let mut picture = strobe(&motion, Side::Output, &motion.spread(0, last, 8), EDITED);
    symbols(&mut picture, &motion, (0, last))?;
    let image = on_floor(picture, VIEW, SIZE)?;
    workshop.show(
        &mut section,
        "character-thief",
        &image,
        "The thief with the moved treasure; dark: plants",
    )?;
    let (drags, _) = apart(&motion.shot);
    let taken = drags.first().map_or(0, |drag| motion.stretch(drag).0);
    let mut picture = bones(&motion, Side::Output, taken, OUTPUT);
    picture.add_ghost(bones(&motion, Side::Input, taken, GREY), 0.5);
    for drag in &drags {
        let from = motion.place(Side::Input, taken, &drag.site)?;
        arrow(&mut picture, from, motion.place(Side::Output, taken, &drag.site)?);
    }
    let image = on_floor(picture, VIEW, CLOSE)?;
    workshop.show(
        &mut section,
        "character-thief-takes",
        &image,
        "The frame in which it is taken; grey: before",
    )?;
    section.number("frames in which it is carried", (last + 1 - taken) as f64, "");
    section.number("the distance of the hands changes by, at most", 1e3 * apart_by(&motion, taken)?, "mm");
    let published = Published { freedoms: "49", keys: "10", frames: "100", constraints: "5,921" };
    motion.numbers(&mut section, &published)?;
    Ok(section)
}

/// How much the distance of the hands differs from the input, from a frame on.
fn apart_by(motion: &Motion, from: usize) -> anyhow::Result<f64> {
    let far = |side: Side| -> anyhow::Result<Vec<f64>> {
        let ways =
            ["LeftHand", "RightHand"].map(|hand| motion.way(side, &joint(hand), (from, motion.frames() - 1)));
        let [left, right] = ways;
        let norm = |(a, b): (&Vec3, &Vec3)| (a - b).norm();
        Ok(left?.iter().zip(&right?).map(norm).collect())
    };
    let (before, after) = (far(Side::Input)?, far(Side::Output)?);
    Ok(before.iter().zip(&after).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max))
}
