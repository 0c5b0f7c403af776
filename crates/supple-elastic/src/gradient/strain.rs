//! How much a simplex is strained: zero under every rigid motion, and for a small stretch by s in one direction s itself.
//!
//! > E = ½(FᵀF − I), F = Σ_{a≥1} (y_a − y₀) g_aᵀ
//!
//! over its displaced corners y. F of a triangle is that of its own plane, 3×2.

use super::{Flat, gradient, tet};
use nalgebra::{Matrix2, Matrix3};
use supple_mesh::Vec3;

/// The Green strain of a simplex.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Strain {
    /// ‖E‖, Frobenius.
    pub norm: f64,
    /// The volume or area at rest, for means.
    pub size: f64,
}

impl Strain {
    /// Gradients of what has no size are not finite.
    fn checked(self) -> Option<Self> {
        self.norm.is_finite().then_some(self)
    }
}

/// Of a tet; nothing for one without volume.
#[must_use]
pub fn tet_strain(rest: &[Vec3; 4], displaced: &[Vec3; 4]) -> Option<Strain> {
    let place = tet(rest);
    let [y0, y1, y2, y3] = displaced;
    let F = gradient(&[y1 - y0, y2 - y0, y3 - y0], &place.gradients);
    let E = (F.transpose() * F - Matrix3::identity()) * 0.5;
    Strain { norm: E.norm(), size: place.volume.abs() }.checked()
}

/// Of a triangle; nothing for one without area.
#[must_use]
pub fn triangle_strain(rest: &[Vec3; 3], displaced: &[Vec3; 3]) -> Option<Strain> {
    let flat = Flat::of(rest);
    let [y0, y1, y2] = displaced;
    let F = flat.gradient(&[y1 - y0, y2 - y0]);
    let E = (F.transpose() * F - Matrix2::identity()) * 0.5;
    Strain { norm: E.norm(), size: flat.twice_area / 2.0 }.checked()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretch_has_its_strain_rotation_none_and_nothing_has_no_strain() {
        let rest = [Vec3::new(0.1, 0.2, 0.3), Vec3::x(), Vec3::y(), Vec3::z()];
        let turn = nalgebra::Rotation3::from_euler_angles(0.3, -1.1, 2.0);
        let stretched = |s: f64| rest.map(|p| turn * Vec3::new(p.x * s, p.y, p.z));
        let [small, large] = [1.0, 1.2].map(|s| tet_strain(&rest, &stretched(s)).unwrap());
        // E_xx = (s² − 1)/2, all other entries vanish.
        assert!(small.norm < 1e-14 && (large.norm - 0.22).abs() < 1e-14);
        let corners = |p: [Vec3; 4]| [p[1], p[2], p[3]];
        let strain = |s: f64| triangle_strain(&corners(rest), &corners(stretched(s))).unwrap();
        assert!(strain(1.0).norm < 1e-14 && strain(1.2).norm > 0.1);
        assert!((large.size - 0.4 / 6.0).abs() < 1e-15 && (strain(1.0).size - 0.75_f64.sqrt()).abs() < 1e-15);
        assert_eq!(tet_strain(&[Vec3::x(); 4], &rest), None);
        let line = [Vec3::zeros(), Vec3::x(), Vec3::x() * 2.0];
        assert_eq!(triangle_strain(&line, &corners(rest)), None);
        assert_eq!(triangle_strain(&[Vec3::y(); 3], &corners(rest)), None);
    }
}
