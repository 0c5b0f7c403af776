//! Scenes of animated surfaces: files that hold meshes by name, where they are, and how they move.
//!
//! | files | what moves | read by |
//! |---|---|---|
//! | USD `.usda`, `.usdc`, `.usd`, `.usdz` | points over time, transforms | own reader |
//! | glTF `.gltf`, `.glb` | morph targets, nodes, skins | own reader |
//! | FBX `.fbx` | blend shapes, nodes, skins, caches | `ufbx` |
//! | Alembic `.abc` | points over time | Blender, when it is installed |
//! | a mesh, or a series of them | points | the readers of meshes |
//!
//! Whatever moves is baked to points in world space, one frame at a time. [`open_scene`] chooses by the ending.

mod info;
mod limits;
mod model;
mod transform;

pub use info::{ObjectInfo, SceneInfo};
pub(crate) use limits::{Budget, MOST_FRAMES, guarded};
pub(crate) use model::{CornerOrder, StillFrames};
pub use model::{Placement, Scene, SceneFormat, SceneObject, Up};
pub use transform::Transform;
pub(crate) use transform::slerp;
