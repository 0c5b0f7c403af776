//! `supple plants`: handles where feet stand.

use crate::session::Session;
use crate::text::Rows;
use std::path::PathBuf;
use supple_model::text::counted;
use supple_project::feet::{PlantAnswer, PlantsAnswer, plants};

/// Options of `supple plants`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  supple plants walk/walk.toml\n\nJSON: shot, plants [joint, offset [m], frame, last_frame, \
                  slide_before [m], slide_after (null)], held_already"
)]
pub struct PlantsArgs {
    /// The shot file of a character
    shot: PathBuf,
}

pub fn run(args: &PlantsArgs, session: &Session) -> anyhow::Result<()> {
    session.answer(&plants(&args.shot, session.progress())?, text)
}

fn text(answer: &PlantsAnswer) -> String {
    let mut rows = Rows::default();
    rows.add("shot", answer.shot.display());
    rows.add("added", counted(answer.plants.len(), "plant", "plants"));
    if answer.held_already > 0 {
        rows.add("there already", counted(answer.held_already, "plant", "plants"));
    }
    answer.plants.iter().for_each(|plant| show(&mut rows, plant));
    rows.to_string()
}

/// One line about a plant.
pub fn show(rows: &mut Rows, plant: &PlantAnswer) {
    let after = plant.slide_after.map_or_else(String::new, |after| format!(" → {:.2} mm", 1e3 * after));
    let frames = format!("frames {} to {}", plant.frame, plant.last_frame);
    let joint = &plant.joint;
    rows.add("plant", format!("{joint}, {frames}, slides {:.1} mm{after}", 1e3 * plant.slide_before));
}
