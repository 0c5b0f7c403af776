//! The discrete gradient: what displacements of an element's corners do inside of it. Solids, cloth, the warp and strain
//! all measure deformation by it.
//!
//! Inside an element u(X) = Σ_a N_a(X) u_a. Because Σ_a N_a = 1 only differences to the first corner count, and of the
//! gradients g_a = ∇N_a all but the first, which is minus the sum of the others:
//!
//! > H = ∂u/∂X = Σ_{a≥1} (u_a − u₀) g_aᵀ, F = I + H.
//!
//! The same sum over positions is F itself. Sums over an element weigh each of its places q, where g is taken, by a volume
//! V_q. With a, b, c the edges from corner 0 to the others:
//!
//! | element | places | g_1, g_2, … | V_q | |
//! |---|---|---|---|---|
//! | tet | 1 | b×c, c×a, a×b over a·(b×c) | a·(b×c)/6 | [`tet`] |
//! | voxel | 8 Gauss points | J⁻ᵀ ∂N_a/∂ξ, J = ∂X/∂ξ | det J/8 | [`voxel_places`] |
//! | triangle, in space | 1 | b×n, n×a over \|a×b\|, n = a×b/\|a×b\| | \|a×b\|/2 | [`triangle`] |
//! | triangle, in its plane | 1 | (b₂, −b₁), (0, \|a\|) over \|a×b\| | \|a×b\|/2 | [`Flat`] |
//!
//! A voxel has eight because fewer would leave motions of its corners that no gradient sees.

mod simplex;
mod strain;
mod voxel;

pub(crate) use simplex::{Flat, tet, triangle};
pub use strain::{Strain, tet_strain, triangle_strain};
pub(crate) use voxel::{UNIT_GRADIENTS, VoxelPoint, voxel_places, voxel_points};

use crate::elements::displacement;
use nalgebra::{Matrix3, SMatrix, SVector};
use supple_mesh::Vec3;
use supple_model::VertexId;

/// A place inside an element, D = corners − 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<const D: usize> {
    /// g₁ … g_D, one over metres.
    pub gradients: [Vec3; D],
    /// V; an area for a triangle.
    pub volume: f64,
}

impl<const D: usize> Place<D> {
    /// H of a displacement given by its [`differences`], never −0.
    #[inline]
    pub fn gradient(&self, differences: &[Vec3; D]) -> Matrix3<f64> {
        gradient(differences, &self.gradients) + Matrix3::zeros()
    }

    /// F = I + H.
    #[inline]
    pub fn deformation(&self, differences: &[Vec3; D]) -> Matrix3<f64> {
        gradient(differences, &self.gradients) + Matrix3::identity()
    }
}

/// H = Σ_a (u_a − u₀) g_aᵀ, with gradients of R dimensions: those of space, or of a triangle's plane.
#[inline]
pub(crate) fn gradient<const D: usize, const R: usize>(
    differences: &[Vec3; D],
    gradients: &[SVector<f64, R>; D],
) -> SMatrix<f64, 3, R> {
    let mut H = differences[0] * gradients[0].transpose();
    for a in 1..D {
        H += differences[a] * gradients[a].transpose();
    }
    H
}

/// u_a − u₀ of corners 1 … D.
#[inline]
pub(crate) fn differences<const C: usize, const D: usize>(corners: &[VertexId; C], u: &[f64]) -> [Vec3; D] {
    let first = displacement(u, corners[0]);
    std::array::from_fn(|a| displacement(u, corners[a + 1]) - first)
}

/// Adds to `out` `weight` times g_a·g_b of all corners b ≤ a: (0,0), (1,0), (1,1), (2,0), …
pub(crate) fn add_products(weight: f64, gradients: &[Vec3], out: &mut [f64]) {
    let all = (0..gradients.len()).flat_map(|a| (0..=a).map(move |b| (a, b)));
    for (out, (a, b)) in out.iter_mut().zip(all) {
        *out += weight * gradients[a].dot(&gradients[b]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Matrix2;

    /// An affine displacement x ↦ A x of corners, as differences.
    fn affine<const C: usize, const D: usize>(A: &Matrix3<f64>, x: &[Vec3; C]) -> [Vec3; D] {
        std::array::from_fn(|a| A * (x[a + 1] - x[0]))
    }

    fn skewed() -> Matrix3<f64> {
        Matrix3::new(0.3, -0.2, 0.5, 0.1, 0.4, -0.6, 0.7, 0.25, -0.15)
    }

    /// Corners of the unit cube, bent.
    fn bent() -> [Vec3; 8] {
        let mut corners = supple_mesh::trilinear::CORNERS.map(Vec3::from);
        corners[6] += Vec3::new(0.2, -0.1, 0.15);
        corners[3] += Vec3::new(-0.1, 0.05, 0.02);
        corners
    }

    #[test]
    fn every_element_finds_the_gradient_of_an_affine_displacement() {
        let (A, cube) = (skewed(), bent());
        let corners = [cube[0], cube[1], cube[2], cube[5]];
        assert!((tet(&corners).gradient(&affine(&A, &corners)) - A).norm() < 1e-13);
        assert!((tet(&corners).deformation(&affine(&A, &corners)) - A - Matrix3::identity()).norm() < 1e-13);
        for place in voxel_places(&cube) {
            assert!((place.gradient(&affine(&A, &cube)) - A).norm() < 1e-13);
        }
        // A triangle sees what is along its surface: H T = A T, H n = 0.
        let corners = [cube[0], cube[6], cube[3]];
        let (place, n) = triangle(&corners);
        let flat = Flat::of(&corners);
        let (H, HT) = (place.gradient(&affine(&A, &corners)), flat.gradient(&affine(&A, &corners)));
        assert!((H * n).norm() < 1e-13 && (n.norm() - 1.0).abs() < 1e-15);
        assert!((H * flat.basis - A * flat.basis).norm() < 1e-13 && (HT - A * flat.basis).norm() < 1e-13);
        assert!((flat.basis.tr_mul(&flat.basis) - Matrix2::identity()).norm() < 1e-15);
    }

    #[test]
    fn places_stand_for_the_volume_of_their_element() {
        let cube = bent();
        let mesh =
            supple_mesh::VoxelMesh::new(cube.to_vec(), vec![std::array::from_fn(VertexId::new)]).unwrap();
        let volume: f64 = voxel_places(&cube).iter().map(|place| place.volume).sum();
        assert!((volume - mesh.volume(supple_model::ElementId::new(0))).abs() < 1e-15);
        let corners = [cube[0], cube[1], cube[2], cube[5]];
        let [x0, x1, x2, x3] = corners;
        assert!((tet(&corners).volume - supple_mesh::signed_volume(x0, x1, x2, x3)).abs() < 1e-15);
        let corners = [cube[0], cube[6], cube[3]];
        assert!((triangle(&corners).0.volume - 0.5 * Flat::of(&corners).twice_area).abs() < 1e-15);
    }

    /// The stiffness of a voxel at rest is part of the key under which its modes are kept: −0 would be another key.
    #[test]
    fn a_place_at_rest_has_no_negative_zero() {
        let place = Place { gradients: [Vec3::repeat(-1.0); 3], volume: 1.0 };
        let H = place.gradient(&[Vec3::zeros(); 3]);
        assert!(H.iter().all(|x| x.to_bits() == 0), "{H}");
    }

    #[test]
    fn products_are_those_of_all_pairs() {
        let gradients = [Vec3::x(), Vec3::new(1.0, 2.0, 0.0), Vec3::new(0.0, -1.0, 3.0)];
        let mut out = [1.0; 6];
        add_products(2.0, &gradients, &mut out);
        assert_eq!(out, [3.0, 3.0, 11.0, 1.0, -3.0, 21.0]);
    }
}
