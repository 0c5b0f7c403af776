//! What is in a file of a mesh.

use crate::{SurfaceFile, VolumeFile};

/// What a mesh file turned out to hold.
#[derive(Clone, Debug, PartialEq)]
pub enum MeshFile {
    /// A surface.
    Surface(SurfaceFile),
    /// Volume elements.
    Volume(VolumeFile),
}
