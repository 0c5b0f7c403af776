//! What a shot file can say, as types: one file for each section of the file. Paths are as written;
//! [`Shot::resolve`] says where they lead. Frames are the scene's own numbers, and ranges of frames
//! include both ends.
//!
//! [`Shot::resolve`]: super::Shot::resolve

mod anchor;
mod body;
mod contacts;
mod edit;
mod load;
mod material;
mod motion;
mod simulate;
mod skeleton;
mod solid;

pub use anchor::{Anchor, Axis};
pub(super) use body::ELASTIC;
pub use body::{Body, BodyKind, Fill, FillMethod, Shape, Skin};
pub use contacts::{ClusterLimits, Clustering, Contacts, Detect, NewContacts, Recorder};
pub use edit::Zone;
pub use edit::{At, Axes, Character, Components, Curve, Damping, Distance, Edit, End, Ends, Expert, Feel};
pub use edit::{Control, ControlBasis, ControlSolver, Effort, Flight, FrameTime, Goal, Guess, Recorded};
pub use edit::{Handle, Hold, KeySpacing, Land, Layer, Length, MaterialEdit, Method, Metric, Move};
pub use edit::{Optimise, Orientation, OwnTable};
pub use edit::{
    Pose, PoseVelocity, Reach, Segment, Site, Sparse, SparseSolver, Spread, Together, Turn, When,
};
pub use load::{Load, Pin, Push};
pub use material::{Law, Material, Region};
pub(super) use motion::NEEDS_A_FILE;
pub use motion::{Input, Motion, SecondsPerFrame};
pub use simulate::{Floor, Initial, Integrator, Obstacle, ObstacleShape, Simulate, Substeps};
pub use skeleton::{Bound, Joint, Limit, Skeleton, Turns};

const POSITIVE: &str = "must be greater than 0";
const NOT_NEGATIVE: &str = "must not be negative";
/// Seconds that a frame may take: beyond them sums of times are nothing or without end.
const SECONDS: std::ops::RangeInclusive<f64> = 1e-9..=1e6;
const SECONDS_RANGE: &str = "must be between 1e-9 and 1e6 seconds";
const AT_LEAST_ONE: &str = "must be at least 1";
