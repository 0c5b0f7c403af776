//! What is shown of a file: few enough triangles and frames to be held in memory, whatever its size.

use crate::coarse::coarse;
use crate::shot::Axis;
use std::sync::Arc;
use supple_formats::{Scene, SceneObject};

/// About so many triangles all objects together are drawn with, and the fewest and the most of one.
const TRIANGLES: usize = 40_000;
const OF_ONE: [usize; 2] = [100, 20_000];
/// The most frames, and the most points of all of them together: 48 MB.
const FRAMES: usize = 60;
const POINTS: usize = 4_000_000;

/// What is in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct PreviewScene {
    /// The format.
    pub format: &'static str,
    /// How many frames there are.
    pub frames: usize,
    /// The scene's number of the first.
    pub start: i32,
    /// Frames per second.
    pub fps: f64,
    /// Metres in a unit, as far as the file says.
    pub unit: Option<f64>,
    /// The axis that points up, as far as the file says.
    pub up: Option<Axis>,
    /// Its meshes, in the order of the file.
    pub objects: Vec<PreviewObject>,
    /// What was passed over.
    pub notes: Vec<String>,
}

/// A mesh of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct PreviewObject {
    /// Its path.
    pub name: String,
    /// How many vertices it has.
    pub vertices: usize,
    /// How many triangles.
    pub triangles: usize,
    /// Whether it moves.
    pub animated: bool,
    /// The smallest and the largest coordinates in the first frame, in the unit and axes of the file.
    pub bounds: [[f64; 3]; 2],
    /// The triangles that are drawn, between the points that are.
    pub drawn: Vec<[u32; 3]>,
    /// Which of its vertices those points are.
    pub(super) sources: Vec<u32>,
}

/// The points of all objects in a frame.
#[derive(Clone, Debug)]
pub struct PreviewFrame {
    /// Which frame, counted from 0.
    pub index: usize,
    /// The points that are drawn of each object, in the unit and axes of the file.
    pub objects: Vec<Arc<Vec<[f32; 3]>>>,
}

impl PreviewScene {
    pub(super) fn of(scene: &Scene, (start, fps): (i32, f64)) -> Self {
        let about = supple_formats::SceneInfo::of(scene);
        let all: usize = scene.objects.iter().map(|object| object.surface.triangles.len()).sum();
        Self {
            format: about.format,
            frames: scene.frames,
            start,
            fps,
            unit: scene.metres_per_unit,
            up: scene.up.map(crate::source::axis),
            objects: scene.objects.iter().map(|object| PreviewObject::of(object, all)).collect(),
            notes: scene.notes.clone(),
        }
    }

    /// The frames that are read after the first, spread over the motion.
    pub(super) fn wanted(&self) -> Vec<usize> {
        let moving = self.objects.iter().filter(|object| object.animated);
        let points: usize = moving.map(|object| object.sources.len()).sum();
        let count = self.frames.min(FRAMES).min(POINTS / points.max(1)).max(1);
        (1..count).map(|k| k * (self.frames - 1) / (count - 1).max(1)).collect()
    }
}

impl PreviewObject {
    fn of(object: &SceneObject, all: usize) -> Self {
        let surface = &object.surface;
        let points: Vec<[f32; 3]> = surface.positions.iter().map(single).collect();
        let share = surface.triangles.len() as f64 / all.max(1) as f64;
        let most = ((share * TRIANGLES as f64) as usize).clamp(OF_ONE[0], OF_ONE[1]);
        let fewer = coarse(&points, &surface.triangles, most);
        let mut sources: Vec<u32> = fewer.iter().flatten().copied().collect();
        sources.sort_unstable();
        sources.dedup();
        // All of them are in the list they were taken from.
        let place = |v: u32| sources.binary_search(&v).unwrap_or_default() as u32;
        let drawn = fewer.iter().map(|triangle| triangle.map(place)).collect();
        let far = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
        let bounds = surface.positions.iter().fold(far, |[low, high], p| {
            [std::array::from_fn(|c| low[c].min(p[c])), std::array::from_fn(|c| high[c].max(p[c]))]
        });
        Self {
            name: object.name.clone(),
            vertices: surface.positions.len(),
            triangles: surface.triangles.len(),
            animated: object.animated,
            bounds,
            drawn,
            sources,
        }
    }

    /// The points that are drawn, of all.
    pub(super) fn pick(&self, positions: &[[f64; 3]]) -> Vec<[f32; 3]> {
        self.sources.iter().map(|v| single(&positions[*v as usize])).collect()
    }
}

fn single(p: &[f64; 3]) -> [f32; 3] {
    p.map(|x| x as f32)
}
