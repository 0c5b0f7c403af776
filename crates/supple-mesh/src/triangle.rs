//! One triangle: its closest point to a point, and where a ray meets it. Both answer with
//! barycentric weights (u, v, w), the point being u a + v b + w c.

use crate::Vec3;

/// A corner is dropped from the area test below this squared sine of the triangle's angle.
const FLAT: f64 = 1e-24;

/// Weights of the point of triangle (a, b, c) closest to `p`, all within [0, 1].
///
/// Voronoi regions after Ericson, Real-Time Collision Detection (2005), §5.1.5; triangles without
/// area fall back to their edges.
pub(crate) fn closest_weights(p: &Vec3, [a, b, c]: &[Vec3; 3]) -> [f64; 3] {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(&ap), ac.dot(&ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(&bp), ac.dot(&bp));
    if d3 >= 0.0 && d4 <= d3 {
        return [0.0, 1.0, 0.0];
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(&cp), ac.dot(&cp));
    if d6 >= 0.0 && d5 <= d6 {
        return [0.0, 0.0, 1.0];
    }
    // Twice the signed areas of (p, b, c), (p, c, a), (p, a, b), times the length of the normal.
    let (va, vb, vc) = (d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2);
    let area = va + vb + vc;
    if area <= FLAT * ab.norm_squared() * ac.norm_squared() {
        return closest_on_edges(p, &[*a, *b, *c]);
    }
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let t = d1 / (d1 - d3);
        return [1.0 - t, t, 0.0];
    }
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let t = d2 / (d2 - d6);
        return [1.0 - t, 0.0, t];
    }
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        let t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return [0.0, 1.0 - t, t];
    }
    let (v, w) = (vb / area, vc / area);
    [1.0 - v - w, v, w]
}

fn closest_on_edges(p: &Vec3, corners: &[Vec3; 3]) -> [f64; 3] {
    let mut best = (f64::INFINITY, [1.0, 0.0, 0.0]);
    for (i, j) in [(0, 1), (1, 2), (2, 0)] {
        let edge = corners[j] - corners[i];
        let length = edge.norm_squared();
        let along = edge.dot(&(p - corners[i]));
        let t = if length > 0.0 { (along / length).clamp(0.0, 1.0) } else { 0.0 };
        let distance = (p - corners[i] - edge * t).norm_squared();
        if distance < best.0 {
            let mut weights = [0.0; 3];
            weights[i] = 1.0 - t;
            weights[j] = t;
            best = (distance, weights);
        }
    }
    best.1
}

/// The point the weights stand for.
pub(crate) fn blend([a, b, c]: &[Vec3; 3], [u, v, w]: [f64; 3]) -> Vec3 {
    a * u + b * v + c * w
}

/// Where `origin + t direction`, t ≥ 0, meets the triangle from either side: t and the weights.
///
/// The line passes the triangle's edges all on one side; on which side of an edge from P to Q, seen
/// from the origin, is the sign of direction · ((P + Q) × (Q − P)). Going the edge the other way
/// flips that sign and not one bit more, so that no line passes between two triangles that share an
/// edge. A hair of slack does the same for triangles that should and do not quite.
pub(crate) fn ray_hit(origin: &Vec3, direction: &Vec3, corners: &[Vec3; 3]) -> Option<(f64, [f64; 3])> {
    const SLACK: f64 = 1e-12;
    let [a, b, c] = corners.map(|corner| corner - origin);
    let side = |p: &Vec3, q: &Vec3| direction.dot(&(p + q).cross(&(q - p)));
    let sides = [side(&b, &c), side(&c, &a), side(&a, &b)];
    let sum = sides[0] + sides[1] + sides[2];
    // Along the plane of the triangle there is no single point to meet.
    if sum == 0.0 {
        return None;
    }
    let weights = sides.map(|side| side / sum);
    let normal = (b - a).cross(&(c - a));
    let t = normal.dot(&a) / normal.dot(direction);
    // Written so that NaN is a miss.
    let hit = weights.iter().all(|w| *w >= -SLACK) && t >= 0.0 && t.is_finite();
    hit.then_some((t, weights))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn point() -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-1.0..1.0).prop_map(Vec3::from)
    }

    proptest! {
        /// Optimality of the convex problem: no corner lies further towards p than the answer.
        #[test]
        fn the_closest_point_separates_the_triangle_from_p(
            p in point(), corners in prop::array::uniform3(point())
        ) {
            let weights = closest_weights(&p, &corners);
            prop_assert!(weights.iter().all(|w| (-1e-12..=1.0 + 1e-12).contains(w)));
            let q = blend(&corners, weights);
            for corner in corners {
                prop_assert!((p - q).dot(&(corner - q)) <= 1e-9);
            }
        }

        #[test]
        fn a_ray_through_a_known_point_hits_it(
            corners in prop::array::uniform3(point()), u in 0.01..0.98, s in 0.0..1.0, origin in point()
        ) {
            let v = (0.99 - u) * s;
            let weights = [1.0 - u - v, u, v];
            let target = blend(&corners, weights);
            let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
            let direction = target - origin;
            prop_assume!(normal.dot(&direction).abs() > 1e-3);
            let (t, found) = ray_hit(&origin, &direction, &corners).expect("a hit");
            prop_assert!((t - 1.0).abs() < 1e-9);
            prop_assert!((0..3).all(|k| (found[k] - weights[k]).abs() < 1e-9));
            prop_assert!(ray_hit(&origin, &-direction, &corners).is_none());
        }
    }

    #[test]
    fn triangles_without_area_are_their_edges() {
        let x = |t: f64| Vec3::new(t, 0.0, 0.0);
        let p = Vec3::new(0.25, 1.0, 0.0);
        for corners in [[x(0.0), x(1.0), x(0.5)], [x(1.0), x(1.0), x(0.0)], [x(0.0), x(0.0), x(1.0)]] {
            let q = blend(&corners, closest_weights(&p, &corners));
            assert!((q - x(0.25)).norm() < 1e-15, "{corners:?} {q}");
        }
        let dot = [x(2.0); 3];
        assert_eq!(blend(&dot, closest_weights(&p, &dot)), x(2.0));
    }
}
