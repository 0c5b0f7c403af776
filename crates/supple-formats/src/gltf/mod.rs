//! glTF 2.0: `.gltf`, JSON with buffers of bytes beside it, and `.glb`, both in one file.
//!
//! ```text
//! .glb   "glTF", u32 2, u32 length of the file, then chunks: u32 length, "JSON" or "BIN\0", bytes
//! ```
//! The JSON names nodes, meshes, materials, animations; numbers are in *accessors*, arrays within the buffers.
//! Points move in three ways, which are baked together: p = Σ_j w_j·M_j·B_j·(x + Σ_k m_k·d_k), with the base x
//! of the mesh, its morph targets d_k and their weights m_k over time, and joints with weights w_j, places M_j
//! over time and inverse bind matrices B_j; a mesh without a skin is placed by its node instead.
//!
//! glTF is in metres with y up, and has no frames, only times; those a file has give the frames per second.
//! Written is one mesh with a morph target for every frame but the first, each with a weight of 1 at its time.

mod accessor;
mod animation;
mod buffers;
mod document;
mod frames;
mod nodes;
mod read;
mod skin;
mod surface;
mod write;

pub use read::read_gltf;
pub(crate) use read::{buffer_files, open_gltf};
pub(crate) use write::GltfWriter;
pub use write::write_glb;
