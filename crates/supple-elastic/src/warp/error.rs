//! What can be wrong with a warp, each naming the culprit.

use supple_model::{Instant, VertexId};

/// Why a warp, a point of it or its contacts cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum WarpError {
    /// The factor of the Laplacian does not fit in memory.
    #[error("the warp of {vertices} free vertices does not fit in memory")]
    TooLarge {
        /// How many vertices are free.
        vertices: usize,
    },
    /// Elements so thin that the Laplacian is not positive definite to the last digit.
    #[error("the mesh has elements that are too thin to warp; remesh it")]
    Slivers,
    /// A point or a contact names a vertex that does not exist.
    #[error("there is no {vertex}: the body has {vertices} vertices, counted from 0")]
    NoSuchVertex {
        /// The culprit.
        vertex: VertexId,
        /// How many vertices there are.
        vertices: usize,
    },
    /// A number that is not finite, or a normal without a direction.
    #[error("the normal and weight of the contact or point at {vertex} must be finite and not zero")]
    Degenerate {
        /// The first vertex of the culprit.
        vertex: VertexId,
    },
    /// A site is read before the first frame or after the last.
    #[error("there is no frame {at}: the motion has {frames} frames, counted from 0")]
    NoSuchFrame {
        /// The culprit.
        at: Instant,
        /// How many frames there are.
        frames: usize,
    },
    /// A site of no vertices.
    #[error("a point needs at least one vertex")]
    NoVertices,
}
