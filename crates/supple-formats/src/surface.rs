//! What a surface file holds.

use crate::Group;

/// The contents of a surface file, as they stand in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SurfaceFile {
    /// Where the vertices are, in the order of the file.
    pub positions: Vec<[f64; 3]>,
    /// The corners of every triangle, indices into `positions`.
    pub triangles: Vec<[u32; 3]>,
    /// Texture coordinates, in the order of the file.
    pub uvs: Vec<[f64; 2]>,
    /// For every triangle the indices into `uvs` of its corners, where it has them; empty when no
    /// triangle has.
    pub triangle_uvs: Vec<Option<[u32; 3]>>,
    /// Named groups of vertices, each sorted and without repetition.
    pub vertex_groups: Vec<Group>,
}
