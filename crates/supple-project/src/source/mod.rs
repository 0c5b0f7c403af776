//! Files that tell what moves: one object of each, its frames in metres with y up.

mod carried;
mod error;
mod space;
mod weld;

pub use error::SourceError;
pub(crate) use space::axis;
pub use space::{Space, UNITS, UnitError, parse_unit};
pub(crate) use weld::weld_of;

use crate::shot::{Axis, Input, Motion, Shot};
use std::path::{Path, PathBuf};
use supple_formats::{
    FormatError, MeshFile, Scene, SceneObject, SurfaceFile, is_motion_path, load_mesh, open_motion,
    open_scene,
};
use supple_model::{Frame, FrameError, FrameSource};

/// A file, which of its objects is meant, and what it does not say itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MotionFile {
    /// The file, or the pattern of a series.
    pub path: PathBuf,
    /// The mesh whose faces a point cache has.
    pub topology: Option<PathBuf>,
    /// The object, by its path or the end of it.
    pub object: Option<String>,
    /// Metres in a unit.
    pub unit: Option<f64>,
    /// The axis that points up.
    pub up: Option<Axis>,
}

impl MotionFile {
    /// The file of a shot's input, with the skin for the faces of a point cache; `None` where it has none, as when its
    /// frames are given in memory.
    pub(crate) fn of_shot(shot: &Shot) -> Option<Self> {
        let Input::File(path) = &shot.motion.input else { return None };
        if shot.given_motion().is_some() {
            return None;
        }
        let Motion { object, topology, unit, up, .. } = &shot.motion;
        let topology = topology.as_ref().map(|path| shot.resolve(path));
        Some(Self { path: shot.resolve(path), topology, object: object.clone(), unit: *unit, up: *up })
    }
}

/// One object of a file.
#[derive(Debug)]
pub(crate) struct Source {
    pub scene: Scene,
    /// Which of the scene's objects.
    pub object: usize,
    pub space: Space,
}

impl Source {
    /// Opens the object that is meant: the one that is named, the only one, or the only one that moves.
    pub fn open(file: &MotionFile) -> Result<Self, SourceError> {
        Self::of_scene(open(file)?, file)
    }

    /// The same in a scene that was opened.
    pub fn of_scene(scene: Scene, file: &MotionFile) -> Result<Self, SourceError> {
        let object = choose(&scene, file)?;
        let unit = file.unit.or(scene.metres_per_unit).unwrap_or(1.0);
        let up = file.up.or(scene.up.map(axis)).unwrap_or(Axis::Y);
        Ok(Self { scene, object, space: Space { unit, up } })
    }

    pub fn object(&self) -> &SceneObject {
        &self.scene.objects[self.object]
    }

    /// How many vertices the object has.
    pub fn vertices(&self) -> usize {
        self.object().surface.positions.len()
    }

    /// The scene's number of the first frame.
    pub fn start(&self) -> Frame {
        self.scene.start.filter(|start| Motion::is_start(start.0)).unwrap_or(Frame(Motion::START))
    }

    pub fn fps(&self) -> f64 {
        self.scene.fps.unwrap_or(Motion::FPS)
    }

    /// Its frames, inside.
    pub fn into_frames(mut self) -> Inside {
        let frames = self.scene.objects.swap_remove(self.object).frames;
        Inside { frames, space: self.space }
    }

    /// Reads a frame, inside.
    pub fn read(&mut self, index: usize, positions: &mut [[f64; 3]]) -> Result<(), FrameError> {
        let space = self.space;
        self.scene.objects[self.object].frames.read(index, positions)?;
        positions.iter_mut().for_each(|p| *p = space.inside(*p));
        Ok(())
    }
}

/// Frames of a file, taken inside as they are read.
pub(crate) struct Inside {
    pub frames: Box<dyn FrameSource>,
    pub space: Space,
}

impl Inside {
    /// Reads a frame as the file has it.
    pub fn read_outside(&mut self, index: usize, positions: &mut [[f64; 3]]) -> Result<(), FrameError> {
        self.frames.read(index, positions)
    }
}

impl FrameSource for Inside {
    fn vertices(&self) -> usize {
        self.frames.vertices()
    }

    fn frames(&self) -> usize {
        self.frames.frames()
    }

    fn read(&mut self, index: usize, positions: &mut [[f64; 3]]) -> Result<(), FrameError> {
        self.frames.read(index, positions)?;
        if !self.space.is_inside() {
            positions.iter_mut().for_each(|p| *p = self.space.inside(*p));
        }
        Ok(())
    }
}

/// The frames of a shot's input as whoever made them has them: in their own unit and axes.
pub struct OwnFrames(Inside);

impl OwnFrames {
    /// Those of a shot; `None` where its input has no points: it is no file and not in memory, or it is of a skeleton.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn of(shot: &Shot) -> Result<Option<Self>, SourceError> {
        if matches!(&shot.motion.input, Input::File(file) if supple_formats::is_rig_path(file)) {
            return Ok(None);
        }
        Ok(frames_of(shot)?.map(|(_, frames, ..)| Self(frames)))
    }

    /// How many points a frame has.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.0.vertices()
    }

    /// Overwrites `positions` with the frame at `index`, counted from 0.
    ///
    /// # Errors
    /// When it cannot be read.
    ///
    /// # Panics
    /// When there is no such frame, or not one position per point.
    pub fn read(&mut self, index: usize, positions: &mut [[f64; 3]]) -> Result<(), FrameError> {
        self.0.read_outside(index, positions)
    }
}

impl std::fmt::Debug for OwnFrames {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OwnFrames").field("vertices", &self.vertices()).finish_non_exhaustive()
    }
}

/// A file, its frames inside, the number of the first and how many a second has, as far as it says.
pub(crate) type Frames = (PathBuf, Inside, Option<Frame>, Option<f64>);

/// The frames of a shot's file, in metres with y up; `None` where it has no file.
pub(crate) fn frames_of(shot: &Shot) -> Result<Option<Frames>, SourceError> {
    if let (Some(given), Input::File(name)) = (shot.given_motion(), &shot.motion.input) {
        let (start, fps) = (given.clock.start, given.clock.fps);
        let frames = Inside { frames: Box::new(given.clone()), space: Space::of_shot(shot)? };
        return Ok(Some((name.clone(), frames, Some(start), Some(fps))));
    }
    let Some(file) = MotionFile::of_shot(shot) else { return Ok(None) };
    if !is_motion_path(&file.path) {
        let source = Source::open(&file)?;
        let (start, fps) = (source.scene.start, source.scene.fps);
        return Ok(Some((file.path, source.into_frames(), start, fps)));
    }
    // Points are all that is needed, whether or not there are faces.
    let frames = open_motion(&file.path)?;
    let (start, fps) = (frames.info().start_frame(), frames.info().fps);
    let space = Space::of_shot(shot)?;
    Ok(Some((file.path, Inside { frames, space }, start, fps)))
}

/// A scene; a point cache takes its faces from the mesh that is named.
pub(crate) fn open(file: &MotionFile) -> Result<Scene, SourceError> {
    if !is_motion_path(&file.path) {
        return Ok(open_scene(&file.path)?);
    }
    let motion = open_motion(&file.path)?;
    let topology = file.topology.as_deref().map(surface).transpose()?;
    if topology.is_none() && motion.topology().is_none() {
        return Err(SourceError::NeedsTopology { file: file.path.clone() });
    }
    let named = |error: FormatError| if error.path.is_some() { error } else { error.in_file(&file.path) };
    Ok(Scene::of_motion(motion, topology, &file.path).map_err(named)?)
}

/// The surface in a file.
pub(crate) fn surface(path: &Path) -> Result<SurfaceFile, SourceError> {
    match load_mesh(path)? {
        MeshFile::Surface(surface) => Ok(surface),
        MeshFile::Volume(_) => Err(SourceError::NotASurface { file: path.to_path_buf() }),
    }
}

/// The object that is meant: the one that is named, the only one, or the only one that moves.
pub(crate) fn choose(scene: &Scene, file: &MotionFile) -> Result<usize, SourceError> {
    let objects = &scene.objects;
    let told = |chosen: &[usize]| chosen.iter().map(|o| description(&objects[*o])).collect::<Vec<_>>();
    let all: Vec<usize> = (0..objects.len()).collect();
    let path = file.path.clone();
    let Some(asked) = &file.object else {
        let moving: Vec<usize> = all.iter().copied().filter(|o| objects[*o].animated).collect();
        return match (all.as_slice(), moving.as_slice()) {
            ([one], _) | (_, [one]) => Ok(*one),
            _ => Err(SourceError::Several { file: path, objects: told(&all) }),
        };
    };
    if let Some(exact) = objects.iter().position(|object| object.name == *asked) {
        return Ok(exact);
    }
    let ends =
        |o: &usize| objects[*o].name.strip_suffix(asked.as_str()).is_some_and(|rest| rest.ends_with('/'));
    let found: Vec<usize> = all.iter().copied().filter(ends).collect();
    match found.as_slice() {
        [one] => Ok(*one),
        [] => Err(SourceError::NoObject { file: path, asked: asked.clone(), objects: told(&all) }),
        several => Err(SourceError::Ambiguous { file: path, asked: asked.clone(), objects: told(several) }),
    }
}

fn description(object: &SceneObject) -> String {
    let moves = if object.animated { "animated" } else { "static" };
    format!("{} ({} vertices, {moves})", object.name, object.surface.positions.len())
}
