//! Why a simulation does not start or go on, each naming the culprit.

use supple_model::{Cancelled, VertexId};
use supple_numerics::sparse::FactorError;

/// What a simulation cannot use, or where it came to an end.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SimulationError {
    /// A setting that must be positive.
    #[error("{name} must be greater than 0 and finite, got {value}")]
    NotPositive {
        /// Which.
        name: &'static str,
        /// The culprit.
        value: f64,
    },
    /// A setting that must not be negative.
    #[error("{name} must be at least 0 and finite, got {value}")]
    Negative {
        /// Which.
        name: &'static str,
        /// The culprit.
        value: f64,
    },
    /// Gravity that is not a number.
    #[error("gravity must be three finite numbers, got {gravity:?}")]
    Gravity {
        /// The culprit.
        gravity: [f64; 3],
    },
    /// A vector of another body.
    #[error("{name} must have {expected} numbers, three per vertex, got {found}")]
    Length {
        /// Which.
        name: &'static str,
        /// Three per vertex.
        expected: usize,
        /// What was given.
        found: usize,
    },
    /// An infinite number, or none.
    #[error("{name} of {vertex} must be finite numbers")]
    NotFinite {
        /// Which.
        name: &'static str,
        /// The culprit.
        vertex: VertexId,
    },
    /// A vertex that is to collide and does not exist.
    #[error("there is no {vertex} to collide: the body has {vertices} vertices, counted from 0")]
    NoSuchVertex {
        /// The culprit.
        vertex: VertexId,
        /// How many there are.
        vertices: usize,
    },
    /// Weights of a point that is to collide that make no mean.
    #[error("the weights of colliding point {point} must add up to 1, got {sum}")]
    Weights {
        /// The culprit, counted from 0.
        point: usize,
        /// What they add up to.
        sum: f64,
    },
    /// A point that is to collide rides on vertices far apart.
    #[error(
        "colliding point {point} depends on {} and {}, which are not corners of one element",
        corners[0], corners[1]
    )]
    Apart {
        /// The culprit, counted from 0.
        point: usize,
        /// Two of its vertices that share no element.
        corners: [VertexId; 2],
    },
    /// The body is too large for this machine.
    #[error(transparent)]
    Factor(#[from] FactorError),
    /// No step, however short, has a solution that could be found.
    #[error(
        "the simulation diverges at {time} s: even a step of {seconds} s does not converge; forces are \
         unbalanced by {imbalance} of the acting forces, most at {vertex}; try more substeps, smaller \
         loads, or more damping"
    )]
    Exploded {
        /// When, seconds.
        time: f64,
        /// The shortest step tried, seconds.
        seconds: f64,
        /// The vertex whose forces are farthest from balance.
        vertex: VertexId,
        /// The norm of what is left of the forces over that of the forces at work.
        imbalance: f64,
    },
    /// Stopped by its owner; the simulation is where it was before the step.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}
