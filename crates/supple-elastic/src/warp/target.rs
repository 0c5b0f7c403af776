//! What one place of a body should look like after an edit.
//!
//! At a place with the input's deformation gradient F and rotation vector ω, an edit p whose gradient H
//! has the skew part π× (π× v = π × v) and the symmetric part ε asks for the gradient
//!
//! > exp(ω + π) (E + ε), E = exp(ω)ᵀ F,
//!
//! which is F without an edit. E is the stretch of F = Q S where ω is a logarithm of Q; any other ω is as
//! good, its E then turns a little. [`change`] is what the edit adds to F, exactly zero for no edit.
//!
//! A triangle knows its gradient along the surface only, H n = 0. It is lifted by δ nᵀ with δ = −Hᵀn,
//! the turn of the normal under a small motion, so that a rotation out of the plane is one to the skew
//! part as well. What the lift says about the normal of the *target* is never asked for.

use super::weights::Rows;
use nalgebra::Matrix3;
use supple_mesh::Vec3;
use supple_numerics::rotation;

/// The gradient of an edit, taken apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edit {
    /// π.
    turn: Vec3,
    /// ε.
    strain: Matrix3<f64>,
}

impl Edit {
    /// Of the gradient H; `normal` is that of a triangle.
    #[inline]
    pub fn of(mut H: Matrix3<f64>, normal: Option<&Vec3>) -> Self {
        if let Some(n) = normal {
            H -= H.transpose() * n * n.transpose();
        }
        let turn = Vec3::new(H[(2, 1)] - H[(1, 2)], H[(0, 2)] - H[(2, 0)], H[(1, 0)] - H[(0, 1)]) * 0.5;
        Self { turn, strain: (H + H.transpose()) * 0.5 }
    }

    #[inline]
    fn is_none(&self) -> bool {
        self.turn == Vec3::zeros() && self.strain == Matrix3::zeros()
    }
}

/// exp(ω + π)(E + ε) − F.
#[inline]
pub(super) fn change(F: &Matrix3<f64>, omega: &Vec3, edit: &Edit) -> Matrix3<f64> {
    if edit.is_none() {
        return Matrix3::zeros();
    }
    let stretch = rotation::exp(omega).transpose() * F + edit.strain;
    rotation::exp(&(omega + edit.turn)) * stretch - F
}

/// The derivative by H of B : [`change`], for the B of three coordinates at the same place.
///
/// With Y = exp(ω + π)(E + ε) and J the left Jacobian, dY = (J dπ)× Y + exp(ω + π) dε. The first term gives
/// B : a× Y = a · v with v the skew part of Y Bᵀ, the second the symmetric part of Z = exp(ω + π)ᵀ B.
#[inline]
pub(super) fn gradients(
    F: &Matrix3<f64>,
    omega: &Vec3,
    edit: &Edit,
    normal: Option<&Vec3>,
    rows: Rows<'_>,
) -> [Matrix3<f64>; 3] {
    let (turned, jacobian) = rotation::exp_and_jacobian(&(omega + edit.turn));
    let Y = turned * (rotation::exp(omega).transpose() * F + edit.strain);
    let parts: [(Vec3, Matrix3<f64>); 3] = match rows {
        Rows::Alike(rotation, beta) => {
            let (y, z) = (Y * beta, rotation * turned);
            std::array::from_fn(|i| {
                (y.cross(&rotation.row(i).transpose()), z.row(i).transpose() * beta.transpose())
            })
        }
        Rows::Each(B) => B.map(|B| {
            let A = Y * B.transpose();
            let v = Vec3::new(A[(1, 2)] - A[(2, 1)], A[(2, 0)] - A[(0, 2)], A[(0, 1)] - A[(1, 0)]);
            (v, turned.transpose() * B)
        }),
    };
    let back = jacobian.transpose() * 0.5;
    parts.map(|(v, Z)| {
        let M = (back * v).cross_matrix() + (Z + Z.transpose()) * 0.5;
        match normal {
            Some(n) => M - n * (M * n).transpose(),
            None => M,
        }
    })
}
