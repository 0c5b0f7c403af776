//! USD, Pixar's universal scene description: `.usda` (text), `.usdc` (binary), `.usdz` (an archive of both),
//! `.usd` (either).
//!
//! Reading goes in four steps, each a module:
//! - `spec`: what one file says, a *layer*, by `text` or `binary`; archives are opened by `package`;
//! - `compose`: layers put together into one tree of prims, the strongest opinion first: sublayers, inherited
//!   classes, variants, references, payloads;
//! - `xform`, `skin`: where a prim is at a time, and what its mesh looks like;
//! - `read`: the meshes of the tree as a [`crate::Scene`]; frames are read when they are asked for.
//!
//! Not read: animation split over many files (value clips), relocates, subdivision and instancing of points.
//! A note says where they were met.
//!
//! Written is text: a whole file, or an `over` layer that holds nothing but new points.

mod attribute;
mod binary;
mod compose;
mod load;
mod mesh;
mod package;
mod points;
mod primvars;
mod read;
mod spec;
mod text;
mod write;
mod xform;

pub use read::read_usd;
pub(crate) use read::{layer_files, open_usd, read_usd_blob};
pub(crate) use write::UsdWriter;
pub use write::create_over;
