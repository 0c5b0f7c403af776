//! What can be wrong with a body, each naming the culprit.

use supple_mesh::MeshError;
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

/// A number that must be positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Young's modulus.
    Young,
    /// The mass of a volume.
    Density,
    /// How thick a cloth is.
    Thickness,
    /// How a cloth resists shearing, relative to what Young's modulus and Poisson's ratio say.
    Shear,
    /// How a cloth resists bending.
    Bending,
    /// The force of a spring per change of its length.
    SpringStiffness,
    /// The force of a spring per relative change of its length.
    SpringModulus,
    /// The mass of a vertex.
    VertexMass,
    /// The mass of a length of spring.
    LinearDensity,
}

impl Quantity {
    /// Passes `value` if it is finite and positive; blames `part` otherwise.
    pub(crate) fn check(self, value: f64, part: &Part) -> Result<(), ElasticError> {
        if value.is_finite() && value > 0.0 {
            Ok(())
        } else {
            Err(ElasticError::NotPositive { part: part.clone(), quantity: self, value })
        }
    }

    /// What it is measured in.
    fn unit(self) -> &'static str {
        match self {
            Self::Young => "pascals",
            Self::Density => "kg/m³",
            Self::Thickness => "metres",
            Self::Shear => "1 is isotropic",
            Self::Bending => "newton metres",
            Self::SpringStiffness => "newtons per metre",
            Self::SpringModulus => "newtons",
            Self::VertexMass => "kilograms",
            Self::LinearDensity => "kg/m",
        }
    }
}

impl std::fmt::Display for Quantity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Young => "Young's modulus",
            Self::Density => "the density",
            Self::Thickness => "the thickness",
            Self::Shear => "the shear stiffness",
            Self::Bending => "the bending stiffness",
            Self::SpringStiffness => "the stiffness of a spring",
            Self::SpringModulus => "the force of a spring at twice its length",
            Self::VertexMass => "the mass of a vertex",
            Self::LinearDensity => "the mass per length",
        })
    }
}

/// A body that cannot be built, and which part of it is to blame. Indices count from 0.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ElasticError {
    /// A quantity that must be positive is zero, negative or not a number.
    #[error("{part}: {quantity} must be greater than 0 and finite, got {value} ({})", quantity.unit())]
    NotPositive {
        /// Where it was given.
        part: Part,
        /// What it is.
        quantity: Quantity,
        /// The culprit.
        value: f64,
    },
    /// Poisson's ratio is outside the range in which a material resists both shear and pressure.
    #[error(
        "{part}: Poisson's ratio must be greater than -1 and less than 0.5, got {value} (0.5 would be \
         incompressible; 0.49 is close)"
    )]
    Poisson {
        /// Where it was given.
        part: Part,
        /// The culprit.
        value: f64,
    },
    /// A list of vertices names one that does not exist.
    #[error("{part}: there is no {vertex}: the body has {vertices} vertices, counted from 0")]
    NoSuchVertex {
        /// Whose list it is.
        part: Part,
        /// The culprit.
        vertex: VertexId,
        /// How many vertices there are.
        vertices: usize,
    },
    /// A list of elements names one that does not exist.
    #[error("{part}: there is no {element}: the body has {elements} elements, counted from 0")]
    NoSuchElement {
        /// Whose list it is.
        part: Part,
        /// The culprit.
        element: ElementId,
        /// How many elements there are.
        elements: usize,
    },
    /// A region that changes nothing.
    #[error("{part} contains no element (an element belongs to a vertex group if all its vertices do)")]
    EmptyRegion {
        /// The culprit.
        part: Part,
    },
    /// A spring between two vertices at one place.
    #[error("{element} has no length: its ends coincide")]
    NoLength {
        /// The culprit.
        element: ElementId,
    },
    /// A mesh that serves as a skin but not as a body.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// Nothing is left to move.
    #[error("all {vertices} vertices are anchored, so nothing can move; remove some anchors")]
    AllAnchored {
        /// How many vertices there are.
        vertices: usize,
    },
}
