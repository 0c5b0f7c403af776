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

/// Y = exp(ω + π)(E + ε), exp(ω + π) and the left Jacobian there: what derivatives of [`change`] are made of.
///
/// dY = (J dπ)× Y + exp(ω + π) dε.
pub(super) struct Slope {
    Y: Matrix3<f64>,
    turned: Matrix3<f64>,
    /// ½ Jᵀ.
    back: Matrix3<f64>,
}

impl Slope {
    #[inline]
    pub fn new(F: &Matrix3<f64>, omega: &Vec3, edit: &Edit) -> Self {
        let (turned, jacobian) = rotation::exp_and_jacobian(&(omega + edit.turn));
        let Y = turned * (rotation::exp(omega).transpose() * F + edit.strain);
        Self { Y, turned, back: jacobian.transpose() * 0.5 }
    }

    /// The same of Q Y, for a rotation Q that stands still.
    #[inline]
    pub fn turned(&self, Q: &Matrix3<f64>) -> Self {
        Self { Y: Q * self.Y, turned: Q * self.turned, back: self.back * Q.transpose() }
    }

    /// The derivatives by H of the three coordinates of [`change`] β.
    #[inline]
    pub fn alike(&self, beta: &Vec3) -> Alike {
        // e_i · (a× Y β) = a · (Yβ × e_i): the turns are the columns of ½ Jᵀ (Yβ)×.
        let y = self.Y * beta;
        Alike { turns: self.back * y.cross_matrix(), turned: self.turned * 0.5, beta: *beta }
    }

    /// The derivative by H of B : [`change`]: B : a× Y = a · v with v the skew part of Y Bᵀ, and the symmetric part
    /// of exp(ω + π)ᵀ B.
    #[inline]
    pub fn of(&self, B: &Matrix3<f64>) -> Matrix3<f64> {
        let A = self.Y * B.transpose();
        let v = Vec3::new(A[(1, 2)] - A[(2, 1)], A[(2, 0)] - A[(0, 2)], A[(0, 1)] - A[(1, 0)]);
        let Z = self.turned.transpose() * B;
        (self.back * v).cross_matrix() + (Z + Z.transpose()) * 0.5
    }
}

/// M_i = b_i× + ½(t_i βᵀ + β t_iᵀ), a matrix for each coordinate i; b_i the columns of `turns`, t_i the rows of
/// exp(ω + π).
pub(super) struct Alike {
    turns: Matrix3<f64>,
    /// ½ exp(ω + π).
    turned: Matrix3<f64>,
    beta: Vec3,
}

impl Alike {
    /// M_i g, coordinate after coordinate.
    #[inline]
    pub fn times(&self, g: &Vec3) -> [f64; 9] {
        let (scale, along) = (self.beta.dot(g), self.turned * g);
        let mut out = [0.0; 9];
        for i in 0..3 {
            let b = self.turns.column(i);
            out[3 * i] = (b[1] * g.z - b[2] * g.y) + (self.turned[(i, 0)] * scale + self.beta.x * along[i]);
            out[3 * i + 1] =
                (b[2] * g.x - b[0] * g.z) + (self.turned[(i, 1)] * scale + self.beta.y * along[i]);
            out[3 * i + 2] =
                (b[0] * g.y - b[1] * g.x) + (self.turned[(i, 2)] * scale + self.beta.z * along[i]);
        }
        out
    }
}

/// Takes from M g, for each coordinate, what the gradient of a triangle with the normal n has not: M − n (M n)ᵀ is
/// the derivative then.
#[inline]
pub(super) fn flatten(products: &mut [f64; 9], of_normal: &[f64; 9], n: &Vec3, g: &Vec3) {
    for (product, of_normal) in products.chunks_exact_mut(3).zip(of_normal.chunks_exact(3)) {
        let lost = of_normal[0] * g.x + of_normal[1] * g.y + of_normal[2] * g.z;
        for c in 0..3 {
            product[c] -= n[c] * lost;
        }
    }
}
