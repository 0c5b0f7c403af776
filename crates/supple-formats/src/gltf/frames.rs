//! The points of a mesh over time: morphed, skinned, placed.

use super::accessor::Arrays;
use super::animation::Tracks;
use super::nodes::Nodes;
use super::skin::Skin;
use super::surface::Shape;
use crate::scene::{Placement, Transform};
use crate::{FormatError, Problem};
use std::path::PathBuf;
use std::sync::Arc;
use supple_model::{FrameError, FrameSource};

/// What all objects of a file share.
pub(super) struct Shared {
    pub arrays: Arrays,
    pub nodes: Nodes,
    pub tracks: Vec<Tracks>,
    pub path: PathBuf,
    /// Frame i is the scene's number `first` + i, at time (first + i)/fps.
    pub first: f64,
    pub fps: f64,
    pub frames: usize,
}

impl Shared {
    pub fn time(&self, index: usize) -> f64 {
        (self.first + index as f64) / self.fps
    }
}

pub(super) struct MorphFrames {
    pub shared: Arc<Shared>,
    pub object: String,
    pub node: usize,
    pub shape: Shape,
    pub skin: Option<Skin>,
    pub placement: Placement,
    /// The points of the mesh without morph targets.
    pub base: Vec<[f64; 3]>,
    pub vertices: usize,
}

impl MorphFrames {
    fn weights(&self, time: f64) -> Vec<f64> {
        let document = &self.shared.arrays.document;
        let node = &document.nodes[self.node];
        if let Some(track) = &self.shared.tracks[self.node].weights {
            return track.at(time, false);
        }
        if !node.weights.is_empty() {
            return node.weights.clone();
        }
        node.mesh
            .and_then(|mesh| document.meshes.get(mesh))
            .map(|mesh| mesh.weights.clone())
            .unwrap_or_default()
    }

    /// The points of a frame in world space.
    pub fn read_frame(&self, index: usize, positions: &mut [[f64; 3]]) -> Result<(), FormatError> {
        let shared = &self.shared;
        let time = shared.time(index);
        let mut points = self.base.clone();
        let weights = self.weights(time);
        for part in &self.shape.parts {
            for (target, weight) in part.targets.iter().zip(&weights) {
                let Some(target) = target.filter(|_| *weight != 0.0) else {
                    continue;
                };
                let moved = shared.arrays.points(target)?;
                for (point, d) in points[part.first..part.first + part.vertices].iter_mut().zip(&moved) {
                    for i in 0..3 {
                        point[i] += weight * d[i];
                    }
                }
            }
        }
        if let Some(skin) = &self.skin {
            skin.apply(&skin.matrices(&shared.arrays, &shared.nodes, &shared.tracks, time), &mut points);
        }
        let placement = self.placement.at(index);
        if placement != Transform::IDENTITY {
            points.iter_mut().for_each(|point| *point = placement.apply(*point));
        }
        match &self.shape.sources {
            None => positions.copy_from_slice(&points),
            Some(sources) => {
                sources.iter().zip(&points).for_each(|(vertex, point)| positions[*vertex as usize] = *point);
            }
        }
        for (vertex, position) in positions.iter().enumerate() {
            if let Some(&value) = position.iter().find(|x| !x.is_finite()) {
                let frame = shared.first + index as f64;
                let error = FormatError::whole_file(Problem::NotFiniteAt { frame, vertex, value });
                return Err(error.of_object(&self.object));
            }
        }
        Ok(())
    }
}

impl FrameSource for MorphFrames {
    fn vertices(&self) -> usize {
        self.vertices
    }

    fn frames(&self) -> usize {
        self.shared.frames
    }

    fn read(&mut self, index: usize, positions: &mut [[f64; 3]]) -> Result<(), FrameError> {
        crate::asked::check_asked(self, index, positions);
        self.read_frame(index, positions).map_err(|error| error.in_file(&self.shared.path).into())
    }
}
