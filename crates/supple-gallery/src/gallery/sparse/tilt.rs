//! A block whose top is tilted: keys that hold on the warped motion, against the linear motion, warped afterwards or not.

use super::motion::Motion;
use super::row::{ROW, keys, row};
use crate::gallery::page::{Section, short};
use crate::gallery::workshop::{From, Workshop};
use anyhow::Context;
use supple_mesh::Vec3;
use supple_model::{Progress, VertexId};
use supple_project::method::Asked;

const VIEW: From = From(18.0, 14.0);
/// The frame of the key, counted from 0.
const KEY: usize = 24;

/// What is compared: its name, whether keys hold on the warped motion, and whether it is warped at all.
const COMPARED: [(&str, bool, bool); 3] = [
    ("held on the warped motion", true, true),
    ("linear", false, false),
    ("linear, then warped", false, true),
];

/// Figure 9.
pub fn figure(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let mut section = Section::default();
    section.text(
        "One key turns the top of a block by 90°. Held on the warped motion it is met, and the block is bent. The \
         linear motion has strong artifacts: what it shears is no bend. Warped afterwards, it no longer meets the \
         key.",
    );
    let mut motions = Vec::new();
    for (k, (_, exact, warp)) in COMPARED.into_iter().enumerate() {
        let part = |k: usize| k as f64 / COMPARED.len() as f64;
        let mut shot = workshop.whole_shot("block-tilt")?;
        (shot.edit.exact, shot.edit.warp) = (exact, warp);
        motions.push(Motion::solve(workshop, "block-tilt", &shot, &progress.part(part(k), part(k + 1)))?);
    }
    let goal = goal(&motions[0]).context("the block has no key")?;
    let mut rows = Vec::new();
    for (motion, (name, ..)) in motions.iter().zip(COMPARED) {
        let (off, swollen) = (100.0 * missed(motion, &goal), 100.0 * motion.swollen(KEY));
        let inverted = motion.report.number("inverted", "elements").unwrap_or(0.0);
        section.tabled(format!("{name}: the key is off by"), off, "% of the way");
        section.tabled(format!("{name}: change of volume"), swollen, "%");
        section.tabled(format!("{name}: elements turned inside out, at most"), inverted, "");
        rows.push(vec![
            name.to_owned(),
            motion.report.status.name().to_owned(),
            motion.report.iterations.to_string(),
            format!("{} %", short(off)),
            format!("{} %", short(swollen)),
            short(inverted),
        ]);
    }
    workshop.show(
        &mut section,
        "sparse-tilt-keys",
        &keys(&motions[0], VIEW, 3)?,
        "The key, between rest and rest",
    )?;
    let shapes: Vec<&Vec<Vec3>> = motions.iter().map(|motion| &motion.frames[KEY]).collect();
    let names: Vec<&str> = COMPARED.iter().map(|(name, ..)| *name).collect();
    workshop.show(
        &mut section,
        "sparse-tilt",
        &row(&motions[0], &shapes, VIEW, ROW)?,
        format!("The block at its key, from left to right: {}", names.join("; ")),
    )?;
    section.table(
        &["", "status", "iterations", "the key is off by, of the way", "change of volume", "inside out"],
        rows,
    );
    Ok(section)
}

/// Where the top is asked to be.
fn goal(motion: &Motion) -> Option<Vec<(VertexId, Vec3)>> {
    let places = |asked: Asked| if let Asked::Places(places) = asked { Some(places) } else { None };
    // The body is at rest before and after.
    let all: usize = motion.body.positions().len();
    let mut parts =
        motion.method.key_moments().into_iter().flat_map(|moment| moment.asked).filter_map(places);
    parts.find(|places| places.len() < all)
}

/// How far a part is from where it is asked to be, as a part of the way there; root of the mean square by mass.
fn missed(motion: &Motion, goal: &[(VertexId, Vec3)]) -> f64 {
    let masses = motion.body.elastic.masses();
    let off = |from: &[Vec3]| -> f64 {
        goal.iter().map(|(v, to)| masses[v.index()] * (from[v.index()] - to).norm_squared()).sum()
    };
    (off(&motion.frames[KEY]) / off(motion.body.positions())).sqrt()
}
