//! Wavefront OBJ: surfaces as text, one keyword per line.
//! ```text
//! v 0 0 0            a vertex; red, green and blue may follow, or a weight, which is skipped
//! vt 0.5 0.5         texture coordinates
//! vn 0 0 1           a normal
//! usemtl red         the faces below have this material
//! g mast rigging     the faces below belong to these groups
//! f 1 2/1 3//7 -1    a face: vertex/texture/normal from 1, or from the last vertex backwards
//! ```
//! - A polygon becomes a fan of triangles about its first corner; how many corners it had is kept.
//! - `g`, `o` and `usemtl` each put the faces below them into a group of that name, and so the
//!   vertices of those faces. Names that agree are one group, whichever keyword gave them.
//! - `l` and `p` (lines and points) put vertices into groups, and are otherwise skipped.
//! - Smoothing, material libraries, free-form curves and unknown keywords are skipped.

mod read;
mod write;

pub use read::read_obj;
pub use write::write_obj;
pub(crate) use write::{write_obj_normals, write_obj_positions, write_obj_topology};

/// The most groups that one `g` may name: with it the memberships of a file are bounded by its size.
const MAX_GROUPS_PER_FACE: usize = 16;
