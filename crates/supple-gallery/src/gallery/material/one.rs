//! One handle on a flower that the wind bends, under the material as it is: on the warped motion, and linear.

use super::found::{input, missed, with};
use crate::gallery::page::{Section, short};
use crate::gallery::sparse::motion::Motion;
use crate::gallery::sparse::row::{ROW, row};
use crate::gallery::workshop::{From, Workshop};
use supple_mesh::Vec3;
use supple_model::Progress;
use supple_project::Shot;
use supple_project::shot::{Axes, Ends, Feel, Goal, Handle, Method, Optimise, Site, When};

const VIEW: From = From(20.0, 14.0);
/// The frame of the handle, as the scene counts, and how far it goes.
const FRAME: i32 = 60;
const BY: [f64; 3] = [0.35, 0.0, 0.2];

/// Figure 6.
pub fn figure(workshop: &Workshop, progress: &Progress) -> anyhow::Result<Section> {
    let mut section = Section::default();
    section.text(
        "A flower that the wind bends, and one handle that takes its disc far aside. An edit that is linear \
         around the input swells the flower; on the warped motion its shape stays.",
    );
    let mut shot = workshop.shot("flower")?;
    shot.edit.ends = Ends::default();
    shot.edit.modes = 80;
    // How high the flower is when it bends that far is its own affair.
    let axes = Some(Axes([true, false, true]));
    shot.edit.handles =
        vec![Handle { axes, ..Handle::new(When::Frame(FRAME), Site::Group("disc".into()), Goal::By(BY)) }];
    let linear = Motion::solve(workshop, "flower", &linear(&shot), &progress.part(0.0, 0.5))?;
    shot.edit.choose(Method::Material);
    let ours = with(&shot, Optimise::None)?;
    let ours = Motion::solve(workshop, "flower", &ours, &progress.part(0.5, 1.0))?;
    let index = (FRAME - ours.method.about().clock.start.0) as usize;
    let before = input(&ours, &[index]);
    let shapes: [&Vec<Vec3>; 3] = [&before[0], &linear.frames[index], &ours.frames[index]];
    let words = "The frame of the handle: input, linear edit, edit that holds on the warped motion";
    workshop.show(&mut section, "material-one", &row(&ours, &shapes, VIEW, ROW)?, words)?;
    let mut rows = Vec::new();
    for (motion, name) in [(&linear, "linear"), (&ours, "on the warped motion")] {
        let (off, swollen) = (100.0 * missed(motion), 100.0 * motion.swollen(index));
        section.tabled(format!("{name}: the handle is off by"), off, "% of the size");
        section.tabled(format!("{name}: change of volume"), swollen, "%");
        rows.push(vec![name.to_owned(), format!("{} %", short(off)), format!("{} %", short(swollen))]);
    }
    section.table(&["", "the handle is off by, of the size", "change of volume"], rows);
    Ok(section)
}

fn linear(shot: &Shot) -> Shot {
    let mut linear = shot.clone();
    linear.edit.choose(Method::Drag);
    (linear.edit.feel, linear.edit.warp) = (Feel::Lively, false);
    linear
}
