//! The files beside a shot: its surface, the mesh of a cloth, what stands around.

use super::error::ImportError;
use super::shape::Suited;
use super::skin::inside_surface;
use crate::atomic;
use crate::outputs::Reads;
use crate::shot::{self, BodyKind, Obstacle, ObstacleShape, Shape, Shot};
use crate::source::Source;
use std::path::{Path, PathBuf};
use supple_formats::{Group, SurfaceFile, write_obj};
use supple_mesh::{TriMesh, Weld};
use supple_model::VertexId;

/// Writes the surface, and the mesh of a cloth that is not just that; the body they make.
pub(super) fn body(
    path: &Path,
    (skin, weld): (&SurfaceFile, &Weld),
    suited: &Suited,
    reads: &Reads,
    files: &mut Vec<PathBuf>,
) -> Result<shot::Body, ImportError> {
    let skin_file = beside(path, "skin")?;
    put(&skin_file, skin, reads)?;
    files.push(skin_file.clone());
    let body = shot::Body::new(suited.kind, "");
    if let Some((mesh, sources)) = &suited.cloth {
        let file = beside(path, "body")?;
        put(&file, &cloth_surface(mesh, sources, skin, weld), reads)?;
        files.push(file.clone());
        let skin = Some(shot::Skin { mesh: skin_file, embedding: None });
        return Ok(shot::Body { shape: Shape::Mesh(file), skin, ..body });
    }
    let shape = match suited.kind {
        BodyKind::Cloth => Shape::Mesh(skin_file),
        _ => Shape::Surface {
            surface: skin_file,
            fill: suited.filled.as_ref().map(|(_, filling)| filling.fill),
        },
    };
    Ok(shot::Body { shape, ..body })
}

/// The mesh of a cloth with the groups of the surface.
fn cloth_surface(mesh: &TriMesh, sources: &[VertexId], skin: &SurfaceFile, weld: &Weld) -> SurfaceFile {
    let place = |v: &u32| sources.binary_search(weld.leaders().get(*v as usize)?).ok();
    let group = |group: &Group| {
        let mut members: Vec<u32> = group.members.iter().filter_map(place).map(|v| v as u32).collect();
        members.sort_unstable();
        members.dedup();
        Group { name: group.name.clone(), members }
    };
    SurfaceFile {
        positions: mesh.positions().iter().map(|p| (*p).into()).collect(),
        triangles: mesh.triangles().iter().map(|t| t.map(|v| v.0)).collect(),
        vertex_groups: skin
            .vertex_groups
            .iter()
            .map(group)
            .filter(|group| !group.members.is_empty())
            .collect(),
        ..SurfaceFile::default()
    }
}

/// Writes the other objects as they are in the first frame, as what stands in the way. Their names.
pub(super) fn scenery(
    source: &Source,
    path: &Path,
    shot: &mut Shot,
    reads: &Reads,
    files: &mut Vec<PathBuf>,
) -> Result<Vec<String>, ImportError> {
    let mut names = Vec::new();
    for (k, object) in source.scene.objects.iter().enumerate().filter(|(k, _)| *k != source.object) {
        let plain = |c: char| if c.is_alphanumeric() { c } else { '-' };
        let name: String = object.name.trim_matches('/').chars().map(plain).collect();
        let mut file = beside(path, &name)?;
        if files.contains(&file) {
            file = beside(path, &format!("{name}-{k}"))?;
        }
        put(&file, &inside_surface(source, k, object.surface.positions.clone()), reads)?;
        shot.simulate.obstacles.push(Obstacle { shape: ObstacleShape::Mesh(file.clone()), friction: None });
        files.push(file);
        names.push(object.name.clone());
    }
    Ok(names)
}

fn put(file: &Path, surface: &SurfaceFile, reads: &Reads) -> Result<(), ImportError> {
    reads.spared_by(&[file.to_path_buf()])?;
    let mut bytes = Vec::new();
    write_obj(surface, &mut bytes)
        .and_then(|()| atomic::replace(file, &bytes))
        .map_err(|source| ImportError::Write { file: file.to_path_buf(), source })
}

/// `folder/shot.toml` → `folder/shot.NAME.obj`, from the root on.
fn beside(path: &Path, name: &str) -> Result<PathBuf, ImportError> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    whole(&path.with_file_name(format!("{stem}.{name}.obj")))
}

pub(super) fn folder_of(path: &Path) -> PathBuf {
    path.parent().map(Path::to_path_buf).unwrap_or_default()
}

/// From the root on; a shot that is saved makes its paths relative to itself.
pub(super) fn whole(path: &Path) -> Result<PathBuf, ImportError> {
    std::path::absolute(path).map_err(|source| ImportError::Write { file: path.to_path_buf(), source })
}
