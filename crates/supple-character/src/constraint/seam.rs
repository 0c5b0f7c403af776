//! The seam of a loop: the last frame repeats the first in pose and velocity, up to a shift and a turn on the floor.
//!
//! With R the turn of a joint from its parent, p and W place and turn of the root, u up, 0 and 1 the first frames, m and n
//! the last two, log the rotation vector:
//!
//! > joints: log(R₀ᵀ R_n) = 0,  all: log(R_mᵀ R_n) = log(R₀ᵀ R₁)
//! > root: u · (p_n − p₀) = 0,  W_nᵀ u = W₀ᵀ u,  W_nᵀ (p_n − p_m) = W₀ᵀ (p₁ − p₀)

use super::Scale;
use crate::freedoms::{Posed, Screw};
use crate::motion::World;
use crate::skeleton::Skeleton;
use nalgebra::{Matrix3, Vector3};
use supple_numerics::rotation;

/// Rows between the ends of a loop: what is missing, and by frame (0, 1, m, n) the rows of J.
pub struct SeamRows {
    /// r.
    pub r: Vector3<f64>,
    /// How many of the three count.
    pub rows: usize,
    /// J, three rows as long as d, of the four frames.
    pub parts: [Vec<f64>; 4],
}

/// The frames of a seam of a motion from one frame to another: 0, 1, m and n.
pub fn seam_spans(window: (usize, usize)) -> [usize; 4] {
    [window.0, window.0 + 1, window.1 - 1, window.1]
}

/// How a joint is turned from its parent.
fn local(skeleton: &Skeleton, world: &World, joint: usize) -> Matrix3<f64> {
    let outer =
        skeleton.joints()[joint].parent.map_or_else(Matrix3::identity, |parent| world.rotations[parent]);
    outer.transpose() * world.rotations[joint]
}

/// Adds M ω to the columns of J, ω how freedoms turn the joint in its own axes.
fn add_turn(posed: &Posed, joint: usize, M: &Matrix3<f64>, J: &mut [f64]) {
    let freedoms = J.len() / 3;
    let own = M * posed.world.rotations[joint].transpose();
    for (at, screw) in posed.screws(joint) {
        if let Screw::Spin(axis) = screw {
            let column = own * axis;
            (0..3).for_each(|k| J[k * freedoms + at] += column[k]);
        }
    }
}

/// log(Aᵀ B) with its derivatives along turns of A and of B in their own axes.
fn between(a: &Matrix3<f64>, b: &Matrix3<f64>) -> (Vector3<f64>, Matrix3<f64>, Matrix3<f64>) {
    let error = rotation::log(&(a.transpose() * b));
    let left = rotation::left_jacobian(&error).try_inverse().unwrap_or_else(Matrix3::identity);
    // The right Jacobian is the left one transposed.
    (error, -left, left.transpose())
}

/// All rows of a seam between four frames; `up` is the axis of the floor's normal.
pub fn seam_rows(
    skeleton: &Skeleton,
    frames: [&Posed; 4],
    up: usize,
    freedoms: usize,
    scale: Scale,
) -> Vec<SeamRows> {
    let mut all = Vec::new();
    let empty = || std::array::from_fn::<_, 4, _>(|_| vec![0.0; 3 * freedoms]);
    for (j, joint) in skeleton.joints().iter().enumerate() {
        let turned = frames.map(|posed| local(skeleton, &posed.world, j));
        if joint.parent.is_some() {
            let (error, first, last) = between(&turned[0], &turned[3]);
            let mut parts = empty();
            add_turn(frames[0], j, &(first * scale.arm), &mut parts[0]);
            add_turn(frames[3], j, &(last * scale.arm), &mut parts[3]);
            all.push(SeamRows { r: -error * scale.arm, rows: 3, parts });
        }
        let (after, a0, a1) = between(&turned[0], &turned[1]);
        let (before, bm, bn) = between(&turned[2], &turned[3]);
        let mut parts = empty();
        for (k, (posed, M)) in frames.iter().zip([-a0, -a1, bm, bn]).enumerate() {
            add_turn(posed, j, &(M * scale.arm), &mut parts[k]);
        }
        all.push(SeamRows { r: (after - before) * scale.arm, rows: 3, parts });
    }
    all.extend(root_rows(frames, up, freedoms, scale));
    all
}

/// Height, tilt and velocity of the root.
fn root_rows(frames: [&Posed; 4], up: usize, freedoms: usize, scale: Scale) -> [SeamRows; 3] {
    let p = frames.map(|posed| posed.world.positions[0]);
    let W = frames.map(|posed| posed.world.rotations[0]);
    let up = Vector3::ith(up, 1.0);
    let empty = || std::array::from_fn::<_, 4, _>(|_| vec![0.0; 3 * freedoms]);
    let slide = |k: usize, M: &Matrix3<f64>, J: &mut [f64]| {
        for (at, screw) in frames[k].screws(0) {
            if let Screw::Slide(along) = screw {
                let column = M * along;
                (0..3).for_each(|row| J[row * freedoms + at] += column[row]);
            }
        }
    };
    let mut height = empty();
    let along =
        Matrix3::from_rows(&[up.transpose(), Vector3::zeros().transpose(), Vector3::zeros().transpose()]);
    slide(3, &along, &mut height[3]);
    slide(0, &-along, &mut height[0]);
    let rise = Vector3::new(-up.dot(&(p[3] - p[0])), 0.0, 0.0);

    // d(Wᵀ u) = (Wᵀ u) × ω for turns in the joint's own axes.
    let seen = |k: usize, v: &Vector3<f64>| W[k].transpose() * v;
    let mut tilt = empty();
    add_turn(frames[3], 0, &(seen(3, &up).cross_matrix() * scale.arm), &mut tilt[3]);
    add_turn(frames[0], 0, &(seen(0, &up).cross_matrix() * -scale.arm), &mut tilt[0]);
    let lean = (seen(0, &up) - seen(3, &up)) * scale.arm;

    let (last, first) = (p[3] - p[2], p[1] - p[0]);
    let mut velocity = empty();
    slide(3, &W[3].transpose(), &mut velocity[3]);
    slide(2, &-W[3].transpose(), &mut velocity[2]);
    slide(1, &-W[0].transpose(), &mut velocity[1]);
    slide(0, &W[0].transpose(), &mut velocity[0]);
    add_turn(frames[3], 0, &seen(3, &last).cross_matrix(), &mut velocity[3]);
    add_turn(frames[0], 0, &-seen(0, &first).cross_matrix(), &mut velocity[0]);
    [
        SeamRows { r: rise, rows: 1, parts: height },
        SeamRows { r: lean, rows: 3, parts: tilt },
        SeamRows { r: seen(0, &first) - seen(3, &last), rows: 3, parts: velocity },
    ]
}
