//! `render`: pictures of a shot file, a motion file or a mesh, still or moving, in one call.

mod answer;
mod camera;
mod composition;
mod error;
mod keys;
mod options;
mod output;
mod still;

pub use answer::{HandleError, PictureKind, RenderAnswer};
pub use error::{Refusal, RenderFailed};
pub use options::{
    CameraOptions, FloorOptions, GivenCamera, MotionOptions, RenderOptions, Streamed, TimeOptions,
};

use super::{Drawn, Film, PictureError, VideoFormat, save_png};
use crate::body::Body;
use crate::cache::Cache;
use crate::character::up_of;
use crate::open::{InShot, NameShot, OpenError, open};
use crate::picture::FilmError;
use crate::shot::{Axis, Body as ShotBody, Ends, Input, Method, Motion, Shot};
use crate::source::MotionFile;
use answer::handle_errors;
use camera::{Cameras, View};
use composition::Composition;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use supple_model::{Frame, Progress};
use supple_render::UpAxis;

/// Pictures of something that stands still and is walked around, or of a mode that swings once.
const STILL_FRAMES: usize = 72;
const STILL_FPS: f64 = 24.0;

/// A picture on its way: what is read, what is written, and how.
struct Task<'a> {
    file: &'a Path,
    output: &'a Path,
    options: &'a RenderOptions,
    kind: PictureKind,
    /// The format of a moving one.
    video: Option<VideoFormat>,
}

/// Draws the shot, the motion or the mesh in the file `file`, and writes the picture `output`: a `.png`, or a `.gif` or
/// `.mp4` that moves. A shot with handles is drawn edited. What is wrong with the cache is told to `progress`.
///
/// # Errors
/// See [`RenderFailed`].
pub fn render(
    file: &Path,
    output: &Path,
    options: &RenderOptions,
    progress: &Progress,
) -> Result<RenderAnswer, RenderFailed> {
    let start = Instant::now();
    check_folder(output)?;
    let video = VideoFormat::of(output);
    let task = Task { file, output, options, kind: kind(output, video, options)?, video };
    progress.report("reading", 0.0)?;
    let is_shot = has_ending(file, &["toml"]);
    let is_rig = supple_formats::is_rig_path(file);
    let is_motion = supple_formats::is_motion_path(file)
        || has_ending(file, &["usda", "usdc", "usd", "usdz", "gltf", "glb", "fbx", "abc"]);
    let moves = options.wants_motion() || (video.is_some() && !options.camera.turntable);
    let mut answer = match () {
        () if options.motion.keys && is_shot => keys::draw(&task, progress)?,
        () if options.motion.keys => return Err(Refusal::NoKeys.of(file)),
        () if options.motion.spline && options.mode.is_some() => return Err(Refusal::NoSpline.of(file)),
        () if is_rig && moves => task.motion(task.open_rig(progress)?, None, progress)?,
        () if is_motion => task.motion(task.open_file()?, None, progress)?,
        () if is_shot && options.mode.is_none() && moves => {
            let (film, shot) = task.open_shot(progress)?;
            task.motion(film, Some(&shot), progress)?
        }
        () => still::draw(&task, is_shot, progress)?,
    };
    answer.seconds = start.elapsed().as_secs_f64();
    Ok(answer)
}

/// A shot of nothing but the file of a skeleton.
pub(super) fn shot_of_rig(file: &Path, up: Option<UpAxis>) -> Result<Shot, RenderFailed> {
    let folder = std::env::current_dir().unwrap_or_default();
    let mut shot = Shot::new(&folder, ShotBody::character(file)).map_err(OpenError::from)?;
    // What is wrong with the file is said when it is opened.
    let up = up.map_or_else(|| up_of(file).unwrap_or(Axis::Y), axis_of);
    shot.motion = Motion { input: Input::File(file.to_path_buf()), up: Some(up), ..Motion::default() };
    Ok(shot)
}

fn axis_of(up: UpAxis) -> Axis {
    match up {
        UpAxis::Y => Axis::Y,
        UpAxis::Z => Axis::Z,
    }
}

fn has_ending(path: &Path, endings: &[&str]) -> bool {
    path.extension().is_some_and(|ending| endings.iter().any(|known| ending.eq_ignore_ascii_case(known)))
}

fn kind(
    output: &Path,
    video: Option<VideoFormat>,
    options: &RenderOptions,
) -> Result<PictureKind, RenderFailed> {
    if let Some(format) = video {
        format.check(output)?;
    }
    let (time, turntable) = (&options.time, options.camera.turntable);
    match (video, time.sheet, time.strobe) {
        (Some(_), ..) if options.motion.keys => Err(Refusal::KeysMove.of(output)),
        (None, ..) if options.motion.keys => Ok(PictureKind::Sheet),
        (Some(_), Some(_), _) => Err(Refusal::SheetMoves.of(output)),
        (Some(_), _, Some(_)) => Err(Refusal::StrobeMoves.of(output)),
        (Some(_), ..) if time.frame.is_some() && !turntable => Err(Refusal::FrameMoves.of(output)),
        (Some(_), ..) => Ok(PictureKind::Video),
        (None, ..) if turntable => Err(Refusal::TurntableStands.of(output)),
        (None, Some(_), _) => Ok(PictureKind::Sheet),
        (None, _, Some(_)) => Ok(PictureKind::Strobe),
        (None, None, None) => Ok(PictureKind::Still),
    }
}

/// Long work for a picture that then cannot be written is a nuisance.
pub(super) fn check_folder(output: &Path) -> Result<(), PictureError> {
    match output.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            Err(PictureError::NoFolder { file: output.to_path_buf(), folder: folder.to_path_buf() })
        }
        _ => Ok(()),
    }
}

/// What of a shot's motion is wanted.
#[derive(Clone, Copy)]
pub(super) struct FilmOptions {
    pub drawn: Drawn,
    pub contacts: bool,
    /// Whether it is edited, where the shot has handles.
    pub edited: bool,
}

/// The motion of a shot; its warnings go to `progress`.
pub(super) fn film_of_shot(
    path: &Path,
    shot: &Shot,
    body: Body,
    FilmOptions { drawn, contacts, edited }: FilmOptions,
    progress: &Progress,
) -> Result<Film, InShot<FilmError>> {
    let (body, cache) = (Arc::new(body), Cache::of_shot(path));
    let film = if edited && is_edited(shot) {
        Film::of_edit(shot, body, &cache, drawn, progress)
    } else {
        Film::of_input(shot, body, &cache, (drawn, contacts), progress)
    };
    let film = film.in_shot(path)?;
    film.warnings.iter().for_each(|warning| progress.warn(warning));
    Ok(film)
}

/// The motion of a character, edited or not; its warnings go to `progress`.
pub(super) fn film_of_character(
    path: &Path,
    shot: &Shot,
    edited: bool,
    progress: &Progress,
) -> Result<Film, InShot<FilmError>> {
    let edited = edited && (is_edited(shot) || shot.edit.ends == Ends::Loop);
    let film = Film::of_character(shot, &Cache::of_shot(path), edited, progress).in_shot(path)?;
    film.warnings.iter().for_each(|warning| progress.warn(warning));
    Ok(film)
}

/// Whether a shot asks for anything: by handles that are heard, poses, or segments.
pub(super) fn is_edited(shot: &Shot) -> bool {
    let edit = &shot.edit;
    edit.handles.iter().any(|handle| handle.muted != Some(true))
        || !edit.poses.is_empty()
        || !edit.segments.is_empty()
}

/// So many of them, as evenly as can be, the first and the last included.
fn spread(all: &[usize], several: usize) -> Vec<usize> {
    let several = several.clamp(1, all.len());
    if several == 1 {
        return all[..1].to_vec();
    }
    (0..several).map(|k| all[(k * (all.len() - 1) + (several - 1) / 2) / (several - 1)]).collect()
}

impl Task<'_> {
    /// Pixels of a picture.
    fn size(&self) -> [u32; 2] {
        match (self.options.size, self.kind, self.video) {
            (Some(size), ..) => size,
            (None, PictureKind::Sheet, _) => [400, 260],
            (None, _, Some(VideoFormat::Gif)) => [640, 360],
            _ => [1280, 720],
        }
    }

    fn open_file(&self) -> Result<Film, RenderFailed> {
        if self.options.mode.is_some() {
            return Err(Refusal::MotionMode.of(self.file));
        }
        if self.options.wants_body() {
            return Err(Refusal::MotionBody.of(self.file));
        }
        if self.options.wants_bones() {
            return Err(Refusal::NoBones.of(self.file));
        }
        let up = self.options.camera.up.map(axis_of);
        let (topology, object) = (self.options.motion.topology.clone(), self.options.motion.object.clone());
        Ok(Film::of_file(&MotionFile { path: self.file.to_path_buf(), topology, object, unit: None, up })?)
    }

    /// The motion in the file of a skeleton.
    fn open_rig(&self, progress: &Progress) -> Result<Film, RenderFailed> {
        if self.options.mode.is_some() {
            return Err(Refusal::MotionMode.of(self.file));
        }
        if self.options.wants_body() {
            return Err(Refusal::MotionBody.of(self.file));
        }
        if self.options.wants_skin() {
            return Err(Refusal::NoSkin.of(self.file));
        }
        let shot = shot_of_rig(self.file, self.options.camera.up)?;
        Ok(film_of_character(self.file, &shot, false, &progress.part(0.05, 0.6))?)
    }

    fn open_shot(&self, progress: &Progress) -> Result<(Film, Shot), RenderFailed> {
        let shot = Shot::load(self.file).map_err(OpenError::from)?;
        if shot.edit.method == Method::Character && !self.options.wants_skin() && !self.options.motion.keys {
            let film = film_of_character(self.file, &shot, !self.options.motion.input, progress)?;
            return Ok((film, shot));
        }
        let (shot, body) = open(self.file, progress)?;
        if self.options.wants_bones() {
            return Err(Refusal::NoBones.of(self.file));
        }
        if self.options.wants_skin() && body.skin.is_none() {
            return Err(Refusal::NoSkin.of(self.file));
        }
        if self.options.motion.keys && !shot.edit.method.knows_times() {
            return Err(Refusal::NoKeys.of(self.file));
        }
        let has_handles = !shot.edit.handles.is_empty();
        if shot.motion.input == Input::Rest
            && !has_handles
            && !is_edited(&shot)
            && shot.motion.frames.is_none()
        {
            return Err(Refusal::NoMotion.of(self.file));
        }
        let motion = &self.options.motion;
        let drawn = self.options.drawn.unwrap_or(Drawn::Skin);
        let wanted = FilmOptions { drawn, contacts: motion.contacts, edited: !motion.input };
        let film = film_of_shot(self.file, &shot, body, wanted, &progress.part(0.05, 0.6))?;
        Ok((film, shot))
    }

    /// The frames to be drawn, counted from 0.
    fn frames(&self, film: &Film) -> Result<Vec<usize>, InShot<FilmError>> {
        let time = &self.options.time;
        let index = |frame: i32| film.index(Frame(frame)).in_shot(self.file);
        if let Some(frame) = time.frame {
            return Ok(vec![index(frame)?]);
        }
        let (first, last) = match time.frames {
            Some([first, last]) => (index(first)?, index(last)?),
            None => (0, film.clock.frames.saturating_sub(1)),
        };
        let all: Vec<usize> = (first..=last).step_by(time.every.unwrap_or(1).max(1) as usize).collect();
        Ok(match (self.kind, time.sheet.or(time.strobe)) {
            (PictureKind::Still, _) => vec![first],
            (PictureKind::Sheet | PictureKind::Strobe, Some(several)) => spread(&all, several as usize),
            _ => all,
        })
    }

    /// Pictures of a motion.
    fn motion(
        &self,
        film: Film,
        shot: Option<&Shot>,
        progress: &Progress,
    ) -> Result<RenderAnswer, RenderFailed> {
        let frames = self.frames(&film)?;
        // What is read from a file was turned already.
        let up = if shot.is_some() { self.options.up() } else { UpAxis::Y };
        let progress = progress.part(0.6, 1.0);
        let stage = Composition::new(self.file, self.options, film, shot, &frames, &progress.part(0.0, 0.2));
        let mut stage = stage.in_shot(self.file)?;
        let size = self.size();
        // One frame that is walked around, or all of them one after the other.
        let is_orbited = self.kind == PictureKind::Video && frames.len() == 1;
        let count = if is_orbited { STILL_FRAMES } else { frames.len() };
        let shown = stage.picture(frames[0])?;
        let around = match self.kind {
            PictureKind::Still => shown.framed_points(),
            _ => stage.survey.around.clone(),
        };
        let aspect = f64::from(size[0]) / f64::from(size[1]);
        let cameras = Cameras::new(&self.options.camera, up, &around, aspect, count);
        let time = &self.options.time;
        let rate = time.fps.unwrap_or(stage.film.clock.fps / f64::from(time.every.unwrap_or(1)));
        let fps = if frames.len() == 1 { time.fps.unwrap_or(STILL_FPS) } else { rate };
        let triangles = shown.triangles();
        let view = View { cameras: &cameras, up, size };
        let (width, height) = match (self.video, self.kind) {
            (Some(format), _) => {
                let at = |k: usize| stage.picture(frames[k.min(frames.len() - 1)]);
                output::video((self.output, format, fps), count, at, view, &progress.part(0.2, 1.0))?;
                (size[0], size[1])
            }
            (None, PictureKind::Sheet) => self.sheet(&mut stage, &frames, view, &progress.part(0.2, 1.0))?,
            (None, kind) => {
                let picture = if kind == PictureKind::Strobe { stage.strobe(&frames)? } else { shown };
                save_png(&view.draw(&picture, 0)?, self.output)?;
                (size[0], size[1])
            }
        };
        Ok(RenderAnswer {
            width,
            height,
            triangles,
            edited: stage.film.method().is_some(),
            frames: frames.iter().map(|index| stage.film.clock.number(*index)).collect(),
            fps: self.video.map(|_| fps),
            handles: handle_errors(&stage.film),
            ..self.answer()
        })
    }

    /// Frames beside each other; how large all of them are.
    fn sheet(
        &self,
        stage: &mut Composition<'_>,
        frames: &[usize],
        view: View<'_>,
        progress: &Progress,
    ) -> Result<(u32, u32), RenderFailed> {
        let name = |index: &usize| format!("frame {}", stage.film.clock.number(*index));
        let names: Vec<String> = frames.iter().map(name).collect();
        let tile = |k: usize| {
            let mut picture = stage.picture(frames[k])?;
            picture.caption.clear();
            Ok(picture)
        };
        let image = output::sheet(&names, tile, view, progress)?;
        save_png(&image, self.output)?;
        Ok((image.width, image.height))
    }

    /// What is told of a picture of something without a motion.
    fn answer(&self) -> RenderAnswer {
        let [width, height] = self.size();
        RenderAnswer {
            file: self.file.to_path_buf(),
            output: self.output.to_path_buf(),
            kind: self.kind,
            width,
            height,
            triangles: 0,
            mode: None,
            frequency: None,
            edited: false,
            frames: Vec::new(),
            fps: None,
            handles: Vec::new(),
            seconds: 0.0,
        }
    }
}
