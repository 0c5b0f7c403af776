//! `supple convert`: between motion formats.

use super::new::FileArgs;
use crate::session::Session;
use crate::text::Rows;
use std::path::PathBuf;
use supple_model::text::{count, number};
use supple_project::Conversion;
use supple_project::import::{ConvertAnswer, convert};

/// Options of `supple convert`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  supple convert cape.usdc cape.glb\n  supple convert run.pc2 run.usda \
                        --topology rest.obj\n  supple convert party.fbx balloon.####.obj --object \
                        balloon\n  supple convert walk.bvh bones.glb\n\nPoints are not scaled or rotated; --unit and --up set the unit and up \
                        axis that the new file declares.\n\nJSON: input, output, object, vertices, frames, \
                        start, fps, notes, seconds; from .bvh to .bvh also joints")]
pub struct ConvertArgs {
    /// The motion: USD, glTF, FBX, Alembic, .pc2, .mdd, name.####.obj or .ply, .bvh
    input: PathBuf,
    /// The file to write: .usda, .glb, .gltf, .pc2, .mdd, name.####.obj or .ply; a single frame also as .obj, .ply or .stl; a .bvh also as .bvh
    output: PathBuf,
    #[command(flatten)]
    file: FileArgs,
    /// Number of the first frame [default: from the file]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    start: Option<i32>,
    /// Frames per second [default: from the file]
    #[arg(long, value_name = "FPS")]
    fps: Option<f64>,
}

pub fn run(args: &ConvertArgs, session: &Session) -> anyhow::Result<()> {
    let conversion = Conversion { file: args.file.of(&args.input), start: args.start, fps: args.fps };
    session.answer(&convert(&conversion, &args.output, session.progress())?, text)
}

fn text(answer: &ConvertAnswer) -> String {
    let what = match answer.joints {
        Some(joints) => format!("{} joints", count(joints)),
        None => format!("{} vertices", count(answer.vertices)),
    };
    let mut rows = Rows::default();
    rows.add("wrote", answer.output.display()).add("object", format!("{}, {what}", answer.object)).add(
        "frames",
        format!("{}, first frame {}, {} fps", count(answer.frames), number(answer.start), number(answer.fps)),
    );
    for note in &answer.notes {
        rows.add("note", note);
    }
    rows.add("time", format!("{:.1} s", answer.seconds));
    rows.to_string()
}
