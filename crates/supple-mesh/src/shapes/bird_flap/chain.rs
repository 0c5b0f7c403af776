//! A limb that bends without a crease.
//!
//! A limb is cut across by planes, each at its own u; u = 0 is where it joins the body. Every plane
//! moves rigidly, and turns a little against the one before it:
//!
//! ```text
//! dM/du = M(u) ξ(u),   M(0) = I,   p ↦ M(u(p)) p
//! ```
//!
//! | symbol | name | what it is |
//! |---|---|---|
//! | M(u) | `Link::before` | the rigid motion of the plane at u |
//! | ξ(u) | `Link::rate`, about `Link::centre` | how it turns per metre, about a point of the limb at rest |
//!
//! A thin limb keeps its length: lengths through the point turned about do not change, and those at a
//! distance d from it change by |rate| d. The equation is solved by short links along which ξ is
//! constant; a point rides part of the way along its link, so that nothing jumps where links meet.

use crate::Vec3;
use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion};
use std::f64::consts::TAU;

/// Links of a chain.
const LINKS: usize = 96;

/// A limb bent in some way.
pub struct Chain {
    /// Length of a link, metres.
    link: f64,
    links: Vec<Link>,
}

struct Link {
    /// The motion of the link's beginning.
    before: Isometry3<f64>,
    centre: Vec3,
    rate: Vec3,
}

impl Chain {
    /// A limb `length` metres long that turns by `rate(u)` radians per metre about `centre(u)`.
    pub fn new(length: f64, centre: impl Fn(f64) -> Vec3, rate: impl Fn(f64) -> Vec3) -> Self {
        let link = length / LINKS as f64;
        let mut links = Vec::with_capacity(LINKS);
        let mut before = Isometry3::identity();
        for n in 0..LINKS {
            let middle = (n as f64 + 0.5) * link;
            let next = Link { before, centre: centre(middle), rate: rate(middle) };
            before = next.at(link);
            links.push(next);
        }
        Self { link, links }
    }

    /// Where the limb takes a point of its plane at u; before its beginning nothing moves, beyond its
    /// end everything moves with the end.
    pub fn carry(&self, u: f64, p: Vec3) -> Vec3 {
        if u <= 0.0 {
            return p;
        }
        let n = ((u / self.link) as usize).min(LINKS - 1);
        let along = (u - n as f64 * self.link).min(self.link);
        (self.links[n].at(along) * Point3::from(p)).coords
    }
}

impl Link {
    fn at(&self, along: f64) -> Isometry3<f64> {
        let turn = UnitQuaternion::from_scaled_axis(self.rate * along);
        let about = Translation3::from(self.centre - turn * self.centre);
        self.before * Isometry3::from_parts(about, turn)
    }
}

/// How a joint from `from` to `to` shares out its angle, per metre: smoothly from nothing to most
/// in its middle, in all 1.
pub fn share([from, to]: [f64; 2], u: f64) -> f64 {
    let t = ((u - from) / (to - from)).clamp(0.0, 1.0);
    (1.0 - (TAU * t).cos()) / (to - from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_straight_limb_bends_to_an_arc_of_its_own_length() {
        let (length, angle) = (0.8, 1.2);
        let chain = Chain::new(length, |u| Vec3::new(u, 0.3, 0.0), |_| Vec3::z() * (angle / length));
        let radius = length / angle;
        for u in [0.0, 0.1, 0.37, 0.8] {
            let (sin, cos) = (u / radius).sin_cos();
            // On the line turned about, and beside it.
            for d in [0.0, 0.05] {
                let arc = Vec3::new((radius - d) * sin, 0.3 + radius - (radius - d) * cos, 0.0);
                let carried = chain.carry(u, Vec3::new(u, 0.3 + d, 0.0));
                // A link turns about its middle wherever on it the point is: rate link² / 8 off.
                assert!((carried - arc).norm() < 2e-5, "{u} {d}: {carried} {arc}");
            }
        }
    }

    #[test]
    fn a_joint_shares_out_its_whole_angle() {
        let steps = 10_000;
        let sum: f64 = (0..steps).map(|n| share([0.2, 0.7], f64::from(n) / f64::from(steps))).sum();
        assert!((sum / f64::from(steps) - 1.0).abs() < 1e-6, "{sum}");
        assert!(share([0.2, 0.7], 0.1) == 0.0 && share([0.2, 0.7], 0.8).abs() < 1e-12);
    }
}
