//! Meshes: what bodies and skins are made of.
//!
//! - [`TriMesh`], [`TetMesh`], [`VoxelMesh`]: validated on construction, indices typed;
//!   [`trilinear`]: the map of a voxel;
//! - [`Surface`]: the boundary of a volume; [`vertex_elements`], [`vertex_vertices`],
//!   [`face_neighbours`], [`voxel_neighbours`], [`components`]: who touches whom;
//! - [`VertexGroups`], [`Select`]: naming and choosing vertices; [`displacement`]: how far they are from rest;
//! - [`TriangleTree`]: closest points and ray casts; [`Bvh`]: the tree of boxes underneath;
//! - [`Obstacle`], [`Obstacles`]: what is in the way, and the planes a point has to stay in front of;
//!   [`SelfTouch`]: where a surface touches itself;
//! - [`Embedding`]: a fine skin riding on a coarse body; [`Weld`]: vertices that are one point of a surface;
//! - [`implicit`]: solids as functions; [`Filling`]: such a solid filled with well-shaped tets;
//! - [`fill_tets`], [`fill_voxels`]: what any surface encloses, filled; [`tets_without_specks`], [`voxels_without_specks`];
//! - [`shapes`]: bodies made from nothing.

mod aabb;
mod bvh;
mod collide;
mod displacement;
mod embedding;
mod error;
mod fill;
mod groups;
mod hinges;
pub mod implicit;
mod neighbours;
pub mod shapes;
mod stuffing;
mod surface;
mod tet_mesh;
mod tri_mesh;
mod triangle;
mod triangle_tree;
pub mod trilinear;
mod voxel_mesh;
mod weld;

pub use aabb::Aabb;
pub use bvh::Bvh;
pub use collide::{
    ContactPlane, Obstacle, ObstacleError, ObstacleMesh, ObstacleShape, Obstacles, SelfContact, SelfTouch,
};
pub use displacement::displacement;
pub use embedding::{Embedding, EmbeddingError};
pub use error::MeshError;
pub use fill::{VoxelRule, fill_tets, fill_voxels, tets_without_specks, voxels_without_specks};
pub use groups::{Axis, Select, SelectError, VertexGroups};
pub use neighbours::{
    Components, Neighbours, components, face_neighbours, vertex_elements, vertex_vertices, voxel_neighbours,
};
pub use stuffing::{FillError, Filling};
pub use surface::Surface;
pub use tet_mesh::{TetMesh, signed_volume};
pub use tri_mesh::TriMesh;
pub use triangle_tree::{SurfacePoint, TriangleTree};
pub use voxel_mesh::VoxelMesh;
pub use weld::Weld;

/// A point or direction in space, metres.
pub type Vec3 = nalgebra::Vector3<f64>;
