//! Plain `supple`: a bridge from nothing to pictures, for a first look.

use super::prepare::{Prepared, load_body, modes};
use super::render::{caption, draw};
use super::sample::write;
use crate::session::Session;
use crate::text::message;
use anyhow::{Context, anyhow};
use serde::Serialize;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;
use supple_project::picture::{self, Colouring, Drawn, Picture};
use supple_project::{Sample, Shot};
use supple_render::{UpAxis, View};

const FOLDER: &str = "supple-demo";
const SAMPLE: &str = "bridge";
/// The mode that is drawn, counted from 1: one half of the deck swings up while the other swings down.
const MODE: u32 = 6;
/// How far, as a share of the bridge's length.
const AMPLITUDE: f64 = 0.08;
const SIZE: [u32; 2] = [1280, 720];

#[derive(Serialize)]
struct Answer {
    folder: PathBuf,
    shot: PathBuf,
    pictures: [PathBuf; 2],
    report: PathBuf,
    prepared: Prepared,
}

pub fn run(session: &Session) -> anyhow::Result<()> {
    let start = Instant::now();
    let folder = PathBuf::from(FOLDER);
    session.progress().report("making the bridge", 0.0)?;
    let shot_file = anew(sample(&folder))?;
    let shot = anew(Shot::load(&shot_file).map_err(Into::into))?;
    let body = anew(load_body(&shot_file, &shot))?;
    let count = shot.edit.modes.max(MODE as usize);
    let prepared = modes(&shot_file, &body, count, &session.progress().part(0.1, 0.9))?;
    session.warn_all(&prepared.warnings);

    session.progress().report("drawing", 0.9)?;
    let pictures = [folder.join("bridge.png"), folder.join("bridge-mode.png")];
    let mut rest = Picture::of_body(&body, Drawn::Skin);
    rest.caption = caption(&shot_file, None, None);
    draw(&rest, View::ThreeQuarter, UpAxis::Y, SIZE, &pictures[0])?;
    let k = MODE as usize - 1;
    let u = picture::scaled(&body, prepared.modes.displacement(k), AMPLITUDE);
    let mut swinging = Picture::of_displaced(&body, Drawn::Skin, &u, Colouring::Displacement);
    swinging.caption = caption(&shot_file, Some(MODE), Some(prepared.modes.frequency(k)));
    draw(&swinging, View::ThreeQuarter, UpAxis::Y, SIZE, &pictures[1])?;

    let prepared = Prepared::of(&shot_file, &body, &prepared, start.elapsed().as_secs_f64());
    let report = folder.join("report.md");
    fs::write(&report, report_text(&prepared))
        .with_context(|| format!("cannot write {}", report.display()))?;
    session.answer(&Answer { folder, shot: shot_file, pictures, report, prepared })
}

/// The sample's shot file, written unless it is there already.
fn sample(folder: &Path) -> anyhow::Result<PathBuf> {
    let sample = Sample::named(SAMPLE)?;
    let shot = folder.join(format!("{}.toml", sample.name));
    if shot.exists() { Ok(shot) } else { write(sample, folder) }
}

/// Says the way out of a folder that holds something else than the sample.
fn anew<T>(result: anyhow::Result<T>) -> anyhow::Result<T> {
    result.map_err(|error| anyhow!("{}; remove the folder {FOLDER} to begin anew", message(&error)))
}

fn report_text(prepared: &Prepared) -> String {
    format!(
        "# A bridge, made, prepared and drawn by Supple\n\n![The bridge at rest](bridge.png)\n\n```text\n{prepared}```\n\n\
         ![Mode {MODE}](bridge-mode.png)\n\nMode {MODE}, its largest displacement scaled to {AMPLITUDE} of the bridge's length.\n"
    )
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shot = self.shot.display();
        writeln!(f, "{}", self.prepared)?;
        writeln!(f, "In {FOLDER}/ now: the shot {SAMPLE}.toml with its mesh and skin, and")?;
        for file in self.pictures.iter().chain([&self.report]) {
            writeln!(f, "  {}", file.display())?;
        }
        writeln!(
            f,
            "\nNext:\n  supple render {shot} --mode 1 --colour strain -o strain.png\n  supple info {shot}\n  \
             supple samples"
        )
    }
}
