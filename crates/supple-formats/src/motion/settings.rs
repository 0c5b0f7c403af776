//! What a motion file is to say about itself.

use super::MotionInfo;
use crate::normals::MovingNormals;
use crate::{FormatError, Problem};
use crate::{Scene, SceneObject, SurfaceFile, Up};
use supple_model::Frame;

/// What a new motion file is to say about itself.
#[derive(Clone, Debug, PartialEq)]
pub struct MotionSettings {
    /// How many vertices each frame will have.
    pub vertices: usize,
    /// The scene's number of the first frame. A series of files needs a whole one, from 0.
    pub start: f64,
    /// How many frames of the scene lie between two of the file. A series of files needs 1.
    pub step: f64,
    /// Frames of the scene per second, for the times of an MDD: frame i is at (start + i·step) / fps.
    pub fps: f64,
    /// The times of an MDD in seconds where they are not even, instead of those; beyond their end it
    /// goes on evenly. Empty for even times.
    pub times: Vec<f64>,
    /// How many frames are likely to come. There may be more or fewer: then an MDD is copied once in
    /// place. A series of files takes the place of older files of its name only as far as this says.
    pub expected_frames: usize,
    /// The path of the object, as `/root/cape`, where the format has names.
    pub name: String,
    /// How long a unit is, in metres, where the format says; a metre where nothing is said.
    pub metres_per_unit: Option<f64>,
    /// Which axis points up, where the format says; y where nothing is said.
    pub up: Option<Up>,
}

impl MotionSettings {
    /// A motion of whole frames of the scene, from `start` on.
    #[must_use]
    pub fn new(vertices: usize, start: Frame, fps: f64, expected_frames: usize) -> Self {
        let start = f64::from(start.0);
        Self { vertices, start, step: 1.0, fps, times: Vec::new(), expected_frames, ..Self::unnamed() }
    }

    /// The settings that write again what was read, header and all; where the file leaves it open,
    /// from frame 1 with these frames per second.
    #[must_use]
    pub fn like(info: &MotionInfo, fps: f64) -> Self {
        Self {
            vertices: info.vertices,
            start: info.start.unwrap_or(1.0),
            step: info.step,
            fps: info.fps.unwrap_or(fps),
            times: info.times.clone(),
            expected_frames: info.frames,
            ..Self::unnamed()
        }
    }

    fn unnamed() -> Self {
        Self {
            vertices: 0,
            start: 1.0,
            step: 1.0,
            fps: 24.0,
            times: Vec::new(),
            expected_frames: 1,
            name: "/mesh".to_owned(),
            metres_per_unit: None,
            up: None,
        }
    }

    /// The settings that write an object of a scene again.
    #[must_use]
    pub fn of_scene(scene: &Scene, object: &SceneObject) -> Self {
        Self {
            vertices: object.surface.positions.len(),
            start: scene.start.map_or(1.0, |start| f64::from(start.0)),
            fps: scene.fps.unwrap_or(24.0),
            expected_frames: scene.frames,
            name: object.name.clone(),
            metres_per_unit: scene.metres_per_unit,
            up: scene.up,
            ..Self::unnamed()
        }
    }

    /// The normals of a surface that moves, where it has some. One frame alone keeps those of the file.
    pub(crate) fn moving_normals(&self, surface: &SurfaceFile) -> Option<MovingNormals> {
        if self.expected_frames == 1 { None } else { MovingNormals::of(surface) }
    }

    /// The scene's number of the frame at `index`.
    pub(crate) fn number(&self, index: usize) -> f64 {
        self.start + self.step * index as f64
    }

    /// The time in seconds of the frame at `index`.
    pub(crate) fn time(&self, index: usize) -> f64 {
        match (self.times.get(index), self.times.last()) {
            (Some(&time), _) => time,
            (None, Some(last)) => last + (index + 1 - self.times.len()) as f64 * self.step / self.fps,
            (None, None) => self.number(index) / self.fps,
        }
    }

    pub(crate) fn check(&self) -> Result<(), FormatError> {
        let whole = |problem| Err(FormatError::whole_file(problem));
        let is_single = |x: f64| (x as f32).is_finite();
        if self.vertices == 0 {
            return whole(Problem::Empty("vertices"));
        }
        for (what, value) in [("frames per second", self.fps), ("a step between frames", self.step)] {
            // Also false for NaN. As f32, since what is so small that it becomes 0 there is none.
            if !(value as f32 > 0.0 && is_single(value)) {
                return whole(Problem::Expected {
                    expected: format!("{what} above 0"),
                    found: value.to_string(),
                });
            }
        }
        match self.times.iter().chain([&self.start]).find(|&&x| !is_single(x)) {
            Some(x) => whole(Problem::NotFinite(format!("a start or time of {x:?}"))),
            None => Ok(()),
        }
    }
}
