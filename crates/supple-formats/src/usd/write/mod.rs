//! Writing `.usda`, frame after frame: a whole file with mesh and points, or an `over` layer, which names the
//! original as its sublayer and holds nothing but new points and what follows from them.
//!
//! The last frame is named at the beginning of the file, in room that is kept for it.

mod normals;
mod numbers;
mod over;
mod whole;
mod writer;

pub use over::create_over;
pub(crate) use writer::UsdWriter;
