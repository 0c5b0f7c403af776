//! The files of a built-in shot: meshes with their groups, motions, tables.

use super::SampleError;
use crate::atomic;
use crate::shot::Motion;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use supple_formats::{Elements, Group, MotionSettings, SurfaceFile, VolumeFile};
use supple_mesh::shapes::{BodyMesh, Shape};
use supple_mesh::{TriMesh, Vec3, VertexGroups};
use supple_model::{Frame, VertexId};

/// What is in a file.
pub(super) enum Content {
    /// These bytes.
    Bytes(Vec<u8>),
    /// These frames, at so many a second.
    Frames(Vec<Vec<[f64; 3]>>, f64),
}

impl Content {
    pub(super) fn write(self, file: &Path) -> Result<(), SampleError> {
        match self {
            Self::Bytes(bytes) => atomic::replace(file, &bytes)
                .map_err(|source| SampleError::Write { file: file.to_path_buf(), source }),
            Self::Frames(frames, fps) => {
                let vertices = frames.first().map_or(0, Vec::len);
                let settings = MotionSettings::new(vertices, Frame(Motion::START), fps, frames.len());
                let mut writer = supple_formats::create_motion(file, settings, None)?;
                frames.iter().try_for_each(|frame| writer.write(frame))?;
                Ok(writer.finish()?)
            }
        }
    }
}

pub(super) fn bytes(content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<Content, SampleError> {
    let mut bytes = Vec::new();
    content(&mut bytes).map_err(|source| SampleError::Write { file: PathBuf::new(), source })?;
    Ok(Content::Bytes(bytes))
}

pub(super) fn points(positions: &[Vec3]) -> Vec<[f64; 3]> {
    positions.iter().map(|p| (*p).into()).collect()
}

pub(super) fn write_body(shape: &Shape, out: &mut dyn Write) -> io::Result<()> {
    let elements = match &shape.body {
        BodyMesh::Tets(mesh) => Elements::Tets(mesh.tets().iter().map(|tet| tet.map(|v| v.0)).collect()),
        BodyMesh::Voxels(mesh) => {
            Elements::Hexes(mesh.voxels().iter().map(|voxel| voxel.map(|v| v.0)).collect())
        }
        BodyMesh::Cloth(mesh) => return supple_formats::write_obj(&surface(mesh, &shape.groups), out),
    };
    let volume = VolumeFile {
        positions: points(shape.body.positions()),
        elements,
        vertex_groups: groups(&shape.groups),
        ..VolumeFile::default()
    };
    supple_formats::write_abaqus(&volume, out)
}

pub(super) fn surface(mesh: &TriMesh, vertex_groups: &VertexGroups) -> SurfaceFile {
    SurfaceFile {
        positions: points(mesh.positions()),
        triangles: mesh.triangles().iter().map(|t| t.map(|v| v.0)).collect(),
        vertex_groups: groups(vertex_groups),
        ..SurfaceFile::default()
    }
}

fn groups(groups: &VertexGroups) -> Vec<Group> {
    let group = |(name, vertices): (&str, &[_])| Group {
        name: name.to_owned(),
        members: vertices.iter().map(|v: &VertexId| v.0).collect(),
    };
    groups.iter().map(group).collect()
}
