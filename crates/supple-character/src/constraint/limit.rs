//! How far joints may turn.
//!
//! | limit | angle of R = R_j, turned from its parent |
//! |---|---|
//! | by channel | α_k of R = R_a(α₀) R_b(α₁) R_c(α₂), in the order of the file |
//! | cone | between a direction of the bone and where it has it at rest, acos(n · R n) |
//! | twist | about that direction: R = swing · twist |
//!
//! Each is a function of R whose derivative along a turn in the joint's own axes, R exp(ω), is a row · ω.

use crate::euler;
use nalgebra::{Matrix3, Vector3};
use std::f64::consts::{PI, TAU};
use supple_numerics::rotation;

/// How far a joint may turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// Which.
    pub joint: usize,
    /// Measured how.
    pub kind: LimitKind,
    /// The least angle, in radians.
    pub least: f64,
    /// The largest.
    pub most: f64,
}

/// How a turn is measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LimitKind {
    /// An angle of a channel.
    Channel {
        /// The axes of the joint's channels, in their order.
        order: [usize; 3],
        /// Which of them.
        index: usize,
    },
    /// Away from this direction.
    Cone(Vector3<f64>),
    /// About this direction.
    Twist(Vector3<f64>),
}

impl Limit {
    /// The angle of a rotation, and its derivative along turns in the joint's own axes; none where it has none.
    #[must_use]
    pub fn angle(&self, turned: &Matrix3<f64>) -> Option<(f64, Vector3<f64>)> {
        let (angle, row) = match self.kind {
            LimitKind::Channel { order, index } => {
                channel(turned, order, index, 0.5 * (self.least + self.most))?
            }
            LimitKind::Cone(bone) => {
                let now = turned * bone;
                let cosine = bone.dot(&now).clamp(-1.0, 1.0);
                let sine = bone.cross(&now).norm();
                // d(n · R n) = n · R (ω × n) = ω · (n × Rᵀ n), and the angle falls where the cosine grows.
                let row = if sine > 1e-9 {
                    -bone.cross(&(turned.transpose() * bone)) / sine
                } else {
                    Vector3::zeros()
                };
                (sine.atan2(cosine), row)
            }
            LimitKind::Twist(bone) => twist(turned, &bone.try_normalize(0.0)?)?,
        };
        // Of the angles that mean the same the one nearest to the middle of what is allowed.
        let middle = 0.5 * (self.least + self.most);
        Some((angle - TAU * ((angle - middle) / TAU).round(), row))
    }

    /// How far an angle is outside of what is allowed, and which way it must go, ±1; none inside.
    #[must_use]
    pub fn excess(&self, angle: f64) -> Option<(f64, f64)> {
        if angle > self.most {
            Some((angle - self.most, -1.0))
        } else if angle < self.least {
            Some((self.least - angle, 1.0))
        } else {
            None
        }
    }
}

/// One of the angles of R = R_a R_b R_c, and its derivative; none at a pole. Of both sets of angles the one counts that has
/// this angle near the middle of what is allowed and the others near 0: a knee bends by more than a quarter turn.
fn channel(
    turned: &Matrix3<f64>,
    order: [usize; 3],
    index: usize,
    middle: f64,
) -> Option<(f64, Vector3<f64>)> {
    euler::angles(turned, order)?;
    let mut near = [0.0; 3];
    near[index] = middle;
    let angles = euler::nearest(turned, order, near);
    let unit = |axis: usize| Vector3::ith(axis, 1.0);
    let about = |k: usize| rotation::exp(&(unit(order[k]) * angles[k]));
    // ω = α̇₀ (R_b R_c)ᵀ e_a + α̇₁ R_cᵀ e_b + α̇₂ e_c
    let (b, c) = (about(1), about(2));
    let columns = [(b * c).transpose() * unit(order[0]), c.transpose() * unit(order[1]), unit(order[2])];
    let inverse = Matrix3::from_columns(&columns).try_inverse()?;
    (inverse.norm() < 1e4).then(|| (angles[index], inverse.row(index).transpose()))
}

/// The angle of the twist about a direction, and its derivative; none half a turn away, where there is no twist.
fn twist(turned: &Matrix3<f64>, bone: &Vector3<f64>) -> Option<(f64, Vector3<f64>)> {
    let vector = rotation::log(turned);
    let half = 0.5 * vector.norm();
    let (w, v) =
        if half > 1e-12 { (half.cos(), vector * (half.sin() / (2.0 * half))) } else { (1.0, vector * 0.5) };
    // q = (w, v); the twist is the quaternion (w, n · v), made of unit length.
    let s = bone.dot(&v);
    let length = w * w + s * s;
    if length < 1e-12 {
        return None;
    }
    let angle = 2.0 * s.atan2(w);
    let angle = if angle > PI { angle - TAU } else { angle };
    // q̇ = ½ q (0, ω): ẇ = −½ v · ω, v̇ = ½ (w ω + v × ω).
    let (dw, ds) = (-0.5 * v, 0.5 * (bone * w - v.cross(bone)));
    Some((angle, (ds * w - dw * s) * (2.0 / length)))
}
