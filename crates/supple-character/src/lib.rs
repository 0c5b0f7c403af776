//! Edits of captured skeleton motion under constraints.
//!
//! A figure moves as m₀(f): joints turned and placed, frame by frame. Of all edits d that do what is asked, the one is
//! wanted that changes the motion least (Gleicher, Motion Editing with Spacetime Constraints, 1997):
//!
//! > m(f) = m₀(f) ∘ d(f),  R = R₀ exp(d),  minimise g(d) subject to what is asked of points over all frames.
//!
//! | room | holds |
//! |---|---|
//! | [`Skeleton`], [`Motion`], [`Figure`] | joints, how they are turned, where that puts them |
//! | [`Constraint`], [`Limit`] | what is asked |
//! | [`Curve`] | d over a range of frames, by a few keys or one a frame |
//! | [`Edit`], [`release`] | a motion that answers a document of constraints, in layers |
//! | [`Drag`] | one that follows a hand |
//! | [`plants`] | where feet stand |
//! | [`euler`] | angles as files have them |

#![expect(non_snake_case, reason = "matrices keep their capital letters")]

mod constraint;
mod curve;
mod drag;
mod edit;
pub mod euler;
mod figure;
mod freedoms;
mod keyed;
mod metric;
mod motion;
pub mod plants;
mod release;
#[cfg(test)]
mod sample;
mod skeleton;
mod solve;

pub use constraint::{Constraint, Goal, Limit, LimitKind, Point, Region, Scale, Shape, Targets};
pub use curve::{Curve, CurveKind, CurveSettings};
pub use drag::{Drag, moved};
pub use edit::{Edit, Keys, Layer, SAMPLED, SMOOTHING, Solution};
pub use figure::{Figure, JointUse, begins_with_a_rest_pose, hinge_of, size, use_of};
pub use metric::Metric;
pub use motion::{Motion, World};
pub use release::release;
pub use skeleton::{Joint, Skeleton, SkeletonError, Turns};
