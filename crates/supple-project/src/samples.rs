//! The built-in shots: bodies this program makes itself, so that there is something to work on before
//! any file of one's own.

use crate::shot::{self, Anchor, BodyKind, Shot};
use crate::{ShotError, atomic};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use supple_formats::{Elements, Group, SurfaceFile, VolumeFile};
use supple_mesh::shapes::{self, BodyMesh, Shape};
use supple_mesh::{FillError, TriMesh, Vec3, VertexGroups};
use supple_model::VertexId;

/// A built-in shot.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// What it is called on the command line.
    pub name: &'static str,
    /// What it shows, in a line.
    pub about: &'static str,
    shape: fn() -> Result<Shape, FillError>,
    anchors: &'static str,
    material: shot::Material,
    modes: usize,
}

/// Every built-in shot, by name.
pub const SAMPLES: &[Sample] = &[
    Sample {
        name: "bar",
        about: "a rubber bar of tets, held at its left end",
        shape: shapes::beam,
        anchors: "left",
        material: rubber(1e6),
        modes: 60,
    },
    Sample {
        name: "beam",
        about: "a flat beam of 75 voxels, held at its left end",
        shape: shapes::voxel_beam,
        anchors: "left",
        material: rubber(1e6),
        modes: 60,
    },
    Sample {
        name: "bird",
        about: "a gull with spread wings, a surface that is no manifold in a cage of voxels",
        shape: shapes::bird,
        anchors: "body",
        material: rubber(1e5),
        modes: 60,
    },
    Sample {
        name: "block",
        about: "an upright block to stretch, bend and twist",
        shape: shapes::block,
        anchors: "base",
        material: rubber(1e6),
        modes: 60,
    },
    Sample {
        name: "bridge",
        about: "a suspension bridge with two masts, soft enough to sway",
        shape: shapes::bridge,
        anchors: "base",
        material: rubber(2e6),
        modes: 100,
    },
    Sample {
        name: "curtain",
        about: "a curtain hanging in folds, of cloth",
        shape: shapes::curtain,
        anchors: "top",
        material: shot::Material { poisson: 0.3, density: 300.0, thickness: Some(0.002), ..rubber(1e6) },
        modes: 60,
    },
    Sample {
        name: "dinosaur",
        about: "a sauropod with a long neck and a long tail, on its four feet",
        shape: shapes::dinosaur,
        anchors: "feet",
        material: rubber(2e5),
        modes: 60,
    },
    Sample {
        name: "dragon",
        about: "a long dragon with antlers, whiskers and an open mouth",
        shape: shapes::dragon,
        anchors: "feet",
        material: rubber(2e6),
        modes: 100,
    },
    Sample {
        name: "flower",
        about: "a flower with two leaves and nine petals, growing from a mound",
        shape: shapes::flower,
        anchors: "base",
        material: rubber(2e5),
        modes: 60,
    },
    Sample {
        name: "t-rex",
        about: "a T. rex on its two feet, its jaws open",
        shape: shapes::t_rex,
        anchors: "feet",
        material: rubber(1e6),
        modes: 60,
    },
];

/// Rubber of a given Young's modulus, pascals.
const fn rubber(young: f64) -> shot::Material {
    shot::Material {
        law: shot::Law::StVenantKirchhoff,
        young,
        poisson: 0.45,
        density: 1000.0,
        thickness: None,
    }
}

/// Why a sample could not be written.
#[derive(Debug, thiserror::Error)]
pub enum SampleError {
    /// There is none of this name.
    #[error("there is no sample {name:?}; there are {}", names())]
    Unknown {
        /// What was asked for.
        name: String,
    },
    /// A file of the sample is there already, and may be somebody's work.
    #[error("{} is there already; choose another folder with -o, or remove it first", file.display())]
    Exists {
        /// The file.
        file: PathBuf,
    },
    /// The shape could not be made.
    #[error(transparent)]
    Shape(#[from] FillError),
    /// A file could not be written.
    #[error("{} could not be written: {source}", file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The shot could not be saved.
    #[error(transparent)]
    Shot(#[from] ShotError),
}

fn names() -> String {
    SAMPLES.iter().map(|sample| sample.name).collect::<Vec<_>>().join(", ")
}

impl Sample {
    /// The sample of this name.
    ///
    /// # Errors
    /// [`SampleError::Unknown`] lists the names there are.
    pub fn named(name: &str) -> Result<&'static Self, SampleError> {
        SAMPLES
            .iter()
            .find(|sample| sample.name == name)
            .ok_or_else(|| SampleError::Unknown { name: name.to_owned() })
    }

    /// Writes mesh, skin and shot file to `folder`, which is made if need be; returns the path of the
    /// shot. Files of these names are not overwritten.
    ///
    /// # Errors
    /// A file that is there already or cannot be written.
    pub fn write(&self, folder: &Path) -> Result<PathBuf, SampleError> {
        let path = |ending: &str| folder.join(format!("{}{ending}", self.name));
        for file in [".inp", ".obj", "-skin.obj", ".toml"].map(path) {
            if file.exists() {
                return Err(SampleError::Exists { file });
            }
        }
        let shape = (self.shape)()?;
        let (kind, ending) = match shape.body {
            BodyMesh::Tets(_) => (BodyKind::Solid, ".inp"),
            BodyMesh::Voxels(_) => (BodyKind::Voxels, ".inp"),
            BodyMesh::Cloth(_) => (BodyKind::Cloth, ".obj"),
        };
        let (mesh_file, skin_file, shot_file) = (path(ending), path("-skin.obj"), path(".toml"));
        fs::create_dir_all(folder)
            .map_err(|source| SampleError::Write { file: folder.to_path_buf(), source })?;
        write(&mesh_file, |out| write_body(&shape, out))?;
        let name_of = |file: &Path| file.file_name().map(PathBuf::from).unwrap_or_default();
        let mut body = shot::Body::new(kind, name_of(&mesh_file));
        if let Some(skin) = &shape.skin {
            write(&skin_file, |out| supple_formats::write_obj(&surface(skin, &VertexGroups::new()), out))?;
            body.skin = Some(shot::Skin { mesh: name_of(&skin_file), embedding: None });
        }
        body.material = Some(self.material);
        body.anchors = vec![Anchor::Group(self.anchors.into())];
        let mut shot = Shot::new(folder, body)?;
        shot.edit.modes = self.modes;
        shot.save(&shot_file)?;
        Ok(shot_file)
    }
}

fn write(file: &Path, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), SampleError> {
    let mut bytes = Vec::new();
    content(&mut bytes)
        .and_then(|()| atomic::replace(file, &bytes))
        .map_err(|source| SampleError::Write { file: file.to_path_buf(), source })
}

fn points(positions: &[Vec3]) -> Vec<[f64; 3]> {
    positions.iter().map(|p| (*p).into()).collect()
}

fn write_body(shape: &Shape, out: &mut dyn Write) -> io::Result<()> {
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

fn surface(mesh: &TriMesh, vertex_groups: &VertexGroups) -> SurfaceFile {
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

#[cfg(test)]
mod tests {
    use super::*;
    use supple_formats::{MeshFile, load_mesh};

    fn written(shape: fn() -> Result<Shape, FillError>, anchors: &'static str) -> (Shot, MeshFile) {
        let sample = Sample { name: "made", about: "", shape, anchors, material: rubber(1e5), modes: 10 };
        let folder = tempfile::tempdir().unwrap();
        let shot = Shot::load(&sample.write(folder.path()).unwrap()).unwrap();
        let shot::Shape::Mesh(mesh) = &shot.body.shape else { panic!("a mesh") };
        let file = load_mesh(shot.resolve(mesh)).unwrap();
        (shot, file)
    }

    #[test]
    fn voxels_are_written_with_their_groups_and_skin() {
        let (shot, file) = written(shapes::bird, "body");
        let MeshFile::Volume(file) = file else { panic!("a volume") };
        let bird = shapes::bird().unwrap();
        assert_eq!(shot.body.kind, BodyKind::Voxels);
        assert!(shot.body.skin.is_some());
        assert_eq!(file.positions, points(bird.body.positions()));
        assert!(matches!(&file.elements, Elements::Hexes(hexes) if hexes.len() > 400));
        assert_eq!(file.vertex_groups.len(), bird.groups.iter().count());
    }

    #[test]
    fn cloth_is_written_as_a_surface_with_groups() {
        let (shot, file) = written(shapes::curtain, "top");
        let MeshFile::Surface(file) = file else { panic!("a surface") };
        assert_eq!(shot.body.kind, BodyKind::Cloth);
        assert!(shot.body.skin.is_none());
        assert_eq!(file.triangles.len(), 2_400);
        let top = file.vertex_groups.iter().find(|group| group.name == "top").unwrap();
        assert_eq!(top.members, (0..61).collect::<Vec<u32>>());
    }
}
