//! Pictures of what has no frames: a body at rest or in a mode, a mesh.

use super::super::prepare::{load_body, modes};
use super::args::{ColourBy, RenderArgs, Up};
use super::camera::Cameras;
use super::{Answer, Kind, STILL_FPS, STILL_FRAMES, output, size};
use crate::session::Session;
use crate::text::number;
use anyhow::{Context, anyhow, bail};
use std::f64::consts::TAU;
use std::path::Path;
use supple_mesh::Vec3;
use supple_project::picture::{self, Drawn, Picture, VideoFormat};
use supple_project::{Body, Shot};
use supple_render::{UpAxis, View};

/// Pictures in which a mode swings once.
const SWING: usize = 48;

/// What is drawn, and the same with a mode swung the other way.
struct Subject {
    body: Option<(Body, Vec<f64>)>,
    drawn: Drawn,
    picture: Picture,
    frequency: Option<f64>,
}

pub fn run(args: &RenderArgs, kind: Kind, is_shot: bool, session: &Session) -> anyhow::Result<Answer> {
    let subject = if is_shot { of_shot(args, session)? } else { of_mesh(args)? };
    let mut picture = subject.picture.clone();
    stage(args, &mut picture);
    let up = args.camera.up.map_or(UpAxis::Y, Up::axis);
    let size = size(args, kind);
    let swings = kind == Kind::Video && args.mode.is_some();
    let count = match (kind, swings && !args.camera.turntable) {
        (Kind::Video, true) => SWING,
        (Kind::Video, false) => STILL_FRAMES,
        _ => 1,
    };
    let most = picture.largest_value();
    let frame = |k: usize| -> anyhow::Result<Picture> {
        let Some((body, u)) = subject.body.as_ref().filter(|_| swings) else { return Ok(picture.clone()) };
        let phase = (TAU * k as f64 / SWING as f64).sin();
        let u: Vec<f64> = u.iter().map(|u| phase * u).collect();
        let mut picture = Picture::of_displaced(body, subject.drawn, &u, colouring(args));
        picture.colour_up_to(most);
        picture.caption.clone_from(&subject.picture.caption);
        stage(args, &mut picture);
        Ok(picture)
    };
    let mut around = picture.framed_points();
    if swings {
        around.extend(frame(3 * SWING / 4)?.framed_points());
    }
    let cameras = Cameras::new(&args.camera, up, &around, f64::from(size[0]) / f64::from(size[1]), count);
    session.progress().check()?;
    let fps = args.time.fps.unwrap_or(STILL_FPS);
    match kind {
        Kind::Video => {
            let format = VideoFormat::of(&args.output).context("no moving picture")?;
            let progress = session.progress().part(0.5, 1.0);
            output::video((&args.output, format, fps), count, frame, (&cameras, up, size), &progress)?;
        }
        _ => picture::save_png(&output::draw(&picture, cameras.at(0), up, size)?, &args.output)?,
    }
    Ok(Answer {
        file: args.file.clone(),
        output: args.output.clone(),
        kind,
        width: size[0],
        height: size[1],
        triangles: picture.triangles(),
        mode: args.mode,
        frequency: subject.frequency,
        edited: false,
        frames: Vec::new(),
        fps: (kind == Kind::Video).then_some(fps),
        handles: Vec::new(),
        seconds: 0.0,
    })
}

/// What all pictures have: edges, a floor, no caption.
fn stage(args: &RenderArgs, picture: &mut Picture) {
    picture.wireframe = args.wireframe;
    if let Some(height) = args.floor {
        let axis = if matches!(args.camera.up, Some(Up::Z)) { 2 } else { 1 };
        picture.stand_on(height.unwrap_or(picture.bounds().min[axis]));
    }
    if args.no_caption {
        picture.caption.clear();
    }
}

fn colouring(args: &RenderArgs) -> picture::Colouring {
    args.colour.unwrap_or(ColourBy::Displacement).colouring()
}

/// Draws a picture as large as fits and writes it.
pub fn draw(picture: &Picture, view: View, up: UpAxis, size: [u32; 2], output: &Path) -> anyhow::Result<()> {
    let [width, height] = size;
    let scene = picture.scene(view, up, f64::from(width) / f64::from(height));
    Ok(picture::save_png(&scene.render(width, height)?, output)?)
}

/// A shot's body at rest, or in a mode and with the frequency of that.
fn of_shot(args: &RenderArgs, session: &Session) -> anyhow::Result<Subject> {
    let shot = Shot::load(&args.file)?;
    let body = load_body(&args.file, &shot)?;
    if args.wants_skin() && body.skin.is_none() {
        bail!("{}: the body has no skin; add one with `skin` in [body]", args.file.display());
    }
    if args.colour.is_some() && args.mode.is_none() {
        bail!(
            "{}: a body at rest has nothing to colour; choose --frame, --frames or --mode",
            args.file.display()
        );
    }
    let drawn = if args.wants_body() { Drawn::Body } else { Drawn::Skin };
    let (mut picture, frequency, displaced) = match args.mode {
        None => (Picture::of_body(&body, drawn), None, None),
        Some(mode) => {
            let k = mode as usize - 1;
            // No fewer than the shot wants: they are in its cache, or will be wanted there.
            let count = shot.edit.modes.max(k + 1);
            let prepared = modes(&args.file, &body, count, &session.progress().part(0.1, 0.5))?;
            session.warn_all(&prepared.warnings);
            let modes = prepared.modes;
            let u = picture::scaled(&body, modes.displacement(k), args.amplitude);
            let picture = Picture::of_displaced(&body, drawn, &u, colouring(args));
            (picture, Some(modes.frequency(k)), Some(u))
        }
    };
    if args.anchors || args.wants_body() || body.skin.is_none() {
        picture.mark(anchored(&body));
    }
    picture.caption = caption(&args.file, args.mode, frequency);
    Ok(Subject { drawn, picture, frequency, body: displaced.map(|u| (body, u)) })
}

fn of_mesh(args: &RenderArgs) -> anyhow::Result<Subject> {
    let file = args.file.display();
    if args.wants_motion() {
        bail!("{file}: a mesh has no frames; render a shot or a motion");
    }
    if args.mode.is_some() {
        bail!("{file}: a mesh has no modes; make a shot with a material and render that");
    }
    if args.colour.is_some() {
        bail!("{file}: a mesh has nothing to colour; render a shot or a motion");
    }
    if VideoFormat::of(&args.output).is_some() && !args.camera.turntable {
        bail!("{file}: a mesh does not move; orbit the camera with --turntable, or write a .png");
    }
    let mut picture = Picture::of_file(&args.file)
        .map_err(|error| anyhow!("{error}; run `supple info {file}` to see what is in the file"))?;
    picture.caption = caption(&args.file, None, None);
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
