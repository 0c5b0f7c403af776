//! `supple render`: pictures of a shot, a motion or a mesh, still or moving.

mod answer;
mod args;
mod camera;
mod output;
mod stage;
mod still;

pub use args::{RenderArgs, Size};
pub use still::draw;

use super::prepare::load_body;
use crate::session::Session;
use answer::{Answer, Kind, handle_errors};
use anyhow::{Context, bail};
use args::Up;
use camera::Cameras;
use stage::Stage;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use supple_mesh::Vec3;
use supple_model::Frame;
use supple_project::picture::{self, Drawn, Film, VideoFormat};
use supple_project::shot::{Axis, Input};
use supple_project::{Cache, MotionFile, Shot};
use supple_render::UpAxis;

/// Pictures of something that stands still and is walked around, or of a mode that swings once.
const STILL_FRAMES: usize = 72;
const STILL_FPS: f64 = 24.0;

pub fn run(args: &RenderArgs, session: &Session) -> anyhow::Result<()> {
    let start = Instant::now();
    check_folder(&args.output)?;
    let kind = kind(args)?;
    session.progress().report("reading", 0.0)?;
    let is_shot = has_ending(&args.file, &["toml"]);
    let is_motion = supple_formats::is_motion_path(&args.file)
        || has_ending(&args.file, &["usda", "usdc", "usd", "usdz", "gltf", "glb", "fbx", "abc"]);
    let moves = args.wants_motion() || (kind == Kind::Video && !args.camera.turntable);
    let mut answer = match () {
        () if is_motion => motion(args, kind, open_file(args)?, None, session)?,
        () if is_shot && args.mode.is_none() && moves => {
            let (film, shot) = open_shot(args, session)?;
            motion(args, kind, film, Some(&shot), session)?
        }
        () => still::run(args, kind, is_shot, session)?,
    };
    answer.seconds = start.elapsed().as_secs_f64();
    session.answer(&answer)
}

fn has_ending(path: &Path, endings: &[&str]) -> bool {
    path.extension().is_some_and(|ending| endings.iter().any(|known| ending.eq_ignore_ascii_case(known)))
}

fn kind(args: &RenderArgs) -> anyhow::Result<Kind> {
    let output = args.output.display();
    let format = VideoFormat::of(&args.output);
    if let Some(format) = format {
        format.check(&args.output)?;
    }
    match (format, args.time.sheet, args.time.strobe) {
        (Some(_), Some(_), _) => {
            bail!("{output}: a sheet is a still picture; write a .png, or leave out --sheet")
        }
        (Some(_), _, Some(_)) => {
            bail!("{output}: a strobe is a still picture; write a .png, or leave out --strobe")
        }
        (Some(_), ..) if args.time.frame.is_some() && !args.camera.turntable => {
            bail!(
                "{output}: --frame gives a still picture; write a .png, orbit the camera with --turntable, \
                 or use --frames"
            )
        }
        (Some(_), ..) => Ok(Kind::Video),
        (None, ..) if args.camera.turntable => {
            bail!("{output}: a turntable is a video; write a .gif or .mp4")
        }
        (None, Some(_), _) => Ok(Kind::Sheet),
        (None, _, Some(_)) => Ok(Kind::Strobe),
        (None, None, None) => Ok(Kind::Still),
    }
}

/// Long work for a picture that then cannot be written is a nuisance.
pub fn check_folder(output: &Path) -> anyhow::Result<()> {
    match output.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            bail!("cannot write {}: there is no folder {}", output.display(), folder.display())
        }
        _ => Ok(()),
    }
}

/// Pixels of a picture.
fn size(args: &RenderArgs, kind: Kind) -> [u32; 2] {
    let gif = VideoFormat::of(&args.output) == Some(VideoFormat::Gif);
    match (args.size, kind) {
        (Some(Size { width, height }), _) => [width, height],
        (None, Kind::Sheet) => [400, 260],
        (None, Kind::Video) if gif => [640, 360],
        _ => [1280, 720],
    }
}

fn open_file(args: &RenderArgs) -> anyhow::Result<Film> {
    let file = args.file.display();
    if args.mode.is_some() {
        bail!("{file}: a motion has no modes; make a shot with `supple new` and render that");
    }
    if args.wants_body() {
        bail!("{file}: a motion has no body; leave out --tets, or make a shot with `supple new`");
    }
    let up = args.camera.up.map(|up| match up {
        Up::Y => Axis::Y,
        Up::Z => Axis::Z,
    });
    let (topology, object) = (args.motion.topology.clone(), args.motion.object.clone());
    Ok(Film::of_file(&MotionFile { path: args.file.clone(), topology, object, unit: None, up })?)
}

fn open_shot(args: &RenderArgs, session: &Session) -> anyhow::Result<(Film, Shot)> {
    let file = || args.file.display().to_string();
    let shot = Shot::load(&args.file)?;
    let body = Arc::new(load_body(&args.file, &shot)?);
    if args.wants_skin() && body.skin.is_none() {
        bail!("{}: the body has no skin; add one with `skin` in [body]", file());
    }
    if shot.motion.input == Input::Rest && shot.edit.handles.is_empty() && shot.motion.frames.is_none() {
        bail!("{}: the shot has no motion; set `input` in [motion]", file());
    }
    let drawn = if args.wants_body() { Drawn::Body } else { Drawn::Skin };
    let cache = Cache::of_shot(&args.file);
    let progress = session.progress().part(0.05, 0.6);
    let is_edited = shot.edit.handles.iter().any(|handle| handle.muted != Some(true));
    let film = if is_edited && !args.motion.input {
        Film::of_edit(&shot, body, &cache, drawn, &progress)
    } else {
        Film::of_input(&shot, body, &cache, (drawn, args.motion.contacts), &progress)
    };
    let film = film.with_context(file)?;
    session.warn_all(&film.warnings);
    Ok((film, shot))
}

/// The frames to be drawn, counted from 0.
fn frames(args: &RenderArgs, kind: Kind, film: &Film) -> anyhow::Result<Vec<usize>> {
    let named = || args.file.display().to_string();
    if let Some(frame) = args.time.frame {
        return Ok(vec![film.index(Frame(frame)).with_context(named)?]);
    }
    let (first, last) = match args.time.frames {
        Some(range) => {
            (film.index(Frame(range.0)).with_context(named)?, film.index(Frame(range.1)).with_context(named)?)
        }
        None => (0, film.clock.frames.saturating_sub(1)),
    };
    let all: Vec<usize> = (first..=last).step_by(args.time.every.unwrap_or(1) as usize).collect();
    let several = args.time.sheet.or(args.time.strobe);
    Ok(match (kind, several) {
        (Kind::Still, _) => vec![first],
        (Kind::Sheet | Kind::Strobe, Some(several)) => spread(&all, several as usize),
        _ => all,
    })
}

/// So many of them, as evenly as can be, the first and the last included.
fn spread(all: &[usize], several: usize) -> Vec<usize> {
    let several = several.clamp(1, all.len());
    if several == 1 {
        return all[..1].to_vec();
    }
    (0..several).map(|k| all[(k * (all.len() - 1) + (several - 1) / 2) / (several - 1)]).collect()
}

/// Pictures of a motion.
fn motion(
    args: &RenderArgs,
    kind: Kind,
    film: Film,
    shot: Option<&Shot>,
    session: &Session,
) -> anyhow::Result<Answer> {
    let frames = frames(args, kind, &film)?;
    let up = match shot {
        Some(_) => args.camera.up.map_or(UpAxis::Y, Up::axis),
        // What is read from a file was turned already.
        None => UpAxis::Y,
    };
    let progress = session.progress().part(0.6, 1.0);
    let mut stage = Stage::new(args, film, shot, &frames, &progress.part(0.0, 0.2))
        .with_context(|| args.file.display().to_string())?;
    let size = size(args, kind);
    // One frame that is walked around, or all of them one after the other.
    let count = if kind == Kind::Video && frames.len() == 1 { STILL_FRAMES } else { frames.len() };
    let at = |k: usize| frames[k.min(frames.len() - 1)];
    let shown = stage.picture(frames[0])?;
    let mut around: Vec<Vec3> = stage.survey.around.clone();
    if kind == Kind::Still {
        around = shown.framed_points();
    }
    let aspect = f64::from(size[0]) / f64::from(size[1]);
    let cameras = Cameras::new(&args.camera, up, &around, aspect, count);
    let rate = args.time.fps.unwrap_or(stage.film.clock.fps / f64::from(args.time.every.unwrap_or(1)));
    let fps = if frames.len() == 1 { args.time.fps.unwrap_or(STILL_FPS) } else { rate };
    let (triangles, progress) = (shown.triangles(), progress.part(0.2, 1.0));
    let scene = (&cameras, up, size);
    let [width, height] = match kind {
        Kind::Still => {
            picture::save_png(&output::draw(&shown, cameras.at(0), up, size)?, &args.output)?;
            size
        }
        Kind::Strobe => {
            let picture = stage.strobe(&frames)?;
            picture::save_png(&output::draw(&picture, cameras.at(0), up, size)?, &args.output)?;
            size
        }
        Kind::Sheet => {
            let names: Vec<String> =
                frames.iter().map(|index| format!("frame {}", stage.film.clock.number(*index))).collect();
            let tile = |k: usize| {
                let mut picture = stage.picture(at(k))?;
                picture.caption.clear();
                Ok(picture)
            };
            let image = output::sheet(&names, tile, scene, &progress)?;
            picture::save_png(&image, &args.output)?;
            [image.width, image.height]
        }
        Kind::Video => {
            let format = VideoFormat::of(&args.output).context("no moving picture")?;
            output::video((&args.output, format, fps), count, |k| stage.picture(at(k)), scene, &progress)?;
            size
        }
    };
    Ok(Answer {
        file: args.file.clone(),
        output: args.output.clone(),
        kind,
        width,
        height,
        triangles,
        mode: None,
        frequency: None,
        edited: stage.film.method().is_some(),
        frames: frames.iter().map(|index| stage.film.clock.number(*index)).collect(),
        fps: (kind == Kind::Video).then_some(fps),
        handles: handle_errors(&stage.film),
        seconds: 0.0,
    })
}
