//! `inside` and `outside`: where a site has to be, or must not be.

use crate::shot::describe::*;
use crate::shot::schema::Axis;
use crate::shot::schema::solid::{check_ball, check_block};
use std::path::PathBuf;

/// A part of space, its surface included.
#[derive(Clone, Debug, PartialEq)]
pub enum Zone {
    /// `mesh`: what the closed surface in a file contains.
    Mesh(PathBuf),
    /// `box`: a block along the axes.
    Box {
        /// The least corner.
        min: [f64; 3],
        /// The greatest corner.
        max: [f64; 3],
    },
    /// `sphere`: a ball.
    Sphere {
        /// Its centre.
        center: [f64; 3],
        /// Its radius.
        radius: f64,
    },
    /// `below`: all whose coordinate is at most `at`: a floor is kept out of.
    Below {
        /// The coordinate.
        axis: Axis,
        /// Its bound.
        at: f64,
    },
}

one_of!(Zone {
    mesh: Mesh;
    tables:
    box: Box { min, max },
    sphere: Sphere { center, radius },
    below: Below { axis, at },
} check Zone::check);

impl Zone {
    fn check(&self, field: &Field<'_>) -> Result<(), ShotError> {
        match self {
            Self::Sphere { radius, .. } => check_ball(*radius, field),
            Self::Box { min, max } => check_block(min, max, field),
            Self::Mesh(_) | Self::Below { .. } => Ok(()),
        }
    }

    /// The same, farther by this; none for a mesh, which is where its file has it.
    #[must_use]
    pub fn shifted(&self, by: [f64; 3]) -> Option<Self> {
        let add = |a: &[f64; 3]| std::array::from_fn(|c| a[c] + by[c]);
        Some(match self {
            Self::Mesh(_) => return None,
            Self::Box { min, max } => Self::Box { min: add(min), max: add(max) },
            Self::Sphere { center, radius } => Self::Sphere { center: add(center), radius: *radius },
            Self::Below { axis, at } => Self::Below { axis: *axis, at: at + by[axis.index()] },
        })
    }

    /// How far another one is from it; none where they differ otherwise.
    #[must_use]
    pub fn shift_to(&self, other: &Self) -> Option<[f64; 3]> {
        let apart = |from: &[f64; 3], to: &[f64; 3]| std::array::from_fn::<_, 3, _>(|c| to[c] - from[c]);
        match (self, other) {
            (Self::Box { min, max }, Self::Box { min: to, max: end }) => {
                let (by, rest) = (apart(min, to), apart(max, end));
                let is_same = |c: usize| (by[c] - rest[c]).abs() <= 1e-9 * (by[c].abs() + max[c] - min[c]);
                (0..3).all(is_same).then_some(by)
            }
            (Self::Sphere { center, radius }, Self::Sphere { center: to, radius: other }) => {
                (radius == other).then(|| apart(center, to))
            }
            (Self::Below { axis, at }, Self::Below { axis: other, at: to }) if axis == other => {
                let mut by = [0.0; 3];
                by[axis.index()] = to - at;
                Some(by)
            }
            _ => None,
        }
    }
}
