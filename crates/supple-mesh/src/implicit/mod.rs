//! Solids as functions: negative inside, positive outside, near the surface about the distance to
//! it. What [`Filling`](crate::Filling) turns into tets.
//!
//! [`bar`] and [`rounded_box`] are for what is built, [`Tube`] is for what has grown; [`union`] and
//! [`carve`] put them together.

mod spline;
mod tube;

use crate::Vec3;
pub use tube::Tube;

/// A round bar from `a` to `b` that tapers from radius `ra` to `rb`; equal radii make a capsule.
/// The radius is interpolated along the axis, so slightly less than the distance where it tapers.
#[must_use]
pub fn bar(p: Vec3, (a, ra): (Vec3, f64), (b, rb): (Vec3, f64)) -> f64 {
    let axis = b - a;
    let t = ((p - a).dot(&axis) / axis.norm_squared()).clamp(0.0, 1.0);
    (p - a - axis * t).norm() - (ra + (rb - ra) * t)
}

/// A box around `center` with the given half edge lengths, its edges rounded by `radius`.
#[must_use]
pub fn rounded_box(p: Vec3, center: Vec3, half: Vec3, radius: f64) -> f64 {
    let q = (p - center).abs() - half.add_scalar(-radius);
    q.sup(&Vec3::zeros()).norm() + q.max().min(0.0) - radius
}

/// Both solids in one, with a fillet about `blend` wide where they meet; 0 keeps the crease.
#[must_use]
pub fn union(f: f64, g: f64, blend: f64) -> f64 {
    // Quadratic smooth minimum: differs from min only where |f − g| < blend.
    let overlap = (blend - (f - g).abs()).max(0.0);
    f.min(g) - if blend > 0.0 { overlap * overlap / (4.0 * blend) } else { 0.0 }
}

/// The solid `f` without `g`, the rim of the cut rounded over about `blend`; 0 keeps it sharp.
#[must_use]
pub fn carve(f: f64, g: f64, blend: f64) -> f64 {
    // What is outside f or inside g is the union of −f and g.
    -union(-f, g, blend)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_and_boxes_measure_distance_outside() {
        let (a, b) = (Vec3::zeros(), Vec3::new(2.0, 0.0, 0.0));
        assert_eq!(bar(Vec3::new(1.0, 3.0, 0.0), (a, 0.5), (b, 0.5)), 2.5);
        assert_eq!(bar(Vec3::new(5.0, 0.0, 0.0), (a, 0.5), (b, 1.0)), 2.0);
        assert_eq!(bar(Vec3::new(1.0, 0.0, 0.0), (a, 0.5), (b, 1.0)), -0.75);
        let half = Vec3::new(1.0, 2.0, 3.0);
        assert_eq!(rounded_box(Vec3::new(4.0, 0.0, 0.0), Vec3::x(), half, 0.2), 2.0);
        assert!((rounded_box(Vec3::x(), Vec3::x(), half, 0.2) + 1.0).abs() < 1e-15);
        // A rounded corner lies (√3 − 1) radius inside the sharp one.
        let corner = rounded_box(half, Vec3::zeros(), half, 0.2);
        assert!((corner - 0.2 * (3_f64.sqrt() - 1.0)).abs() < 1e-15);
    }

    #[test]
    fn a_union_is_the_smaller_value_and_a_little_less_near_the_crease() {
        assert_eq!(union(1.0, 3.0, 0.5), 1.0);
        assert_eq!(union(1.0, 1.0, 0.0), 1.0);
        assert_eq!(union(1.0, 1.0, 0.4), 0.9);
        // Smooth where it takes over from the plain minimum.
        assert!((union(1.0, 1.4 - 1e-6, 0.4) - 1.0).abs() < 1e-11);
    }

    #[test]
    fn carving_leaves_what_is_in_the_first_solid_only() {
        assert_eq!(carve(-1.0, 3.0, 0.5), -1.0);
        assert_eq!(carve(-1.0, -0.25, 0.0), 0.25);
        assert_eq!(carve(2.0, -1.0, 0.0), 2.0);
        // Rounding a rim takes material away.
        assert!((carve(0.0, 0.0, 0.4) - 0.1).abs() < 1e-15);
    }
}
