//! Tets and triangles: one gradient each.

use super::{Place, gradient};
use nalgebra::{Matrix3x2, Vector2};
use supple_mesh::Vec3;

/// The place of a tet, of negative volume if it is turned over.
pub(crate) fn tet([x0, x1, x2, x3]: &[Vec3; 4]) -> Place<3> {
    let (a, b, c) = (x1 - x0, x2 - x0, x3 - x0);
    let six_volumes = a.dot(&b.cross(&c));
    let gradients = [b.cross(&c), c.cross(&a), a.cross(&b)].map(|g| g / six_volumes);
    Place { gradients, volume: six_volumes / 6.0 }
}

/// The place of a triangle in space, with gradients along its surface, and its unit normal.
pub(crate) fn triangle([x0, x1, x2]: &[Vec3; 3]) -> (Place<2>, Vec3) {
    let (a, b) = (x1 - x0, x2 - x0);
    let normal = a.cross(&b);
    let twice_area = normal.norm();
    let normal = normal / twice_area;
    let gradients = [b.cross(&normal), normal.cross(&a)].map(|g| g / twice_area);
    (Place { gradients, volume: twice_area / 2.0 }, normal)
}

/// A triangle in its own plane, whose orthonormal basis T (3×2) has the first edge along its first axis. Its
/// deformation gradient takes this plane to space: F = T + H, 3×2.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flat {
    /// T.
    pub basis: Matrix3x2<f64>,
    /// g₁, g₂, one over metres.
    pub gradients: [Vector2<f64>; 2],
    /// |a×b|.
    pub twice_area: f64,
}

impl Flat {
    pub fn of([x0, x1, x2]: &[Vec3; 3]) -> Self {
        let (a, b) = (x1 - x0, x2 - x0);
        let t1 = a.normalize();
        let normal = a.cross(&b);
        let t2 = normal.cross(&a).normalize();
        let twice_area = normal.norm();
        // In the basis a = (|a|, 0) and b = (b₁, b₂): the inverse of [a b] has the gradients as rows.
        let (b1, b2) = (b.dot(&t1), b.dot(&t2));
        let gradients = [Vector2::new(b2, -b1) / twice_area, Vector2::new(0.0, a.norm()) / twice_area];
        Self { basis: Matrix3x2::from_columns(&[t1, t2]), gradients, twice_area }
    }

    /// H, 3×2, of a displacement given by its [differences](super::differences).
    #[inline]
    pub fn gradient(&self, differences: &[Vec3; 2]) -> Matrix3x2<f64> {
        gradient(differences, &self.gradients)
    }
}
