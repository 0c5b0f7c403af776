//! Gmsh `.msh`, versions 2 and 4.1, as text or binary in either byte order.
//! ```text
//! $MeshFormat
//! 2.2 0 8                 version; 0 text, 1 binary; size of a word (binary: then an int, 1)
//! $EndMeshFormat
//! $PhysicalNames
//! 1
//! 3 7 "body"              dimension, number and name of a physical group
//! $EndPhysicalNames
//! $Nodes
//! 4
//! 10 0.0 0.0 0.0          tag and position
//! ...
//! $EndNodes
//! $Elements
//! 1
//! 1 4 2 7 1 10 20 30 40   tag, type, how many labels, the labels (the first is the physical
//! $EndElements            group, 0 for none), then the tags of the nodes
//! ```
//! Version 4.1 puts nodes and elements into blocks, one for each entity of the geometry they lie on,
//! and says in `$Entities` which physical groups an entity is in.
//!
//! - Tets or hexahedra make a [`crate::VolumeFile`]; without them triangles, and quadrilaterals as two
//!   triangles each, make a [`crate::SurfaceFile`].
//! - Physical volumes become groups of elements, physical surfaces, curves and points groups of
//!   vertices. One without a name is called `region-7`, `surface-7`, `curve-7` or `point-7`.
//! - Version 2 repeats an element for every physical group it is in; it is read as one.
//! - Prisms, pyramids and elements of higher order are errors: leaving them out would leave holes.
//! - Other sections (data, periodicity, parametrisations) are skipped.

mod kind;
mod nodes;
mod read;
mod version2;
mod version4;

pub use read::read_gmsh;
