//! The trilinear map of a hexahedron: the unit cube bent onto eight corners.
//!
//!   X(ξ) = Σₐ Nₐ(ξ) xₐ,  Nₐ(ξ) = Πᵢ (ξᵢ if corner a has ξᵢ = 1, else 1 − ξᵢ),  ξ ∈ [0, 1]³
//!
//! The weights Nₐ sum to 1 and reproduce affine functions for every ξ, inside the cube or not. The
//! Jacobian J = ∂X/∂ξ (3×3, column i = ∂X/∂ξᵢ) has a determinant quadratic in each ξᵢ, so two Gauss
//! points per axis integrate it exactly.

use crate::Vec3;
use nalgebra::Matrix3;

/// The place of each corner in the unit cube: 000, 100, 110, 010, 001, 101, 111, 011.
pub const CORNERS: [[f64; 3]; 8] = [
    [0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [1.0, 1.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [1.0, 0.0, 1.0],
    [1.0, 1.0, 1.0],
    [0.0, 1.0, 1.0],
];

/// The eight Gauss points of the unit cube, in the order of the corners they lie nearest to; each
/// stands for 1/8 of the cube.
#[must_use]
pub fn gauss_points() -> [Vec3; 8] {
    let half = 0.5 / 3_f64.sqrt();
    CORNERS.map(|corner| Vec3::from(corner.map(|bit| if bit > 0.0 { 0.5 + half } else { 0.5 - half })))
}

/// The weights Nₐ(ξ).
#[must_use]
pub fn weights(xi: &Vec3) -> [f64; 8] {
    let one = |bit: f64, x: f64| if bit > 0.0 { x } else { 1.0 - x };
    CORNERS.map(|[i, j, k]| one(i, xi.x) * one(j, xi.y) * one(k, xi.z))
}

/// Their gradients ∂Nₐ/∂ξ.
#[must_use]
pub fn gradients(xi: &Vec3) -> [Vec3; 8] {
    let one = |bit: f64, x: f64| if bit > 0.0 { x } else { 1.0 - x };
    let slope = |bit: f64| if bit > 0.0 { 1.0 } else { -1.0 };
    CORNERS.map(|[i, j, k]| {
        let (x, y, z) = (one(i, xi.x), one(j, xi.y), one(k, xi.z));
        Vec3::new(slope(i) * y * z, x * slope(j) * z, x * y * slope(k))
    })
}

/// The point X(ξ).
#[must_use]
pub fn position(corners: &[Vec3; 8], xi: &Vec3) -> Vec3 {
    corners.iter().zip(weights(xi)).map(|(corner, weight)| corner * weight).sum()
}

/// The Jacobian ∂X/∂ξ.
#[must_use]
pub fn jacobian(corners: &[Vec3; 8], xi: &Vec3) -> Matrix3<f64> {
    corners.iter().zip(gradients(xi)).map(|(corner, gradient)| corner * gradient.transpose()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn point() -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-0.5..1.5).prop_map(Vec3::from)
    }

    proptest! {
        #[test]
        fn the_weights_reproduce_affine_functions_and_their_gradients_are_their_slopes(xi in point()) {
            let corners = CORNERS.map(Vec3::from);
            prop_assert!((weights(&xi).iter().sum::<f64>() - 1.0).abs() < 1e-14);
            prop_assert!((position(&corners, &xi) - xi).norm() < 1e-14);
            let step = 1e-6;
            for axis in 0..3 {
                let ahead = weights(&(xi + Vec3::ith(axis, step)));
                let behind = weights(&(xi - Vec3::ith(axis, step)));
                for a in 0..8 {
                    let slope = (ahead[a] - behind[a]) / (2.0 * step);
                    prop_assert!((slope - gradients(&xi)[a][axis]).abs() < 1e-8);
                }
            }
        }

        #[test]
        fn the_jacobian_is_the_slope_of_the_map(xi in point(), bent in prop::array::uniform8(point())) {
            let step = 1e-6;
            for axis in 0..3 {
                let h = Vec3::ith(axis, step);
                let slope = (position(&bent, &(xi + h)) - position(&bent, &(xi - h))) / (2.0 * step);
                prop_assert!((slope - jacobian(&bent, &xi).column(axis)).norm() < 1e-7);
            }
        }
    }

    #[test]
    fn corners_and_gauss_points_lie_where_they_should() {
        for (a, corner) in CORNERS.iter().enumerate() {
            let mut expected = [0.0; 8];
            expected[a] = 1.0;
            assert_eq!(weights(&Vec3::from(*corner)), expected);
        }
        // ∫ x² y² z² = 1/27: the highest power the two-point rule must hold.
        let integral: f64 = gauss_points().iter().map(|p| (p.x * p.y * p.z).powi(2) / 8.0).sum();
        assert!((integral - 1.0 / 27.0).abs() < 1e-15);
    }
}
