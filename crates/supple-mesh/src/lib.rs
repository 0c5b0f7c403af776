//! Meshes: what bodies and skins are made of.
//!
//! - [`TriMesh`], [`TetMesh`]: validated on construction, indices typed;

mod error;
mod tet_mesh;
mod tri_mesh;

pub use error::MeshError;
pub use tet_mesh::TetMesh;
pub use tri_mesh::TriMesh;

/// A point or direction in space, metres.
pub type Vec3 = nalgebra::Vector3<f64>;
