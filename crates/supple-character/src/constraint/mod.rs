//! What is asked of a motion: rows that say where a point shall be, and those it must not cross.
//!
//! A [`Constraint`] is about a point of the figure over a range of frames; at each of them it is a few rows
//! g(m(f)) = c or g ≥ c (Gleicher 1997, §4.2). [`read`] gives what is missing, r = c − g, and J = ∂g/∂d at the edit as it
//! is. Rows are in metres: those of angles are arcs of [`Scale::arm`].

mod along;
mod limit;
mod point;
mod read;
mod region;
mod seam;

pub use limit::{Limit, LimitKind};
pub use point::Point;
pub use region::{Region, Shape};

pub(crate) use point::{hangs_below, place};
pub(crate) use read::{Read, parts, read, read_limit, span_of, spanning};
pub(crate) use seam::{seam_rows, seam_spans};

use nalgebra::{UnitQuaternion, Vector3};

/// What is asked of a point over a range of frames.
#[derive(Clone, Debug, PartialEq)]
pub struct Constraint {
    /// The first and the last frame, counted from 0.
    pub frames: (usize, usize),
    /// Of what.
    pub point: Point,
    /// Places and distances are from here; none: from the origin of the scene.
    pub seen_from: Option<Point>,
    /// The coordinates that are asked for, where a place is.
    pub axes: [bool; 3],
    /// What.
    pub goal: Goal,
    /// How firmly: none is hard; alone, h misses 1/(1 + h) of what it asks.
    pub hold: Option<f64>,
    /// The layer whose curve answers it first.
    pub layer: usize,
}

impl Constraint {
    /// A hard one on all coordinates, in the first layer.
    #[must_use]
    pub fn new(frames: (usize, usize), point: Point, goal: Goal) -> Self {
        Self { frames, point, seen_from: None, axes: [true; 3], goal, hold: None, layer: 0 }
    }
}

/// What is asked.
#[derive(Clone, Debug, PartialEq)]
pub enum Goal {
    /// To be at a place.
    At(Targets<Vector3<f64>>),
    /// To stay at one place, wherever that is.
    Stay,
    /// To be in a plane.
    Plane {
        /// A point of it.
        point: Vector3<f64>,
        /// What it is across to; any length but none.
        normal: Vector3<f64>,
    },
    /// To be on a line through these points, at any of its places.
    Along(Vec<Vector3<f64>>),
    /// To be so far from the other point.
    Distance(Targets<f64>),
    /// To be where it is in another frame.
    SameAs(usize),
    /// To be turned like this.
    Orientation(Targets<UnitQuaternion<f64>>),
    /// To move this fast, per frame.
    Velocity(Vector3<f64>),
    /// To stay inside.
    Inside(Region),
    /// To stay outside.
    Outside(Region),
}

/// One target for all frames of a range, or one for each; those left out are not asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum Targets<T> {
    /// The same for all.
    One(T),
    /// From the first frame of the range on.
    Each(Vec<Option<T>>),
}

impl<T: Copy> Targets<T> {
    /// What is asked for so many frames into the range.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<T> {
        match self {
            Self::One(target) => Some(*target),
            Self::Each(targets) => targets.get(index).copied().flatten(),
        }
    }
}

/// What rows are measured by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// The arm, in metres, of the arcs that rows of angles are.
    pub arm: f64,
}

#[cfg(test)]
mod tests;
