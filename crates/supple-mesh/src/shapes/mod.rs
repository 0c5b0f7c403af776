//! Shapes Supple makes itself: bodies to start from, to test with and to show.
//!
//! - [`box_mesh`]: a regular grid of tets, whose bending has closed forms;
//! - [`beam`], [`bridge`]: bodies with groups and a fine skin, for samples.

mod beam;
mod box_mesh;
mod bridge;

use crate::{TetMesh, TriMesh, VertexGroups};

pub use beam::beam;
pub use box_mesh::box_mesh;
pub use bridge::bridge;

/// A body ready to be used.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// The volume that moves.
    pub mesh: TetMesh,
    /// The fine surface that rides on it.
    pub skin: Option<TriMesh>,
    /// Named parts of the volume.
    pub groups: VertexGroups,
}
