//! What can be wrong with a mesh, each naming the culprit.

use supple_model::{ElementId, VertexId};

/// A mesh that cannot be used, and which part of it is to blame. Indices count from 0.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MeshError {
    /// No vertices or no elements at all.
    #[error("the mesh has no {0}")]
    Empty(&'static str),
    /// A coordinate is NaN or infinite.
    #[error("{vertex} has a coordinate that is not a finite number")]
    NonFinite {
        /// The culprit.
        vertex: VertexId,
    },
    /// An element refers to a vertex that does not exist.
    #[error("{element} uses vertex {index}, but there are only {vertices} vertices, counted from 0")]
    BadIndex {
        /// The culprit.
        element: ElementId,
        /// What it refers to.
        index: u32,
        /// How many vertices there are.
        vertices: usize,
    },
    /// An element uses one vertex twice.
    #[error("{element} uses {vertex} twice")]
    RepeatedVertex {
        /// The culprit.
        element: ElementId,
        /// The vertex it repeats.
        vertex: VertexId,
    },
    /// A triangle without area.
    #[error("{element} has no area: its corners lie on a line")]
    ZeroArea {
        /// The culprit.
        element: ElementId,
    },
    /// A tet without volume.
    #[error("{element} has no volume: its corners lie in a plane")]
    ZeroVolume {
        /// The culprit.
        element: ElementId,
    },
    /// A tet that is inside out.
    #[error("{element} has negative volume {volume:e}; swap two of its vertices")]
    NegativeVolume {
        /// The culprit.
        element: ElementId,
        /// Its signed volume.
        volume: f64,
    },
    /// A voxel that is flat or turned inside out somewhere.
    #[error(
        "{element} is flat or inverted: its Jacobian falls to {jacobian:e}; order its corners as 000, 100, \
         110, 010, 001, 101, 111, 011 of a cube"
    )]
    Folded {
        /// The culprit.
        element: ElementId,
        /// The least Jacobian of its corners and Gauss points, unit cube to space.
        jacobian: f64,
    },
    /// A vertex no element uses.
    #[error("{vertex} belongs to no element")]
    IsolatedVertex {
        /// The culprit.
        vertex: VertexId,
    },
    /// Two elements on the same vertices.
    #[error("{second} repeats {first}: both have the same vertices")]
    DuplicateElement {
        /// The one that comes first.
        first: ElementId,
        /// The one that repeats it.
        second: ElementId,
    },
}
