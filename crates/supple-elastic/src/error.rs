//! What can be wrong with a body, each naming the culprit.

use supple_model::{ElementId, VertexId};

/// The part of a body an error is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// The material of the whole body.
    Body,
    /// The region of this name.
    Region(String),
    /// The anchored vertices.
    Anchors,
}

impl std::fmt::Display for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Body => f.write_str("the body's material"),
            Self::Region(name) => write!(f, "region \"{name}\""),
            Self::Anchors => f.write_str("the anchors"),
        }
    }
}

/// A body that cannot be built, and which part of it is to blame. Indices count from 0.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ElasticError {
    /// Young's modulus is zero, negative or not a number.
    #[error("{part}: Young's modulus is {value}, but must be a finite number above 0 (pascals)")]
    Young {
        /// Where it was given.
        part: Part,
        /// The culprit.
        value: f64,
    },
    /// Poisson's ratio is outside the range in which a material resists both shear and pressure.
    #[error(
        "{part}: Poisson's ratio is {value}, but must lie between -1 and 0.5, both excluded \
         (0.5 is incompressible; 0.49 comes close)"
    )]
    Poisson {
        /// Where it was given.
        part: Part,
        /// The culprit.
        value: f64,
    },
    /// The density is zero, negative or not a number.
    #[error("{part}: the density is {value}, but must be a finite number above 0 (kg/m³)")]
    Density {
        /// Where it was given.
        part: Part,
        /// The culprit.
        value: f64,
    },
    /// A list of vertices names one that does not exist.
    #[error("{part}: there is no {vertex}: the body has {vertices} vertices (counted from 0)")]
    NoSuchVertex {
        /// Whose list it is.
        part: Part,
        /// The culprit.
        vertex: VertexId,
        /// How many vertices there are.
        vertices: usize,
    },
    /// A list of elements names one that does not exist.
    #[error("{part}: there is no {element}: the body has {elements} elements (counted from 0)")]
    NoSuchElement {
        /// Whose list it is.
        part: Part,
        /// The culprit.
        element: ElementId,
        /// How many elements there are.
        elements: usize,
    },
    /// A region that changes nothing.
    #[error("{part} holds no element (an element belongs to a vertex group when all its vertices do)")]
    EmptyRegion {
        /// The culprit.
        part: Part,
    },
    /// Nothing is left to move.
    #[error("all {vertices} vertices are anchored: nothing is left to move")]
    AllAnchored {
        /// How many vertices there are.
        vertices: usize,
    },
}
