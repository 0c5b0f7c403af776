//! The points of a mesh over time: the scene is evaluated at the time of a frame.

use crate::scene::{Transform, guarded};
use crate::{FormatError, Problem};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use supple_model::{FrameError, FrameSource};
use ufbx::{AllocatorOpts, EvaluateOpts, SceneRoot};

/// What all objects of a file share.
pub(super) struct Shared {
    pub scene: SceneRoot,
    pub path: PathBuf,
    /// Frame i is the scene's number `first` + i, at time (first + i)/fps.
    pub first: f64,
    pub fps: f64,
    pub frames: usize,
    pub memory_limit: usize,
    /// The frame evaluated last: objects are often read side by side.
    pub recent: Mutex<Option<(usize, SceneRoot)>>,
}

/// What the library may take of memory.
pub(super) fn allocator(memory_limit: usize) -> AllocatorOpts {
    AllocatorOpts { memory_limit, ..AllocatorOpts::default() }
}

/// An error of the library.
pub(super) fn rejected(error: &ufbx::Error) -> FormatError {
    FormatError::whole_file(Problem::rejected("ufbx", &error.description))
}

impl Shared {
    /// The points of a node's mesh at a frame, in world space.
    pub fn points(&self, node: usize, index: usize, positions: &mut [[f64; 3]]) -> Result<(), FormatError> {
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        if recent.as_ref().is_none_or(|(frame, _)| *frame != index) {
            // Not two at a time.
            *recent = None;
            let time = (self.first + index as f64) / self.fps;
            let opts = EvaluateOpts {
                evaluate_skinning: true,
                temp_allocator: allocator(self.memory_limit),
                result_allocator: allocator(self.memory_limit),
                ..EvaluateOpts::default()
            };
            let evaluate = || {
                ufbx::evaluate_scene(&self.scene, &self.scene.anim, time, opts)
                    .map_err(|error| rejected(&error))
            };
            *recent = Some((index, guarded("ufbx", evaluate)?));
        }
        let Some((_, scene)) = recent.as_ref() else {
            return Ok(());
        };
        let node = &scene.nodes[node];
        let Some(mesh) = &node.mesh else {
            return Ok(());
        };
        let points = mesh.skinned_position.values.as_ref();
        if points.len() != positions.len() {
            let (object, what) = (node.element.name.to_string(), "points");
            let (frame, found, expected) = (self.first + index as f64, points.len(), positions.len());
            let problem = Problem::OtherTopology { frame, object, what, found, expected };
            return Err(FormatError::whole_file(problem));
        }
        let place = if mesh.skinned_is_local { matrix(&node.geometry_to_world) } else { Transform::IDENTITY };
        for (vertex, (position, point)) in positions.iter_mut().zip(points).enumerate() {
            *position = place.apply([point.x, point.y, point.z]);
            if let Some(&value) = position.iter().find(|x| !x.is_finite()) {
                let problem = Problem::NotFiniteAt { frame: self.first + index as f64, vertex, value };
                return Err(FormatError::whole_file(problem).of_object(&node.element.name));
            }
        }
        Ok(())
    }
}

/// Columns for x, y and z, and one for the translation.
pub(super) fn matrix(m: &ufbx::Matrix) -> Transform {
    Transform([
        [m.m00, m.m01, m.m02, m.m03],
        [m.m10, m.m11, m.m12, m.m13],
        [m.m20, m.m21, m.m22, m.m23],
        [0.0, 0.0, 0.0, 1.0],
    ])
}

pub(super) struct FbxFrames {
    pub shared: Arc<Shared>,
    pub node: usize,
    pub vertices: usize,
}

impl FrameSource for FbxFrames {
    fn vertices(&self) -> usize {
        self.vertices
    }

    fn frames(&self) -> usize {
        self.shared.frames
    }

    fn read(&mut self, index: usize, positions: &mut [[f64; 3]]) -> Result<(), FrameError> {
        crate::asked::check_asked(self, index, positions);
        let points = self.shared.points(self.node, index, positions);
        points.map_err(|error| error.in_file(&self.shared.path).into())
    }
}
