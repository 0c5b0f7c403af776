//! The files that a path stands for: all of a series, the buffers of a `.gltf`, the layers of a USD scene.

use crate::{gltf, is_motion_path, motion, usd};
use std::path::{Path, PathBuf};

/// Every file that is read where this path is opened, the path itself first; of what cannot be opened, the path alone.
#[must_use]
pub fn files_of(path: impl AsRef<Path>) -> Vec<PathBuf> {
    let path = path.as_ref();
    let mut files = vec![path.to_path_buf()];
    let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
    match extension.to_str() {
        Some("usda" | "usdc" | "usd" | "usdz") => files.extend(usd::layer_files(path)),
        Some("gltf" | "glb") => files.extend(gltf::buffer_files(path)),
        Some("node") => files.push(path.with_extension("ele")),
        Some("ele") => files.push(path.with_extension("node")),
        Some("obj" | "ply") if is_motion_path(path) => files.extend(motion::series_files(path)),
        _ => {}
    }
    files
}
