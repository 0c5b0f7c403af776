//! A block that is twisted by one key on its top, and spirals.

use super::motion::{Motion, Published};
use super::row::{ROW, rows};
use crate::gallery::measure::{angle_about, rotation};
use crate::gallery::page::Section;
use crate::gallery::workshop::{From, Workshop};
use supple_mesh::Vec3;
use supple_model::Progress;

const VIEW: From = From(30.0, 16.0);
/// The frame of the key, counted from 0.
const KEY: usize = 24;

/// Figure 6.
pub fn figure(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let motion = Motion::of(workshop, "block-twist", progress)?;
    let mut section = Section::default();
    section.text(
        "The top of a block is turned by one key. Linear elasticity alone swells under such a twist; warped, \
         the block keeps its shape and spirals.",
    );
    let last = motion.frames.len() - 1;
    workshop.show(
        &mut section,
        "sparse-twist",
        &rows(&motion, &[motion.spread(0, last, 11)], VIEW, ROW)?,
        "Frames of the twist, in the order of time",
    )?;
    let top = motion.body.groups.get("top")?;
    let places = |all: &[Vec3]| -> Vec<Vec3> { top.iter().map(|v| all[v.index()]).collect() };
    let angle = |index: usize| {
        let turn = rotation(&places(motion.body.positions()), &places(&motion.frames[index]));
        angle_about(&turn, Vec3::y())
    };
    section.number("the top is turned at the key by", angle(KEY).abs(), "°");
    let height = |all: &[Vec3]| places(all).iter().map(|place| place.y).sum::<f64>() / top.len() as f64;
    let rise = height(&motion.frames[KEY]) - height(motion.body.positions());
    section.number("it is higher there by", 100.0 * rise / motion.height(), "% of the height");
    let most = (0..=last).map(|index| motion.swollen(index).abs()).fold(0.0, f64::max);
    section.number("largest change of volume", 100.0 * most, "%");
    motion.numbers(&mut section, &Published { tets: "2,015", segments: "1" });
    Ok(section)
}
