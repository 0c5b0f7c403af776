//! Generalised winding numbers: how often a surface wraps around a point.
//!
//! Jacobson, Kavan and Sorkine, "Robust Inside-Outside Segmentation Using Generalized Winding
//! Numbers" (SIGGRAPH 2013): the sum of the signed solid angles of all triangles,
//!
//!   w(q) = 1/4π Σₜ Ωₜ(q) = 1/4π ∫ n · R / |R|³ dA,  R = p − q,
//!
//! is 1 inside and 0 outside a closed surface, jumps by 1 across every triangle, and varies
//! smoothly (it is harmonic) elsewhere, so that holes, overlaps and stray triangles blur it instead
//! of breaking it.
//!
//! Barill, Dickson, Schmidt, Levin and Jacobson, "Fast Winding Numbers for Soups and Clouds"
//! (SIGGRAPH 2018): the triangles of a far node of the tree act together through their moments
//! about the area centroid c, the Taylor series of F(R) = R/|R|³ about R = c − q,
//!
//!   4π w ≈ N · F + S : ∇F + ½ T ⋮ ∇∇F
//!
//!   ∂ⱼFᵢ  = δᵢⱼ/|R|³ − 3 RᵢRⱼ/|R|⁵
//!   ∂ⱼ∂ₖFᵢ = −3 (δᵢⱼ Rₖ + δᵢₖ Rⱼ + δⱼₖ Rᵢ)/|R|⁵ + 15 RᵢRⱼRₖ/|R|⁷
//!
//! | symbol | name     | value, d = p − c             | shape  |
//! |--------|----------|------------------------------|--------|
//! | N      | `normal` | ∫ n dA                       | 3      |
//! | S      | `first`  | ∫ n dᵀ dA                    | 3×3    |
//! | T      | `second` | ∫ nᵢ d dᵀ dA for each i      | 3×3×3  |

use crate::{Aabb, TriangleTree, Vec3};
use nalgebra::Matrix3;
use std::cell::Cell;
use std::f64::consts::PI;

/// A node is far when the point is this many of its radii away. The sum then errs by a few
/// thousandths at most, which is nothing beside the one half that decides.
const FAR: f64 = 2.0;

/// The triangles of one node, seen from afar.
#[derive(Clone, Debug)]
struct Moments {
    area: f64,
    centroid: Vec3,
    normal: Vec3,
    first: Matrix3<f64>,
    second: [Matrix3<f64>; 3],
}

impl Default for Moments {
    fn default() -> Self {
        let (zero, none) = (Vec3::zeros(), Matrix3::zeros());
        Self { area: 0.0, centroid: zero, normal: zero, first: none, second: [none; 3] }
    }
}

impl Moments {
    fn of(corners: &[Vec3; 3]) -> Self {
        let [a, b, c] = corners;
        let normal = (b - a).cross(&(c - a)) / 2.0;
        let centroid = (a + b + c) / 3.0;
        // ∫ d dᵀ over a triangle is a twelfth of its area times that sum over its corners.
        let square: Matrix3<f64> =
            corners.iter().map(|p| (p - centroid) * (p - centroid).transpose() / 12.0).sum();
        let second = [0, 1, 2].map(|i| square * normal[i]);
        Self { area: normal.norm(), centroid, normal, first: Matrix3::zeros(), second }
    }

    fn join(self, other: &Self) -> Self {
        let area = self.area + other.area;
        let part = if area > 0.0 { other.area / area } else { 0.0 };
        let centroid = self.centroid + (other.centroid - self.centroid) * part;
        let (one, two) = (self.about(centroid), other.about(centroid));
        Self {
            area,
            centroid,
            normal: one.normal + two.normal,
            first: one.first + two.first,
            second: [0, 1, 2].map(|i| one.second[i] + two.second[i]),
        }
    }

    /// The same triangles with their moments about another point: d becomes d + δ.
    fn about(&self, centroid: Vec3) -> Self {
        let shift = self.centroid - centroid;
        let first = self.first + self.normal * shift.transpose();
        let second = [0, 1, 2].map(|i| {
            let mixed = self.first.row(i).transpose() * shift.transpose();
            self.second[i] + mixed + mixed.transpose() + shift * shift.transpose() * self.normal[i]
        });
        Self { centroid, first, second, ..*self }
    }

    /// 4π times what these triangles add to the winding number at a point, given R = centroid − point.
    fn solid_angle(&self, r: &Vec3) -> f64 {
        let squared = r.norm_squared();
        let (mut traces, mut cubic) = (0.0, 0.0);
        for (i, second) in self.second.iter().enumerate() {
            let along = second * r;
            traces += 2.0 * along[i] + second.trace() * r[i];
            cubic += r[i] * r.dot(&along);
        }
        let constant = self.normal.dot(r);
        let linear = self.first.trace() - 3.0 * r.dot(&(self.first * r)) / squared;
        let quadratic = (7.5 * cubic / squared - 1.5 * traces) / squared;
        (constant + linear + quadratic) / (squared * squared.sqrt())
    }
}

/// Winding numbers of a triangle soup, O(log n) each.
#[derive(Clone, Debug)]
pub(super) struct Winding {
    triangles: TriangleTree,
    moments: Vec<Moments>,
}

impl Winding {
    /// Sums up the triangles of every node.
    pub fn new(triangles: TriangleTree) -> Self {
        let corners = triangles.corners();
        let moments = triangles.tree().summaries(|t| Moments::of(&corners[t]), Moments::join);
        Self { triangles, moments }
    }

    /// The triangles.
    pub fn triangles(&self) -> &TriangleTree {
        &self.triangles
    }

    /// The winding number at a point.
    pub fn at(&self, point: &Vec3) -> f64 {
        let sum = Cell::new(0.0);
        let enter = |node: usize, bounds: &Aabb| {
            let moments = &self.moments[node];
            let r = moments.centroid - point;
            let far = r.norm_squared() > FAR * FAR * radius_squared(bounds, &moments.centroid);
            if far {
                sum.set(sum.get() + moments.solid_angle(&r));
            }
            !far
        };
        let corners = self.triangles.corners();
        self.triangles.tree().visit(enter, |t| sum.set(sum.get() + solid_angle(&corners[t], point)));
        sum.get() / (4.0 * PI)
    }
}

/// Squared distance from a point in a box to its farthest corner.
fn radius_squared(bounds: &Aabb, point: &Vec3) -> f64 {
    (point - bounds.min).sup(&(bounds.max - point)).norm_squared()
}

/// The signed solid angle of a triangle seen from a point, within [−2π, 2π]: positive when the
/// triangle is seen from behind. Van Oosterom and Strackee, "The Solid Angle of a Plane Triangle"
/// (1983).
fn solid_angle(triangle: &[Vec3; 3], point: &Vec3) -> f64 {
    let [a, b, c] = triangle.map(|corner| corner - point);
    let (la, lb, lc) = (a.norm(), b.norm(), c.norm());
    let below = la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb;
    2.0 * a.dot(&b.cross(&c)).atan2(below)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fill::damage::{ball, soup};
    use proptest::prelude::*;
    use supple_model::VertexId;

    fn winding(triangles: &[[Vec3; 3]]) -> Winding {
        let ids: Vec<_> = (0..triangles.len()).map(|t| [0, 1, 2].map(|k| VertexId::new(3 * t + k))).collect();
        Winding::new(TriangleTree::new(triangles.as_flattened(), &ids))
    }

    fn full_sum(triangles: &[[Vec3; 3]], point: &Vec3) -> f64 {
        triangles.iter().map(|t| solid_angle(t, point)).sum::<f64>() / (4.0 * PI)
    }

    fn point() -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-1.5..1.5).prop_map(Vec3::from)
    }

    proptest! {
        /// A few stray triangles are the worst for sums over many.
        #[test]
        fn the_fast_sum_is_the_full_sum(
            scattered in prop::collection::vec((point(), point(), point()), 1..80), p in point()
        ) {
            let triangles: Vec<_> = scattered.iter().map(|(a, b, c)| [*a, a + b * 0.3, a + c * 0.3]).collect();
            let (fast, full) = (winding(&triangles).at(&p), full_sum(&triangles, &p));
            prop_assert!((fast - full).abs() < 1e-2, "{fast} {full}");
        }

        #[test]
        fn a_closed_surface_is_wound_once_inside_and_not_outside(p in point()) {
            prop_assume!((p.norm() - 1.0).abs() > 0.02);
            let sphere = soup(&ball(Vec3::zeros(), 1.0, 16));
            let expected = if p.norm() < 1.0 { 1.0 } else { 0.0 };
            prop_assert!((winding(&sphere).at(&p) - expected).abs() < 5e-3);
            prop_assert!((full_sum(&sphere, &p) - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn beside_a_leaf_the_sum_is_exact() {
        let sphere = soup(&ball(Vec3::zeros(), 1.0, 2));
        let some = winding(&sphere[..4]);
        for p in [Vec3::zeros(), sphere[2][0] * 0.9, sphere[3][1] * 1.1] {
            assert_eq!(some.at(&p), full_sum(&sphere[..4], &p));
        }
    }

    /// The solid angle of a triangle in one octant is an eighth of the sphere; a large sheet seen
    /// from close by hides half of it, from behind with the other sign.
    #[test]
    fn solid_angles_of_an_octant_and_of_a_sheet() {
        let octant = [Vec3::x(), Vec3::y(), Vec3::z()];
        assert!((solid_angle(&octant, &Vec3::zeros()) - PI / 2.0).abs() < 1e-15);
        let [a, b, c, d] =
            [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[x, y]| Vec3::new(x, y, 0.0));
        let sheet = winding(&[[a, b, c], [a, c, d]]);
        let near = Vec3::new(0.1, 0.2, 1e-9);
        assert!((sheet.at(&near) + 0.5).abs() < 1e-8 && (sheet.at(&-near) - 0.5).abs() < 1e-8);
    }

    /// The solid angle falls with the square of the distance, the first term left out with three
    /// powers more.
    #[test]
    fn far_triangles_taken_together_err_by_third_order() {
        let some = &soup(&ball(Vec3::zeros(), 1.0, 6))[20..50];
        let together = some.iter().map(Moments::of).fold(Moments::default(), |sum, m| sum.join(&m));
        let error = |distance: f64| {
            let p = together.centroid + Vec3::new(0.6, -0.64, 0.48) * distance;
            let exact: f64 = some.iter().map(|t| solid_angle(t, &p)).sum();
            (together.solid_angle(&(together.centroid - p)) - exact).abs()
        };
        for distance in [8.0, 16.0, 32.0] {
            let order = (error(distance) / error(2.0 * distance)).log2();
            assert!((order - 5.0).abs() < 0.5, "{order}");
        }
    }

    #[test]
    fn moments_do_not_depend_on_how_they_are_joined() {
        let sphere = soup(&ball(Vec3::new(0.3, 0.1, 0.0), 1.0, 2));
        let each: Vec<Moments> = sphere[..7].iter().map(Moments::of).collect();
        let in_turn = each.iter().fold(Moments::default(), Moments::join);
        let halves = |part: &[Moments]| part.iter().fold(Moments::default(), Moments::join);
        let in_halves = halves(&each[..3]).join(&halves(&each[3..]));
        assert!((in_turn.centroid - in_halves.centroid).norm() < 1e-14);
        for i in 0..3 {
            assert!((in_turn.second[i] - in_halves.second[i]).norm() < 1e-14);
        }
        let direct: Matrix3<f64> =
            each.iter().map(|m| m.normal * (m.centroid - in_turn.centroid).transpose()).sum();
        assert!((in_turn.first - in_halves.first).norm() < 1e-14);
        assert!((in_turn.first - direct).norm() < 1e-14);
    }
}
