//! PLY, the Stanford polygon format: text, or binary in either byte order.
//! ```text
//! ply
//! format binary_little_endian 1.0
//! comment anything
//! element vertex 4
//! property float x
//! property float y
//! property float z
//! element face 2
//! property list uchar int vertex_indices
//! end_header
//! ```
//! The header says what follows: for every element its properties in turn, each a number or a list,
//! which begins with its length.
//!
//! - Vertices have `x`, `y` and `z` of any type. Where they also have `s`, `t` (or `u`, `v`, or
//!   `texture_u`, `texture_v`), those are texture coordinates, one pair for every vertex; `nx`, `ny`, `nz`
//!   are normals, and `red`, `green`, `blue` colours, from 0 to 255 as bytes, from 0 to 1 as floats.
//! - Faces have a list `vertex_indices` or `vertex_index`. A polygon becomes a fan of triangles about
//!   its first corner; how many corners it had is kept.
//! - Other elements and properties are skipped. Triangle strips are an error, for without them
//!   there would be no surface.

mod header;
mod read;
mod write;

pub use read::read_ply;
pub use write::write_ply;
