//! The motion of a cloth whose every vertex has one of the skin on it, read off the skin.

use super::{InputMotion, Moving};
use crate::body::{Body, RestMesh};
use supple_model::{FrameError, FrameSource};

/// The vertex of the skin on each one of the body; `None` where some have none.
pub(super) fn sources(body: &Body) -> Option<Vec<usize>> {
    let (Some(skin), RestMesh::Triangles(_)) = (&body.skin, &body.rest) else { return None };
    let mut sources = vec![None; body.positions().len()];
    for (s, leader) in skin.weld.leaders().iter().enumerate().filter(|(s, leader)| leader.index() == *s) {
        let (corners, weights) = skin.embedding.row(*leader);
        for (vertex, _) in corners.iter().zip(weights).filter(|(_, weight)| **weight == 1.0) {
            let is_there = body.positions()[vertex.index()] == skin.mesh.positions()[s];
            let source: &mut Option<usize> = &mut sources[vertex.index()];
            *source = source.or(is_there.then_some(s));
        }
    }
    sources.into_iter().collect()
}

/// The motion of the body in that of its skin.
pub(super) fn read_off(skin: InputMotion, sources: Vec<usize>) -> InputMotion {
    let room = vec![[0.0; 3]; skin.vertices()];
    let source = Box::new(Picked { frames: skin.source, sources, room });
    InputMotion { of: Moving::Body, source, ..skin }
}

/// Some of the points of each frame.
struct Picked {
    frames: Box<dyn FrameSource>,
    sources: Vec<usize>,
    room: Vec<[f64; 3]>,
}

impl FrameSource for Picked {
    fn vertices(&self) -> usize {
        self.sources.len()
    }

    fn frames(&self) -> usize {
        self.frames.frames()
    }

    fn read(&mut self, index: usize, positions: &mut [[f64; 3]]) -> Result<(), FrameError> {
        self.frames.read(index, &mut self.room)?;
        positions.iter_mut().zip(&self.sources).for_each(|(p, source)| *p = self.room[*source]);
        Ok(())
    }
}
