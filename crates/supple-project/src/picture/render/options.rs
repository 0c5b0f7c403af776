//! What is drawn, and how.

use crate::picture::{Colouring, Drawn};
use std::convert::Infallible;
use std::path::PathBuf;
use std::str::FromStr;
use supple_model::VertexId;
use supple_render::{UpAxis, View};

/// What is drawn of a file, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct RenderOptions {
    /// Width and height in pixels, of one picture of a sheet. Without: what suits the kind of picture.
    pub size: Option<[u32; 2]>,
    /// Where the picture is taken from.
    pub camera: CameraOptions,
    /// Which frames, and how they come together.
    pub time: TimeOptions,
    /// What is drawn of a motion.
    pub motion: MotionOptions,
    /// The body of a shot displaced by this mode, counted from 1.
    pub mode: Option<u32>,
    /// The largest displacement of the mode, as a share of the longest side of the body; negative turns it around.
    pub amplitude: f64,
    /// What the colours mean.
    pub colour: Option<Colouring>,
    /// The body or its skin, which must be there then. Without: the skin if there is one.
    pub drawn: Option<Drawn>,
    /// Mark anchored vertices, also of a body with a skin.
    pub anchors: bool,
    /// Draw the edges of triangles.
    pub wireframe: bool,
    /// What it stands on.
    pub floor: FloorOptions,
    /// Write nothing on the picture.
    pub no_caption: bool,
}

impl Default for RenderOptions {
    fn default() -> Self {
        Self {
            size: None,
            camera: CameraOptions::default(),
            time: TimeOptions::default(),
            motion: MotionOptions::default(),
            mode: None,
            amplitude: 0.1,
            colour: None,
            drawn: None,
            anchors: false,
            wireframe: false,
            floor: FloorOptions::default(),
            no_caption: false,
        }
    }
}

/// The floor of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum FloorOptions {
    /// That of the shot's simulation.
    #[default]
    OfShot,
    /// At the lowest point.
    Lowest,
    /// At this height.
    At(f64),
    /// None at all.
    Without,
}

impl FloorOptions {
    /// The height that is asked for.
    pub(super) fn height(self, lowest: impl FnOnce() -> f64) -> Option<f64> {
        match self {
            Self::Lowest => Some(lowest()),
            Self::At(height) => Some(height),
            Self::OfShot | Self::Without => None,
        }
    }
}

/// Where pictures are taken from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CameraOptions {
    /// From which side.
    pub view: View,
    /// The axis that points up, where the file does not tell.
    pub up: Option<UpAxis>,
    /// A camera that is given, instead of a view.
    pub given: Option<GivenCamera>,
    /// The camera orbits once.
    pub turntable: bool,
}

/// A camera that is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GivenCamera {
    /// Where it is.
    pub eye: [f64; 3],
    /// What is in the middle of the picture.
    pub target: [f64; 3],
    /// The vertical field of view in degrees.
    pub degrees: f64,
}

/// Which frames, and how they come together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TimeOptions {
    /// This frame alone.
    pub frame: Option<i32>,
    /// From the first to the last of these.
    pub frames: Option<[i32; 2]>,
    /// Every so many frames.
    pub every: Option<u32>,
    /// Frames per second of a moving picture.
    pub fps: Option<f64>,
    /// So many frames side by side.
    pub sheet: Option<u32>,
    /// So many frames in one picture, later ones stronger.
    pub strobe: Option<u32>,
}

/// A point whose path is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Streamed {
    /// A vertex of the surface.
    Vertex(VertexId),
    /// A joint of a character.
    Joint(String),
}

impl FromStr for Streamed {
    type Err = Infallible;

    /// A number is a vertex, anything else the name of a joint.
    fn from_str(text: &str) -> Result<Self, Infallible> {
        let text = text.trim();
        Ok(text.parse().map_or_else(|_| Self::Joint(text.to_owned()), |v| Self::Vertex(VertexId(v))))
    }
}

/// What is drawn of a motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MotionOptions {
    /// The input of a shot, without its edit.
    pub input: bool,
    /// The input as a ghost beside the edited motion.
    pub ghost: bool,
    /// The spline through the poses of a motion beside it.
    pub spline: bool,
    /// The paths of these points.
    pub streamers: Vec<Streamed>,
    /// The handles of a frame.
    pub handles: bool,
    /// Contacts with their normals.
    pub contacts: bool,
    /// Nothing but the keys it is made of, side by side.
    pub keys: bool,
    /// The mesh of a motion file without faces.
    pub topology: Option<PathBuf>,
    /// The object of a file that has several.
    pub object: Option<String>,
}

impl RenderOptions {
    /// Whether the body itself is drawn.
    pub(super) fn wants_body(&self) -> bool {
        self.drawn == Some(Drawn::Body)
    }

    /// Whether there must be bones.
    pub(super) fn wants_bones(&self) -> bool {
        self.drawn == Some(Drawn::Bones)
    }

    /// Whether there must be a skin.
    pub(super) fn wants_skin(&self) -> bool {
        self.drawn == Some(Drawn::Skin)
    }

    /// Whether anything is said that only a motion has.
    pub(super) fn wants_motion(&self) -> bool {
        let (time, motion) = (&self.time, &self.motion);
        time.frame.is_some()
            || time.frames.is_some()
            || time.every.is_some()
            || time.sheet.is_some()
            || time.strobe.is_some()
            || motion.ghost
            || motion.spline
            || !motion.streamers.is_empty()
            || motion.handles
            || motion.contacts
            || motion.keys
            || motion.input
    }

    /// The axis that points up.
    pub(super) fn up(&self) -> UpAxis {
        self.camera.up.unwrap_or_default()
    }
}
