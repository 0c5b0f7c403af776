//! The same drag of a plant beside plain displacement of the motion: one frame is adjusted, nothing else is asked.

use super::figure::{EDITED, alike, arrow, strobe};
use super::motion::{Motion, apart, pull};
use crate::gallery::page::{Section, short};
use crate::gallery::workshop::{From, Workshop, sheet};
use anyhow::Context;
use supple_model::Progress;
use supple_project::method::Side;
use supple_project::shot::{Goal, Handle, When};

const VIEW: From = From(0.0, 0.0);
const TILE: [u32; 2] = [492, 400];

/// Figure 4.
pub fn figure(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let shot = workshop.whole_shot("walk-2d")?;
    let plants = shot.edit.handles.clone();
    let edited = Motion::solve(shot.clone(), &progress.part(0.0, 0.5))?;
    let (drags, _) = apart(&shot);
    let drag = drags.first().context("the walk has no drag")?;
    let by = pull(drag).context("the walk has no drag")?;
    let stretch = edited.stretch(drag);
    let middle = (stretch.0 + stretch.1) / 2;
    let mut plain = shot;
    let when = When::Frame(edited.method.character().clock.number(middle));
    plain.edit.handles = vec![Handle::new(when, drag.site.clone(), Goal::By(by.into()))];
    let displaced = Motion::solve(plain, &progress.part(0.5, 1.0))?;

    let mut section = Section::default();
    section.text(
        "Frames around the edited step. On the left all plants are asked for: the foot comes down at its new place and \
         stands there. On the right the same curves with the same keys meet the drag in one frame alone, as the mapping of \
         displacements does: the foot gets there, smoothly, but floats through the place instead of standing in it.",
    );
    let around = edited.spread(stretch.0.saturating_sub(4), stretch.1 + 4, 5);
    let mut pictures = Vec::new();
    for motion in [&edited, &displaced] {
        let mut picture = strobe(motion, Side::Output, &around, EDITED);
        arrow(
            &mut picture,
            motion.place(Side::Input, middle, &drag.site)?,
            motion.place(Side::Output, middle, &drag.site)?,
        );
        pictures.push(picture);
    }
    let names = ["under constraints", "displaced"];
    let titles = names.map(str::to_owned);
    let tiles = alike(pictures, VIEW, TILE)?.into_iter().zip(titles).collect();
    workshop.show(&mut section, "character-displacement", &sheet(2, tiles)?, "The edited step, both ways")?;
    let mut rows = Vec::new();
    for (motion, name) in [&edited, &displaced].into_iter().zip(names) {
        let own = 1e3 * motion.slide(Side::Output, std::slice::from_ref(drag))?;
        let all = 1e3 * motion.slide(Side::Output, &plants)?;
        let at = motion.place(Side::Output, middle, &drag.site)?;
        let missing = 1e3 * (motion.place(Side::Input, middle, &drag.site)? + by - at).norm();
        section.tabled(format!("{name}: the dragged plant slides"), own, "mm");
        section.tabled(format!("{name}: plants slide, at most"), all, "mm");
        section.tabled(format!("{name}: missing of the drag in its middle frame"), missing, "mm");
        rows.push(vec![name.to_owned(), short(own), short(all), short(missing)]);
    }
    let head =
        ["", "the dragged plant slides, mm", "all plants slide, at most, mm", "missing of the drag, mm"];
    section.table(&head, rows);
    Ok(section)
}
