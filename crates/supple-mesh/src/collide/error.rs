//! What can be wrong with an obstacle, each naming the culprit.

use crate::Vec3;

/// An obstacle that cannot be used, and why.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ObstacleError {
    /// A floor without a height or a direction.
    #[error("a floor at height {height} needs a direction, which ({}, {}, {}) is not", up.x, up.y, up.z)]
    Floor {
        /// The height given.
        height: f64,
        /// The direction given.
        up: Vec3,
    },
    /// A ball without a volume or a place.
    #[error("a sphere of radius {radius} at ({}, {}, {}) is no obstacle", center.x, center.y, center.z)]
    Sphere {
        /// The middle given.
        center: Vec3,
        /// The radius given.
        radius: f64,
    },
    /// A box without volume.
    #[error(
        "a box from ({}, {}, {}) to ({}, {}, {}) is no obstacle: every coordinate must grow",
        min.x, min.y, min.z, max.x, max.y, max.z
    )]
    Box {
        /// The smallest coordinates given.
        min: Vec3,
        /// The largest coordinates given.
        max: Vec3,
    },
    /// A mesh whose triangles are all points or lines.
    #[error("the mesh is no obstacle: none of its triangles has an area")]
    NoArea,
    /// A thickness that is no length.
    #[error("a surface cannot be {thickness} thick")]
    Thickness {
        /// What was given.
        thickness: f64,
    },
    /// A friction below 0 or not a number.
    #[error("friction must be a finite number of 0 or more, not {friction}")]
    Friction {
        /// What was given.
        friction: f64,
    },
}
