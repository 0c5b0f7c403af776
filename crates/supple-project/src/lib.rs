//! One project: from the files a shot names to bodies, their modes and pictures of them.
//!
//! - [`Shot`]: the project as a text file, `shot.toml`, typed and checked, with paths relative to itself;
//!   what it can say is in [`shot`];
//! - [`Body`]: the body a shot describes, ready to move;
//! - [`prepare_modes`]: its modes, computed once;
//! - [`Cache`]: what was expensive to compute, kept beside the shot and keyed by content, so that
//!   deleting it loses nothing and a damaged entry is recomputed, never trusted;
//! - [`SAMPLES`]: shots this program makes itself;
//! - [`info`]: what is in a file; [`picture`]: what a body looks like.

mod atomic;
mod body;
mod cache;
mod error;
pub mod info;
mod modes;
pub mod picture;
mod samples;
pub mod shot;

pub use body::{Body, BodyError, Matter, Skin};
pub use cache::{Cache, CacheKey, Cleared, Entry, KeyHasher, Kind, Payload, PayloadWriter, user_folder};
pub use error::{At, CacheWarning, Damage, ShotError};
pub use modes::{PreparedModes, prepare_modes};
pub use samples::{SAMPLES, Sample, SampleError};
pub use shot::Shot;
