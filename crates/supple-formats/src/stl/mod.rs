//! STL: triangles one by one, as text or binary.
//! ```text
//! solid lid                       binary: 80 bytes of anything,
//!   facet normal 0 0 1            u32: how many triangles; then for each
//!     outer loop                  f32 × 3: a normal
//!       vertex 0 0 0              f32 × 9: three corners
//!       vertex 1 0 0              u16: often a colour
//!       vertex 0 1 0              little-endian
//!     endloop
//!   endfacet
//! endsolid lid
//! ```
//! - STL has no shared vertices, so corners with equal coordinates become one vertex, in the order in
//!   which they first appear. Equal means every bit, but for 0 and −0.
//! - Triangles with corners that coincide are kept: a skin may hold them, and numbers stay as they are.
//! - A named `solid` of a text becomes the group of its vertices. Normals and colours are skipped.
//! - Binary files may begin with "solid" too: the length decides, then whether the beginning is text.

mod read;
mod write;

pub use read::read_stl;
pub use write::write_stl;

const HEADER: usize = 80;
/// The bytes of a triangle: normal, three corners, colour.
const TRIANGLE: usize = 50;
