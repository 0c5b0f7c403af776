//! Why a solid cannot be filled.

use crate::{MeshError, Vec3};
use supple_model::Cancelled;

/// A solid that cannot be filled, and why.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FillError {
    /// A cell size or a box that makes no lattice.
    #[error("a box of {} × {} × {} cannot be filled with cells of size {cell}", size.x, size.y, size.z)]
    Settings {
        /// The size of the box.
        size: Vec3,
        /// The cell size.
        cell: f64,
    },
    /// Nothing that has a size.
    #[error("the surface has no size: its points coincide or lie on a line, so no triangle has an area")]
    NoSize,
    /// A lattice that would take too much memory.
    #[error("filling needs {cells:.0} cells, but the limit is {limit}; use cells larger than {cell}")]
    TooManyCells {
        /// How many there would be.
        cells: f64,
        /// How many are allowed.
        limit: usize,
        /// The cell size asked for.
        cell: f64,
    },
    /// The function is NaN or infinite at a point.
    #[error("the implicit function of the solid is not finite at ({}, {}, {})", at.x, at.y, at.z)]
    NonFinite {
        /// The culprit.
        at: Vec3,
    },
    /// A surface that is not closed, not even nearly.
    #[error(
        "the surface encloses no volume: it is an open sheet, or some faces are flipped (the winding number \
         inside a closed surface is 1, here it is at most {winding:.2})"
    )]
    Open {
        /// The largest winding number found beside its triangles.
        winding: f64,
    },
    /// No lattice point is inside.
    #[error("the solid is empty, or thinner than its cells of size {cell}; use smaller cells")]
    Nothing {
        /// The cell size.
        cell: f64,
    },
    /// The solid reaches beyond the box.
    #[error("the solid reaches beyond its bounds at ({}, {}, {})", at.x, at.y, at.z)]
    BeyondBounds {
        /// A point of the solid outside the box.
        at: Vec3,
    },
    /// The tets do not make a mesh.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The caller cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}
