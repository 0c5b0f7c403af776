//! Voxels: a gradient at each of eight Gauss points.
//!
//! The unit cube of ξ is mapped to the voxel by X(ξ) = Σ_a N_a(ξ) x_a, see [`supple_mesh::trilinear`]; with J = ∂X/∂ξ the
//! gradients in space are g_a = J⁻ᵀ ∂N_a/∂ξ. What is kept of a point is J⁻ᵀ: all its gradients are more than twice as
//! large.

use super::Place;
use nalgebra::Matrix3;
use std::sync::LazyLock;
use supple_mesh::Vec3;
use supple_mesh::trilinear::{self, gauss_points};

/// ∂N_a/∂ξ at every Gauss point.
pub(crate) static UNIT_GRADIENTS: LazyLock<[[Vec3; 8]; 8]> =
    LazyLock::new(|| gauss_points().map(|xi| trilinear::gradients(&xi)));

/// A Gauss point of a voxel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VoxelPoint {
    /// J⁻ᵀ.
    to_space: Matrix3<f64>,
    /// det J / 8.
    pub volume: f64,
}

/// The Gauss points of a voxel, in the order of [`UNIT_GRADIENTS`].
pub(crate) fn voxel_points(corners: &[Vec3; 8]) -> [VoxelPoint; 8] {
    gauss_points().map(|xi| {
        let jacobian = trilinear::jacobian(corners, &xi);
        let inverse = jacobian.try_inverse().expect("a voxel mesh has positive Jacobians");
        VoxelPoint { to_space: inverse.transpose(), volume: jacobian.determinant() / 8.0 }
    })
}

/// The same with their gradients.
pub(crate) fn voxel_places(corners: &[Vec3; 8]) -> [Place<7>; 8] {
    let points = voxel_points(corners);
    std::array::from_fn(|q| {
        let [_, gradients @ ..] = points[q].gradients(&UNIT_GRADIENTS[q]);
        Place { gradients, volume: points[q].volume }
    })
}

impl VoxelPoint {
    /// g₀ … g₇ from the entry of [`UNIT_GRADIENTS`] for this point.
    #[inline]
    pub fn gradients(&self, unit: &[Vec3; 8]) -> [Vec3; 8] {
        unit.map(|g| self.to_space * g)
    }
}
