//! A dinosaur on a board, by poses and handles together.

use super::found::{both, input, numbers};
use crate::gallery::page::Section;
use crate::gallery::sparse::row::{ROW, row};
use crate::gallery::workshop::{From, Workshop, sheet};
use supple_mesh::Vec3;
use supple_model::Progress;

const VIEW: From = From(35.0, 12.0);
/// Frames that are shown, counted from 0.
const FRAMES: [usize; 7] = [0, 74, 124, 224, 324, 424, 524];

/// Figure 14.
pub fn figure(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let motions = both(workshop, "skateboard", progress)?;
    let mut section = Section::default();
    section.text(
        "A sauropod that stands on a board which rides over waves. Twelve poses and a hundred handles, none of them hard, make \
         it crouch in the valleys, lean and look about.",
    );
    let found = &motions[1];
    let before = input(found, &FRAMES);
    let tiles = vec![
        (row(found, &before.iter().collect::<Vec<&Vec<Vec3>>>(), VIEW, ROW)?, "input".to_owned()),
        (
            row(found, &FRAMES.iter().map(|frame| &found.frames[*frame]).collect::<Vec<_>>(), VIEW, ROW)?,
            "edited".to_owned(),
        ),
    ];
    workshop.show(&mut section, "material-ride", &sheet(1, tiles)?, format!("Frames {FRAMES:?}"))?;
    numbers(&mut section, &motions);
    Ok(section)
}
