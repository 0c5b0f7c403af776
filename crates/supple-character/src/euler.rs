//! Angles about axes one after the other, as files have them.
//!
//! > R = R_a(α₀) R_b(α₁) R_c(α₂)
//!
//! For every rotation there are two sets of three angles (one at a pole has many), each up to whole turns. Written is the one
//! that goes on from the frame before as the input does, and comes back to the input where the edit ends: near a pole the
//! nearest to the input alone would jump from one set to the other. Of all ways through both sets
//!
//! > Σ |δ(f) − δ(f−1)|²,  δ = angles − those of the input
//!
//! is least along the one that is taken.

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
    let [a, b] = both(first).map(|set| {
        let moved = wound(set, near);
        let far: f64 = (0..3).map(|k| (moved[k] - near[k]).powi(2)).sum();
        (far, moved)
    });
    if b.0 < a.0 { b.1 } else { a.1 }
}

/// The angles of rotations, frame by frame, that change from frame to frame as those of the input do as nearly as they can.
/// Before the first frame they are those of the input; so they are after the last one, if it `returns`.
#[must_use]
pub fn along(turned: &[Matrix3<f64>], order: [usize; 3], input: &[[f64; 3]], returns: bool) -> Vec<[f64; 3]> {
    let square = |a: [f64; 3], b: [f64; 3]| (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>();
    // By frame and set: the angles, and the set of the frame before they go on from.
    let mut ways: Vec<[([f64; 3], usize); 2]> = Vec::with_capacity(turned.len());
    let mut costs = [0.0; 2];
    for (f, (R, near)) in turned.iter().zip(input).enumerate() {
        let found = split(R, order);
        let closest = |set: usize, near: [f64; 3]| match found {
            Some((found, true)) => at_a_pole(found, order, near),
            Some((found, false)) => wound(both(found)[set], near),
            None => near,
        };
        let Some(before) = ways.last().copied() else {
            ways.push([0, 1].map(|set| (closest(set, *near), 0)));
            costs = [0, 1].map(|set| square(ways[0][set].0, *near));
            continue;
        };
        let onward = |from: usize| -> [f64; 3] {
            std::array::from_fn(|k| before[from].0[k] + near[k] - input[f - 1][k])
        };
        let reached = [0, 1].map(|set| {
            let from = |from: usize| {
                let angles = closest(set, onward(from));
                (costs[from] + square(angles, onward(from)), angles, from)
            };
            let (a, b) = (from(0), from(1));
            if b.0 < a.0 { b } else { a }
        });
        costs = reached.map(|(cost, ..)| cost);
        ways.push(reached.map(|(_, angles, from)| (angles, from)));
    }
    if returns && let (Some(last), Some(near)) = (ways.last(), input.last()) {
        (0..2).for_each(|set| costs[set] += square(wound(last[set].0, *near), *near));
    }
    let mut set = usize::from(costs[1] < costs[0]);
    let mut angles: Vec<[f64; 3]> = Vec::with_capacity(ways.len());
    for way in ways.iter().rev() {
        angles.push(way[set].0);
        set = way[set].1;
    }
    angles.reverse();
    angles
}

/// Both sets of angles: the other one has its outer angles half a turn away, and the middle one mirrored.
fn both(first: [f64; 3]) -> [[f64; 3]; 2] {
    [first, [first[0] + PI, PI - first[1], first[2] + PI]]
}

/// Angles with as many whole turns as bring each nearest to some.
fn wound(angles: [f64; 3], near: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| angles[k] + TAU * ((near[k] - angles[k]) / TAU).round())
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

    /// A turn that swings past a pole, near it or far from it, away from an input that stays: no channel jumps where the
    /// rotation does not, and all come back to the input.
    #[test]
    fn past_a_pole_no_channel_jumps() {
        for order in ORDERS {
            for by in [0.01, 0.3, 1.0] {
                let input = vec![[0.1, 0.2, -0.1]; 61];
                // Outer angles go far apart and come back, the middle one stays this far from the pole.
                let given: Vec<[f64; 3]> = (0..61)
                    .map(|f| {
                        let u = (PI * f as f64 / 60.0).sin().powi(2);
                        [0.1 + 2.0 * u, 0.2 + (PI / 2.0 - by - 0.2) * u, -0.1 - 2.0 * u]
                    })
                    .collect();
                let turned: Vec<_> = given.iter().map(|angles| rotation(*angles, order)).collect();
                let found = along(&turned, order, &input, true);
                for (f, (found, given)) in found.iter().zip(&given).enumerate() {
                    assert!((rotation(*found, order) - turned[f]).norm() < 1e-9, "{order:?} {by} {f}");
                    assert!(
                        (0..3).all(|k| (found[k] - given[k]).abs() < 1e-9),
                        "{order:?} {by} {f}: {found:?}"
                    );
                }
                let jumps = |angles: &[[f64; 3]]| {
                    let steps = angles.windows(2).map(|pair| (pair[1][0] - pair[0][0]).abs());
                    steps.fold(0.0, f64::max)
                };
                let alone: Vec<_> =
                    turned.iter().zip(&input).map(|(R, near)| nearest(R, order, *near)).collect();
                assert!(jumps(&found) < 0.12 && (by == 1.0 || jumps(&alone) > 2.0), "{order:?} {by}");
            }
        }
    }

    /// Several turns about one axis, from an input that does not turn: the angle goes on beyond half a turn, and where a
    /// file turns over from 179° to −179° so do edited angles.
    #[test]
    fn turns_go_on_and_follow_those_of_the_input() {
        let order = [2, 0, 1];
        let spin: Vec<f64> = (0..100).map(|f| 0.2 * f as f64).collect();
        let turned: Vec<_> = spin.iter().map(|angle| rotation([*angle, 0.3, 0.1], order)).collect();
        let found = along(&turned, order, &vec![[0.0; 3]; 100], false);
        for (found, angle) in found.iter().zip(&spin) {
            assert!((found[0] - angle).abs() < 1e-9, "{found:?} {angle}");
        }
        let input: Vec<[f64; 3]> =
            spin.iter().map(|angle| [angle - TAU * (angle / TAU).round(), 0.0, 0.0]).collect();
        let found = along(&turned, order, &input, true);
        for (found, input) in found.iter().zip(&input) {
            assert!((found[0] - input[0]).abs() < 1e-9, "{found:?} {input:?}");
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
