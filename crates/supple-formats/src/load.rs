//! From a path to its contents, the format chosen by the ending.

use crate::{FormatError, InterpolationFile, MeshFile, Problem, RigFile};
use crate::{read_abaqus, read_bou, read_bvh, read_ele, read_gmsh, read_interp, read_medit};
use crate::{read_node, read_obj, read_ply, read_stl, read_veg};
use std::path::Path;

/// Reads a mesh: `.obj`, `.stl`, `.ply`, `.msh`, `.mesh`, `.veg`, `.abq`, `.inp`, or TetGen's `.node` and
/// `.ele` by either name.
///
/// # Errors
/// An ending that is none of these, a file that cannot be read, and whatever its reader finds; all
/// name the file.
pub fn load_mesh(path: impl AsRef<Path>) -> Result<MeshFile, FormatError> {
    let path = path.as_ref();
    let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
    match extension.to_str() {
        Some("obj") => load(path, read_obj).map(MeshFile::Surface),
        Some("stl") => load(path, read_stl).map(MeshFile::Surface),
        Some("ply") => load(path, read_ply).map(MeshFile::Surface),
        Some("msh") => load(path, read_gmsh),
        Some("mesh") => load(path, read_medit),
        Some("veg") => load(path, read_veg).map(MeshFile::Volume),
        Some("abq" | "inp") => load(path, read_abaqus).map(MeshFile::Volume),
        Some("node") => load_tetgen(path, &path.with_extension("ele")),
        Some("ele") => load_tetgen(&path.with_extension("node"), path),
        _ => Err(FormatError::whole_file(Problem::UnknownExtension).in_file(path)),
    }
}

/// Reads a list of fixed vertices: see [`read_bou`].
///
/// # Errors
/// Those of [`read_bou`], and a file that cannot be read; all name the file.
pub fn load_bou(path: impl AsRef<Path>) -> Result<Vec<u32>, FormatError> {
    load(path.as_ref(), read_bou)
}

/// Reads how a skin rides on a body: see [`read_interp`].
///
/// # Errors
/// Those of [`read_interp`], and a file that cannot be read; all name the file.
pub fn load_interp(path: impl AsRef<Path>) -> Result<InterpolationFile, FormatError> {
    load(path.as_ref(), read_interp)
}

/// Whether a path is that of a skeleton, by its ending.
#[must_use]
pub fn is_rig_path(path: impl AsRef<Path>) -> bool {
    path.as_ref().extension().is_some_and(|ending| ending.eq_ignore_ascii_case("bvh"))
}

/// Reads a skeleton and its motion: `.bvh`. A clip without a name is called as the file.
///
/// # Errors
/// Another ending, a file that cannot be read, and whatever its reader finds; all name the file.
pub fn load_rig(path: impl AsRef<Path>) -> Result<RigFile, FormatError> {
    let path = path.as_ref();
    if !is_rig_path(path) {
        return Err(FormatError::whole_file(Problem::UnknownRig).in_file(path));
    }
    let mut file = load(path, read_bvh)?;
    for clip in file.clips.iter_mut().filter(|clip| clip.name.is_empty()) {
        clip.name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    }
    Ok(file)
}

fn load_tetgen(node: &Path, ele: &Path) -> Result<MeshFile, FormatError> {
    let nodes = load(node, read_node)?;
    load(ele, |bytes| read_ele(bytes, nodes)).map(MeshFile::Volume)
}

pub(crate) fn load<T>(
    path: &Path,
    read: impl FnOnce(&[u8]) -> Result<T, FormatError>,
) -> Result<T, FormatError> {
    crate::read_file(path)
        .map_err(|error| FormatError::whole_file(Problem::Unreadable(error)))
        .and_then(|bytes| read(&bytes))
        .map_err(|error| error.in_file(path))
}
