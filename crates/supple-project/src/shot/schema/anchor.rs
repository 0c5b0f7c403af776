//! `anchors` of `[body]`: what stays in place.

use crate::shot::describe::*;
use std::path::PathBuf;
use supple_model::VertexId;

/// An entry of `anchors`: which vertices stay in place.
#[derive(Clone, Debug, PartialEq)]
pub enum Anchor {
    /// `vertices`: these.
    Vertices(Vec<VertexId>),
    /// `group`: those of a named group of the mesh file.
    Group(String),
    /// `below`: those whose coordinate is at most `at`.
    Below {
        /// The coordinate.
        axis: Axis,
        /// Its bound.
        at: f64,
    },
    /// `above`: those whose coordinate is at least `at`.
    Above {
        /// The coordinate.
        axis: Axis,
        /// Its bound.
        at: f64,
    },
    /// `box`: those inside, the faces included.
    Box {
        /// The least corner.
        min: [f64; 3],
        /// The greatest corner.
        max: [f64; 3],
    },
    /// `file`: those a file of vertex numbers lists.
    File(PathBuf),
}

one_of!(Anchor {
    vertices: Vertices,
    group: Group,
    file: File;
    tables:
    below: Below { axis, at },
    above: Above { axis, at },
    box: Box { min, max },
} list LinesOrOne hint "; for several write a list [{ .. }, { .. }]" check Anchor::check);

impl Anchor {
    fn check(&self, field: &Field<'_>) -> Result<(), ShotError> {
        match self {
            Self::Vertices(vertices) if vertices.is_empty() => {
                Err(field.bad("is empty; leave out `anchors` for a free body"))
            }
            Self::Box { min, max } => {
                match Axis::ALL.into_iter().find(|axis| min[axis.index()] > max[axis.index()]) {
                    None => Ok(()),
                    Some(axis) => Err(field.bad(format!(
                        "is empty: along {}, min {} is greater than max {}",
                        axis.name(),
                        min[axis.index()],
                        max[axis.index()]
                    ))),
                }
            }
            _ => Ok(()),
        }
    }
}

/// A coordinate axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// The first.
    X,
    /// The second.
    Y,
    /// The third.
    Z,
}

words!(Axis { X = "x", Y = "y", Z = "z" });

impl Axis {
    const ALL: [Self; 3] = [Self::X, Self::Y, Self::Z];

    /// The place of this coordinate in a vector.
    #[must_use]
    pub fn index(self) -> usize {
        self as usize
    }
}
