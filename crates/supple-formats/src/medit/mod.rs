//! MEDIT `.mesh`, the text format of FreeFem, Mmg and TetWild.
//! ```text
//! MeshVersionFormatted 2
//! Dimension 3
//! Vertices
//! 4
//! 0.0 0.0 0.0  0          position and reference
//! ...
//! Tetrahedra
//! 1
//! 1 2 3 4  7              vertices from 1, and a reference
//! End
//! ```
//! - Tets or hexahedra make a [`crate::VolumeFile`]; without them triangles, and quadrilaterals as two
//!   triangles each, make a [`crate::SurfaceFile`].
//! - The tets or hexahedra with reference 7 become the element group `region-7`, the vertices of
//!   triangles with reference 3 the vertex group `surface-3`; 0 stands for none. References of
//!   vertices are skipped, since programs fill them in by habit.
//! - Prisms, pyramids and elements of second order are errors: leaving them out would leave holes.
//! - Everything else (corners, ridges, edges, required entities, normals, unknown keywords) is skipped.

mod read;

pub use read::read_medit;
