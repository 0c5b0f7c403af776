//! A walk that reaches for something in its last frame, while plants float. In a plane, and in space.

use super::figure::{EDITED, GREY, HELD, arrow, on_floor, strobe};
use super::motion::{Motion, Published, apart, joint};
use crate::gallery::page::{Section, short};
use crate::gallery::workshop::{From, Workshop};
use supple_mesh::Vec3;
use supple_model::Progress;
use supple_project::method::Side;
use supple_project::shot::{Goal, Handle, Shot};

const SIZE: [u32; 2] = [1000, 420];
/// How far the hand is dragged while the hips follow, and the hips themselves, metres.
const HAND: [f64; 3] = [0.9, 0.1, 0.0];
const HIPS: [f64; 3] = [0.45, -0.05, 0.0];

/// Figure 5.
pub fn figure(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let mut section = Section::default();
    section.text(
        "The first 55 frames of the walk are edited by one drag: the hand reaches farther in the last frame (blue). Plants \
         may be anywhere on the ground, as long as each stays in one place. Grey: the original. In space the same is asked of \
         a wrist, without feet.",
    );
    let flat = Motion::of(workshop, "slide-2d", &progress.part(0.0, 0.3))?;
    show(workshop, &mut section, &flat, "character-slide", From(0.0, 0.0))?;
    let space = Motion::of(workshop, "slide-3d", &progress.part(0.3, 0.6))?;
    show(workshop, &mut section, &space, "character-slide-3d", From(-30.0, 16.0))?;
    section.text(
        "In the paper this one drag makes the steps longer, too. Here the figure leans and bends its knees, which changes the \
         motion less than longer steps would, wherever the hand is dragged. The steps become longer when the hips are dragged \
         after the hand, a second drag in the same frame:",
    );
    let farther = Motion::solve(with_hips(&flat.shot), &progress.part(0.6, 1.0))?;
    show(workshop, &mut section, &farther, "character-slide-hips", From(0.0, 0.0))?;
    flat.numbers(&mut section, &Published { freedoms: "14", keys: "6", frames: "55", constraints: "1,546" })?;
    let skeleton = &space.method.character().figure.skeleton;
    section.published("in space: freedoms", skeleton.freedoms() as f64, "", "37");
    for (motion, name) in [(&space, "in space"), (&farther, "hips, too")] {
        let missing = motion.report.handles.iter().map(|handle| handle.error).fold(0.0, f64::max);
        section.number(format!("{name}: missing of a goal, at most"), 1e3 * missing, "mm");
        let slide = motion.slide(Side::Output, &motion.shot.edit.handles)?;
        section.number(format!("{name}: plants slide, at most"), 1e3 * slide, "mm");
    }
    let mut rows = Vec::new();
    let all = [(&flat, "in a plane"), (&space, "in space"), (&farther, "in a plane, hips dragged, too")];
    for (motion, name) in all {
        let (before, after) = (steps(motion, Side::Input)?, steps(motion, Side::Output)?);
        for (k, (a, b)) in before.iter().zip(&after).enumerate() {
            section.tabled(format!("{name}: step {} before", k + 1), 100.0 * a, "cm");
            section.tabled(format!("{name}: step {} after", k + 1), 100.0 * b, "cm");
        }
        let words =
            |steps: &[f64]| steps.iter().map(|step| short(100.0 * step)).collect::<Vec<_>>().join(", ");
        rows.push(vec![name.to_owned(), words(&before), words(&after)]);
    }
    section.table(&["", "steps before, cm", "steps after, cm"], rows);
    Ok(section)
}

/// The shot with its hand dragged farther, and its hips after it.
fn with_hips(shot: &Shot) -> Shot {
    let mut shot = shot.clone();
    let (drags, mut handles) = apart(&shot);
    for drag in drags {
        let hips = Handle { site: joint("Hips"), goal: Goal::By(HIPS), ..drag.clone() };
        handles.extend([Handle { goal: Goal::By(HAND), ..drag }, hips]);
    }
    shot.edit.handles = handles;
    shot
}

fn show(
    workshop: &Workshop,
    section: &mut Section,
    motion: &Motion,
    name: &str,
    view: From,
) -> anyhow::Result<()> {
    let last = motion.frames() - 1;
    let frames = motion.spread(0, last, 6);
    let mut picture = strobe(motion, Side::Output, &frames, EDITED);
    let before = strobe(motion, Side::Input, &[last], [GREY; 2]);
    picture.add_ghost(before, 0.55);
    let (drags, _) = apart(&motion.shot);
    for drag in &drags {
        let index = motion.stretch(drag).0;
        let ends = [Side::Input, Side::Output].map(|side| motion.place(side, index, &drag.site));
        let [from, to] = ends;
        arrow(&mut picture, from?, to?);
    }
    let mut stands: Vec<Vec3> = Vec::new();
    for plant in plants(motion) {
        let (first, last) = motion.stretch(plant);
        stands.push(motion.place(Side::Output, (first + last) / 2, &plant.site)?);
    }
    picture.mark_in(stands, HELD);
    let words = "The edited walk; grey: the last frame as it was; dark: where toes stand";
    workshop.show(section, name, &on_floor(picture, view, SIZE)?, words)
}

fn plants(motion: &Motion) -> impl Iterator<Item = &Handle> {
    motion.shot.edit.handles.iter().filter(|handle| matches!(handle.goal, Goal::Stay { .. }))
}

/// How far each plant is ahead of the one before, in the order of time.
fn steps(motion: &Motion, side: Side) -> anyhow::Result<Vec<f64>> {
    let mut places = Vec::new();
    for plant in plants(motion) {
        let (first, last) = motion.stretch(plant);
        places.push((first, motion.place(side, (first + last) / 2, &plant.site)?.x));
    }
    places.sort_by_key(|(first, _)| *first);
    Ok(places.windows(2).map(|pair| pair[1].1 - pair[0].1).collect())
}
