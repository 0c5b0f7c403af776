//! Points of a figure: where they are, and how freedoms move them.

use crate::freedoms::{Posed, Screw};
use crate::motion::World;
use crate::skeleton::Skeleton;
use nalgebra::Vector3;

/// A point of the figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Point {
    /// A joint, or a point fixed to it.
    Joint {
        /// Which.
        joint: usize,
        /// From the joint, in its own axes.
        offset: Vector3<f64>,
    },
    /// The centre of mass.
    CenterOfMass,
}

impl Point {
    /// A joint itself.
    #[must_use]
    pub fn joint(joint: usize) -> Self {
        Self::Joint { joint, offset: Vector3::zeros() }
    }

    /// Where it is.
    #[must_use]
    pub fn at(&self, skeleton: &Skeleton, world: &World) -> Vector3<f64> {
        place(skeleton, world, self)
    }

    /// Whether a joint moves it, turned or placed otherwise.
    #[must_use]
    pub fn hangs_on(&self, skeleton: &Skeleton, other: usize) -> bool {
        match self {
            Self::CenterOfMass => true,
            Self::Joint { joint, .. } => skeleton.chain(*joint).any(|j| j == other),
        }
    }
}

/// Whether a joint moves with a point's own joint: that one, and all that hangs on it.
pub fn hangs_below(skeleton: &Skeleton, point: &Point, joint: usize) -> bool {
    match point {
        Point::CenterOfMass => true,
        Point::Joint { joint: own, .. } => skeleton.chain(joint).any(|j| j == *own),
    }
}

/// Where a point is.
pub fn place(skeleton: &Skeleton, world: &World, point: &Point) -> Vector3<f64> {
    match point {
        Point::Joint { joint, offset } => world.positions[*joint] + world.rotations[*joint] * offset,
        Point::CenterOfMass => {
            skeleton.shares().iter().zip(&world.positions).map(|(share, position)| position * *share).sum()
        }
    }
}

/// Adds `factor` times the derivative of a point to the columns of J, three numbers per freedom.
pub fn jacobian(skeleton: &Skeleton, posed: &Posed, point: &Point, factor: f64, J: &mut [f64]) {
    let mut add = |at: usize, column: Vector3<f64>| {
        for axis in 0..3 {
            J[3 * at + axis] += factor * column[axis];
        }
    };
    match point {
        Point::Joint { joint, .. } => {
            let p = place(skeleton, &posed.world, point);
            for j in skeleton.chain(*joint) {
                let arm = p - posed.world.positions[j];
                for (at, screw) in posed.screws(j) {
                    match screw {
                        Screw::Slide(along) => add(at, along),
                        Screw::Spin(axis) => add(at, axis.cross(&arm)),
                    }
                }
            }
        }
        Point::CenterOfMass => {
            // What hangs on a joint, as a share of the figure and where that is.
            let mut below: Vec<(f64, Vector3<f64>)> =
                skeleton.shares().iter().zip(&posed.world.positions).map(|(s, p)| (*s, p * *s)).collect();
            for j in (0..below.len()).rev() {
                if let Some(parent) = skeleton.joints()[j].parent {
                    let (share, moment) = below[j];
                    below[parent].0 += share;
                    below[parent].1 += moment;
                }
            }
            for (j, (share, moment)) in below.iter().enumerate() {
                let arm = moment - posed.world.positions[j] * *share;
                for (at, screw) in posed.screws(j) {
                    match screw {
                        Screw::Slide(along) => add(at, along * *share),
                        Screw::Spin(axis) => add(at, axis.cross(&arm)),
                    }
                }
            }
        }
    }
}
