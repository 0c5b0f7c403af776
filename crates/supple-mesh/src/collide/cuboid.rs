//! A solid box along the axes.
//!
//! With the signed distances of x from the six faces, gᵢ = max(minᵢ − xᵢ, xᵢ − maxᵢ) being the larger
//! of a pair, x is inside when all gᵢ < 0, then d = max gᵢ; outside d = ‖max(g, 0)‖, the distance to
//! the point clamped into the box. A straight way enters at the latest of the times at which it
//! enters the three slabs, if that comes before it leaves one (Kay and Kajiya 1986).

use super::{ObstacleError, Plane};
use crate::{Aabb, Vec3};

/// Closer to the surface than this part of the box's diagonal is on it.
const ON: f64 = 1e-12;

#[derive(Clone, Debug)]
pub(super) struct Cuboid {
    bounds: Aabb,
}

impl Cuboid {
    pub fn new(bounds: Aabb) -> Result<Self, ObstacleError> {
        let Aabb { min, max } = bounds;
        let size = bounds.size();
        if !size.iter().all(|s| *s > 0.0 && s.is_finite()) {
            return Err(ObstacleError::Box { min, max });
        }
        Ok(Self { bounds })
    }

    pub fn distance(&self, x: &Vec3) -> f64 {
        let gaps = self.gaps(x);
        if gaps.max() > 0.0 { gaps.sup(&Vec3::zeros()).norm() } else { gaps.max() }
    }

    pub fn near(&self, from: &Vec3, margin: f64) -> Option<Plane> {
        let distance = self.distance(from);
        if distance > margin {
            return None;
        }
        let on = ON * self.bounds.size().norm();
        let point = from.sup(&self.bounds.min).inf(&self.bounds.max);
        if distance > on {
            return Some(Plane { point, normal: (from - point) / distance });
        }
        // Inside or on the surface: out through the nearest face, between several equally near ones.
        let gaps = self.gaps(from);
        let deepest = gaps.max();
        let normal = Vec3::from_fn(|i, _| if gaps[i] >= deepest - on { self.side(from, i) } else { 0.0 });
        let surface = Vec3::from_fn(|i, _| if normal[i] == 0.0 { point[i] } else { self.face(i, normal[i]) });
        Some(Plane { point: surface, normal: normal.normalize() })
    }

    pub fn entered(&self, from: &Vec3, to: &Vec3) -> Option<Plane> {
        let way = to - from;
        let (mut enter, mut leave) = (f64::NEG_INFINITY, 1.0_f64);
        let mut normal = Vec3::zeros();
        for i in 0..3 {
            let (min, max) = (self.bounds.min[i], self.bounds.max[i]);
            if way[i] == 0.0 {
                // Along a face is not inside.
                if from[i] <= min || from[i] >= max {
                    return None;
                }
                continue;
            }
            let times = [(min - from[i]) / way[i], (max - from[i]) / way[i]];
            let first = times[0].min(times[1]);
            leave = leave.min(times[0].max(times[1]));
            if first > enter {
                (enter, normal) = (first, Vec3::zeros());
            }
            if first == enter {
                normal[i] = -way[i].signum();
            }
        }
        // A way that starts inside has entered before; one that leaves at once only grazes an edge.
        if enter < 0.0 || enter >= leave {
            return None;
        }
        let reached = from.lerp(to, enter);
        let point = Vec3::from_fn(|i, _| if normal[i] == 0.0 { reached[i] } else { self.face(i, normal[i]) });
        Some(Plane { point, normal: normal.normalize() })
    }

    /// The larger of the signed distances from the two faces across each axis.
    fn gaps(&self, x: &Vec3) -> Vec3 {
        (self.bounds.min - x).sup(&(x - self.bounds.max))
    }

    /// The direction along axis `i` to the nearer face.
    fn side(&self, x: &Vec3, i: usize) -> f64 {
        if x[i] - self.bounds.min[i] < self.bounds.max[i] - x[i] { -1.0 } else { 1.0 }
    }

    fn face(&self, i: usize, side: f64) -> f64 {
        if side < 0.0 { self.bounds.min[i] } else { self.bounds.max[i] }
    }
}
