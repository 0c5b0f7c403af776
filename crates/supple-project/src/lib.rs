//! The shot: its file and its cache.
//!
//! - [`Shot`]: one project as a text file, `shot.toml`, typed and checked, with paths relative to itself;
//! - [`Cache`]: what was expensive to compute, kept beside the shot and keyed by content, so that
//!   deleting it loses nothing and a damaged entry is recomputed, never trusted.

mod atomic;
mod cache;
mod error;
mod shot;

pub use cache::{Cache, CacheKey, Cleared, Entry, KeyHasher, Kind, Payload, PayloadWriter};
pub use error::{At, CacheWarning, Damage, ShotError};
pub use shot::{
    Anchor, Axis, Body, BodyKind, ContactKind, ContactSource, Contacts, Damping, Edit, End, Ends, Fill,
    FillMethod, Floor, Goal, Handle, Hold, Input, Law, Load, Material, Method, Motion, Obstacle, Pose,
    Region, SecondsPerFrame, Shape, Shot, Simulate, Site, Skin, When,
};
