//! A jump that goes higher: three drags, one after the other; and the snap of a narrow edit, with and without smoothing.

use super::figure::{EDITED, GREY, arrow, bones, on_floor, row, symbols};
use super::motion::{Motion, Published, apart, joint};
use crate::gallery::page::{Section, short};
use crate::gallery::workshop::{From, OUTPUT, Workshop, sheet};
use anyhow::Context;
use supple_model::Progress;
use supple_project::method::Side;
use supple_project::shot::Layer;
use supple_render::{Image, Plot, Rule, Series};

const VIEW: From = From(0.0, 0.0);
const ROW: [u32; 2] = [1000, 330];
const TILE: [u32; 2] = [326, 330];
/// How far frames of the jump are moved aside from one to the next, metres.
const ASIDE: f64 = 0.42;
/// Seconds between the keys of the edit that snaps, and over which it is smoothed.
const NARROW: f64 = 0.1;
const SMOOTHING: f64 = 0.2;

/// Figure 1.
pub fn figure(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let shot = workshop.whole_shot("jump-2d")?;
    let (drags, held) = apart(&shot);
    let mut section = Section::default();
    section.text(
        "A jump is made to go a little higher. The hand is pulled up at frame 20, then the pelvis at frame 24, then a knee \
         at frame 37; each drag keeps what was asked before. Arms and legs are tied in pairs, feet stand until frame 12 \
         and, wherever is easiest but on the ground, from frame 24 on.",
    );
    let mut motions = Vec::new();
    for count in 1..=drags.len() {
        let mut shot = shot.clone();
        shot.edit.handles = held.iter().chain(&drags[..count]).cloned().collect();
        let part = |k: usize| 0.7 * k as f64 / drags.len() as f64;
        motions.push(Motion::solve(shot, &progress.part(part(count - 1), part(count)))?);
    }
    let first = &motions[0];
    let frames = [0, 7, 11, 14, 17, 19, 21, 23, 28, 36];
    let input = row(first, Side::Input, &frames, ASIDE, EDITED).context("the jump has no frames")?;
    let jump = on_floor(input, VIEW, ROW)?;
    workshop.show(
        &mut section,
        "character-jump",
        &jump,
        "Frames of the jump as it was, each moved a little aside",
    )?;
    let mut tiles: Vec<(Image, String)> = Vec::new();
    for (k, drag) in drags.iter().enumerate() {
        let (motion, index) = (&motions[k], motions[k].stretch(drag).0);
        let before = if k == 0 {
            bones(first, Side::Input, index, GREY)
        } else {
            bones(&motions[k - 1], Side::Output, index, GREY)
        };
        let mut picture = bones(motion, Side::Output, index, OUTPUT);
        picture.add_ghost(before, 0.5);
        let from = match k {
            0 => first.place(Side::Input, index, &drag.site)?,
            _ => motions[k - 1].place(Side::Output, index, &drag.site)?,
        };
        arrow(&mut picture, from, motion.place(Side::Output, index, &drag.site)?);
        symbols(&mut picture, motion, (index, index))?;
        let frame = motion.method.character().clock.number(index);
        tiles.push((on_floor(picture, VIEW, TILE)?, format!("drag {}, frame {frame}", k + 1)));
    }
    let words = "The three drags: grey before, red after each";
    workshop.show(&mut section, "character-jump-drags", &sheet(3, tiles)?, words)?;
    let last = &motions[drags.len() - 1];
    let hand = &drags[0];
    let index = last.stretch(hand).0;
    let moved = last.place(Side::Output, index, &hand.site)? - last.place(Side::Input, index, &hand.site)?;
    section.number("the hand goes up at frame 20 by, after all drags", 100.0 * moved.y, "cm");
    let lost = moved
        - (first.place(Side::Output, index, &hand.site)? - last.place(Side::Input, index, &hand.site)?);
    section.number("which the later drags change by", 1e3 * lost.norm(), "mm");
    last.numbers(&mut section, &Published { freedoms: "9", keys: "7", frames: "37", constraints: "1,025" })?;
    snap(workshop, &mut section, &progress.part(0.7, 1.0))?;
    Ok(section)
}

/// The first drag in a layer with many keys: it snaps to the hand's goal and back, unless it is smoothed.
fn snap(workshop: &Workshop, section: &mut Section, progress: &Progress) -> anyhow::Result<()> {
    let shot = workshop.whole_shot("jump-2d")?;
    let (drags, held) = apart(&shot);
    let mut variants = Vec::new();
    for (k, smoothing) in [None, Some(SMOOTHING)].into_iter().enumerate() {
        let mut shot = shot.clone();
        let layer = Layer { key_seconds: Some(NARROW), smoothing, ..Layer::new("narrow") };
        let mut drag = drags[0].clone();
        drag.layer = Some(layer.name.clone());
        shot.edit.layers = vec![layer];
        shot.edit.handles = held.iter().cloned().chain([drag]).collect();
        variants.push(Motion::solve(shot, &progress.part(0.5 * k as f64, 0.5 * (k + 1) as f64))?);
    }
    section.text(format!(
        "A curve with a key every {NARROW} s gets the hand to its goal in a moment: the figure snaps there and back. A layer \
         with `smoothing = {SMOOTHING}` avoids accelerations, so what it adds comes and goes slowly."
    ));
    let hand = &drags[0].site;
    let frame = |index: usize| f64::from(variants[0].method.character().clock.number(index));
    let height = |motion: &Motion, side: Side| -> anyhow::Result<Vec<[f64; 2]>> {
        let way = motion.whole_way(side, hand)?;
        Ok(way.iter().enumerate().map(|(k, place)| [frame(k), place.y]).collect())
    };
    let mut plot = Plot::new("Height of the hand");
    (plot.x.label, plot.y.label) = ("frame".into(), "height (m)".into());
    plot.series = vec![
        Series { dashed: true, ..Series::line("input", height(&variants[0], Side::Input)?) },
        Series::line("without smoothing", height(&variants[0], Side::Output)?),
        Series::line("with smoothing", height(&variants[1], Side::Output)?),
    ];
    plot.verticals = vec![Rule::new(20.0, "the hand is pulled")];
    workshop.plot(
        section,
        "character-jump-snap",
        &plot,
        "The snap of a narrow edit, with and without smoothing",
    )?;
    let mut rows = Vec::new();
    for (motion, name) in variants.iter().zip(["without smoothing", "with smoothing"]) {
        let hand = motion.added_acceleration(hand)?;
        let hips = motion.added_acceleration(&joint("Hips"))?;
        section.tabled(format!("{name}: peak acceleration added to the hand"), hand, "m/s²");
        section.tabled(format!("{name}: peak acceleration added to the hips"), hips, "m/s²");
        let missing = motion.report.handles.iter().map(|handle| handle.error).fold(0.0, f64::max);
        section.tabled(format!("{name}: missing of a goal, at most"), 1e3 * missing, "mm");
        rows.push(vec![name.to_owned(), short(hips), short(hand), short(1e3 * missing)]);
    }
    let head = ["", "added to the hips, m/s²", "added to the hand, m/s²", "missing, mm"];
    section.table(&head, rows);
    Ok(())
}
