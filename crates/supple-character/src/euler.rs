//! Angles about axes one after the other, as files have them.
//!
//! > R = R_a(α₀) R_b(α₁) R_c(α₂)
//!
//! For every rotation there are two sets of three angles (one at a pole has many), each up to whole turns; written is the
//! one nearest to that of the input, so that a curve that was smooth stays so.

use nalgebra::{Matrix3, Vector3};
use std::f64::consts::{PI, TAU};
use supple_numerics::rotation;

/// Below this cosine of the middle angle the outer two are one.
const POLE: f64 = 1e-9;

/// R of angles about axes, in radians.
#[must_use]
pub fn rotation(angles: [f64; 3], order: [usize; 3]) -> Matrix3<f64> {
    let about = |k: usize| rotation::exp(&(Vector3::ith(order[k], 1.0) * angles[k]));
    about(0) * about(1) * about(2)
}

/// Angles of a rotation about three different axes, the middle one within a quarter turn; none at a pole or for axes that
/// repeat.
#[must_use]
pub fn angles(turned: &Matrix3<f64>, order: [usize; 3]) -> Option<[f64; 3]> {
    let (angles, is_pole) = split(turned, order)?;
    (!is_pole).then_some(angles)
}

/// The angles of a rotation nearest to some, at a pole too; those for axes that repeat.
#[must_use]
pub fn nearest(turned: &Matrix3<f64>, order: [usize; 3], near: [f64; 3]) -> [f64; 3] {
    let Some((first, is_pole)) = split(turned, order) else { return near };
    if is_pole {
        return at_a_pole(first, order, near);
    }
    // The other set: outer angles half a turn away, the middle one mirrored.
    let second = [first[0] + PI, PI - first[1], first[2] + PI];
    let [a, b] = [first, second].map(|set| {
        let moved: [f64; 3] = std::array::from_fn(|k| set[k] + TAU * ((near[k] - set[k]) / TAU).round());
        let far: f64 = (0..3).map(|k| (moved[k] - near[k]).powi(2)).sum();
        (far, moved)
    });
    if b.0 < a.0 { b.1 } else { a.1 }
}

/// At a pole only the sum or difference of the outer angles counts: both give the same half.
fn at_a_pole(found: [f64; 3], order: [usize; 3], near: [f64; 3]) -> [f64; 3] {
    let sign = if (found[1] > 0.0) == is_even(order) { 1.0 } else { -1.0 };
    let middle = found[1] + TAU * ((near[1] - found[1]) / TAU).round();
    // `found` has the last angle at 0: α₀ + sign α₂ is what is known.
    let miss = found[0] - (near[0] + sign * near[2]);
    let miss = miss - TAU * (miss / TAU).round();
    [near[0] + 0.5 * miss, middle, near[2] + 0.5 * sign * miss]
}

fn is_even(order: [usize; 3]) -> bool {
    (order[1] + 3 - order[0]) % 3 == 1
}

/// The angles, and whether they are at a pole, where the last one is 0.
fn split(turned: &Matrix3<f64>, order: [usize; 3]) -> Option<([f64; 3], bool)> {
    let [a, b, c] = order;
    if a == b || b == c || a == c || order.iter().any(|axis| *axis > 2) {
        return None;
    }
    let s = if is_even(order) { 1.0 } else { -1.0 };
    // R[a,c] = s sin β, R[a,a] = cos β cos γ, R[a,b] = −s cos β sin γ, R[b,c] = −s sin α cos β, R[c,c] = cos α cos β.
    let cosine = turned[(a, a)].hypot(turned[(a, b)]);
    let middle = (s * turned[(a, c)]).atan2(cosine);
    if cosine > POLE {
        let first = (-s * turned[(b, c)]).atan2(turned[(c, c)]);
        let last = (-s * turned[(a, b)]).atan2(turned[(a, a)]);
        Some(([first, middle, last], false))
    } else {
        let first = (s * turned[(c, b)]).atan2(turned[(b, b)]);
        Some(([first, middle, 0.0], true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

    #[test]
    fn angles_give_their_rotation_back_in_every_order() {
        for order in ORDERS {
            for (i, given) in
                [[0.3, -0.4, 2.9], [-3.0, 1.5, 0.1], [2.0, 2.4, -1.0], [0.2, -1.3, 8.0]].iter().enumerate()
            {
                let R = rotation(*given, order);
                let found = angles(&R, order).unwrap();
                assert!((rotation(found, order) - R).norm() < 1e-12, "{order:?} {i}");
                let near = nearest(&R, order, given.map(|angle| angle + 0.05));
                for k in 0..3 {
                    assert!((near[k] - given[k]).abs() < 1e-12, "{order:?} {given:?} {near:?}");
                }
            }
        }
    }

    #[test]
    fn at_a_pole_the_nearest_angles_are_kept() {
        for order in ORDERS {
            for middle in [PI / 2.0, -PI / 2.0] {
                let given = [0.7, middle, -1.9];
                let R = rotation(given, order);
                assert_eq!(angles(&R, order), None);
                let near = nearest(&R, order, given);
                assert!((rotation(near, order) - R).norm() < 1e-12, "{order:?}");
                for k in 0..3 {
                    assert!((near[k] - given[k]).abs() < 1e-9, "{order:?} {near:?}");
                }
                let other = nearest(&R, order, [0.7 + 0.2, middle, -1.9]);
                assert!((rotation(other, order) - R).norm() < 1e-9, "{order:?} {other:?}");
            }
        }
    }
}
