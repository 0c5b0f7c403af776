//! Rows as they are at an edit: what is missing, and how freedoms change it.

use super::limit::Limit;
use super::point::{Point, jacobian, place};
use super::region::Region;
use super::{Constraint, Goal, Scale, along};
use crate::freedoms::{Posed, Screw};
use crate::motion::World;
use crate::skeleton::Skeleton;
use nalgebra::{Matrix3, Vector3};
use supple_numerics::rotation;

/// A few rows: J d = r is what is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Read {
    /// How many.
    pub rows: usize,
    /// r = c − g.
    pub r: [f64; 3],
    /// Whether they are met as well by r < 0.
    pub is_bound: bool,
    /// What rows measure of the point that moves, or of how the joint turns; see [`Of`].
    directions: [Vector3<f64>; 3],
    of: Of,
}

/// What rows are made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Of {
    /// Where the point is, from where it is seen.
    Place,
    /// How its joint is turned.
    Turn,
}

impl Read {
    fn places(r: Vector3<f64>, axes: [bool; 3]) -> Self {
        let mut read =
            Self { rows: 0, r: [0.0; 3], is_bound: false, directions: [Vector3::zeros(); 3], of: Of::Place };
        for axis in (0..3).filter(|axis| axes[*axis]) {
            read.r[read.rows] = r[axis];
            read.directions[read.rows] = Vector3::ith(axis, 1.0);
            read.rows += 1;
        }
        read
    }

    fn one(r: f64, direction: Vector3<f64>, is_bound: bool) -> Self {
        let zero = Vector3::zeros();
        Self { rows: 1, r: [r, 0.0, 0.0], is_bound, directions: [direction, zero, zero], of: Of::Place }
    }

    /// The rows of J, each as long as d, one after the other. `scratch` has three numbers per freedom.
    pub fn jacobian(
        &self,
        skeleton: &Skeleton,
        posed: &Posed,
        constraint: &Constraint,
        scratch: &mut [f64],
        J: &mut [f64],
    ) {
        scratch.fill(0.0);
        match self.of {
            Of::Place => {
                jacobian(skeleton, posed, &constraint.point, 1.0, scratch);
                if let Some(from) = &constraint.seen_from {
                    jacobian(skeleton, posed, from, -1.0, scratch);
                }
            }
            Of::Turn => {
                let Point::Joint { joint, .. } = constraint.point else { return };
                for j in skeleton.chain(joint) {
                    for (at, screw) in posed.screws(j) {
                        if let Screw::Spin(axis) = screw {
                            for k in 0..3 {
                                scratch[3 * at + k] += axis[k];
                            }
                        }
                    }
                }
            }
        }
        let freedoms = scratch.len() / 3;
        for row in 0..self.rows {
            let direction = &self.directions[row];
            for at in 0..freedoms {
                let column = &scratch[3 * at..3 * at + 3];
                J[row * freedoms + at] =
                    direction.x * column[0] + direction.y * column[1] + direction.z * column[2];
            }
        }
    }
}

/// In how many parts rows are read: a point is inside of a box between three pairs of walls, each a bound of its own. (Its
/// distance from the box would turn about at the edges.)
pub fn parts(constraint: &Constraint) -> usize {
    if matches!(constraint.goal, Goal::Inside(Region::Box { .. })) { 3 } else { 1 }
}

/// The rows of a constraint in a frame of its range; for one that [spans](spanning) frames and for targets left out none.
/// `floating` is where a point stays that may stay anywhere. Some come in [parts](parts).
pub fn read(
    skeleton: &Skeleton,
    world: &World,
    constraint: &Constraint,
    (frame, part): (usize, usize),
    floating: Option<&Vector3<f64>>,
    scale: Scale,
) -> Option<Read> {
    let index = frame - constraint.frames.0;
    let from = constraint.seen_from.as_ref().map_or_else(Vector3::zeros, |from| place(skeleton, world, from));
    let p = place(skeleton, world, &constraint.point) - from;
    Some(match &constraint.goal {
        Goal::At(targets) => Read::places(targets.get(index)? - p, constraint.axes),
        Goal::Stay => Read::places(floating? - p, constraint.axes),
        Goal::Plane { point, normal } => {
            let normal = normal.normalize();
            Read::one((point - p).dot(&normal), normal, false)
        }
        Goal::Along(line) => {
            let (nearest, direction) = along::nearest(line, &p);
            let mut read = Read::places(nearest - p, [true; 3]);
            if let Some(direction) = direction {
                // Along the line it is free.
                let across = Matrix3::identity() - direction * direction.transpose();
                let r = across * (nearest - p);
                read.r = [r.x, r.y, r.z];
                read.directions = [0, 1, 2].map(|k| across.row(k).transpose());
            }
            read
        }
        Goal::Distance(targets) => {
            let far = p.norm();
            Read::one(targets.get(index)? - far, p.try_normalize(1e-12).unwrap_or_else(Vector3::y), false)
        }
        Goal::Orientation(targets) => {
            let Point::Joint { joint, .. } = constraint.point else { return None };
            let target = targets.get(index)?.to_rotation_matrix().into_inner().transpose();
            let error = rotation::log(&(target * world.rotations[joint]));
            // log(Tᵀ exp(ω) W) = e + J_l(e)⁻¹ Tᵀ ω
            let inverse = rotation::left_jacobian(&error).try_inverse().unwrap_or_else(Matrix3::identity);
            let rows = inverse * target * scale.arm;
            Read {
                rows: 3,
                r: [0, 1, 2].map(|k| -scale.arm * error[k]),
                is_bound: false,
                directions: [0, 1, 2].map(|k| rows.row(k).transpose()),
                of: Of::Turn,
            }
        }
        Goal::Inside(Region::Box { min, max }) => {
            // Of both walls across an axis the nearer one.
            let wall = Vector3::ith(part, 1.0);
            if 2.0 * p[part] > min[part] + max[part] {
                Read::one(p[part] - max[part], -wall, true)
            } else {
                Read::one(min[part] - p[part], wall, true)
            }
        }
        Goal::Inside(region) => {
            let (distance, direction) = region.distance(&p);
            Read::one(distance, -direction, true)
        }
        Goal::Outside(region) => {
            let (distance, direction) = region.distance(&p);
            Read::one(-distance, direction, true)
        }
        Goal::SameAs(_) | Goal::Velocity(_) => return None,
    })
}

/// The row of a limit: r > 0 is how far it is passed, along an arc of the arm. J, as long as d, is overwritten where it is
/// asked for.
pub fn read_limit(
    skeleton: &Skeleton,
    posed: &Posed,
    limit: &Limit,
    scale: Scale,
    J: Option<&mut [f64]>,
) -> Option<f64> {
    let world = &posed.world;
    let outer = skeleton.joints()[limit.joint]
        .parent
        .map_or_else(Matrix3::identity, |parent| world.rotations[parent]);
    let (angle, row) = limit.angle(&(outer.transpose() * world.rotations[limit.joint]))?;
    let middle = 0.5 * (limit.least + limit.most);
    // Of both bounds the nearer one; inside it r is negative.
    let (r, sign) = if angle > middle { (angle - limit.most, -1.0) } else { (limit.least - angle, 1.0) };
    if let Some(J) = J {
        J.fill(0.0);
        let row = world.rotations[limit.joint] * row * (sign * scale.arm);
        for (at, screw) in posed.screws(limit.joint) {
            if let Screw::Spin(axis) = screw {
                J[at] += row.dot(&axis);
            }
        }
    }
    Some(r * scale.arm)
}

/// Rows between two frames: the point moves by so much from one to the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// The frame it comes from.
    pub early: usize,
    /// The frame it goes to.
    pub late: usize,
    /// By how much it shall move.
    pub by: Vector3<f64>,
}

/// The two frames that a constraint is about at a frame of its range, if it spans frames.
pub fn span_of(constraint: &Constraint, frame: usize, frames: usize) -> Option<Span> {
    match &constraint.goal {
        Goal::SameAs(other) if *other != frame => {
            Some(Span { early: *other, late: frame, by: Vector3::zeros() })
        }
        Goal::Velocity(velocity) => {
            let (early, late) = (frame.saturating_sub(1), (frame + 1).min(frames - 1));
            (late > early).then(|| Span { early, late, by: velocity * (late - early) as f64 })
        }
        _ => None,
    }
}

/// What is missing between two frames.
pub fn spanning(
    skeleton: &Skeleton,
    early: &World,
    late: &World,
    constraint: &Constraint,
    span: &Span,
) -> Read {
    let at = |world: &World| {
        let from =
            constraint.seen_from.as_ref().map_or_else(Vector3::zeros, |from| place(skeleton, world, from));
        place(skeleton, world, &constraint.point) - from
    };
    Read::places(span.by - (at(late) - at(early)), constraint.axes)
}
