//! Plain `supple`: a gull's wing is pulled, and its flight follows; for a first look.

use super::solve;
use crate::session::Session;
use crate::text::message;
use anyhow::{Context, anyhow, bail};
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use supple_model::{Frame, Progress};
use supple_project::method::{self, Method, Side};
use supple_project::picture::{self, Drawn, Picture};
use supple_project::samples::{self, SampleOptions};
use supple_project::solution::{SolveAnswer, SolveSeconds};
use supple_project::{Body, Cache, Shot, WriteOptions, solve_into};
use supple_render::{Colour, Image, RenderError, Sheet, UpAxis, View};

const FOLDER: &str = "supple-demo";
const SAMPLE: &str = "bird";
/// The edited motion, for any program that reads glTF.
const MOTION: &str = "bird-edited.glb";
const SIZE: [u32; 2] = [1280, 720];
/// Frames beside that of the handle that are drawn, and how large.
const AROUND: [i32; 6] = [-18, -9, -3, 3, 9, 18];
const SMALL: [u32; 2] = [480, 300];
/// The input is drawn in this colour and seen through, the edited motion in the other.
const INPUT: Colour = Colour::rgb(0xE6, 0xB4, 0x22);
const EDITED: Colour = Colour::rgb(0xC8, 0x40, 0x2F);

#[derive(Serialize)]
struct DemoAnswer {
    folder: PathBuf,
    shot: PathBuf,
    pictures: [PathBuf; 2],
    motion: PathBuf,
    report: PathBuf,
    solved: SolveAnswer,
}

pub fn run(session: &Session) -> anyhow::Result<()> {
    let begin = Instant::now();
    let folder = PathBuf::from(FOLDER);
    let progress = session.progress();
    progress.report("making the gull", 0.0)?;
    let shot_file = anew(sample(&folder, progress))?;
    let shot = anew(Shot::load(&shot_file).map_err(Into::into))?;
    let body = Body::load(&shot).with_context(|| shot_file.display().to_string());
    let body = Arc::new(anew(body)?);
    let cache = Cache::of_shot(&shot_file);
    let opened = method::open(&shot, body, &cache, &progress.part(0.1, 0.6));
    let mut method = anew(opened.map_err(Into::into))?;
    method.about().warnings.iter().for_each(|warning| progress.warn(warning));
    let prepare = begin.elapsed().as_secs_f64();

    let motion = folder.join(MOTION);
    let how = WriteOptions::default();
    let solved = solve_into(&motion, &shot, method.as_mut(), &how, &progress.part(0.6, 0.8))?;
    let solve = begin.elapsed().as_secs_f64() - prepare;

    progress.report("drawing", 0.8)?;
    let pictures = [folder.join("bird-edit.png"), folder.join("bird-frames.png")];
    let Some(frame) = handle_frame(&shot, method.as_ref()) else {
        bail!("{} has no handle", shot_file.display())
    };
    let mut picture = before_and_after(method.as_ref(), frame);
    picture.caption = format!("{}\ninput yellow, edited red", numbered(method.as_ref(), frame));
    picture::save_png(&draw(&picture, SIZE)?, &pictures[0])?;
    picture::save_png(&frames(method.as_ref(), frame)?, &pictures[1])?;

    let seconds = SolveSeconds { prepare, solve, total: begin.elapsed().as_secs_f64() };
    let solved = SolveAnswer::of([&shot_file, &motion], &method.about(), &solved, seconds);
    let report = folder.join("report.md");
    fs::write(&report, report_text(&solved)).with_context(|| format!("cannot write {}", report.display()))?;
    session.answer(&DemoAnswer { folder, shot: shot_file, pictures, motion, report, solved }, text)
}

/// The frame of the first handle, counted from 0.
fn handle_frame(shot: &Shot, method: &dyn Method) -> Option<usize> {
    let handle = shot.edit.handles.first()?;
    method.about().clock.index(Frame(*handle.when.range().start()))
}

/// A frame as it is, with the input behind it.
fn before_and_after(method: &dyn Method, frame: usize) -> Picture {
    let mut input = Picture::of_edit(method, Side::Input, frame, Drawn::Skin);
    input.colour = INPUT;
    let mut picture = Picture::of_edit(method, Side::Output, frame, Drawn::Skin);
    picture.colour = EDITED;
    picture.add_ghost(input, 0.45);
    picture
}

fn numbered(method: &dyn Method, frame: usize) -> String {
    format!("frame {}", method.about().clock.number(frame))
}

/// Draws a picture as large as fits.
fn draw(picture: &Picture, [width, height]: [u32; 2]) -> Result<Image, RenderError> {
    let scene = picture.scene(View::ThreeQuarter, UpAxis::Y, f64::from(width) / f64::from(height));
    scene.render(width, height)
}

/// Frames before and after that of the handle.
fn frames(method: &dyn Method, frame: usize) -> anyhow::Result<Image> {
    let mut sheet = Sheet { columns: Some(3), ..Sheet::default() };
    for offset in AROUND {
        let Some(index) =
            frame.checked_add_signed(offset as isize).filter(|i| *i < method.about().clock.frames)
        else {
            continue;
        };
        sheet.push(draw(&before_and_after(method, index), SMALL)?, numbered(method, index));
    }
    Ok(sheet.image()?)
}

/// The sample's shot file, written unless it is there already.
fn sample(folder: &Path, progress: &Progress) -> anyhow::Result<PathBuf> {
    let shot = folder.join(format!("{SAMPLE}.toml"));
    if shot.exists() {
        return Ok(shot);
    }
    let options = SampleOptions { folder: Some(folder.to_path_buf()), full: false };
    Ok(samples::write(SAMPLE, &options, progress)?.shot)
}

/// Says the way out of a folder that holds something else than the sample.
fn anew<T>(result: anyhow::Result<T>) -> anyhow::Result<T> {
    result.map_err(|error| anyhow!("{}; remove the folder {FOLDER} to start over", message(&error)))
}

fn report_text(solved: &SolveAnswer) -> String {
    let solved = solve::text(solved);
    format!(
        "# A gull with an edited wing, by Supple\n\n![Before and \
         after](bird-edit.png)\n\n```text\n{solved}```\n\n![Frames around it](bird-frames.png)\n\nOne wing \
         tip was moved up at one frame; the frames before and after follow.\n"
    )
}

fn text(answer: &DemoAnswer) -> String {
    let (shot, solved) = (answer.shot.display(), solve::text(&answer.solved));
    let made = answer.pictures.iter().chain([&answer.motion, &answer.report]);
    let files: String = made.map(|file| format!("  {}\n", file.display())).collect();
    format!(
        "{solved}\nWrote {FOLDER}/: the shot {SAMPLE}.toml with its mesh, skin and motion, and\n{files}\nNext:\n  \
         change the handle in {shot}, then: supple solve {shot} -o edited.glb\n  supple samples\n  supple \
         gallery -o gallery"
    )
}
