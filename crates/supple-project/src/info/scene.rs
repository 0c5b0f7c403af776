//! What is in a scene. Every frame of what moves is read once, one at a time, so a damaged one is found here.

use super::{BoundsInfo, GroupInfo, InfoError};
use serde::Serialize;
use std::path::Path;
use supple_formats::{SceneObject, open_scene};
use supple_model::Progress;

/// A scene of animated surfaces.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SceneInfo {
    /// The format.
    pub format: &'static str,
    /// How many frames there are.
    pub frames: usize,
    /// The scene's number of the first, as far as the file says.
    pub start: Option<i32>,
    /// Frames per second, as far as the file says.
    pub fps: Option<f64>,
    /// Metres in a unit, as far as the file says.
    pub unit: Option<f64>,
    /// The axis that points up, as far as the file says.
    pub up: Option<String>,
    /// Its meshes, in the order of the file.
    pub objects: Vec<ObjectInfo>,
    /// What was passed over.
    pub notes: Vec<String>,
}

/// A mesh of a scene.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ObjectInfo {
    /// Its path.
    pub name: String,
    /// How many vertices.
    pub vertices: usize,
    /// How many triangles its faces are.
    pub triangles: usize,
    /// Whether it moves.
    pub animated: bool,
    /// A box around all frames, in world space and the unit of the file.
    pub bounds: Option<BoundsInfo>,
    /// The farthest any point goes from one frame to the next.
    pub largest_step: f64,
    /// What it carries: some of "rest", "normals", "uvs", "colours", "materials", "groups", "transform".
    pub attributes: Vec<&'static str>,
    /// Named parts.
    pub vertex_groups: Vec<GroupInfo>,
}

impl SceneInfo {
    pub(super) fn of(path: &Path, progress: &Progress) -> Result<Self, InfoError> {
        let mut scene = open_scene(path)?;
        let about = supple_formats::SceneInfo::of(&scene);
        let count = scene.objects.len();
        let mut objects = Vec::with_capacity(count);
        for (k, (object, about)) in scene.objects.iter_mut().zip(about.objects).enumerate() {
            let part = progress.part(k as f64 / count as f64, (k + 1) as f64 / count as f64);
            objects.push(ObjectInfo::of(object, about, &part)?);
        }
        Ok(Self {
            format: about.format,
            frames: about.frames,
            start: about.start.map(|start| start.0),
            fps: about.fps,
            unit: about.metres_per_unit,
            up: about.up.map(|up| up.letter().to_lowercase().to_string()),
            objects,
            notes: about.notes,
        })
    }
}

impl ObjectInfo {
    fn of(
        object: &mut SceneObject,
        about: supple_formats::ObjectInfo,
        progress: &Progress,
    ) -> Result<Self, InfoError> {
        let frames = if object.animated { object.frames.frames() } else { 1 };
        let mut now = object.surface.positions.clone();
        let mut before = now.clone();
        let (mut min, mut max) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        let mut largest: f64 = 0.0;
        for index in 0..frames {
            progress.report("reading", index as f64 / frames as f64)?;
            object.frames.read(index, &mut now)?;
            for (p, q) in now.iter().zip(&before) {
                let mut step = 0.0;
                for c in 0..3 {
                    (min[c], max[c]) = (min[c].min(p[c]), max[c].max(p[c]));
                    step += (p[c] - q[c]) * (p[c] - q[c]);
                }
                largest = largest.max(step);
            }
            std::mem::swap(&mut now, &mut before);
        }
        let vertex_groups = about.groups.into_iter().map(|(name, size)| GroupInfo { name, size }).collect();
        Ok(Self {
            name: about.name,
            vertices: about.vertices,
            triangles: about.triangles,
            animated: about.animated,
            bounds: (!now.is_empty()).then_some(BoundsInfo { min, max }),
            largest_step: largest.sqrt(),
            attributes: about.attributes,
            vertex_groups,
        })
    }
}
