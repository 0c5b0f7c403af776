//! The edited motion for the eye: frames from a copy of the modes in single precision, never read back.

use super::DragMethod;
use crate::body::Skin;
use std::sync::Arc;
use supple_elastic::{DisplayBasis, WarpedMotion};
use supple_mesh::Vec3;
use supple_spacetime::{Order, Path};

/// Plays an edit while it changes.
#[derive(Debug)]
pub struct Playback {
    motion: Arc<WarpedMotion>,
    modes: DisplayBasis,
}

impl DragMethod {
    /// A player of this motion, with its own copy of the modes; it serves until the edit is baked.
    #[must_use]
    pub fn playback(&self) -> Playback {
        Playback { motion: self.motion.clone(), modes: self.motion.basis().display() }
    }
}

impl Playback {
    /// Overwrites `displacement`, three numbers per vertex, with a frame under an edit, to single precision.
    ///
    /// # Panics
    /// When there is no such frame, or the path is of other modes.
    pub fn frame(&self, path: &Path, index: usize, displacement: &mut [f64]) {
        let mut edit = vec![0.0; displacement.len()];
        self.modes.displacement(&self.z(path, index), &mut edit);
        self.motion.apply(index, &edit, displacement);
    }

    /// z of a frame.
    pub(crate) fn z(&self, path: &Path, index: usize) -> Vec<f64> {
        let mut z = vec![0.0; self.modes.modes()];
        path.at(index, Order::Position, &mut z);
        z
    }

    /// The copy of the modes.
    pub(crate) fn modes(&self) -> &DisplayBasis {
        &self.modes
    }
}

impl Skin {
    /// Overwrites `positions` with the skin of a body that is displaced, three numbers per vertex of the body.
    ///
    /// # Panics
    /// When there are not as many numbers as the body has, or positions as the skin has vertices.
    pub fn follow(&self, displacement: &[f64], positions: &mut [Vec3]) {
        let moved: Vec<Vec3> = displacement.chunks_exact(3).map(Vec3::from_column_slice).collect();
        self.embedding.displace(self.mesh.positions(), &moved, positions);
    }
}
