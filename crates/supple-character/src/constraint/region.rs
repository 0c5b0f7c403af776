//! Regions that points keep inside or outside of: how far away their border is, and which way it lies.

use nalgebra::Vector3;
use std::fmt::{Debug, Formatter};
use std::sync::Arc;

/// A part of space.
#[derive(Clone, Debug, PartialEq)]
pub enum Region {
    /// Between two corners.
    Box {
        /// The least coordinates.
        min: Vector3<f64>,
        /// The largest.
        max: Vector3<f64>,
    },
    /// A ball.
    Sphere {
        /// Its centre.
        center: Vector3<f64>,
        /// Its radius.
        radius: f64,
    },
    /// All that is not farther along a direction than this.
    Below {
        /// The direction, of length 1.
        normal: Vector3<f64>,
        /// How far along it the border is.
        at: f64,
    },
    /// Anything else.
    Shape(Solid),
}

/// What is inside of a closed surface.
pub trait Shape: Send + Sync {
    /// How far a point is from the surface, negative inside, and the direction in which that grows.
    fn distance(&self, point: &Vector3<f64>) -> (f64, Vector3<f64>);
}

/// A shape that regions share.
#[derive(Clone)]
pub struct Solid(pub Arc<dyn Shape>);

impl Debug for Solid {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str("Solid")
    }
}

impl PartialEq for Solid {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// A shape somewhere else.
struct Moved {
    shape: Solid,
    by: Vector3<f64>,
}

impl Shape for Moved {
    fn distance(&self, point: &Vector3<f64>) -> (f64, Vector3<f64>) {
        self.shape.0.distance(&(point - self.by))
    }
}

impl Region {
    /// A region of any shape.
    #[must_use]
    pub fn shape(shape: Arc<dyn Shape>) -> Self {
        Self::Shape(Solid(shape))
    }

    /// The same region somewhere else.
    #[must_use]
    pub fn moved(&self, by: &Vector3<f64>) -> Self {
        match self {
            Self::Box { min, max } => Self::Box { min: min + by, max: max + by },
            Self::Sphere { center, radius } => Self::Sphere { center: center + by, radius: *radius },
            Self::Below { normal, at } => Self::Below { normal: *normal, at: at + normal.dot(by) },
            Self::Shape(shape) => Self::shape(Arc::new(Moved { shape: shape.clone(), by: *by })),
        }
    }

    /// How far a point is from its border, negative inside, and the direction in which that grows.
    #[must_use]
    pub fn distance(&self, point: &Vector3<f64>) -> (f64, Vector3<f64>) {
        match self {
            Self::Box { min, max } => of_box(point, min, max),
            Self::Sphere { center, radius } => {
                let from = point - center;
                let far = from.norm();
                (far - radius, from.try_normalize(1e-12).unwrap_or_else(Vector3::y))
            }
            Self::Below { normal, at } => (point.dot(normal) - at, *normal),
            Self::Shape(shape) => shape.0.distance(point),
        }
    }
}

fn of_box(point: &Vector3<f64>, min: &Vector3<f64>, max: &Vector3<f64>) -> (f64, Vector3<f64>) {
    let nearest = Vector3::from_fn(|i, _| point[i].clamp(min[i], max[i]));
    let out = point - nearest;
    if let Some(direction) = out.try_normalize(1e-12) {
        return (out.norm(), direction);
    }
    // Inside: the nearest of six sides.
    let mut best = (f64::NEG_INFINITY, Vector3::y());
    for axis in 0..3 {
        for (depth, sign) in [(min[axis] - point[axis], -1.0), (point[axis] - max[axis], 1.0)] {
            if depth > best.0 {
                let mut direction = Vector3::zeros();
                direction[axis] = sign;
                best = (depth, direction);
            }
        }
    }
    best
}
