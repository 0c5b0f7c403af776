//! `supple render`: a picture of a shot or a mesh.

use super::prepare::{load_body, modes};
use crate::session::Session;
use crate::text::{count, number};
use anyhow::{Context, anyhow, bail};
use clap::ValueEnum;
use serde::Serialize;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Instant;
use supple_model::Frame;
use supple_project::picture::{self, Colouring, Drawn, Picture};
use supple_project::{Body, Cache, InputMotion, Moving, Shot, scenery};
use supple_render::{UpAxis, View};

/// Options of `supple render`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  supple render bridge/bridge.toml --mode 3 --colour strain -o bridge-mode.png\n\n\
                  JSON: file, output, width, height, triangles, mode, frequency [Hz], seconds"
)]
pub struct RenderArgs {
    /// A shot (.toml) or a mesh (.obj, .veg, .abq, .inp, .node, .ele)
    file: PathBuf,
    /// The picture to write, a .png
    #[arg(short, long, value_name = "PNG", value_parser = png_path)]
    output: PathBuf,
    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x720")]
    size: Size,
    /// Where to look from: front, back, left, right, top or three-quarter
    #[arg(long, default_value = "three-quarter")]
    view: View,
    /// Which axis points to the sky
    #[arg(long, value_enum, default_value = "y")]
    up: Up,
    /// Displace the body of a shot by its K-th mode, counted from 1
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    mode: Option<u32>,
    /// How far the mode moves the body at most, as a share of its longest side; negative turns it around
    #[arg(
        long,
        value_name = "SHARE",
        requires = "mode",
        default_value_t = 0.1,
        allow_negative_numbers = true
    )]
    amplitude: f64,
    /// What the colours of a displaced body mean
    #[arg(long, alias = "color", value_enum, requires = "mode", default_value = "displacement")]
    colour: ColourBy,
    /// Draw this frame of the input motion, with all that stands in its way; a simulation is computed first
    #[arg(long, value_name = "N", conflicts_with = "mode", allow_negative_numbers = true)]
    frame: Option<i32>,
    /// Draw the body itself, even where it has a skin
    #[arg(long, conflicts_with = "skin")]
    tets: bool,
    /// Draw the skin, and fail where there is none
    #[arg(long)]
    skin: bool,
    /// Mark the anchored vertices; always done when the body itself is drawn
    #[arg(long)]
    anchors: bool,
    /// Draw the edges of the triangles
    #[arg(long)]
    wireframe: bool,
}

#[derive(Clone, Copy, Debug)]
struct Size {
    width: u32,
    height: u32,
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let side = |text: &str| text.parse().ok().filter(|side| *side > 0);
        let sides = text.split_once('x').and_then(|(width, height)| Some((side(width)?, side(height)?)));
        let (width, height) = sides.ok_or("write width and height in pixels, as in 1280x720")?;
        Ok(Self { width, height })
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Up {
    Y,
    Z,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ColourBy {
    /// How far each vertex has moved
    Displacement,
    /// How much the body is deformed there
    Strain,
}

fn png_path(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    let is_png = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png"));
    if is_png { Ok(path) } else { Err("pictures are written as .png".into()) }
}

#[derive(Serialize)]
struct Answer {
    file: PathBuf,
    output: PathBuf,
    width: u32,
    height: u32,
    triangles: usize,
    mode: Option<u32>,
    frequency: Option<f64>,
    seconds: f64,
}

pub fn run(args: &RenderArgs, session: &Session) -> anyhow::Result<()> {
    let start = Instant::now();
    check_folder(&args.output)?;
    session.progress().report("reading", 0.0)?;
    let is_shot = args.file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml"));
    let (mut picture, frequency) = if is_shot { of_shot(args, session)? } else { (of_mesh(args)?, None) };
    picture.wireframe = args.wireframe;
    let Size { width, height } = args.size;
    session.progress().check()?;
    draw(&picture, args.view, args.up.axis(), [width, height], &args.output)?;
    session.answer(&Answer {
        file: args.file.clone(),
        output: args.output.clone(),
        width,
        height,
        triangles: picture.triangles(),
        mode: args.mode,
        frequency,
        seconds: start.elapsed().as_secs_f64(),
    })
}

/// Draws a picture and writes it.
pub fn draw(picture: &Picture, view: View, up: UpAxis, size: [u32; 2], output: &Path) -> anyhow::Result<()> {
    let [width, height] = size;
    let scene = picture.scene(view, up, f64::from(width) / f64::from(height));
    Ok(picture::save_png(&scene.render(width, height)?, output)?)
}

/// Long work for a picture that then cannot be written is a nuisance.
fn check_folder(output: &Path) -> anyhow::Result<()> {
    match output.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            bail!("cannot write {}: there is no folder {}", output.display(), folder.display())
        }
        _ => Ok(()),
    }
}

/// A shot's body at rest, or in a mode and with the frequency of that.
fn of_shot(args: &RenderArgs, session: &Session) -> anyhow::Result<(Picture, Option<f64>)> {
    let shot = Shot::load(&args.file)?;
    let body = load_body(&args.file, &shot)?;
    if args.skin && body.skin.is_none() {
        bail!("{}: the body has no skin; give it one with `skin` in [body]", args.file.display());
    }
    let drawn = if args.tets { Drawn::Body } else { Drawn::Skin };
    if let Some(frame) = args.frame {
        return Ok((of_frame(args, &shot, &body, (drawn, Frame(frame)), session)?, None));
    }
    let (mut picture, frequency) = match args.mode {
        None => (Picture::of_body(&body, drawn), None),
        Some(mode) => {
            let k = mode as usize - 1;
            // No fewer than the shot wants: they are in its cache, or will be wanted there.
            let count = shot.edit.modes.max(k + 1);
            let prepared = modes(&args.file, &body, count, &session.progress().part(0.1, 0.9))?;
            session.warn_all(&prepared.warnings);
            let modes = prepared.modes;
            let u = picture::scaled(&body, modes.displacement(k), args.amplitude);
            let picture = Picture::of_displaced(&body, drawn, &u, args.colour.colouring());
            (picture, Some(modes.frequency(k)))
        }
    };
    if args.anchors || args.tets || body.skin.is_none() {
        picture.mark(anchored(&body));
    }
    picture.caption = caption(&args.file, args.mode, frequency);
    Ok((picture, frequency))
}

/// A frame of a shot's input motion.
fn of_frame(
    args: &RenderArgs,
    shot: &Shot,
    body: &Body,
    (drawn, frame): (Drawn, Frame),
    session: &Session,
) -> anyhow::Result<Picture> {
    let file = args.file.display();
    let cache = Cache::of_shot(&args.file);
    let mut motion =
        InputMotion::open(shot, body, &cache, session.progress()).with_context(|| file.to_string())?;
    session.warn_all(&motion.warnings);
    let Some(index) = motion.index(frame) else {
        let last = i64::from(motion.start.0) + motion.frames as i64 - 1;
        bail!("{file}: there is no {frame}; the motion has {} to {last}", motion.start);
    };
    if motion.of == Moving::Skin && drawn == Drawn::Body {
        bail!("{file}: the motion is of the skin, so the body cannot be drawn; leave out --tets");
    }
    let mut positions = vec![[0.0; 3]; motion.vertices()];
    motion.read(index, &mut positions)?;
    let mut picture = Picture::of_frame(body, motion.of, drawn, &positions);
    picture.add_scenery(scenery(shot, &picture.bounds())?);
    picture.caption = format!("{}\n{frame}", args.file.file_name().unwrap_or_default().display());
    Ok(picture)
}

fn of_mesh(args: &RenderArgs) -> anyhow::Result<Picture> {
    let file = args.file.display();
    if args.frame.is_some() {
        bail!("{file}: a mesh alone has no frames; draw a shot");
    }
    if args.mode.is_some() {
        bail!(
            "{file}: a mesh alone has no modes; make a shot of it, which gives it a material, and draw that"
        );
    }
    let mut picture = Picture::of_file(&args.file)
        .map_err(|error| anyhow!("{error}; `supple info {file}` tells more about the file"))?;
    picture.caption = caption(&args.file, None, None);
    Ok(picture)
}

fn anchored(body: &Body) -> Vec<supple_mesh::Vec3> {
    body.anchors.iter().map(|v| body.positions()[v.index()]).collect()
}

/// What a picture shows: the name of the file, and the mode.
pub fn caption(file: &Path, mode: Option<u32>, frequency: Option<f64>) -> String {
    let name = file.file_name().unwrap_or_default().display();
    match (mode, frequency) {
        (Some(mode), Some(frequency)) => format!("{name}\nmode {mode}, {} Hz", number(frequency)),
        _ => name.to_string(),
    }
}

impl Up {
    fn axis(self) -> UpAxis {
        match self {
            Self::Y => UpAxis::Y,
            Self::Z => UpAxis::Z,
        }
    }
}

impl ColourBy {
    fn colouring(self) -> Colouring {
        match self {
            Self::Displacement => Colouring::Displacement,
            Self::Strain => Colouring::Strain,
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (output, triangles) = (self.output.display(), count(self.triangles));
        writeln!(f, "wrote {output}, {} × {}, {triangles} triangles", self.width, self.height)
    }
}
