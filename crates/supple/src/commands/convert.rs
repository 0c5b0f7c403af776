//! `supple convert`: between motion formats.

use super::new::FileArgs;
use crate::session::Session;
use crate::text::{Rows, count, number};
use serde::Serialize;
use std::fmt;
use std::path::PathBuf;
use std::time::Instant;
use supple_project::Conversion;

/// Options of `supple convert`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  supple convert cape.usdc cape.glb\n  supple convert run.pc2 run.usda \
                        --topology rest.obj\n  supple convert party.fbx balloon.####.obj --object \
                        balloon\n\nPoints are not scaled or rotated; --unit and --up set the unit and up \
                        axis that the new file declares.\n\nJSON: input, output, object, vertices, frames, \
                        start, fps, notes, seconds")]
pub struct ConvertArgs {
    /// The motion: USD, glTF, FBX, Alembic, .pc2, .mdd, name.####.obj or .ply
    input: PathBuf,
    /// The file to write: .usda, .glb, .gltf, .pc2, .mdd, name.####.obj or .ply; a single frame also as .obj, .ply or .stl
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

#[derive(Serialize)]
struct Answer {
    input: PathBuf,
    output: PathBuf,
    object: String,
    vertices: usize,
    frames: usize,
    start: f64,
    fps: f64,
    notes: Vec<String>,
    seconds: f64,
}

pub fn run(args: &ConvertArgs, session: &Session) -> anyhow::Result<()> {
    let begin = Instant::now();
    let conversion = Conversion { file: args.file.of(&args.input), start: args.start, fps: args.fps };
    let done = conversion.write(&args.output, session.progress())?;
    session.answer(&Answer {
        input: args.input.clone(),
        output: args.output.clone(),
        object: done.object,
        vertices: done.vertices,
        frames: done.frames,
        start: done.start,
        fps: done.fps,
        notes: done.notes,
        seconds: begin.elapsed().as_secs_f64(),
    })
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rows = Rows::default();
        rows.add("wrote", self.output.display())
            .add("object", format!("{}, {} vertices", self.object, count(self.vertices)))
            .add(
                "frames",
                format!(
                    "{}, first frame {}, {} fps",
                    count(self.frames),
                    number(self.start),
                    number(self.fps)
                ),
            );
        for note in &self.notes {
            rows.add("note", note);
        }
        rows.add("time", format!("{:.1} s", self.seconds));
        rows.fmt(f)
    }
}
