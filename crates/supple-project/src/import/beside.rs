//! The meshes beside a shot: its surface, the mesh of a cloth, what stands around. They are files, or stay in memory as
//! the motion they came with.

use super::error::ImportError;
use super::shape::Suited;
use super::skin::inside_surface;
use crate::atomic;
use crate::outputs::Reads;
use crate::shot::{self, BodyKind, GivenMotion, Obstacle, ObstacleShape, Shape, Shot};
use crate::source::Source;
use std::path::{Path, PathBuf};
use supple_formats::{Group, MeshFile, SurfaceFile, write_obj};
use supple_mesh::{TriMesh, Weld};
use supple_model::VertexId;

/// Where a shot and its meshes go.
pub(super) enum Room<'a> {
    /// Into this shot file and files beside it, none of which is read.
    Files { path: &'a Path, reads: &'a Reads },
    /// Nowhere: the shot keeps them under names that begin with that of its motion.
    Memory { name: &'a Path, motion: GivenMotion },
}

/// The meshes beside a shot.
pub(super) struct Beside<'a> {
    room: Room<'a>,
    /// The files that were written, the shot first.
    pub files: Vec<PathBuf>,
    kept: Vec<(PathBuf, SurfaceFile)>,
}

impl<'a> Beside<'a> {
    pub fn new(room: Room<'a>) -> Self {
        let files = match &room {
            Room::Files { path, .. } => vec![path.to_path_buf()],
            Room::Memory { .. } => Vec::new(),
        };
        Self { room, files, kept: Vec::new() }
    }

    /// The folder of the shot.
    pub fn folder(&self) -> PathBuf {
        match self.room {
            Room::Files { path, .. } => folder_of(path),
            Room::Memory { .. } => PathBuf::new(),
        }
    }

    /// What the shot calls its motion, which is in this file.
    pub fn motion(&self, file: &Path) -> Result<PathBuf, ImportError> {
        match self.room {
            Room::Files { .. } => whole(file),
            Room::Memory { name, .. } => Ok(name.to_path_buf()),
        }
    }

    /// Gives the shot what has no files.
    pub fn give(&mut self, shot: &mut Shot) {
        let Room::Memory { name, motion } = &self.room else { return };
        shot.keep_motion(name, motion.clone());
        for (name, surface) in self.kept.drain(..) {
            shot.give_mesh(name, MeshFile::Surface(surface));
        }
    }

    /// Saves the shot, where it has a file.
    pub fn save(&self, shot: &mut Shot) -> Result<(), ImportError> {
        match self.room {
            Room::Files { path, .. } => Ok(shot.save(path)?),
            Room::Memory { .. } => Ok(()),
        }
    }

    /// `folder/shot.toml` → `folder/shot.NAME.obj`, from the root on.
    fn put(&mut self, name: &str, surface: &SurfaceFile) -> Result<PathBuf, ImportError> {
        match self.room {
            Room::Files { path, reads } => {
                let stem = path.file_stem().unwrap_or_default().to_string_lossy();
                let file = whole(&path.with_file_name(format!("{stem}.{name}.obj")))?;
                write(&file, surface, reads)?;
                self.files.push(file.clone());
                Ok(file)
            }
            Room::Memory { name: motion, .. } => {
                let file = PathBuf::from(format!("{}.{name}.obj", motion.display()));
                self.kept.push((file.clone(), surface.clone()));
                Ok(file)
            }
        }
    }

    /// Whether there is a mesh of this name already.
    fn has(&self, name: &str) -> bool {
        let ending = format!(".{name}.obj");
        self.files.iter().any(|file| file.to_string_lossy().ends_with(&ending))
    }
}

/// Writes the surface, and the mesh of a cloth that is not just that; the body they make.
pub(super) fn body(
    (skin, weld): (&SurfaceFile, &Weld),
    suited: &Suited,
    beside: &mut Beside<'_>,
) -> Result<shot::Body, ImportError> {
    let skin_file = beside.put("skin", skin)?;
    let body = shot::Body::new(suited.kind, "");
    if let Some((mesh, sources)) = &suited.cloth {
        let file = beside.put("body", &cloth_surface(mesh, sources, skin, weld))?;
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

/// Up to so many other objects have files of their own; of more, those that stand still share one, in which each is a
/// group.
const FILES: usize = 12;

/// Writes the other objects as they are in the first frame, as what stands around; those with files of their own move as
/// they do in the motion's file. Their names.
pub(super) fn scenery(
    source: &Source,
    shot: &mut Shot,
    beside: &mut Beside<'_>,
) -> Result<Vec<String>, ImportError> {
    let objects = &source.scene.objects;
    let others: Vec<usize> = (0..objects.len()).filter(|k| *k != source.object).collect();
    let surface = |k: usize| inside_surface(source, k, objects[k].surface.positions.clone());
    let is_few = others.len() <= FILES;
    let moving = others.iter().copied().filter(|k| objects[*k].animated).take(FILES);
    let alone: Vec<usize> = if is_few { others.clone() } else { moving.collect() };
    for k in &alone {
        let plain = |c: char| if c.is_alphanumeric() { c } else { '-' };
        let name: String = objects[*k].name.trim_matches('/').chars().map(plain).collect();
        let name = if beside.has(&name) { format!("{name}-{k}") } else { name };
        let shape = ObstacleShape::Mesh(beside.put(&name, &surface(*k))?);
        let object = objects[*k].animated.then(|| objects[*k].name.clone());
        shot.simulate.obstacles.push(Obstacle { shape, object, friction: None });
    }
    let mut rest = others.iter().filter(|k| !alone.contains(k)).peekable();
    if rest.peek().is_some() {
        let parts = rest.map(|k| (objects[*k].name.as_str(), surface(*k)));
        let shape = ObstacleShape::Mesh(beside.put("scenery", &together(parts))?);
        shot.simulate.obstacles.push(Obstacle { shape, object: None, friction: None });
    }
    Ok(others.iter().map(|k| objects[*k].name.clone()).collect())
}

/// Surfaces as one, each a group of it.
fn together<'a>(parts: impl Iterator<Item = (&'a str, SurfaceFile)>) -> SurfaceFile {
    let mut all = SurfaceFile::default();
    for (name, part) in parts {
        let first = all.positions.len() as u32;
        all.positions.extend(&part.positions);
        all.triangles.extend(part.triangles.iter().map(|corners| corners.map(|v| first + v)));
        let members = (first..all.positions.len() as u32).collect();
        all.vertex_groups.push(Group { name: name.to_owned(), members });
    }
    all
}

pub(super) fn write(file: &Path, surface: &SurfaceFile, reads: &Reads) -> Result<(), ImportError> {
    reads.spared_by(&[file.to_path_buf()])?;
    let mut bytes = Vec::new();
    write_obj(surface, &mut bytes)
        .and_then(|()| atomic::replace(file, &bytes))
        .map_err(|source| ImportError::Write { file: file.to_path_buf(), source })
}

pub(super) fn folder_of(path: &Path) -> PathBuf {
    path.parent().map(Path::to_path_buf).unwrap_or_default()
}

/// From the root on; a shot that is saved makes its paths relative to itself.
pub(super) fn whole(path: &Path) -> Result<PathBuf, ImportError> {
    std::path::absolute(path).map_err(|source| ImportError::Write { file: path.to_path_buf(), source })
}
