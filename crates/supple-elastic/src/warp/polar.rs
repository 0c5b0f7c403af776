//! The rotations of many deformation gradients, four side by side.
//!
//! One polar decomposition is a chain of divisions and roots that wait for each other; four of them in step keep the
//! processor busy. Every operation is the one of [`rotation::polar_rotation`], in its order, so the bits are the same;
//! matrices that are nearly flat or inverted, and the few left over, go there.

use nalgebra::Matrix3;
use std::ops::{Add, Div, Mul, Sub};
use supple_numerics::{rotation, simd};

/// Matrices in step.
const LANES: usize = 4;
/// As [`rotation::polar_rotation`] has them: how regular a matrix must be, how many steps, and when the last was taken.
const REGULAR: f64 = 1e-4;
const STEPS: usize = 12;
const CONVERGED: f64 = 1e-18;

/// Replaces every F by Q of F = Q S.
pub(super) fn rotations(matrices: &mut [Matrix3<f64>]) {
    let mut groups = matrices.chunks_exact_mut(LANES);
    simd::widest(
        #[inline(always)]
        || {
            for group in &mut groups {
                if let Some(found) = newton(group) {
                    group.copy_from_slice(&found);
                } else {
                    each(group);
                }
            }
        },
    );
    each(groups.into_remainder());
}

fn each(matrices: &mut [Matrix3<f64>]) {
    matrices.iter_mut().for_each(|F| *F = rotation::polar_rotation(F));
}

/// A number of each matrix.
#[derive(Clone, Copy)]
struct Lanes([f64; LANES]);

impl Lanes {
    #[inline(always)]
    fn with(self, other: Self, op: impl Fn(f64, f64) -> f64) -> Self {
        Self(std::array::from_fn(|k| op(self.0[k], other.0[k])))
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.map(f64::sqrt))
    }
}

macro_rules! lanewise {
    ($trait:ident, $method:ident, $op:tt) => {
        impl $trait for Lanes {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                self.with(other, |a, b| a $op b)
            }
        }
    };
}
lanewise!(Add, add, +);
lanewise!(Sub, sub, -);
lanewise!(Mul, mul, *);
lanewise!(Div, div, /);

/// Three columns of three.
type Columns = [[Lanes; 3]; 3];

#[inline(always)]
fn cross(a: &[Lanes; 3], b: &[Lanes; 3]) -> [Lanes; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[inline(always)]
fn dot(a: &[Lanes; 3], b: &[Lanes; 3]) -> Lanes {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
fn norm_squared(x: &Columns) -> Lanes {
    dot(&x[0], &x[0]) + dot(&x[1], &x[1]) + dot(&x[2], &x[2])
}

#[inline(always)]
fn map(x: &Columns, op: impl Fn(usize, usize, Lanes) -> Lanes) -> Columns {
    std::array::from_fn(|c| std::array::from_fn(|r| op(r, c, x[c][r])))
}

/// Newton's iteration of all; none if it is not for one of them.
#[inline(always)]
fn newton(group: &[Matrix3<f64>]) -> Option<[Matrix3<f64>; LANES]> {
    let regular = |F: &Matrix3<f64>| {
        let size = F.norm();
        F.determinant() > REGULAR * size * size * size
    };
    if !group.iter().all(regular) {
        return None;
    }
    let constant = |x: f64| Lanes([x; LANES]);
    let mut x: Columns =
        std::array::from_fn(|c| std::array::from_fn(|r| Lanes(std::array::from_fn(|k| group[k][(r, c)]))));
    let mut found = [None; LANES];
    for _ in 0..STEPS {
        let cofactors = [cross(&x[1], &x[2]), cross(&x[2], &x[0]), cross(&x[0], &x[1])];
        let determinant = dot(&cofactors[0], &x[0]);
        let inverse = map(&cofactors, |_, _, c| c / determinant);
        let gamma = (norm_squared(&inverse) / norm_squared(&x)).sqrt().sqrt();
        let (own, other) = (constant(0.5) * gamma, constant(0.5) / gamma);
        let next = map(&x, |r, c, x| x * own + inverse[c][r] * other);
        let moved = norm_squared(&map(&next, |r, c, next| next - x[c][r]));
        x = next;
        for k in 0..LANES {
            if found[k].is_none() && moved.0[k] < CONVERGED {
                found[k] = Some(Matrix3::from_fn(|r, c| x[c][r].0[k]));
            }
        }
        if let [Some(a), Some(b), Some(c), Some(d)] = found {
            return Some([a, b, c, d]);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Vector3;

    #[test]
    fn the_bits_are_those_of_one_at_a_time() {
        let mut state = 7_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 * f64::powi(2.0, -52) - 1.0
        };
        // Near rotations, far from them, flat, inverted, and a number that is no multiple of four.
        let mut matrices: Vec<Matrix3<f64>> = (0..403)
            .map(|k| {
                let turn = rotation::exp(&Vector3::new(3.0 * random(), random(), random()));
                let size = [1e-12, 0.1, 0.5, 2.0][k / 8 % 4];
                turn * (Matrix3::identity() + Matrix3::from_fn(|_, _| size * random()))
            })
            .collect();
        matrices[17] = Matrix3::zeros();
        matrices[30] = Matrix3::from_diagonal(&Vector3::new(1.0, 1.0, -1.0));
        matrices[41] *= 1e-3;
        let expected: Vec<Matrix3<f64>> = matrices.iter().map(rotation::polar_rotation).collect();
        rotations(&mut matrices);
        let bits = |all: &[Matrix3<f64>]| -> Vec<u64> {
            all.iter().flat_map(|m| m.iter().map(|x| x.to_bits()).collect::<Vec<_>>()).collect()
        };
        assert_eq!(bits(&matrices), bits(&expected));
    }
}
