//! Pictures of what has no frames: a body at rest or in a mode, a mesh.

use super::camera::{Cameras, View};
use super::{
    PictureKind, Refusal, RenderAnswer, RenderFailed, RenderOptions, STILL_FPS, STILL_FRAMES, Task, output,
    shot_of_rig,
};
use crate::body::Body;
use crate::character::Character;
use crate::method::EditError;
use crate::open::{NameShot, OpenError, open};
use crate::picture::{Colouring, Drawn, FilmError, Picture, save_png, scaled};
use crate::prepare::modes;
use crate::shot::{Method, Shot};
use std::f64::consts::TAU;
use std::path::Path;
use supple_mesh::Vec3;
use supple_model::Progress;
use supple_model::text::number;
use supple_render::UpAxis;

/// Pictures in which a mode swings once.
const SWING: usize = 48;

/// What is drawn, and the same with a mode swung the other way.
struct Subject {
    body: Option<(Body, Vec<f64>)>,
    drawn: Drawn,
    picture: Picture,
    frequency: Option<f64>,
}

/// Draws it.
pub fn draw(task: &Task<'_>, is_shot: bool, progress: &Progress) -> Result<RenderAnswer, RenderFailed> {
    let options = task.options;
    let is_rig = supple_formats::is_rig_path(task.file);
    let subject = match () {
        () if is_rig => of_rig(task, progress)?,
        () if is_shot => of_shot(task, progress)?,
        () => of_mesh(task)?,
    };
    // What is read from the file of a skeleton is turned already.
    let (up, size) = (if is_rig { UpAxis::Y } else { options.up() }, task.size());
    let mut picture = subject.picture.clone();
    stage(options, up, &mut picture);
    let swings = task.kind == PictureKind::Video && options.mode.is_some();
    let count = match (task.kind, swings && !options.camera.turntable) {
        (PictureKind::Video, true) => SWING,
        (PictureKind::Video, false) => STILL_FRAMES,
        _ => 1,
    };
    let most = picture.largest_value();
    let frame = |k: usize| -> Result<Picture, RenderFailed> {
        let Some((body, u)) = subject.body.as_ref().filter(|_| swings) else { return Ok(picture.clone()) };
        let phase = (TAU * k as f64 / SWING as f64).sin();
        let u: Vec<f64> = u.iter().map(|u| phase * u).collect();
        let mut picture = Picture::of_displaced(body, subject.drawn, &u, colouring(options));
        picture.colour_up_to(most);
        picture.caption.clone_from(&subject.picture.caption);
        stage(options, up, &mut picture);
        Ok(picture)
    };
    let mut around = picture.framed_points();
    if swings {
        around.extend(frame(3 * SWING / 4)?.framed_points());
    }
    let aspect = f64::from(size[0]) / f64::from(size[1]);
    let cameras = Cameras::new(&options.camera, up, &around, aspect, count);
    let view = View { cameras: &cameras, up, size };
    progress.check()?;
    let fps = options.time.fps.unwrap_or(STILL_FPS);
    match task.video {
        Some(format) => {
            output::video((task.output, format, fps), count, frame, view, &progress.part(0.5, 1.0))?;
        }
        None => save_png(&view.draw(&picture, 0)?, task.output)?,
    }
    Ok(RenderAnswer {
        triangles: picture.triangles(),
        mode: options.mode,
        frequency: subject.frequency,
        fps: task.video.map(|_| fps),
        ..task.answer()
    })
}

/// What all pictures have: edges, a floor, no caption.
fn stage(options: &RenderOptions, up: UpAxis, picture: &mut Picture) {
    picture.wireframe = options.wireframe;
    let axis = if up == UpAxis::Z { 2 } else { 1 };
    if let Some(height) = options.floor.height(|| picture.bounds().min[axis]) {
        picture.stand_on(height);
    }
    if options.no_caption {
        picture.caption.clear();
    }
}

fn colouring(options: &RenderOptions) -> Colouring {
    options.colour.unwrap_or(Colouring::Displacement)
}

/// A shot's body at rest, or in a mode and with the frequency of that.
fn of_shot(task: &Task<'_>, progress: &Progress) -> Result<Subject, RenderFailed> {
    let options = task.options;
    let shot = Shot::load(task.file).map_err(OpenError::from)?;
    if shot.edit.method == Method::Character && is_plain(options) {
        return of_character(task, &shot, progress);
    }
    let (shot, body) = open(task.file, progress)?;
    if options.wants_bones() {
        return Err(Refusal::NoBones.of(task.file));
    }
    if options.wants_skin() && body.skin.is_none() {
        return Err(Refusal::NoSkin.of(task.file));
    }
    if options.colour.is_some() && options.mode.is_none() {
        return Err(Refusal::RestColours.of(task.file));
    }
    let drawn = options.drawn.unwrap_or(Drawn::Skin);
    let (mut picture, frequency, displaced) = match options.mode {
        None => (Picture::of_body(&body, drawn), None, None),
        Some(mode) => {
            let k = (mode as usize).saturating_sub(1);
            // No fewer than the shot wants: they are in its cache, or will be wanted there.
            let count = shot.edit.modes.max(k + 1);
            let modes = modes(task.file, &body, count, &progress.part(0.1, 0.5))?.modes;
            let u = scaled(&body, modes.displacement(k), options.amplitude);
            let picture = Picture::of_displaced(&body, drawn, &u, colouring(options));
            (picture, Some(modes.frequency(k)), Some(u))
        }
    };
    if options.anchors || options.wants_body() || body.skin.is_none() {
        picture.mark(anchored(&body));
    }
    picture.caption = caption(task.file, options.mode, frequency);
    Ok(Subject { drawn, picture, frequency, body: displaced.map(|u| (body, u)) })
}

/// Whether nothing is asked for that only a body has.
fn is_plain(options: &RenderOptions) -> bool {
    options.mode.is_none() && options.colour.is_none() && !options.wants_skin()
}

/// The skeleton of a file at rest.
fn of_rig(task: &Task<'_>, progress: &Progress) -> Result<Subject, RenderFailed> {
    let options = task.options;
    let refusal = match () {
        () if options.mode.is_some() => Refusal::MotionMode,
        () if options.colour.is_some() => Refusal::RestColours,
        () if options.wants_skin() => Refusal::NoSkin,
        () if options.wants_body() => Refusal::MotionBody,
        () => return of_character(task, &shot_of_rig(task.file, options.camera.up)?, progress),
    };
    Err(refusal.of(task.file))
}

/// The bones of a character at rest.
fn of_character(task: &Task<'_>, shot: &Shot, progress: &Progress) -> Result<Subject, RenderFailed> {
    let character = Character::load(shot, progress).map_err(EditError::from).map_err(FilmError::from);
    let character = character.in_shot(task.file)?;
    let mut picture = Picture::of_body(&character, Drawn::Bones);
    picture.caption = caption(task.file, None, None);
    Ok(Subject { drawn: Drawn::Bones, picture, frequency: None, body: None })
}

fn of_mesh(task: &Task<'_>) -> Result<Subject, RenderFailed> {
    let options = task.options;
    let refusal = match () {
        () if options.wants_motion() => Some(Refusal::MeshFrames),
        () if options.wants_bones() => Some(Refusal::NoBones),
        () if options.mode.is_some() => Some(Refusal::MeshModes),
        () if options.colour.is_some() => Some(Refusal::MeshColours),
        () if task.video.is_some() && !options.camera.turntable => Some(Refusal::MeshMoves),
        () => None,
    };
    if let Some(refusal) = refusal {
        return Err(refusal.of(task.file));
    }
    let mut picture = Picture::of_file(task.file).map_err(|problem| RenderFailed::Mesh {
        file: task.file.to_path_buf(),
        problem: Box::new(problem),
    })?;
    picture.caption = caption(task.file, None, None);
    Ok(Subject { body: None, drawn: Drawn::Skin, picture, frequency: None })
}

fn anchored(body: &Body) -> Vec<Vec3> {
    body.anchors.iter().map(|v| body.positions()[v.index()]).collect()
}

/// What a picture shows: the name of the file, and the mode.
fn caption(file: &Path, mode: Option<u32>, frequency: Option<f64>) -> String {
    let name = file.file_name().unwrap_or_default().display();
    match (mode, frequency) {
        (Some(mode), Some(frequency)) => format!("{name}\nmode {mode}, {} Hz", number(frequency)),
        _ => name.to_string(),
    }
}
