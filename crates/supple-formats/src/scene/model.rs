//! What a scene holds.

use super::Transform;
use crate::SurfaceFile;
use std::fmt;
use supple_model::{Frame, FrameError, FrameSource};

/// The formats of scenes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SceneFormat {
    /// Universal scene description: `.usda`, `.usdc`, `.usd`, `.usdz`.
    Usd,
    /// glTF: `.gltf`, `.glb`.
    Gltf,
    /// Autodesk's exchange format, `.fbx`.
    Fbx,
    /// Alembic, `.abc`, which another program has converted.
    Alembic,
    /// One mesh that does not move.
    Mesh,
    /// A motion file or series of meshes.
    Motion,
}

impl SceneFormat {
    /// What it is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Usd => "usd",
            Self::Gltf => "gltf",
            Self::Fbx => "fbx",
            Self::Alembic => "alembic",
            Self::Mesh => "mesh",
            Self::Motion => "motion",
        }
    }
}

/// Which axis points up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Up {
    /// x.
    X,
    /// y, as in Maya, Houdini and glTF.
    Y,
    /// z, as in Blender.
    Z,
}

impl Up {
    /// Its letter.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Self::X => 'X',
            Self::Y => 'Y',
            Self::Z => 'Z',
        }
    }
}

/// A file of animated surfaces. Positions are in its own unit and axes; what it leaves open is `None`.
#[derive(Debug)]
pub struct Scene {
    /// The format.
    pub format: SceneFormat,
    /// Its meshes, at least one.
    pub objects: Vec<SceneObject>,
    /// How long its unit of length is, in metres.
    pub metres_per_unit: Option<f64>,
    /// Which axis points up.
    pub up: Option<Up>,
    /// Frames per second.
    pub fps: Option<f64>,
    /// The scene's number of the first frame.
    pub start: Option<Frame>,
    /// How many frames all objects have, at least one; a still scene has one.
    pub frames: usize,
    /// USD counts time in codes: so many lie between two frames. Otherwise 1.
    pub codes_per_frame: f64,
    /// What was passed over, a sentence each.
    pub notes: Vec<String>,
}

/// A mesh of a scene.
pub struct SceneObject {
    /// Its path, as `/root/cape`; a file without names has the name of the file.
    pub name: String,
    /// The mesh where it is in the first frame, in world space.
    pub surface: SurfaceFile,
    /// Its rest shape, where the file has one: a `rest` or `Pref` primvar or the bind pose, placed where the
    /// object is in the first frame.
    pub rest: Option<Vec<[f64; 3]>>,
    /// Its points in world space, frame after frame.
    pub frames: Box<dyn FrameSource>,
    /// Where its own space is in the world, which export undoes.
    pub placement: Placement,
    /// Whether it moves at all.
    pub animated: bool,
    /// What the file holds besides that follows from the points and is wrong once they are others, as
    /// normals: attributes that an `over` layer renews or blocks.
    pub derived: Vec<String>,
    /// The paths above it that USD shares between instances: an `over` layer has to part them.
    pub instances: Vec<String>,
    /// How the corners of its faces stand in the file.
    pub(crate) corners: CornerOrder,
}

/// The corners of the faces in a file, and those of the surface that was read from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CornerOrder {
    /// The same.
    Same,
    /// Each face the other way around, its first corner being the same.
    Turned,
    /// The surface has only a part of them.
    Fewer,
}

impl fmt::Debug for SceneObject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SceneObject")
            .field("name", &self.name)
            .field("vertices", &self.surface.positions.len())
            .field("triangles", &self.surface.triangles.len())
            .field("frames", &self.frames.frames())
            .field("animated", &self.animated)
            .finish_non_exhaustive()
    }
}

/// Where an object's own space is in the world: p_world = M·p.
#[derive(Clone, Debug, PartialEq)]
pub enum Placement {
    /// The same in all frames.
    Still(Transform),
    /// One for each frame.
    Moving(Vec<Transform>),
}

impl Placement {
    /// The one of a frame, counted from 0; beyond the last frame it stays.
    #[must_use]
    pub fn at(&self, index: usize) -> Transform {
        match self {
            Self::Still(transform) => *transform,
            Self::Moving(all) => all.get(index).or(all.last()).copied().unwrap_or(Transform::IDENTITY),
        }
    }

    /// All frames, or one when they are the same.
    pub(crate) fn of(all: Vec<Transform>) -> Self {
        match all.split_first() {
            Some((first, rest)) if rest.iter().all(|other| other == first) => Self::Still(*first),
            _ => Self::Moving(all),
        }
    }
}

/// The frames of what does not move.
pub(crate) struct StillFrames {
    pub positions: Vec<[f64; 3]>,
    pub frames: usize,
}

impl FrameSource for StillFrames {
    fn vertices(&self) -> usize {
        self.positions.len()
    }

    fn frames(&self) -> usize {
        self.frames
    }

    fn read(&mut self, index: usize, positions: &mut [[f64; 3]]) -> Result<(), FrameError> {
        crate::asked::check_asked(self, index, positions);
        positions.copy_from_slice(&self.positions);
        Ok(())
    }
}
