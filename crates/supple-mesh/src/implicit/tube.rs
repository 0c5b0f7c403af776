//! Limbs, bodies, tails, leaves: a tube along a smooth curve, its radius varying, round or flat.
//!
//! A tube is cut into straight bars. Where a bar is nearest to a point, let a be its half width and
//! b ≤ a its half thickness, v the part of the offset from its axis along the thin direction and u
//! the rest of it. The cross-section is a strip of width 2 (a − b) with a round border of radius b,
//! so the distance to the surface is |(max(u − (a − b), 0), v)| − b. A border as round as that
//! survives on a lattice that would fray the sharp edge of an ellipse.

use super::spline;
use crate::{Aabb, Vec3};
use nalgebra::{Point3, Similarity3, Vector4};

/// Bars between two knots.
const STEPS: usize = 12;
/// Bars passed over together.
const RUN: usize = 4;
/// The least radius, metres: a tube may taper to a point, but divides by its radius.
const POINT: f64 = 1e-6;

/// A tube along the smooth curve through its knots, each a place (x, y, z) and a radius, metres.
/// A single knot makes a ball.
#[derive(Clone, Debug, PartialEq)]
pub struct Tube {
    rings: Vec<Ring>,
    /// The direction in which a flat tube is thin.
    flat: Vec3,
    /// A few bars each, with a box around them to pass them over by.
    runs: Vec<(Aabb, Vec<Bar>)>,
    bounds: Aabb,
}

/// A cross-section.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Ring {
    at: Vec3,
    /// Half width and half thickness: a and b of the module header.
    wide: f64,
    thin: f64,
}

impl Tube {
    /// A round tube.
    #[must_use]
    pub fn new(knots: &[[f64; 4]]) -> Self {
        Self::flat(knots, Vec3::y(), 1.0)
    }

    /// A tube whose thickness along `direction` is `ratio` ≤ 1 times its width: a leaf when small.
    /// Along the curve, the thin direction is kept across the tube.
    #[must_use]
    pub fn flat(knots: &[[f64; 4]], direction: Vec3, ratio: f64) -> Self {
        let knots: Vec<Vector4<f64>> = knots.iter().map(|k| Vector4::from(*k)).collect();
        let ring = |s: Vector4<f64>| Ring {
            at: s.xyz(),
            wide: s.w.max(POINT),
            thin: (s.w * ratio.min(1.0)).max(POINT),
        };
        Self::through(spline::samples(&knots, STEPS).into_iter().map(ring).collect(), direction.normalize())
    }

    /// The tube with no half width or half thickness below `least`.
    #[must_use]
    pub fn thickened(&self, least: f64) -> Self {
        let thick = |r: &Ring| Ring { at: r.at, wide: r.wide.max(least), thin: r.thin.max(least) };
        Self::through(self.rings.iter().map(thick).collect(), self.flat)
    }

    /// The tube on the other side of the plane z = 0.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let across = |v: Vec3| Vec3::new(v.x, v.y, -v.z);
        Self::through(self.rings.iter().map(|r| Ring { at: across(r.at), ..*r }).collect(), across(self.flat))
    }

    /// The tube moved, turned and scaled.
    #[must_use]
    pub fn placed(&self, place: &Similarity3<f64>) -> Self {
        let moved = |r: &Ring| Ring {
            at: (place * Point3::from(r.at)).coords,
            wide: r.wide * place.scaling(),
            thin: r.thin * place.scaling(),
        };
        Self::through(self.rings.iter().map(moved).collect(), place.isometry * self.flat)
    }

    /// The tube from one of its knots to another, counted from 0: exactly what it was there.
    ///
    /// # Panics
    /// When there are no such knots in this order.
    #[must_use]
    pub fn piece(&self, from: usize, to: usize) -> Self {
        Self::through(self.rings[from * STEPS..=to * STEPS].to_vec(), self.flat)
    }

    /// Places along the curve with the radius there, from the first knot to the last.
    pub fn stations(&self) -> impl Iterator<Item = (Vec3, f64)> {
        self.rings.iter().map(|ring| (ring.at, ring.wide))
    }

    /// A box around the tube.
    #[must_use]
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// About the distance from `p` to the tube's surface, negative inside.
    #[must_use]
    pub fn value(&self, p: Vec3) -> f64 {
        let mut value = f64::INFINITY;
        for (bounds, bars) in &self.runs {
            if value <= 0.0 || bounds.distance_squared(&p) < value * value {
                value = bars.iter().map(|bar| bar.value(p)).fold(value, f64::min);
            }
        }
        value
    }

    fn through(rings: Vec<Ring>, flat: Vec3) -> Self {
        // A lone ring becomes a bar of no length.
        let ends: Vec<(Ring, Ring)> = match rings[..] {
            [ball] => vec![(ball, ball)],
            _ => rings.windows(2).map(|w| (w[0], w[1])).collect(),
        };
        let mut runs = Vec::new();
        for ends in ends.chunks(RUN) {
            let around = |r: &Ring| Aabb { min: r.at, max: r.at }.grown(r.wide.max(r.thin));
            let bounds = ends.iter().flat_map(|(a, b)| [around(a), around(b)]);
            let bounds = bounds.fold(Aabb::EMPTY, |all, one| all.union(&one));
            runs.push((bounds, ends.iter().map(|(a, b)| Bar::new(*a, *b, flat)).collect()));
        }
        let bounds = runs.iter().fold(Aabb::EMPTY, |all, (one, _)| all.union(one));
        Self { rings, flat, runs, bounds }
    }
}

/// The straight piece between two rings.
#[derive(Clone, Debug, PartialEq)]
struct Bar {
    from: Ring,
    to: Ring,
    axis: Vec3,
    /// Axis over its squared length, or zero for a ball.
    along: Vec3,
    /// Unit vector across the axis in which the bar is thin.
    flat: Vec3,
}

impl Bar {
    fn new(from: Ring, to: Ring, flat: Vec3) -> Self {
        let axis = to.at - from.at;
        let squared = axis.norm_squared();
        let along = if squared > 0.0 { axis / squared } else { Vec3::zeros() };
        let across = flat - along * axis.dot(&flat);
        Self { from, to, axis, along, flat: across.try_normalize(1e-9).unwrap_or(flat) }
    }

    fn value(&self, p: Vec3) -> f64 {
        let t = (p - self.from.at).dot(&self.along).clamp(0.0, 1.0);
        let offset = p - self.from.at - self.axis * t;
        let mix = |a: f64, b: f64| a + (b - a) * t;
        let (a, b) = (mix(self.from.wide, self.to.wide), mix(self.from.thin, self.to.thin));
        if a == b {
            return offset.norm() - a;
        }
        let v2 = offset.dot(&self.flat).powi(2);
        let u = (offset.norm_squared() - v2).max(0.0).sqrt();
        ((u - (a - b)).max(0.0).powi(2) + v2).sqrt() - b
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn balls_and_straight_tubes_measure_distance() {
        let ball = Tube::new(&[[1.0, 2.0, 3.0, 0.5]]);
        assert_eq!(ball.value(Vec3::new(1.0, 2.0, 5.0)), 1.5);
        assert_eq!(ball.value(Vec3::new(1.0, 2.0, 3.0)), -0.5);
        let tube = Tube::new(&[[0.0, 0.0, 0.0, 0.5], [2.0, 0.0, 0.0, 0.5], [4.0, 0.0, 0.0, 0.5]]);
        for (p, distance) in [([1.3, 2.0, 0.0], 1.5), ([7.0, 0.0, 0.0], 2.5), ([3.0, 0.0, 0.2], -0.3)] {
            assert!((tube.value(Vec3::from(p)) - distance).abs() < 1e-12);
        }
    }

    #[test]
    fn a_flat_tube_is_thin_one_way_and_wide_the_other() {
        let leaf = Tube::flat(&[[0.0, 0.0, 0.0, 0.5], [4.0, 0.0, 0.0, 0.5]], Vec3::new(0.3, 1.0, 0.0), 0.2);
        assert!(leaf.value(Vec3::new(2.0, 0.1, 0.0)).abs() < 1e-12);
        assert!(leaf.value(Vec3::new(2.0, 0.0, 0.5)).abs() < 1e-12);
        assert!((leaf.value(Vec3::new(2.0, 1.1, 0.0)) - 1.0).abs() < 1e-12);
        // The border is round.
        let corner = Vec3::new(2.0, 0.3, 0.4 + 0.4);
        assert!((leaf.value(corner) - 0.4).abs() < 1e-12);
    }

    #[test]
    fn passing_over_bars_by_their_boxes_changes_nothing() {
        let tube = Tube::new(&[
            [0.0, 0.0, 0.0, 0.3],
            [1.0, 0.5, 0.2, 0.1],
            [1.5, 2.0, -0.5, 0.2],
            [0.0, 2.0, 0.0, 0.0],
        ]);
        for i in 0..200 {
            let x = f64::from(i);
            let p = Vec3::new((x * 0.7).sin() * 2.0, (x * 1.3).cos() * 2.0 + 1.0, (x * 2.1).sin());
            let every = tube.runs.iter().flat_map(|(_, bars)| bars).map(|bar| bar.value(p));
            assert_eq!(tube.value(p), every.fold(f64::INFINITY, f64::min));
            if tube.value(p) < 0.0 {
                assert!(tube.bounds().contains(&p));
            }
        }
    }

    #[test]
    fn tubes_are_thickened_mirrored_and_placed() {
        let tube = Tube::flat(&[[0.0, 0.0, 1.0, 0.3], [1.0, 0.5, 2.0, 0.0]], Vec3::y(), 0.5);
        let p = Vec3::new(0.3, 0.4, 1.1);
        assert_eq!(tube.mirrored().value(Vec3::new(p.x, p.y, -p.z)), tube.value(p));
        let place = Similarity3::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.2, 0.5, -0.4), 2.0);
        let moved = place * Point3::from(p);
        assert!((tube.placed(&place).value(moved.coords) - 2.0 * tube.value(p)).abs() < 1e-12);
        let thick = tube.thickened(0.2);
        assert!((thick.value(Vec3::new(1.0, 0.5, 2.0)) + 0.2).abs() < 1e-12);
        assert!(thick.value(p) <= tube.value(p));
    }
}
