//! A T. rex that squats, jumps and snaps at a plane.

use super::found::{both, forces, input, numbers};
use crate::gallery::page::Section;
use crate::gallery::sparse::row::{ROW, row};
use crate::gallery::workshop::{From, Workshop, sheet};
use supple_mesh::Vec3;
use supple_model::Progress;

const VIEW: From = From(55.0, 12.0);
/// Frames that are shown, counted from 0: standing, squatting, springing up, snapping on both sides.
const FRAMES: [usize; 7] = [0, 41, 59, 71, 103, 115, 131];

/// Figure 1.
pub fn figure(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let motions = both(workshop, "t-rex-jump", progress)?;
    let mut section = Section::default();
    section.text(
        "A T. rex that lifts its feet in a simulation. Twenty-seven handles on head, hips and tail make it squat, spring up \
         and snap at a plane that flies round it, twice.",
    );
    let found = &motions[1];
    let before = input(found, &FRAMES);
    let rows = [
        (before.iter().collect::<Vec<&Vec<Vec3>>>(), "input"),
        (FRAMES.iter().map(|frame| &found.frames[*frame]).collect(), "edited"),
    ];
    let tiles = rows.into_iter().map(|(shapes, name)| Ok((row(found, &shapes, VIEW, ROW)?, name.to_owned())));
    let image = sheet(1, tiles.collect::<anyhow::Result<_>>()?)?;
    workshop.show(&mut section, "material-jump", &image, format!("Frames {FRAMES:?} before and after"))?;
    workshop.plot(
        &mut section,
        "material-jump-force",
        &forces(&motions),
        "What has to push, without and with",
    )?;
    numbers(&mut section, &motions);
    Ok(section)
}
