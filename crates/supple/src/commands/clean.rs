//! `supple clean`: foot skate out of a capture.

use super::new::UpAxis;
use super::plants::show;
use crate::session::Session;
use crate::text::Rows;
use std::path::PathBuf;
use supple_model::text::count;
use supple_project::feet::{CleanAnswer, CleanOptions, clean};
use supple_project::parse_unit;

/// Options of `supple clean`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  supple clean walk.bvh -o clean.bvh\n  supple clean mocap.bvh --unit in --up z -o clean.bvh\n\nJSON: input, output, unit [m], frames, plants [joint, \
                  offset [m], frame, last_frame, slide_before [m], slide_after [m]], status, largest_move [m], \
                  largest_turn [degrees], notes"
)]
pub struct CleanArgs {
    /// The capture, a .bvh
    input: PathBuf,
    /// Where to write the cleaned motion, a .bvh
    #[arg(short, long)]
    output: PathBuf,
    /// Unit of the file: mm, cm, dm, m, km, in, ft or a length in metres [default: the one that makes the figure most nearly
    /// 1.7 m tall]
    #[arg(long, value_parser = parse_unit)]
    unit: Option<f64>,
    /// Axis of the file that points up [default: y, or z if the figure stands along it]
    #[arg(long, value_name = "AXIS")]
    up: Option<UpAxis>,
}

pub fn run(args: &CleanArgs, session: &Session) -> anyhow::Result<()> {
    let options = CleanOptions { unit: args.unit, up: args.up.map(UpAxis::axis) };
    session.answer(&clean(&args.input, &args.output, &options, session.progress())?, text)
}

fn text(answer: &CleanAnswer) -> String {
    let mut rows = Rows::default();
    rows.add("written", answer.output.display());
    rows.add("frames", count(answer.frames));
    answer.plants.iter().for_each(|plant| show(&mut rows, plant));
    rows.add("status", answer.status);
    let most = format!("{:.1} mm and {:.1}° at most", 1e3 * answer.largest_move, answer.largest_turn);
    rows.add("changed by", most);
    answer.notes.iter().for_each(|note| {
        rows.add("note", note);
    });
    rows.to_string()
}
