//! `supple render`: pictures of a shot, a motion or a mesh, still or moving.

use crate::session::Session;
use clap::ValueEnum;
use std::fmt::Write;
use std::path::PathBuf;
use std::str::FromStr;
use supple_model::text::{count, counted, number};
use supple_project::picture::{
    CameraOptions, Colouring, Drawn, FloorOptions, GivenCamera, MotionOptions, RenderAnswer, RenderOptions,
    Streamed, TimeOptions, render,
};
use supple_render::{UpAxis, View};

const HELP: &str = "Examples:
  supple render bridge/bridge.toml --mode 3 --colour strain -o bridge-mode.png
  supple render bird/bird.toml --frame 100 --ghost --handles -o edit.png
  supple render bird/bird.toml --ghost -o edit.gif
  supple render bird/bird.toml --frames 88..112 --strobe 5 -o strobe.png
  supple render dragon/dragon.toml --sheet 12 --contacts -o sheet.png
  supple render x-jump/x-jump.toml --keys -o keys.png
  supple render walk/walk-2d.toml --strobe 8 --streamers Head,LeftFoot -o walk.png
  supple render run.pc2 --topology rest.obj --streamers 12,40 -o run.mp4
  supple render flower/flower.toml --turntable -o flower.gif

A shot with handles is drawn edited; use --input to draw its input. A .png of a shot shows the body at rest; \
choose a frame with --frame. A .gif or .mp4 shows all frames; an .mp4 needs ffmpeg.

JSON: file, output, kind [still|sheet|strobe|video], width, height, triangles, mode, frequency [Hz], edited, \
frames, fps, handles [handle, frame, error, relative_error], seconds";

/// Options of `supple render`.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct RenderArgs {
    /// A shot (.toml), a motion (USD, glTF, FBX, Alembic, .bvh, .pc2 or .mdd with --topology, name.####.obj or .ply) or a
    /// mesh
    file: PathBuf,
    /// The picture to write: .png, .gif or .mp4
    #[arg(short, long, value_name = "PICTURE", value_parser = picture_path)]
    output: PathBuf,
    /// Width and height of a picture in pixels, or of one picture of a sheet [default: 1280x720; 400x260 on a sheet,
    /// 640x360 in a .gif]
    #[arg(long, value_name = "WxH")]
    size: Option<Size>,
    #[command(flatten)]
    camera: CameraArgs,
    #[command(flatten)]
    time: TimeArgs,
    #[command(flatten)]
    motion: MotionArgs,
    /// Displace the body of a shot by its K-th mode, counted from 1
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    mode: Option<u32>,
    /// Largest displacement of the mode, as a share of the longest side of the body; negative flips it
    #[arg(
        long,
        value_name = "SHARE",
        requires = "mode",
        default_value_t = 0.1,
        allow_negative_numbers = true
    )]
    amplitude: f64,
    /// Colour the surface by this
    #[arg(long, alias = "color", value_enum)]
    colour: Option<ColourBy>,
    /// Draw the body, its skin, or the bones of a character [default: the skin if there is one]
    #[arg(long, value_enum, conflicts_with_all = ["tets", "skin"])]
    body: Option<BodyArg>,
    /// Draw the body even if it has a skin
    #[arg(long, conflicts_with = "skin")]
    tets: bool,
    /// Draw the skin; fail if there is none
    #[arg(long)]
    skin: bool,
    /// Mark the anchored vertices; always on when the body is drawn at rest or in a mode
    #[arg(long)]
    anchors: bool,
    /// Draw triangle edges
    #[arg(long)]
    wireframe: bool,
    /// Draw a floor at this height, or with no HEIGHT at the lowest point [default: the floor of the shot's simulation]
    #[arg(long, value_name = "HEIGHT", num_args = 0..=1, require_equals = true, allow_negative_numbers = true)]
    floor: Option<Option<f64>>,
    /// Draw no floor, not even the shot's
    #[arg(long, conflicts_with = "floor")]
    no_floor: bool,
    /// Write nothing on the picture
    #[arg(long)]
    no_caption: bool,
}

/// Where the picture is taken from.
#[derive(Debug, clap::Args)]
struct CameraArgs {
    /// View direction: front, back, left, right, top, bottom or three-quarter
    #[arg(long, default_value = "three-quarter")]
    view: View,
    /// Axis that points up [default: from the motion file]
    #[arg(long, value_enum)]
    up: Option<Up>,
    /// Camera position; needs --target
    #[arg(
        long,
        value_name = "X,Y,Z",
        requires = "target",
        conflicts_with = "view",
        allow_hyphen_values = true
    )]
    eye: Option<Triple>,
    /// Point in the middle of the picture
    #[arg(long, value_name = "X,Y,Z", requires = "eye", allow_hyphen_values = true)]
    target: Option<Triple>,
    /// Vertical field of view in degrees; needs --eye
    #[arg(long, value_name = "DEGREES", requires = "eye", default_value_t = 28.0)]
    angle: f64,
    /// Orbit the camera once
    #[arg(long)]
    turntable: bool,
}

/// Which frames, and how they come together.
#[derive(Debug, clap::Args)]
struct TimeArgs {
    /// Draw this frame with its floor and obstacles; a simulation is computed first
    #[arg(long, value_name = "N", conflicts_with_all = ["mode", "frames", "every"], allow_negative_numbers = true)]
    frame: Option<i32>,
    /// Only these frames, as in 40..80; the first and the last included
    #[arg(long, value_name = "A..B", conflicts_with = "mode", allow_hyphen_values = true)]
    frames: Option<FrameRange>,
    /// Only every K-th frame
    #[arg(long, value_name = "K", conflicts_with = "mode", value_parser = clap::value_parser!(u32).range(1..))]
    every: Option<u32>,
    /// Frames per second of a .gif or .mp4 [default: from the motion]
    #[arg(long, value_name = "FPS")]
    fps: Option<f64>,
    /// Several frames side by side
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "12", conflicts_with_all = ["mode", "frame"])]
    sheet: Option<u32>,
    /// Several frames in one picture, later frames stronger
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "6", conflicts_with_all = ["mode", "frame", "sheet"])]
    strobe: Option<u32>,
}

/// What is drawn of a motion.
#[derive(Debug, clap::Args)]
struct MotionArgs {
    /// Draw the input motion of a shot, ignoring its handles
    #[arg(long, conflicts_with = "ghost")]
    input: bool,
    /// Draw the input as a transparent yellow ghost and the edited motion red
    #[arg(long)]
    ghost: bool,
    /// Draw the paths of these joints, or vertices of the surface, after the edit and (striped) before it: over the drawn
    /// frames, or one second around a single frame
    #[arg(long, value_name = "JOINT|VERTEX,…", value_delimiter = ',')]
    streamers: Vec<Streamed>,
    /// Mark the handles of a frame: where they are, and their goals
    #[arg(long)]
    handles: bool,
    /// Draw contacts with their normals
    #[arg(long)]
    contacts: bool,
    /// Draw the keys of a motion made of keys, side by side: keyed parts dark at their goals, the rest pale, velocities
    /// as arrows, the centre of mass as a dot
    #[arg(
        long,
        conflicts_with_all = [
            "mode", "frame", "frames", "every", "sheet", "strobe", "input", "ghost", "streamers", "handles", "contacts",
            "colour", "turntable"
        ]
    )]
    keys: bool,
    /// Draw the Catmull-Rom spline through the poses of a shot of the method "control" beside its motion
    #[arg(long)]
    spline: bool,
    /// Mesh for a .pc2 or .mdd, with the vertices in the same order
    #[arg(long, value_name = "MESH")]
    topology: Option<PathBuf>,
    /// Object to use when the file has several: its path, or the end of its path
    #[arg(long, value_name = "NAME")]
    object: Option<String>,
}

/// Width and height.
#[derive(Clone, Copy, Debug)]
pub struct Size(pub [u32; 2]);

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let side = |text: &str| text.parse().ok().filter(|side| *side > 0);
        let sides = text.split_once('x').and_then(|(width, height)| Some((side(width)?, side(height)?)));
        let (width, height) = sides.ok_or("give width and height in pixels, as in 1280x720")?;
        Ok(Self([width, height]))
    }
}

/// A point.
#[derive(Clone, Copy, Debug)]
struct Triple([f64; 3]);

impl FromStr for Triple {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers: Vec<f64> = text.split(',').filter_map(|part| part.trim().parse().ok()).collect();
        let point: Option<[f64; 3]> = numbers.try_into().ok();
        point
            .filter(|point| text.split(',').count() == 3 && point.iter().all(|x| x.is_finite()))
            .map(Self)
            .ok_or_else(|| "give three numbers, as in 1,0.5,-2".into())
    }
}

/// Frames from one to another.
#[derive(Clone, Copy, Debug)]
struct FrameRange(i32, i32);

impl FromStr for FrameRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let ends =
            text.split_once("..").and_then(|(a, b)| Some((a.trim().parse().ok()?, b.trim().parse().ok()?)));
        let (first, last) = ends.ok_or("give the first and last frame, as in 40..80")?;
        if first <= last { Ok(Self(first, last)) } else { Err(format!("{first} comes after {last}")) }
    }
}

/// The axis that points to the sky.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Up {
    Y,
    Z,
}

impl Up {
    fn axis(self) -> UpAxis {
        match self {
            Self::Y => UpAxis::Y,
            Self::Z => UpAxis::Z,
        }
    }
}

/// What colours mean.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum ColourBy {
    /// Distance each vertex has moved
    Displacement,
    /// Deformation of the body
    Strain,
    /// Distance the edit moves each vertex
    Edit,
}

impl ColourBy {
    fn colouring(self) -> Colouring {
        match self {
            Self::Displacement => Colouring::Displacement,
            Self::Strain => Colouring::Strain,
            Self::Edit => Colouring::Edit,
        }
    }
}

/// What is drawn of a body.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum BodyArg {
    /// The body: its tets, voxels, cloth or springs
    Tets,
    /// The fine render mesh
    Skin,
    /// The bones of a character, which are always drawn of one
    Bones,
}

fn picture_path(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    let ending = path.extension().map(std::ffi::OsStr::to_ascii_lowercase);
    match ending.as_deref().and_then(std::ffi::OsStr::to_str) {
        Some("png" | "gif" | "mp4") => Ok(path),
        _ => Err("must end in .png, .gif or .mp4".into()),
    }
}

impl RenderArgs {
    fn options(&self) -> RenderOptions {
        let drawn = match (self.tets, self.skin, self.body) {
            (true, ..) | (_, _, Some(BodyArg::Tets)) => Some(Drawn::Body),
            (_, true, _) | (_, _, Some(BodyArg::Skin)) => Some(Drawn::Skin),
            (_, _, Some(BodyArg::Bones)) => Some(Drawn::Bones),
            _ => None,
        };
        let floor = match (self.no_floor, self.floor) {
            (true, _) => FloorOptions::Without,
            (_, Some(Some(height))) => FloorOptions::At(height),
            (_, Some(None)) => FloorOptions::Lowest,
            (_, None) => FloorOptions::OfShot,
        };
        RenderOptions {
            size: self.size.map(|size| size.0),
            camera: self.camera.options(),
            time: self.time.options(),
            motion: self.motion.options(),
            mode: self.mode,
            amplitude: self.amplitude,
            colour: self.colour.map(ColourBy::colouring),
            drawn,
            anchors: self.anchors,
            wireframe: self.wireframe,
            floor,
            no_caption: self.no_caption,
        }
    }
}

impl CameraArgs {
    fn options(&self) -> CameraOptions {
        let given = match (self.eye, self.target) {
            (Some(Triple(eye)), Some(Triple(target))) => {
                Some(GivenCamera { eye, target, degrees: self.angle })
            }
            _ => None,
        };
        CameraOptions { view: self.view, up: self.up.map(Up::axis), given, turntable: self.turntable }
    }
}

impl TimeArgs {
    fn options(&self) -> TimeOptions {
        TimeOptions {
            frame: self.frame,
            frames: self.frames.map(|FrameRange(first, last)| [first, last]),
            every: self.every,
            fps: self.fps,
            sheet: self.sheet,
            strobe: self.strobe,
        }
    }
}

impl MotionArgs {
    fn options(&self) -> MotionOptions {
        MotionOptions {
            input: self.input,
            ghost: self.ghost,
            streamers: self.streamers.clone(),
            handles: self.handles,
            contacts: self.contacts,
            keys: self.keys,
            spline: self.spline,
            topology: self.topology.clone(),
            object: self.object.clone(),
        }
    }
}

pub fn run(args: &RenderArgs, session: &Session) -> anyhow::Result<()> {
    let answer = render(&args.file, &args.output, &args.options(), session.progress())?;
    session.answer(&answer, text)
}

fn text(answer: &RenderAnswer) -> String {
    let (output, triangles) = (answer.output.display(), count(answer.triangles));
    let mut text = format!("wrote {output}, {} × {}, {triangles} triangles", answer.width, answer.height);
    // Writing to a string cannot fail.
    if let (Some(fps), [first, .., last]) = (answer.fps, answer.frames.as_slice()) {
        let frames = counted(answer.frames.len(), "frame", "frames");
        let _ = write!(text, ", {frames}, {first} to {last}, {} fps", number(fps));
    }
    text.push('\n');
    for handle in &answer.handles {
        let (key, frame, error) = (handle.handle, handle.frame, handle.relative_error);
        let _ = writeln!(text, "handle {key} at frame {frame}: error {error:.1e} of the size");
    }
    text
}
