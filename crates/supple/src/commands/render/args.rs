//! The options of `supple render`.

use clap::ValueEnum;
use std::path::PathBuf;
use std::str::FromStr;
use supple_project::picture::Colouring;
use supple_render::{UpAxis, View};

const HELP: &str = "Example:
  supple render bridge/bridge.toml --mode 3 --colour strain -o bridge-mode.png
  supple render bird/bird.toml --frame 100 --ghost --handles -o edit.png
  supple render bird/bird.toml --ghost -o edit.gif
  supple render bird/bird.toml --frames 88..112 --strobe 5 -o strobe.png
  supple render dragon/dragon.toml --sheet 12 --contacts -o sheet.png
  supple render run.pc2 --topology rest.obj --streamers 12,40 -o run.mp4
  supple render flower/flower.toml --turntable -o flower.gif

Of a shot the edited motion is drawn where it has handles, the input otherwise or with --input. Without --frame a .png
of a shot is its body at rest. A .gif or .mp4 shows all frames; an .mp4 takes ffmpeg.

JSON: file, output, kind [still|sheet|strobe|video], width, height, triangles, mode, frequency [Hz], edited, frames, fps,
handles [handle, frame, error, relative_error], seconds";

/// Options of `supple render`.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct RenderArgs {
    /// A shot (.toml), a motion (USD, glTF, FBX, Alembic, .pc2 or .mdd with --topology, name.####.obj or .ply) or a mesh
    pub file: PathBuf,
    /// The picture to write: .png, .gif or .mp4
    #[arg(short, long, value_name = "PICTURE", value_parser = picture_path)]
    pub output: PathBuf,
    /// Width and height of a picture in pixels, or of one picture of a sheet [default: 1280x720; 400x260 on a sheet,
    /// 640x360 in a .gif]
    #[arg(long, value_name = "WxH")]
    pub size: Option<Size>,
    #[command(flatten)]
    pub camera: CameraArgs,
    #[command(flatten)]
    pub time: TimeArgs,
    #[command(flatten)]
    pub motion: MotionArgs,
    /// Displace the body of a shot by its K-th mode, counted from 1
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    pub mode: Option<u32>,
    /// How far the mode moves the body at most, as a share of its longest side; negative turns it around
    #[arg(
        long,
        value_name = "SHARE",
        requires = "mode",
        default_value_t = 0.1,
        allow_negative_numbers = true
    )]
    pub amplitude: f64,
    /// What the colours of the surface mean
    #[arg(long, alias = "color", value_enum)]
    pub colour: Option<ColourBy>,
    /// Draw the body itself or its skin; the skin where there is one without
    #[arg(long, value_enum, conflicts_with_all = ["tets", "skin"])]
    pub body: Option<BodyArg>,
    /// Draw the body itself, even where it has a skin
    #[arg(long, conflicts_with = "skin")]
    pub tets: bool,
    /// Draw the skin, and fail where there is none
    #[arg(long)]
    pub skin: bool,
    /// Mark the anchored vertices; always done when the body itself is drawn at rest or in a mode
    #[arg(long)]
    pub anchors: bool,
    /// Draw the edges of the triangles
    #[arg(long)]
    pub wireframe: bool,
    /// Put a floor below, at this height or where the lowest point is; that of the shot's simulation without
    #[arg(long, value_name = "HEIGHT", num_args = 0..=1, require_equals = true, allow_negative_numbers = true)]
    pub floor: Option<Option<f64>>,
    /// Draw no floor, not even that of the shot
    #[arg(long, conflicts_with = "floor")]
    pub no_floor: bool,
    /// Write nothing on the picture
    #[arg(long)]
    pub no_caption: bool,
}

/// Where the picture is taken from.
#[derive(Debug, clap::Args)]
pub struct CameraArgs {
    /// Where to look from: front, back, left, right, top, bottom or three-quarter
    #[arg(long, default_value = "three-quarter")]
    pub view: View,
    /// Which axis points to the sky; of a motion file, what it says without
    #[arg(long, value_enum)]
    pub up: Option<Up>,
    /// Look from here, at the target
    #[arg(
        long,
        value_name = "X,Y,Z",
        requires = "target",
        conflicts_with = "view",
        allow_hyphen_values = true
    )]
    pub eye: Option<Triple>,
    /// What is in the middle of the picture
    #[arg(long, value_name = "X,Y,Z", requires = "eye", allow_hyphen_values = true)]
    pub target: Option<Triple>,
    /// The angle between the top and the bottom of the picture, degrees; with --eye
    #[arg(long, value_name = "DEGREES", requires = "eye", default_value_t = 28.0)]
    pub angle: f64,
    /// Walk around it once
    #[arg(long)]
    pub turntable: bool,
}

/// Which frames, and how they come together.
#[derive(Debug, clap::Args)]
pub struct TimeArgs {
    /// Draw this frame, with all that stands in its way; a simulation is computed first
    #[arg(long, value_name = "N", conflicts_with_all = ["mode", "frames", "every"], allow_negative_numbers = true)]
    pub frame: Option<i32>,
    /// Only these frames, as in 40..80; the first and the last included
    #[arg(long, value_name = "A..B", conflicts_with = "mode", allow_hyphen_values = true)]
    pub frames: Option<FrameRange>,
    /// Only every K-th frame
    #[arg(long, value_name = "K", conflicts_with = "mode", value_parser = clap::value_parser!(u32).range(1..))]
    pub every: Option<u32>,
    /// Frames per second of a moving picture; those of the motion without
    #[arg(long, value_name = "FPS")]
    pub fps: Option<f64>,
    /// Several frames beside each other, each in its own picture
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "12", conflicts_with_all = ["mode", "frame"])]
    pub sheet: Option<u32>,
    /// Several frames in one picture, the later the stronger
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "6", conflicts_with_all = ["mode", "frame", "sheet"])]
    pub strobe: Option<u32>,
}

/// What is drawn of a motion.
#[derive(Debug, clap::Args)]
pub struct MotionArgs {
    /// Draw the input motion of a shot, whatever handles it has
    #[arg(long, conflicts_with = "ghost")]
    pub input: bool,
    /// Draw the input yellow and seen through, and the edited motion red
    #[arg(long)]
    pub ghost: bool,
    /// Draw the ways of these vertices of the surface, before the edit and after: through the frames that are drawn, or a
    /// second around a single one
    #[arg(long, value_name = "VERTEX,…", value_delimiter = ',')]
    pub streamers: Vec<u32>,
    /// Mark the handles of a frame, where they are and where they were asked to be
    #[arg(long)]
    pub handles: bool,
    /// Draw what touches something, with the normals
    #[arg(long)]
    pub contacts: bool,
    /// The mesh whose vertices a .pc2 or .mdd moves, in the same order
    #[arg(long, value_name = "MESH")]
    pub topology: Option<PathBuf>,
    /// Which object of a file with several: its path, or the end of it
    #[arg(long, value_name = "NAME")]
    pub object: Option<String>,
}

/// Width and height.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    pub width: u32,
    pub height: u32,
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

/// A point.
#[derive(Clone, Copy, Debug)]
pub struct Triple(pub [f64; 3]);

impl FromStr for Triple {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers: Vec<f64> = text.split(',').filter_map(|part| part.trim().parse().ok()).collect();
        let point: Option<[f64; 3]> = numbers.try_into().ok();
        point
            .filter(|point| text.split(',').count() == 3 && point.iter().all(|x| x.is_finite()))
            .map(Self)
            .ok_or_else(|| "write three numbers, as in 1,0.5,-2".into())
    }
}

/// Frames from one to another.
#[derive(Clone, Copy, Debug)]
pub struct FrameRange(pub i32, pub i32);

impl FromStr for FrameRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let ends =
            text.split_once("..").and_then(|(a, b)| Some((a.trim().parse().ok()?, b.trim().parse().ok()?)));
        let (first, last) = ends.ok_or("write the first and the last frame, as in 40..80")?;
        if first <= last { Ok(Self(first, last)) } else { Err(format!("{first} comes after {last}")) }
    }
}

/// The axis that points to the sky.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Up {
    Y,
    Z,
}

impl Up {
    pub fn axis(self) -> UpAxis {
        match self {
            Self::Y => UpAxis::Y,
            Self::Z => UpAxis::Z,
        }
    }
}

/// What colours mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColourBy {
    /// How far each vertex has moved
    Displacement,
    /// How much the body is deformed there
    Strain,
    /// How far the edit moves each vertex
    Edit,
}

impl ColourBy {
    pub fn colouring(self) -> Colouring {
        match self {
            Self::Displacement => Colouring::Displacement,
            Self::Strain => Colouring::Strain,
            Self::Edit => Colouring::Edit,
        }
    }
}

/// What is drawn of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BodyArg {
    /// The body itself: its tets, voxels, cloth or springs
    Tets,
    /// The fine mesh that rides on it
    Skin,
}

fn picture_path(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    let ending = path.extension().map(std::ffi::OsStr::to_ascii_lowercase);
    match ending.as_deref().and_then(std::ffi::OsStr::to_str) {
        Some("png" | "gif" | "mp4") => Ok(path),
        _ => Err("pictures are written as .png, moving ones as .gif or .mp4".into()),
    }
}

impl RenderArgs {
    /// Whether the body itself is drawn.
    pub fn wants_body(&self) -> bool {
        self.tets || self.body == Some(BodyArg::Tets)
    }

    /// Whether there must be a skin.
    pub fn wants_skin(&self) -> bool {
        self.skin || self.body == Some(BodyArg::Skin)
    }

    /// Whether anything is said that only a motion has.
    pub fn wants_motion(&self) -> bool {
        let time = &self.time;
        time.frame.is_some()
            || time.frames.is_some()
            || time.every.is_some()
            || time.sheet.is_some()
            || time.strobe.is_some()
            || self.motion.ghost
            || !self.motion.streamers.is_empty()
            || self.motion.handles
            || self.motion.contacts
            || self.motion.input
    }
}
