//! Wavefront OBJ: surfaces as text, one keyword per line.
//! ```text
//! v 0 0 0            a vertex; a weight or colours may follow and are skipped
//! vt 0.5 0.5         texture coordinates
//! g mast rigging     the faces below belong to these groups
//! f 1 2/1 3//7 -1    a face: vertex/texture/normal from 1, or from the last vertex backwards
//! ```
//! - A polygon becomes a fan of triangles about its first corner.
//! - `g`, `o` and `usemtl` each put the faces below them into a group of that name, and so the
//!   vertices of those faces. Names that agree are one group, whichever keyword gave them.
//! - `l` and `p` (lines and points) put vertices into groups, and are otherwise skipped.
//! - Normals, smoothing, material libraries, free-form curves and unknown keywords are skipped.

mod read;
mod write;

pub use read::read_obj;
pub use write::write_obj;
pub(crate) use write::{write_obj_positions, write_obj_topology};

/// The most groups that one `g` may name: with it the memberships of a file are bounded by its size.
const MAX_GROUPS_PER_FACE: usize = 16;
