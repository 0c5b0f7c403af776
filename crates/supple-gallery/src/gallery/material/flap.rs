//! A bird that flaps through poses which are alike on both sides, on a cage that is stiffer on one.

use super::found::{BOTH, both};
use crate::gallery::page::Section;
use crate::gallery::sparse::motion::Motion;
use crate::gallery::sparse::row::{ROW, row};
use crate::gallery::workshop::{From, INPUT, OUTPUT, Workshop, sheet};
use supple_mesh::Vec3;
use supple_model::Progress;
use supple_render::{Plot, Series};

const VIEW: From = From(75.0, 18.0);
/// Frames counted from 0: the poses, and where wings are one and two swings later.
const FRAMES: [usize; 6] = [9, 19, 29, 54, 66, 84];

/// Figure 8.
pub fn figure(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let motions = both(workshop, "bird-flap", progress)?;
    let mut section = Section::default();
    section.text(
        "Wings up, down and up again: three poses, the same on both sides. The cage that the bird rides on is 15 % stiffer on \
         the left. Its own modes let the wings drift apart after the last pose; shapes that carry the poses keep them \
         together.",
    );
    let mut tiles = Vec::new();
    for (motion, (_, name)) in motions.iter().zip(BOTH) {
        let shapes: Vec<&Vec<Vec3>> = FRAMES.iter().map(|frame| &motion.frames[*frame]).collect();
        tiles.push((row(motion, &shapes, VIEW, ROW)?, name.to_owned()));
    }
    let words = format!("Frames {FRAMES:?}; the first three are poses");
    workshop.show(&mut section, "material-flap", &sheet(1, tiles)?, words)?;
    workshop.plot(&mut section, "material-flap-tips", &tips(&motions), "Both tips under both materials")?;
    let apart = [asymmetry(&motions[0]), asymmetry(&motions[1])];
    for (apart, (_, name)) in apart.iter().zip(BOTH) {
        section.number(format!("{name}: left and right differ by"), 100.0 * apart, "% (root mean square)");
    }
    section.number("times less", apart[0] / apart[1], "");
    Ok(section)
}

fn mirrored(p: &Vec3) -> Vec3 {
    Vec3::new(p.x, p.y, -p.z)
}

/// For every vertex the one on the other side.
fn twins(motion: &Motion) -> Vec<usize> {
    let rest = motion.method.about().rest;
    let twin = |p: &Vec3| {
        let off = |v: &usize| (rest[*v] - mirrored(p)).norm_squared();
        (0..rest.len()).min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or(0)
    };
    rest.iter().map(twin).collect()
}

/// How differently left and right move, as a part of how much they do, over all frames.
fn asymmetry(motion: &Motion) -> f64 {
    let (twins, rest) = (twins(motion), motion.method.about().rest);
    let (mut apart, mut whole) = (0.0, 0.0);
    for places in &motion.frames {
        let moved = |v: usize| places[v] - rest[v];
        for (v, twin) in twins.iter().enumerate() {
            apart += (moved(v) - mirrored(&moved(*twin))).norm_squared();
            whole += 2.0 * moved(v).norm_squared();
        }
    }
    (apart / whole).sqrt()
}

fn tips(motions: &[Motion; 2]) -> Plot {
    let mut plot = Plot::new("Heights of the tips of the wings");
    (plot.x.label, plot.y.label) = ("frame".into(), "height (m)".into());
    for ((motion, (_, name)), colour) in motions.iter().zip(BOTH).zip([INPUT, OUTPUT]) {
        let rest = motion.method.about().rest;
        for (side, sign, dashed) in [("left", 1.0, false), ("right", -1.0, true)] {
            let out = |v: &usize| sign * rest[*v].z;
            let Some(tip) = (0..rest.len()).max_by(|a, b| out(a).total_cmp(&out(b))) else { continue };
            let points =
                motion.frames.iter().enumerate().map(|(frame, places)| [frame as f64, places[tip].y]);
            plot.series.push(Series {
                colour: Some(colour),
                dashed,
                ..Series::line(format!("{name}, {side}"), points)
            });
        }
    }
    plot
}
