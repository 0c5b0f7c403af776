//! How far a point is from one element, and its weights there.
//!
//! - **Tet**: barycentric coordinates, inside and out.
//! - **Voxel**: let ξ̂ ∈ [0, 1]³ be the place whose image X(ξ̂) is nearest to x. Then
//!   w = N(ξ̂) + ∇N(ξ̂) J⁻¹ (x − X(ξ̂)): trilinear inside, continued linearly outside, so that far
//!   vertices do not blow up as the product ξηζ would. As Σ Nₐ = 1 and Σ xₐ ∇Nₐᵀ = J, affine motions
//!   are exact whatever ξ̂ is.
//! - **Triangle**: the weights of its closest point.

use crate::surface::OPPOSITE_FACE;
use crate::triangle::{blend, closest_weights};
use crate::{Vec3, trilinear};
use nalgebra::Matrix3;

/// Rounds of the search for ξ̂; a box needs one, a skewed voxel some dozens.
const ROUNDS: usize = 60;
/// The search ends when a round moves no coordinate by more than this.
const SETTLED: f64 = 1e-12;

/// The weights of `point` in a tet of positive volume.
pub(super) fn tet_weights(point: &Vec3, [a, b, c, d]: &[Vec3; 4]) -> [f64; 4] {
    let (ab, ac, ad, ap) = (b - a, c - a, d - a, point - a);
    let determinant = ab.dot(&ac.cross(&ad));
    // Cramer's rule; the first weight makes the sum exact.
    let columns = |m: [&Vec3; 3]| Matrix3::from_columns(&m.map(|c| *c)).determinant() / determinant;
    let (wb, wc, wd) = (columns([&ap, &ac, &ad]), columns([&ab, &ap, &ad]), columns([&ab, &ac, &ap]));
    [1.0 - wb - wc - wd, wb, wc, wd]
}

/// Squared distance from `point` to a tet, zero inside. From outside only the faces that look
/// towards the point can be nearest: those opposite a corner of negative weight.
pub(super) fn tet_distance_squared(point: &Vec3, tet: &[Vec3; 4]) -> f64 {
    let weights = tet_weights(point, tet);
    let mut nearest = f64::INFINITY;
    for (weight, face) in weights.iter().zip(OPPOSITE_FACE) {
        if *weight < 0.0 {
            nearest = nearest.min(triangle_distance_squared(point, &face.map(|k| tet[k])));
        }
    }
    if nearest == f64::INFINITY { 0.0 } else { nearest }
}

/// The weights of `point` on a triangle: those of its closest point.
pub(super) fn triangle_weights(point: &Vec3, triangle: &[Vec3; 3]) -> [f64; 3] {
    closest_weights(point, triangle)
}

/// Squared distance from `point` to a triangle.
pub(super) fn triangle_distance_squared(point: &Vec3, triangle: &[Vec3; 3]) -> f64 {
    (point - blend(triangle, closest_weights(point, triangle))).norm_squared()
}

/// The weights of `point` in or near a voxel.
pub(super) fn voxel_weights(point: &Vec3, corners: &[Vec3; 8]) -> [f64; 8] {
    let xi = nearest_place(point, corners);
    let mut weights = trilinear::weights(&xi);
    let rest = point - trilinear::position(corners, &xi);
    // A voxel mesh has no voxel whose Jacobian vanishes at a corner or Gauss point.
    if let Some(inverse) = trilinear::jacobian(corners, &xi).try_inverse() {
        let step = inverse * rest;
        for (weight, gradient) in weights.iter_mut().zip(trilinear::gradients(&xi)) {
            *weight += gradient.dot(&step);
        }
    }
    weights
}

/// Squared distance from `point` to a voxel, zero inside up to rounding.
pub(super) fn voxel_distance_squared(point: &Vec3, corners: &[Vec3; 8]) -> f64 {
    (point - trilinear::position(corners, &nearest_place(point, corners))).norm_squared()
}

/// The ξ in the unit cube whose image is nearest to `point`, one coordinate at a time: X is linear
/// in each, so the best value of one, the others held, is a projection onto a segment. For a box
/// the first round is exact.
fn nearest_place(point: &Vec3, corners: &[Vec3; 8]) -> Vec3 {
    let mut xi = Vec3::repeat(0.5);
    for _ in 0..ROUNDS {
        let mut moved: f64 = 0.0;
        for axis in 0..3 {
            let mut start = xi;
            start[axis] = 0.0;
            let mut end = xi;
            end[axis] = 1.0;
            let from = trilinear::position(corners, &start);
            let along = trilinear::position(corners, &end) - from;
            let best = (along.dot(&(point - from)) / along.norm_squared()).clamp(0.0, 1.0);
            moved = moved.max((best - xi[axis]).abs());
            xi[axis] = best;
        }
        if moved < SETTLED {
            break;
        }
    }
    xi
}
