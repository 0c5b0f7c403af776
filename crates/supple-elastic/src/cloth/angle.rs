//! The angle between two triangles at their common edge, and its derivatives.
//!
//! The edge runs from x₀ to x₁, e = x₁ − x₀; one triangle has its third corner at p, the other at q, both
//! measured from x₀. With the normals n = e × p and m = q × e,
//!
//! > θ = atan2((m × n)·ê, n·m) ∈ (−π, π],
//!
//! zero when flat and positive when p and q are raised along the normals. Each side is described by its unit
//! normal n, the unit vector r from the edge towards its corner, its height h over the edge and the place s of
//! its foot along the edge (0 at x₀, 1 at x₁). Moving a corner turns only its own triangle, so that
//!
//! > ∂θ/∂p = n/h, ∂θ/∂e = −Σ_sides s n/h,
//!
//! and, with X = n rᵀ + r nᵀ and Y = n êᵀ + ê nᵀ,
//!
//! > ∂²θ/∂p² = −X/h², ∂²θ/∂p∂e = s X/h² − ê nᵀ/(|e| h), ∂²θ/∂p∂q = 0,
//! >
//! > ∂²θ/∂e² = Σ_sides (s Y/(|e| h) − s² X/h² − X/(2|e|²)).
//!
//! The derivatives with respect to x₀ follow, because moving everything changes nothing. All of it is smooth
//! at every angle, ±π included, and singular only where a triangle has lost its area. Compare Tamstorf and
//! Grinspun 2013, "Discrete bending forces and their Jacobians".

use nalgebra::Matrix3;
use supple_mesh::Vec3;

/// Height over length below which a triangle has no normal.
const COLLAPSED: f64 = 1e-9;

/// Two triangles at an edge.
pub(super) struct Hinge {
    /// ê.
    direction: Vec3,
    /// |e|.
    length: f64,
    /// Those of p and of q.
    sides: [Side; 2],
}

struct Side {
    /// n.
    normal: Vec3,
    /// r.
    outward: Vec3,
    /// h.
    height: f64,
    /// s.
    foot: f64,
}

impl Hinge {
    /// The hinge of x₀, x₁ and the corners of both sides; `None` when a triangle has collapsed.
    #[inline]
    pub fn at([x0, x1, p, q]: &[Vec3; 4]) -> Option<Self> {
        let (e, p, q) = (x1 - x0, p - x0, q - x0);
        let length = e.norm();
        let side = |corner: Vec3, normal: Vec3| {
            let size = normal.norm();
            (size > COLLAPSED * (length * length + corner.norm_squared())).then(|| {
                let height = size / length;
                let foot = corner.dot(&e) / (length * length);
                Side { normal: normal / size, outward: (corner - e * foot) / height, height, foot }
            })
        };
        let sides = [side(p, e.cross(&p))?, side(q, q.cross(&e))?];
        Some(Self { direction: e / length, length, sides })
    }

    /// θ.
    #[inline]
    pub fn angle(&self) -> f64 {
        let [n, m] = [&self.sides[0].normal, &self.sides[1].normal];
        m.cross(n).dot(&self.direction).atan2(n.dot(m))
    }

    /// ∂θ/∂x of x₀, x₁ and both corners.
    #[inline]
    pub fn gradient(&self) -> [Vec3; 4] {
        let [p, q] = [0, 1].map(|k| self.sides[k].normal / self.sides[k].height);
        let [s, t] = [0, 1].map(|k| self.sides[k].foot);
        [-(p * (1.0 - s) + q * (1.0 - t)), -(p * s + q * t), p, q]
    }

    /// The blocks ∂²θ/∂x_a∂x_b, b ≤ a, in the order (0,0), (1,0), (1,1), (2,0), …
    #[inline]
    pub fn hessian(&self) -> [Matrix3<f64>; 10] {
        let [(pp, pe, ee_p), (qq, qe, ee_q)] = [0, 1].map(|k| self.side_hessian(&self.sides[k]));
        let ee = ee_p + ee_q;
        let mixed = pe + qe;
        let x0x0 = (ee + pp + qq) + (mixed + mixed.transpose());
        let x1x0 = -(ee + mixed.transpose());
        [x0x0, x1x0, ee, -(pe + pp), pe, pp, -(qe + qq), qe, Matrix3::zeros(), qq]
    }

    /// ∂²θ/∂p², ∂²θ/∂p∂e and this side's part of ∂²θ/∂e².
    #[inline]
    fn side_hessian(&self, side: &Side) -> (Matrix3<f64>, Matrix3<f64>, Matrix3<f64>) {
        let Side { normal, outward, height, foot } = side;
        let half = normal * outward.transpose();
        let X = half + half.transpose();
        let along = normal * self.direction.transpose() / (self.length * height);
        let pp = -X / (height * height);
        let pe = pp * -*foot - along.transpose();
        let ee =
            (along + along.transpose()) * *foot + pp * (foot * foot) - X / (2.0 * self.length * self.length);
        (pp, pe, ee)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    const STEP: f64 = 1e-6;

    /// A hinge of triangles of unequal shape, folded by `angle`, turned and moved.
    fn folded(angle: f64) -> [Vec3; 4] {
        let turn = nalgebra::Rotation3::from_euler_angles(0.4, -1.1, 2.0);
        let flap = Vec3::new(-0.3, -0.9 * angle.cos(), 0.9 * angle.sin());
        let flat = [Vec3::zeros(), Vec3::new(1.2, 0.0, 0.0), Vec3::new(0.5, 0.7, 0.0), flap];
        flat.map(|x| turn * x + Vec3::new(3.0, -1.0, 2.0))
    }

    fn hinge(corners: &[Vec3; 4]) -> Hinge {
        Hinge::at(corners).unwrap()
    }

    /// (f(x + h) − f(x − h)) / 2h for coordinate c of corner b.
    fn difference<T: std::ops::Sub<Output = T> + std::ops::Div<f64, Output = T>>(
        x: &[Vec3; 4],
        (b, c): (usize, usize),
        f: impl Fn(&Hinge) -> T,
    ) -> T {
        let at = |step: f64| {
            let mut x = *x;
            x[b][c] += step;
            f(&hinge(&x))
        };
        (at(STEP) - at(-STEP)) / (2.0 * STEP)
    }

    #[test]
    fn the_angle_is_that_of_the_fold() {
        for angle in [-3.1, -2.0, -0.5, -1e-9, 0.0, 1e-9, 0.7, 1.6, 3.1] {
            let found = hinge(&folded(angle)).angle();
            assert!((found - angle).abs() < 1e-14, "{found} is not {angle}");
        }
        assert!((hinge(&folded(PI)).angle().abs() - PI).abs() < 1e-14);
    }

    #[test]
    fn gradient_and_hessian_match_differences() {
        for angle in [-3.1, -1.3, 0.0, 0.4, 1.6, 2.9, PI - 1e-3] {
            let x = folded(angle);
            let (gradient, hessian) = (hinge(&x).gradient(), hinge(&x).hessian());
            for (b, c) in (0..4).flat_map(|b| (0..3).map(move |c| (b, c))) {
                let expected = difference(&x, (b, c), Hinge::angle);
                assert!((gradient[b][c] - expected).abs() < 1e-8, "{angle}: gradient {b} {c}");
                for a in b..4 {
                    let block = hessian[a * (a + 1) / 2 + b];
                    let expected = difference(&x, (b, c), |hinge| hinge.gradient()[a]);
                    assert!((block.column(c) - expected).norm() < 1e-8, "{angle}: block {a} {b} column {c}");
                    assert!(a != b || block == block.transpose());
                }
            }
        }
    }

    #[test]
    fn a_collapsed_triangle_has_no_angle() {
        let good = folded(0.3);
        for corner in 0..4 {
            let mut x = good;
            x[corner] = x[(corner + 1) % 4];
            assert!(corner == 2 || Hinge::at(&x).is_none(), "corner {corner}");
        }
        let mut flat = good;
        flat[3] = flat[0] * 2.0 - flat[1];
        assert!(Hinge::at(&flat).is_none());
    }
}
