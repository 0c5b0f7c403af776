//! What can be wrong with an obstacle, each naming the culprit.

use crate::Vec3;

/// An obstacle that cannot be used, and why.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ObstacleError {
    /// A floor without a height or a direction.
    #[error(
        "the floor at height {height} needs an up direction that is finite and not zero, got ({}, {}, {})",
        up.x, up.y, up.z
    )]
    Floor {
        /// The height given.
        height: f64,
        /// The direction given.
        up: Vec3,
    },
    /// A ball without a volume or a place.
    #[error(
        "the radius of a sphere must be greater than 0 and its centre finite, got {radius} at ({}, {}, {})",
        center.x, center.y, center.z
    )]
    Sphere {
        /// The middle given.
        center: Vec3,
        /// The radius given.
        radius: f64,
    },
    /// A box without volume.
    #[error(
        "the box from ({}, {}, {}) to ({}, {}, {}) is empty: its minimum must be below its maximum along \
         every axis",
        min.x, min.y, min.z, max.x, max.y, max.z
    )]
    Box {
        /// The smallest coordinates given.
        min: Vec3,
        /// The largest coordinates given.
        max: Vec3,
    },
    /// A mesh whose triangles are all points or lines.
    #[error("the mesh cannot be an obstacle: none of its triangles has an area")]
    NoArea,
    /// A thickness that is no length.
    #[error("the thickness of a surface must be greater than 0 and finite, got {thickness}")]
    Thickness {
        /// What was given.
        thickness: f64,
    },
    /// A friction below 0 or not a number.
    #[error("friction must be at least 0 and finite, got {friction}")]
    Friction {
        /// What was given.
        friction: f64,
    },
}
